"""`/status`, `/help`, `/privacy`, `/settings`, `/import`: the bot itself.

Promises: each sees the part of the status that is theirs; nothing is loaded but by an operator in a server.
"""

from __future__ import annotations

import asyncio
import logging
import re
import tempfile
from pathlib import Path
from typing import Any

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands

from bot.failures import RefusalError
from bot.locales.catalogue import described
from bot.papers.model import Language
from bot.render.help import help_page, privacy_confirm, privacy_page
from bot.render.loads import load_report
from bot.render.message import Message
from bot.render.status import DigestState, Role, Source, State, Stuck, status
from bot.render.voice import Voice
from bot.status import program_version
from cogs import Services
from cogs.surface import Interaction, is_admin, lookup, replying, require_admin, require_server, server_only
from storage.digests import DigestStore
from storage.loads import LoadStore
from storage.outbox import OutboxStore, Part
from storage.sources import SourceStore
from storage.subscriptions import SubscriptionStore

log = logging.getLogger(__name__)

LARGEST = 25  # MB of a file for `/import`; a larger listing is for the command line
LOG = 50  # a server's newest deliveries, among which failed ones are shown
AUTO = "auto"
_NAMES = {Language.EN: "language.en", Language.ZH: "language.zh_cn", Language.ZH_TW: "language.zh_tw"}
_UNSAFE = re.compile(r"[^\w.\-]+")

_languages = [
    *(app_commands.Choice(name=described(key), value=language.value) for language, key in _NAMES.items()),
    app_commands.Choice(name=described("choices.language_auto"), value=AUTO),
]


