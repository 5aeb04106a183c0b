"""Where a part goes: the channel, thread, forum or DM behind an address of the outbox, and what is allowed there.

Promises: permissions as the gateway's cache knows them, asked for when it doesn't; DM channels are opened slowly
and remembered. Leaves to `post`: what is done there.
"""

from __future__ import annotations

from dataclasses import dataclass

import discord
from discord.abc import Messageable

from bot.delivery.pace import Pacer
from bot.delivery.verdict import NotAllowedError
from storage.people import PeopleStore


@dataclass(frozen=True, slots=True)
class Place:
    """A destination.

    Attributes:
        id: the channel's id.
        channel: where a message can be sent; None for a forum, in which a post has to be opened.
        forum: the forum, or None.
        rights: the bot's permissions; None for a DM, and where the server isn't known (yet).
        direct: whether it is a person's DM.
        last_message_id: the newest message that was ever there, as far as the cache knows.
    """

    id: int
    channel: Messageable | None
    forum: discord.ForumChannel | None = None
    rights: discord.Permissions | None = None
    direct: bool = False
    last_message_id: int | None = None

    @property
    def readable(self) -> bool:
        """Whether its history can be read, so that an empty one means something."""
        if self.direct:
            return True
        return self.rights is not None and self.rights.view_channel and self.rights.read_message_history

    def require_writing(self) -> None:
        """Refuse before Discord does: its refusals count.

        Raises:
            NotAllowedError: not even text may be sent.
        """
        if self.rights is None:
            return
        inside = isinstance(self.channel, discord.Thread)
        for right in ("view_channel", "send_messages_in_threads" if inside else "send_messages"):
            if not getattr(self.rights, right):
                raise NotAllowedError(right)

    @property
    def embeds(self) -> bool:
        """Whether embeds are shown there; Discord drops them without a word where they aren't."""
        return self.rights is None or self.rights.embed_links


class Places:
    """Finds destinations through a connected client."""

    def __init__(self, client: discord.Client, people: PeopleStore, pace: Pacer, dm_pace: Pacer) -> None:
        self._client = client
        self._people = people
        self._pace = pace
        self._dm_pace = dm_pace

    async def find(self, whom: str) -> Place:
        """The place of an address.

        Raises:
            discord.HTTPException: it isn't there, or the bot may not see it.
        """
        kind, _, number = whom.partition(":")
        return await self.channel(int(number)) if kind == "channel" else await self._dm(int(number))

    async def channel(self, channel_id: int) -> Place:
        """A server's channel, forum or thread; archived threads aren't in the cache and are asked for."""
        known: object = self._client.get_channel(channel_id)
        if known is None:
            await self._pace.turn()
            known = await self._client.fetch_channel(channel_id)
        rights = _rights(known)
        if isinstance(known, discord.ForumChannel):
            return Place(channel_id, None, known, rights)
        if not isinstance(known, Messageable):
            # A category, or a kind that this program doesn't know: Discord's refusal says which.
            return Place(channel_id, self._client.get_partial_messageable(channel_id), rights=rights)
        last = getattr(known, "last_message_id", None)
        return Place(channel_id, known, rights=rights, last_message_id=last)

    async def _dm(self, user_id: int) -> Place:
        person = await self._people.person(user_id)
        channel_id = person.dm_channel_id
        if channel_id is None:
            await self._dm_pace.turn()
            await self._pace.turn()
            channel_id = (await self._client.create_dm(discord.Object(user_id))).id
            await self._people.set_dm_channel(user_id, channel_id)
        channel = self._client.get_partial_messageable(channel_id, type=discord.ChannelType.private)
        return Place(channel_id, channel, direct=True)

    async def forget_dm(self, user_id: int) -> None:
        """The stored DM channel is no good; the next attempt opens it anew."""
        await self._people.set_dm_channel(user_id, None)

    def slow_down(self, seconds: float) -> None:
        """Discord says that DM channels are opened too fast."""
        self._dm_pace.hold(seconds)


def _rights(known: object) -> discord.Permissions | None:
    if not isinstance(known, (discord.abc.GuildChannel, discord.Thread)):
        return None
    me = known.guild.me
    return None if me is None else known.permissions_for(me)
