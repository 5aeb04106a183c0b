"""What follows from a part that couldn't be delivered, or was: strikes, pauses, and a word to the admin.

Promises: an admin is told once per trouble; a person whose DMs are closed is told at their next command; nothing
is deleted because of one failure. Leaves to `worker`: the part itself.
"""

from __future__ import annotations

import logging
from datetime import timedelta

from bot.clock import Clock
from bot.delivery.verdict import Judgement, Verdict
from bot.render.digest_admin import mention, reason
from bot.render.message import Message
from bot.voices import Voices
from storage.database import Database
from storage.digests import DigestSettings, DigestStore
from storage.outbox import NewPart, OutboxStore, Part
from storage.people import STRIKES, PeopleStore
from storage.subscriptions import SubscriptionStore

log = logging.getLogger(__name__)

# A digest that couldn't be posted for so long is switched off, and its admin is told.
SWITCH_OFF_AFTER = timedelta(days=14)
# Alerts that waited for a person so long are no news any more.
ALERTS_KEPT = timedelta(days=30)


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

    async def held(self, part: Part, judgement: Judgement) -> None:
        """A part waits until somebody changes something."""
        if part.direct:
            await self._person(part.target, judgement)
        else:
            await self._channel(part, judgement)

    async def failed(self, part: Part, judgement: Judgement) -> None:
        """A part can't be sent, for good. Of a channel's the delivery log tells."""
        if part.direct:
            await self._person(part.target, judgement)

    async def arrived(self, part: Part) -> None:
        """A part stands in its place: whatever the trouble was, it is over."""
        if part.direct:
            await self._reached(part.target)
            return
        for settings in await self._digests.in_channel(part.target):
            if settings.held_reason is not None:
                async with self._database.transaction() as transaction:
                    await self._digests.hold(transaction, settings.guild_id, None, self._clock.now())

    async def switch_off(self) -> int:
        """Switch off digests that couldn't be posted for two weeks; how many. Called now and then."""
        now = self._clock.now()
        await self._outbox.cancel_stale(now - ALERTS_KEPT, now)
        stuck = await self._outbox.held_destinations()
        off = [
            settings
            for settings in await self._digests.active()
            if settings.held_since is not None
            and settings.held_since <= now - SWITCH_OFF_AFTER
            and f"channel:{settings.channel_id}" in stuck
        ]
        for settings in off:
            await self._switch_off(settings)
        return len(off)

    # --- people ----------------------------------------------------------------------------------

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
                await self._outbox.cancel_open(
                    transaction, judgement.key, self._clock.now(), whom=f"user:{user}"
                )
            log.info("a person is gone; %d subscriptions ended", ended)

    async def _reached(self, user: int) -> None:
        person = await self._people.person(user)
        if person.dm_problem is None:
            return
        await self._people.dm_arrived(user)
        async with self._database.transaction() as transaction:
            await self._subscriptions.pause_dms(transaction, user, None)
            await self._outbox.release_all(transaction, [f"user:{user}"], self._clock.now())

    # --- channels --------------------------------------------------------------------------------

    async def _channel(self, part: Part, judgement: Judgement) -> None:
        now = self._clock.now()
        found = await self._digests.in_channel(part.target)
        for settings in found:
            notice = await self._notice(settings, judgement, part)
            async with self._database.transaction() as transaction:
                await self._digests.hold(transaction, settings.guild_id, judgement.text, now)
                if settings.held_reason is None:
                    await self._outbox.enqueue(transaction, [notice], now)
        if not found:
            await self._tell_subscribers(part, judgement)

    async def _tell_subscribers(self, part: Part, judgement: Judgement) -> None:
        """A channel without a digest: those who made it follow something are told."""
        people = {item.user_id for item in await self._subscriptions.of_channel(part.target)}
        text = await self._text(part.guild_id or 0, part.target, judgement)
        parts = [
            NewPart("notice", f"held:{part.id}", 0, f"user:{user}", part.guild_id, Message(text).to_json())
            for user in sorted(people)
        ]
        async with self._database.transaction() as transaction:
            await self._outbox.enqueue(transaction, parts, self._clock.now())

    async def _notice(self, settings: DigestSettings, judgement: Judgement, part: Part) -> NewPart:
        text = await self._text(settings.guild_id, settings.channel_id, judgement)
        whom = f"user:{settings.set_by}"
        return NewPart("notice", f"held:{part.id}", 0, whom, settings.guild_id, Message(text).to_json())

    async def _text(self, guild_id: int, channel_id: int, judgement: Judgement) -> str:
        voice = await self._voices.of_guild(guild_id)
        why = reason(voice, judgement.text)
        return voice.sentence("notice.held", channel=mention(channel_id), reason=why)

    async def _switch_off(self, settings: DigestSettings) -> None:
        now = self._clock.now()
        voice = await self._voices.of_guild(settings.guild_id)
        text = voice.sentence(
            "notice.removed_after",
            channel=mention(settings.channel_id),
            days=SWITCH_OFF_AFTER.days,
            reason=reason(voice, settings.held_reason or "no_access"),
        )
        whom, what = f"user:{settings.set_by}", f"off:{settings.guild_id}:{now:%Y%m%dT%H%M%S}"
        notice = NewPart("notice", what, 0, whom, settings.guild_id, Message(text).to_json())
        async with self._database.transaction() as transaction:
            await self._digests.pause(transaction, settings.guild_id)
            cancelled = await self._outbox.cancel_open(
                transaction, "removed", now, whom=f"channel:{settings.channel_id}", kind="digest"
            )
            await self._digests.give_back(transaction, cancelled)
            await self._outbox.enqueue(transaction, [notice], now)
        log.info("the digest of the server %d is switched off: it couldn't be posted", settings.guild_id)
