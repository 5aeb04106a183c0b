"""`/similar`, `/cite`, `/random`, `/report`: what a reader does with a paper.

Promises: a report is recorded and changes nothing by itself.
"""

from __future__ import annotations

from dataclasses import replace

import discord
from discord import app_commands
from discord.ext import commands

from bot.clicks import form_values
from bot.failures import RefusalError
from bot.locales.catalogue import described
from bot.paging import Listed, ids_of
from bot.papers.model import Paper
from bot.render.citations import cite
from bot.render.cutting import cut
from bot.render.ids import encode
from bot.render.limits import PLACEHOLDER
from bot.render.message import Button, Message
from bot.render.safe import literal
from bot.render.voice import Voice
from bot.reports import DETAIL, KINDS, Reports, affiliation_at
from bot.similar import Similar
from cogs import Services
from cogs.library import formats, known_format
from cogs.showing import Choices, Showing
from cogs.surface import Interaction, is_own, is_private, lookup, replying
from storage.statistics import Statistics


class ReadingCog(commands.Cog):
    """Reading on, citing, reporting."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._voices = services.voices
        self._people = services.people
        self._showing = Showing(services)
        self._similar = Similar(lookups=services.lookups, papers=services.papers)
        self._statistics = Statistics(services.database)
        self._reports = Reports(people=services.people, clock=services.clock)
        for kind, handler in {
            "similar": self.click_similar,
            "cite": self.click_cite,
            "random": self.click_random,
            "report": self.click_report,
            "reportform": self.take_report,
            "notplace": self.not_this_place,
        }.items():
            services.clicks.on(kind, handler)

    # --- similar ---------------------------------------------------------------------------------

    @app_commands.command(name="similar", description=described("commands.similar.description"))
    @app_commands.describe(paper=described("commands.similar.paper"))
    @lookup
    async def similar(self, interaction: Interaction, paper: str) -> None:
        """Papers similar to one."""
        async with replying(interaction) as reply:
            voice = await self._voices.of(interaction)
            found = await self._showing.meant(interaction, reply, voice, paper)
            if found is not None:
                message, any_found = await self._similar_to(voice, found)
                await reply.send(message, private=not any_found)

    @similar.autocomplete("paper")
    async def _similar_papers(self, interaction: Interaction, current: str) -> Choices:
        return await self._showing.suggest_papers(interaction, current)

    async def click_similar(self, interaction: Interaction, arguments: tuple[str, ...]) -> None:
        """The button of a card: privately."""
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            paper = await self._showing.by_id(arguments[0])
            await reply.send((await self._similar_to(voice, paper))[0])

    async def _similar_to(self, voice: Voice, paper: Paper) -> tuple[Message, bool]:
        found = await self._similar.to(paper)
        if not found:
            return Message(voice.sentence("similar.nothing")), False
        listed = Listed("similar.title", ids_of(found), about=paper.id)
        return await self._showing.pages.listed(voice, listed), True

    # --- citing ----------------------------------------------------------------------------------

    @app_commands.command(name="cite", description=described("commands.cite.description"))
    @app_commands.describe(paper=described("commands.cite.paper"), format=described("commands.cite.format"))
    @formats
    @lookup
    async def cite(self, interaction: Interaction, paper: str, format: str = "bibtex") -> None:
        """Cite a paper; for the one who asks."""
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            found = await self._showing.meant(interaction, reply, voice, paper)
            if found is not None:
                await reply.send(cite(voice, found, known_format(format)))

    @cite.autocomplete("paper")
    async def _cite_papers(self, interaction: Interaction, current: str) -> Choices:
        return await self._showing.suggest_papers(interaction, current)

    async def click_cite(self, interaction: Interaction, arguments: tuple[str, ...]) -> None:
        """A card's button, or another format of a citation shown already, which it replaces."""
        switched = len(arguments) > 1 and is_own(interaction)
        async with replying(interaction, private=True, edits=switched) as reply:
            voice = await self._voices.of(interaction)
            paper = await self._showing.by_id(arguments[0])
            await reply.send(cite(voice, paper, known_format("".join(arguments[1:]) or "bibtex")))

    # --- random ----------------------------------------------------------------------------------

    @app_commands.command(name="random", description=described("commands.random.description"))
    @lookup
    async def random(self, interaction: Interaction) -> None:
        """Any paper."""
        async with replying(interaction) as reply:
            await self._showing.require_papers(interaction)
            await reply.send(await self._any(interaction, private=is_private(interaction)))

    async def click_random(self, interaction: Interaction, _arguments: tuple[str, ...]) -> None:
        """Another one: in its place for who asked, privately for others."""
        own = is_own(interaction)
        async with replying(interaction, private=True, edits=own) as reply:
            await self._showing.require_papers(interaction)
            await reply.send(await self._any(interaction, private=is_private(interaction) or not own))

    async def _any(self, interaction: Interaction, *, private: bool) -> Message:
        voice = await self._voices.of(interaction)
        paper = await self._showing.by_id(str(await self._statistics.any_paper()))
        message = await self._showing.card(interaction, voice, paper, private=private)
        another = Button(voice.say("button.another"), custom_id=encode("random"))
        *rows, last = message.buttons
        return replace(message, buttons=(*rows, (*last, another)))

    # --- reports ---------------------------------------------------------------------------------

    @app_commands.command(name="report", description=described("commands.report.description"))
    @app_commands.describe(paper=described("commands.report.paper"))
    @lookup
    async def report(self, interaction: Interaction, paper: str) -> None:
        """Open the form; a form must be the first answer, so nothing is deferred when the paper is clear."""
        found = (await self._services.lookups.paper(paper)).paper
        voice = await self._voices.of(interaction)
        if found is not None:
            await interaction.response.send_modal(_form(voice, found))
            return
        async with replying(interaction, private=True) as reply:
            await self._showing.meant(interaction, reply, voice, paper)

    @report.autocomplete("paper")
    async def _report_papers(self, interaction: Interaction, current: str) -> Choices:
        return await self._showing.suggest_papers(interaction, current)

    async def click_report(self, interaction: Interaction, arguments: tuple[str, ...]) -> None:
        """The button of a card opens the form."""
        voice = await self._voices.of(interaction)
        await interaction.response.send_modal(_form(voice, await self._showing.by_id(arguments[0])))

    async def take_report(self, interaction: Interaction, arguments: tuple[str, ...]) -> None:
        """The form was sent."""
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            paper = await self._showing.by_id(arguments[0])
            values = form_values(interaction)
            number = await self._reports.record(
                paper, interaction.user.id, values.get("kind", ""), values.get("detail", "")
            )
            await reply.send(Message(voice.sentence("report.thanks", id=number)))

    async def not_this_place(self, interaction: Interaction, arguments: tuple[str, ...]) -> None:
        """An alert's "not this place": recorded for the operator."""
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            paper = await self._showing.by_id(arguments[0])
            affiliation = affiliation_at(paper, arguments[1])
            if affiliation is None:
                raise RefusalError("error.expired")
            named = [voice.names(number)[0] for number in affiliation.organisations]
            name = ", ".join(named) or affiliation.name_en
            detail = f"“{affiliation.name_en}” is not {name}"
            data = {"affiliation": affiliation.name_en, "organisations": list(affiliation.organisations)}
            await self._reports.record(paper, interaction.user.id, "institution", detail, data)
            thanks = voice.sentence(
                "alert.not_place_thanks", text=literal(affiliation.name_en), name=literal(name)
            )
            await reply.send(Message(thanks))


def _form(voice: Voice, paper: Paper) -> discord.ui.Modal:
    """What is wrong, and what it should say. Stopped at once: the answer comes in by its id, after a restart too."""
    form = discord.ui.Modal(title=voice.say("report.title"), custom_id=encode("reportform", paper.id))
    kinds = [discord.SelectOption(label=voice.say(f"report.{kind}"), value=kind) for kind in KINDS]
    menu: discord.ui.Select[discord.ui.View] = discord.ui.Select(custom_id="kind", options=kinds)
    detail: discord.ui.TextInput[discord.ui.View] = discord.ui.TextInput(
        custom_id="detail",
        style=discord.TextStyle.paragraph,
        placeholder=cut(voice.say("report.details_hint"), PLACEHOLDER, markup=False),
        min_length=2,
        max_length=DETAIL,
    )
    form.add_item(discord.ui.Label(text=voice.say("report.kind"), component=menu))
    form.add_item(discord.ui.Label(text=voice.say("report.details"), component=detail))
    form.stop()
    return form
