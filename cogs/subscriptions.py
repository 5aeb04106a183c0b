"""`/subscribe`, `/subscriptions`, `/unsubscribe`, and the buttons of alerts."""

from __future__ import annotations

import asyncio

import discord
from discord import app_commands
from discord.ext import commands

from bot.clicks import chosen
from bot.failures import RefusalError
from bot.following import Following, Wish, literal_value
from bot.institutions.model import Match, Organisation
from bot.locales.catalogue import described
from bot.lookups import AUTHOR, INSTITUTION
from bot.papers.model import Language
from bot.papers.names import author_key
from bot.render import ids
from bot.render.limits import echo
from bot.render.message import Message
from bot.render.safe import literal
from bot.render.subscriptions import Choice, Followed, choose, confirmed, dms_closed, listed
from bot.render.voice import Voice
from bot.text import tokens
from cogs import Services
from cogs.surface import (
    Interaction,
    Reply,
    choices,
    is_admin,
    lookup,
    replying,
    require_admin,
    require_server,
)
from storage.errors import SubscriptionLimitError
from storage.people import STRIKES
from storage.subscriptions import PER_PERSON, Subscription

SUBSCRIPTION = "s:"
LABEL = 200  # characters of a label that are kept

_where = app_commands.choices(
    where=[
        app_commands.Choice(name=described("choices.where_dm"), value="dm"),
        app_commands.Choice(name=described("choices.where_here"), value="here"),
    ]
)


