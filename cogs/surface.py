"""What all commands share: where they may be used, and how an answer gets out in time.

Promises: an answer is deferred before Discord's three seconds are over; rights are checked on this side too.
Leaves to `bot.client`: telling people about errors.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeAlias, TypeVar

import discord
from discord import app_commands

from bot.failures import RefusalError
from bot.render.cutting import cut
from bot.render.limits import fit
from bot.render.message import Message

Interaction: TypeAlias = "discord.Interaction[Any]"
C = TypeVar("C")

DEFER_AFTER = 1.5  # seconds; Discord waits 3 for the first answer
CHOICES = 25  # Discord: choices of an autocompletion
CHOICE_TEXT = 100  # Discord: name and value of a choice
_ALIKE = 60  # characters from which on two names look alike in a list

EVERYWHERE = {"guilds": True, "dms": True, "private_channels": True}


def lookup(command: C) -> C:
    """For readers: in servers, in DMs, and where somebody has installed the app for themselves."""
    command = app_commands.allowed_contexts(**EVERYWHERE)(command)
    return app_commands.allowed_installs(guilds=True, users=True)(command)


def server_only(command: C) -> C:
    """For a server that has installed the bot."""
    command = app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)(command)
    return app_commands.allowed_installs(guilds=True, users=False)(command)


class Reply:
    """The answer to one interaction: sent at once, or into the deferral that kept it alive.

    With `edits` the first answer takes the place of the message whose button was clicked.
    """

    def __init__(self, interaction: Interaction, *, private: bool, edits: bool = False) -> None:
        self._interaction = interaction
        self._private = private
        self._edits = edits
        self._lock = asyncio.Lock()
        self._filled = False

    async def defer(self) -> None:
        """Ask Discord for fifteen minutes, unless there is an answer already."""
        async with self._lock:
            if not self._interaction.response.is_done():
                await self._interaction.response.defer(ephemeral=self._private, thinking=not self._edits)

    async def send(self, message: Message, *, private: bool = False) -> None:
        """Answer; a second call sends a further message.

        Args:
            message: what to say.
            private: for the person alone even where the answer would be public; a deferral has settled that.
        """
        async with self._lock:
            message = fit(message)
            response = self._interaction.response
            hidden = self._private or private
            if not response.is_done():
                if self._edits:
                    await response.edit_message(**message.edit_kwargs())
                else:
                    await response.send_message(**message.send_kwargs(), ephemeral=hidden)
            elif response.type in _DEFERRED and not self._filled:
                # The first follow-up after a deferral would edit the original all the same.
                await self._interaction.edit_original_response(**message.edit_kwargs())
            else:
                await self._interaction.followup.send(**message.send_kwargs(), ephemeral=hidden)
            self._filled = True

    async def settled(self) -> None:
        """Wait for a deferral that is on its way; cut off, it would leave the state of the answer unknown."""
        async with self._lock:
            return


_DEFERRED = (
    discord.InteractionResponseType.deferred_channel_message,
    discord.InteractionResponseType.deferred_message_update,
)


@asynccontextmanager
async def replying(
    interaction: Interaction, *, private: bool = False, edits: bool = False
) -> AsyncIterator[Reply]:
    """Work on an answer; if it takes long, the interaction is deferred meanwhile."""
    reply = Reply(interaction, private=private, edits=edits)
    timer = asyncio.create_task(_defer_later(reply), name="defer")
    try:
        yield reply
    finally:
        await reply.settled()
        timer.cancel()
        await asyncio.gather(timer, return_exceptions=True)


async def _defer_later(reply: Reply) -> None:
    await asyncio.sleep(DEFER_AFTER)
    await reply.defer()


async def update(interaction: Interaction, message: Message) -> None:
    """Change the message whose button was clicked."""
    kwargs = fit(message).edit_kwargs()
    if interaction.response.is_done():
        await interaction.edit_original_response(**kwargs)
    else:
        await interaction.response.edit_message(**kwargs)


def require_server(interaction: Interaction) -> discord.Guild:
    """The server an interaction comes from, of which the bot is a member.

    Raises:
        RefusalError: a DM, or a server where only a person has installed the app.
    """
    guild = interaction.guild
    if guild is None or interaction.client.get_guild(guild.id) is None:
        raise RefusalError("error.server_only")
    return guild


def require_admin(interaction: Interaction) -> discord.Guild:
    """The same, for somebody with Manage Server; Discord's own check is only a hint and ignored on sub-commands.

    Raises:
        RefusalError: no server, or no right.
    """
    guild = require_server(interaction)
    if not is_admin(interaction):
        raise RefusalError("permission.need_admin")
    return guild


def is_admin(interaction: Interaction) -> bool:
    """Whether the person may manage the server, as this interaction says."""
    return interaction.guild is not None and interaction.permissions.manage_guild


def is_private(interaction: Interaction) -> bool:
    """Whether only this person sees the place that the interaction comes from: a private answer, or the bot's DM."""
    if interaction.message is not None and interaction.message.flags.ephemeral:
        return True
    return interaction.context.dm_channel


def is_own(interaction: Interaction) -> bool:
    """Whether the clicked message is the answer to a command or click of the same person."""
    source = interaction.message.interaction_metadata if interaction.message else None
    return is_private(interaction) or (source is not None and source.user.id == interaction.user.id)


def choices(pairs: list[tuple[str, str]]) -> list[app_commands.Choice[str]]:
    """Suggestions from (name, value), cut and bounded; blank and repeated ones are dropped, equal names told apart.

    Discord refuses the whole list for one blank or over-long choice; discord.py builds it without a word.
    """
    kept: dict[str, str] = {}
    for name, value in pairs:
        name = " ".join(name.split())
        if name and value and len(value) <= CHOICE_TEXT:
            kept.setdefault(value, name)
        if len(kept) == CHOICES:
            break
    names = _unlike(list(kept.values()))
    return [app_commands.Choice(name=name, value=value) for name, value in zip(names, kept, strict=True)]


def _unlike(names: list[str]) -> list[str]:
    """Names cut to what Discord takes; those that would be cut to the same keep the part in which they differ."""
    shown = [cut(name, CHOICE_TEXT, markup=False) for name in names]
    for start in {name[:_ALIKE] for name in names}:
        places = [place for place, name in enumerate(names) if name.startswith(start)]
        alike = _common_start([names[place] for place in places])
        for place in places:
            if len(places) > 1 and shown[place] != names[place]:
                shown[place] = _around(names[place], alike)
    taken: set[str] = set()
    for place, name in enumerate(shown):
        number, unique = 2, name
        while unique in taken:
            unique = f"{cut(name, CHOICE_TEXT - 5, markup=False)} ({number})"
            number += 1
        taken.add(unique)
        shown[place] = unique
    return shown


def _common_start(names: list[str]) -> int:
    """How many characters all names begin with."""
    columns = zip(*names, strict=False)
    return next((place for place, column in enumerate(columns) if len(set(column)) > 1), min(map(len, names)))


def _around(name: str, place: int) -> str:
    """The start of a name and what stands around a place in it."""
    head = cut(name, CHOICE_TEXT // 3, markup=False)
    back = name.rfind(" ", 0, place)
    rest = name[back + 1 if place - back < CHOICE_TEXT // 3 else place :]
    return f"{head} {cut(rest, CHOICE_TEXT - CHOICE_TEXT // 3 - 1, markup=False)}"
