"""The worker on a real database: order, independence, states, restarts, the lease."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import timedelta

import aiohttp
import pytest
import pytest_asyncio

from bot.clock import ManualClock
from bot.delivery.outcome import LONGEST_DELAY, MOST_ATTEMPTS, backoff
from bot.delivery.post import Nonce
from bot.delivery.verdict import EmptyHistoryError, NoHistoryError, NotAllowedError, ThreadGoneError
from storage.database import Database
from storage.outbox import OutboxStore
from tests.delivery.errors import refused
from tests.delivery.fakes import Bench
from tests.storage.fixtures import part

CUT = aiohttp.ServerDisconnectedError


@pytest_asyncio.fixture
async def bench(database: Database, clock: ManualClock) -> AsyncIterator[Bench]:
    made = Bench(database, clock)
    await made.worker.start()
    yield made
    await made.worker.stop(timedelta())


@pytest.mark.asyncio
async def test_parts_arrive_in_order_and_once(bench: Bench) -> None:
    await bench.put(*(part(number, whom=f"channel:{channel}") for number in range(4) for channel in (7, 8)))
    await bench.work()
    for channel in ("channel:7", "channel:8"):
        assert [number for whom, number in bench.post.sends if whom == channel] == [0, 1, 2, 3]
    assert await bench.states() == ["sent"] * 8


@pytest.mark.asyncio
async def test_18_one_destinations_trouble_stops_no_other(bench: Bench) -> None:
    """Field report 18: one of four servers fails; only that one is retried."""
    bench.post.answers["channel:2"] = [CUT()]
    await bench.put(*(part(0, whom=f"channel:{channel}") for channel in (1, 2, 3, 4)))
    await bench.work()
    assert await bench.states() == ["sent", "pending", "sent", "sent"]
    bench.clock.advance(timedelta(seconds=5))
    await bench.work()
    assert sorted(whom for whom, _ in bench.post.sends) == [
        "channel:1",
        "channel:2",
        "channel:2",
        "channel:3",
        "channel:4",
    ]


@pytest.mark.asyncio
async def test_80_a_forbidden_channel_silences_no_other(bench: Bench) -> None:
    """Field report 80: Missing Access in one channel; the one after it is served."""
    bench.post.answers["channel:1"] = [refused(403, 50001)]
    await bench.put(part(0, whom="channel:1"), part(1, whom="channel:1"), part(0, whom="channel:2"))
    await bench.work()
    assert await bench.states() == ["held", "pending", "sent"]
    assert bench.told.held_parts == [("channel:1", "no_access")]


@pytest.mark.asyncio
async def test_a_hanging_destination_holds_up_nobody(bench: Bench) -> None:
    released = asyncio.Event()

    async def hang() -> None:
        await released.wait()

    bench.post.answers = {f"channel:{number}": [hang] for number in range(100, 140)}
    await bench.put(*(part(0, whom=f"channel:{number}") for number in range(100, 160)))
    async with asyncio.timeout(5):
        while (await bench.states()).count("sent") < 20:  # noqa: ASYNC110 - rows of a database tell nobody
            await asyncio.sleep(0.01)
    assert (await bench.states()).count("sending") == 40
    released.set()
    await bench.work()
    assert await bench.states() == ["sent"] * 60


@pytest.mark.asyncio
async def test_many_people_whose_dms_open_slowly_leave_room_for_channels(bench: Bench) -> None:
    released = asyncio.Event()

    async def slow() -> None:
        await released.wait()

    bench.post.answers = {f"user:{number}": [slow] for number in range(1, 400)}
    await bench.put(*(part(0, whom=f"user:{number}", kind="alert") for number in range(1, 400)), part(0))
    async with asyncio.timeout(5):
        while (await bench.row(400)).state != "sent":  # noqa: ASYNC110 - rows of a database tell nobody
            await asyncio.sleep(0.01)
    assert len(bench.worker._serving) <= 9
    released.set()


@pytest.mark.asyncio
async def test_16_a_part_that_was_stored_but_not_answered_is_sent_with_the_same_nonce(bench: Bench) -> None:
    """Field report 16: the message is delivered, the call raises a timeout."""
    bench.post.answers["channel:7"] = [TimeoutError()]
    await bench.put(part(0))
    await bench.work()
    row = await bench.row()
    assert (row.state, row.uncertain, row.attempts) == ("pending", True, 1)
    bench.clock.advance(timedelta(seconds=4))
    await bench.work()
    assert bench.post.nonces == [Nonce.KNOWN, Nonce.KNOWN]
    assert await bench.states() == ["sent"]


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("passed", "restarted", "believed"),
    [
        (timedelta(seconds=10), False, Nonce.KNOWN),
        (timedelta(seconds=10), True, Nonce.LIKELY),
        (timedelta(minutes=5), False, Nonce.FORGOTTEN),
        (timedelta(minutes=5), True, Nonce.FORGOTTEN),
        (-timedelta(days=1), False, Nonce.FORGOTTEN),
        (-timedelta(days=1), True, Nonce.FORGOTTEN),
    ],
)
async def test_a_nonce_is_believed_in_only_while_both_clocks_allow_it(
    bench: Bench, passed: timedelta, restarted: bool, believed: Nonce
) -> None:
    bench.post.answers["channel:7"] = [CUT()]
    await bench.put(part(0))
    await bench.work()
    bench.clock.advance(passed)
    if restarted:
        await bench.worker.stop(timedelta())
        bench.worker = bench.new_worker()
        await bench.worker.start()
    await bench.work()
    assert bench.post.nonces[-1] is believed


@pytest.mark.asyncio
async def test_a_part_found_in_the_history_is_adopted(bench: Bench) -> None:
    bench.post.answers["channel:7"] = [CUT()]
    await bench.put(part(0), part(1))
    await bench.work()
    bench.post.standing.add(("channel:7", 0))
    bench.clock.advance(timedelta(minutes=5))
    await bench.work()
    assert bench.post.sends == [("channel:7", 0), ("channel:7", 1)]
    assert await bench.states() == ["sent", "sent"]


@pytest.mark.asyncio
async def test_without_the_right_to_look_an_uncertain_part_is_held(bench: Bench) -> None:
    bench.post.answers["channel:7"] = [CUT()]
    bench.post.before["channel:7"] = []
    await bench.put(part(0))
    await bench.work()
    bench.post.before["channel:7"] = [NoHistoryError()]
    bench.clock.advance(timedelta(minutes=5))
    await bench.work()
    row = await bench.row()
    assert (row.state, row.uncertain) == ("held", True)
    assert bench.told.held_parts == [("channel:7", "uncertain")]


@pytest.mark.asyncio
async def test_an_attempt_that_ends_before_the_send_makes_nothing_uncertain(bench: Bench) -> None:
    bench.post.before["channel:7"] = [CUT()]
    await bench.put(part(0))
    await bench.work()
    row = await bench.row()
    assert (row.state, row.uncertain, row.attempts, row.first_attempt_at) == ("pending", False, 1, None)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("error", "state"),
    [
        (NotAllowedError("send_messages"), "held"),
        (ThreadGoneError(), "cancelled"),
        (EmptyHistoryError(), "pending"),
    ],
    ids=lambda value: type(value).__name__,
)
async def test_what_is_known_beforehand_costs_no_request(bench: Bench, error: Exception, state: str) -> None:
    bench.post.before["channel:7"] = [error]
    await bench.put(part(0))
    await bench.work()
    assert await bench.states() == [state]
    assert bench.post.sends == []


@pytest.mark.asyncio
async def test_17_a_refused_message_is_sent_as_text_once_and_then_fails(bench: Bench) -> None:
    """Field report 17: a permanent refusal isn't retried for ever, and others are unaffected."""
    bench.post.answers["channel:7"] = [refused(400, 50035), refused(400, 50035)]
    await bench.put(part(0), part(1))
    await bench.work()
    assert bench.post.sends == [("channel:7", 0), ("channel:7", 0), ("channel:7", 1)]
    assert await bench.states() == ["failed", "sent"]
    assert bench.told.failed_parts == [("channel:7", "refused")]


