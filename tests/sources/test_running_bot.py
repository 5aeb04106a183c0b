"""Sources and summaries of the running bot, up to what people see in Discord."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
import pytest_asyncio
from aiohttp import web

from bot.papers.model import Language, Origin
from bot.sandbox.outcome import Seen, text_of
from bot.sources import setup
from bot.sources.setup import is_on
from tests.herald_fixtures import Herald, herald, idle_herald, sample_database
from tests.sources.site import Site, running_site

__all__ = ["herald", "idle_herald", "sample_database"]

LISTING = """ICLR

Tidal Transformers: Sequence Models That Learn When to Listen

潮汐变换器：学会何时倾听的序列模型

Lin Tang, Greta Öberg

机构 * Tsinghua University（清华大学） 纠错

AI总结 本文提出潮汐变换器，在测试中提升了3.5%的准确率。

Comments Accepted at ICLR 2026
"""
ENGLISH = "This paper proposes tidal transformers, which gain 3.5% of accuracy in the tests."
PENDING = "English summary pending"


@pytest_asyncio.fixture
async def site() -> AsyncIterator[Site]:
    async with running_site() as found:
        yield found


@pytest.fixture(autouse=True)
def _only_when_the_test_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot's own scheduler runs by real time."""
    monkeypatch.setattr(setup, "WAKE_EVERY", 3600.0)
    monkeypatch.setattr(setup, "SUMMARIES_EVERY", 3600.0)


async def work(herald: Herald, name: str) -> None:
    """Run one background job of the bot, as the scheduler does."""
    for _, job, act in herald.app.background.jobs():
        if job.startswith(name):
            await act()
    await herald.settle()


def completion(text: str) -> web.Response:
    return web.json_response({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]})


@pytest.mark.asyncio
async def test_a_day_without_endpoint_delays_no_digest_and_is_made_up_for_silently(
    idle_herald: Herald, site: Site
) -> None:
    herald = idle_herald
    site.fails(503)
    await herald.start(llm_base_url=str(site.url / "v1"), llm_model="small")
    options = {"channel": herald.demo.digest, "time": "09:00", "timezone": "Asia/Shanghai"}
    outcome = await herald.admin.command(herald.general, "digest set", options)
    assert outcome.seen is Seen.MESSAGE, outcome
    await herald.admin.command(herald.general, "subscribe institution", {"name": "Tsinghua University"})
    await herald.load(LISTING)
    await herald.until(lambda: len(herald.direct(herald.admin)) == 2)  # the test DM and the alert
    due = datetime(2026, 5, 5, 1, 0, tzinfo=UTC)  # 09:00 in Shanghai, 16 hours from now
    for _ in range(24):
        await work(herald, "language model")
        posted = herald.posted(herald.demo.digest)
        assert len(posted) == (herald.clock.now() >= due), f"at {herald.clock.now()}"
        herald.clock.advance(timedelta(hours=1))
    assert "Tidal Transformers" in text_of(posted[0])
    assert PENDING.lower() in text_of(posted[0]).lower()

    async def answer(_: web.Request) -> web.StreamResponse:
        return completion(ENGLISH)

    site.answer = answer
    herald.clock.advance(timedelta(hours=2))
    await work(herald, "language model")
    paper = await herald.app.knowledge.papers.get(await herald.paper_id("Tidal"))
    assert paper is not None
    english = paper.summary(Language.EN)
    assert english is not None
    assert (english.text, english.origin) == (ENGLISH, Origin.MODEL)
    herald.clock.set(datetime(2026, 5, 6, 1, 0, 5, tzinfo=UTC))
    await herald.settle()
    assert len(herald.posted(herald.demo.digest)) == 1, "no second announcement"
    assert len(herald.direct(herald.admin)) == 2
    shown = await herald.reader.command(herald.general, "paper", {"query": "Tidal Transformers"})
    assert ENGLISH.rstrip(".") in shown.text.replace("\\", "")


@pytest.mark.asyncio
async def test_every_source_runs_by_itself_and_one_load_makes_one_alert(
    idle_herald: Herald, site: Site
) -> None:
    herald = idle_herald
    yearly = {
        "count": 1,
        "results": [
            {
                "name": "Tidal Transformer: Sequence Models that Learn when to Listen",
                "authors": [{"fullname": "Lin Tang"}, {"fullname": "Greta Oberg"}],
                "abstract": "We propose tidal transformers, which listen only when it is worth it.",
                "decision": "Accept (Oral)",
                "virtualsite_url": "/virtual/2026/oral/1",
            }
        ],
    }

    async def answer(request: web.Request) -> web.StreamResponse:
        if request.path == "/list":
            return web.Response(text=LISTING)
        if request.path.endswith("iclr-2026-orals-posters.json"):
            return web.Response(text=json.dumps(yearly), content_type="application/json")
        return web.Response(status=404 if "iclr-" in request.path else 503, headers={"Retry-After": "60"})

    site.answer = answer
    await herald.start(
        listing_urls=(str(site.url / "list"),), iclr_data_base=str(site.url), arxiv_api_base=str(site.url)
    )
    await herald.admin.command(herald.general, "subscribe institution", {"name": "Tsinghua University"})
    await herald.until(lambda: len(herald.direct(herald.admin)) == 1)  # the test DM
    for name in ("arxiv", "url", "iclr.cc"):
        await work(herald, name)
    paper = await herald.app.knowledge.papers.get(await herald.paper_id("Tidal"))
    assert paper is not None
    assert paper.venue is not None
    assert paper.venue.presentation == "oral", "the conference decides"
    assert paper.title_zh == "潮汐变换器：学会何时倾听的序列模型"
    assert await herald.app.knowledge.papers.count() == 31, "one paper, whoever tells of it"
    await herald.until(lambda: len(herald.direct(herald.admin)) >= 2)
    await herald.settle()
    assert len(herald.direct(herald.admin)) == 2, "one alert, whoever tells of the paper"
    report = {source["name"]: source for source in (await herald.app.status.report())["sources"]}
    assert report["iclr.cc"]["last_error"] is None
    assert report["iclr.cc"]["counts"] == {"read": 1, "new": 0, "updated": 1}
    assert "busy (503)" in report["arxiv"]["last_error"]
    assert report["arxiv"]["next_run"] is not None
    (url,) = (source for name, source in report.items() if name.startswith("url "))
    assert url["counts"] == {"read": 1, "new": 1, "updated": 0}


@pytest.mark.asyncio
async def test_a_source_that_is_switched_off_is_planned_no_more(idle_herald: Herald, site: Site) -> None:
    herald = idle_herald
    site.fails(503)
    await herald.start(iclr_data_base=str(site.url))
    await work(herald, "iclr.cc")
    text = (await herald.admin.command(herald.general, "status", {})).text
    assert "iclr.cc" in text
    assert "busy (503)" in text.replace("\\", "")
    await herald.restart(iclr_data_base="")
    (source,) = (await herald.app.status.report())["sources"]
    assert source == {
        "name": "iclr.cc",
        "last_success": None,
        "last_error": None,
        "next_run": None,
        "counts": None,
    }


@pytest.mark.asyncio
async def test_the_sandbox_asks_nobody(herald: Herald) -> None:
    assert not is_on(herald.settings)
    assert herald.app.background.jobs() == []
