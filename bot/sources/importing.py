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
    """The load report, and whether every file could be read."""

    report: dict[str, Any]
    complete: bool


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
    return Imported(json.loads(out), process.returncode == 0)
