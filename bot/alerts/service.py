"""Alerts: who is told of which new paper, and why; decided once a load.

Promises: one message per person (or channel) and load; the decision and "load decided" commit together, so a
crash neither loses nor doubles it. Leaves to `matching`: what matches; to `bot.delivery`: sending.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.alerts.matching import Match, PaperFacts, Subscribers
from bot.checkpoint import Checkpoint, nothing
from bot.clock import Clock
from bot.institutions.directory import Directory
from bot.papers.model import Language, Paper
from bot.render.alerts import Item, Why, alert
from bot.render.ids import encode
from bot.voices import Voices
from storage.database import Database, Transaction
from storage.loads import LoadStore
from storage.outbox import NewPart, OutboxStore, mark_of
from storage.papers import PaperStore
from storage.subscriptions import SubscriptionStore

log = logging.getLogger(__name__)

# A load whose decision raised is left alone for so long, so that the log stays readable.
REST = timedelta(minutes=5)
AT_A_TIME = 100  # papers that are read without giving the event loop a turn


class AlertService:
    """Decides alerts from finished loads."""

    def __init__(
        self,
        *,
        database: Database,
        clock: Clock,
        voices: Voices,
        directory: Directory,
        checkpoint: Checkpoint = nothing,
    ) -> None:
        self._database = database
        self._checkpoint = checkpoint
        self._resting: dict[int, datetime] = {}
        self._clock = clock
        self._voices = voices
        self._directory = directory
        self._loads = LoadStore(database)
        self._papers = PaperStore(database)
        self._subscriptions = SubscriptionStore(database)
        self._outbox = OutboxStore(database)

    async def decide_loads(self) -> int:
        """Decide every finished load that nobody decided on; how many deliveries that made.

        One that raises stops no other.
        """
        made = 0
        for load in await self._loads.undecided():
            if self._resting.get(load, self._clock.now()) > self._clock.now():
                continue
            try:
                made += await self._decide(load)
            except Exception:
                log.exception("the alerts of load %d could not be decided; tried again later", load)
                self._resting[load] = self._clock.now() + REST
        return made

    def ancestors(self, organisation: str) -> tuple[str, ...]:
        """The ids of what an organisation belongs to, nearest first."""
        found = self._directory.get(organisation)
        return self._directory.ancestors(found) if found else ()

    async def _decide(self, load: int) -> int:
        now = self._clock.now()
        matches = await self._matches(load)
        parts = await asyncio.to_thread(self._parts, load, matches)
        async with self._database.transaction() as transaction:
            if not await self._loads.decide(transaction, load, now):
                return 0
            await self._outbox.enqueue(transaction, parts, now)
            await self._knock(transaction, parts)
            self._checkpoint("alerts deciding")
        self._checkpoint("alerts decided")
        if parts:
            log.info("load %d: alerts for %d people and channels", load, len(parts))
        return len(parts)

    async def _knock(self, transaction: Transaction, parts: Sequence[NewPart]) -> None:
        """Somebody whose DMs were closed is tried again once with each new alert."""
        await self._outbox.release_all(
            transaction, [part.whom for part in parts if part.whom.startswith("user:")], self._clock.now()
        )

    async def _matches(self, load: int) -> dict[str, list[Match]]:
        news = await self._loads.news_of(load)
        papers: dict[int, Paper] = {}
        for start in range(0, len(news), AT_A_TIME):
            papers |= await self._papers.many(item.paper_id for item in news[start : start + AT_A_TIME])
            await asyncio.sleep(0)
        subscribers = Subscribers(await self._subscriptions.live())
        pairs = [(item.seq, papers[item.paper_id]) for item in news if item.paper_id in papers]
        return await asyncio.to_thread(self._met, subscribers, pairs)

    def _met(self, subscribers: Subscribers, news: Sequence[tuple[int, Paper]]) -> dict[str, list[Match]]:
        """The matches by destination; a paper that can't be read is left out and logged."""
        found: dict[str, list[Match]] = {}
        for seq, paper in news:
            try:
                matches = subscribers.matches(PaperFacts(paper, self.ancestors))
            except Exception:
                log.exception("paper %d can't be matched and is left out of the alerts", paper.id)
                continue
            for match in matches:
                if match.subscription.since_seq < seq:
                    found.setdefault(match.subscription.whom, []).append(match)
        return found

    def _parts(self, load: int, matches: dict[str, list[Match]]) -> list[NewPart]:
        """A message for each destination; one that can't be rendered is left out and logged."""
        parts = []
        for whom, found in matches.items():
            try:
                parts.append(self._part(load, whom, found))
            except Exception:
                log.exception("the alert of load %d for %s can't be shown and is left out", load, whom)
        return parts

    def _part(self, load: int, whom: str, matches: Sequence[Match]) -> NewPart:
        """The one message for a person or channel, with every subscription that matched each paper."""
        by_paper: dict[int, list[Match]] = {}
        for match in matches:
            by_paper.setdefault(match.paper.id, []).append(match)
        first = matches[0].subscription
        what = f"alert:{load}"
        mark = mark_of(what, 0, whom)
        rendered = alert(
            self._voices.reader(Language(first.language)),
            [Item(found[0].paper, tuple(_why(match) for match in found)) for found in by_paper.values()],
            to_channel=first.channel_id is not None,
            more_id=encode("more", mark),
            part_id=encode("part", mark),
        )
        body = rendered.message.to_json()
        # What a person follows is nothing that the admins of the server they asked in may read in its log.
        guild = first.guild_id if first.channel_id is not None else None
        return NewPart("alert", what, 0, whom, guild, body, rendered.shown, rendered.rest)


def _why(match: Match) -> Why:
    subscription = match.subscription
    return Why(
        subscription=subscription.id,
        kind=subscription.kind,
        name=subscription.label,
        text=match.text,
        place=match.place,
        child=match.child,
    )
