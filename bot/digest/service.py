"""Digests: what is due is decided here, once, and put into the outbox.

Promises: a digest's papers, its parts, the used-up date and what the channel has had commit together, before
anything is sent. Leaves to `schedule`: when; to `selection`: what; to `bot.delivery`: sending.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import cast
from zoneinfo import ZoneInfo

from bot.clock import Clock
from bot.digest.schedule import DueRun, due_run, next_moment
from bot.digest.selection import Selection, select
from bot.papers.model import Paper
from bot.render.digests import Occasion, Part, digest
from bot.render.ids import encode
from bot.render.message import Message
from bot.render.voice import Content
from bot.voices import Voices
from storage.database import Database
from storage.digests import DigestSettings, DigestStore
from storage.loads import LoadStore
from storage.outbox import NewPart, OutboxStore, mark_of
from storage.papers import PaperStore

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided for one server: how many papers in how many parts."""

    papers: int
    parts: int


class DigestService:
    """Decides digests. One per process; decisions of one process take turns."""

    def __init__(self, *, database: Database, clock: Clock, voices: Voices) -> None:
        self._database = database
        self._digests = DigestStore(database)
        self._papers = PaperStore(database)
        self._loads = LoadStore(database)
        self._outbox = OutboxStore(database)
        self._clock = clock
        self._voices = voices
        self._turn = asyncio.Lock()

    async def decide_due(self) -> int:
        """Decide every digest whose moment has come; how many had something to say. One failing stops no other."""
        decided = 0
        for settings in await self._digests.active():
            try:
                run = await self.due(settings)
                if run is not None and await self._decide_scheduled(settings, run):
                    decided += 1
            except Exception:
                log.exception("the digest of the server %d could not be decided", settings.guild_id)
        return decided

    async def due(self, settings: DigestSettings) -> DueRun | None:
        """The run that is due for a server now, or None."""
        now = self._clock.now()
        last = await self._digests.last_date(settings.guild_id, now)
        run = due_run(
            now,
            hour=settings.hour,
            minute=settings.minute,
            zone=ZoneInfo(settings.timezone),
            days=settings.days,
            last=last.local_date if last else None,
            since=settings.set_at,
        )
        used = run is not None and await self._digests.has_date(settings.guild_id, run.local_date)
        return None if used else run

    async def next_run(self, settings: DigestSettings) -> datetime:
        """When a server's next digest is due."""
        now = self._clock.now()
        last = await self._digests.last_date(settings.guild_id, now)
        return next_moment(
            now,
            hour=settings.hour,
            minute=settings.minute,
            zone=ZoneInfo(settings.timezone),
            days=settings.days,
            last=last.local_date if last else None,
        )

    async def pending(self, settings: DigestSettings) -> Selection:
        """What the next digest would hold if it were decided now."""
        return select(await self._candidates(await self._digests.candidates(settings)), settings)

    async def preview(self, settings: DigestSettings) -> list[Message]:
        """What the next digest would say; [] when there is nothing to say."""
        selection = await self.pending(settings)
        parts = await self._render(
            settings, selection, Occasion(self._today(settings), preview=True), "preview"
        )
        return [part.message for part in parts]

    async def configure(self, wanted: DigestSettings, backfill: int) -> None:
        """Set or change a server's digest.

        A channel that had one keeps its place in the news; a new one starts after what there is now, or
        `backfill` papers before. What a channel has had it never gets again.

        Args:
            wanted: the settings; `since_seq` is decided here.
            backfill: how many of the latest news the first digest starts with.
        """
        async with self._turn, self._database.transaction() as transaction:
            since = await self._loads.seq_before_last(backfill, transaction)
            known = await self._digests.get(wanted.guild_id)
            if known is not None and known.channel_id == wanted.channel_id:
                since = min(since, known.since_seq)
            await self._digests.save(transaction, replace(wanted, since_seq=since))

    async def post_now(self, settings: DigestSettings) -> Decision:
        """Put what is pending into the outbox without using up the date."""
        what = f"digest-now:{settings.guild_id}:{self._clock.now():%Y%m%dT%H%M%S.%f}"
        return await self._decide(settings, what, Occasion(self._today(settings), by_request=True), None)

    async def _decide_scheduled(self, settings: DigestSettings, run: DueRun) -> bool:
        what = f"digest:{settings.guild_id}:{run.local_date.isoformat()}"
        decision = await self._decide(settings, what, Occasion(run.local_date, since=run.since), run)
        log.info(
            "digest of the server %d for %s: %d papers in %d parts%s",
            settings.guild_id,
            run.local_date,
            decision.papers,
            decision.parts,
            f", caught up since {run.since}" if run.since else "",
        )
        return decision.papers > 0

    async def _decide(
        self, settings: DigestSettings, what: str, occasion: Occasion, run: DueRun | None
    ) -> Decision:
        now = self._clock.now()
        async with self._turn, self._database.transaction() as transaction:
            ids = await self._digests.candidates(settings, transaction)
            selection = select(await self._candidates(ids), settings)
            if run is not None and not await self._digests.take_date(
                transaction, settings.guild_id, run.local_date, len(selection.wanted), now
            ):
                return Decision(0, 0)
            parts = await self._render(settings, selection, occasion, what)
            for papers, passed in ((selection.wanted, False), (selection.passed, True)):
                await self._digests.mark_had(
                    transaction, settings.channel_id, (paper.id for paper in papers), passed=passed
                )
            await self._outbox.enqueue(transaction, _outgoing(what, settings, parts, selection), now)
        return Decision(len(selection.wanted), len(parts))

    async def _candidates(self, ids: Sequence[int]) -> list[Paper]:
        papers = await self._papers.many(ids)
        return [papers[paper] for paper in ids if paper in papers]

    async def _render(
        self, settings: DigestSettings, selection: Selection, occasion: Occasion, what: str
    ) -> list[Part]:
        voice = await self._voices.channel(settings.guild_id, cast("Content", settings.language))
        whom = _whom(settings)

        def mark(part: int) -> str:
            return encode("part", mark_of(what, part, whom))

        last = len(digest(voice, selection.wanted, occasion, part_id=mark)) - 1
        more = encode("more", mark_of(what, last, whom)) if last >= 0 else None
        return digest(voice, selection.wanted, occasion, more_id=more, part_id=mark)

    def _today(self, settings: DigestSettings) -> date:
        return self._clock.now().astimezone(ZoneInfo(settings.timezone)).date()


def _whom(settings: DigestSettings) -> str:
    return f"channel:{settings.channel_id}"


def _outgoing(
    what: str, settings: DigestSettings, parts: Sequence[Part], selection: Selection
) -> list[NewPart]:
    """The rendered parts as rows of the outbox; the last one has what isn't shown."""
    shown = {paper for part in parts for paper in part.papers}
    rest = tuple(paper.id for paper in selection.wanted if paper.id not in shown)
    return [
        NewPart(
            kind="digest",
            what=what,
            part=number,
            whom=_whom(settings),
            guild_id=settings.guild_id,
            body=part.message.to_json(),
            papers=part.papers,
            more=rest if number == len(parts) - 1 else (),
        )
        for number, part in enumerate(parts)
    ]
