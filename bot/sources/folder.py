"""The watched folder: a complete new or changed listing in it is loaded within five seconds.

Promises: a half-written file waits; a file is remembered by content, never by its time stamp; a bad file is
named once and stops no other. Leaves to `importing`: the load.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from bot.clock import Clock
from bot.sources.importing import Imported, ImportFailedError
from storage.sources import SourceStore

log = logging.getLogger(__name__)

SIDECAR = ".en.json"
LISTINGS = (".txt", ".html", ".htm", ".md")
EVERY = 1.0  # seconds between two looks; a file that looked the same twice is complete
NAME = "folder"

Load = Callable[[list[Path], Path | None], Awaitable[Imported]]


@dataclass(frozen=True, slots=True)
class _Look:
    """How a file looked: unchanged between two looks means that nobody is writing it."""

    size: int
    modified_ns: int


class FolderSource:
    """Watches one folder. Hidden and temporary files are left alone."""

    def __init__(self, folder: Path, *, store: SourceStore, clock: Clock, load: Load) -> None:
        self._folder = folder
        self._store = store
        self._clock = clock
        self._load = load
        self._seen: dict[Path, _Look] = {}
        self._done: dict[Path, _Look] = {}

    async def look(self) -> int:
        """One look at the folder; how many files were loaded."""
        try:
            looks = await asyncio.to_thread(_looks, self._folder)
        except OSError as error:
            await self._fail(f"{self._folder} can't be read: {error.strerror}")
            return 0
        complete = [
            path
            for path, look in looks.items()
            if self._seen.get(path) == look and self._done.get(path) != look
        ]
        self._seen = looks
        return sum([await self._take(path, looks) for path in _listings(complete, looks)])

    async def _take(self, path: Path, looks: dict[Path, _Look]) -> int:
        """Load a listing with its sidecar, unless this very content was loaded before."""
        sidecar = path.with_name(path.stem + SIDECAR)
        own = sidecar if sidecar in looks else None
        digest = await asyncio.to_thread(_digest, path, own)
        self._done |= {file: looks[file] for file in (path, sidecar) if file in looks}
        if digest is None or (await self._store.known_files()).get(path.name) == digest:
            return 0
        error = None
        try:
            imported = await self._load([path], own)
        except ImportFailedError as failure:
            error = str(failure)
        else:
            report = imported.report
            log.info(
                "%s: %d read, %d new, %d updated", path.name, report["read"], report["new"], report["updated"]
            )
            error = None if imported.complete else "; ".join(report["warnings"])
        await self._store.remember_file(path.name, digest, error)
        if error is None:
            await self._store.success(NAME, self._clock.now())
            return 1
        await self._fail(f"{path.name}: {error}")
        return 0

    async def _fail(self, error: str) -> None:
        log.warning("watched folder: %s", error)
        await self._store.failure(NAME, error, self._clock.now())


def _looks(folder: Path) -> dict[Path, _Look]:
    found = {}
    for path in sorted(folder.iterdir()):
        if path.name.startswith((".", "~")) or not path.name.endswith((*LISTINGS, SIDECAR)):
            continue
        try:
            stat = path.stat()
        except FileNotFoundError:
            continue  # moved away between the two calls
        if path.is_file():
            found[path] = _Look(stat.st_size, stat.st_mtime_ns)
    return found


def _listings(complete: list[Path], looks: dict[Path, _Look]) -> list[Path]:
    """The listings to load: those that are complete, and those whose sidecar is."""
    wanted = dict.fromkeys(path for path in complete if not path.name.endswith(SIDECAR))
    for path in complete:
        if path.name.endswith(SIDECAR):
            stem = path.name.removesuffix(SIDECAR)
            wanted |= dict.fromkeys(
                other for other in looks if other.stem == stem and not other.name.endswith(SIDECAR)
            )
    return sorted(wanted)


def _digest(path: Path, sidecar: Path | None) -> str | None:
    """The content of a listing and its sidecar as one digest, or None when it has just gone."""
    total = hashlib.sha256()
    try:
        for file in filter(None, (path, sidecar)):
            with file.open("rb") as handle:
                while chunk := handle.read(1 << 20):
                    total.update(chunk)
            total.update(b"|")
    except FileNotFoundError:
        return None
    return total.hexdigest()
