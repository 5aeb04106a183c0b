"""`/library`: the papers a person keeps.

Promises: a library is its owner's alone; what is saved shows on cards that nobody else sees.
"""

from __future__ import annotations

from collections.abc import Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.failures import RefusalError
from bot.locales.catalogue import described
from bot.papers.model import Paper
from bot.render.citations import FORMATS, Format, bibliography, file_name
from bot.render.ids import encode
from bot.render.message import File, Message
from bot.render.papers import titles
from bot.render.voice import Voice
from cogs import Services
from cogs.showing import Choices, Showing
from cogs.surface import Interaction, is_private, lookup, replying

LIBRARY = 500  # papers of one person

formats = app_commands.choices(
    format=[
        app_commands.Choice(name=described(f"cite.{value.replace('-', '_')}"), value=value)
        for value in FORMATS
    ]
)


def known_format(value: str) -> Format:
    """A format from an option or a button; BibTeX for anything else."""
    return next((known for known in FORMATS if known == value), "bibtex")


class LibraryCog(commands.Cog):
    """Saving, listing, exporting."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._voices = services.voices
        self._people = services.people
        self._showing = Showing(services)
        services.clicks.on("save", self.click_save)
        services.clicks.on("unsave", self.click_unsave)

    library = lookup(
        app_commands.Group(name="library", description=described("commands.library.description"))
    )

    @library.command(name="save", description=described("commands.library_save.description"))
    @app_commands.describe(paper=described("commands.library_save.paper"))
    async def save(self, interaction: Interaction, paper: str) -> None:
        """Keep a paper."""
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            found = await self._showing.meant(interaction, reply, voice, paper)
            if found is not None:
                await reply.send(_kept(voice, found, await self._save(interaction, found)))

    @save.autocomplete("paper")
    async def _save_papers(self, interaction: Interaction, current: str) -> Choices:
        return await self._showing.suggest_papers(interaction, current)

    @library.command(name="list", description=described("commands.library_list.description"))
    async def list_(self, interaction: Interaction) -> None:
        """The saved papers, the last one first."""
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            saved = await self._showing.pages.library(voice, interaction.user.id)
            await reply.send(saved or Message(voice.sentence("library.none")))

    @library.command(name="export", description=described("commands.library_export.description"))
    @app_commands.describe(format=described("commands.library_export.format"))
    @formats
    async def export(self, interaction: Interaction, format: str = "bibtex") -> None:
        """The saved papers as a file."""
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            saved = await self._saved(interaction)
            if not saved:
                await reply.send(Message(voice.sentence("library.none")))
                return
            chosen = known_format(format)
            name = voice.say(f"cite.{chosen.replace('-', '_')}")
            text = voice.sentence("library.exported", count=len(saved), format=name)
            file = File(file_name(chosen), bibliography(saved, chosen))
            await reply.send(Message(text, files=(file,)))

    async def click_save(self, interaction: Interaction, arguments: tuple[str, ...]) -> None:
        """Save from a card: a private card shows it by its button, elsewhere it is said privately."""
        paper = await self._showing.by_id(arguments[0])
        if _is_private_card(interaction, paper):
            async with replying(interaction, edits=True) as reply:
                await self._save(interaction, paper)
                await reply.send(await self._card(interaction, paper))
            return
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            await reply.send(_kept(voice, paper, await self._save(interaction, paper)))

    async def click_unsave(self, interaction: Interaction, arguments: tuple[str, ...]) -> None:
        """Take out of the library, likewise."""
        paper = await self._showing.by_id(arguments[0])
        await self._people.drop_paper(interaction.user.id, paper.id)
        if _is_private_card(interaction, paper):
            async with replying(interaction, edits=True) as reply:
                await reply.send(await self._card(interaction, paper))
            return
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            await reply.send(Message(voice.sentence("library.removed", title=_title(voice, paper))))

    async def _card(self, interaction: Interaction, paper: Paper) -> Message:
        voice = await self._voices.of(interaction)
        return await self._showing.card(interaction, voice, paper, private=True)

    async def _save(self, interaction: Interaction, paper: Paper) -> bool:
        saved = await self._people.library(interaction.user.id)
        if len(saved) >= LIBRARY and paper.id not in saved:
            raise RefusalError("library.limit", limit=LIBRARY)
        return await self._people.save_paper(interaction.user.id, paper.id, self._services.clock.now())

    async def _saved(self, interaction: Interaction) -> Sequence[Paper]:
        ids = await self._people.library(interaction.user.id)
        papers = await self._services.papers.many(ids)
        return [papers[number] for number in ids if number in papers]


def _is_private_card(interaction: Interaction, paper: Paper) -> bool:
    """Whether the clicked message is a card of this paper that only this person sees."""
    if not is_private(interaction) or interaction.message is None:
        return False
    ids = {
        child.custom_id
        for row in interaction.message.components
        if isinstance(row, discord.ActionRow)
        for child in row.children
    }
    # Of all messages only a card has the button that reports a mistake.
    return encode("report", paper.id) in ids


def _kept(voice: Voice, paper: Paper, new: bool) -> Message:
    return Message(voice.sentence("library.saved" if new else "library.already", title=_title(voice, paper)))


def _title(voice: Voice, paper: Paper) -> str:
    return titles(voice, paper)[0]
