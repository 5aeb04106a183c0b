"""The arXiv API: manners, paging, what is asked again and when. Replies have the shape of real ones."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from xml.sax.saxutils import escape

import pytest
from aiohttp import web

from bot.papers.files import parse_bytes
from bot.sources import arxiv
from bot.sources.arxiv import EVERY, ArxivSource
from tests.sources.site import Desk, cut_short

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"'
    ' xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">'
)


def entry(arxiv_id: str, updated: datetime, comment: str = "ICLR 2026") -> str:
    return (
        f"<entry><id>http://arxiv.org/abs/{arxiv_id}v1</id><title>Paper {arxiv_id}</title>"
        f"<updated>{updated:%Y-%m-%dT%H:%M:%SZ}</updated><summary>We propose {arxiv_id}.</summary>"
        f"<published>2026-01-02T00:00:00Z</published><arxiv:comment>{escape(comment)}</arxiv:comment>"
        "<author><name>Ann One</name></author></entry>"
    )


class Archive:
    """An arXiv of papers by year of submission, and a clock for its reader's pauses."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.papers: dict[int, list[tuple[str, datetime]]] = {}
        self.without: list[str] = []
        self.known_ids: dict[str, datetime] = {}
        self.time = 0.0
        self.moments: list[float] = []
        desk.site.answer = self.answer
        self.broken: set[tuple[str, str]] = set()

    def fill(self, year: int, count: int, newest: datetime) -> None:
        self.papers[year] = [
            (f"{year % 100:02}01.{n:05}", newest - timedelta(hours=n)) for n in range(1, count + 1)
        ]

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.moments.append(self.time)
        query = request.query
        if "id_list" in query:
            ids = query["id_list"].split(",")
            return self.feed([(one, self.known_ids[one]) for one in ids if one in self.known_ids], len(ids))
        found = re.search(r"submittedDate:\[(\d{4})", query["search_query"])
        assert found is not None
        if (found[1], query["start"]) in self.broken:
            return web.Response(status=429, headers={"Retry-After": "600"})
        papers = sorted(self.papers.get(int(found[1]), []), key=lambda one: one[1], reverse=True)
        start, size = int(query["start"]), int(query["max_results"])
        return self.feed(papers[start : start + size], len(papers))

    def feed(self, papers: list[tuple[str, datetime]], total: int) -> web.Response:
        body = f"{HEAD}<opensearch:totalResults>{total}</opensearch:totalResults>" + "".join(
            entry(*paper) for paper in papers
        )
        return web.Response(text=body + "</feed>", content_type="application/atom+xml")

    def source(self) -> ArxivSource:
        async def sleep(seconds: float) -> None:
            self.time += seconds

        async def without(_: int) -> list[str]:
            return self.without

        return ArxivSource(
            str(self.desk.site.url),
            fetcher=self.desk.fetcher,
            clock=self.desk.clock,
            without_abstract=without,
            sleep=sleep,
            monotonic=lambda: self.time,
        )

    def asked(self) -> list[tuple[str, str]]:
        """(year, start) of the searches so far, forgotten with it."""
        found = [
            (asked.query["search_query"].partition("[")[2][:4], asked.query["start"])
            for asked in self.desk.site.asked
            if "search_query" in asked.query
        ]
        self.desk.site.asked.clear()
        return found


