"""The watched folder: a complete new or changed listing in it is loaded within five seconds.

Promises: a half-written file waits; a file is remembered by content, never by its time stamp; a bad file is
named once and stops no other. Leaves to `importing`: the load.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bot.clock import Clock
from bot.sources.importing import Imported, ImportFailedError
from storage.sources import SourceStore

log = logging.getLogger(__name__)

SIDECAR = ".en.json"
LISTINGS = (".txt", ".html", ".htm", ".md", ".xml", ".json")
EVERY = 0.75  # seconds between two looks
# A file that looked the same so often in a row is complete; together with the load that stays below five seconds.
LOOKS = 3
# After an importer that died (no memory, a locked database): the file isn't to blame and is tried again.
RETRY = timedelta(minutes=1)
NAME = "folder"

Load = Callable[[list[Path], Path | None], Awaitable[Imported]]


@dataclass(frozen=True, slots=True)
class _Look:
    """How a file looked: unchanged between two looks means that nobody is writing it."""

    size: int
    modified_ns: int
    changed_ns: int  # rights and name too


class FolderSource:
    """Watches one folder. Hidden and temporary files are left alone."""

    def __init__(self, folder: Path, *, store: SourceStore, clock: Clock, load: Load) -> None:
        self._folder = folder
        self._store = store
        self._clock = clock
        self._load = load
        self._seen: dict[Path, tuple[_Look, int]] = {}
        self._done: dict[Path, _Look] = {}
        self._again: dict[Path, datetime] = {}
        self._unreadable = False

    async def look(self) -> int:
        """One look at the folder; how many files were loaded."""
        try:
            looks = await asyncio.to_thread(_looks, self._folder)
        except OSError as error:
            if not self._unreadable:
                await self._fail(f"{self._folder} can't be read: {error.strerror}")
            self._unreadable = True
            return 0
        self._unreadable = False
        seen = {path: (look, self._times(path, look)) for path, look in looks.items()}
        self._seen = seen
        whole = {path: look for path, (look, times) in seen.items() if times >= LOOKS}
        wanted = [path for path, look in whole.items() if self._is_open(path, look)]
        return sum([await self._take(path, whole) for path in _listings(wanted, whole)])

    def _times(self, path: Path, look: _Look) -> int:
        """How often in a row a file looked like this."""
        before, times = self._seen.get(path, (None, 0))
        return times + 1 if before == look else 1

    def _is_open(self, path: Path, look: _Look) -> bool:
        """Whether there is anything to do about a file: it is new or changed, or its importer died a while ago."""
        if self._done.get(path) != look:
            return True
        return path in self._again and self._clock.now() >= self._again[path]

    async def _take(self, path: Path, whole: dict[Path, _Look]) -> int:
        """Load a listing with its sidecar, unless this very content was loaded before.

        Args:
            path: a listing among them.
            whole: the files that nobody is writing.
        """
        sidecar = path.with_name(path.stem + SIDECAR)
        own = sidecar if sidecar in whole else None
        digest = await asyncio.to_thread(_digest, path, own)
        self._done |= {file: whole[file] for file in (path, sidecar) if file in whole}
        self._again.pop(path, None)
        if digest is None or (await self._store.known_files()).get(path.name) == digest:
            return 0
        try:
            imported = await self._load([path], own)
        except ImportFailedError as failure:
            self._again[path] = self._clock.now() + RETRY
            await self._fail(f"{path.name}: {failure}")
            return 0
        report = imported.report
        log.info(
            "%s: %d read, %d new, %d updated", path.name, report["read"], report["new"], report["updated"]
        )
        error = (
            None if imported.complete else "; ".join(imported.problems) or f"{path.name}: not all was read"
        )
        await self._store.remember_file(path.name, digest, error)
        if error is None:
            await self._succeed(report)
            return 1
        await self._fail(error)
        return 0

    async def _succeed(self, report: dict[str, Any]) -> None:
        counts = {name: int(report[name]) for name in ("read", "new", "updated")}
        await self._store.success(NAME, self._clock.now(), state=json.dumps({"counts": counts}))

    async def _fail(self, error: str) -> None:
        log.warning("watched folder: %s", error)
        await self._store.failure(NAME, error, self._clock.now())


def _looks(folder: Path) -> dict[Path, _Look]:
    found = {}
    for path in sorted(folder.iterdir()):
        if path.name.startswith((".", "~")) or not path.name.lower().endswith(LISTINGS):
            continue
        try:
            stat = path.stat()
        except FileNotFoundError:
            continue  # moved away between the two calls
        if path.is_file():
            found[path] = _Look(stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)
    return found


def _listings(wanted: list[Path], whole: dict[Path, _Look]) -> list[Path]:
    """The listings to load: those that are new themselves, and those whose sidecar is."""
    found = dict.fromkeys(path for path in wanted if not path.name.endswith(SIDECAR))
    for path in wanted:
        if path.name.endswith(SIDECAR):
            stem = path.name.removesuffix(SIDECAR)
            found |= dict.fromkeys(
                other for other in whole if other.stem == stem and not other.name.endswith(SIDECAR)
            )
    return sorted(found)


def _digest(path: Path, sidecar: Path | None) -> str | None:
    """The content of a listing and its sidecar as one digest, or None when it has just gone.

    What may not be read gets a digest of its own: the load says what is wrong with it.
    """
    total = hashlib.sha256()
    try:
        for file in filter(None, (path, sidecar)):
            with file.open("rb") as handle:
                while chunk := handle.read(1 << 20):
                    total.update(chunk)
            total.update(b"|")
    except FileNotFoundError:
        return None
    except OSError as error:
        return f"unreadable: {error.strerror}"
    return total.hexdigest()
