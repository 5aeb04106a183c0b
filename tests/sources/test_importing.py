"""The load in a process of its own, for real."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from bot.sources.importing import ImportFailedError, import_files
from storage.database import Database
from storage.papers import PaperStore

LISTING = "Deep Trees\n\n深树\n\nAnn One, Bob Two\n\nAI总结 本文研究树。\n\nComments Accepted at ICLR 2026\n"
ATOM = (
    '<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/abs/2601.00001v2</id>'
    "<title>The Deep Tree</title><summary>We propose deep trees, which grow without bounds.</summary>"
    "<author><name>Ann One</name></author><author><name>Bob Two</name></author></entry></feed>"
)
YEARLY = json.dumps({
    "count": 1,
    "results": [
        {
            "name": "Deep Trees",
            "authors": [
                {"fullname": "Ann One", "institution": "Tsinghua University"},
                {"fullname": "Bob Two", "institution": ""},
            ],
            "decision": "Accept (Oral)",
            "virtualsite_url": "/virtual/2026/oral/1",
        }
    ],
})  # fmt: skip


@pytest.mark.asyncio
async def test_three_kinds_of_file_are_one_paper_with_each_fields_origin(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.txt", "b.xml", "c.json")]
    for file, text in zip(files, (LISTING, ATOM, YEARLY), strict=True):
        file.write_text(text, "utf-8")
    path = tmp_path / "herald.db"
    imported = await import_files(path, files)
    assert imported.complete
    assert (imported.report["read"], imported.report["new"]) == (3, 1)
    assert len(imported.report["duplicate"]) == 2
    async with Database(path) as database:
        papers = PaperStore(database)
        paper = (await papers.many([1]))[1]
        state = (await papers.states(database, [1]))[1]
    assert (paper.title_zh, paper.arxiv_id) == ("深树", "2601.00001")
    assert paper.venue is not None
    assert paper.venue.presentation == "oral"
    assert [item.name_en for item in paper.affiliations] == ["Tsinghua University"]
    english, chinese = paper.summaries
    assert (english.text, english.origin) == ("We propose deep trees, which grow without bounds.", "excerpt")
    assert (chinese.text, chinese.origin) == ("本文研究树。", "listing")
    wanted = {"title_zh": "listing", "abstract_en": "arxiv", "arxiv_id": "arxiv", "institutions": "iclr"}
    assert wanted.items() <= state.origins.items()
    assert state.origins["venue"] == "iclr"


@pytest.mark.asyncio
async def test_what_can_not_be_read_is_told_by_its_name_alone(tmp_path: Path) -> None:
    good, bad = tmp_path / "a.txt", tmp_path / "page-2"
    good.write_text(LISTING, "utf-8")
    bad.write_text('<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY a "b">]><feed>&a;</feed>', "utf-8")
    imported = await import_files(tmp_path / "herald.db", [good, bad])
    assert not imported.complete
    assert imported.report["new"] == 1
    assert imported.problems == ("page-2: the XML declares a DOCTYPE, which arXiv never does; it isn't read",)


@pytest.mark.asyncio
async def test_an_importer_that_dies_says_its_last_words(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text(LISTING, "utf-8")
    (tmp_path / "herald.db").write_bytes(b"no database at all" * 100)
    with pytest.raises(ImportFailedError, match=r"herald\.db"):
        await import_files(tmp_path / "herald.db", [file])


@pytest.mark.asyncio
async def test_an_importer_that_says_nothing_is_told_by_its_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent = tmp_path / "silent"
    silent.write_text("#!/bin/sh\nexit 7\n")
    silent.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(silent))
    with pytest.raises(ImportFailedError, match="ended with code 7"):
        await import_files(tmp_path / "herald.db", [tmp_path / "a.txt"])
