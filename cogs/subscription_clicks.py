"""The buttons of alerts, confirmations and lists of subscriptions.

Promises: every click is checked, since its id may come from anybody. Leaves to `subscribing`: carrying out.
"""

from __future__ import annotations

from bot.clicks import chosen
from bot.failures import RefusalError
from bot.following import Wish, literal_value
from bot.lookups import AUTHOR, INSTITUTION
from bot.render import ids
from bot.render.message import Message
from bot.render.safe import literal
from bot.render.subscriptions import dms_closed
from cogs import Services
from cogs.subscribing import SUBSCRIPTION, Subscribing, institution_of, language_of, place_of
from cogs.surface import (
    Interaction,
    replying,
)
from storage.subscriptions import Subscription


class SubscriptionClicks:
    """Takes the clicks on what `SubscriptionCog` and alerts have said."""

    def __init__(self, services: Services, shared: Subscribing) -> None:
        self._services = services
        self._voices = services.voices
        self._people = services.people
        self._shared = shared
        self._following = shared.following
        self._store = shared.store
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

    async def _own_subscription(self, interaction: Interaction, argument: str) -> Subscription:
        """The subscription of a click, if the person may change it.

        Raises:
            RefusalError: it is gone, or somebody else's.
        """
        number = ids.number(argument)
        item = await self._store.get(number) if number else None
        if item is None:
            raise RefusalError("alert.gone")
        if item.id not in {own.id for own in await self._shared.reachable(interaction)}:
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
            await reply.send(Message(content=await self._shared.remove(voice, item)))

    async def _subs(self, interaction: Interaction, arguments: tuple[str, ...]) -> None:
        offset = ids.number(arguments[0]) or 0 if arguments else 0
        voice = await self._voices.of(interaction)
        message = await self._shared.list_of(voice, interaction.user.id, offset)
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
        place = place_of(interaction, state["where"])
        organisation = self._services.directory.get("".join(chosen(interaction)).removeprefix(INSTITUTION))
        if organisation is None:
            raise RefusalError("error.expired")
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            wish = institution_of(interaction, voice, organisation, place, children=bool(state["children"]))
            await self._shared.carry_out(interaction, reply, voice, wish)

    async def _confirm(self, interaction: Interaction, arguments: tuple[str, ...]) -> None:
        """None of the suggestions: the literal name is followed."""
        state = await self._session(arguments[0])
        place = place_of(interaction, state["where"])
        name = str(state["query"])
        async with replying(interaction, private=True) as reply:
            voice = await self._voices.of(interaction)
            wish = Wish(
                interaction.user.id, "institution", literal_value(name), name, language_of(voice), *place
            )
            await self._shared.carry_out(interaction, reply, voice, wish)

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
                wish = institution_of(interaction, voice, organisation, (None, None), children=True)
            elif kind == "author" and (found := await self._services.lookups.author(f"{AUTHOR}{value}")):
                wish = Wish(interaction.user.id, "author", found.key, found.names[0], language_of(voice))
            else:
                raise RefusalError("error.expired")
            await self._shared.carry_out(interaction, reply, voice, wish)
