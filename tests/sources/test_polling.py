"""When a source runs: from the database, by itself, and more rarely the worse it goes."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.sources.http import BusyError, FetchError
from bot.sources.importing import Imported, ImportFailedError
from bot.sources.polling import Harvest
from tests.sources.site import START, Desk, counts


class Scripted:
    """A source that brings what the test says."""

    name = "scripted"

    def __init__(self) -> None:
        self.problem: Exception | None = None
        self.partial: FetchError | None = None
        self.seen: list[dict[str, Any]] = []

    async def collect(self, state: dict[str, Any], folder: Path) -> Harvest:
        self.seen.append(state)
        if self.problem:
            raise self.problem
        file = folder / "page"
        file.write_bytes(b"body")
        run = len(self.seen)
        return Harvest([file], {"run": run}, [self.partial] if self.partial else [])


@pytest.mark.asyncio
async def test_it_runs_when_due_and_a_restart_asks_nobody_twice(desk: Desk) -> None:
    source = Scripted()
    assert await desk.poller(source).run_if_due()
    assert not await desk.poller(source).run_if_due(), "a new poller knows the plan from the database"
    desk.clock.advance(timedelta(minutes=59, seconds=59))
    assert not await desk.poller(source).run_if_due()
    desk.clock.advance(timedelta(seconds=1))
    assert await desk.poller(source).run_if_due()
    assert source.seen == [{}, {"run": 1}]
    assert desk.loads == [[b"body"], [b"body"]]


@pytest.mark.asyncio
async def test_a_failure_is_told_and_tried_again_more_and_more_rarely(desk: Desk) -> None:
    source = Scripted()
    source.problem = FetchError("example.org answers 500")
    poller = desk.poller(source)
    pauses = []
    for _ in range(7):
        assert await poller.run_if_due()
        state = await desk.state("scripted")
        assert state.last_error == "example.org answers 500"
        assert state.next_run is not None
        pauses.append((state.next_run - desk.clock.now()).total_seconds() / 60)
        desk.clock.set(state.next_run)
    assert pauses == [2, 4, 8, 16, 32, 60, 60]
    source.problem = None
    await poller.run_if_due()
    state = await desk.state("scripted")
    assert state.last_error is None
    assert state.last_success == desk.clock.now()


@pytest.mark.asyncio
async def test_the_wish_to_be_left_alone_is_heard(desk: Desk) -> None:
    source = Scripted()
    source.problem = BusyError("busy", timedelta(hours=5))
    await desk.poller(source).run_if_due()
    assert (await desk.state("scripted")).next_run == START + timedelta(hours=5)
    desk.clock.advance(timedelta(hours=4))
    assert not await desk.poller(source).run_if_due()


@pytest.mark.asyncio
async def test_what_came_before_a_failure_is_loaded(desk: Desk) -> None:
    source = Scripted()
    source.partial = BusyError("page 3 is busy", timedelta(minutes=7))
    await desk.poller(source).run_if_due()
    assert desk.loads == [[b"body"]]
    state = await desk.state("scripted")
    assert state.last_error == "page 3 is busy"
    assert state.next_run == START + timedelta(minutes=7)


@pytest.mark.asyncio
async def test_what_was_not_loaded_is_not_remembered(desk: Desk) -> None:
    source = Scripted()
    desk.outcome = ImportFailedError("no memory")
    await desk.poller(source).run_if_due()
    assert (await desk.state("scripted")).last_error == "no memory"
    desk.outcome = Imported(counts(), False, ("page: no paper found",))
    desk.clock.advance(timedelta(hours=1))
    await desk.poller(source).run_if_due()
    assert (await desk.state("scripted")).last_error == "page: no paper found"
    desk.outcome = Imported(counts(read=30, new=2, updated=1), True)
    desk.clock.advance(timedelta(hours=1))
    await desk.poller(source).run_if_due()
    assert source.seen == [{}, {}, {}]
    assert (await desk.state("scripted")).counts == {"read": 30, "new": 2, "updated": 1}


@pytest.mark.asyncio
async def test_a_bug_in_a_source_stays_in_it(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    source = Scripted()
    source.problem = ZeroDivisionError("oops")
    assert await desk.poller(source).run_if_due()
    assert (await desk.state("scripted")).last_error == "ZeroDivisionError (see the log)"
    assert "oops" in caplog.text


@pytest.mark.asyncio
async def test_a_clock_set_back_or_a_shorter_interval_does_not_stop_it(desk: Desk) -> None:
    source = Scripted()
    await desk.poller(source, minutes=600).run_if_due()
    assert await desk.poller(source, minutes=5).run_if_due(), "the operator wants it more often now"
    desk.clock.advance(timedelta(days=-400))
    assert await desk.poller(source, minutes=5).run_if_due()
