"""`/subscribe`, `/subscriptions`, `/unsubscribe`.

Promises: nothing is followed by guess. Leaves to `subscribing`: carrying out; to `subscription_clicks`: the buttons.
"""

from __future__ import annotations

import asyncio

from discord import app_commands
from discord.ext import commands

from bot.failures import RefusalError
from bot.following import Wish
from bot.institutions.model import Match, Organisation
from bot.locales.catalogue import described
from bot.lookups import AUTHOR, INSTITUTION
from bot.papers.model import Language
from bot.papers.names import author_key
from bot.render.limits import echo
from bot.render.message import Message
from bot.render.safe import literal
from bot.render.subscriptions import Choice, choose, dms_closed, listed
from bot.render.voice import Voice
from bot.text import tokens
from cogs import Services
from cogs.subscribing import SUBSCRIPTION, Subscribing, institution_of, language_of, place_of
from cogs.subscription_clicks import SubscriptionClicks
from cogs.surface import (
    Interaction,
    choices,
    is_admin,
    lookup,
    replying,
)
from storage.people import STRIKES

LABEL = 200  # characters of a label that are kept

_where = app_commands.choices(
    where=[
        app_commands.Choice(name=described("choices.where_dm"), value="dm"),
        app_commands.Choice(name=described("choices.where_here"), value="here"),
    ]
)


