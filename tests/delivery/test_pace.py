"""Turns, on a loop whose time is made up."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.delivery import pace
from bot.delivery.pace import GLOBAL_PER_SECOND, INVALID_LIMIT, InvalidRequests, Pacer


class MadeUpTime:
    """A monotonic time that moves only by sleeping; `late` is how much each sleep oversleeps."""

    def __init__(self, late: float = 0.0) -> None:
        self.now = 1000.0
        self.late = late

    def time(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds + self.late


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> MadeUpTime:
    time = MadeUpTime()

    class Loops:
        Lock = asyncio.Lock
        sleep = staticmethod(time.sleep)

        @staticmethod
        def get_running_loop() -> MadeUpTime:
            return time

    monkeypatch.setattr(pace, "asyncio", Loops)
    return time


async def _turns(pacer: Pacer, time: MadeUpTime, count: int) -> list[float]:
    moments = []
    for _ in range(count):
        await pacer.turn()
        moments.append(time.now)
    return moments


def _most_within(moments: list[float], seconds: float) -> int:
    return max(sum(start <= one < start + seconds for one in moments) for start in moments)


@pytest.mark.asyncio
@pytest.mark.parametrize("late", [0.0, 0.001, 0.03])
async def test_no_second_has_more_turns_than_allowed(made_up: MadeUpTime, late: float) -> None:
    made_up.late = late
    moments = await _turns(Pacer(48), made_up, 500)
    assert _most_within(moments, 1.0) <= 48


@pytest.mark.asyncio
async def test_a_loop_that_was_busy_catches_up_within_the_allowance(made_up: MadeUpTime) -> None:
    pacer = Pacer(48)
    moments = await _turns(pacer, made_up, 48)
    made_up.now += 0.2
    moments += await _turns(pacer, made_up, 200)
    assert _most_within(moments, 1.0) <= 48
    assert moments[-1] - moments[0] < 248 / 48 + 0.1


@pytest.mark.asyncio
async def test_the_allowance_is_used(made_up: MadeUpTime) -> None:
    moments = await _turns(Pacer(48), made_up, 481)
    assert moments[-1] - moments[0] == pytest.approx(10.0, rel=0.02)


@pytest.mark.asyncio
async def test_a_pause_holds_those_who_wait_already(made_up: MadeUpTime) -> None:
    pacer = Pacer(1)
    await pacer.turn()
    pacer.pause(30)
    assert await _turns(pacer, made_up, 2) == [pytest.approx(1030), pytest.approx(1031)]


def test_the_pace_leaves_room_for_jitter_within_what_is_asked_of_it() -> None:
    assert 50 / 1.15 < GLOBAL_PER_SECOND <= 46


@pytest.mark.asyncio
async def test_holding_stops_and_then_halves_the_rate(made_up: MadeUpTime) -> None:
    pacer = Pacer(1)
    await pacer.turn()
    pacer.hold(90)
    moments = await _turns(pacer, made_up, 3)
    assert moments[0] >= 1090
    assert moments[2] - moments[1] == pytest.approx(2.0)


@pytest.mark.asyncio
async def test_a_waiter_that_gives_up_takes_no_turn_from_others() -> None:
    pacer = Pacer(0.001)
    await pacer.turn()
    waiting = asyncio.create_task(pacer.turn())
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert not pacer._lock.locked()


def test_at_five_thousand_refusals_sending_stops_until_a_window_has_passed() -> None:
    clock = MadeUpTime()
    invalid = InvalidRequests(clock.time)
    for _ in range(INVALID_LIMIT - 1):
        invalid.note(403)
    invalid.note(200)
    invalid.note(404)
    assert _exhausted_at(invalid, clock, 1000.0) == [False]
    invalid.note(429)
    assert _exhausted_at(invalid, clock, 1000.0, 1599.0, 1601.0) == [True, True, False]
    assert invalid.count == 0


def test_refusals_older_than_ten_minutes_dont_count() -> None:
    clock = MadeUpTime()
    invalid = InvalidRequests(clock.time, limit=3)
    for clock.now in (1000.0, 1400.0, 1700.0, 2050.0):
        invalid.note(401)
    assert _exhausted_at(invalid, clock, 2050.0) == [False]
    clock.now = 2100.0
    invalid.note(401)
    assert _exhausted_at(invalid, clock, 2100.0) == [True]


def test_a_stop_is_never_shortened() -> None:
    clock = MadeUpTime()
    invalid = InvalidRequests(clock.time)
    invalid.stop(timedelta(minutes=10))
    invalid.stop(timedelta(minutes=5))
    assert _exhausted_at(invalid, clock, 1400.0, 1601.0) == [True, False]


def _exhausted_at(invalid: InvalidRequests, clock: MadeUpTime, *moments: float) -> list[bool]:
    found = []
    for clock.now in moments:
        found.append(invalid.exhausted)
    return found
