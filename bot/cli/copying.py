"""`backup` and `restore`: the database as one file, out and back.

Promises: a backup is complete or absent; a restore swaps in only what was read through and opened, and keeps the
present database beside it. Leaves to `storage.database`: copying while the bot runs.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import sys
from contextlib import AsyncExitStack
from pathlib import Path

from bot.app import ALREADY_RUNNING, StartError
from bot.locks import LockedError, file_lock, import_lock, run_lock
from bot.settings import Settings
from storage.database import Database, verify
from storage.errors import StorageError


async def backup(given: argparse.Namespace, settings: Settings) -> int:
    """`backup FILE`."""
    if not settings.database_path.exists():
        raise StorageError(f"There is no database {settings.database_path} to back up.")
    async with Database(settings.database_path) as database:
        await database.backup(given.file)
    sys.stdout.write(f"{given.file}: {given.file.stat().st_size:,} bytes\n")
    return 0


async def restore(given: argparse.Namespace, settings: Settings) -> int:
    """`restore FILE`: the bot must not run; the present database is kept beside as `.before-restore`."""
    source, target = given.file, settings.database_path
    if not source.is_file():
        raise StorageError(f"There is no backup {source}.")
    if target.exists() and not target.is_file():
        raise StorageError(f"The database {target} is no file; name another with DATABASE_PATH.")
    async with AsyncExitStack() as stack:
        for lock, who in ((run_lock(target), "A bot runs"), (import_lock(target), "An import runs")):
            try:
                await stack.enter_async_context(file_lock(lock, wait=False))
            except LockedError as error:
                raise StartError(
                    f"{who} on the database {target}; stop it first.", ALREADY_RUNNING
                ) from error
        await asyncio.to_thread(_put_back, source, target)
    sys.stdout.write(f"{target} is restored from {source}.\n")
    return 0


def _put_back(source: Path, target: Path) -> None:
    """Check a copy of the backup by reading it through and opening it, then swap it in."""
    candidate = target.with_name(target.name + ".restoring")
    try:
        _remove(candidate)
        shutil.copyfile(source, candidate)
        verify(candidate)
        asyncio.run(_open_once(candidate))
        _keep(target)
        os.replace(candidate, target)
    except StorageError as error:
        reason = str(error).replace(str(candidate), "it")
        raise StorageError(f"{source} can't be restored, {target} is as it was: {reason}") from error
    finally:
        _remove(candidate)


def _keep(database: Path) -> None:
    """Set the present database aside, with what its write-ahead log still holds."""
    aside = database.with_name(database.name + ".before-restore")
    if not database.exists():
        return
    _remove(aside)
    for here, there in zip(_files(database), _files(aside), strict=True):
        if here.exists():
            os.replace(here, there)


def _remove(database: Path) -> None:
    for file in _files(database):
        file.unlink(missing_ok=True)


def _files(database: Path) -> tuple[Path, ...]:
    """A database and the two files that SQLite keeps beside it, the log first: a log alone does no harm."""
    return tuple(database.with_name(database.name + ending) for ending in ("-wal", "-shm", ""))


async def _open_once(path: Path) -> None:
    async with Database(path):
        pass
