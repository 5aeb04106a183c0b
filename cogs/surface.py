"""What all commands share: where they may be used, and how an answer gets out in time.

Promises: an answer is deferred before Discord's three seconds are over; rights are checked on this side too.
Leaves to `bot.client`: telling people about errors.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias, TypeVar

import discord
from discord import app_commands

from bot.failures import RefusalError
from bot.render.cutting import cut
from bot.render.limits import fit
from bot.render.message import Message

Interaction: TypeAlias = "discord.Interaction[Any]"
C = TypeVar("C", bound=Callable[..., Any])

DEFER_AFTER = 1.5  # seconds; Discord waits 3 for the first answer
CHOICES = 25  # Discord: choices of an autocompletion
CHOICE_TEXT = 100  # Discord: name and value of a choice

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
    """The answer to one interaction: sent at once, or into the deferral that kept it alive."""

    def __init__(self, interaction: Interaction, *, private: bool) -> None:
        self._interaction = interaction
        self._private = private
        self._lock = asyncio.Lock()

    async def defer(self) -> None:
        """Ask Discord for fifteen minutes, unless there is an answer already."""
        async with self._lock:
            if not self._interaction.response.is_done():
                await self._interaction.response.defer(ephemeral=self._private, thinking=True)

    async def send(self, message: Message) -> None:
        """Answer; a second call sends a further message."""
        async with self._lock:
            message = fit(message)
            response = self._interaction.response
            if not response.is_done():
                await response.send_message(**message.send_kwargs(), ephemeral=self._private)
            elif (
                response.type is discord.InteractionResponseType.deferred_channel_message and not self._filled
            ):
                # The first follow-up after a deferral would edit the original all the same.
                await self._interaction.edit_original_response(**message.edit_kwargs())
            else:
                await self._interaction.followup.send(**message.send_kwargs(), ephemeral=self._private)
            self._filled = True

    _filled = False


@asynccontextmanager
async def replying(interaction: Interaction, *, private: bool = False) -> AsyncIterator[Reply]:
    """Work on an answer; if it takes long, the interaction is deferred meanwhile."""
    reply = Reply(interaction, private=private)
    timer = asyncio.create_task(_defer_later(reply), name="defer")
    try:
        yield reply
    finally:
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


def choices(pairs: list[tuple[str, str]]) -> list[app_commands.Choice[str]]:
    """Suggestions from (name, value), cut and bounded; blank and repeated ones are dropped, equal names told apart.

    Discord refuses the whole list for one blank or over-long choice; discord.py builds it without a word.
    """
    found: dict[str, str] = {}
    for name, value in pairs:
        name = cut(" ".join(name.split()), CHOICE_TEXT)
        if not name or not value or len(value) > CHOICE_TEXT or value in found.values():
            continue
        number, unique = 2, name
        while unique in found:
            unique = f"{cut(name, CHOICE_TEXT - 5)} ({number})"
            number += 1
        found[unique] = value
    return [app_commands.Choice(name=name, value=value) for name, value in list(found.items())[:CHOICES]]
