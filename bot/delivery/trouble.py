"""What follows from a part that couldn't be delivered, or was: strikes, pauses, and a word to the admin.

Promises: an admin is told once per trouble; a person whose DMs are closed is told at their next command; nothing
is deleted because of one failure. Leaves to `worker`: the part itself.
"""

from __future__ import annotations

import logging

from bot.clock import Clock
from bot.delivery.verdict import Judgement, Verdict
from bot.render.message import Message
from bot.voices import Voices
from storage.database import Database
from storage.digests import DigestSettings, DigestStore
from storage.outbox import NewPart, OutboxStore, Part
from storage.people import STRIKES, PeopleStore
from storage.subscriptions import SubscriptionStore

log = logging.getLogger(__name__)


class Troubles:
    """Notes what deliveries say about channels and people."""

    def __init__(self, *, database: Database, clock: Clock, voices: Voices) -> None:
        self._database = database
        self._clock = clock
        self._voices = voices
        self._digests = DigestStore(database)
        self._people = PeopleStore(database)
        self._subscriptions = SubscriptionStore(database)
        self._outbox = OutboxStore(database)

    async def met(self, part: Part, judgement: Judgement) -> None:
        """A part was held or has failed for good."""
        if part.whom.startswith("user:"):
            await self._person(int(part.whom.removeprefix("user:")), judgement)
        elif part.kind == "digest":
            await self._channel(part, judgement)

    async def arrived(self, part: Part) -> None:
        """A part stands in its place: whatever the trouble was, it is over."""
        if part.whom.startswith("user:"):
            await self._people.dm_arrived(int(part.whom.removeprefix("user:")))
            return
        for settings in await self._digests.in_channel(int(part.whom.removeprefix("channel:"))):
            if settings.held_reason is not None:
                async with self._database.transaction() as transaction:
                    await self._digests.hold(transaction, settings.guild_id, None, self._clock.now())

    async def _person(self, user: int, judgement: Judgement) -> None:
        if judgement.verdict is Verdict.CLOSED_DM:
            strikes = await self._people.dm_refused(user, judgement.key)
            if strikes < STRIKES:
                return
            log.info("%d direct messages in a row were refused; the person's alerts are paused", strikes)
            async with self._database.transaction() as transaction:
                await self._subscriptions.pause_dms(transaction, user, judgement.key)
        elif judgement.verdict is Verdict.NO_PERSON:
            async with self._database.transaction() as transaction:
                ended = await self._subscriptions.end_dms(transaction, user)
            log.info("a person is gone; %d subscriptions ended", ended)

    async def _channel(self, part: Part, judgement: Judgement) -> None:
        now = self._clock.now()
        for settings in await self._digests.in_channel(int(part.whom.removeprefix("channel:"))):
            first = settings.held_reason is None
            async with self._database.transaction() as transaction:
                await self._digests.hold(transaction, settings.guild_id, judgement.key, now)
                if first:
                    notice = await self._notice(settings, judgement, part)
                    await self._outbox.enqueue(transaction, [notice], now)

    async def _notice(self, settings: DigestSettings, judgement: Judgement, part: Part) -> NewPart:
        voice = await self._voices.of_guild(settings.guild_id)
        missing = ", ".join(voice.say(f"permission.{name}") for name in judgement.permissions)
        reason = voice.say(f"reason.{judgement.key}", permissions=missing)
        text = voice.sentence("notice.held", channel=f"<#{settings.channel_id}>", reason=reason)
        return NewPart(
            kind="notice",
            what=f"held:{part.id}",
            part=0,
            whom=f"user:{settings.set_by}",
            guild_id=settings.guild_id,
            body=Message(content=text).to_json(),
        )
