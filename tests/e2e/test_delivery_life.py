"""Permissions, servers, DMs, the gateway: what comes and goes, with the real client over sockets."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta

import pytest

from bot.sandbox.faults import Action, When
from bot.sandbox.messages import Draft
from bot.sandbox.model import Overwrite
from bot.sandbox.outcome import text_of
from bot.sandbox.permissions import Permission
from storage.database import to_text
from storage.digests import DigestStore
from storage.people import PeopleStore
from storage.subscriptions import SubscriptionStore
from tests.e2e.delivering import (
    Delivery,
    allow,
    database,
    deny,
    eventually,
    follow,
    papers,
    parts,
    set_digest,
    states,
    wait,
)
from tests.herald_fixtures import Herald, buttons

HOUR = timedelta(hours=1, seconds=5)
DAY = timedelta(days=1)


async def all_sent(herald: Herald, kind: str = "digest") -> bool:
    """Whether everything of a kind stands."""
    return set(await states(herald, kind)) == {"sent"}


# --- permissions ----------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_80_a_lost_permission_holds_the_admin_is_told_once_and_it_goes_on(herald: Herald) -> None:
    delivery = await Delivery.prepared(herald, "digest")
    await deny(herald, herald.demo.digest, Permission.SEND_MESSAGES, "send_messages")
    await delivery.go(14)
    assert (await states(herald))[0] == "held"
    assert delivery.sends == 0  # the cache knew; Discord's refusals count
    for _ in range(3):
        await wait(herald, DAY)
    told = [text for text in herald.direct(herald.admin) if "couldn't post" in text]
    assert len(told) == 1
    assert "Send Messages" in told[0]
    await allow(herald, herald.demo.digest, "send_messages")
    await eventually(lambda: all_sent(herald))
    assert [part.part for part in await parts(herald, "digest")] == list(range(len(delivery.stored)))
    settings = await DigestStore(database(herald)).get(herald.demo.guild.id)
    assert settings is not None
    assert settings.held_reason is None


@pytest.mark.asyncio
async def test_while_something_is_held_no_further_digest_piles_up(herald: Herald) -> None:
    delivery = await Delivery.prepared(herald, "digest")
    await deny(herald, herald.demo.digest, Permission.SEND_MESSAGES, "send_messages")
    await delivery.go()
    for day in range(3):
        await herald.load(papers(1, start=20 + day))
        await wait(herald, DAY)
    assert await states(herald) == ["held"]
    await allow(herald, herald.demo.digest, "send_messages")
    await eventually(lambda: all_sent(herald))
    await wait(herald, timedelta(minutes=1))
    assert len(delivery.stored) == 2
    caught_up = text_of(delivery.stored[1])
    assert "Catch-up: everything new since 2026-05-05" in caught_up
    assert caught_up.count("Tidal Networks") == 3


@pytest.mark.asyncio
async def test_after_two_weeks_a_held_digest_is_switched_off_and_the_admin_told(herald: Herald) -> None:
    delivery = await Delivery.prepared(herald, "digest")
    await deny(herald, herald.demo.digest, Permission.VIEW_CHANNEL, "view_channel")
    await delivery.go()
    await wait(herald, timedelta(days=13))
    await herald.app.engine.tidy()
    assert await states(herald) == ["held"]
    await wait(herald, timedelta(days=1, hours=1))
    await herald.app.engine.tidy()
    await herald.settle()
    assert await states(herald) == ["cancelled"]
    assert sum("switched off" in text for text in herald.direct(herald.admin)) == 1
    settings = await DigestStore(database(herald)).get(herald.demo.guild.id)
    assert settings is not None
    assert settings.paused
    # Nothing is lost: resumed, the paper stands in the next digest.
    await allow(herald, herald.demo.digest, "view_channel")
    await herald.app.digests.resume(herald.demo.guild.id)
    await wait(herald, DAY)
    assert len(delivery.stored) == 1


@pytest.mark.asyncio
async def test_an_uncertain_part_without_read_history_is_held_and_adopted_later(herald: Herald) -> None:
    delivery = await Delivery.prepared(herald, "digest")
    herald.sandbox.faults.add(Action.CUT, when=When.AFTER, method="POST", path="/messages$")
    await delivery.go()
    await deny(herald, herald.demo.digest, Permission.READ_MESSAGE_HISTORY, "read_message_history")
    herald.sandbox.world.messages.forget_nonces()
    await wait(herald, timedelta(minutes=10))
    assert await states(herald) == ["held"]
    assert any("Read Message History" in text for text in herald.direct(herald.admin))
    await allow(herald, herald.demo.digest, "read_message_history")
    await eventually(lambda: all_sent(herald))
    assert (delivery.sends, len(delivery.stored)) == (1, 1)


@pytest.mark.asyncio
async def test_a_part_is_found_behind_any_number_of_other_peoples_messages(herald: Herald) -> None:
    delivery = await Delivery.prepared(herald, "digest")
    herald.sandbox.faults.add(Action.CUT, when=When.AFTER, method="POST", path="/messages$")
    world, channel = herald.sandbox.world, herald.demo.digest
    for number in range(150):
        world.messages.post(channel, herald.demo.reader.id, Draft(f"before {number}"))
    await delivery.go()
    for number in range(250):
        world.messages.post(channel, herald.demo.reader.id, Draft(f"after {number}"))
    world.messages.forget_nonces()
    await wait(herald, timedelta(minutes=10))
    assert (await states(herald), delivery.sends, len(delivery.stored)) == (["sent"], 1, 1)


@pytest.mark.asyncio
async def test_an_empty_history_is_not_believed_where_something_was_posted_once(herald: Herald) -> None:
    """The right is gone, and the gateway hasn't told yet: Discord answers an empty list and 200."""
    world, channel = herald.sandbox.world, herald.demo.digest
    world.messages.post(channel, herald.demo.reader.id, Draft("hello"))
    await herald.restart()  # the client learns of a channel's last message when it connects
    delivery = await Delivery.prepared(herald, "digest")
    herald.sandbox.faults.add(Action.CUT, when=When.AFTER, method="POST", path="/messages$")
    await delivery.go()
    world.messages.forget_nonces()
    me = herald.demo.bot.id
    channel.overwrites[me] = Overwrite(me, True, 0, int(Permission.READ_MESSAGE_HISTORY))  # nobody is told
    await wait(herald, timedelta(minutes=10))
    part = await delivery.part()
    assert (part.state, part.last_error) == ("pending", "retrying empty history")
    channel.overwrites.pop(me)
    await wait(herald, timedelta(minutes=1))
    assert (await states(herald), delivery.sends, len(delivery.stored)) == (["sent"], 1, 1)


