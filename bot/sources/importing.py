"""Loads from inside the running bot, each in a process of its own.

Promises: parsing, merging and resolving never hold up the event loop, and there is one way to load: the command
line's. Leaves to `bot.cli`: the import itself; to `bot.engine`: noticing its commit.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TIME_LIMIT = 30 * 60  # seconds


@dataclass(frozen=True, slots=True)
class Imported:
    """The load report, whether every file could be read, and what is wrong with those that couldn't."""

    report: dict[str, Any]
    complete: bool
    problems: tuple[str, ...] = ()


class ImportFailedError(Exception):
    """The importer died or said nothing; the text is its last line."""


async def import_files(
    database: Path, files: Sequence[Path], sidecar: Path | None = None, source: str | None = None
) -> Imported:
    """Load files into a database in a child process; without a `source` their content says what they are.

    Raises:
        ImportFailedError: there is no report.
    """
    command = [sys.executable, "-m", "bot", "import", "--json"]
    if source is not None:
        command += ["--source", source]
    if sidecar is not None:
        command += ["--english", str(sidecar)]
    process = await asyncio.create_subprocess_exec(
        *command,
        *(str(file) for file in files),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "DATABASE_PATH": str(database), "DISCORD_TOKEN": ""},
    )
    try:
        async with asyncio.timeout(TIME_LIMIT):
            out, err = await process.communicate()
    except BaseException:
        process.kill()
        await process.wait()
        raise
    if process.returncode not in (0, 1) or not out.strip():
        lines = err.decode(errors="replace").strip().splitlines()
        raise ImportFailedError(lines[-1] if lines else f"the importer ended with code {process.returncode}")
    report = json.loads(out)
    return Imported(report, process.returncode == 0, _problems(report, files, sidecar))


def _problems(report: dict[str, Any], files: Sequence[Path], sidecar: Path | None) -> tuple[str, ...]:
    """The sentences on files that couldn't be read, which begin with the file; only its name is shown."""
    unread = [path for path in (*files, *([sidecar] if sidecar else ())) if str(path) not in report["files"]]
    return tuple(
        warning.replace(str(path), path.name)
        for warning in report["warnings"]
        for path in unread
        if warning.startswith(f"{path}: ")
    )
