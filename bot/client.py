"""The Discord client: commands, clicks, the life of servers, and the one error path of everything people do.

Promises: what goes wrong in a command, a click or a form is told in a sentence and logged under a short id;
nothing is loaded or registered in `on_ready`, which fires again. Leaves to the cogs: what commands do.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, Protocol

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands

from bot.clicks import Clicks
from bot.command_texts import CommandTexts
from bot.failures import ANSWERED, explain
from bot.voices import Voices

log = logging.getLogger(__name__)


class GuildLife(Protocol):
    """Who hears of what happens to servers and channels."""

    async def ready(self, guilds: set[int]) -> None:
        """The gateway has told of all servers; `guilds` are those the bot is in."""

    async def joined(self, guild: discord.Guild) -> None:
        """The bot was added to a server."""

    async def left(self, guild_id: int) -> None:
        """The bot was removed from a server (an outage isn't that)."""

    async def channel_deleted(self, channel_id: int) -> None:
        """A channel or thread is gone for good."""

    async def available(self, guild: discord.Guild) -> None:
        """A server is back after an outage."""

    async def thread_changed(self, thread: discord.Thread) -> None:
        """A thread may have been unlocked."""

    async def rights_changed(self, guild: discord.Guild) -> None:
        """A channel, a role or the bot's own membership changed."""

    async def rival_seen(self) -> None:
        """Somebody else answered an interaction of this bot."""


class HeraldTree(app_commands.CommandTree["Herald"]):
    """The command tree with this bot's error path."""

    async def on_error(
        self, interaction: discord.Interaction[Herald], error: app_commands.AppCommandError, /
    ) -> None:
        """Tell the person in a sentence; the log has the rest."""
        name = interaction.command.qualified_name if interaction.command else "unknown"
        await self.client.fail(interaction, error, f"/{name}")


class Herald(commands.AutoShardedBot):
    """The bot. Intents: guilds only; no caches of members or messages."""

    def __init__(
        self,
        *,
        voices: Voices,
        clicks: Clicks,
        http_trace: aiohttp.TraceConfig,
    ) -> None:
        # Voice isn't used: no warning about its missing libraries at every start.
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=HeraldTree,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            http_trace=http_trace,
            # Longer waits are the outbox's own, where they hold up nobody and survive a restart.
            max_ratelimit_timeout=30.0,
        )
        self._voices = voices
        self._clicks = clicks
        self._prepare: Callable[[], Awaitable[None]] | None = None
        self._life: GuildLife | None = None
        # The short id and the moment of the last thing that went wrong unexpectedly, for `/status`.
        self.last_error: tuple[str, datetime] | None = None

    def attach(self, *, prepare: Callable[[], Awaitable[None]], life: GuildLife) -> None:
        """Give the bot what needs the bot itself to be built.

        Args:
            prepare: runs once after the login, before the gateway: load cogs, register commands.
            life: hears of servers.
        """
        self._prepare = prepare
        self._life = life

    async def setup_hook(self) -> None:
        """Once, after the login and before the gateway."""
        await self.tree.set_translator(CommandTexts())
        if self._prepare is not None:
            await self._prepare()

    # --- the one error path ----------------------------------------------------------------------

    async def fail(self, interaction: discord.Interaction[Any], error: BaseException, where: str) -> None:
        """Tell the person what went wrong; log what they can't do anything about."""
        if _answered_elsewhere(interaction, error) and self._life:
            await self._life.rival_seen()
        told = explain(error, where)
        if told is None:
            return
        key, values = told
        if "id" in values:
            self.last_error = (str(values["id"]), interaction.created_at)
        voice = await self._voices.of(interaction)
        await self._tell(interaction, voice.sentence(key, **values)[:2000])

    async def _tell(self, interaction: discord.Interaction[Any], text: str) -> None:
        nobody = discord.AllowedMentions.none()
        try:
            if interaction.response.is_done():
                if interaction.type is discord.InteractionType.application_command and _deferred(interaction):
                    await interaction.edit_original_response(content=text, allowed_mentions=nobody)
                else:
                    await interaction.followup.send(text, ephemeral=True, allowed_mentions=nobody)
            else:
                await interaction.response.send_message(text, ephemeral=True, allowed_mentions=nobody)
        except (discord.HTTPException, aiohttp.ClientError) as error:
            log.info("the person couldn't be told: %s", error)

    async def on_interaction(self, interaction: discord.Interaction[Herald]) -> None:
        """Clicks and forms; commands go through the tree."""
        if interaction.type not in (
            discord.InteractionType.component,
            discord.InteractionType.modal_submit,
        ):
            return
        try:
            await self._clicks.take(interaction)
        except Exception as error:
            await self.fail(interaction, error, "a click")

    async def on_error(self, event_method: str, /, *_args: object, **_kwargs: object) -> None:
        """An error in an event: logged under an id, nobody to tell."""
        log.exception("the event %s failed", event_method)

    # --- the life of servers ---------------------------------------------------------------------

    async def on_ready(self) -> None:
        """All servers are known; fires again after an invalidated session."""
        log.info("ready as %s in %d servers", self.user, len(self.guilds))
        if self._life:
            await self._life.ready({guild.id for guild in self.guilds})

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was added."""
        if self._life:
            await self._life.joined(guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was removed; discord.py keeps outages apart (`on_guild_unavailable`)."""
        if self._life:
            await self._life.left(guild.id)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A server is back after an outage."""
        if self._life:
            await self._life.available(guild)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel is gone."""
        if self._life:
            await self._life.channel_deleted(channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread is gone."""
        if self._life:
            await self._life.channel_deleted(payload.thread_id)

    async def on_guild_channel_create(self, channel: discord.abc.GuildChannel) -> None:
        """A channel came."""
        await self._rights(channel.guild)

    async def on_guild_channel_update(self, _before: object, after: discord.abc.GuildChannel) -> None:
        """A channel's overwrites may have changed."""
        await self._rights(after.guild)

    async def on_guild_role_update(self, _before: object, after: discord.Role) -> None:
        """A role's permissions may have changed."""
        await self._rights(after.guild)

    async def on_member_update(self, _before: object, after: discord.Member) -> None:
        """The bot's own roles may have changed; of others the bot hears nothing."""
        await self._rights(after.guild)

    async def on_thread_update(self, _before: object, after: discord.Thread) -> None:
        """A thread may have been unlocked or unarchived."""
        if self._life:
            await self._life.thread_changed(after)
        await self._rights(after.guild)

    async def on_thread_join(self, thread: discord.Thread) -> None:
        """A thread that wasn't in the cache came to life again, or is new."""
        if self._life:
            await self._life.thread_changed(thread)

    async def _rights(self, guild: discord.Guild) -> None:
        if self._life:
            await self._life.rights_changed(guild)


def _answered_elsewhere(interaction: discord.Interaction[Any], error: BaseException) -> bool:
    """Whether Discord has an answer to this interaction that this process didn't give."""
    cause = getattr(error, "original", error)
    return (
        isinstance(cause, discord.HTTPException)
        and cause.code == ANSWERED
        and not interaction.response.is_done()
    )


def _deferred(interaction: discord.Interaction[Any]) -> bool:
    return interaction.response.type in (
        discord.InteractionResponseType.deferred_channel_message,
        discord.InteractionResponseType.deferred_message_update,
    )