class SubscriptionCog(commands.Cog):
    """Following things. Every click is checked: its id may come from anybody."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._voices = services.voices
        self._people = services.people
        self._following = Following(
            database=services.database,
            clock=services.clock,
            directory=services.directory,
            alerts=services.alerts,
        )
        self._store = self._following.store
        for kind, handler in {
            "mute": self._mute,
            "unmute": self._unmute,
            "unsub": self._unsub,
            "subs": self._subs,
            "testdm": self._test_dm,
            "choose": self._choose,
            "confirm": self._confirm,
            "subscribe": self._subscribe_click,
        }.items():
            services.clicks.on(kind, handler)

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
        place = _place(interaction, where)
        found = await asyncio.to_thread(self._services.lookups.institution, name)
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            if found.status is Match.EXACT and found.organisation is not None:
                wish = _institution(interaction, voice, found.organisation, place, children=children)
                await self._carry_out(interaction, reply, voice, wish)
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
        place = _place(interaction, where)
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            found = await self._services.lookups.author(name)
            if found is None and (name.startswith(AUTHOR) or not author_key(name)):
                raise RefusalError("search.empty_query")
            key, label = (found.key, found.names[0]) if found else (author_key(name), name[:LABEL])
            notes = [] if found else [voice.sentence("subscribe.unknown_author", name=literal(echo(name)))]
            if found and await self._following.shared_name(label):
                notes.append(voice.sentence("subscribe.shared_name", name=literal(label)))
            wish = Wish(interaction.user.id, "author", key, label, _language(voice), *place)
            await self._carry_out(interaction, reply, voice, wish, notes)

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
        place = _place(interaction, where)
        words = " ".join(words.split())[:LABEL]
        if not tokens(words):
            raise RefusalError("search.empty_query")
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            general = await self._following.too_general(words)
            if general is not None:
                raise RefusalError("subscribe.bad_keyword", count=general[0], total=general[1])
            value = " ".join(sorted(set(tokens(words))))
            wish = Wish(interaction.user.id, "keyword", value, words, _language(voice), *place)
            await self._carry_out(interaction, reply, voice, wish)

    @lookup
    @app_commands.command(name="subscriptions", description=described("commands.subscriptions.description"))
    async def subscriptions(self, interaction: Interaction) -> None:
        """What the person follows, and (for an admin) the channel."""
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            await reply.send(await self._list(voice, interaction.user.id))
            if interaction.guild is not None and interaction.channel_id and is_admin(interaction):
                here = await self._store.of_channel(interaction.channel_id)
                if here:
                    heading = voice.say("subscriptions.title_channel", channel=f"<#{interaction.channel_id}>")
                    items = [self._followed(item) for item in here]
                    await reply.send(listed(voice, items, len(items), heading=heading))

    @lookup
    @app_commands.command(name="unsubscribe", description=described("commands.unsubscribe.description"))
    @app_commands.describe(subscription=described("commands.unsubscribe.subscription"))
    async def unsubscribe(self, interaction: Interaction, subscription: str) -> None:
        """Stop following something."""
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            mine = await self._reachable(interaction)
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
            await reply.send(Message(content=await self._remove(voice, found)))

    @unsubscribe.autocomplete("subscription")
    async def _own(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        wanted = " ".join(tokens(current))
        return choices(
            [
                (item.label, f"{SUBSCRIPTION}{item.id}")
                for item in await self._reachable(interaction)
                if wanted in " ".join(tokens(item.label))
            ]
        )

    # --- carrying out ----------------------------------------------------------------------------

    async def _carry_out(
        self, interaction: Interaction, reply: Reply, voice: Voice, wish: Wish, notes: list[str] | None = None
    ) -> None:
        """Store a wish, show what will match, and see whether DMs arrive."""
        try:
            subscription, new = await self._following.follow(wish)
        except SubscriptionLimitError as error:
            key = "subscribe.limit_channel" if wish.channel_id else "subscribe.limit_person"
            raise RefusalError(key, limit=str(error), channel=f"<#{wish.channel_id}>") from error
        recent = await self._following.recent(subscription)
        await reply.send(confirmed(voice, self._followed(subscription), recent, new=new, notes=notes or []))
        if wish.channel_id is None and new:
            await self._try_dm(interaction.user.id, reply, voice, wish.label)

    async def _try_dm(self, user_id: int, reply: Reply, voice: Voice, label: str) -> None:
        """A test DM, unless one arrived before."""
        person = await self._people.person(user_id)
        if person.dm_channel_id is not None and person.dm_problem is None:
            return
        text = voice.sentence("subscribe.dm_test", name=literal(label))
        arrived = await self._following.test_dm(user_id, text, self._services.wake_outbox)
        if arrived is not None:
            ok = Message(content=voice.sentence("subscribe.dm_ok"))
            await reply.send(ok if arrived else dms_closed(voice))

    async def _remove(self, voice: Voice, item: Subscription) -> str:
        async with self._services.database.transaction() as transaction:
            await self._store.remove(transaction, item.id)
        key = "subscriptions.removed_channel" if item.channel_id else "subscriptions.removed"
        return voice.sentence(key, name=literal(item.label), channel=f"<#{item.channel_id}>")

    async def _reachable(self, interaction: Interaction) -> list[Subscription]:
        """What the person may end: their own, and, for an admin, those of the server's channels."""
        found = {item.id: item for item in await self._store.of_person(interaction.user.id)}
        if interaction.guild is not None and is_admin(interaction):
            found |= {item.id: item for item in await self._store.of_guild(interaction.guild.id)}
        return list(found.values())

    async def _list(self, voice: Voice, user_id: int, offset: int = 0) -> Message:
        items = [self._followed(item) for item in await self._store.of_person(user_id)]
        heading = voice.say("subscriptions.title")
        return listed(voice, items, PER_PERSON, heading=heading, offset=max(0, offset))

    def _followed(self, item: Subscription) -> Followed:
        organisation = self._services.directory.get(item.value) if item.kind == "institution" else None
        below = self._following.children(item.value) if organisation and item.children else ()
        return Followed(
            id=item.id,
            kind=item.kind,
            name=item.label,
            channel=f"<#{item.channel_id}>" if item.channel_id else None,
            literal_name=item.kind == "institution" and organisation is None,
            names=organisation.names() if organisation else (),
            children=tuple(child.name_en for child in below),
            muted=item.muted,
            paused=item.paused_reason is not None,
        )

    # --- clicks ----------------------------------------------------------------------------------

    async def _own_subscription(self, interaction: Interaction, argument: str) -> Subscription:
        """The subscription of a click, if the person may change it.

        Raises:
            RefusalError: it is gone, or somebody else's.
        """
        number = ids.number(argument)
        item = await self._store.get(number) if number else None
        if item is None:
            raise RefusalError("alert.gone")
        if item.id not in {own.id for own in await self._reachable(interaction)}:
            raise RefusalError("error.not_yours")
        return item

    async def _mute(self, interaction: Interaction, arguments: tuple[str, ...]) -> None:
        item = await self._own_subscription(interaction, arguments[0])
        await self._set_muted(
            interaction, item, "alert.already_muted" if item.muted else "alert.muted", muted=True
        )

    async def _unmute(self, interaction: Interaction, arguments: tuple[str, ...]) -> None:
        item = await self._own_subscription(interaction, arguments[0])
        await self._set_muted(interaction, item, "subscriptions.resumed", muted=False)

    async def _set_muted(
        self, interaction: Interaction, item: Subscription, key: str, *, muted: bool
    ) -> None:
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            async with self._services.database.transaction() as transaction:
                await self._store.mute(transaction, item.id, muted)
            await reply.send(Message(content=voice.sentence(key, name=literal(item.label))))

    async def _unsub(self, interaction: Interaction, arguments: tuple[str, ...]) -> None:
        """A button with a subscription's id, or a select of several."""
        picked = chosen(interaction)
        argument = picked[0].removeprefix(SUBSCRIPTION) if picked else arguments[0]
        item = await self._own_subscription(interaction, argument)
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            await reply.send(Message(content=await self._remove(voice, item)))

    async def _subs(self, interaction: Interaction, arguments: tuple[str, ...]) -> None:
        offset = ids.number(arguments[0]) or 0 if arguments else 0
        voice = await self._voices.of(interaction)
        message = await self._list(voice, interaction.user.id, offset)
        async with replying(interaction, private=True) as reply:
            await reply.send(message)

    async def _test_dm(self, interaction: Interaction, _arguments: tuple[str, ...]) -> None:
        """Try DMs again; if they arrive, what was paused and held goes on."""
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            user = interaction.user.id
            items = await self._store.of_person(user)
            label = next((item.label for item in items if item.channel_id is None), "ICLR")
            text = voice.sentence("subscribe.dm_test", name=literal(label))
            if not await self._following.test_dm(user, text, self._services.wake_outbox):
                await reply.send(dms_closed(voice))
                return
            async with self._services.database.transaction() as transaction:
                await self._store.pause_dms(transaction, user, None)
            await self._following.release(user)
            self._services.wake_outbox()
            await reply.send(Message(content=voice.sentence("subscriptions.resumed")))

    async def _choose(self, interaction: Interaction, arguments: tuple[str, ...]) -> None:
        """One of several institutions was chosen."""
        state = await self._session(arguments[0])
        place = _place(interaction, state["where"])
        organisation = self._services.directory.get("".join(chosen(interaction)).removeprefix(INSTITUTION))
        if organisation is None:
            raise RefusalError("error.expired")
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            wish = _institution(interaction, voice, organisation, place, children=bool(state["children"]))
            await self._carry_out(interaction, reply, voice, wish)

    async def _confirm(self, interaction: Interaction, arguments: tuple[str, ...]) -> None:
        """None of the suggestions: the literal name is followed."""
        state = await self._session(arguments[0])
        place = _place(interaction, state["where"])
        name = str(state["query"])
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            wish = Wish(
                interaction.user.id, "institution", literal_value(name), name, _language(voice), *place
            )
            await self._carry_out(interaction, reply, voice, wish)

    async def _session(self, token: str) -> dict[str, str | bool]:
        """What was asked when the choice was offered; a token from anybody may name another kind of page."""
        state = await self._people.page(token)
        if state is None or not {"query", "where", "children"} <= state.keys():
            raise RefusalError("error.session_expired")
        return state

    async def _subscribe_click(self, interaction: Interaction, arguments: tuple[str, ...]) -> None:
        """A "Follow" button of a profile: kind and value."""
        kind, value = arguments[0], arguments[1]
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            if kind == "institution" and (organisation := self._services.directory.get(value)) is not None:
                wish = _institution(interaction, voice, organisation, (None, None), children=True)
            elif kind == "author" and (found := await self._services.lookups.author(f"{AUTHOR}{value}")):
                wish = Wish(interaction.user.id, "author", found.key, found.names[0], _language(voice))
            else:
                raise RefusalError("error.expired")
            await self._carry_out(interaction, reply, voice, wish)

    # --- telling ---------------------------------------------------------------------------------

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


