"""`/paper`, `/search` and the message menu: finding papers and opening them.

Promises: a public list or card acts for the one who clicks, privately; only who asked turns its pages in place.
"""

from __future__ import annotations

from typing import Any, Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot import mentions
from bot.clicks import chosen
from bot.failures import RefusalError
from bot.locales.catalogue import described
from bot.lookups import AUTHOR, INSTITUTION, PAPER, Wanted
from bot.paging import Listed
from bot.render.lists import nothing_found
from bot.render.message import Message
from cogs import Services
from cogs.showing import Choices, Showing
from cogs.surface import Interaction, is_own, is_private, lookup, replying
from storage.outbox import OutboxStore

FIRST_YEAR = 2013  # of ICLR
AHEAD = 2  # editions are announced this many years before
Tree = app_commands.CommandTree[Any]
MENU = described("commands.find_papers_here.name")


def _choices(group: str, *values: str) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=described(f"choices.{group}_{value}"), value=value) for value in values]


class LookupCog(commands.Cog):
    """Looks papers up."""

    def __init__(self, services: Services, tree: Tree) -> None:
        self._services = services
        self._tree = tree
        self._voices = services.voices
        self._lookups = services.lookups
        self._outbox = OutboxStore(services.database)
        self._showing = Showing(services)
        self._menu = lookup(app_commands.ContextMenu(name=MENU, callback=self.find_papers_here))
        for kind, handler in (
            ("card", self.open_card),
            ("open", self.open_chosen),
            ("page", self.turn_page),
            ("more", self.show_rest),
            ("part", self.show_part),
        ):
            services.clicks.on(kind, handler)

    async def cog_load(self) -> None:
        """Add the message menu, which discord.py doesn't take from a cog by itself."""
        self._tree.add_command(self._menu)

    async def cog_unload(self) -> None:
        """Take the message menu away again."""
        self._tree.remove_command(self._menu.name, type=self._menu.type)

    # --- commands --------------------------------------------------------------------------------

    @app_commands.command(name="paper", description=described("commands.paper.description"))
    @app_commands.describe(query=described("commands.paper.query"))
    @lookup
    async def paper(self, interaction: Interaction, query: str) -> None:
        """Show one paper."""
        async with replying(interaction) as reply:
            voice = await self._voices.of(interaction)
            paper = await self._showing.meant(interaction, reply, voice, query)
            if paper is not None:
                private = is_private(interaction)
                await reply.send(await self._showing.card(interaction, voice, paper, private=private))

    @paper.autocomplete("query")
    async def _papers(self, interaction: Interaction, current: str) -> Choices:
        return await self._showing.suggest_papers(interaction, current)

    @app_commands.command(name="search", description=described("commands.search.description"))
    @app_commands.describe(
        query=described("commands.search.query"),
        year=described("commands.search.year"),
        track=described("commands.search.track"),
        presentation=described("commands.search.presentation"),
        institution=described("commands.search.institution"),
        author=described("commands.search.author"),
        sort=described("commands.search.sort"),
    )
    @app_commands.choices(
        track=_choices("track", "main", "workshop", "other"),
        presentation=_choices("presentation", "oral", "spotlight", "poster"),
        sort=_choices("sort", "score", "newest"),
    )
    @lookup
    async def search(
        self,
        interaction: Interaction,
        query: str = "",
        year: int | None = None,
        track: str | None = None,
        presentation: str | None = None,
        institution: str | None = None,
        author: str | None = None,
        sort: str = "score",
    ) -> None:
        """Search papers; filters work without a query too."""
        order: Literal["score", "newest"] = "newest" if sort == "newest" else "score"
        wanted = Wanted(query, year, track, presentation, _given(institution), _given(author), order)
        async with replying(interaction) as reply:
            await self._showing.require_papers(interaction)
            self._check_year(year)
            voice = await self._voices.of(interaction)
            if wanted.empty:
                await reply.send(nothing_found(voice, ""), private=True)
                return
            message, sure = await self._showing.pages.search(voice, wanted)
            await reply.send(message, private=not sure)

    @search.autocomplete("institution")
    async def _institutions(self, interaction: Interaction, current: str) -> Choices:
        return await self._showing.suggest_institutions(interaction, current)

    @search.autocomplete("author")
    async def _authors(self, interaction: Interaction, current: str) -> Choices:
        return await self._showing.suggest_authors(interaction, current)

    def _check_year(self, year: int | None) -> None:
        if year is not None and not FIRST_YEAR <= year <= self._services.clock.now().year + AHEAD:
            raise RefusalError("error.bad_year", text=year)

    async def find_papers_here(self, interaction: Interaction, message: discord.Message) -> None:
        """Show the papers that a message names, to the one who asks."""
        async with replying(interaction, private=True) as reply:
            await self._showing.require_papers(interaction)
            voice = await self._voices.of(interaction)
            named = mentions.read(_text_of(message))
            by_key = {key: await self._lookups.by_key(key) for key in named.keys}
            found = dict.fromkeys(paper for paper in by_key.values() if paper is not None)
            for phrase in named.phrases:
                paper = await self._lookups.by_title(phrase)
                if paper is not None:
                    found[paper] = None
            unknown = sum(paper is None for paper in by_key.values())
            note = voice.sentence("menu.unknown_links", count=unknown) if unknown else ""
            if found:
                listed = Listed("menu.title", tuple(found))
                answer = await self._showing.several(interaction, voice, listed)
                await reply.send(_with_note(answer, note))
            else:
                await reply.send(_with_note(Message(voice.sentence("menu.nothing")), note))

    # --- clicks ----------------------------------------------------------------------------------

    async def open_card(self, interaction: Interaction, arguments: tuple[str, ...]) -> None:
        """A button that opens a paper."""
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            paper = await self._showing.by_id(arguments[0])
            await reply.send(await self._showing.card(interaction, voice, paper, private=True))

    async def open_chosen(self, interaction: Interaction, arguments: tuple[str, ...]) -> None:
        """A choice from a select: a paper, an institution or an author."""
        value = next(iter(chosen(interaction)), "")
        for prefix, kind in ((PAPER, "card"), (INSTITUTION, "inst"), (AUTHOR, "author")):
            if value.startswith(prefix):
                await self._services.clicks.pass_on(interaction, kind, value.removeprefix(prefix))
                return
        raise RefusalError("error.expired")

    async def turn_page(self, interaction: Interaction, arguments: tuple[str, ...]) -> None:
        """Previous or Next: in place for who asked, in a private copy for anybody else."""
        token, offset = arguments
        if not (offset.isascii() and offset.isdigit()):
            raise RefusalError("error.expired")
        place = {"edits": True} if is_own(interaction) else {"private": True}
        async with replying(interaction, **place) as reply:
            voice = await self._voices.of(interaction)
            await reply.send(
                await self._showing.pages.turn(voice, token, int(offset[:9]), interaction.user.id)
            )

    async def show_rest(self, interaction: Interaction, arguments: tuple[str, ...]) -> None:
        """The papers behind "and N more" of a digest or an alert."""
        await self._show_delivered(interaction, arguments[0], "button.more", shown=False)

    async def show_part(self, interaction: Interaction, arguments: tuple[str, ...]) -> None:
        """The papers that a part of a digest or an alert shows, to open them."""
        await self._show_delivered(interaction, arguments[0], "card.details_title", shown=True)

    async def _show_delivered(
        self, interaction: Interaction, mark: str, heading: str, *, shown: bool
    ) -> None:
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            papers = await self._outbox.papers_of_mark(mark, shown=shown)
            if not papers:
                raise RefusalError("error.session_expired")
            listed = Listed(heading, tuple(papers))
            await reply.send(await self._showing.several(interaction, voice, listed))


def _given(value: str | None) -> str | None:
    """A filter that was filled in; blanks alone are none."""
    return value if value and value.strip() else None


def _text_of(message: discord.Message) -> str:
    """What a message says, embeds included."""
    lines = [message.content]
    for embed in message.embeds:
        lines += [embed.title or "", embed.url or "", embed.description or ""]
        lines += [text for field in embed.fields for text in (field.name or "", field.value or "")]
    return "\n".join(line for line in lines if line)


def _with_note(message: Message, note: str) -> Message:
    text = "\n".join(part for part in (message.content, note) if part)
    return Message(text or None, message.embeds, message.buttons, message.select, message.files)
