"""What runs by itself while the bot is up: watching, deciding, delivering.

Promises: a commit of any process is noticed within a second or two, a due digest within 15 seconds whatever the
clock did; every job is isolated and never runs twice at once. Leaves to the services: the work.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.interval import IntervalTrigger

from bot.alerts.service import AlertService
from bot.clock import Clock
from bot.delivery.trouble import Troubles
from bot.delivery.worker import OutboxWorker
from bot.digest.service import DigestService
from bot.indexing import Indexer
from bot.sources.folder import EVERY, FolderSource
from bot.sources.setup import Job
from storage.database import Database
from storage.outbox import OutboxStore

log = logging.getLogger(__name__)

WATCH_EVERY = 1.0  # seconds
# The scheduler sleeps on the monotonic clock, which clock jumps and suspends don't move: so the wall clock is
# compared this often, and the ledger decides.
DIGEST_EVERY = 10.0
TIDY_EVERY = 3600.0
# How often the scheduler's own plans are compared with the wall clock.
BEAT = 5.0


class Engine:
    """The scheduler and its jobs. A trigger only wakes; what is due is decided from the database."""

    def __init__(
        self,
        *,
        database: Database,
        clock: Clock,
        indexer: Indexer,
        digests: DigestService,
        alerts: AlertService,
        worker: OutboxWorker,
        troubles: Troubles,
        folder: FolderSource | None,
        background: Callable[[], Sequence[Job]] = tuple,
    ) -> None:
        self._database = database
        self._clock = clock
        self._indexer = indexer
        self._digests = digests
        self._alerts = alerts
        self._worker = worker
        self._troubles = troubles
        self._folder = folder
        self._background = background
        self._outbox = OutboxStore(database)
        self._version: int | None = None
        self._scheduler: AsyncIOScheduler | None = None
        self._heart: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start to deliver and to watch; call in the running loop, once the client is connected."""
        await self._worker.start()
        scheduler = AsyncIOScheduler(timezone=UTC)
        jobs: list[Job] = [
            (WATCH_EVERY, "watch", self.notice_changes),
            (DIGEST_EVERY, "digests", self.decide_digests),
            (TIDY_EVERY, "tidy", self.tidy),
        ]
        if self._folder is not None:
            jobs.append((EVERY, "folder", self._folder.look))
        jobs += self._background()
        for seconds, name, job in jobs:
            _every(scheduler, seconds, name, job)
        scheduler.start()
        self._scheduler = scheduler
        self._heart = asyncio.create_task(_keep_awake(scheduler), name="heartbeat")
        for _, name, job in jobs[:3]:
            await _isolated(name, job)

    async def stop(self) -> None:
        """Stop waking, then let sends in flight end."""
        if self._heart is not None:
            self._heart.cancel()
            await asyncio.gather(self._heart, return_exceptions=True)
        if self._scheduler is not None:
            self._scheduler.shutdown(wait=False)
            self._scheduler = None
        await self._worker.stop()

    async def notice_changes(self) -> None:
        """If anybody committed something: the index catches up, and finished loads are decided."""
        version = await self._database.version()
        if version == self._version:
            return
        # Each by itself: an index that can't take a paper keeps nobody from being told of it.
        indexed = await _isolated("index", self._indexer.refresh)
        decided = await _isolated("alerts", self._alerts.decide_loads)
        self._worker.wake()
        if indexed and decided:
            self._version = version

    async def decide_digests(self) -> None:
        """Decide what is due by the wall clock."""
        if await self._digests.decide_due():
            self._worker.wake()

    async def tidy(self) -> None:
        """Switch off what couldn't be delivered for long, and forget what nobody needs."""
        if await self._troubles.switch_off():
            self._worker.wake()
        await self._outbox.prune(self._clock.now())


async def _isolated(name: str, job: Callable[[], Awaitable[object]]) -> bool:
    """Run a job; False when it failed, which is logged and stops no other."""
    try:
        await job()
    except Exception:
        log.exception("the job %s failed; it runs again", name)
        return False
    return True


def _every(
    scheduler: AsyncIOScheduler, seconds: float, name: str, job: Callable[[], Awaitable[object]]
) -> None:
    async def run() -> None:
        await _isolated(name, job)

    scheduler.add_job(
        run,
        IntervalTrigger(seconds=seconds, timezone=UTC),
        id=name,
        name=name,
        # APScheduler 3: the default of 1 s silently drops a run when the loop was busy for longer.
        misfire_grace_time=None,
        coalesce=True,
        max_instances=1,
    )


async def _keep_awake(scheduler: AsyncIOScheduler) -> None:
    """Mend the scheduler's plans after the wall clock was set back: it would sleep until the old time comes again."""
    while True:
        await asyncio.sleep(BEAT)
        mend_plans(scheduler, datetime.now(UTC))


def mend_plans(scheduler: AsyncIOScheduler, now: datetime) -> int:
    """Bring forward every job that is planned for later than its interval from now; how many there were."""
    late = [
        job
        for job in scheduler.get_jobs()
        if job.next_run_time is not None
        and job.next_run_time - now > job.trigger.interval + timedelta(seconds=BEAT)
    ]
    for job in late:
        job.modify(next_run_time=now)
    if late:
        log.warning("the clock was set back; %d jobs are planned anew", len(late))
    return len(late)
