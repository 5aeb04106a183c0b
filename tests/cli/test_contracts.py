"""The shapes that other programs rely on: names, types, exit codes (design, 3.1)."""

from __future__ import annotations

import io
import json
import re
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import SAMPLE, SIDECAR, Cli, set_digest

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
RECORD = {
    "title_en", "title_zh", "authors", "institutions", "summary_en", "summary_zh", "abstract_en", "abstract_zh",
    "comments", "journal_ref", "arxiv_id", "date", "categories", "links", "venue",
}  # fmt: skip
REPORT = ["files", "read", "new", "updated", "unchanged", "duplicate", "rejected", "warnings"]
RESULT = ["rank", "score", "id", "title_en", "title_zh", "matched"]
ORGANISATION = ["name_en", "name_zh", "ror", "parent"]
BROKEN = "作者：Ann Author\n机构：Somewhere\nAI总结：一段没有标题的总结。\n"


def adds_up(report: dict[str, Any]) -> bool:
    counted = report["new"] + report["updated"] + report["unchanged"]
    return bool(report["read"] == counted + len(report["duplicate"]) + len(report["rejected"]))


def test_parse_prints_one_record_a_line_and_touches_no_database(cli: Cli) -> None:
    done = cli("parse", SAMPLE)
    assert done.code == 0
    assert len(done.lines) == 30
    for record in done.lines:
        assert set(record) == RECORD
        assert all(set(one) == {"name_en", "name_zh"} for one in record["institutions"])
        assert all(set(one) == {"kind", "url"} for one in record["links"])
        assert set(record["venue"]) == {"name", "year", "track", "presentation", "status"}
    assert not cli.database.parent.exists()


def test_import_reports_what_it_did_and_does_nothing_the_second_time(cli: Cli) -> None:
    first = cli("import", SAMPLE, "--english", SIDECAR, "--json").json
    second = cli("import", SAMPLE, "--english", SIDECAR, "--json").json
    assert list(first) == list(second) == REPORT
    assert (first["read"], first["new"]) == (30, 30)
    assert (second["read"], second["unchanged"]) == (30, 30)


def test_a_report_adds_up_with_duplicates_and_rejections(cli: Cli, tmp_path: Path) -> None:
    listing = tmp_path / "mixed.txt"
    listing.write_text("\n\n".join((BROKEN, SAMPLE.read_text("utf-8"), SAMPLE.read_text("utf-8"))), "utf-8")
    report = cli("import", listing, SAMPLE, "--json").json
    assert adds_up(report)
    assert report["new"] == 30
    assert len(report["duplicate"]) == 60
    assert [list(one) for one in report["rejected"]] == [["file", "line", "reason"]]
    assert report["warnings"]
    assert {"file", "line"} <= set(report["duplicate"][0])
    assert report["files"] == [str(listing), str(SAMPLE)]


def test_a_dry_run_changes_nothing(cli: Cli) -> None:
    assert cli("import", SAMPLE, "--dry-run", "--json").json["new"] == 30
    assert not cli.database.exists()


def test_status_as_json(loaded: Cli) -> None:
    with closing(sqlite3.connect(loaded.database)) as database, database:
        database.execute(
            "INSERT INTO sources (name, last_error) VALUES ('url http://x.example/', 'it failed')"
        )
    status = loaded("status", "--json").json
    assert list(status) == [
        "version", "schema", "papers", "last_load", "sources", "guilds", "outbox", "subscriptions", "last_error",
    ]  # fmt: skip
    assert isinstance(status["version"], str)
    assert isinstance(status["schema"], int)
    assert status["papers"]["total"] >= 30
    assert sum(status["papers"]["by_track"].values()) == status["papers"]["total"]
    assert TIME.fullmatch(status["last_load"]["at"])
    assert list(status["sources"][0])[:4] == ["name", "last_success", "last_error", "next_run"]
    assert list(status["outbox"]) == ["pending", "sending", "sent", "held", "failed", "cancelled"]
    assert status["subscriptions"] == 0


def test_status_of_a_server_with_a_digest(loaded: Cli) -> None:
    set_digest(loaded)
    (guild,) = loaded("status", "--json").json["guilds"]
    assert list(guild)[:6] == ["id", "channel", "language", "next_run", "last_digest", "held"]
    assert (guild["id"], guild["channel"], guild["language"]) == ("7", "8", "both")
    assert TIME.fullmatch(guild["next_run"])
    assert guild["last_digest"] is None
    assert guild["held"] == []


def test_search_as_json(loaded: Cli) -> None:
    answer = loaded("search", "lgoquant", "--limit", "2", "--json").json
    assert list(answer) == ["query", "results", "ms"]
    (first, *_) = answer["results"]
    assert list(first) == RESULT
    assert first["rank"] == 1
    assert 0 <= first["score"] <= 100
    assert first["title_en"].startswith("LogQuant")
    assert len(loaded("search", "model", "--limit", "2", "--json").json["results"]) <= 2


