"""Listings at an address: pages until nothing new, never more than needed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from aiohttp import web

from bot.papers.files import ListingError, parse_bytes
from bot.papers.identity import keys_of
from bot.papers.model import Record
from bot.sources import listings
from bot.sources.http import FetchError
from bot.sources.importing import import_files
from bot.sources.listings import PAGES, ListingSource, read_in_child
from storage.database import Database
from storage.papers import PaperStore
from storage.sources import SourceStore
from tests.sources.site import Desk, cut_short


def listing(*numbers: int) -> str:
    return "\n\n".join(
        f"Paper Number {n}\n\n第{n}篇论文\n\nAnn A{n}, Bob B{n}\n\nAI总结 本文提出第{n}种方法。\n\nComments ICLR 2026"
        for n in numbers
    )


@dataclass
class Site:
    """A site of numbered papers, newest first, `size` on a page."""

    newest: int = 6
    size: int = 2
    broken_page: int = 0

    async def answer(self, request: web.Request) -> web.StreamResponse:
        page = int(request.query.get("page", "1"))
        if page == self.broken_page:
            return web.Response(status=503, headers={"Retry-After": "60"})
        tag = f'"{self.newest}"'
        if page == 1 and request.headers.get("If-None-Match") == tag:
            return web.Response(status=304)
        last = self.newest - (page - 1) * self.size
        numbers = range(last, max(last - self.size, 0), -1)
        if not numbers:
            return web.Response(status=404)
        return web.Response(text=listing(*numbers), headers={"ETag": tag})


@dataclass
class Reader:
    """Reads pages in the test's own process, and knows what was loaded."""

    known: set[str] = field(default_factory=set)

    async def read(self, file: Path) -> list[Record]:
        try:
            return list(parse_bytes(await asyncio.to_thread(file.read_bytes), name=file.name).records)
        except ListingError:
            return []

    async def which(self, keys: Sequence[str]) -> set[str]:
        return self.known & set(keys)

    def loaded(self, bodies: Sequence[bytes]) -> None:
        for body in bodies:
            for record in parse_bytes(body, name="x").records:
                self.known |= set(keys_of(record))


@pytest.fixture
def reader() -> Reader:
    return Reader()


def source(desk: Desk, reader: Reader, path: str = "iclr") -> ListingSource:
    async def at_once(_: float) -> None:
        return

    return ListingSource(
        str(desk.site.url / path), fetcher=desk.fetcher, known=reader.which, read=reader.read, sleep=at_once
    )


async def run(desk: Desk, found: ListingSource, reader: Reader) -> list[str]:
    """Run when due again; the pages asked for."""
    desk.site.asked.clear()
    desk.loads.clear()
    state = await SourceStore(desk.database).get(found.name)
    if state is not None and state.next_run is not None:
        desk.clock.set(state.next_run)
    assert await desk.poller(found).run_if_due()
    for bodies in desk.loads:
        reader.loaded(bodies)
    return [asked.query.get("page", "1") for asked in desk.site.asked]


@pytest.mark.asyncio
async def test_all_pages_at_first_then_only_what_is_new(desk: Desk, reader: Reader) -> None:
    site = Site()
    desk.site.answer = site.answer
    found = source(desk, reader)
    assert await run(desk, found, reader) == ["1", "2", "3", "4"]
    assert [len(bodies) for bodies in desk.loads] == [3], "one run is one load"
    assert await run(desk, found, reader) == ["1"], "not changed"
    assert desk.loads == []
    site.newest = 7
    assert await run(desk, found, reader) == ["1", "2"], "the second page brings nothing new"
    site.newest = 10
    assert await run(desk, found, reader) == ["1", "2", "3"]


@pytest.mark.asyncio
async def test_a_run_that_broke_off_goes_on_where_it_was(desk: Desk, reader: Reader) -> None:
    site = Site(newest=10, broken_page=4)
    desk.site.answer = site.answer
    found = source(desk, reader)
    assert await run(desk, found, reader) == ["1", "2", "3", "4"]
    assert [len(bodies) for bodies in desk.loads] == [3]
    assert "busy (503)" in str((await desk.state(found.name)).last_error)
    site.broken_page = 0
    assert await run(desk, found, reader) == ["1", "2", "3", "4", "5", "6"]
    assert (await desk.state(found.name)).last_error is None


