"""`/digest`: an admin sets up, looks at and steers the digest of a server."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import discord
from discord import app_commands
from discord.ext import commands

from bot.digest.options import read_days, read_time, read_words, read_zone, suggest_zones
from bot.failures import RefusalError
from bot.locales.catalogue import described
from bot.render.digest_admin import LogLine, Schedule, log_line, mention, shown, was_set
from bot.render.ids import encode
from bot.render.limits import fit
from bot.render.message import Button, Message, rows_of
from bot.render.safe import literal
from bot.render.voice import Voice
from cogs import Services
from cogs.surface import Interaction, choices, replying, require_admin, server_only, update
from storage.digests import DigestSettings, DigestStore
from storage.outbox import OutboxStore, Part
from storage.subscriptions import SubscriptionStore

NEEDED = ("view_channel", "send_messages", "read_message_history")
LOGGED = 10  # deliveries in `/digest show`
Where = discord.TextChannel | discord.Thread | discord.ForumChannel


class _Postable(app_commands.Transformer):
    """A channel that can hold a digest: text, announcement, thread or forum.

    discord.py would offer media channels with forums, which Discord's API description doesn't know here.
    """

    @property
    def type(self) -> discord.AppCommandOptionType:
        """The kind of option."""
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        """The channels that are offered."""
        kinds = discord.ChannelType
        return [
            kinds.text,
            kinds.news,
            kinds.news_thread,
            kinds.public_thread,
            kinds.private_thread,
            kinds.forum,
        ]

    async def transform(
        self, _interaction: Interaction, value: app_commands.AppCommandChannel | app_commands.AppCommandThread
    ) -> Where:
        """The channel as the bot knows it.

        Raises:
            RefusalError: the bot can't see it, or it can't hold a digest.
        """
        channel = value.resolve()
        if channel is None:
            raise RefusalError("permission.no_access", channel=mention(value.id))
        if not isinstance(channel, Where):
            raise RefusalError("error.channel_kind", channel=mention(value.id))
        return channel


@server_only
@app_commands.default_permissions(manage_guild=True)
class DigestCog(
    commands.GroupCog,
    group_name="digest",
    group_description=described("commands.digest.description"),
):
    """The `/digest` commands. Manage Server is checked at every one, Discord's own check being only a hint."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._voices = services.voices
        self._digests = services.digests
        self._store = DigestStore(services.database)
        self._outbox = OutboxStore(services.database)
        services.clicks.on("digest", self.clicked)
        super().__init__()

    @app_commands.command(name="set", description=described("commands.digest_set.description"))
    @app_commands.describe(
        channel=described("commands.digest_set.channel"),
        time=described("commands.digest_set.time"),
        timezone=described("commands.digest_set.timezone"),
        language=described("commands.digest_set.language"),
        days=described("commands.digest_set.days"),
        tracks=described("commands.digest_set.tracks"),
        include=described("commands.digest_set.include"),
        exclude=described("commands.digest_set.exclude"),
        backfill=described("commands.digest_set.backfill"),
    )
    @app_commands.choices(
        language=[
            app_commands.Choice(name=described(f"choices.language_{value}"), value=value)
            for value in ("both", "en", "zh")
        ],
        tracks=[
            app_commands.Choice(name=described(f"choices.{key}"), value=value)
            for key, value in (("tracks_all", "all"), ("track_main", "main"), ("track_workshop", "workshop"))
        ],
    )
    async def set(
        self,
        interaction: Interaction,
        channel: app_commands.Transform[Where, _Postable],
        time: str,
        timezone: str,
        language: str = "both",
        days: str | None = None,
        tracks: str = "all",
        include: str | None = None,
        exclude: str | None = None,
        backfill: app_commands.Range[int, 0, 50] = 0,
    ) -> None:
        """Set up the digest, or change it."""
        guild = require_admin(interaction)
        hour, minute = read_time(time)
        zone, weekdays = read_zone(timezone), read_days(days)
        settings = DigestSettings(
            guild_id=guild.id,
            channel_id=channel.id,
            hour=hour,
            minute=minute,
            timezone=zone,
            language=language,
            days=weekdays,
            tracks=tracks,
            include=read_words(include),
            exclude=read_words(exclude),
            paused=False,
            since_seq=0,
            set_by=interaction.user.id,
            set_at=self._services.clock.now(),
        )
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            notes = _check_rights(voice, channel)
            changed = await self._store.get(guild.id) is not None
            await self._digests.configure(settings, backfill)
            text = was_set(voice, await self._schedule(settings), backfill)
            if changed:
                notes.append(voice.sentence("digest_admin.changed_later"))
            await reply.send(Message(content="\n".join([text, *notes])))

    @set.autocomplete("timezone")
    async def _zones(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Zones for a half-typed name; the operator's default first for nothing."""
        names = suggest_zones(current)
        if not current.strip():
            names = [self._services.settings.default_timezone, *names]
        return choices([(name, name) for name in names])

    @app_commands.command(name="show", description=described("commands.digest_show.description"))
    async def show(self, interaction: Interaction) -> None:
        """The settings, what waits and why, and the delivery log."""
        guild = require_admin(interaction)
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            await reply.send(await self._shown(voice, guild.id))

    @app_commands.command(name="preview", description=described("commands.digest_preview.description"))
    async def preview(self, interaction: Interaction) -> None:
        """What the next digest would say."""
        settings = await self._configured(interaction)
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            messages = await self._digests.preview(settings)
            if not messages:
                await reply.send(Message(content=voice.sentence("digest.nothing")))
            for message in messages:
                await reply.send(replace(message, buttons=()))

    @app_commands.command(name="now", description=described("commands.digest_now.description"))
    async def now(self, interaction: Interaction) -> None:
        """Post what is pending; the date isn't used up."""
        settings = await self._configured(interaction)
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            decision = await self._digests.post_now(settings)
            self._services.wake_outbox()
            key = "digest_admin.now_queued" if decision.papers else "digest_admin.now_nothing"
            text = voice.sentence(key, count=decision.papers, channel=mention(settings.channel_id))
            await reply.send(Message(content=text))

    @app_commands.command(name="pause", description=described("commands.digest_pause.description"))
    async def pause(self, interaction: Interaction) -> None:
        """Pause; what comes meanwhile is kept."""
        settings = await self._configured(interaction)
        await self._answer(
            interaction, "already_paused" if settings.paused else "paused", settings, paused=True
        )

    @app_commands.command(name="resume", description=described("commands.digest_resume.description"))
    async def resume(self, interaction: Interaction) -> None:
        """Go on."""
        settings = await self._configured(interaction)
        await self._answer(
            interaction, "resumed" if settings.paused else "not_paused", settings, paused=False
        )

    @app_commands.command(name="remove", description=described("commands.digest_remove.description"))
    async def remove(self, interaction: Interaction) -> None:
        """Ask, then remove (the click does it)."""
        settings = await self._configured(interaction)
        voice = await self._voices.of(interaction)
        text = voice.sentence("digest_admin.remove_confirm", channel=mention(settings.channel_id))
        buttons = rows_of(
            Button(voice.say("button.confirm"), "danger", encode("digest", "remove", settings.channel_id)),
            Button(voice.say("button.cancel"), "secondary", encode("digest", "keep")),
        )
        async with replying(interaction, private=True) as reply:
            await reply.send(Message(content=text, buttons=buttons))

    async def clicked(self, interaction: Interaction, arguments: tuple[str, ...]) -> None:
        """Confirm or cancel a removal."""
        guild = require_admin(interaction)
        voice = await self._voices.of(interaction)
        if arguments[0] != "remove":
            await update(interaction, Message(content=voice.say("button.cancel")))
            return
        removed = await self._digests.remove(guild.id)
        key = "digest_admin.removed" if removed else "digest_admin.show_none"
        await update(interaction, Message(content=voice.sentence(key)))

    # --- shared ----------------------------------------------------------------------------------

    async def _configured(self, interaction: Interaction) -> DigestSettings:
        """The server's digest, for an admin.

        Raises:
            RefusalError: no admin, or no digest.
        """
        guild = require_admin(interaction)
        settings = await self._store.get(guild.id)
        if settings is None:
            raise RefusalError("digest_admin.show_none")
        return settings

    async def _answer(
        self, interaction: Interaction, key: str, settings: DigestSettings, *, paused: bool
    ) -> None:
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            steer = self._digests.pause if paused else self._digests.resume
            await steer(settings.guild_id)
            schedule = await self._schedule(await self._store.get(settings.guild_id) or settings)
            after = f"<t:{int(schedule.next.timestamp())}:f>" if schedule.next else ""
            await reply.send(Message(content=voice.sentence(f"digest_admin.{key}", next=after)))

    async def _schedule(self, settings: DigestSettings) -> Schedule:
        return Schedule(
            channel_id=settings.channel_id,
            hour=settings.hour,
            minute=settings.minute,
            timezone=settings.timezone,
            language=settings.language,
            days=settings.days,
            tracks=settings.tracks,
            include=settings.include,
            exclude=settings.exclude,
            next=await self._digests.next_run(settings),
        )

    async def _shown(self, voice: Voice, guild_id: int) -> Message:
        settings = await self._store.get(guild_id)
        sections = []
        if settings is None:
            sections.append(voice.sentence("digest_admin.show_none"))
        else:
            pending = len((await self._digests.pending(settings)).wanted)
            lines = shown(
                voice,
                await self._schedule(settings),
                paused=settings.paused,
                held=settings.held_reason,
                pending=pending,
            )
            last = await self._store.last_date(guild_id, self._services.clock.now())
            if last is None:
                lines.append(voice.say("digest_admin.show_last_none"))
            else:
                when = f"<t:{int(last.decided_at.timestamp())}:f>"
                lines.append(voice.say("digest_admin.show_last", when=when, count=last.papers))
            sections.append("\n".join(lines))
        sections += await self._subscriptions(voice, guild_id)
        sections += await self._log(voice, guild_id)
        embed = discord.Embed(title=voice.say("digest_admin.show_title"), description="\n\n".join(sections))
        return fit(Message(embeds=(embed,)))

    async def _subscriptions(self, voice: Voice, guild_id: int) -> list[str]:
        found = await SubscriptionStore(self._services.database).of_guild(guild_id)
        if not found:
            return []
        lines = [f"• <#{item.channel_id}>: {literal(item.label)}" for item in found[:20]]
        return ["\n".join([f"**{voice.say('digest_admin.show_subscriptions')}**", *lines])]

    async def _log(self, voice: Voice, guild_id: int) -> list[str]:
        parts = await self._outbox.log(guild_id, 100)
        grouped: dict[tuple[str, str], list[Part]] = {}
        for part in parts:
            if part.kind in ("digest", "alert"):
                grouped.setdefault((part.what, part.state), []).append(part)
        lines = [log_line(voice, _logged(group)) for group in list(grouped.values())[:LOGGED]]
        return ["\n".join([f"**{voice.say('digest_admin.show_log')}**", *lines])] if lines else []


def _logged(group: list[Part]) -> LogLine:
    newest = group[0]
    return LogLine(
        channel=mention(int(newest.whom.removeprefix("channel:")))
        if newest.whom.startswith("channel:")
        else "DM",
        when=newest.finished_at or newest.created_at,
        state=newest.state,
        parts=len(group),
        reason=newest.last_error,
        next_try=newest.next_at,
    )


def _check_rights(voice: Voice, channel: Where) -> list[str]:
    """What to say besides about the bot's permissions in a channel.

    Raises:
        RefusalError: it can't deliver there; the missing permissions are named.
    """
    me = cast(
        "discord.Member | None", channel.guild.me
    )  # discord.py's type promises more than a gateway does
    if me is None:
        return []  # the gateway hasn't told of the bot itself; the first delivery finds out
    rights = channel.permissions_for(me)
    needed = [name for name in NEEDED if name != "send_messages" or not isinstance(channel, discord.Thread)]
    if not isinstance(channel, discord.TextChannel):
        needed.append("send_messages_in_threads")  # in a forum, all parts of a digest but the first
    missing = [name for name in needed if not getattr(rights, name)]
    if missing:
        names = ", ".join(voice.say(f"permission.{name}") for name in missing)
        raise RefusalError("permission.missing", channel=mention(channel.id), permissions=names)
    return [] if rights.embed_links else [voice.sentence("permission.plain", channel=mention(channel.id))]