@pytest.mark.asyncio
@pytest.mark.parametrize(("kind", "state"), [("alert", "held"), ("notice", "failed"), ("test", "failed")])
async def test_83_closed_dms_hold_alerts_and_end_what_has_lost_its_point(
    bench: Bench, kind: str, state: str
) -> None:
    """Field report 83: three subscribers, the second's DMs are closed; the others get theirs."""
    bench.post.answers["user:2"] = [refused(403, 50007)]
    await bench.put(*(part(0, whom=f"user:{number}", kind=kind) for number in (1, 2, 3)))
    await bench.work()
    assert await bench.states() == ["sent", state, "sent"]


@pytest.mark.asyncio
async def test_a_dm_channel_is_opened_anew_once(bench: Bench) -> None:
    bench.post.answers["user:2"] = [refused(403, 50001), refused(403, 50001)]
    await bench.put(part(0, whom="user:2", kind="alert"))
    await bench.work()
    assert bench.post.forgotten == [2, 2]
    assert len(bench.post.sends) == 2
    assert bench.told.held_parts == [("user:2", "dm_closed")]


@pytest.mark.asyncio
async def test_opening_dms_too_fast_slows_all_of_them(bench: Bench) -> None:
    bench.post.before["user:2"] = [refused(403, 40003)]
    await bench.put(part(0, whom="user:2", kind="alert"))
    await bench.work()
    assert bench.post.slowed == [90.0]
    assert (await bench.row()).next_at >= bench.clock.now() + timedelta(seconds=90)


