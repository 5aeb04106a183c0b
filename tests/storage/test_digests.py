"""Settings, the ledger of dates, and what a channel has had."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from bot.clock import ManualClock
from storage.database import Database
from storage.digests import DigestSettings, DigestStore
from storage.outbox import OutboxStore
from tests.storage.fixtures import START, add_news, digest_settings, part

MAY_4 = date(2026, 5, 4)


async def save(database: Database, settings: DigestSettings) -> None:
    """Store settings as they are."""
    async with database.transaction() as transaction:
        await DigestStore(database).save(transaction, settings)


@pytest.mark.asyncio
async def test_settings_come_back_as_they_were_stored(database: Database) -> None:
    wanted = digest_settings(days=frozenset({0, 3}), include=("a b", "潮汐"), exclude=("c",), tracks="main")
    await save(database, wanted)
    assert await DigestStore(database).get(1) == wanted


@pytest.mark.asyncio
async def test_a_local_date_is_used_up_once(database: Database) -> None:
    store = DigestStore(database)
    async with database.transaction() as transaction:
        assert await store.take_date(transaction, 1, MAY_4, 3, START)
        assert not await store.take_date(transaction, 1, MAY_4, 3, START)
        assert await store.take_date(transaction, 2, MAY_4, 3, START)


@pytest.mark.asyncio
async def test_dates_of_a_clock_that_ran_ahead_are_no_last_date_but_stay_used(database: Database) -> None:
    store = DigestStore(database)
    async with database.transaction() as transaction:
        await store.take_date(transaction, 1, MAY_4, 1, START)
        await store.take_date(transaction, 1, MAY_4 + timedelta(days=5), 1, START + timedelta(days=5))
    assert await store.last_dates(START) == {1: MAY_4}
    last = await store.last_date(1, START)
    assert last is not None
    assert last.local_date == MAY_4
    assert await store.has_date(1, MAY_4 + timedelta(days=5))


@pytest.mark.asyncio
async def test_12_what_a_channel_has_had_is_a_set_and_no_date(database: Database) -> None:
    first, second, third = await add_news(database, 3)
    store, settings = DigestStore(database), digest_settings()
    async with database.transaction() as transaction:
        await store.mark_had(transaction, 7, [second], passed=False)
    assert await store.candidates(settings) == [first, third]
    assert await store.candidates(digest_settings(channel_id=8)) == [first, second, third]
    assert await store.candidates(digest_settings(since_seq=2)) == [third]


@pytest.mark.asyncio
async def test_26_setting_or_resuming_frees_a_held_digest(database: Database, clock: ManualClock) -> None:
    store = DigestStore(database)
    await save(database, digest_settings())
    async with database.transaction() as transaction:
        await store.hold(transaction, 1, "no_access", START)
        await store.hold(transaction, 1, "no_access", START + timedelta(days=1))
    held = await store.get(1)
    assert held is not None
    assert (held.held_reason, held.held_since) == ("no_access", START)
    await save(database, digest_settings())
    assert (await store.get(1)) == digest_settings()
    async with database.transaction() as transaction:
        await store.hold(transaction, 1, "no_access", START)
        await store.pause(transaction, 1)
        await store.resume(transaction, 1, START + timedelta(days=2))
    resumed = await store.get(1)
    assert resumed is not None
    assert (resumed.paused, resumed.held_reason, resumed.set_at) == (False, None, START + timedelta(days=2))


@pytest.mark.asyncio
async def test_cancelled_parts_give_their_papers_back(database: Database) -> None:
    papers = await add_news(database, 4)
    store, outbox = DigestStore(database), OutboxStore(database)
    async with database.transaction() as transaction:
        await outbox.enqueue(
            transaction,
            [part(0, papers=tuple(papers[:2])), part(1, papers=(papers[2],), more=(papers[3],))],
            START,
        )
        await store.mark_had(transaction, 7, papers, passed=False)
    first = await outbox.get(1)
    assert first is not None
    await outbox.sent(first, 7, 1, START)
    async with database.transaction() as transaction:
        await store.give_back(
            transaction, await outbox.cancel_open(transaction, "removed", START, whom="channel:7")
        )
    assert await store.candidates(digest_settings()) == papers[2:]


@pytest.mark.asyncio
async def test_another_channel_takes_over_what_waits_and_nothing_else(database: Database) -> None:
    papers = await add_news(database, 5)
    store, settings = DigestStore(database), digest_settings()
    async with database.transaction() as transaction:
        await store.mark_had(transaction, 7, [papers[0], papers[1], papers[3]], passed=False)
        since = await store.move(transaction, settings, 8, 5)
    moved = digest_settings(channel_id=8, since_seq=since)
    assert await store.candidates(moved) == [papers[2], papers[4]]


@pytest.mark.asyncio
async def test_a_move_with_nothing_waiting_starts_from_now(database: Database) -> None:
    papers = await add_news(database, 2)
    store = DigestStore(database)
    async with database.transaction() as transaction:
        await store.mark_had(transaction, 7, papers, passed=False)
        assert await store.move(transaction, digest_settings(), 8, 2) == 2


@pytest.mark.asyncio
async def test_digests_of_left_servers_rest(database: Database) -> None:
    store = DigestStore(database)
    await save(database, digest_settings())
    await save(database, digest_settings(guild_id=2, channel_id=8))
    async with database.transaction() as transaction:
        await transaction.execute("INSERT INTO guilds (guild_id, left_at) VALUES (2, 'x')")
        await store.pause(transaction, 3)
    assert [one.guild_id for one in await store.active()] == [1]
    assert [one.guild_id for one in await store.everyone()] == [1, 2]
