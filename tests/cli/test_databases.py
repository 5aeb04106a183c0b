"""Databases that can't be used, and copies of them: a sentence that names the file, and nothing half-written."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import storage.database
from tests.cli.conftest import SAMPLE, Cli, Start, end

COMMANDS = [["status"], ["search", "logquant"], ["import", str(SAMPLE)], ["digest"], ["corrections", "list"]]
every_command = pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])


def damage(path: Path) -> None:
    path.write_bytes(os.urandom(300_000))


def cut(path: Path) -> None:
    """A real database that lost its end."""
    os.truncate(path, 100_000)


def newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("INSERT INTO migrations (number, name) VALUES (999, 'future')")


def foreign(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE invoices (id)")


FAULTS = {"random bytes": damage, "truncated": cut, "newer": newer, "foreign": foreign}


@every_command
@pytest.mark.parametrize("fault", FAULTS)
def test_an_unusable_file(loaded: Cli, command: list[str], fault: str) -> None:
    FAULTS[fault](loaded.database)
    before = loaded.database.read_bytes()
    loaded(*command).said(str(loaded.database))
    assert loaded.database.read_bytes() == before


@every_command
def test_a_folder_instead_of_a_file(cli: Cli, command: list[str]) -> None:
    cli.database.mkdir(parents=True)
    cli(*command).said(str(cli.database))


@every_command
def test_a_file_where_a_folder_should_be(cli: Cli, command: list[str]) -> None:
    cli.database.parent.write_text("no folder", "utf-8")
    cli(*command).said(str(cli.database.parent))


@every_command
def test_a_locked_database(loaded: Cli, command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage.database, "BUSY_TIMEOUT_MS", 50)
    with closing(sqlite3.connect(loaded.database, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        loaded(*command).said(str(loaded.database), "locked")


def test_damage_inside_is_no_bug(loaded: Cli) -> None:
    """SQLite notices a broken page only when it reads it."""
    with closing(sqlite3.connect(loaded.database)) as database:
        (root,) = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'papers'").fetchone()
        (size,) = database.execute("PRAGMA page_size").fetchone()
    with loaded.database.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xff" * size)
    loaded("search", "logquant").said(str(loaded.database), "damaged")
    assert "WRONG database" in loaded("doctor").out


@pytest.mark.parametrize("read_only", ["file", "folder"])
@pytest.mark.parametrize("command", [["status"], ["import", str(SAMPLE)]], ids=lambda command: command[0])
def test_without_the_right_to_write(loaded: Cli, start: Start, read_only: str, command: list[str]) -> None:
    folder = loaded.database.parent
    loaded.database.chmod(0o444)
    folder.chmod(0o555 if read_only == "folder" else 0o755)
    try:
        end(start("bot", *command)).said(str(loaded.database), "can't be written")
    finally:
        folder.chmod(0o755)


def test_no_right_to_create_it(cli: Cli, start: Start, tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    try:
        end(start("bot", "import", SAMPLE)).said(str(cli.database.parent))
    finally:
        tmp_path.chmod(0o755)


def test_a_full_disk_leaves_what_was_there(loaded: Cli, start: Start, tmp_path: Path) -> None:
    """A limit on the size of files stands in for it."""
    listing = tmp_path / "many.txt"
    one = (
        "Paper number {0} about nothing else\n作者：Ann Author{0}\nAI总结：第{0}篇。\nComments: ICLR 2026\n\n"
    )
    listing.write_text("".join(one.format(number) for number in range(3000)), "utf-8")
    process = start("tests.cli.small_files", "600000", "import", listing)
    done = end(process)
    assert done.code == 1, done
    assert str(loaded.database) in done.err
    assert "Traceback" not in done.err
    assert loaded("status", "--json").json["papers"]["total"] >= 30


# --- backup and restore -----------------------------------------------------------------------------------------------


def test_there_and_back(loaded: Cli, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    assert loaded("backup", copy).code == 0
    total = loaded("status", "--json").json["papers"]["total"]
    loaded.database.unlink()
    assert loaded("restore", copy).code == 0
    assert loaded("status", "--json").json["papers"]["total"] == total
    assert sorted(path.name for path in tmp_path.glob("copy*")) == ["copy.db"]


def test_a_restore_keeps_what_was_there(loaded: Cli, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    loaded("backup", copy)
    before = loaded.database.read_bytes()
    loaded("restore", copy)
    aside = loaded.database.with_name("herald.db.before-restore")
    assert aside.read_bytes() == before
    # What a killed bot left in the write-ahead log goes along.
    wal = loaded.database.with_name("herald.db-wal")
    wal.write_bytes(b"as if")
    loaded("restore", copy)
    assert aside.with_name("herald.db.before-restore-wal").read_bytes() == b"as if"
    assert not wal.exists()


@pytest.mark.parametrize("fault", [*FAULTS, "empty", "missing", "folder"])
def test_what_is_no_backup_is_refused(loaded: Cli, tmp_path: Path, fault: str) -> None:
    copy = tmp_path / "copy.db"
    if fault == "empty":
        copy.touch()
    elif fault == "folder":
        copy.mkdir()
    elif fault != "missing":
        loaded("backup", copy)
        FAULTS[fault](copy)
    before = loaded.database.read_bytes()
    loaded("restore", copy).said(str(copy))
    assert loaded.database.read_bytes() == before
    assert not list(loaded.database.parent.glob("*.restoring*"))


def test_a_backup_overwrites_nothing(loaded: Cli, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("mine", "utf-8")
    loaded("backup", taken).said(str(taken), "exists already")
    assert taken.read_text("utf-8") == "mine"
    loaded("backup", tmp_path / "missing" / "copy.db").said("missing")


def test_a_backup_without_a_database(cli: Cli, tmp_path: Path) -> None:
    cli("backup", tmp_path / "copy.db").said(str(cli.database))
    assert not (tmp_path / "copy.db").exists()


def test_a_restore_onto_a_folder_leaves_it(
    loaded: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy.db"
    loaded("backup", copy)
    monkeypatch.setenv("DATABASE_PATH", str(tmp_path / "folder"))
    (tmp_path / "folder").mkdir()
    loaded("restore", copy).said(str(tmp_path / "folder"))
    assert (tmp_path / "folder").is_dir()