@pytest.mark.asyncio
async def test_at_most_so_many_pages(desk: Desk, reader: Reader) -> None:
    desk.site.answer = Site(newest=1000, size=1).answer
    assert len(await run(desk, source(desk, reader), reader)) == PAGES


@pytest.mark.asyncio
async def test_a_site_that_knows_no_pages_is_asked_twice(desk: Desk, reader: Reader) -> None:
    desk.site.says(listing(3, 2, 1))
    assert await run(desk, source(desk, reader), reader) == ["1", "2"]
    assert [len(bodies) for bodies in desk.loads] == [1]


@pytest.mark.asyncio
async def test_behind_the_end_lies_a_page_without_papers(desk: Desk, reader: Reader) -> None:
    async def answer(request: web.Request) -> web.StreamResponse:
        return web.Response(text="没有更多了" if "page" in request.query else listing(1))

    desk.site.answer = answer
    assert await run(desk, source(desk, reader), reader) == ["1", "2"]
    assert [len(bodies) for bodies in desk.loads] == [1]


@pytest.mark.asyncio
async def test_a_page_number_in_the_address_is_counted_on(desk: Desk, reader: Reader) -> None:
    desk.site.answer = Site().answer
    found = ListingSource(
        str(desk.site.url.with_path("/iclr").with_query(page=2, key="secret")),
        fetcher=desk.fetcher,
        known=reader.which,
        read=reader.read,
        sleep=lambda _: asyncio.sleep(0),
    )
    assert await run(desk, found, reader) == ["2", "3", "4"]
    assert desk.site.asked[1].query["key"] == "secret"
    assert "secret" not in found.name


@pytest.mark.asyncio
async def test_two_addresses_that_differ_in_the_query_have_two_memories(desk: Desk, reader: Reader) -> None:
    names = {
        ListingSource(f"https://example.org/list{query}", fetcher=desk.fetcher, known=reader.which).name
        for query in ("", "?c=a", "?c=b")
    }
    assert len(names) == 3
    assert "url https://example.org/list" in names


@pytest.mark.asyncio
async def test_a_truncated_first_page_is_a_failure(desk: Desk, reader: Reader) -> None:
    desk.site.answer = cut_short
    with pytest.raises(FetchError, match="ended early"):
        await source(desk, reader).collect({}, desk.folder)


@pytest.mark.asyncio
async def test_of_a_large_file_only_the_first_papers_are_looked_at(
    desk: Desk, reader: Reader, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(listings, "LOOKED_AT", 3)
    file = tmp_path / "large.txt"
    await asyncio.to_thread(file.write_text, listing(*range(1, 10)), "utf-8")
    assert [record.title_en for record in await read_in_child(file)] == [
        f"Paper Number {n}" for n in (1, 2, 3)
    ]
    assert await read_in_child(tmp_path / "nothing.txt") == []
    desk.site.says(listing(5, 4, 3, 2, 1))
    assert await run(desk, source(desk, reader), reader) == ["1", "2"]


@pytest.mark.asyncio
async def test_an_html_page_is_loaded_for_real(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole way: a page of cards, the child that parses, the child that imports, the database."""
    monkeypatch.setattr(listings, "PAUSE", 0)
    card = (
        '<article class="paper-card" data-paper-updated="2026-05-01"><h2>Trees &amp; Forests</h2>'
        '<p class="title-cn">树与森林</p><p class="authors">Ann One, Bob Two</p><p class="summary">'
        '<span class="summary-label">AI总结</span>本文研究森林。</p><p>Comments ICLR 2026</p></article>'
    )
    desk.site.says(f"<!doctype html><html><body>{card}</body></html>", "text/html")
    path = tmp_path / "real.db"
    async with Database(path) as database:
        papers = PaperStore(database)
        found = ListingSource(str(desk.site.url / "iclr"), fetcher=desk.fetcher, known=papers.known_keys)
        harvest = await found.collect({}, desk.folder)
        imported = await import_files(path, harvest.files)
        assert imported.complete
        assert imported.report["new"] == 1
        assert [record.title_en for record in await read_in_child(harvest.files[0])] == ["Trees & Forests"]
        assert [paper.title_en for paper in (await papers.many([1])).values()] == ["Trees & Forests"]
    assert [asked.query.get("page") for asked in desk.site.asked] == [None, "2"]
