"""What runs by itself while the bot is up: watching, deciding, delivering.

Promises: a commit of any process is noticed within a second or two, a due digest within 15 seconds whatever the
clock did; every job is isolated and never runs twice at once. Leaves to the services: the work.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.interval import IntervalTrigger

from bot.alerts.service import AlertService
from bot.delivery.worker import OutboxWorker
from bot.digest.service import DigestService
from bot.indexing import Indexer
from bot.sources.folder import EVERY, FolderSource
from storage.database import Database

log = logging.getLogger(__name__)

WATCH_EVERY = 1.0  # seconds
# The scheduler sleeps on the monotonic clock, which clock jumps and suspends don't move: so the wall clock is
# compared this often, and the ledger decides.
DIGEST_EVERY = 10.0


class Engine:
    """The scheduler and its jobs. A trigger only wakes; what is due is decided from the database."""

    def __init__(
        self,
        *,
        database: Database,
        indexer: Indexer,
        digests: DigestService,
        alerts: AlertService,
        worker: OutboxWorker,
        folder: FolderSource | None,
    ) -> None:
        self._database = database
        self._indexer = indexer
        self._digests = digests
        self._alerts = alerts
        self._worker = worker
        self._folder = folder
        self._version: int | None = None
        self._scheduler: AsyncIOScheduler | None = None

    async def start(self) -> None:
        """Start to deliver and to watch; call in the running loop, once the client is connected."""
        await self._worker.start()
        scheduler = AsyncIOScheduler()
        _every(scheduler, WATCH_EVERY, "watch", self.notice_changes)
        _every(scheduler, DIGEST_EVERY, "digests", self.decide_digests)
        if self._folder is not None:
            _every(scheduler, EVERY, "folder", self._folder.look)
        scheduler.start()
        self._scheduler = scheduler
        await self.notice_changes()
        await self.decide_digests()

    async def stop(self) -> None:
        """Stop waking, then let sends in flight end."""
        if self._scheduler is not None:
            self._scheduler.shutdown(wait=False)
            self._scheduler = None
        await self._worker.stop()

    async def notice_changes(self) -> None:
        """If anybody committed something: the index catches up, and finished loads are decided."""
        version = await self._database.version()
        if version == self._version:
            return
        await self._indexer.refresh()
        await self._alerts.decide_loads()
        self._worker.wake()
        self._version = version

    async def decide_digests(self) -> None:
        """Decide what is due by the wall clock."""
        if await self._digests.decide_due():
            self._worker.wake()


def _every(
    scheduler: AsyncIOScheduler, seconds: float, name: str, job: Callable[[], Awaitable[object]]
) -> None:
    async def isolated() -> None:
        try:
            await job()
        except Exception:
            log.exception("the job %s failed; it runs again in %g s", name, seconds)

    scheduler.add_job(
        isolated,
        IntervalTrigger(seconds=seconds),
        id=name,
        name=name,
        # APScheduler 3: the default of 1 s silently drops a run when the loop was busy for longer.
        misfire_grace_time=None,
        coalesce=True,
        max_instances=1,
    )
