"""The conference's yearly lists: which years, and only what changed."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from aiohttp import web

from bot.sources.iclr import IclrSource
from tests.sources.site import Desk


def yearly(year: int) -> str:
    return json.dumps({"count": 1, "results": [{"name": f"Paper of {year}", "decision": "Accept (Poster)"}]})


class Conference:
    def __init__(self, *years: int) -> None:
        self.years = set(years)
        self.broken: set[int] = set()

    async def answer(self, request: web.Request) -> web.StreamResponse:
        year = int(request.path.split("iclr-")[1][:4])
        if year in self.broken:
            return web.Response(status=500)
        if year not in self.years:
            return web.Response(status=404)
        if request.headers.get("If-None-Match") == f'"{year}"':
            return web.Response(status=304)
        return web.Response(text=yearly(year), content_type="application/json", headers={"ETag": f'"{year}"'})


def source(desk: Desk) -> IclrSource:
    return IclrSource(str(desk.site.url), fetcher=desk.fetcher, clock=desk.clock)


@pytest.mark.asyncio
async def test_this_year_and_the_last_and_then_only_what_changed(desk: Desk) -> None:
    site = Conference(2025, 2026)
    desk.site.answer = site.answer
    await desk.poller(source(desk)).run_if_due()
    folder = "/static/virtual/data"
    assert [asked.path for asked in desk.site.asked] == [
        f"{folder}/iclr-2026-orals-posters.json",
        f"{folder}/iclr-2025-orals-posters.json",
    ]
    assert desk.loads == [[yearly(2026).encode(), yearly(2025).encode()]]
    desk.clock.advance(timedelta(hours=1))
    await desk.poller(source(desk)).run_if_due()
    assert len(desk.loads) == 1
    assert (await desk.state("iclr.cc")).last_error is None


@pytest.mark.asyncio
async def test_a_year_that_is_not_out_yet_is_no_failure(desk: Desk) -> None:
    desk.clock.set(datetime(2026, 11, 1, tzinfo=UTC))
    desk.site.answer = Conference(2026).answer
    await desk.poller(source(desk)).run_if_due()
    assert [asked.path.partition("iclr-")[2][:4] for asked in desk.site.asked] == ["2027", "2026"]
    assert (await desk.state("iclr.cc")).last_error is None


@pytest.mark.asyncio
async def test_no_year_at_all_is_a_failure(desk: Desk) -> None:
    desk.site.answer = Conference().answer
    await desk.poller(source(desk)).run_if_due()
    assert "doesn't exist (404)" in str((await desk.state("iclr.cc")).last_error)


@pytest.mark.asyncio
async def test_a_broken_year_does_not_stop_the_other(desk: Desk) -> None:
    site = Conference(2025, 2026)
    site.broken = {2026}
    desk.site.answer = site.answer
    await desk.poller(source(desk)).run_if_due()
    assert desk.loads == [[yearly(2025).encode()]]
    assert "answers 500" in str((await desk.state("iclr.cc")).last_error)


@pytest.mark.asyncio
async def test_a_web_page_instead_of_data_is_refused(desk: Desk) -> None:
    desk.site.says("<html>maintenance</html>", "text/html")
    await desk.poller(source(desk)).run_if_due()
    assert "sends text/html" in str((await desk.state("iclr.cc")).last_error)
    assert desk.loads == []
