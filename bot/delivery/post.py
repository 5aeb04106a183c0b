"""One part, one attempt: where it goes, whether it stands there already, and the send itself.

Promises: a part that may have been stored is looked for before it is posted again; without the right to read
the history it isn't posted. Leaves to `worker`: the states of the outbox and what an error means.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

import discord

from bot.delivery.pace import Pacer
from bot.render.ids import encode
from bot.render.message import Message, marked
from storage.outbox import Part
from storage.people import PeopleStore

# Discord remembers a nonce for "the past few minutes"; younger attempts than this need no look-up.
NONCE_WINDOW = timedelta(seconds=45)
# How far before the first attempt a history look-up starts: the clocks of two machines may differ.
LOOK_BACK = timedelta(seconds=60)


class NoHistoryError(Exception):
    """An uncertain part can't be looked for: Read Message History is missing."""


class NotAllowedError(Exception):
    """The cache already says that the bot may not write there."""

    def __init__(self, permission: str) -> None:
        """`permission` is discord.py's name of what is missing."""
        super().__init__(permission)
        self.permission = permission


@dataclass(frozen=True, slots=True)
class Posted:
    """Where a part stands."""

    channel_id: int
    message_id: int
    adopted: bool  # found in the history rather than sent now


class Post(Protocol):
    """Makes one attempt at one part."""

    async def attempt(self, part: Part, now: datetime) -> Posted:
        """Send the part, or find that it stands already.

        `part` is as it was before this attempt: `uncertain` and `first_attempt_at` speak of earlier ones.
        """
        ...


class DiscordPost:
    """Attempts through a connected discord.py client."""

    def __init__(
        self, client: discord.Client, people: PeopleStore, global_pace: Pacer, dm_pace: Pacer
    ) -> None:
        self._client = client
        self._people = people
        self._global_pace = global_pace
        self._dm_pace = dm_pace

    async def attempt(self, part: Part, now: datetime) -> Posted:
        """Send the part, or find that it stands already.

        Raises:
            NoHistoryError: it may stand already, and the history can't be read.
            NotAllowedError: the bot may not write there.
            discord.HTTPException, aiohttp.ClientError, OSError: as discord.py raises them.
        """
        channel = await self._channel(part.whom)
        message = marked(Message.from_json(part.body), encode("part", part.mark))
        rights = self._rights(channel)
        if rights is not None:
            message = _allowed(message, rights)
        if part.uncertain and part.first_attempt_at and now - part.first_attempt_at > NONCE_WINDOW:
            found = await self._find(channel, part, part.first_attempt_at, rights)
            if found is not None:
                return Posted(channel.id, found, adopted=True)
        await self._global_pace.turn()
        sent = await channel.send(**message.send_kwargs(), nonce=part.nonce)
        return Posted(channel.id, sent.id, adopted=False)

    async def forget_dm(self, whom: str) -> None:
        """The stored DM channel is no good; the next attempt opens it anew."""
        await self._people.set_dm_channel(int(whom.removeprefix("user:")), None)

    async def _channel(self, whom: str) -> discord.PartialMessageable:
        kind, _, number = whom.partition(":")
        if kind == "channel":
            known = self._client.get_channel(int(number))
            guild = getattr(known, "guild", None)
            return self._client.get_partial_messageable(int(number), guild_id=guild.id if guild else None)
        person = await self._people.person(int(number))
        channel_id = person.dm_channel_id
        if channel_id is None:
            await self._dm_pace.turn()
            await self._global_pace.turn()
            opened = await self._client.create_dm(discord.Object(int(number)))
            channel_id = opened.id
            await self._people.set_dm_channel(int(number), channel_id)
        return self._client.get_partial_messageable(channel_id, type=discord.ChannelType.private)

    def _rights(self, channel: discord.PartialMessageable) -> discord.Permissions | None:
        """The bot's permissions in a server's channel as the gateway keeps them; None for a DM or if unknown."""
        known = self._client.get_channel(channel.id)
        if not isinstance(known, (discord.abc.GuildChannel, discord.Thread)) or known.guild.me is None:
            return None
        return known.permissions_for(known.guild.me)

    async def _find(
        self,
        channel: discord.PartialMessageable,
        part: Part,
        first_attempt: datetime,
        rights: discord.Permissions | None,
    ) -> int | None:
        """The id of the bot's own message that carries the part's mark, from before the first attempt to now."""
        if part.whom.startswith("channel:") and (rights is None or not rights.read_message_history):
            # Discord answers an empty list with 200 without the permission: that proves nothing.
            raise NoHistoryError
        mark = encode("part", part.mark)
        me = self._client.user
        after = discord.Object(discord.utils.time_snowflake(first_attempt - LOOK_BACK))
        async for message in channel.history(limit=None, after=after, oldest_first=True):
            if me is not None and message.author.id == me.id and _carries(message, mark):
                return message.id
        return None


def _allowed(message: Message, rights: discord.Permissions) -> Message:
    """The message as these permissions allow it; plain text without Embed Links.

    Raises:
        NotAllowedError: not even text may be sent.
    """
    if not rights.view_channel:
        raise NotAllowedError("view_channel")
    if not rights.send_messages:
        raise NotAllowedError("send_messages")
    return message if rights.embed_links else message.plain()


def _carries(message: discord.Message, mark: str) -> bool:
    return any(
        getattr(child, "custom_id", None) == mark
        for row in message.components
        for child in getattr(row, "children", ())
    )
