"""Transactions are whole or nothing, whatever interrupts them; what can't be opened is explained."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from storage import migrations
from storage.database import Database, explain
from storage.errors import StorageError


async def _put(database: Database, key: str) -> None:
    async with database.transaction() as transaction:
        await transaction.execute("INSERT INTO meta (key, value) VALUES (?, '')", (key,))


async def _keys(database: Database) -> list[str]:
    return [row["key"] for row in await database.all("SELECT key FROM meta WHERE key LIKE 'k%' ORDER BY key")]


@pytest.mark.asyncio
async def test_an_exception_rolls_back_and_the_next_transaction_works(database: Database) -> None:
    async def fail() -> None:
        async with database.transaction() as transaction:
            await transaction.execute("INSERT INTO meta (key, value) VALUES ('k1', '')")
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await fail()
    await _put(database, "k2")
    assert await _keys(database) == ["k2"]


@pytest.mark.asyncio
@pytest.mark.parametrize("steps", range(12))
async def test_a_cancellation_at_any_step_rolls_back_or_commits_as_a_whole(
    database: Database, steps: int
) -> None:
    async def write() -> None:
        async with database.transaction() as transaction:
            await transaction.execute("INSERT INTO meta (key, value) VALUES ('k1', '')")
            await transaction.execute("INSERT INTO meta (key, value) VALUES ('k2', '')")

    task = asyncio.create_task(write())
    for _ in range(steps):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await _put(database, "k3")  # the connection isn't left inside a transaction
    assert await _keys(database) in (["k3"], ["k1", "k2", "k3"])


@pytest.mark.asyncio
async def test_a_cancellation_while_waiting_for_another_process_leaves_no_transaction_open(
    database: Database,
) -> None:
    other = sqlite3.connect(database.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    task = asyncio.create_task(_put(database, "k1"))
    await asyncio.sleep(0.05)
    task.cancel()
    other.execute("COMMIT")
    other.close()
    await asyncio.gather(task, return_exceptions=True)
    await _put(database, "k2")
    assert await _keys(database) == ["k2"]


@pytest.mark.asyncio
async def test_a_refused_commit_is_rolled_back(database: Database) -> None:
    async def refuse() -> None:
        async with database.transaction() as transaction:
            await transaction.execute("PRAGMA defer_foreign_keys = 1")
            await transaction.execute(
                "INSERT INTO library (user_id, paper_id, saved_at) VALUES (1, 12345, '')"
            )

    with pytest.raises(sqlite3.IntegrityError):
        await refuse()
    await _put(database, "k1")
    assert await _keys(database) == ["k1"]


@pytest.mark.asyncio
async def test_94_a_second_writer_waits_instead_of_giving_up(database: Database) -> None:
    async with Database(database.path) as second:
        await asyncio.gather(
            *(
                _put(one, f"k{number}")
                for number in range(20)
                for one in (database, second)
                if number % 2 == (one is second)
            )
        )
        assert len(await _keys(second)) == 20


@pytest.mark.asyncio
async def test_the_version_changes_with_anybodys_commit(database: Database) -> None:
    before = await database.version()
    async with Database(database.path) as second:
        await _put(second, "k1")
    after = await database.version()
    assert after != before
    assert await database.version() == after


@pytest.mark.asyncio
async def test_a_newer_database_is_refused_with_a_sentence(database: Database, tmp_path: Path) -> None:
    async with database.transaction() as transaction:
        await transaction.execute("INSERT INTO migrations (number, name) VALUES (999, 'future')")
    with pytest.raises(StorageError, match="schema 999"):
        await Database(database.path).open()


@pytest.mark.asyncio
async def test_a_migration_that_fails_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = migrations.shipped()
    broken = migrations.Migration(900, "broken", ("CREATE TABLE half (x)", "CREATE TABLE nonsense ("))
    monkeypatch.setattr(migrations, "shipped", lambda: (*steps, broken))
    path = tmp_path / "new.db"
    with pytest.raises(StorageError):
        await Database(path).open()
    monkeypatch.setattr(migrations, "shipped", lambda: steps)
    async with Database(path) as opened:
        assert await opened.all("SELECT 1 FROM sqlite_master WHERE name = 'half'") == []
        assert await opened.schema_version() == steps[-1].number


@pytest.mark.asyncio
async def test_two_processes_may_migrate_at_once(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    first, second = Database(path), Database(path)
    await asyncio.gather(first.open(), second.open())
    assert await first.schema_version() == await second.schema_version() > 0
    await asyncio.gather(first.close(), second.close())


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            sqlite3.OperationalError("attempt to write a readonly database"),
            "can't be written: check the rights",
        ),
        (PermissionError("no"), "can't be written: check the rights"),
        (sqlite3.OperationalError("unable to open database file"), "can't be opened"),
        (sqlite3.OperationalError("database is locked"), "locked by another program"),
        (sqlite3.DatabaseError("database disk image is malformed"), "damaged"),
        (sqlite3.OperationalError("disk I/O error"), "can't be used: disk I/O error"),
    ],
)
def test_95_what_is_wrong_with_a_database_is_said_in_a_sentence(error: Exception, told: str) -> None:
    text = str(explain(Path("data/herald.db"), error))
    assert "data/herald.db" in text
    assert told in text


@pytest.mark.asyncio
async def test_95_a_folder_instead_of_a_file_is_told_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="can't be opened"):
        await Database(tmp_path).open()


@pytest.mark.asyncio
async def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("These are my notes, and they are long enough to be no SQLite header." * 20)
    with pytest.raises(StorageError, match=r"notes\.txt is damaged or no SQLite database"):
        await Database(path).open()


@pytest.mark.asyncio
async def test_a_backup_is_complete_and_never_overwrites(database: Database, tmp_path: Path) -> None:
    await _put(database, "k1")
    copy = tmp_path / "copy.db"
    await database.backup(copy)
    async with Database(copy) as opened:
        assert await _keys(opened) == ["k1"]
    with pytest.raises(StorageError, match="exists already"):
        await database.backup(copy)


@pytest.mark.asyncio
async def test_closing_twice_and_unopened_is_harmless(tmp_path: Path) -> None:
    database = Database(tmp_path / "herald.db")
    await database.close()
    await database.open()
    await database.close()
    await database.close()
    with pytest.raises(StorageError, match="not open"):
        await database.all("SELECT 1")
