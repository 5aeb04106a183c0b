"""Digests: what is due is decided here, once, and put into the outbox.

Promises: a digest's papers, its parts, the used-up date and what the channel has had commit together, before
anything is sent. Leaves to `schedule`: when; to `selection`: what; to `bot.delivery`: sending.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from bot.checkpoint import Checkpoint, nothing
from bot.clock import Clock
from bot.digest.parts import Announcement, announce
from bot.digest.schedule import DueRun, due_run, next_moment
from bot.digest.selection import Selection, select
from bot.papers.model import Paper
from bot.render.digests import Occasion
from bot.render.message import Message
from bot.voices import Voices
from storage.database import Database, Transaction
from storage.digests import DigestSettings, DigestStore
from storage.loads import LoadStore
from storage.outbox import OutboxStore
from storage.papers import PaperStore

log = logging.getLogger(__name__)

# A digest whose decision raised is left alone for so long, so that the log stays readable.
REST = timedelta(minutes=5)
AT_A_TIME = 100  # papers that are read without giving the event loop a turn


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided for one server: how many papers in how many parts."""

    papers: int
    parts: int


@dataclass(frozen=True, slots=True)
class _Quiet:
    """A span in which a server's digest can't become due, as long as its settings stay the same."""

    settings: DigestSettings
    since: datetime
    until: datetime


