"""The outbox as a state machine, on a real file."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.clock import ManualClock
from storage.database import Database
from storage.outbox import LeaseLostError, Line, NewPart, OutboxStore, Part
from storage.outbox_rows import mark_of
from tests.storage.fixtures import START, part

FREE = {"channel": 10, "known": 10, "new": 10}


async def put(database: Database, *parts: NewPart) -> int:
    """Enqueue in a transaction of its own."""
    async with database.transaction() as transaction:
        return await OutboxStore(database).enqueue(transaction, parts, START)


async def stored(database: Database, number: int = 1) -> Part:
    """A row, by id."""
    found = await OutboxStore(database).get(number)
    assert found is not None
    return found


async def begun(database: Database, number: int = 1) -> Part:
    """A row that has just been moved to `sending`, as it was before."""
    store = OutboxStore(database)
    before = await stored(database, number)
    assert await store.begin(before, await store.take_lease(), START)
    return before


async def heads(database: Database, clock: ManualClock) -> list[str]:
    """The lines that may be served now."""
    queue = await OutboxStore(database).queue(clock.now(), FREE)
    return [line.key for line in queue.lines]


def test_marks_and_nonces_follow_from_the_key_alone_and_fit() -> None:
    one, same, other = part(), part(body={}), part(1)
    assert (one.mark, one.nonce) == (same.mark, same.nonce) == (mark_of("w", 0, "channel:7"), one.nonce)
    assert len({one.mark, one.nonce, other.mark, other.nonce}) == 4
    assert len(one.nonce) <= 25


@pytest.mark.asyncio
async def test_a_part_is_stored_once_with_its_papers(database: Database) -> None:
    new = part(papers=(3, 1), more=(2,))
    assert await put(database, new) == 1
    assert await put(database, part(papers=(9,), body={"content": "other"})) == 0
    store = OutboxStore(database)
    assert await store.papers_of_mark(new.mark) == [3, 1]
    assert await store.papers_of_mark(new.mark, shown=False) == [2]
    assert (await stored(database)).body["content"] == "w 0"


@pytest.mark.asyncio
async def test_parts_of_a_destination_go_in_order_and_destinations_side_by_side(
    database: Database, clock: ManualClock
) -> None:
    await put(database, part(0), part(1), part(0, whom="channel:8"), part(0, whom="user:5", kind="alert"))
    assert await heads(database, clock) == ["channel:7/0", "channel:8/0", "user:5/0"]
    store = OutboxStore(database)
    head = await store.head(Line("channel:7", False), clock.now())
    assert head is not None
    assert head.part == 0
    await begun(database)
    assert await store.head(Line("channel:7", False), clock.now()) is None
    await store.sent(head, 7, 1001, clock.now())
    following = await store.head(Line("channel:7", False), clock.now())
    assert following is not None
    assert following.part == 1


@pytest.mark.asyncio
async def test_what_is_held_holds_up_its_own_line_only(database: Database, clock: ManualClock) -> None:
    await put(database, part(0), part(1), part(0, whom="channel:8"))
    store = OutboxStore(database)
    await store.held(await begun(database), "no_access", uncertain=False)
    assert await heads(database, clock) == ["channel:8/0"]
    assert await store.release("channel:7", clock.now()) == 1
    assert await heads(database, clock) == ["channel:7/0", "channel:8/0"]


@pytest.mark.asyncio
async def test_a_test_message_passes_a_persons_held_alerts(database: Database, clock: ManualClock) -> None:
    await put(database, part(0, whom="user:5", kind="alert"))
    await OutboxStore(database).held(await begun(database), "dm_closed", uncertain=False)
    await put(database, part(0, whom="user:5", kind="test", what="t"))
    assert await heads(database, clock) == ["user:5/1"]


@pytest.mark.asyncio
async def test_lanes_are_filled_separately(database: Database, clock: ManualClock) -> None:
    await put(database, *(part(0, whom=f"user:{n}", kind="alert") for n in range(1, 6)), part(0))
    async with database.transaction() as transaction:
        await transaction.execute("INSERT INTO people (user_id, dm_channel_id) VALUES (4, 44)")
    queue = await OutboxStore(database).queue(clock.now(), {"channel": 1, "known": 1, "new": 2})
    assert [(line.whom, line.lane) for line in queue.lines] == [
        ("user:1", "new"),
        ("user:2", "new"),
        ("user:4", "known"),
        ("channel:7", "channel"),
    ]


@pytest.mark.asyncio
async def test_the_next_look_is_when_the_next_head_is_due(database: Database, clock: ManualClock) -> None:
    await put(database, part(0), part(1))
    store = OutboxStore(database)
    await store.again(await begun(database), "retrying", START + timedelta(minutes=2), uncertain=True)
    queue = await store.queue(clock.now(), FREE)
    assert queue.lines == ()
    assert queue.next_at == START + timedelta(minutes=2)
    clock.advance(timedelta(minutes=2))
    assert await heads(database, clock) == ["channel:7/0"]


@pytest.mark.asyncio
async def test_a_clock_that_was_set_back_makes_nothing_wait(database: Database, clock: ManualClock) -> None:
    await put(database, part(0))
    store = OutboxStore(database)
    await store.again(await begun(database), "retrying", START + timedelta(minutes=2), uncertain=True)
    clock.advance(-timedelta(days=1))
    assert await heads(database, clock) == ["channel:7/0"]
    assert await store.head(Line("channel:7", False), clock.now()) is not None


@pytest.mark.asyncio
async def test_beginning_counts_and_makes_uncertain(database: Database) -> None:
    await put(database, part(0))
    await begun(database)
    after = await stored(database)
    assert (after.state, after.attempts, after.uncertain) == ("sending", 1, True)
    assert after.first_attempt_at == after.last_attempt_at == START
    store = OutboxStore(database)
    assert not await store.begin(after, await store.take_lease(), START)


@pytest.mark.asyncio
async def test_who_has_lost_the_lease_begins_nothing(database: Database) -> None:
    await put(database, part(0))
    store = OutboxStore(database)
    old = await store.take_lease()
    async with Database(database.path) as second:
        await OutboxStore(second).take_lease()
    with pytest.raises(LeaseLostError):
        await store.begin(await stored(database), old, START)
    assert (await stored(database)).state == "pending"


@pytest.mark.asyncio
async def test_of_two_that_begin_at_once_one_does(database: Database) -> None:
    await put(database, part(0))
    store = OutboxStore(database)
    fence, row = await store.take_lease(), await stored(database)
    assert sorted(await asyncio.gather(*(store.begin(row, fence, START) for _ in range(5)))) == [
        False
    ] * 4 + [True]


@pytest.mark.asyncio
async def test_what_was_in_flight_is_uncertain_after_a_restart(database: Database) -> None:
    await put(database, part(0), part(0, whom="channel:8"))
    await begun(database)
    store = OutboxStore(database)
    assert await store.reconcile() == 1
    assert ((await stored(database)).state, (await stored(database)).uncertain) == ("pending", True)
    assert ((await stored(database, 2)).state, (await stored(database, 2)).uncertain) == ("pending", False)


@pytest.mark.asyncio
@pytest.mark.parametrize("state", ["sent", "failed", "cancelled"])
async def test_what_is_done_stays_done(database: Database, state: str) -> None:
    await put(database, part(0))
    store, row = OutboxStore(database), await begun(database)
    if state == "sent":
        await store.sent(row, 7, 1001, START)
    elif state == "failed":
        await store.failed(row, "refused", START)
    else:
        await store.cancelled(row, "deleted", START)
    await store.again(row, "x", START, uncertain=True)
    await store.held(row, "x", uncertain=True)
    await store.failed(row, "x", START)
    async with database.transaction() as transaction:
        assert await store.cancel_open(transaction, "x", START) == []
    await store.reconcile()
    assert (await stored(database)).state == state


@pytest.mark.asyncio
async def test_a_part_in_flight_is_not_cancelled(database: Database) -> None:
    await put(database, part(0), part(1))
    await begun(database)
    async with database.transaction() as transaction:
        assert await OutboxStore(database).cancel_open(transaction, "removed", START, guild_id=1) == [2]
    assert (await stored(database)).state == "sending"


@pytest.mark.asyncio
async def test_an_unsent_attempt_counts_as_well(database: Database) -> None:
    await put(database, part(0))
    await OutboxStore(database).again(await stored(database), "retrying", START, uncertain=False, sent=False)
    assert (await stored(database)).attempts == 1


@pytest.mark.asyncio
async def test_old_bodies_and_rows_are_forgotten_but_nothing_that_waits(
    database: Database, clock: ManualClock
) -> None:
    await put(database, part(0, papers=(1,)), part(0, whom="channel:8"))
    store = OutboxStore(database)
    await store.sent(await begun(database), 7, 1001, START)
    assert await store.prune(START + timedelta(days=31)) == (1, 0)
    assert await store.papers_of_mark(part(0).mark) == [1]
    assert (await stored(database, 2)).body["content"] == "w 0"
    assert await store.prune(START + timedelta(days=401)) == (0, 1)
    assert await store.counts() == {
        "pending": 1, "sending": 0, "sent": 0, "held": 0, "failed": 0, "cancelled": 0
    }  # fmt: skip


@pytest.mark.asyncio
async def test_alerts_that_waited_a_month_are_given_up(database: Database) -> None:
    await put(
        database, part(0, whom="user:5", kind="alert"), part(0), part(0, whom="channel:8", kind="alert")
    )
    store = OutboxStore(database)
    for number in (1, 2, 3):
        await store.held(await stored(database, number), "x", uncertain=False)
    assert await store.cancel_stale(START + timedelta(seconds=1), START) == 2
    states = [(await stored(database, number)).state for number in (1, 2, 3)]
    assert states == ["cancelled", "held", "cancelled"]


@pytest.mark.asyncio
async def test_later_parts_know_the_thread_of_the_first(database: Database) -> None:
    await put(database, part(0), part(1), part(0, what="other"))
    store = OutboxStore(database)
    assert await store.thread_of(await stored(database, 2)) is None
    await store.sent(await begun(database), 555, 555, START)
    assert await store.thread_of(await stored(database, 2)) == 555
    assert await store.thread_of(await stored(database, 3)) is None