@pytest.mark.asyncio
async def test_82_without_embed_links_the_digest_comes_as_text(herald: Herald) -> None:
    delivery = await Delivery.prepared(herald, "digest")
    await deny(herald, herald.demo.digest, Permission.EMBED_LINKS, "embed_links")
    await delivery.go(3)
    (message,) = delivery.stored
    assert message.embeds == []
    assert message.content.count("Tidal Networks") == 3
    assert "Details" in buttons(message)  # and with it the mark


@pytest.mark.asyncio
async def test_82_digest_set_names_the_permission_that_is_missing(herald: Herald) -> None:
    await deny(herald, herald.demo.digest, Permission.READ_MESSAGE_HISTORY, "read_message_history")
    options: dict[str, object] = {"channel": herald.demo.digest, "time": "10:00", "timezone": "UTC"}
    outcome = await herald.admin.command(herald.general, "digest set", options)
    assert "Read Message History" in outcome.text


@pytest.mark.asyncio
async def test_26_setting_the_digest_again_tries_what_is_held(herald: Herald) -> None:
    """Field report 26: a counter of failures that survives makes the bot deaf to being set up again."""
    delivery = await Delivery.prepared(herald, "digest")
    herald.sandbox.faults.add(Action.CODE, code=50013, method="POST", path="/messages$")
    await delivery.go()
    assert await states(herald) == ["held"]
    await set_digest(herald, herald.demo.digest)
    await herald.settle()
    assert await states(herald) == ["sent"]


# --- servers --------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_24_an_outage_changes_nothing_and_what_waited_goes_out(herald: Herald) -> None:
    """Field report 24: GUILD_DELETE with unavailable, then GUILD_CREATE."""
    delivery = await Delivery.prepared(herald, "digest")
    before = await DigestStore(database(herald)).get(herald.demo.guild.id)
    herald.sandbox.world.outage(herald.demo.guild)
    await delivery.go()
    assert await states(herald) == ["pending"]
    assert await DigestStore(database(herald)).get(herald.demo.guild.id) == before
    assert await PeopleStore(database(herald)).guilds() == {herald.demo.guild.id: None}
    herald.sandbox.world.restore(herald.demo.guild)
    await eventually(lambda: all_sent(herald))
    assert len(delivery.stored) == 1


