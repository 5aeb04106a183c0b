"""Field reports A and B end to end: what other bots posted twice, lost, or posted at the wrong time.

Each test is named after a row of the field reports; rows about permissions, DMs and servers (F) stand in
`test_delivery_life`, about single sends in `tests/delivery`, about moments in `tests/digest`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from bot.papers.files import parse_bytes
from bot.papers.model import Paper
from bot.render import digests as rendering
from bot.sandbox.outcome import text_of
from tests.cogs.listings import entry, listing
from tests.e2e.delivering import Delivery, database, follow, paper, papers, parts, set_digest, states, wait
from tests.herald_fixtures import Herald, buttons

HOUR = timedelta(hours=1, seconds=5)
DAY = timedelta(days=1)


async def told(herald: Herald) -> tuple[int, int]:
    """How many digest parts and alerts there are."""
    return len(await parts(herald, "digest")), len(await parts(herald, "alert"))


async def followed(herald: Herald) -> Delivery:
    """A digest and an alert are set up."""
    delivery = await Delivery.prepared(herald, "digest")
    await follow(herald, herald.reader)
    return delivery


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "again",
    [
        pytest.param(lambda text: f"Generated at 2026-05-05 10:00\n\n{text}", id="1-new timestamp"),
        pytest.param(lambda text: text, id="1-same content"),
        pytest.param(
            lambda text: text.replace("AI总结 本文研究测试。", "AI总结 本文研究了更多测试。"),
            id="4-other summary",
        ),
        pytest.param(
            lambda text: text.replace("Accepted at ICLR 2026", "Accepted at ICLR 2026 (oral). 12 pages"),
            id="4-award text",
        ),
        pytest.param(
            lambda text: text.replace("Tidal Networks Number 1 of", "Tidal networks number 1 of"),
            id="7-revision",
        ),
    ],
)
async def test_1_4_7_the_same_papers_are_no_news(herald: Herald, again: Callable[[str], str]) -> None:
    await followed(herald)
    text = papers(3)
    await herald.load(text)
    await wait(herald, HOUR)
    before = await told(herald)
    await herald.load(again(text))
    await wait(herald, DAY)
    assert await told(herald) == before == (1, 1)


@pytest.mark.asyncio
async def test_2_a_restart_posts_nothing(herald: Herald) -> None:
    await followed(herald)
    await herald.load(papers(3))
    await wait(herald, HOUR)
    for _ in range(2):
        await herald.restart()
        await herald.settle()
    assert await told(herald) == (1, 1)
    assert len(herald.posted(herald.demo.digest)) == 1


@pytest.mark.asyncio
async def test_3_reloading_the_commands_posts_nothing_and_a_new_digest_starts_with_what_comes(
    herald: Herald,
) -> None:
    await followed(herald)  # the sample's papers were there before
    client = herald.app.client
    for name in list(client.cogs):
        cog = await client.remove_cog(name)
        assert cog is not None
        await client.add_cog(cog, override=True)
    await wait(herald, HOUR)
    assert await told(herald) == (0, 0)


@pytest.mark.asyncio
async def test_5_other_spellings_of_an_address_are_the_same_paper(herald: Herald) -> None:
    await followed(herald)
    for link in (
        "arxiv.org/abs/2601.01234",
        "http://arxiv.org/abs/2601.01234v2/",
        "https://arxiv.org/pdf/2601.01234.pdf?utm=x",
    ):
        await herald.load(
            listing(entry("Tidal Networks and Their Moons", comments=f"Accepted at ICLR 2026, {link}"))
        )
    await wait(herald, HOUR)
    assert await told(herald) == (1, 1)


@pytest.mark.asyncio
async def test_9_36_days_without_news_post_nothing_and_days_with_news_once(herald: Herald) -> None:
    delivery = await followed(herald)
    await herald.load(papers(1))
    await wait(herald, HOUR)
    for _ in range(3):
        for _ in range(4):
            await wait(herald, timedelta(hours=6))
    assert len(delivery.stored) == 1
    dates = await database(herald).all("SELECT local_date FROM digest_dates")
    assert len(dates) == 4


@pytest.mark.asyncio
async def test_10_the_load_report_adds_up(herald: Herald) -> None:
    text = listing(*(paper(number) for number in (1, 2, 2, 3)), "Just a line that is no entry")
    report = (await herald.load(text)).to_json()
    assert report["read"] == report["new"] + report["updated"] + report["unchanged"] + len(
        report["duplicate"]
    ) + len(report["rejected"])
    assert (report["new"], len(report["duplicate"])) == (3, 1)


@pytest.mark.asyncio
async def test_11_12_every_paper_of_a_load_and_of_a_second_load_of_the_day_is_told(herald: Herald) -> None:
    delivery = await followed(herald)
    await herald.load(papers(3))
    await herald.load(papers(2, start=10))
    await wait(herald, HOUR)
    assert text_of(delivery.stored[0]).count("Tidal Networks Number") == 5
    assert await told(herald) == (1, 2)


@pytest.mark.asyncio
async def test_13_32_days_of_downtime_are_one_labelled_digest(herald: Herald) -> None:
    delivery = await followed(herald)
    await wait(herald, HOUR)
    loader = herald.app.knowledge.loader
    # The bot's scheduler sleeps: it decides nothing, while three days of loads are written.
    engine = herald.app.engine
    assert engine._scheduler is not None
    engine._scheduler.pause()
    for number in range(3):
        herald.clock.advance(DAY)
        text = papers(1, start=number * 5).encode()
        await loader.load([("day.txt", parse_bytes(text, name="day.txt"))])
    engine._scheduler.resume()
    await herald.settle()
    assert len(delivery.stored) == 1
    text_shown = text_of(delivery.stored[0])
    assert "Catch-up: everything new since 2026-05-05" in text_shown
    assert text_shown.count("Tidal Networks Number") == 3


@pytest.mark.asyncio
async def test_15_a_paper_that_is_absent_once_and_returns_is_posted_once(herald: Herald) -> None:
    delivery = await followed(herald)
    await herald.load(papers(2))
    await wait(herald, HOUR)
    await herald.load(papers(1, start=2))
    await wait(herald, DAY)
    await herald.load(papers(2))
    await wait(herald, DAY)
    assert len(delivery.stored) == 1
    assert await told(herald) == (1, 1)


@pytest.mark.asyncio
async def test_18_33_each_server_has_its_own_time_and_state(herald: Herald) -> None:
    world = herald.sandbox.world
    other = world.add_guild("Elsewhere", owner=herald.demo.admin)
    channel = world.add_channel(other, "digest")
    world.add_member(other, herald.demo.bot)
    first = await followed(herald)
    await herald.load(papers(1))
    await wait(herald, HOUR)
    assert len(first.stored) == 1
    await set_digest(herald, channel, minute=6)
    await wait(herald, timedelta(minutes=6))
    assert len(first.stored) == 1
    assert herald.posted(channel) == []  # nothing new since it was set
    await herald.load(papers(1, start=10))
    await wait(herald, DAY)
    assert (len(first.stored), len(herald.posted(channel))) == (2, 1)


@pytest.mark.asyncio
async def test_22_a_burst_is_recorded_whole_capped_and_can_be_opened(herald: Herald) -> None:
    delivery = await followed(herald)
    await herald.load(papers(200))
    await wait(herald, HOUR)
    shown = sum(text_of(message).count("Tidal Networks Number") for message in delivery.stored)
    assert shown == 30
    (more,) = [label for label in buttons(delivery.stored[-1]) if "170" in label]
    opened = await herald.reader.click(delivery.stored[-1], buttons(delivery.stored[-1])[more])
    assert "170" in opened.text
    assert len(await parts(herald, "alert")) == 1
    had = await database(herald).value("SELECT count(*) FROM channel_papers")
    assert had == 200


@pytest.mark.asyncio
async def test_23_an_empty_day_a_failed_day_and_a_held_one_look_different_in_the_status(
    herald: Herald,
) -> None:
    await followed(herald)
    await wait(herald, HOUR)
    (empty,) = (await herald.app.status.report())["guilds"]
    assert empty["last_digest"].startswith("2026-05-04T10:00")
    assert empty["next_run"].startswith("2026-05-05T10:00")
    assert empty["held"] == []
    herald.sandbox.world.outage(herald.demo.guild)
    await herald.load(papers(1))
    await wait(herald, DAY)
    report = await herald.app.status.report()
    assert report["outbox"]["pending"] == 1
    assert report["last_error"].startswith("retrying 503")


@pytest.mark.asyncio
async def test_28_a_paper_without_one_of_its_summaries_goes_out(herald: Herald) -> None:
    delivery = await followed(herald)
    bare = entry("Tidal Networks Without Anything").replace("AI总结 本文研究测试。\n\n", "")
    await herald.load(listing(bare, paper(2)))
    await wait(herald, HOUR)
    assert text_of(delivery.stored[0]).count("Tidal Networks") == 2


@pytest.mark.asyncio
async def test_31_a_blocked_loop_runs_it_late_and_once(herald: Herald) -> None:
    delivery = await followed(herald)
    await herald.load(papers(1))
    herald.clock.set(datetime(2026, 5, 4, 10, 10, tzinfo=UTC))
    await asyncio.gather(*(herald.app.engine.decide_digests() for _ in range(3)))
    await herald.settle()
    assert len(delivery.stored) == 1
    assert "Catch-up" not in text_of(delivery.stored[0])


@pytest.mark.asyncio
async def test_37_a_zone_is_taken_and_a_bad_name_refused_with_suggestions(herald: Herald) -> None:
    options: dict[str, object] = {"channel": herald.demo.digest, "time": "07:00"}
    good = await herald.admin.command(herald.general, "digest set", options | {"timezone": "Europe/Berlin"})
    assert "Europe/Berlin" in good.text
    bad = await herald.admin.command(herald.general, "digest set", options | {"timezone": "Europe/Belin"})
    assert "Europe/Berlin" in bad.text


@pytest.mark.asyncio
async def test_38_a_paper_that_cant_be_shown_leaves_the_rest_and_the_loop_alive(
    herald: Herald, monkeypatch: pytest.MonkeyPatch
) -> None:
    delivery = await followed(herald)
    block = vars(rendering)["block"]

    def fragile(voice: object, shown: Paper, **more: object) -> object:
        if "Number 2 " in shown.title_en:
            raise RuntimeError("no")
        return block(voice, shown, **more)

    monkeypatch.setattr(rendering, "block", fragile)
    await herald.load(papers(3))
    await wait(herald, HOUR)
    text = text_of(delivery.stored[0])
    assert "Number 1 " in text
    assert "Number 2 " not in text
    assert "Number 3 " in text
    await herald.load(papers(1, start=10))
    await wait(herald, DAY)
    assert len(delivery.stored) == 2


@pytest.mark.asyncio
async def test_38_a_server_that_cant_be_decided_leaves_the_others(
    herald: Herald, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = herald.sandbox.world
    other = world.add_guild("Elsewhere", owner=herald.demo.admin)
    channel = world.add_channel(other, "digest")
    world.add_member(other, herald.demo.bot)
    delivery = await followed(herald)
    await set_digest(herald, channel)
    service = herald.app.digests
    decide = service._decide_scheduled

    async def fragile(settings: object, run: object) -> bool:
        if getattr(settings, "guild_id", 0) == herald.demo.guild.id:
            raise RuntimeError("no")
        return await decide(settings, run)  # type: ignore[arg-type] # passed through

    monkeypatch.setattr(service, "_decide_scheduled", fragile)
    await herald.load(papers(1))
    await wait(herald, HOUR)
    assert (len(delivery.stored), len(herald.posted(channel))) == (0, 1)
    monkeypatch.undo()
    await wait(herald, timedelta(minutes=6))
    assert len(delivery.stored) == 1


@pytest.mark.asyncio
async def test_42_the_bot_starts_and_stops_again_and_again_in_one_process(herald: Herald) -> None:
    delivery = await followed(herald)
    for _ in range(3):
        await herald.restart()
    await herald.load(papers(1))
    await wait(herald, HOUR)
    assert len(delivery.stored) == 1


@pytest.mark.asyncio
async def test_an_admins_change_affects_only_later_digests(herald: Herald) -> None:
    delivery = await followed(herald)
    herald.sandbox.world.outage(herald.demo.guild)
    await herald.load(papers(2))
    await wait(herald, HOUR)
    await set_digest(herald, herald.demo.digest, exclude=("tidal",), language="zh")
    herald.sandbox.world.restore(herald.demo.guild)
    await wait(herald, timedelta(minutes=5))
    assert text_of(delivery.stored[0]).count("Tidal Networks Number") == 2
    await herald.load(papers(1, start=10))
    await wait(herald, DAY)
    assert len(delivery.stored) == 1
    await set_digest(herald, herald.demo.digest)
    await wait(herald, DAY)
    assert len(delivery.stored) == 1  # what a filter passed over stays passed over


@pytest.mark.asyncio
async def test_digest_now_posts_what_waits_and_leaves_the_date(herald: Herald) -> None:
    delivery = await followed(herald)
    await herald.load(papers(2))
    settings = await set_digest(herald, herald.demo.digest)
    first = await herald.app.digests.post_now(settings)
    second = await herald.app.digests.post_now(settings)
    assert (first.papers, second.papers) == (2, 0)
    await herald.settle()
    assert len(delivery.stored) == 1
    await herald.load(papers(1, start=10))
    await wait(herald, HOUR)
    assert len(delivery.stored) == 2


@pytest.mark.asyncio
async def test_a_paused_digest_keeps_what_comes_and_goes_on_at_its_next_moment(herald: Herald) -> None:
    delivery = await followed(herald)
    guild = herald.demo.guild.id
    await herald.app.digests.pause(guild)
    await herald.load(papers(2))
    await wait(herald, HOUR + 2 * DAY)
    assert delivery.stored == []
    await herald.app.digests.resume(guild)
    await wait(herald, timedelta(minutes=1))
    assert delivery.stored == []
    await wait(herald, DAY)
    assert text_of(delivery.stored[0]).count("Tidal Networks Number") == 2
    assert "Catch-up" not in text_of(delivery.stored[0])


@pytest.mark.asyncio
async def test_a_removed_digest_posts_nothing_more_and_a_new_one_nothing_old(herald: Herald) -> None:
    delivery = await followed(herald)
    herald.sandbox.world.outage(herald.demo.guild)
    await herald.load(papers(2))
    await wait(herald, HOUR)
    assert await herald.app.digests.remove(herald.demo.guild.id)
    herald.sandbox.world.restore(herald.demo.guild)
    await wait(herald, DAY)
    assert await states(herald) == ["cancelled"]
    await set_digest(herald, herald.demo.digest)
    await wait(herald, DAY)
    assert delivery.stored == []


@pytest.mark.asyncio
async def test_a_changed_time_gives_no_second_digest_on_the_same_date(herald: Herald) -> None:
    delivery = await followed(herald)
    await herald.load(papers(1))
    await wait(herald, HOUR)
    await set_digest(herald, herald.demo.digest, hour=18)
    await herald.load(papers(1, start=10))
    await wait(herald, timedelta(hours=9))
    assert len(delivery.stored) == 1
    await set_digest(herald, herald.demo.digest, hour=5, timezone="America/Los_Angeles")
    await wait(herald, timedelta(hours=4))
    assert len(delivery.stored) == 1
    await wait(herald, timedelta(hours=13))
    assert len(delivery.stored) == 2