@pytest.mark.asyncio
async def test_85_discords_wait_is_kept(bench: Bench) -> None:
    bench.post.answers["channel:7"] = [refused(429, Retry_After="300")]
    await bench.put(part(0))
    await bench.work()
    assert (await bench.row()).next_at == bench.clock.now() + timedelta(seconds=300)


@pytest.mark.asyncio
async def test_retries_end(bench: Bench) -> None:
    bench.post.answers["channel:7"] = [refused(503)]
    await bench.put(part(0), part(1))
    async with bench.database.transaction() as transaction:
        await transaction.execute("UPDATE outbox SET attempts = ? WHERE id = 1", (MOST_ATTEMPTS - 1,))
    await bench.work()
    assert await bench.states() == ["failed", "sent"]


def test_the_backoff_doubles_is_bounded_and_spread() -> None:
    assert [backoff(n, lambda: 1.0).total_seconds() for n in (0, 1, 2, 8)] == [2.0, 4.0, 8.0, 512.0]
    assert backoff(10_000, lambda: 1.0) == LONGEST_DELAY
    assert backoff(3, lambda: 0.0) == backoff(3, lambda: 1.0) / 2
    assert timedelta(days=3) <= MOST_ATTEMPTS * LONGEST_DELAY


@pytest.mark.asyncio
async def test_too_many_refusals_stop_everything_until_the_window_has_passed(bench: Bench) -> None:
    for _ in range(5_000):
        bench.invalid.note(403)
    await bench.put(part(0))
    bench.worker.wake()
    await asyncio.sleep(0.05)
    assert bench.post.sends == []
    bench.clock.advance(timedelta(minutes=11))
    await bench.work()
    assert await bench.states() == ["sent"]


@pytest.mark.asyncio
async def test_20_nothing_counts_as_sent_before_it_is(bench: Bench) -> None:
    """Field report 20: the first run fails at delivery; it is delivered later."""
    bench.post.answers["channel:7"] = [refused(503)] * 3
    await bench.put(part(0))
    for _ in range(3):
        await bench.work()
        assert await bench.states() == ["pending"]
        bench.clock.advance(timedelta(minutes=15))
    await bench.work()
    assert await bench.states() == ["sent"]


@pytest.mark.asyncio
async def test_38_what_follows_from_a_delivery_may_fail_without_undoing_it(bench: Bench) -> None:
    bench.told.broken = True
    await bench.put(part(0), part(1))
    await bench.work()
    assert await bench.states() == ["sent", "sent"]


