"""Listings and sidecars as files: encodings, sizes and everything that is no listing."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from bot.papers import files
from bot.papers.files import ListingError, SidecarEntry, parse_bytes, read_listing, read_sidecar
from bot.papers.model import Origin, Record


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_unicode_encodings(sample_text: str, sample: tuple[Record, ...], codec: str) -> None:
    parsed = parse_bytes(sample_text.encode(codec), name="x.txt")
    assert parsed.records == sample
    assert parsed.warnings == ()


@pytest.mark.parametrize("codec", ["gb18030", "gbk"])
def test_chinese_encodings_are_read_and_mentioned(
    sample_text: str, sample: tuple[Record, ...], codec: str
) -> None:
    text = sample_text if codec == "gb18030" else sample_text.replace("ö", "o")
    parsed = parse_bytes(text.encode(codec), name="x.txt")
    expected = sample if codec == "gb18030" else tuple(r for r in sample if "Röell" not in str(r.authors))
    assert set(expected) <= set(parsed.records)
    assert len(parsed.records) == 30
    assert parsed.warnings == ("x.txt: line 5: not UTF-8; the file was read as GB18030",)


@pytest.mark.parametrize("codec", ["cp1252", "latin-1", "gb18030"])
def test_one_line_in_another_encoding(sample_text: str, sample: tuple[Record, ...], codec: str) -> None:
    line = "Robert Müller, Clemens Müller" if codec != "gb18030" else "牛市交易：一种多智能体基准"
    data = sample_text.encode().replace(line.encode(), line.encode(codec))
    parsed = parse_bytes(data, name="x.txt")
    if codec == "gb18030":
        assert "not UTF-8" in parsed.warnings[0]
        assert len(parsed.records) == 30
    else:
        number = sample_text.split("\n").index(line) + 1
        assert parsed.records == sample
        assert parsed.warnings == (f"x.txt: line {number}: not UTF-8; the line was read as Windows-1252",)


def test_a_western_file_without_any_utf8(sample_text: str) -> None:
    text = "A Title\n\nJosé García, Zoë Öberg\n\nComments ICLR 2026\n\nB Title\n\nRené Müller, Ann Lee\n\nComments x\n"
    parsed = parse_bytes(text.encode("cp1252"), name="x.txt")
    assert parsed.records[0].authors == ("José García", "Zoë Öberg")
    assert "line 3: not UTF-8; the line was read as Windows-1252" in parsed.warnings[0]
    assert sample_text


def test_a_file_cut_within_a_character(sample_text: str) -> None:
    data = sample_text.encode()
    cut = data[: data.index("哈尔滨".encode()) + 2]
    # Everything before the cut is still read; the cut line is named.
    parsed = parse_bytes(data + cut, name="x.txt")
    assert len(parsed.records) == 31
    assert any("UTF-8 with damaged characters" in warning for warning in parsed.warnings)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "the file is empty"),
        (b"\xef\xbb\xbf", "the file is empty"),
        (b" \r\n\t\n", "the file is empty"),
        (b"%PDF-1.7\n%\xe2\xe3", "binary, not text"),
        (b"PK\x03\x04rest", "binary, not text"),
        (b"\x89PNG\r\n\x1a\n", "binary, not text"),
        (bytes(range(256)) * 40, "binary, not text"),
        (os.urandom(4096) + b"\0\0\0", "binary, not text"),
        (b"just some words\nin two lines\n", "no paper found"),
        (b'[{"title_en": "x"}]', "no paper found"),
        (b"<html><body><p>nothing here</p></body></html>", "no paper found"),
    ],
)
def test_what_is_no_listing(data: bytes, sentence: str) -> None:
    with pytest.raises(ListingError, match=sentence) as caught:
        parse_bytes(data, name="x.txt")
    assert str(caught.value).startswith("x.txt: ")


def test_a_file_with_only_broken_records_is_a_listing() -> None:
    parsed = parse_bytes("AI总结 没有题目。".encode(), name="x.txt")
    assert parsed.records == ()
    assert len(parsed.rejected) == 1


def test_paths_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ListingError, match=r"gone\.txt: no such file"):
        read_listing(tmp_path / "gone.txt")
    with pytest.raises(ListingError, match="a folder, not a file"):
        read_listing(tmp_path)
    (tmp_path / "empty.txt").touch()
    with pytest.raises(ListingError, match=r"empty\.txt: the file is empty"):
        read_listing(tmp_path / "empty.txt")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ListingError, match="not a regular file"):
        read_listing(tmp_path / "pipe")


def test_a_path_with_a_nul_or_endless_name() -> None:
    with pytest.raises(ListingError):
        read_listing(Path("x\0y"))
    with pytest.raises(ListingError, match="can't be read"):
        read_listing(Path("x" * 5000))


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.txt"
    with path.open("wb") as file:
        file.truncate(200 * 1024 * 1024)
    with pytest.raises(ListingError, match=r"huge\.txt: 200 MiB; 64 MiB at most"):
        read_listing(path)


def test_a_huge_download_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "SIZE_LIMIT", 1024)
    with pytest.raises(ListingError, match="2 KiB; a listing may have 1 KiB at most"):
        parse_bytes(b"x" * 2048, name="x.txt")


def test_a_missing_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret.txt"
    path.write_text("x")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(ListingError, match=r"secret\.txt: no permission to read it"):
        read_listing(path)


# --- sidecars -----------------------------------------------------------------------------------------------


def write(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_a_sidecar(tmp_path: Path) -> None:
    path = write(
        tmp_path / "x.en.json",
        [
            {"title_en": " A  Title ", "summary_en": "One.\u200b", "origin": "person"},
            {"title_en": "B", "summary_zh": "一。", "summary_en": None, "origin": "model", "more": 1},
        ],
    )
    assert read_sidecar(path) == (
        SidecarEntry("A Title", "One.", None, Origin.PERSON),
        SidecarEntry("B", None, "一。", Origin.MODEL),
    )


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ({}, "a sidecar is a JSON list"),
        ([1], "entry 1: not an object"),
        ([{"summary_en": "x", "origin": "person"}], "entry 1: no title_en"),
        ([{"title_en": "T", "origin": "person"}], "entry 1: neither summary_en nor summary_zh for “T”"),
        ([{"title_en": "T", "summary_en": 5, "origin": "person"}], "entry 1: summary_en is not a text"),
        ([{"title_en": "T", "summary_en": "x"}], "entry 1: origin 'None' is none of"),
        ([{"title_en": "T", "summary_en": "x", "origin": ["a"]}], "entry 1: origin"),
        ([{"title_en": "T", "summary_en": "x", "origin": "pending"}], "entry 1: origin 'pending' is none of"),
    ],
)
def test_broken_sidecars_are_named(tmp_path: Path, value: object, sentence: str) -> None:
    path = write(tmp_path / "x.en.json", value)
    with pytest.raises(ListingError) as caught:
        read_sidecar(path)
    assert sentence in str(caught.value)
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize("text", ["{", "[" * 100_000, "", "nonsense"])
def test_sidecars_that_are_no_json(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.en.json"
    path.write_text(text)
    with pytest.raises(ListingError):
        read_sidecar(path)
