"""Connections: one writer behind a lock, one reader, both on their own thread.

Promises: `transaction()` commits as a whole or not at all, whatever interrupts it, cancellation included.
Leaves to the stores: every statement but the pragmas; to `migrations`: the schema.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Iterable, Sequence
from contextlib import asynccontextmanager, closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol, Self

import aiosqlite

from storage import migrations
from storage.errors import StorageError

# A second process may hold the write lock for one batch of an import (well under a second).
BUSY_TIMEOUT_MS = 15_000

Row = aiosqlite.Row
Parameters = Sequence[Any] | dict[str, Any]


def to_text(moment: datetime) -> str:
    """An aware moment as the fixed-width UTC text that sorts like time."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def from_text(text: str) -> datetime:
    """The inverse of `to_text`."""
    return datetime.fromisoformat(text)


def optional_moment(text: str | None) -> datetime | None:
    """`from_text` for a column that may be NULL."""
    return None if text is None else from_text(text)


class Reads(Protocol):
    """What a query needs: a database's reader, or a transaction that sees its own writes."""

    async def all(self, sql: str, parameters: Parameters = ()) -> list[Row]:
        """All rows of a query."""
        ...


class Transaction:
    """Statements inside one `BEGIN IMMEDIATE … COMMIT` on the writer."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection

    async def execute(self, sql: str, parameters: Parameters = ()) -> int:
        """Run one statement; the number of rows it changed."""
        async with self._connection.execute(sql, parameters) as cursor:
            return cursor.rowcount

    async def insert(self, sql: str, parameters: Parameters = ()) -> int:
        """Run one INSERT; the new row's id."""
        async with self._connection.execute(sql, parameters) as cursor:
            if cursor.lastrowid is None:  # pragma: no cover - SQLite sets it for every INSERT
                raise StorageError("SQLite gave no row id for an INSERT")
            return cursor.lastrowid

    async def executemany(self, sql: str, rows: Iterable[Parameters]) -> None:
        """Run one statement for many rows."""
        await self._connection.executemany(sql, rows)

    async def all(self, sql: str, parameters: Parameters = ()) -> list[Row]:
        """All rows of a query, as this transaction sees them."""
        return list(await self._connection.execute_fetchall(sql, parameters))

    async def one(self, sql: str, parameters: Parameters = ()) -> Row | None:
        """The first row of a query, or None."""
        rows = await self.all(sql, parameters)
        return rows[0] if rows else None


class Database:
    """An open SQLite file. Use as an async context manager, or `open()` and `close()`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writer: aiosqlite.Connection | None = None
        self._reader: aiosqlite.Connection | None = None
        self._write_lock = asyncio.Lock()

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def open(self) -> None:
        """Open both connections and bring the schema up to date.

        Raises:
            StorageError: the file is missing rights, locked, corrupt, or newer than this program.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            await asyncio.to_thread(_probe, self.path)
            self._writer = await _connect(self.path)
            await _check_writable(self._writer)
            await migrations.migrate(self._writer, self.path)
            self._reader = await _connect(self.path)
            await self._reader.execute("PRAGMA query_only = 1")
        except (sqlite3.Error, OSError, StorageError) as error:
            await self.close()
            raise explain(self.path, error) from error

    async def close(self) -> None:
        """Close both connections; safe to call twice and on a half-open database.

        An unclosed aiosqlite connection keeps its thread, and with it the interpreter, alive.
        """
        reader, self._reader = self._reader, None
        writer, self._writer = self._writer, None
        for connection in (reader, writer):
            if connection is not None:
                await connection.close()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        """One write transaction; rolled back on any exception, cancellation included."""
        writer = self._open(self._writer)
        async with self._write_lock:
            try:
                await _uninterrupted(writer.execute("BEGIN IMMEDIATE"))
                yield Transaction(writer)
                await _uninterrupted(writer.commit())
            except BaseException:
                # A BEGIN or COMMIT that was cancelled has still run to its end.
                if writer.in_transaction:
                    await _uninterrupted(writer.rollback())
                raise

    async def all(self, sql: str, parameters: Parameters = ()) -> list[Row]:
        """All rows of a read-only query."""
        return list(await self._open(self._reader).execute_fetchall(sql, parameters))

    async def one(self, sql: str, parameters: Parameters = ()) -> Row | None:
        """The first row of a read-only query, or None."""
        rows = await self.all(sql, parameters)
        return rows[0] if rows else None

    async def value(self, sql: str, parameters: Parameters = ()) -> Any:  # noqa: ANN401 - a cell has SQLite's type
        """The first cell of a read-only query, or None."""
        row = await self.one(sql, parameters)
        return None if row is None else row[0]

    async def version(self) -> int:
        """A number that changes whenever any other connection, of any process, has committed."""
        return int(await self.value("PRAGMA data_version"))

    async def schema_version(self) -> int:
        """The number of the newest migration that this file has."""
        return int(await self.value("SELECT coalesce(max(number), 0) FROM migrations"))

    async def backup(self, target: Path) -> None:
        """Write a consistent copy while the bot runs.

        Raises:
            StorageError: the target exists or can't be written.
        """
        if await asyncio.to_thread(target.exists):
            raise StorageError(f"{target} exists already; name a new file for the backup.")
        partial = target.with_name(target.name + ".part")
        try:
            await asyncio.to_thread(partial.unlink, missing_ok=True)
            await asyncio.to_thread(_probe, partial)
            async with aiosqlite.connect(partial) as copy:
                await self._open(self._reader).backup(copy)
            await asyncio.to_thread(os.replace, partial, target)
        except (sqlite3.Error, OSError) as error:
            raise explain(target, error) from error
        finally:
            # A backup that was interrupted must not look like one.
            with suppress(OSError):
                partial.unlink(missing_ok=True)

    def _open(self, connection: aiosqlite.Connection | None) -> aiosqlite.Connection:
        if connection is None:
            raise StorageError(f"The database {self.path} is not open.")
        return connection


