"""What follows from the life of servers and channels: nothing is lost by an outage, removals have a grace period.

Promises: settings survive an outage and a return within 30 days; held parts go on when a permission is back,
without probing by sending. Leaves to `bot.client`: hearing of it; to `bot.delivery`: sending.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta

import discord

from bot.clock import Clock
from bot.render.message import Message
from bot.voices import Voices
from storage.database import Database
from storage.digests import DigestStore
from storage.outbox import NewPart, OutboxStore
from storage.people import PeopleStore

log = logging.getLogger(__name__)

GRACE = timedelta(days=30)


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

    async def ready(self, guilds: set[int]) -> None:
        """Bring what is stored in line with the servers the bot is in; runs after every READY."""
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
        now = self._clock.now()
        await self._people.guild_left(guild_id, now)
        async with self._database.transaction() as transaction:
            cancelled = await self._outbox.cancel_open(transaction, "server_left", now, guild_id=guild_id)
        log.info("removed from the server %d; %d parts cancelled", guild_id, cancelled)

    async def channel_deleted(self, channel_id: int) -> None:
        """A channel is gone for good: its digest pauses and the admin is told, its subscriptions end."""
        now = self._clock.now()
        async with self._database.transaction() as transaction:
            await self._outbox.cancel_open(transaction, "channel_gone", now, whom=f"channel:{channel_id}")
            await transaction.execute("DELETE FROM subscriptions WHERE channel_id = ?", (channel_id,))
        for settings in await self._digests.in_channel(channel_id):
            voice = await self._voices.of_guild(settings.guild_id)
            notice = NewPart(
                kind="notice",
                what=f"channel-gone:{channel_id}",
                part=0,
                whom=f"user:{settings.set_by}",
                guild_id=settings.guild_id,
                body=Message(content=voice.sentence("notice.channel_deleted")).to_json(),
            )
            async with self._database.transaction() as transaction:
                await self._digests.set_paused(transaction, settings.guild_id, True)
                await self._digests.hold(transaction, settings.guild_id, "channel_gone", now)
                await self._outbox.enqueue(transaction, [notice], now)
        self._wake_outbox()

    async def rights_changed(self, guild: discord.Guild) -> None:
        """Release what is held for channels where the bot may write now, as the gateway's cache knows."""
        held = {part.whom for part in await self._outbox.held_of_guild(guild.id)}
        for whom in held:
            channel = (
                guild.get_channel_or_thread(int(whom.removeprefix("channel:"))) if "channel" in whom else None
            )
            if channel is not None and may_deliver(channel):
                released = await self._outbox.release(whom, self._clock.now())
                log.info("%s can be written to again; %d parts released", whom, released)
                self._wake_outbox()

    async def _forget(self, guild_id: int) -> None:
        async with self._database.transaction() as transaction:
            await self._people.forget_guild(transaction, guild_id)
        log.info("the server %d was left %d days ago; its settings are deleted", guild_id, GRACE.days)


def may_deliver(channel: discord.abc.GuildChannel | discord.Thread) -> bool:
    """Whether everything a delivery may need is allowed: seeing, writing, and reading what was posted."""
    rights = channel.permissions_for(channel.guild.me)
    writing = rights.send_messages_in_threads if isinstance(channel, discord.Thread) else rights.send_messages
    locked = isinstance(channel, discord.Thread) and channel.locked
    return rights.view_channel and writing and rights.read_message_history and not locked
