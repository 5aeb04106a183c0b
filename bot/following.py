"""Following institutions, authors and topics: what a person asked for becomes a subscription.

Promises: nothing is followed by guess; limits hold; what would have matched can be shown.
Leaves to `bot.alerts.matching`: what matches; to the cog: asking and answering.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from bot.alerts.matching import LITERAL, PaperFacts
from bot.alerts.service import AlertService
from bot.clock import Clock
from bot.institutions.directory import Directory
from bot.institutions.model import Organisation
from bot.papers.model import Language, Paper
from bot.papers.names import author_key
from bot.render.message import Message
from bot.text import normalise
from bot.wording import Wording
from storage.database import Database
from storage.loads import LoadStore
from storage.outbox import NewPart, OutboxStore
from storage.papers import PaperStore
from storage.subscriptions import Kind, Subscription, SubscriptionStore

RECENT = 3
# How many of the newest papers are looked through for what a topic would have matched.
LOOKED_AT = 300
TOO_GENERAL = 0.5
TEST_WAIT = 4.0  # seconds that a person waits for the outcome of a test DM


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person wants to follow. `channel_id` None = by DM."""

    user_id: int
    kind: Kind
    value: str
    label: str
    language: Language
    guild_id: int | None = None
    channel_id: int | None = None
    children: bool = True


class Following:
    """Keeps subscriptions."""

    def __init__(
        self, *, database: Database, clock: Clock, directory: Directory, alerts: AlertService
    ) -> None:
        self._database = database
        self._clock = clock
        self._directory = directory
        self._alerts = alerts
        self.store = SubscriptionStore(database)
        self._papers = PaperStore(database)
        self._loads = LoadStore(database)
        self._outbox = OutboxStore(database)

    async def follow(self, wish: Wish) -> tuple[Subscription, bool]:
        """Store a wish; the subscription, and whether it is new.

        Raises:
            SubscriptionLimitError: the person or the channel follows as much as is allowed.
        """
        async with self._database.transaction() as transaction:
            wanted = Subscription(
                id=0,
                user_id=wish.user_id,
                guild_id=wish.guild_id,
                channel_id=wish.channel_id,
                kind=wish.kind,
                value=wish.value,
                label=wish.label,
                children=wish.children,
                language=wish.language.value,
                since_seq=await self._loads.newest_seq(transaction),
                created_at=self._clock.now(),
            )
            new = await self.store.add(transaction, wanted)
        return await self.store.find(wanted) or wanted, new

    async def recent(self, subscription: Subscription) -> list[Paper]:
        """The newest papers that a subscription would have matched."""
        match subscription.kind:
            case "institution" if not subscription.value.startswith(LITERAL):
                below = self.children(subscription.value) if subscription.children else ()
                ids = await self._papers.by_organisations(
                    [subscription.value, *(child.id for child in below)]
                )
            case "author":
                ids = await self._papers.by_author_key(subscription.value)
            case _:
                ids = await self._papers.newest(LOOKED_AT)
        papers = await self._papers.many(ids[:LOOKED_AT])
        ordered = [papers[paper] for paper in ids[:LOOKED_AT] if paper in papers]
        return await asyncio.to_thread(self._matching, subscription, ordered)

    def _matching(self, subscription: Subscription, papers: list[Paper]) -> list[Paper]:
        found = []
        for paper in papers:
            if PaperFacts(paper, self._alerts.ancestors).match(subscription) is not None:
                found.append(paper)
                if len(found) == RECENT:
                    break
        return found

    def children(self, organisation: str) -> tuple[Organisation, ...]:
        """What belongs to an organisation."""
        return self._directory.children(organisation)

    async def too_general(self, words: str) -> tuple[int, int] | None:
        """How many of the newest papers a topic matches, and of how many, when it is most of them; else None."""
        papers = await self._papers.many(await self._papers.newest(LOOKED_AT))
        matching = await asyncio.to_thread(
            lambda: sum(Wording.of(paper).has_all(words) for paper in papers.values())
        )
        general = len(papers) >= 20 and matching > TOO_GENERAL * len(papers)
        return (matching, len(papers)) if general else None

    async def shared_name(self, name: str) -> bool:
        """Whether papers under a name seem to be by several people: no common co-author, no common institution."""
        key = author_key(name)
        papers = await self._papers.many(await self._papers.by_author_key(key))
        groups: list[set[str]] = []
        for paper in papers.values():
            ties = {author_key(author) for author in paper.authors} - {key}
            ties |= {organisation for item in paper.affiliations for organisation in item.organisations}
            touching = [group for group in groups if group & ties]
            merged = ties.union(*touching)
            groups = [group for group in groups if group not in touching] + ([merged] if merged else [])
        return len(groups) > 1

    async def release(self, user_id: int) -> None:
        """What was held for a person whose DMs were closed may be tried again."""
        await self._outbox.release(f"user:{user_id}", self._clock.now())

    async def test_dm(self, user_id: int, text: str, wake_outbox: Callable[[], None]) -> bool | None:
        """Send a test DM through the outbox; whether it arrived, None when that isn't known in time."""
        what = f"dmtest:{user_id}:{self._clock.now():%Y%m%dT%H%M%S.%f}"
        part = NewPart("test", what, 0, f"user:{user_id}", None, Message(content=text).to_json())
        async with self._database.transaction() as transaction:
            await self._outbox.enqueue(transaction, [part], self._clock.now())
        wake_outbox()
        return await self._outcome(what)

    async def _outcome(self, what: str) -> bool | None:
        loop = asyncio.get_running_loop()
        until = loop.time() + TEST_WAIT
        while loop.time() < until:
            state = await self._outbox.state_of(what)
            if state not in ("pending", "sending"):
                return state == "sent"
            await asyncio.sleep(0.1)
        return None


def literal_value(name: str) -> str:
    """The stored value for an institution that no table knows."""
    return LITERAL + normalise(name)
