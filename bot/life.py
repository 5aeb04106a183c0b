"""What follows from the life of servers and channels: nothing is lost by an outage, removals have a grace period.

Promises: settings and what waits survive an outage and a return within 30 days; held parts go on when a permission
is back, without probing by sending. Leaves to `bot.client`: hearing of it; to `bot.delivery`: sending.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

import discord

from bot.clock import Clock
from bot.render.message import Message
from bot.voices import Voices
from storage.database import Database, Transaction
from storage.digests import DigestSettings, DigestStore
from storage.identity import note_rival
from storage.outbox import NewPart, OutboxStore
from storage.people import PeopleStore

log = logging.getLogger(__name__)

GRACE = timedelta(days=30)
# With unchanged permissions a released part would only be refused again; it gets another chance this often.
RELEASE_AGAIN = timedelta(hours=1)


class ServerLife:
    """Keeps the database in step with the servers the bot is in."""

    def __init__(
        self,
        *,
        client: discord.Client,
        database: Database,
        clock: Clock,
        voices: Voices,
        wake_outbox: Callable[[], None],
    ) -> None:
        self._client = client
        self._database = database
        self._clock = clock
        self._voices = voices
        self._wake_outbox = wake_outbox
        self._people = PeopleStore(database)
        self._digests = DigestStore(database)
        self._outbox = OutboxStore(database)
        self._released: dict[str, tuple[int, datetime]] = {}  # destination → permissions, when

    # --- servers ---------------------------------------------------------------------------------

    async def ready(self, guilds: set[int]) -> None:
        """Bring what is stored in line with the servers the bot is in; runs after every READY.

        Args:
            guilds: those the bot is in, unavailable ones included.
        """
        known = await self._people.guilds()
        for guild in guilds:
            if guild not in known or known[guild] is not None:
                await self._people.guild_joined(guild)
        now = self._clock.now()
        for guild, left_at in known.items():
            if guild in guilds:
                continue
            if left_at is None:
                await self.left(guild)
            elif now - left_at > GRACE:
                await self._forget(guild)
        for connected in self._client.guilds:
            await self.rights_changed(connected)

    async def joined(self, guild: discord.Guild) -> None:
        """The bot was added, perhaps again: its settings are there if the grace period hasn't passed."""
        await self._people.guild_joined(guild.id)
        log.info("added to the server %d", guild.id)
        await self.rights_changed(guild)

    async def left(self, guild_id: int) -> None:
        """The bot was removed: nothing goes there any more, nothing is deleted yet."""
        async with self._database.transaction() as transaction:
            await self._people.guild_left(transaction, guild_id, self._clock.now())
            held = await self._outbox.hold_guild(transaction, guild_id, "server_left")
        log.info("removed from the server %d; %d parts wait for a return", guild_id, held)

    async def available(self, guild: discord.Guild) -> None:
        """A server is back after an outage: what waits for it is tried at once."""
        await self._outbox.hasten(guild.id, self._clock.now())
        self._wake_outbox()
        await self.rights_changed(guild)

    async def _forget(self, guild_id: int) -> None:
        async with self._database.transaction() as transaction:
            await self._people.forget_guild(transaction, guild_id)
            await self._outbox.cancel_open(transaction, "server_left", self._clock.now(), guild_id=guild_id)
        log.info("the server %d was left %d days ago; its settings are deleted", guild_id, GRACE.days)

    # --- channels --------------------------------------------------------------------------------

    async def channel_deleted(self, channel_id: int) -> None:
        """A channel is gone for good: its digest pauses and the admin is told, its subscriptions end."""
        now = self._clock.now()
        affected = await self._digests.in_channel(channel_id)
        notices = [await self._gone_notice(settings) for settings in affected]
        async with self._database.transaction() as transaction:
            cancelled = await self._outbox.cancel_open(
                transaction, "channel_gone", now, whom=f"channel:{channel_id}"
            )
            await self._digests.give_back(transaction, cancelled)
            await transaction.execute("DELETE FROM subscriptions WHERE channel_id = ?", (channel_id,))
            for settings in affected:
                await self._pause(transaction, settings, now)
            await self._outbox.enqueue(transaction, notices, now)
        self._wake_outbox()

    async def _pause(self, transaction: Transaction, settings: DigestSettings, now: datetime) -> None:
        await self._digests.pause(transaction, settings.guild_id)
        await self._digests.hold(transaction, settings.guild_id, "channel_gone", now)

    async def _gone_notice(self, settings: DigestSettings) -> NewPart:
        voice = await self._voices.of_guild(settings.guild_id)
        return NewPart(
            kind="notice",
            what=f"channel-gone:{settings.channel_id}",
            part=0,
            whom=f"user:{settings.set_by}",
            guild_id=settings.guild_id,
            body=Message(content=voice.sentence("notice.channel_deleted")).to_json(),
        )

    async def thread_changed(self, thread: discord.Thread) -> None:
        """A thread may have been unlocked: what waits for it, or for its forum, is tried again."""
        if thread.locked:
            return
        for number in (thread.id, thread.parent_id):
            if await self._outbox.release(f"channel:{number}", self._clock.now()):
                self._wake_outbox()

    async def rights_changed(self, guild: discord.Guild) -> None:
        """Release what is held for channels where the bot may write now, as the gateway's cache knows."""
        if guild.unavailable or guild.me is None:
            return
        held = [part for part in await self._outbox.held_of_guild(guild.id) if not part.direct]
        unsure = {part.whom for part in held if part.uncertain}
        for whom in sorted({part.whom for part in held}):
            channel = guild.get_channel_or_thread(int(whom.removeprefix("channel:")))
            if channel is None or not may_deliver(channel, look_up=whom in unsure):
                self._released.pop(whom, None)
            elif self._is_worth_it(whom, channel):
                released = await self._outbox.release(whom, self._clock.now())
                log.info("%s can be written to again; %d parts released", whom, released)
                self._wake_outbox()

    def _is_worth_it(self, whom: str, channel: discord.abc.GuildChannel | discord.Thread) -> bool:
        """Whether something has changed since the last release, or that was long ago."""
        now, rights = self._clock.now(), channel.permissions_for(channel.guild.me).value
        before = self._released.get(whom)
        if before is not None and before[0] == rights and timedelta() <= now - before[1] < RELEASE_AGAIN:
            return False
        self._released[whom] = (rights, now)
        return True

    # --- the token -------------------------------------------------------------------------------

    async def rival_seen(self) -> None:
        """An interaction was answered by somebody else: perhaps a second process with this token."""
        await note_rival(self._database, self._clock.now())


def may_deliver(channel: discord.abc.GuildChannel | discord.Thread, *, look_up: bool) -> bool:
    """Whether what a delivery needs is allowed: seeing, writing, and to `look_up` also reading what was posted."""
    rights = channel.permissions_for(channel.guild.me)
    if isinstance(channel, discord.Thread):
        writing = rights.send_messages_in_threads and not channel.locked
    else:
        writing = rights.send_messages
    return rights.view_channel and writing and (rights.read_message_history or not look_up)