def _probe(path: Path) -> None:
    """Raise what opening a database raises, and refuse another program's file before anything in it is changed.

    aiosqlite's thread outlives a failed `connect()` and then answers to an event loop that may be closed.
    """
    with closing(sqlite3.connect(path, timeout=BUSY_TIMEOUT_MS / 1000)) as connection:
        migrations.refuse_foreign(connection, path)


async def _connect(path: Path) -> aiosqlite.Connection:
    connection = await aiosqlite.connect(path, isolation_level=None)
    try:
        connection.row_factory = aiosqlite.Row
        await connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
        await connection.execute("PRAGMA journal_mode = WAL")
        # In WAL mode, NORMAL may lose the last commits in a power cut: a begun send would be forgotten.
        await connection.execute("PRAGMA synchronous = FULL")
        await connection.execute("PRAGMA foreign_keys = ON")
    except BaseException:
        await connection.close()
        raise
    return connection


async def _check_writable(writer: aiosqlite.Connection) -> None:
    """Fail now rather than at the first change when the file is read-only.

    `BEGIN IMMEDIATE` alone is no test: on a read-only file SQLite makes a reading transaction of it.
    """
    await writer.execute("BEGIN IMMEDIATE")
    try:
        (row,) = await writer.execute_fetchall("PRAGMA user_version")
        await writer.execute(f"PRAGMA user_version = {int(row[0])}")
    finally:
        await writer.rollback()


async def _uninterrupted(step: Awaitable[Any]) -> None:
    """Wait for a statement to end even while this task is being cancelled, then pass the cancellation on.

    aiosqlite can't stop a statement whose await was cancelled; walking away would leave it to the next user.
    """
    task = asyncio.ensure_future(step)
    cancelled = False
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            cancelled = True
        except Exception:
            break  # told by `result` below
    if cancelled:
        task.exception()  # seen here, so that asyncio doesn't complain about it
        raise asyncio.CancelledError
    task.result()


# Primary result codes that speak of the file or the disk, not of a mistake in a statement (sqlite.org/rescode.html).
_ENVIRONMENT = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_NOTADB,
    }
)


def is_environment(error: sqlite3.Error) -> bool:
    """Whether the file, the disk or another program is at fault rather than this program."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _ENVIRONMENT


def verify(path: Path) -> None:
    """Read a whole database file through; nothing is changed.

    Raises:
        StorageError: it is damaged, or no database of this program.
    """
    try:
        with closing(sqlite3.connect(path)) as connection:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if found != "ok":
                raise StorageError(f"The database {path} is damaged ({found}); restore a backup.")
            ledger = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").fetchone()
            if ledger is None:
                raise StorageError(f"{path} is no database of this program.")
    except (sqlite3.Error, OSError) as error:
        raise explain(path, error) from error


def explain(path: Path, error: Exception) -> StorageError:
    """A database error as one sentence that names the file and what to do."""
    if isinstance(error, StorageError):
        return error
    text = str(error)
    if isinstance(error, PermissionError) or "readonly" in text or "read-only" in text:
        return StorageError(
            f"The database {path} can't be written: check the rights of the file and its folder."
        )
    if "unable to open" in text or isinstance(error, OSError):
        return StorageError(
            f"The database {path} can't be opened: is it a file in a folder you may write to?"
        )
    if "locked" in text:
        return StorageError(f"The database {path} is locked by another program; close it and try again.")
    if "full" in text:
        return StorageError(f"The disk that holds the database {path} is full.")
    if "not a database" in text or "malformed" in text:
        return StorageError(
            f"The file {path} is damaged or no SQLite database; restore a backup or name another."
        )
    return StorageError(f"The database {path} can't be used: {text}.")
