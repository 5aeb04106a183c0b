"""Who is spoken to in which language.

Promises: a person's own choice, then what Discord says of them; a server's own choice, then what Discord says of it.
Leaves to `bot.render.voice`: how a text is then chosen; to `bot.locales`: the texts.
"""

from __future__ import annotations

from typing import Any

import discord

from bot.institutions.directory import Directory
from bot.locales import Catalogue
from bot.locales.catalogue import language_of
from bot.papers.model import Language
from bot.render.voice import Content, Voice
from storage.people import PeopleStore


class Voices:
    """Makes the voice for a person, a server or a channel."""

    def __init__(self, *, catalogue: Catalogue, people: PeopleStore, directory: Directory) -> None:
        self._catalogue = catalogue
        self._people = people
        self._directory = directory

    async def of(self, interaction: discord.Interaction[Any]) -> Voice:
        """The voice to answer a person in."""
        person = await self._people.person(interaction.user.id)
        language = Language(person.language) if person.language else language_of(str(interaction.locale))
        return self.reader(language)

    def reader(self, language: Language) -> Voice:
        """The voice for a person of a language, e.g. in a stored DM subscription."""
        return Voice.for_reader(self._catalogue, language, names=self.names)

    async def channel(self, guild_id: int, content: Content) -> Voice:
        """The voice for what a whole channel reads; Chinese is in the server's script."""
        chosen = await self._people.guild_language(guild_id)
        chinese = Language.ZH_TW if chosen == Language.ZH_TW else Language.ZH
        return Voice.for_channel(self._catalogue, content, chinese, names=self.names)

    async def of_guild(self, guild_id: int) -> Voice:
        """The voice for a sentence to a whole server, where no content language was chosen."""
        chosen = await self._people.guild_language(guild_id)
        return self.reader(Language(chosen) if chosen else Language.EN)

    def names(self, organisation: str) -> tuple[str, str | None]:
        """An organisation's English and Chinese name for display."""
        found = self._directory.get(organisation)
        return (organisation, None) if found is None else (found.name_en, found.name_zh)