class ServiceCog(commands.Cog):
    """What the bot says of itself, and what it can be told."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._voices = services.voices
        self._people = services.people
        self._digests = DigestStore(services.database)
        self._loads = LoadStore(services.database)
        self._outbox = OutboxStore(services.database)
        self._sources = SourceStore(services.database)
        self._subscriptions = SubscriptionStore(services.database)
        self._started = services.clock.now()
        self._mentions: dict[str, int] | None = None
        services.clicks.on("settings", self.click_settings)
        services.clicks.on("help", self.click_help)

    def _is_operator(self, interaction: Interaction) -> bool:
        return interaction.user.id in self._services.settings.owner_ids

    # --- status ----------------------------------------------------------------------------------

    @app_commands.command(name="status", description=described("commands.status.description"))
    @lookup
    async def status(self, interaction: Interaction) -> None:
        """How things are, as far as it concerns the one who asks."""
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            role: Role = "admin" if is_admin(interaction) else "reader"
            if self._is_operator(interaction):
                role = "operator"
            await reply.send(status(voice, await self._state(interaction), role))

    async def _state(self, interaction: Interaction) -> State:
        guild = interaction.guild_id
        last = await self._loads.last()
        papers = self._services.papers
        stuck = await self._outbox.log(guild, LOG) if guild else []
        return State(
            version=program_version(),
            papers=await papers.count(),
            by_track=await papers.count_by_track(),
            last_load=last.finished_at if last else None,
            load_counts=_numbers(last.report) if last else None,
            digest=await self._digest(guild) if guild else None,
            in_server=guild is not None,
            held=[_stuck(part) for part in stuck if part.state == "held"],
            failed=[_stuck(part) for part in stuck if part.state == "failed"],
            started=self._started,
            schema=await self._services.database.schema_version(),
            sources=[
                Source(
                    one.name, one.last_success, one.last_error, one.last_error_at, one.next_run, one.counts
                )
                for one in await self._sources.all()
            ],
            outbox=await self._outbox.counts(),
            subscriptions=await self._subscriptions.count(),
            guilds=len(interaction.client.guilds),
            corrections=len(await self._people.corrections("open")),
            last_error=getattr(interaction.client, "last_error", None),
            rival=await self._services.status.rival(),
        )

    async def _digest(self, guild_id: int) -> DigestState | None:
        settings = await self._digests.get(guild_id)
        if settings is None:
            return None
        last = await self._digests.last_date(guild_id, self._services.clock.now())
        following = None if settings.paused else await self._services.digests.next_run(settings)
        return DigestState(settings.channel_id, following, last.decided_at if last else None)

    # --- help and privacy ------------------------------------------------------------------------

    @app_commands.command(name="help", description=described("commands.help.description"))
    @lookup
    async def help(self, interaction: Interaction) -> None:
        """Every command."""
        await self._help(interaction)

    async def click_help(self, interaction: Interaction, _arguments: tuple[str, ...]) -> None:
        """The same by a button."""
        await self._help(interaction)

    async def _help(self, interaction: Interaction) -> None:
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            operator = self._is_operator(interaction)
            await reply.send(help_page(voice, await self._known_ids(interaction), operator=operator))

    async def _known_ids(self, interaction: Interaction) -> dict[str, int]:
        """Discord's ids of the commands, asked for once; without them the help can't be clicked, but read."""
        if self._mentions is None:
            guild = self._services.settings.dev_guild_id
            tree: app_commands.CommandTree[Any] = interaction.client.tree
            try:
                there = await tree.fetch_commands(guild=discord.Object(guild) if guild else None)
            except (discord.HTTPException, aiohttp.ClientError) as error:
                log.info("the ids of the commands can't be fetched: %s", error)
                return {}
            self._mentions = {
                one.name: one.id for one in there if one.type is discord.AppCommandType.chat_input
            }
        return self._mentions

    @app_commands.command(name="privacy", description=described("commands.privacy.description"))
    @lookup
    async def privacy(self, interaction: Interaction) -> None:
        """What is kept, and how to delete it."""
        async with replying(interaction, private=True) as reply:
            await reply.send(privacy_page(await self._voices.of(interaction)))

    async def click_settings(self, interaction: Interaction, arguments: tuple[str, ...]) -> None:
        """Delete everything about the one who clicks, once they have said so twice."""
        if arguments[0] != "forget":
            raise RefusalError("error.expired")
        async with replying(interaction, edits=True) as reply:
            voice = await self._voices.of(interaction)
            if arguments[1:] != ("yes",):
                await reply.send(privacy_confirm(voice))
                return
            await self._people.forget(interaction.user.id)
            await reply.send(Message(voice.sentence("privacy.deleted")))

    # --- settings --------------------------------------------------------------------------------

    @app_commands.command(name="settings", description=described("commands.settings.description"))
    @app_commands.describe(me=described("commands.settings.me"), server=described("commands.settings.server"))
    @app_commands.choices(me=_languages, server=_languages)
    @lookup
    async def settings(
        self, interaction: Interaction, me: str | None = None, server: str | None = None
    ) -> None:
        """Show the languages, or change them."""
        async with replying(interaction, private=True) as reply:
            done: list[str] = []
            guild = require_admin(interaction) if server is not None else None
            if me is not None:
                await self._people.set_person_language(interaction.user.id, _language(me))
            voice = await self._voices.of(interaction)
            if me is not None:
                done.append(voice.sentence("settings.changed_me", language=_said(voice, _language(me))))
            if guild is not None and server is not None:
                await self._people.set_guild_language(guild.id, _language(server))
                done.append(
                    voice.sentence("settings.changed_server", language=_said(voice, _language(server)))
                )
            await reply.send(Message("\n".join(done or await self._shown(interaction, voice))))

    async def _shown(self, interaction: Interaction, voice: Voice) -> list[str]:
        person = await self._people.person(interaction.user.id)
        own = "settings.me" if person.language else "settings.me_auto"
        lines = [
            f"**{voice.say('settings.title')}**",
            voice.say(own, language=_said(voice, voice.interface[0].value)),
        ]
        if interaction.guild_id is not None:
            chosen = await self._people.guild_language(interaction.guild_id)
            lines.append(voice.say("settings.server", language=_said(voice, chosen)))
        return lines

    # --- import ----------------------------------------------------------------------------------

    @app_commands.command(name="import", description=described("commands.import.description"))
    @app_commands.describe(file=described("commands.import.file"))
    @app_commands.default_permissions(manage_guild=True)
    @server_only
    async def import_(self, interaction: Interaction, file: discord.Attachment) -> None:
        """Load an attached listing; for the operators of this bot, wherever else they are nobody."""
        require_server(interaction)
        if not self._is_operator(interaction):
            raise RefusalError("permission.need_operator")
        if file.size > LARGEST * 1024 * 1024:
            raise RefusalError("error.attachment_large", limit=LARGEST)
        async with replying(interaction, private=True) as reply:
            await reply.defer()
            voice = await self._voices.of(interaction)
            report = await self._load(file)
            await reply.send(load_report(voice, report))

    async def _load(self, file: discord.Attachment) -> dict[str, Any]:
        """The load report, in which the file has the name that it was sent under."""
        with tempfile.TemporaryDirectory(prefix="herald-") as folder:
            path = Path(folder) / (_UNSAFE.sub("_", file.filename)[-100:].lstrip(".") or "listing.txt")
            data = await file.read()
            await asyncio.to_thread(path.write_bytes, data)
            imported = await self._services.load_files([path], None)
            found: dict[str, Any] = _without(imported.report, f"{folder}/")
            return found


def _numbers(report: dict[str, Any]) -> dict[str, int]:
    return {name: int(report.get(name, 0)) for name in ("new", "updated", "unchanged")}


def _stuck(part: Part) -> Stuck:
    channel = int(part.whom.rpartition(":")[2]) if part.whom.startswith("channel:") else part.channel_id or 0
    return Stuck(channel, part.last_error or "", part.last_attempt_at or part.created_at)


def _language(value: str) -> str | None:
    """A choice as it is stored; None for what Discord says."""
    return next((language.value for language in Language if language.value == value), None)


def _said(voice: Voice, language: str | None) -> str:
    return voice.say(_NAMES[Language(language)] if language else "settings.auto")


def _without(value: Any, text: str) -> Any:  # noqa: ANN401 - JSON
    """A JSON value with a text taken out of every string: where a file lay for a moment is nobody's concern."""
    if isinstance(value, str):
        return value.replace(text, "")
    if isinstance(value, list):
        return [_without(item, text) for item in value]
    if isinstance(value, dict):
        return {key: _without(item, text) for key, item in value.items()}
    return value
