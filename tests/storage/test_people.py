"""People, servers, subscriptions: limits and counters hold under concurrent writes."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from storage.database import Database
from storage.errors import StorageError, SubscriptionLimitError, WrongApplicationError
from storage.identity import claim_application, note_rival, rival_seen
from storage.outbox import OutboxStore
from storage.people import PeopleStore
from storage.subscriptions import PER_CHANNEL, PER_PERSON, Subscription, SubscriptionStore
from tests.storage.fixtures import START, part

WISH = Subscription(0, 5, None, None, "keyword", "tides", "tides", True, "en", 0, START)


async def add(database: Database, wish: Subscription) -> bool:
    """Follow, in a transaction of its own."""
    async with database.transaction() as transaction:
        return await SubscriptionStore(database).add(transaction, wish)


@pytest.mark.asyncio
async def test_a_person_follows_a_thing_once_and_at_most_fifty(database: Database) -> None:
    assert await add(database, WISH)
    assert not await add(database, WISH)
    wishes = [replace(WISH, value=f"v{number}") for number in range(PER_PERSON + 5)]
    results = await asyncio.gather(*(add(database, wish) for wish in wishes), return_exceptions=True)
    assert sum(result is True for result in results) == PER_PERSON - 1
    assert sum(isinstance(result, SubscriptionLimitError) for result in results) == 6
    assert await add(database, replace(WISH, guild_id=1, channel_id=7))  # a channel's count is its own


@pytest.mark.asyncio
async def test_a_channel_follows_at_most_twenty(database: Database) -> None:
    wishes = [
        replace(WISH, user_id=number, guild_id=1, channel_id=7, value=f"v{number}")
        for number in range(PER_CHANNEL)
    ]
    await asyncio.gather(*(add(database, wish) for wish in wishes))
    with pytest.raises(SubscriptionLimitError, match="20"):
        await add(database, replace(WISH, guild_id=1, channel_id=7))


@pytest.mark.asyncio
async def test_live_leaves_out_muted_paused_and_left(database: Database) -> None:
    store = SubscriptionStore(database)
    for number, place in enumerate([(None, None), (None, None), (1, 7), (2, 8)], 1):
        await add(database, replace(WISH, user_id=number, guild_id=place[0], channel_id=place[1]))
    async with database.transaction() as transaction:
        await store.mute(transaction, 1)
        await PeopleStore(database).guild_left(transaction, 2, START)
        await store.pause_dms(transaction, 2, "dm_closed")
    assert [one.id for one in await store.live()] == [3]
    await PeopleStore(database).guild_joined(2)
    assert [one.id for one in await store.live()] == [3, 4]


@pytest.mark.asyncio
async def test_strikes_count_in_a_row(database: Database) -> None:
    people = PeopleStore(database)
    assert [await people.dm_refused(5, "dm_closed") for _ in range(2)] == [1, 2]
    assert not (await people.person(5)).told_problem
    await people.dm_arrived(5)
    assert (await people.person(5)).dm_strikes == 0
    assert await people.dm_refused(5, "dm_closed") == 1


@pytest.mark.asyncio
async def test_24_a_left_server_keeps_its_date_and_a_return_clears_it(database: Database) -> None:
    people = PeopleStore(database)
    for days in (0, 3):
        async with database.transaction() as transaction:
            await people.guild_left(transaction, 1, START + timedelta(days=days))
    assert await people.guilds() == {1: START}
    await people.guild_joined(1)
    assert await people.guilds() == {1: None}


@pytest.mark.asyncio
async def test_forgetting_a_server_leaves_peoples_own_subscriptions(database: Database) -> None:
    await add(database, replace(WISH, guild_id=1))
    await add(database, replace(WISH, user_id=6, guild_id=1, channel_id=7))
    async with database.transaction() as transaction:
        await PeopleStore(database).forget_guild(transaction, 1)
    assert [one.user_id for one in await SubscriptionStore(database).live()] == [5]


@pytest.mark.asyncio
async def test_forgetting_a_person_cancels_what_waits_for_them(database: Database) -> None:
    async with database.transaction() as transaction:
        await OutboxStore(database).enqueue(
            transaction, [part(whom="user:5", kind="alert"), part(whom="user:6", kind="alert")], START
        )
    await add(database, WISH)
    await PeopleStore(database).forget(5)
    assert await SubscriptionStore(database).of_person(5) == []
    assert (await OutboxStore(database).counts())["pending"] == 1


@pytest.mark.asyncio
async def test_a_database_belongs_to_one_application(database: Database) -> None:
    await claim_application(database, 10)
    await claim_application(database, 10)
    with pytest.raises(WrongApplicationError, match="belongs to the Discord application 10, not to 11"):
        await claim_application(database, 11)
    assert issubclass(WrongApplicationError, StorageError)


@pytest.mark.asyncio
async def test_traces_of_a_second_process_are_kept(database: Database) -> None:
    assert await rival_seen(database) is None
    await note_rival(database, START)
    await note_rival(database, START + timedelta(hours=1))
    assert await rival_seen(database) == START + timedelta(hours=1)