class DigestService:
    """Decides digests. One per process; decisions of one process take turns."""

    def __init__(
        self, *, database: Database, clock: Clock, voices: Voices, checkpoint: Checkpoint = nothing
    ) -> None:
        self._database = database
        self._digests = DigestStore(database)
        self._papers = PaperStore(database)
        self._loads = LoadStore(database)
        self._outbox = OutboxStore(database)
        self._clock = clock
        self._voices = voices
        self._checkpoint = checkpoint
        self._turn = asyncio.Lock()
        self._quiet: dict[int, _Quiet] = {}
        self._round: dict[int, Paper] | None = None  # what a round has read

    # --- when ------------------------------------------------------------------------------------

    async def decide_due(self) -> int:
        """Decide every digest whose moment has come; how many had something to say. One failing stops no other.

        A channel for which something is held gets no further digest: what comes meanwhile is caught up in one.
        """
        last = await self._digests.last_dates(self._clock.now())
        held = await self._outbox.held_destinations()
        self._round = {}
        try:
            return sum(
                [
                    await self._decide_safely(settings, last.get(settings.guild_id))
                    for settings in await self._digests.active()
                    if f"channel:{settings.channel_id}" not in held
                ]
            )
        finally:
            self._round = None

    async def _decide_safely(self, settings: DigestSettings, last: date | None) -> bool:
        now = self._clock.now()
        if self._is_quiet(settings, now):
            return False
        try:
            return await self._decide_one(settings, now, last)
        except Exception:
            log.exception("the digest of the server %d could not be decided", settings.guild_id)
            self._quiet[settings.guild_id] = _Quiet(settings, now, now + REST)
            return False

    async def _decide_one(self, settings: DigestSettings, now: datetime, last: date | None) -> bool:
        if settings.set_at > now:
            # It was set while the clock ran ahead; it must not wait until the clock gets there again.
            await self._digests.set_since(settings.guild_id, now)
            return False
        run = _due(settings, now, last)
        if run is not None and not await self._digests.has_date(settings.guild_id, run.local_date):
            return await self._decide_scheduled(settings, run)
        self._quiet[settings.guild_id] = _Quiet(settings, now, _next(settings, now, last))
        return False

    def _is_quiet(self, settings: DigestSettings, now: datetime) -> bool:
        """Whether an earlier look has shown that nothing can be due; a clock set back makes that void."""
        quiet = self._quiet.get(settings.guild_id)
        return quiet is not None and quiet.settings == settings and quiet.since <= now < quiet.until

    async def due(self, settings: DigestSettings) -> DueRun | None:
        """The run that is due for a server now, or None."""
        now = self._clock.now()
        last = await self._digests.last_date(settings.guild_id, now)
        run = _due(settings, now, last.local_date if last else None)
        used = run is not None and await self._digests.has_date(settings.guild_id, run.local_date)
        return None if used else run

    async def next_run(self, settings: DigestSettings) -> datetime:
        """When a server's next digest is due."""
        now = self._clock.now()
        last = await self._digests.last_date(settings.guild_id, now)
        return _next(settings, now, last.local_date if last else None)

    # --- what ------------------------------------------------------------------------------------

    async def pending(self, settings: DigestSettings) -> Selection:
        """What the next digest would hold if it were decided now."""
        return await self._select(settings, await self._digests.candidates(settings))

    async def preview(self, settings: DigestSettings) -> list[Message]:
        """What the next digest would say; [] when there is nothing to say."""
        occasion = Occasion(self._today(settings), preview=True)
        made = await self._announce(settings, await self.pending(settings), occasion, "preview")
        return made.messages()

    async def _select(self, settings: DigestSettings, ids: Sequence[int]) -> Selection:
        papers = await self._read(ids)
        return await asyncio.to_thread(select, [papers[paper] for paper in ids if paper in papers], settings)

    async def _read(self, ids: Sequence[int]) -> dict[int, Paper]:
        """Papers, a few at a time; within one round of decisions each is read once for all servers."""
        known = {} if self._round is None else self._round
        missing = [paper for paper in ids if paper not in known]
        for start in range(0, len(missing), AT_A_TIME):
            known |= await self._papers.many(missing[start : start + AT_A_TIME])
            await asyncio.sleep(0)
        return known

    async def _announce(
        self, settings: DigestSettings, selection: Selection, occasion: Occasion, what: str
    ) -> Announcement:
        language = settings.language
        voice = await self._voices.channel(
            settings.guild_id, "en" if language == "en" else "zh" if language == "zh" else "both"
        )
        papers: Sequence[Paper] = selection.wanted
        return await asyncio.to_thread(announce, voice, papers, occasion, what, settings)

    # --- steering --------------------------------------------------------------------------------

    async def configure(self, wanted: DigestSettings, backfill: int) -> None:
        """Set or change a server's digest.

        The same channel keeps its place in the news; another one takes over what waits, and a first one starts
        after what there is now, or `backfill` papers before. What a channel has had it never gets again.

        Args:
            wanted: the settings; `since_seq` is decided here.
            backfill: how many of the latest news the first digest starts with.
        """
        async with self._turn, self._database.transaction() as transaction:
            since = await self._loads.seq_before_last(backfill, transaction)
            known = await self._digests.get(wanted.guild_id)
            if known is not None and known.channel_id == wanted.channel_id:
                since = min(since, known.since_seq)
            elif known is not None:
                cancelled = await self._outbox.cancel_open(
                    transaction,
                    "removed",
                    self._clock.now(),
                    whom=f"channel:{known.channel_id}",
                    guild_id=known.guild_id,
                    kind="digest",
                )
                await self._digests.give_back(transaction, cancelled)
                since = await self._digests.move(transaction, known, wanted.channel_id, since)
            await self._digests.save(transaction, replace(wanted, since_seq=since))
            await self._release(transaction, wanted)

    async def pause(self, guild_id: int) -> None:
        """Stop a server's digest; what comes meanwhile is kept."""
        async with self._turn, self._database.transaction() as transaction:
            await self._digests.pause(transaction, guild_id)

    async def resume(self, guild_id: int) -> None:
        """Start it again at its next moment."""
        async with self._turn, self._database.transaction() as transaction:
            await self._digests.resume(transaction, guild_id, self._clock.now())
            settings = await self._digests.get(guild_id)
            if settings is not None:
                await self._release(transaction, settings)

    async def _release(self, transaction: Transaction, settings: DigestSettings) -> None:
        """An admin has just said that it should work: what is held there is tried again."""
        whom = f"channel:{settings.channel_id}"
        await self._outbox.release_all(transaction, [whom], self._clock.now())

    async def remove(self, guild_id: int) -> bool:
        """Forget a server's digest and cancel what wasn't posted; False when there was none."""
        async with self._turn, self._database.transaction() as transaction:
            await self._outbox.cancel_open(
                transaction, "removed", self._clock.now(), guild_id=guild_id, kind="digest"
            )
            return await self._digests.remove(transaction, guild_id)

    async def post_now(self, settings: DigestSettings) -> Decision:
        """Put what is pending into the outbox without using up the date."""
        what = f"digest-now:{settings.guild_id}:{self._clock.now():%Y%m%dT%H%M%S.%f}"
        return await self._decide(settings, what, Occasion(self._today(settings), by_request=True), None)

    # --- deciding --------------------------------------------------------------------------------

    async def _decide_scheduled(self, settings: DigestSettings, run: DueRun) -> bool:
        what = f"digest:{settings.guild_id}:{run.local_date.isoformat()}"
        decision = await self._decide(settings, what, Occasion(run.local_date, since=run.since), run)
        log.info(
            "digest of the server %d for %s, %d s after its moment: %d papers in %d parts%s",
            settings.guild_id,
            run.local_date,
            (self._clock.now() - run.moment).total_seconds(),
            decision.papers,
            decision.parts,
            f", caught up since {run.since}" if run.since else "",
        )
        return decision.papers > 0

    async def _decide(
        self, settings: DigestSettings, what: str, occasion: Occasion, run: DueRun | None
    ) -> Decision:
        """Decide in one transaction.

        Papers and settings are read on the reader connection: while this transaction holds the only write lock,
        what is committed is all there is beside its own writes, and those it reads itself.
        """
        now = self._clock.now()
        async with self._turn, self._database.transaction() as transaction:
            if not _same(await self._digests.get(settings.guild_id), settings):
                return Decision(0, 0)  # changed meanwhile; looked at anew in a moment
            ids = await self._digests.candidates(settings, transaction)
            selection = await self._select(settings, ids)
            if run is not None and not await self._digests.take_date(
                transaction, settings.guild_id, run.local_date, len(selection.wanted), now
            ):
                return Decision(0, 0)
            made = await self._announce(settings, selection, occasion, what)
            for papers, passed in ((selection.wanted, False), (selection.passed, True)):
                await self._digests.mark_had(
                    transaction, settings.channel_id, (paper.id for paper in papers), passed=passed
                )
            await self._outbox.enqueue(transaction, made.parts, now)
            self._checkpoint("digest deciding")
        self._checkpoint("digest decided")
        return Decision(len(selection.wanted), len(made.parts))

    def _today(self, settings: DigestSettings) -> date:
        return self._clock.now().astimezone(ZoneInfo(settings.timezone)).date()


def _same(current: DigestSettings | None, settings: DigestSettings) -> bool:
    """Whether settings are still what they were, whatever became of deliveries meanwhile."""
    return current is not None and settings == replace(
        current, held_reason=settings.held_reason, held_since=settings.held_since
    )


def _due(settings: DigestSettings, now: datetime, last: date | None) -> DueRun | None:
    return due_run(
        now,
        hour=settings.hour,
        minute=settings.minute,
        zone=ZoneInfo(settings.timezone),
        days=settings.days,
        last=last,
        since=settings.set_at,
    )


def _next(settings: DigestSettings, now: datetime, last: date | None) -> datetime:
    return next_moment(
        now,
        hour=settings.hour,
        minute=settings.minute,
        zone=ZoneInfo(settings.timezone),
        days=settings.days,
        last=last,
    )