def _place(interaction: Interaction, where: object) -> tuple[int | None, int | None]:
    """Server and channel of `where: here`, or nothing for DMs.

    Raises:
        RefusalError: no server of the bot's, or no right to make its channel follow something.
    """
    if where != "here":
        return None, None
    guild = require_server(interaction)
    require_admin(interaction)
    channel = interaction.channel
    if channel is None or not isinstance(channel, (discord.TextChannel, discord.Thread)):
        raise RefusalError("subscribe.here_needs_server")
    return guild.id, channel.id


def _institution(
    interaction: Interaction,
    voice: Voice,
    organisation: Organisation,
    place: tuple[int | None, int | None],
    *,
    children: bool,
) -> Wish:
    language = _language(voice)
    label = organisation.name_en if language is Language.EN else organisation.name_zh or organisation.name_en
    return Wish(
        interaction.user.id, "institution", organisation.id, label, language, *place, children=children
    )


def _language(voice: Voice) -> Language:
    return voice.interface[0]


def _choice(organisation: Organisation) -> Choice:
    about = ", ".join(
        part for part in (organisation.name_zh, organisation.city, organisation.country) if part
    )
    return Choice(f"{INSTITUTION}{organisation.id}", organisation.name_en, about)


def _named(voice: Voice, organisation: Organisation) -> str:
    """Both names, the person's language first."""
    names = [organisation.name_en, organisation.name_zh]
    if _language(voice) is not Language.EN:
        names.reverse()
    return " · ".join(name for name in names if name)
