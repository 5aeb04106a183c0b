"""Alerts: who is told of which new paper, and why; decided once a load.

Promises: one message per person (or channel) and load; the decision and "load decided" commit together, so a
crash neither loses nor doubles it. Leaves to `matching`: what matches; to `bot.delivery`: sending.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from bot.alerts.matching import Match, PaperFacts
from bot.clock import Clock
from bot.institutions.directory import Directory
from bot.papers.model import Language
from bot.render.alerts import Item, Why, alert
from bot.render.ids import encode
from bot.voices import Voices
from storage.database import Database, Transaction
from storage.loads import LoadStore
from storage.outbox import NewPart, OutboxStore, mark_of
from storage.papers import PaperStore
from storage.subscriptions import SubscriptionStore

log = logging.getLogger(__name__)


class AlertService:
    """Decides alerts from finished loads."""

    def __init__(self, *, database: Database, clock: Clock, voices: Voices, directory: Directory) -> None:
        self._database = database
        self._clock = clock
        self._voices = voices
        self._directory = directory
        self._loads = LoadStore(database)
        self._papers = PaperStore(database)
        self._subscriptions = SubscriptionStore(database)
        self._outbox = OutboxStore(database)

    async def decide_loads(self) -> int:
        """Decide every finished load that nobody decided on; how many deliveries that made."""
        return sum([await self._decide(load) for load in await self._loads.undecided()])

    def ancestors(self, organisation: str) -> tuple[str, ...]:
        """The ids of what an organisation belongs to, nearest first."""
        found = self._directory.get(organisation)
        return self._directory.ancestors(found) if found else ()

    async def _decide(self, load: int) -> int:
        now = self._clock.now()
        matches = await self._matches(load)
        async with self._database.transaction() as transaction:
            if not await self._loads.decide(transaction, load, now):
                return 0
            parts = [self._part(load, whom, found) for whom, found in matches.items()]
            await self._outbox.enqueue(transaction, parts, now)
            await self._knock(transaction, parts)
        if parts:
            log.info("load %d: alerts for %d people and channels", load, len(parts))
        return len(parts)

    async def _knock(self, transaction: Transaction, parts: Sequence[NewPart]) -> None:
        """What waits for a person whose DMs were closed is tried again once with each new alert."""
        await self._outbox.release_all(
            transaction, [part.whom for part in parts if part.whom.startswith("user:")], self._clock.now()
        )

    async def _matches(self, load: int) -> dict[str, list[Match]]:
        news = await self._loads.news_of(load)
        papers = await self._papers.many(item.paper_id for item in news)
        live = await self._subscriptions.live()
        found: dict[str, list[Match]] = {}
        for item in news:
            facts = PaperFacts(papers[item.paper_id], self.ancestors)
            for subscription in live:
                match = facts.match(subscription) if subscription.since_seq < item.seq else None
                if match is not None:
                    found.setdefault(subscription.whom, []).append(match)
        return found

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
        return NewPart("alert", what, 0, whom, first.guild_id, body, rendered.shown, rendered.rest)


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
