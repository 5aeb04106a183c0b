"""Accepted corrections: kept in a file, applied at once, and stronger than every reload."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.cli.main import main
from bot.overrides import (
    FIELDS,
    Override,
    OverridesError,
    add_override,
    overrides_path,
    read_overrides,
    read_setting,
)
from bot.papers.merge import first_state
from bot.papers.model import Record
from bot.recognition import all_keys

LISTING = """Deep Trees

深树

Ann One, Bob Two

机构 * ETH Zurich（苏黎世联邦理工学院） 纠错

AI总结 原来的摘要。

Comments Accepted at ICLR 2026
"""


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database with one paper; the listing lies beside it."""
    path = tmp_path / "herald.db"
    monkeypatch.setenv("DATABASE_PATH", str(path))
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "listing.txt").write_text(LISTING, "utf-8")
    assert main(["import", "listing.txt"]) == 0
    return path


def _report(database: Path, kind: str, detail: str, data: dict[str, Any] | None = None) -> None:
    with sqlite3.connect(database) as connection:
        connection.execute(
            "INSERT INTO corrections (paper_id, user_id, kind, detail, created_at, data) VALUES (1, 7, ?, ?, ?, ?)",
            (kind, detail, "2026-05-04T00:00:00.000000+00:00", json.dumps(data) if data else None),
        )
    connection.close()


def _summary(database: Path) -> tuple[str, str]:
    with sqlite3.connect(database) as connection:
        found = connection.execute("SELECT text, origin FROM summaries WHERE language = 'zh'").fetchone()
    connection.close()
    return tuple(found)


def _organisations(database: Path) -> list[str]:
    with sqlite3.connect(database) as connection:
        rows = connection.execute("SELECT organisation FROM affiliation_organisations").fetchall()
    connection.close()
    return [row[0] for row in rows]


def test_an_accepted_summary_survives_reloads_and_a_new_database(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _report(database, "summary", "更正后的摘要。")
    assert main(["corrections", "accept", "1"]) == 0
    assert _summary(database) == ("更正后的摘要。", "person")
    assert main(["import", "listing.txt"]) == 0
    assert _summary(database)[0] == "更正后的摘要。"
    database.unlink()
    assert main(["import", "listing.txt"]) == 0
    assert _summary(database)[0] == "更正后的摘要。"
    capsys.readouterr()
    assert main(["corrections", "list"]) == 0
    assert capsys.readouterr().out == ""


def test_not_this_place_takes_the_organisation_away_for_good(database: Path) -> None:
    (organisation,) = _organisations(database)
    data = {"affiliation": "ETH Zurich", "organisations": [organisation]}
    _report(database, "institution", "“ETH Zurich” is not ETH Zurich", data)
    assert main(["corrections", "accept", "1"]) == 0
    assert _organisations(database) == []
    assert main(["import", "listing.txt"]) == 0
    assert _organisations(database) == []


def test_a_report_that_says_nothing_to_carry_out_is_kept_as_a_note(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _report(database, "author", "the second author is Bob Too")
    assert main(["corrections", "accept", "1"]) == 0
    assert "--set FIELD=VALUE" in capsys.readouterr().err
    assert read_overrides(database).items[0].note == "the second author is Bob Too"
    assert main(["import", "listing.txt"]) == 0


def test_what_is_right_can_be_set(database: Path) -> None:
    _report(database, "author", "the second author is Bob Too")
    assert main(["corrections", "accept", "1", "--set", "authors=Ann One; Bob Too"]) == 0
    assert read_overrides(database).items[0].values == {"authors": ["Ann One", "Bob Too"]}
    assert main(["import", "listing.txt"]) == 0
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute("SELECT name FROM paper_authors ORDER BY position").fetchall()
    assert [row[0] for row in rows] == ["Ann One", "Bob Too"]


def test_rejecting_changes_nothing(database: Path) -> None:
    _report(database, "summary", "Wrong.")
    assert main(["corrections", "reject", "1"]) == 0
    assert main(["corrections", "accept", "1"]) == 1
    assert not overrides_path(database).exists()


def test_a_namesake_is_not_corrected_too(tmp_path: Path) -> None:
    overrides = add_override(
        tmp_path / "x.db", Override("Deep Trees", ("Ann One",), values={"title_zh": "深树"})
    )
    for authors, corrected in ((("Ann One",), True), (("Carl Else", "Dora Four"), False)):
        record = Record("Deep Trees", authors=authors)
        found = overrides.for_paper(first_state(record, "listing"), all_keys(record))
        assert bool(found) is corrected


def test_a_damaged_file_is_named_and_left_alone(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    overrides_path(database).write_text("{not json", "utf-8")
    assert main(["import", "listing.txt"]) == 1
    assert str(overrides_path(database)) in capsys.readouterr().err
    assert overrides_path(database).read_text("utf-8") == "{not json"


@pytest.mark.parametrize("text", ["title_en", "nothing=here", "summary_zh=", "=x"])
def test_a_setting_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(OverridesError):
        read_setting(text)


def test_every_field_can_be_set() -> None:
    for name in FIELDS:
        assert read_setting(f"{name}=a; b") == (name, ["a", "b"] if name == "authors" else "a; b")