@pytest.mark.asyncio
async def test_a_mark_that_cant_be_written_leaves_the_part_uncertain_not_stuck(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = OutboxStore.sent
    broken = [True]

    async def refuse(self: OutboxStore, *arguments: object) -> None:
        if broken.pop() if broken else False:
            raise OSError("disk full")
        await sent(self, *arguments)  # type: ignore[arg-type] # passed through

    monkeypatch.setattr(OutboxStore, "sent", refuse)
    await bench.put(part(0))
    await bench.work()
    bench.post.standing.add(("channel:7", 0))
    async with asyncio.timeout(10):
        while await bench.states() != ["sent"]:
            bench.worker.wake()
            await asyncio.sleep(0.01)
    assert len(bench.post.sends) <= 2  # the second one within the nonce's life


# --- stopping and taking over ---------------------------------------------------------------------


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("point", "state", "sends"),
    [("prepared", "pending", 0), ("begun", "sending", 0), ("answered", "sending", 1), ("marked", "sent", 1)],
)
async def test_2_a_crash_at_any_point_resumes_the_same_part(
    bench: Bench, point: str, state: str, sends: int
) -> None:
    crashed = asyncio.Event()

    def crash(name: str) -> None:
        if name == point:
            assert crashing._runner is not None
            crashing._runner.cancel()
            crashed.set()
            raise asyncio.CancelledError  # ends the task there, as a kill would

    await bench.worker.stop(timedelta())
    crashing = bench.new_worker(crash)
    await crashing.start()
    await bench.put(part(0))
    crashing.wake()
    await crashed.wait()
    await asyncio.gather(*crashing._serving.values(), return_exceptions=True)
    assert (await bench.states(), len(bench.post.sends)) == ([state], sends)
    bench.worker = bench.new_worker()
    if sends:
        bench.post.standing.add(("channel:7", 0))
    await bench.worker.start()
    await bench.work()
    assert await bench.states() == ["sent"]
    assert len(bench.post.sends) == 1


@pytest.mark.asyncio
async def test_a_stop_waits_for_the_send_in_flight_and_marks_it(bench: Bench) -> None:
    started, release = asyncio.Event(), asyncio.Event()

    async def slow() -> None:
        started.set()
        await release.wait()

    bench.post.answers["channel:7"] = [slow]
    await bench.put(part(0), part(1))
    bench.worker.wake()
    await started.wait()
    stopping = asyncio.create_task(bench.worker.stop(timedelta(seconds=5)))
    await asyncio.sleep(0.01)
    assert not stopping.done()
    release.set()
    await stopping
    assert await bench.states() == ["sent", "pending"]


@pytest.mark.asyncio
async def test_a_stop_doesnt_wait_for_ever(bench: Bench) -> None:
    started = asyncio.Event()

    async def hang() -> None:
        started.set()
        await asyncio.Event().wait()

    bench.post.answers["channel:7"] = [hang]
    await bench.put(part(0))
    bench.worker.wake()
    await started.wait()
    await bench.worker.stop(timedelta(seconds=0.05))
    assert await bench.states() == ["sending"]
    assert await bench.outbox.reconcile() == 1


@pytest.mark.asyncio
async def test_a_process_that_slept_sends_nothing_after_another_took_over(bench: Bench) -> None:
    async with Database(bench.database.path) as other:
        await OutboxStore(other).take_lease()
    await bench.put(part(0), part(0, whom="channel:8"))
    bench.worker.wake()
    async with asyncio.timeout(5):
        await bench.worker.lost.wait()
    assert bench.post.sends == []
    assert await bench.states() == ["pending", "pending"]


@pytest.mark.asyncio
async def test_86_the_queue_survives_a_restart(bench: Bench) -> None:
    await bench.worker.stop(timedelta())
    await bench.put(*(part(0, whom=f"user:{number}", kind="alert") for number in range(1, 151)))
    bench.worker = bench.new_worker()
    await bench.worker.start()
    await bench.work()
    assert await bench.states() == ["sent"] * 150
    assert len(set(bench.post.sends)) == 150


@pytest.mark.asyncio
async def test_an_outbox_that_cant_be_read_is_tried_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue: Callable[..., object] = bench.outbox.queue
    failures = [True]

    async def refuse(*arguments: object) -> object:
        if failures:
            failures.pop()
            raise OSError("locked")
        return await queue(*arguments)  # type: ignore[misc] # passed through

    monkeypatch.setattr(bench.outbox, "queue", refuse)
    await bench.put(part(0))
    async with asyncio.timeout(5):
        while await bench.states() != ["sent"]:
            bench.worker.wake()
            await asyncio.sleep(0.01)
    assert failures == []