@pytest.mark.asyncio
async def test_24_an_outage_over_a_restart_is_no_removal(herald: Herald) -> None:
    delivery = await Delivery.prepared(herald, "digest")
    herald.sandbox.world.outage(herald.demo.guild)
    await herald.restart()
    assert await PeopleStore(database(herald)).guilds() == {herald.demo.guild.id: None}
    herald.sandbox.world.restore(herald.demo.guild)
    await delivery.go()
    await wait(herald, timedelta(minutes=5))
    assert (await states(herald), len(delivery.stored)) == (["sent"], 1)


@pytest.mark.asyncio
async def test_a_removal_is_soft_and_a_return_brings_what_waited(herald: Herald) -> None:
    delivery = await Delivery.prepared(herald, "digest")
    world, guild, me = herald.sandbox.world, herald.demo.guild, herald.demo.bot
    herald.sandbox.faults.add(Action.STATUS, status=503, method="POST", path="/messages$")
    await delivery.go()
    roles = [guild.roles[number] for number in guild.members[me.id].roles]
    world.remove_member(guild, me)
    await eventually(lambda: _is_left(herald, True))
    assert [part.last_error for part in await parts(herald, "digest")] == ["server_left"]
    for day in range(2):
        await herald.load(papers(1, start=20 + day))
        await wait(herald, DAY)
    world.add_member(guild, me, roles)
    await eventually(lambda: _is_left(herald, False))
    await eventually(lambda: all_sent(herald))
    await wait(herald, timedelta(minutes=1))
    assert len(delivery.stored) == 2
    assert "Catch-up" in text_of(delivery.stored[1])


async def _is_left(herald: Herald, left: bool) -> bool:
    known = await PeopleStore(database(herald)).guilds()
    return (known.get(herald.demo.guild.id) is not None) is left


@pytest.mark.asyncio
async def test_81_kicked_while_offline_is_noticed_at_the_start_and_forgotten_after_a_month(
    herald: Herald,
) -> None:
    """Field report 81: the row of a server that the bot has left raises nothing."""
    await Delivery.prepared(herald, "digest")
    await follow(herald, herald.reader)
    world, guild = herald.sandbox.world, herald.demo.guild
    other = world.add_guild("Elsewhere", owner=herald.demo.admin)
    channel = world.add_channel(other, "digest")
    world.add_member(other, herald.demo.bot)
    await eventually(lambda: herald.app.client.get_channel(channel.id) is not None)
    await set_digest(herald, channel)
    await herald.stop()
    world.remove_member(guild, herald.demo.bot)
    await herald.start()
    await herald.load(papers(1))
    await wait(herald, HOUR)
    assert [part.whom for part in await parts(herald, "digest")] == [f"channel:{channel.id}"]
    assert await DigestStore(database(herald)).get(guild.id) is not None
    herald.clock.advance(timedelta(days=31))
    await herald.restart()
    assert await DigestStore(database(herald)).get(guild.id) is None
    assert len(await SubscriptionStore(database(herald)).of_person(herald.demo.reader.id)) == 1


@pytest.mark.asyncio
async def test_27_only_the_digest_of_a_deleted_channel_pauses_and_nothing_is_lost(herald: Herald) -> None:
    """Field report 27: another channel's deletion changes nothing; the own one's is told to the admin."""
    world = herald.sandbox.world
    bystander = world.add_channel(herald.demo.guild, "bystander")
    await Delivery.prepared(herald, "digest")
    before = await DigestStore(database(herald)).get(herald.demo.guild.id)
    world.delete_channel(bystander)
    herald.sandbox.faults.add(Action.STATUS, status=503, method="POST", path="/messages$")
    await herald.load(papers(2))
    await wait(herald, HOUR)
    assert await DigestStore(database(herald)).get(herald.demo.guild.id) == before
    world.delete_channel(herald.demo.digest)
    await eventually(lambda: _is_paused(herald))
    await herald.settle()
    assert sum("channel was deleted" in text for text in herald.direct(herald.admin)) == 1
    assert await states(herald) == ["cancelled"]
    await set_digest(herald, herald.general)
    await wait(herald, DAY)
    posted = herald.posted(herald.general)
    assert len(posted) == 1
    assert text_of(posted[0]).count("Tidal Networks") == 2


async def _is_paused(herald: Herald) -> bool:
    settings = await DigestStore(database(herald)).get(herald.demo.guild.id)
    return settings is not None and settings.paused