@pytest.mark.parametrize("query", ["", "   ", "xqzzt wvvk", "“”", "😀"])
def test_what_is_not_there_is_an_empty_list(loaded: Cli, query: str) -> None:
    done = loaded("search", query, "--json")
    assert (done.code, done.json["results"]) == (0, [])
    assert loaded("search", query).out == "Nothing found.\n"


def test_search_of_an_empty_database_says_how_to_load(cli: Cli) -> None:
    done = cli("search", "logquant", "--json")
    assert (done.code, done.json["results"]) == (0, [])
    assert "python -m bot import FILE" in done.err


@pytest.mark.parametrize("source", ["file", "-"])
def test_batches(loaded: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    queries = ["logquant", "知识感知", "a\0b", "\ud800", "", "log quant " * 20_000]
    lines = "\ufeff" + "\n\n".join(json.dumps({"query": query}) for query in queries)
    file = tmp_path / "queries.jsonl"
    file.write_text(lines, "utf-8")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    done = loaded("search", "--batch", file if source == "file" else "-")
    assert done.code == 0
    assert [line["query"] for line in done.lines] == queries
    assert all(list(line) == ["query", "results", "ms"] for line in done.lines)
    assert done.lines[0]["results"][0]["title_en"].startswith("LogQuant")


def test_batches_of_institutions(loaded: Cli, tmp_path: Path) -> None:
    file = tmp_path / "queries.jsonl"
    queries = ["MIT", "清华", "Northeastern University", "Nowhere At All Ltd", "", "N/A", "a\0b"]
    file.write_text("\n".join(json.dumps({"query": query}) for query in queries), "utf-8")
    done = loaded("institution", "--batch", file)
    assert [line["query"] for line in done.lines] == queries
    assert [line["status"] for line in done.lines][:4] == ["exact", "exact", "ambiguous", "unknown"]
    assert {line["status"] for line in done.lines} <= {"exact", "ambiguous", "unknown"}
    for line in done.lines:
        assert list(line)[:4] == ["query", "status", "institution", "suggestions"]
        found = [line["institution"]] if line["institution"] else []
        assert bool(found) == (line["status"] == "exact")
        assert all(list(one) == ORGANISATION for one in [*found, *line["suggestions"]])


def test_one_institution(loaded: Cli) -> None:
    answer = loaded("institution", "Microsoft Research Asia", "--json").json
    assert list(answer) == ["query", "status", "institution", "suggestions"]
    assert answer["institution"]["parent"].startswith("Microsoft")
    assert "麻省理工学院" in loaded("institution", "MIT").out


def test_unresolved_institutions(loaded: Cli) -> None:
    done = loaded("institutions", "unresolved", "--json")
    assert done.code == 0
    assert all(set(one) == {"name_en", "name_zh", "status", "papers"} for one in done.json)
    assert len(loaded("institutions", "unresolved").out.splitlines()) == len(done.json)


def test_a_digest_is_shown_then_queued(loaded: Cli) -> None:
    set_digest(loaded)
    shown = loaded("digest", "--guild", "7")
    assert shown.code == 0
    assert "server 7, channel 8, next " in shown.out
    assert "LogQuant" in shown.out
    queued = loaded("digest", "--now")
    assert re.fullmatch(
        r"server 7: \d+ papers in \d+ messages queued; the running bot sends them\n", queued.out
    )
    assert loaded("status", "--json").json["outbox"]["pending"] > 0
    assert loaded("digest", "--now").out == "server 7: nothing new to post\n"


def test_no_digest_to_show(loaded: Cli) -> None:
    loaded("digest").said("No server has a digest yet")
    loaded("digest", "--guild", "5").said("The server 5 has no digest yet")


def test_corrections(loaded: Cli) -> None:
    with closing(sqlite3.connect(loaded.database)) as database, database:
        for number in (1, 2):
            database.execute(
                "INSERT INTO corrections (id, paper_id, user_id, kind, detail, created_at)"
                " VALUES (?, 1, 5, 'name', 'It is 张.', '2026-05-04T09:00:00.000000+00:00')",
                (number,),
            )
    listed = loaded("corrections", "list", "--json")
    assert [report["id"] for report in listed.lines] == [1, 2]
    assert TIME.fullmatch(listed.lines[0]["at"])
    assert "It is 张." in loaded("corrections", "list").out
    assert loaded("corrections", "accept", "1").out == "Report 1 is accepted.\n"
    assert loaded("corrections", "reject", "2").out == "Report 2 is rejected.\n"
    assert loaded("corrections", "list").out == ""
    loaded("corrections", "accept", "1").said("no open report 1")
