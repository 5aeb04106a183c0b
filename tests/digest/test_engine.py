"""The scheduler only wakes; a clock that was set back doesn't put it to sleep."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from bot.engine import BEAT, DIGEST_EVERY, _every, mend_plans


@pytest.mark.asyncio
async def test_jobs_planned_beyond_their_interval_are_brought_forward() -> None:
    scheduler = AsyncIOScheduler(timezone=UTC)
    ran: list[str] = []

    async def job() -> None:
        ran.append("x")

    _every(scheduler, DIGEST_EVERY, "digests", job)
    scheduler.start()
    try:
        now = datetime.now(UTC)
        assert mend_plans(scheduler, now) == 0
        set_back = now - timedelta(days=1)
        assert mend_plans(scheduler, set_back) == 1
        (planned,) = scheduler.get_jobs()
        assert planned.next_run_time == set_back
    finally:
        scheduler.shutdown(wait=False)


def test_a_due_digest_starts_within_twenty_seconds_of_a_jump() -> None:
    assert DIGEST_EVERY <= 15
    assert DIGEST_EVERY + BEAT + 1 <= 20


@pytest.mark.asyncio
async def test_31_43_a_job_is_never_dropped_for_lateness_and_never_overlaps() -> None:
    """Field reports 31 and 43: APScheduler's defaults drop a run that is a second late."""
    scheduler = AsyncIOScheduler(timezone=UTC)

    async def job() -> None:
        raise RuntimeError("isolated")

    _every(scheduler, 10.0, "digests", job)
    (made,) = scheduler.get_jobs()
    await made.func()  # the failure is logged, the job lives
    assert (made.misfire_grace_time, made.coalesce, made.max_instances) == (None, True, 1)
