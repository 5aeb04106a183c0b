"""Locks between processes: one importer at a time, one bot per database.

Promises: a killed process frees its lock at once, because the operating system holds it.
Leaves to `storage.lease`: keeping a process that slept from writing after another took over.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO

from storage.errors import StorageError


class LockedError(Exception):
    """Another process holds the lock."""


@asynccontextmanager
async def file_lock(path: Path, *, wait: bool) -> AsyncIterator[None]:
    """Hold an exclusive lock on a file beside the database.

    Args:
        path: the lock file; created, never removed (removing it would let two processes lock two files).
        wait: whether to wait for another process, or to give up at once.

    Raises:
        LockedError: `wait` is false and another process holds it.
        StorageError: the file can't be created.
    """
    with _open(path) as handle:
        while not _try_lock(handle):
            if not wait:
                raise LockedError(str(path))
            await asyncio.sleep(0.2)
        try:
            yield
        finally:
            fcntl.flock(handle, fcntl.LOCK_UN)


def _open(path: Path) -> IO[str]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("a")
    except OSError as error:
        raise StorageError(f"The lock file {path} can't be written: {error.strerror}.") from error


def _try_lock(handle: IO[str]) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    os.set_inheritable(handle.fileno(), False)
    return True


def import_lock(database: Path) -> Path:
    """The lock file of importers into this database."""
    return database.with_name(database.name + ".import-lock")


def run_lock(database: Path) -> Path:
    """The lock file of the bot on this database."""
    return database.with_name(database.name + ".run-lock")
