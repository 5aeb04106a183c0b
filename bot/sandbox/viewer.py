"""What a person sees in a Discord client.

Promises: only what this person may see, ephemeral answers of others left out. Leaves acting to `human`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from bot.sandbox.model import Channel, Command, Event, Guild, Message, User

if TYPE_CHECKING:
    from bot.sandbox.world import World


class Viewer:
    """Looks as one user.

    Args:
        world: the world.
        user: who looks.
        patience: real seconds after which a person gives up although the world's clock stands still.
    """

    def __init__(self, world: World, user: User, *, patience: float = 10.0) -> None:
        self.world = world
        self.user = user
        self.patience = patience

    def guilds(self) -> list[Guild]:
        """The servers in the left bar."""
        return self.world.guilds_of(self.user.id)

    def channels(self, guild: Guild) -> list[Channel]:
        """The channels of a server that this person sees."""
        return self.world.visible_channels(self.user.id, guild)

    def dms(self) -> list[Channel]:
        """The DMs of this person."""
        return self.world.dms_of(self.user.id)

    def messages(self, channel: Channel, limit: int = 200) -> list[Message]:
        """What stands in a channel for this person, oldest first, ephemeral answers to this person included."""
        return self.world.messages.visible_to(self.user.id, channel, limit)

    async def until_message(
        self,
        channel: Channel,
        where: Callable[[Message], bool] = lambda _: True,
        *,
        seconds: float | None = None,
    ) -> Message:
        """The newest message this person sees in a channel that fits; waited for when there is none yet.

        Raises:
            TimeoutError: none came within so many real seconds (the person's patience when left out).
        """
        stop_at = time.monotonic() + (self.patience if seconds is None else seconds)
        while True:
            found = next((m for m in reversed(self.messages(channel)) if not m.loading and where(m)), None)
            if found is not None:
                return found
            await self._next_change(channel, stop_at - time.monotonic())

    async def _next_change(self, channel: Channel, seconds: float) -> None:
        changed = asyncio.Event()
        names = ("MESSAGE_CREATE", "MESSAGE_UPDATE")

        def listen(event: Event) -> None:
            if event.name in names and event.channel_id == channel.id:
                changed.set()

        stop = self.world.subscribe(listen)
        try:
            await asyncio.wait_for(changed.wait(), seconds)
        finally:
            stop()

    def commands(self, channel: Channel) -> list[Command]:
        """The commands the client offers in a channel (slash commands and menus)."""
        return self.world.commands.visible_to(self.user, channel)
