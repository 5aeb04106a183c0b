"""What commands and buttons of subscriptions share: carrying a wish out, showing it, ending it.

Promises: the rights of a person are checked here, for commands and clicks alike. Leaves to `bot.following`: storing.
"""

from __future__ import annotations

import discord

from bot.failures import RefusalError
from bot.following import Following, Wish
from bot.institutions.model import Organisation
from bot.papers.model import Language
from bot.render.message import Message
from bot.render.safe import literal
from bot.render.subscriptions import Followed, confirmed, dms_closed, listed
from bot.render.voice import Voice
from cogs import Services
from cogs.surface import (
    Interaction,
    Reply,
    is_admin,
    require_admin,
    require_server,
)
from storage.errors import SubscriptionLimitError
from storage.subscriptions import PER_PERSON, Subscription

SUBSCRIPTION = "s:"

SUBSCRIPTION = "s:"


class Subscribing:
    """Carries out what a person asked for."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._people = services.people
        self.following = Following(
            database=services.database,
            clock=services.clock,
            directory=services.directory,
            alerts=services.alerts,
        )
        self.store = self.following.store

    async def carry_out(
        self, interaction: Interaction, reply: Reply, voice: Voice, wish: Wish, notes: list[str] | None = None
    ) -> None:
        """Store a wish, show what will match, and see whether DMs arrive."""
        try:
            subscription, new = await self.following.follow(wish)
        except SubscriptionLimitError as error:
            key = "subscribe.limit_channel" if wish.channel_id else "subscribe.limit_person"
            raise RefusalError(key, limit=str(error), channel=f"<#{wish.channel_id}>") from error
        recent = await self.following.recent(subscription)
        await reply.send(confirmed(voice, self.followed(subscription), recent, new=new, notes=notes or []))
        if wish.channel_id is None and new:
            await self._try_dm(interaction.user.id, reply, voice, wish.label)

    async def _try_dm(self, user_id: int, reply: Reply, voice: Voice, label: str) -> None:
        """A test DM, unless one arrived before."""
        person = await self._people.person(user_id)
        if person.dm_channel_id is not None and person.dm_problem is None:
            return
        text = voice.sentence("subscribe.dm_test", name=literal(label))
        arrived = await self.following.test_dm(user_id, text, self._services.wake_outbox)
        if arrived is not None:
            ok = Message(content=voice.sentence("subscribe.dm_ok"))
            await reply.send(ok if arrived else dms_closed(voice))

    async def remove(self, voice: Voice, item: Subscription) -> str:
        """End a subscription; the sentence that says so."""
        async with self._services.database.transaction() as transaction:
            await self.store.remove(transaction, item.id)
        key = "subscriptions.removed_channel" if item.channel_id else "subscriptions.removed"
        return voice.sentence(key, name=literal(item.label), channel=f"<#{item.channel_id}>")

    async def reachable(self, interaction: Interaction) -> list[Subscription]:
        """What the person may end: their own, and, for an admin, those of the server's channels."""
        found = {item.id: item for item in await self.store.of_person(interaction.user.id)}
        if interaction.guild is not None and is_admin(interaction):
            found |= {item.id: item for item in await self.store.of_guild(interaction.guild.id)}
        return list(found.values())

    async def list_of(self, voice: Voice, user_id: int, offset: int = 0) -> Message:
        """What a person follows, from the item with this offset on."""
        items = [self.followed(item) for item in await self.store.of_person(user_id)]
        heading = voice.say("subscriptions.title")
        return listed(voice, items, PER_PERSON, heading=heading, offset=max(0, offset))

    def followed(self, item: Subscription) -> Followed:
        """A stored subscription as it is shown."""
        organisation = self._services.directory.get(item.value) if item.kind == "institution" else None
        below = self.following.children(item.value) if organisation and item.children else ()
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


def place_of(interaction: Interaction, where: object) -> tuple[int | None, int | None]:
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


def institution_of(
    interaction: Interaction,
    voice: Voice,
    organisation: Organisation,
    place: tuple[int | None, int | None],
    *,
    children: bool,
) -> Wish:
    """The wish to follow an organisation, called as the person's language calls it."""
    language = language_of(voice)
    label = organisation.name_en if language is Language.EN else organisation.name_zh or organisation.name_en
    return Wish(
        interaction.user.id, "institution", organisation.id, label, language, *place, children=children
    )


def language_of(voice: Voice) -> Language:
    """The language in which a person's alerts come: the one they are spoken to in."""
    return voice.interface[0]