@pytest.mark.asyncio
async def test_a_digest_that_moves_takes_what_is_held_with_it(herald: Herald) -> None:
    delivery = await Delivery.prepared(herald, "digest")
    await delivery.go(1)
    await deny(herald, herald.demo.digest, Permission.SEND_MESSAGES, "send_messages")
    await herald.load(papers(2, start=20))
    await wait(herald, DAY)
    assert await states(herald) == ["sent", "held"]
    await set_digest(herald, herald.general)
    await wait(herald, DAY)
    (posted,) = herald.posted(herald.general)
    assert text_of(posted).count("Tidal Networks") == 2  # what waited, and not what the other channel has had
    await allow(herald, herald.demo.digest, "send_messages")
    await wait(herald, DAY)
    assert len(delivery.stored) == 1


# --- the gateway ----------------------------------------------------------------------------------


@pytest.mark.asyncio
@pytest.mark.parametrize("what", ["drop", "reconnect", "invalidate"])
async def test_39_a_new_session_starts_no_second_scheduler(
    herald: Herald, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Field report 39: the ready event fires again."""
    delivery = await Delivery.prepared(herald, "digest")
    engine, life, online = herald.app.engine, herald.app.life, asyncio.Event()
    ready = life.ready

    async def noted(guilds: set[int]) -> None:
        await ready(guilds)
        online.set()

    monkeypatch.setattr(life, "ready", noted)
    if what != "invalidate":  # a resumed session isn't ready anew
        herald.sandbox.world.subscribe(lambda event: online.set() if event.data.get("online") else None)
    getattr(herald.sandbox.gateway, what)()
    async with asyncio.timeout(10):
        await online.wait()
    await delivery.go()
    assert engine._scheduler is not None
    assert sorted(job.id for job in engine._scheduler.get_jobs()) == ["digests", "tidy", "watch"]
    assert (await states(herald), len(delivery.stored)) == (["sent"], 1)


@pytest.mark.asyncio
async def test_two_shards_deliver_to_the_servers_of_both(idle_herald: Herald) -> None:
    herald, world = idle_herald, idle_herald.sandbox.world
    world.shards = 2
    channels = []
    for number in range(6):
        herald.clock.advance(timedelta(milliseconds=1))  # the shard follows from the moment in the id
        guild = world.add_guild(f"Server {number}", owner=herald.demo.admin)
        world.add_member(guild, herald.demo.bot)
        channels.append(world.add_channel(guild, "digest"))
    await herald.start()
    assert {(channel.guild_id or 0) >> 22 & 1 for channel in channels} == {0, 1}
    assert len(herald.app.client.shards) == 2
    for channel in channels:
        await set_digest(herald, channel)
    await herald.load(papers(1))
    await wait(herald, HOUR)
    assert [len(herald.posted(channel)) for channel in channels] == [1] * 6


@pytest.mark.asyncio
async def test_an_answer_of_somebody_else_is_shown_in_the_status(herald: Herald) -> None:
    herald.sandbox.faults.add(Action.CODE, code=40060, method="POST", path="/callback$")
    await herald.reader.command(herald.general, "help")
    report = await herald.app.status.report()
    assert "does a second process use its token?" in report["last_error"]
    herald.clock.advance(timedelta(days=2))
    assert (await herald.app.status.report())["last_error"] is None


# --- people ---------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_83_closed_dms_pause_after_three_strikes_and_reopened_ones_get_what_waited(
    herald: Herald,
) -> None:
    await follow(herald, herald.reader)
    await follow(herald, herald.chinese)
    herald.reader.send_dm_allowed(False)
    for load in range(4):
        await herald.load(papers(1, start=load * 10))
    # Each new alert knocks once, with the oldest that waits; the fourth load is no longer for the paused one.
    assert await states(herald, "alert") == ["held", "sent", "pending", "sent", "pending", "sent", "sent"]
    (paused,) = await SubscriptionStore(database(herald)).of_person(herald.demo.reader.id)
    assert paused.paused_reason == "dm_closed"
    told = await herald.reader.command(herald.general, "help")
    assert told.message is not None
    await eventually(
        lambda: any("alerts are paused" in text_of(one) for one in herald.reader.messages(herald.general))
    )
    notice = next(
        one for one in herald.reader.messages(herald.general) if "alerts are paused" in text_of(one)
    )
    herald.reader.send_dm_allowed(True)
    retry = next(number for number in buttons(notice).values() if ":testdm" in number)
    await herald.reader.click(notice, retry)
    await eventually(lambda: all_sent(herald, "alert"))
    (resumed,) = await SubscriptionStore(database(herald)).of_person(herald.demo.reader.id)
    assert resumed.paused_reason is None


@pytest.mark.asyncio
async def test_a_person_who_is_gone_ends_their_subscriptions(herald: Herald) -> None:
    await follow(herald, herald.reader)
    herald.sandbox.faults.add(Action.CODE, code=10013, method="POST", path="/messages$")
    await herald.load(papers(1))
    assert await states(herald, "alert") == ["failed"]
    assert await SubscriptionStore(database(herald)).of_person(herald.demo.reader.id) == []


@pytest.mark.asyncio
async def test_dm_channels_are_opened_once_and_kept(herald: Herald) -> None:
    await follow(herald, herald.reader)
    for load in range(3):
        await herald.load(papers(1, start=load * 10))
    opened = [one for one in herald.sandbox.api.exchanges if one.path == "/users/@me/channels"]
    assert len(opened) == 1
    assert await states(herald, "alert") == ["sent"] * 3


@pytest.mark.asyncio
async def test_a_channels_held_alert_is_told_to_who_made_it_follow(herald: Herald) -> None:
    await follow(herald, herald.admin, channel=herald.demo.digest)
    await deny(herald, herald.demo.digest, Permission.SEND_MESSAGES, "send_messages")
    await herald.load(papers(1))
    assert await states(herald, "alert") == ["held"]
    assert sum("couldn't post" in text for text in herald.direct(herald.admin)) == 1


@pytest.mark.asyncio
async def test_a_persons_alerts_dont_stand_in_a_servers_log(herald: Herald) -> None:
    await herald.reader.command(herald.general, "subscribe keyword", {"words": "tidal"})
    await herald.load(papers(1))
    assert [(part.whom, part.guild_id) for part in await parts(herald, "alert")] == [
        (f"user:{herald.demo.reader.id}", None)
    ]


@pytest.mark.asyncio
async def test_one_load_is_one_message_a_person(herald: Herald) -> None:
    await follow(herald, herald.reader)
    await follow(herald, herald.reader, "sea")
    await herald.load(papers(5))
    assert len(await parts(herald, "alert")) == 1


# --- the clock ------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_a_clock_that_jumps_ahead_and_back_posts_once_a_date(herald: Herald) -> None:
    delivery = await Delivery.prepared(herald, "digest")
    await herald.load(papers(1))
    await wait(herald, timedelta(days=5))
    assert len(delivery.stored) == 1
    await herald.load(papers(1, start=10))
    await wait(herald, -timedelta(days=5) + HOUR)
    assert len(delivery.stored) == 2  # its own date was never used up
    for day in range(1, 7):
        await herald.load(papers(1, start=10 + day * 5))
        await wait(herald, DAY)
    rows = await database(herald).all("SELECT local_date FROM digest_dates ORDER BY local_date")
    dates = [date.fromisoformat(row["local_date"]) for row in rows]
    assert dates == [date(2026, 5, 4) + timedelta(days=day) for day in range(7)]


@pytest.mark.asyncio
async def test_a_digest_set_by_a_clock_that_ran_ahead_isnt_asleep_until_then(herald: Herald) -> None:
    herald.clock.advance(timedelta(days=30))
    delivery = await Delivery.prepared(herald, "digest")
    await wait(herald, -timedelta(days=30))
    await delivery.go()
    assert len(delivery.stored) == 1


@pytest.mark.asyncio
@pytest.mark.parametrize("kind", ["digest", "alert"])
async def test_a_part_sent_by_a_clock_that_ran_ahead_is_found_after_it_was_set_right(
    herald: Herald, kind: str
) -> None:
    delivery = await Delivery.prepared(herald, kind)
    herald.sandbox.faults.add(Action.CUT, when=When.AFTER, method="POST", path="/messages$")
    await delivery.go()
    herald.sandbox.world.messages.forget_nonces()
    # As if the bot's clock alone had been a day ahead when it sent.
    async with database(herald).transaction() as transaction:
        ahead = to_text(herald.clock.now() + DAY)
        await transaction.execute(
            "UPDATE outbox SET first_attempt_at = ?, last_attempt_at = ?", (ahead, ahead)
        )
    await wait(herald, timedelta(minutes=10))
    part = await delivery.part()
    assert (part.state, delivery.sends, len(delivery.stored)) == ("sent", 1, 1)