@pytest.fixture
def archive(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Archive:
    monkeypatch.setattr(arxiv, "PAGE", 10)
    return Archive(desk)


YESTERDAY = datetime(2026, 5, 3, 12, tzinfo=UTC)


@pytest.mark.asyncio
async def test_years_newest_first_one_request_every_three_seconds(desk: Desk, archive: Archive) -> None:
    archive.fill(2026, 25, YESTERDAY)
    archive.fill(2025, 3, YESTERDAY)
    await desk.poller(archive.source()).run_if_due()
    first = desk.site.asked[0]
    assert first.path == "/api/query"
    assert first.query["search_query"].startswith("(co:ICLR OR jr:ICLR) AND submittedDate:[2026")
    assert (first.query["sortBy"], first.query["sortOrder"]) == ("lastUpdatedDate", "descending")
    assert archive.asked() == [("2026", "0"), ("2026", "10"), ("2026", "20"), ("2025", "0"), ("2024", "0")]
    gaps = [later - earlier for earlier, later in zip(archive.moments, archive.moments[1:], strict=False)]
    assert gaps == [EVERY] * 4
    assert len(desk.loads) == 1
    assert sum(len(parse_bytes(body, name="x").records) for body in desk.loads[0]) == 28


@pytest.mark.asyncio
async def test_nothing_is_asked_twice_within_a_day(desk: Desk, archive: Archive) -> None:
    archive.fill(2026, 25, YESTERDAY)
    await desk.poller(archive.source()).run_if_due()
    archive.asked()
    for _ in range(23):
        desk.clock.advance(timedelta(hours=1))
        await desk.poller(archive.source()).run_if_due()
    assert archive.asked() == []
    desk.clock.advance(timedelta(hours=1))
    archive.papers[2026].append(("2605.00001", desk.clock.now() - timedelta(hours=2)))
    await desk.poller(archive.source()).run_if_due()
    assert archive.asked() == [("2026", "0"), ("2025", "0"), ("2024", "0")], "only as far back as last time"


@pytest.mark.asyncio
async def test_a_busy_archive_is_left_alone_and_the_run_goes_on_later(desk: Desk, archive: Archive) -> None:
    archive.fill(2026, 25, YESTERDAY)
    archive.broken = {("2026", "10")}
    await desk.poller(archive.source()).run_if_due()
    assert archive.asked() == [("2026", "0"), ("2026", "10")]
    assert len(desk.loads) == 1, "what came is loaded"
    state = await desk.state("arxiv")
    assert state.last_error is not None
    assert state.next_run == desk.clock.now() + timedelta(minutes=10)
    archive.broken = set()
    desk.clock.set(state.next_run)
    await desk.poller(archive.source()).run_if_due()
    assert archive.asked() == [("2026", "10"), ("2026", "20"), ("2025", "0"), ("2024", "0")]


@pytest.mark.asyncio
async def test_known_ids_without_abstract_are_asked_for_in_batches(desk: Desk, archive: Archive) -> None:
    archive.without = [f"2601.{n:05}" for n in range(150)]
    archive.known_ids = dict.fromkeys(archive.without[:140], YESTERDAY)
    await desk.poller(archive.source()).run_if_due()
    batches = [asked.query["id_list"].split(",") for asked in desk.site.asked if "id_list" in asked.query]
    assert [len(batch) for batch in batches] == [100, 50]
    archive.without = archive.without[140:]
    desk.site.asked.clear()
    desk.clock.advance(timedelta(hours=1))
    await desk.poller(archive.source()).run_if_due()
    assert desk.site.asked == [], "what arXiv doesn't know isn't asked every hour"


@pytest.mark.asyncio
async def test_an_empty_page_in_the_middle_is_a_failure_not_the_end(desk: Desk, archive: Archive) -> None:
    archive.fill(2026, 25, YESTERDAY)
    whole = archive.feed

    def feed(papers: list[tuple[str, datetime]], total: int) -> web.Response:
        return whole([] if total == 25 and len(papers) == 5 else papers, total)

    archive.feed = feed  # type: ignore[method-assign]  # arXiv does this now and then
    await desk.poller(archive.source()).run_if_due()
    assert "empty page of 25 results" in str((await desk.state("arxiv")).last_error)


@pytest.mark.parametrize(
    "body", [HEAD + entry("2601.00001", datetime(2026, 5, 3, tzinfo=UTC))[:90], "", "<html/>"]
)
@pytest.mark.asyncio
async def test_a_reply_that_is_no_whole_feed_is_not_loaded(desk: Desk, archive: Archive, body: str) -> None:
    desk.site.says(body, "application/atom+xml")
    await desk.poller(archive.source()).run_if_due()
    assert "isn't a whole Atom feed" in str((await desk.state("arxiv")).last_error)
    assert desk.loads == []


@pytest.mark.asyncio
async def test_a_truncated_reply_is_a_failure(desk: Desk, archive: Archive) -> None:
    desk.site.answer = cut_short
    await desk.poller(archive.source()).run_if_due()
    assert "ended early" in str((await desk.state("arxiv")).last_error)
    assert desk.loads == []


@pytest.mark.parametrize(
    ("base", "path"),
    [
        ("", "/api/query"),
        ("api", "/api/query"),
        ("api/", "/api/query"),
        ("api/query", "/api/query"),
        ("mirror/arxiv", "/mirror/arxiv/query"),
    ],
)
@pytest.mark.asyncio
async def test_the_base_may_be_given_in_several_ways(
    desk: Desk, archive: Archive, base: str, path: str
) -> None:
    async def nobody(_: int) -> list[str]:
        return []

    source = ArxivSource(
        f"{desk.site.url}{base}",
        fetcher=desk.fetcher,
        clock=desk.clock,
        without_abstract=nobody,
        sleep=lambda _: nothing(),
    )
    await desk.poller(source).run_if_due()
    assert {asked.path for asked in desk.site.asked} == {path}


async def nothing() -> None:
    return
