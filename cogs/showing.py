"""What several commands share: finding the paper that is meant, showing it, and suggesting while somebody types.

Promises: what isn't certain is asked back privately, never guessed. Leaves to `bot`: finding and rendering.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from discord import app_commands

from bot.failures import RefusalError
from bot.institutions.model import Organisation
from bot.lookups import AUTHOR, INSTITUTION, PAPER, Found, Wanted
from bot.paging import Listed, Pages
from bot.papers.model import Language, Paper
from bot.papers.names import author_key
from bot.render.cards import card
from bot.render.graphemes import size
from bot.render.ids import number
from bot.render.lists import nothing_found
from bot.render.message import Message
from bot.render.papers import label, text_of
from bot.render.safe import bare
from bot.render.voice import Voice
from bot.text import normalise
from cogs import Services
from cogs.surface import CHOICE_TEXT, Interaction, Reply, choices, is_private

Choices = list[app_commands.Choice[str]]


class Showing:
    """Shows papers on behalf of a cog."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._lookups = services.lookups
        self.pages = Pages(
            lookups=services.lookups, papers=services.papers, people=services.people, clock=services.clock
        )

    # --- which paper -----------------------------------------------------------------------------

    async def require_papers(self, interaction: Interaction) -> None:
        """Make sure that there is anything to look up.

        Raises:
            RefusalError: the collection is empty; the operator is told the command that fills it.
        """
        if await self._lookups.count() == 0:
            operator = interaction.user.id in self._services.settings.owner_ids
            raise RefusalError("empty.operator" if operator else "empty.reader")

    async def meant(self, interaction: Interaction, reply: Reply, voice: Voice, value: str) -> Paper | None:
        """The paper that a chosen suggestion or a typed text means.

        None when it isn't certain: then the person has been asked back already, privately.

        Raises:
            RefusalError: the collection is empty.
        """
        await self.require_papers(interaction)
        found = await self._lookups.paper(value)
        if found.paper is None:
            await reply.send(await self._asked_back(voice, value), private=True)
        return found.paper

    async def _asked_back(self, voice: Voice, value: str) -> Message:
        if value.startswith(PAPER) and number(value.removeprefix(PAPER)):
            return Message(voice.sentence("error.paper_gone"))
        wanted = Wanted(value)
        if wanted.empty:
            return nothing_found(voice, "")
        message, _ = await self.pages.search(voice, wanted)
        return message

    async def by_id(self, argument: str) -> Paper:
        """The paper of an id out of a button, which may come from anybody.

        Raises:
            RefusalError: there is no such paper.
        """
        paper_id = number(argument)
        paper = await self._services.papers.get(paper_id) if paper_id else None
        if paper is None:
            raise RefusalError("error.paper_gone")
        return paper

    # --- showing ---------------------------------------------------------------------------------

    async def card(self, interaction: Interaction, voice: Voice, paper: Paper, *, private: bool) -> Message:
        """A paper's card; only one that nobody else sees tells whether it is saved."""
        saved = private and paper.id in await self._services.people.library(interaction.user.id)
        return card(voice, paper, saved=saved)

    async def several(
        self, interaction: Interaction, voice: Voice, listed: Listed, *, lone_card: bool = True
    ) -> Message:
        """A private list of papers, or the card when it is only one.

        Raises:
            RefusalError: none of them is there any more.
        """
        known = await self._services.papers.many(listed.papers)
        ids = tuple(paper for paper in listed.papers if paper in known)
        if not ids:
            raise RefusalError("error.paper_gone")
        if len(ids) == 1 and lone_card:
            return await self.card(interaction, voice, known[ids[0]], private=True)
        return await self.pages.listed(voice, replace(listed, papers=ids))

    def public(self, interaction: Interaction) -> bool:
        """Whether others see the answers given here."""
        return not is_private(interaction)

    # --- suggestions -----------------------------------------------------------------------------

    async def suggest_papers(self, interaction: Interaction, text: str) -> Choices:
        """Papers for a half-typed text, best first; the newest for nothing, none for a stale keystroke."""
        voice = await self._services.voices.of(interaction)
        found = await self._lookups.suggest(text, interaction.user.id)
        return choices([(paper_name(voice, item), f"{PAPER}{item.paper.id}") for item in found])

    async def suggest_authors(self, interaction: Interaction, text: str) -> Choices:
        """People for a half-typed name in any order."""
        names = await self._lookups.suggest_authors(text)
        return choices([(text_of(name) or "", f"{AUTHOR}{author_key(name)}") for name in names])

    async def suggest_institutions(self, interaction: Interaction, text: str) -> Choices:
        """Organisations for a half-typed name, alias or acronym in either language."""
        voice = await self._services.voices.of(interaction)
        if normalise(text):
            found = await asyncio.to_thread(self._lookups.suggest_institutions, text)
        else:
            found = await self._lookups.recent_institutions()
        return choices([(institution_name(voice, one), f"{INSTITUTION}{one.id}") for one in found])


def paper_name(voice: Voice, found: Found) -> str:
    """A paper in a list of suggestions: its title, and a name and the year where there is room."""
    title = label(found.paper, voice.papers[0])
    venue = found.paper.venue
    details = [_author(found), str(venue.year) if venue and venue.year else ""]
    name = " · ".join(part for part in (title, *details) if part)
    return name if size(name) <= CHOICE_TEXT else title


def _author(found: Found) -> str:
    """The author by whom a paper was found, else its first."""
    wanted = set(found.hit.terms)
    authors = [name for name in (text_of(author) for author in found.paper.authors) if name]
    if found.hit.matched == "author":
        authors.sort(key=lambda name: -len(wanted & set(normalise(name).split())))
    return authors[0] if authors else ""


def institution_name(voice: Voice, organisation: Organisation) -> str:
    """An organisation in a list of suggestions: both names and the country, which tells namesakes apart."""
    names = [organisation.name_en, organisation.name_zh or ""]
    if voice.papers[0] is not Language.EN:
        names.reverse()
    first, *second = [name for name in names if name]
    both = f"{first} ({second[0]})" if second else first
    return " · ".join(part for part in (bare(both), organisation.country or "") if part)
