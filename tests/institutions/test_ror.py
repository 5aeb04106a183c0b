"""A ROR dump in every published shape, and what adding it may and may not change."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from bot.institutions.directory import Directory
from bot.institutions.model import Match
from bot.institutions.resolver import Resolver
from bot.institutions.ror import RorError, read_ror

SCHEMA_1: dict[str, Any] = {
    "id": "https://ror.org/00kgrkn83",
    "name": "University of Lucerne",
    "status": "active",
    "types": ["Education"],
    "aliases": ["Lucerne University"],
    "acronyms": ["UNILU"],
    "labels": [{"label": "Universität Luzern", "iso639": "de"}, {"label": "卢塞恩大学", "iso639": "zh"}],
    "country": {"country_code": "CH", "country_name": "Switzerland"},
    "addresses": [{"city": "Lucerne"}],
    "relationships": [{"type": "Parent", "label": "ETH", "id": "https://ror.org/05a28rw58"}],
}
SCHEMA_2: dict[str, Any] = {
    "id": "https://ror.org/00kgrkn83",
    "status": "active",
    "types": ["education", "funder"],
    "names": [
        {"value": "University of Lucerne", "types": ["ror_display", "label"], "lang": "en"},
        {"value": "Lucerne University", "types": ["alias"], "lang": None},
        {"value": "UNILU", "types": ["acronym"], "lang": None},
        {"value": "Universität Luzern", "types": ["label"], "lang": "de"},
        {"value": "卢塞恩大学", "types": ["label"], "lang": "zh"},
    ],
    "locations": [{"geonames_id": 1, "geonames_details": {"country_code": "CH", "name": "Lucerne"}}],
    "relationships": [{"type": "parent", "label": "ETH", "id": "https://ror.org/05a28rw58"}],
}
COMPACT: dict[str, Any] = {
    "id": "00kgrkn83",
    "name": "University of Lucerne",
    "cc": "CH",
    "city": "Lucerne",
    "types": ["education"],
    "labels": [["de", "Universität Luzern"], ["zh", "卢塞恩大学"]],
    "aliases": [[None, "Lucerne University"]],
    "acronyms": ["UNILU"],
    "parents": ["05a28rw58"],
}


@pytest.mark.parametrize("entry", [SCHEMA_1, SCHEMA_2, COMPACT], ids=["schema 1", "schema 2", "compact"])
@pytest.mark.parametrize("ending", [".json", ".json.gz", ".zip", ".jsonl", ".jsonl.gz"])
def test_every_shape_gives_the_same_record(tmp_path: Path, entry: dict[str, Any], ending: str) -> None:
    [record] = read_ror(write(tmp_path / f"dump{ending}", [entry]))
    assert record.ror == "00kgrkn83"
    assert (record.name_en, record.name_zh) == ("University of Lucerne", "卢塞恩大学")
    assert (record.country, record.city, record.kind) == ("CH", "Lucerne", "university")
    assert record.acronyms == ("UNILU",)
    assert record.parents == ("05a28rw58",)
    assert {"Lucerne University", "Universität Luzern"} <= set(record.names)


def write(path: Path, entries: list[dict[str, Any]]) -> Path:
    lines = "\n".join(json.dumps(entry) for entry in entries)
    text = lines if ".jsonl" in path.name else json.dumps(entries)
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("v1.9-ror-data.json", "[]")
            archive.writestr("v2.0-ror-data_schema_v2.json", text)
            archive.writestr("readme.txt", "x" * 100_000)
    elif path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text, encoding="utf-8")
    return path


def test_withdrawn_entries_are_left_out(tmp_path: Path) -> None:
    path = write(tmp_path / "dump.json", [SCHEMA_2 | {"status": "withdrawn"}, SCHEMA_2])
    assert len(list(read_ror(path))) == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "no valid JSON"),
        (b"not json", "no valid JSON"),
        (b"[1, 2]", "no ROR schema"),
        (b'[{"id": "x"}]', "no ROR schema"),
        (b"PK\x03\x04 broken", "cannot be read"),
        (b"\x1f\x8b broken", "cannot be read"),
        (b"\xff\xfe\x00", "cannot be read"),
    ],
)
def test_a_file_that_is_no_dump_is_refused_with_a_sentence(
    tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "dump.json"
    path.write_bytes(content)
    with pytest.raises(RorError, match=rf"dump\.json.*{message}"):
        list(read_ror(path))


def test_a_missing_file_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(RorError, match=r"none\.json cannot be read"):
        list(read_ror(tmp_path / "none.json"))


def test_a_dump_adds_organisations_and_names(tmp_path: Path, directory: Directory) -> None:
    eth = COMPACT | {
        "id": "05a28rw58",
        "name": "ETH Zurich",
        "labels": [["rm", "Scola politecnica federala da Turitg"]],
    }
    larger = directory.with_ror(write(tmp_path / "dump.jsonl", [COMPACT, eth]))
    resolver = Resolver(larger)
    lucerne = resolver.resolve("Universität Luzern").organisation
    assert lucerne is not None
    assert (lucerne.id, lucerne.parent, lucerne.imported) == ("ror:00kgrkn83", "eth-zurich", True)
    swiss = resolver.resolve("Scola politecnica federala da Turitg").organisation
    assert swiss is not None
    assert swiss.id == "eth-zurich"
    assert [row.id for row in larger.children("eth-zurich")] == ["ror:00kgrkn83"]
    assert len(larger) == len(directory) + 1


def test_an_acronym_of_a_dump_is_offered_and_never_decides(tmp_path: Path, directory: Directory) -> None:
    resolver = Resolver(directory.with_ror(write(tmp_path / "dump.jsonl", [COMPACT])))
    assert resolver.resolve("UNILU").organisation is None
    assert [row.id for row in resolver.lookup("UNILU").suggestions] == ["ror:00kgrkn83"]


@pytest.mark.parametrize(
    "name",
    ["University of Technology", "Département d'Informatique", "Paris", "ENSI", "Ministry of Education"],
)
def test_a_general_name_of_a_dump_is_not_believed(tmp_path: Path, directory: Directory, name: str) -> None:
    resolver = Resolver(
        directory.with_ror(write(tmp_path / "dump.jsonl", [COMPACT | {"name": name, "labels": []}]))
    )
    assert resolver.resolve(name).organisation is None


def test_a_dump_takes_no_shipped_name_away(tmp_path: Path, directory: Directory) -> None:
    namesake = COMPACT | {"name": "Tsinghua University", "aliases": [[None, "Stanford"]]}
    resolver = Resolver(directory.with_ror(write(tmp_path / "dump.jsonl", [namesake])))
    for text in ("Tsinghua University", "Stanford University", "Stanford"):
        organisation = resolver.resolve(text).organisation
        assert organisation is not None
        assert not organisation.imported


def test_the_field_of_a_department_is_no_part_of_a_name_that_a_dump_adds(
    tmp_path: Path, directory: Directory
) -> None:
    tokyo = COMPACT | {"name": "Science University of Tokyo", "labels": [], "aliases": []}
    resolver = Resolver(directory.with_ror(write(tmp_path / "dump.jsonl", [tokyo])))
    organisation = resolver.resolve(
        "Graduate School of Frontier Sciences The University of Tokyo"
    ).organisation
    assert organisation is not None
    assert organisation.id == "the-university-of-tokyo"


@pytest.mark.shared
def test_the_real_subset_keeps_what_the_table_resolves_and_adds_to_it(
    shared_data: Path, directory: Directory, resolver: Resolver
) -> None:
    larger = Resolver(directory.with_ror(shared_data / "ror-subset.jsonl.gz"))
    for row in list(directory)[::3]:
        for name in row.names():
            before, after = resolver.resolve(name), larger.resolve(name)
            if before.status is Match.EXACT and before.organisation and after.organisation:
                assert after.organisation.id == before.organisation.id, name
            assert (before.status is Match.EXACT) <= (after.status is Match.EXACT), name
    assert larger.resolve("University of Lucerne").status is Match.EXACT
