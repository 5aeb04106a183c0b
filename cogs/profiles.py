"""`/author`, `/institution`, `/stats`: who publishes, where, and how much.

Promises: a name that several institutions go by is asked back, never guessed; near names are only suggested.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Literal

from discord import app_commands
from discord.ext import commands

from bot import profiling
from bot.institutions.model import Match, Organisation, Resolution
from bot.locales.catalogue import described
from bot.lookups import AUTHOR, INSTITUTION, Wanted
from bot.papers.names import author_key
from bot.render.charts import By, stats
from bot.render.ids import encode
from bot.render.message import Message
from bot.render.profiles import author_profile, institution_profile
from bot.render.profiles import choices as which
from bot.render.voice import Voice
from bot.text import normalise
from cogs import Services
from cogs.showing import Choices, Showing, institution_name
from cogs.surface import CHOICES, Interaction, lookup, replying
from storage.statistics import Counts, Statistics

LISTED = 500  # groups that are counted; the chart shows fewer and sums up the rest


class ProfileCog(commands.Cog):
    """Profiles and counts."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._voices = services.voices
        self._lookups = services.lookups
        self._showing = Showing(services)
        self._statistics = Statistics(services.database)
        services.clicks.on("author", self.open_author)
        services.clicks.on("inst", self.open_institution)

    @app_commands.command(name="author", description=described("commands.author.description"))
    @app_commands.describe(name=described("commands.author.name"))
    @lookup
    async def author(self, interaction: Interaction, name: str) -> None:
        """An author's profile and papers."""
        async with replying(interaction) as reply:
            await self._showing.require_papers(interaction)
            voice = await self._voices.of(interaction)
            message, sure = await self._author(voice, name)
            await reply.send(message, private=not sure)

    @author.autocomplete("name")
    async def _authors(self, interaction: Interaction, current: str) -> Choices:
        return await self._showing.suggest_authors(interaction, current)

    @app_commands.command(name="institution", description=described("commands.institution.description"))
    @app_commands.describe(name=described("commands.institution.name"))
    @lookup
    async def institution(self, interaction: Interaction, name: str) -> None:
        """An institution's profile and papers."""
        async with replying(interaction) as reply:
            await self._showing.require_papers(interaction)
            voice = await self._voices.of(interaction)
            message, sure = await self._institution(voice, name)
            await reply.send(message, private=not sure)

    @institution.autocomplete("name")
    async def _institutions(self, interaction: Interaction, current: str) -> Choices:
        return await self._showing.suggest_institutions(interaction, current)

    @app_commands.command(name="stats", description=described("commands.stats.description"))
    @app_commands.describe(by=described("commands.stats.by"))
    @app_commands.choices(
        by=[
            app_commands.Choice(name=described(f"choices.by_{value}"), value=value)
            for value in ("year", "track", "presentation", "institution", "topic")
        ]
    )
    @lookup
    async def stats(
        self,
        interaction: Interaction,
        by: Literal["year", "track", "presentation", "institution", "topic"] = "year",
    ) -> None:
        """How many papers there are."""
        async with replying(interaction) as reply:
            await self._showing.require_papers(interaction)
            voice = await self._voices.of(interaction)
            counts = await self._counts(voice, by)
            await reply.send(stats(voice, by, counts, await self._lookups.count()))

    # --- clicks ----------------------------------------------------------------------------------

    async def open_author(self, interaction: Interaction, arguments: tuple[str, ...]) -> None:
        """An author's button, or a choice from a select: privately."""
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            message, _ = await self._author(voice, f"{AUTHOR}{arguments[0]}")
            await reply.send(message)

    async def open_institution(self, interaction: Interaction, arguments: tuple[str, ...]) -> None:
        """An institution's button, or a choice from a select: privately."""
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            message, _ = await self._institution(voice, f"{INSTITUTION}{arguments[0]}")
            await reply.send(message)

    # --- authors ---------------------------------------------------------------------------------

    async def _author(self, voice: Voice, name: str) -> tuple[Message, bool]:
        """The profile, or near names to choose from; and whether it is the profile."""
        found = await self._lookups.author(name)
        if found is not None and found.papers:
            return author_profile(voice, await asyncio.to_thread(profiling.author, found)), True
        typed = name.removeprefix(AUTHOR)
        names = await self._lookups.suggest_authors(typed) if normalise(typed) else []
        options = [(f"{AUTHOR}{author_key(near)}", near) for near in names]
        return _selectable(which(voice, "author", typed, options[:CHOICES])), False

    # --- institutions ----------------------------------------------------------------------------

    async def _institution(self, voice: Voice, name: str) -> tuple[Message, bool]:
        """The profile, or what may have been meant; and whether it is the profile."""
        found = self._lookups.institution(name)
        if found.status is Match.EXACT and found.organisation is not None:
            return await self._organisation(voice, found.organisation), True
        printed = await self._printed(voice, name, found)
        if printed is not None:
            return printed, True
        options = [(f"{INSTITUTION}{one.id}", institution_name(voice, one)) for one in found.suggestions]
        typed = name.removeprefix(INSTITUTION)
        ambiguous = found.status is Match.AMBIGUOUS
        return _selectable(which(voice, "institution", typed, options[:CHOICES], ambiguous=ambiguous)), False

    async def _organisation(self, voice: Voice, found: Organisation) -> Message:
        own = await self._lookups.papers_of(found, children=False)
        every = await self._lookups.papers_of(found)
        return institution_profile(voice, profiling.organisation(found, own, every, self._services.directory))

    async def _printed(self, voice: Voice, name: str, found: Resolution) -> Message | None:
        """The profile of a name that is in no directory but stands on papers exactly so."""
        wanted = normalise(name)
        if found.status is not Match.UNKNOWN or not wanted:
            return None
        hits = await self._lookups.find(Wanted(institution=name), LISTED)
        papers = [
            item.paper
            for item in await self._lookups.papers(hits)
            if any(normalise(place.name_en) == wanted for place in item.paper.affiliations)
        ]
        return institution_profile(voice, profiling.printed_name(name, papers)) if papers else None

    # --- counts ----------------------------------------------------------------------------------

    async def _counts(self, voice: Voice, by: By) -> Counts:
        match by:
            case "year":
                return await self._statistics.by_year()
            case "track":
                return await self._statistics.by_track()
            case "presentation":
                return await self._statistics.by_presentation()
            case "topic":
                return await self._statistics.by_topic(LISTED)
            case "institution":
                counted = await self._statistics.by_organisation(LISTED)
                return [(_short(voice, number), count) for number, count in counted]


def _short(voice: Voice, organisation: str | None) -> str | None:
    """One name of an organisation, in the reader's language where it has one."""
    if organisation is None:
        return None
    english, chinese = voice.names(organisation)
    return chinese if chinese and voice.papers[0] != "en" else english


def _selectable(message: Message) -> Message:
    """A list of names whose choice opens the profile."""
    if message.select is None:
        return message
    return replace(message, select=replace(message.select, custom_id=encode("open", "profile")))
