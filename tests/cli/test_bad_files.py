"""Files that can't be read: what and where on stderr, exit code 1, nothing half-written."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import SAMPLE, Cli


def _big(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(200 * 1024 * 1024)


MAKE: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing": (lambda path: None, "no such file"),
    "empty": (lambda path: path.touch(), "empty"),
    "only blanks": (lambda path: path.write_text("\n \u200b\n", "utf-8"), "empty"),
    "binary": (lambda path: path.write_bytes(bytes(range(256)) * 400), "binary"),
    "with NUL": (lambda path: path.write_bytes(b"a\0b"), "binary"),
    "200 MB": (_big, "200 MiB"),
    "folder": (lambda path: path.mkdir(), "folder"),
    "pipe": (os.mkfifo, "regular file"),
    "no paper": (lambda path: path.write_text("Shopping: milk, bread.\n", "utf-8"), "no paper"),
    "broken JSON": (lambda path: path.write_text('{"count": 1, "results": [{]}', "utf-8"), ""),
    "entity bomb": (
        lambda path: path.write_text('<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "b">]><feed>&b;</feed>'),
        "",
    ),
}


@pytest.fixture(params=MAKE)
def bad(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
    """A file that is no listing, and what must be said of it."""
    make, said = MAKE[request.param]
    path = tmp_path / "listing.txt"
    make(path)
    return path, said


def test_parse_says_what_and_where(cli: Cli, bad: tuple[Path, str]) -> None:
    path, said = bad
    done = cli("parse", path)
    done.said(str(path), said)
    assert done.out == ""


def test_import_says_what_and_where_and_writes_nothing(cli: Cli, bad: tuple[Path, str]) -> None:
    path, said = bad
    cli("import", path).said(str(path), said)
    assert not cli.database.exists()


def test_import_loads_the_others(cli: Cli, bad: tuple[Path, str]) -> None:
    path, said = bad
    done = cli("import", path, SAMPLE, "--json")
    done.said(str(path), said)
    assert done.json["new"] == 30
    assert done.json["files"] == [str(SAMPLE)]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "no valid JSON"),
        ("[" * 100_000, "nested"),
        ('{"title_en": "x"}', "JSON list"),
        ("[1]", "entry 1"),
        ('[{"title_en": "x", "summary_en": "y"}]', "origin"),
        ('[{"title_en": "x", "summary_en": "y", "origin": "martian"}]', "martian"),
        ('[{"title_en": 5, "summary_en": "y", "origin": "person"}]', "title_en"),
        (None, "no such file"),
    ],
)
def test_a_bad_sidecar_is_named_and_the_listing_still_loads(
    cli: Cli, tmp_path: Path, content: str | None, said: str
) -> None:
    sidecar = tmp_path / "x.en.json"
    if content is not None:
        sidecar.write_text(content, "utf-8")
    done = cli("import", SAMPLE, "--english", sidecar, "--json")
    done.said(str(sidecar), said)
    assert done.json["new"] == 30


@pytest.mark.parametrize("command", ["search", "institution"])
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"nonsense", "line 1"),
        (b"[" * 100_000, "line 1"),
        (b'{"query": 5}', "line 1"),
        (b'{"text": "x"}', "line 1"),
        (b'"x"', "line 1"),
        (b'\n\xff\xfe{"query"', "line 2"),
        (b'{"query": "' + b"x" * (1 << 20), "line 1"),
        (None, "No such file"),
    ],
)
def test_a_bad_batch_is_named(
    loaded: Cli, tmp_path: Path, command: str, content: bytes | None, said: str
) -> None:
    batch = tmp_path / "batch.jsonl"
    if content is not None:
        batch.write_bytes(content)
    loaded(command, "--batch", batch).said(str(batch), said)


def test_a_folder_is_no_batch(loaded: Cli, tmp_path: Path) -> None:
    loaded("search", "--batch", tmp_path).said(str(tmp_path))


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"[" * 100_000, gzip.compress(b"[]")[:12] + b"broken", b"PK\x03\x04broken", None],
)
def test_a_bad_dump_of_institutions_is_named_and_not_kept(
    loaded: Cli, tmp_path: Path, content: bytes | None
) -> None:
    dump = tmp_path / "ror.json"
    if content is not None:
        dump.write_bytes(content)
    loaded("institutions", "import", dump).said(str(dump))
    assert not list(loaded.database.parent.glob("*.ror.*"))


def test_a_dump_of_institutions_is_kept_beside_the_database(loaded: Cli, tmp_path: Path) -> None:
    dump = tmp_path / "ror.json"
    names = [{"value": "University of Nowhere At All", "types": ["ror_display", "label"], "lang": "en"}]
    record = {"id": "https://ror.org/0aaaaaa00", "names": names, "types": ["education"], "status": "active"}
    dump.write_text(json.dumps([record | {"locations": [], "relationships": [], "links": []}]), "utf-8")
    assert "organisations are known now" in loaded("institutions", "import", dump).out
    assert (
        loaded("institution", "University of Nowhere At All", "--json").json["institution"]["ror"]
        == "0aaaaaa00"
    )