class SubscriptionCog(commands.Cog):
    """Following things."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._voices = services.voices
        self._people = services.people
        self._shared = Subscribing(services)
        self._following = self._shared.following
        self._store = self._shared.store
        SubscriptionClicks(services, self._shared)

    subscribe = lookup(
        app_commands.Group(name="subscribe", description=described("commands.subscribe.description"))
    )

    @subscribe.command(
        name="institution", description=described("commands.subscribe_institution.description")
    )
    @app_commands.describe(
        name=described("commands.subscribe_institution.name"),
        where=described("commands.subscribe_institution.where"),
        children=described("commands.subscribe_institution.children"),
    )
    @_where
    async def institution(
        self, interaction: Interaction, name: str, where: str = "dm", children: bool = True
    ) -> None:
        """Follow an institution; ask which one when the name doesn't say."""
        place = place_of(interaction, where)
        found = await asyncio.to_thread(self._services.lookups.institution, name)
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            if found.status is Match.EXACT and found.organisation is not None:
                wish = institution_of(interaction, voice, found.organisation, place, children=children)
                await self._shared.carry_out(interaction, reply, voice, wish)
                return
            token = await self._people.keep_page(
                {"query": name[:LABEL], "where": where, "children": children}, self._services.clock.now()
            )
            options = [_choice(item) for item in found.suggestions]
            ambiguous = found.status is Match.AMBIGUOUS
            await reply.send(
                choose(voice, name, options, token, ambiguous=ambiguous, offer_literal=bool(tokens(name)))
            )

    @institution.autocomplete("name")
    async def _institutions(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        voice = await self._voices.of(interaction)
        found = await asyncio.to_thread(self._services.lookups.suggest_institutions, current)
        return choices([(_named(voice, item), f"{INSTITUTION}{item.id}") for item in found])

    @subscribe.command(name="author", description=described("commands.subscribe_author.description"))
    @app_commands.describe(
        name=described("commands.subscribe_author.name"), where=described("commands.subscribe_author.where")
    )
    @_where
    async def author(self, interaction: Interaction, name: str, where: str = "dm") -> None:
        """Follow an author by name."""
        place = place_of(interaction, where)
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            found = await self._services.lookups.author(name)
            if found is None and (name.startswith(AUTHOR) or not author_key(name)):
                raise RefusalError("search.empty_query")
            key, label = (found.key, found.names[0]) if found else (author_key(name), name[:LABEL])
            notes = [] if found else [voice.sentence("subscribe.unknown_author", name=literal(echo(name)))]
            if found and await self._following.shared_name(label):
                notes.append(voice.sentence("subscribe.shared_name", name=literal(label)))
            wish = Wish(interaction.user.id, "author", key, label, language_of(voice), *place)
            await self._shared.carry_out(interaction, reply, voice, wish, notes)

    @author.autocomplete("name")
    async def _authors(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        names = await self._services.lookups.suggest_authors(current)
        return choices([(name, f"{AUTHOR}{author_key(name)}") for name in names])

    @subscribe.command(name="keyword", description=described("commands.subscribe_keyword.description"))
    @app_commands.describe(
        words=described("commands.subscribe_keyword.words"),
        where=described("commands.subscribe_keyword.where"),
    )
    @_where
    async def keyword(self, interaction: Interaction, words: str, where: str = "dm") -> None:
        """Follow a topic by its words."""
        place = place_of(interaction, where)
        words = " ".join(words.split())[:LABEL]
        if not tokens(words):
            raise RefusalError("search.empty_query")
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            general = await self._following.too_general(words)
            if general is not None:
                raise RefusalError("subscribe.bad_keyword", count=general[0], total=general[1])
            value = " ".join(sorted(set(tokens(words))))
            wish = Wish(interaction.user.id, "keyword", value, words, language_of(voice), *place)
            await self._shared.carry_out(interaction, reply, voice, wish)

    @lookup
    @app_commands.command(name="subscriptions", description=described("commands.subscriptions.description"))
    async def subscriptions(self, interaction: Interaction) -> None:
        """What the person follows, and (for an admin) the channel."""
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            await reply.send(await self._shared.list_of(voice, interaction.user.id))
            if interaction.guild is not None and interaction.channel_id and is_admin(interaction):
                here = await self._store.of_channel(interaction.channel_id)
                if here:
                    heading = voice.say("subscriptions.title_channel", channel=f"<#{interaction.channel_id}>")
                    items = [self._shared.followed(item) for item in here]
                    await reply.send(listed(voice, items, len(items), heading=heading))

    @lookup
    @app_commands.command(name="unsubscribe", description=described("commands.unsubscribe.description"))
    @app_commands.describe(subscription=described("commands.unsubscribe.subscription"))
    async def unsubscribe(self, interaction: Interaction, subscription: str) -> None:
        """Stop following something."""
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            mine = await self._shared.reachable(interaction)
            wanted = " ".join(tokens(subscription))
            found = next(
                (
                    item
                    for item in mine
                    if subscription == f"{SUBSCRIPTION}{item.id}" or " ".join(tokens(item.label)) == wanted
                ),
                None,
            )
            if found is None:
                raise RefusalError("subscriptions.not_found", query=literal(echo(subscription)))
            await reply.send(Message(content=await self._shared.remove(voice, found)))

    @unsubscribe.autocomplete("subscription")
    async def _own(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        wanted = " ".join(tokens(current))
        return choices(
            [
                (item.label, f"{SUBSCRIPTION}{item.id}")
                for item in await self._shared.reachable(interaction)
                if wanted in " ".join(tokens(item.label))
            ]
        )

    @commands.Cog.listener()
    async def on_app_command_completion(self, interaction: Interaction, _command: object) -> None:
        """At the next command after DMs were refused too often, the person is told."""
        person = await self._people.person(interaction.user.id)
        if person.told_problem or person.dm_strikes < STRIKES:
            return
        await self._people.told_problem(interaction.user.id)
        voice = await self._voices.of(interaction)
        message = dms_closed(voice, "subscriptions.paused_told", strikes=person.dm_strikes)
        await interaction.followup.send(**message.send_kwargs(), ephemeral=True)


def _choice(organisation: Organisation) -> Choice:
    about = ", ".join(
        part for part in (organisation.name_zh, organisation.city, organisation.country) if part
    )
    return Choice(f"{INSTITUTION}{organisation.id}", organisation.name_en, about)


def _named(voice: Voice, organisation: Organisation) -> str:
    """Both names, the person's language first."""
    names = [organisation.name_en, organisation.name_zh]
    if language_of(voice) is not Language.EN:
        names.reverse()
    return " · ".join(name for name in names if name)
