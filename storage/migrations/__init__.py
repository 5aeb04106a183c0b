"""Numbered SQL files and their ledger, a table in the database itself.

Promises: a file and its ledger row commit in one transaction; a database from a newer program is refused.
Leaves to the files `NNN_name.sql`: the schema. Statements end with `;` at the end of a line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

from storage.errors import StorageError

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    import aiosqlite

_LEDGER = """
CREATE TABLE IF NOT EXISTS migrations (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
) STRICT
"""


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered step of the schema."""

    number: int
    name: str
    statements: tuple[str, ...]


def shipped() -> tuple[Migration, ...]:
    """Every migration of this program, in order."""
    found = []
    for entry in resources.files(__package__).iterdir():
        match = re.fullmatch(r"(\d{3})_(\w+)\.sql", entry.name)
        if match:
            sql = entry.read_text("utf-8")
            found.append(Migration(int(match[1]), match[2], tuple(_statements(sql))))
    return tuple(sorted(found, key=lambda migration: migration.number))


def _statements(sql: str) -> list[str]:
    """Split at `;` line ends: `executescript` would commit in the middle of the transaction."""
    return [part.strip() for part in re.split(r";[ \t]*(?:\n|$)", sql) if part.strip()]


async def migrate(writer: aiosqlite.Connection, path: Path) -> int:
    """Apply what is missing; the number of migrations applied.

    Args:
        writer: a connection to the database.
        path: the database, to name it in an error.

    Raises:
        StorageError: the database was written by a newer version of this program.
    """
    await writer.execute("BEGIN IMMEDIATE")
    try:
        await writer.execute(_LEDGER)
        rows = await writer.execute_fetchall("SELECT number FROM migrations")
        await writer.commit()
    except BaseException:
        await writer.rollback()
        raise
    done = {int(row[0]) for row in rows}
    steps = shipped()
    _refuse_newer(done, steps, path)
    missing = [step for step in steps if step.number not in done]
    for step in missing:
        await _apply(writer, step)
    return len(missing)


def refuse_foreign(connection: sqlite3.Connection, path: Path) -> None:
    """Another program's tables aren't mixed with ours.

    Raises:
        StorageError: the database has tables but no ledger.
    """
    rows = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    )
    tables = {str(row[0]) for row in rows}
    if tables and "migrations" not in tables:
        raise StorageError(
            f"The database {path} belongs to another program (it has the table {min(tables)}); name another file."
        )


def _refuse_newer(done: set[int], steps: tuple[Migration, ...], path: Path) -> None:
    newest = steps[-1].number
    if done and max(done) > newest:
        raise StorageError(
            f"The database {path} has schema {max(done)}, this program knows schema {newest} at most: "
            "start the newer version that wrote it, or restore a backup from before the upgrade."
        )


async def _apply(writer: aiosqlite.Connection, step: Migration) -> None:
    await writer.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have applied it while this one waited for the lock.
        rows = await writer.execute_fetchall("SELECT 1 FROM migrations WHERE number = ?", (step.number,))
        if not list(rows):
            for statement in step.statements:
                await writer.execute(statement)
            await writer.execute(
                "INSERT INTO migrations (number, name) VALUES (?, ?)", (step.number, step.name)
            )
        await writer.commit()
    except BaseException:
        await writer.rollback()
        raise
