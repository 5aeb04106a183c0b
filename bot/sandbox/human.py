"""A person at a Discord client.

Promises: what Discord's client would refuse to send is refused here with `ClientRefusal`; what it sends carries the
payload of the real thing. Leaves to others: what the bot answers, and how it looks (`page`).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from bot.sandbox import options as option_rules
from bot.sandbox import payloads
from bot.sandbox.form import units
from bot.sandbox.forms import filled_form
from bot.sandbox.interactions import FIRST_ANSWER, Answer, Interaction, InteractionType
from bot.sandbox.limits import CONTENT, FILE_BYTES, ClientRefusal, is_blank
from bot.sandbox.mentions import mentioned
from bot.sandbox.messages import Draft
from bot.sandbox.model import Attachment, Channel, Command, Message, User
from bot.sandbox.outcome import FAILED_COMPONENT, NO_RESPONSE, Choice, Modal, Outcome, Seen, parts_of
from bot.sandbox.permissions import Permission
from bot.sandbox.viewer import Viewer

if TYPE_CHECKING:
    pass

Options = Mapping[str, Any]


class Human(Viewer):
    """Acts as one user; see `Viewer` for what a person looks at."""

    # ---- writing ------------------------------------------------------------------------------------------

    def send(self, channel: Channel, content: str, attachments: Sequence[Attachment] = ()) -> Message:
        """Write an ordinary message.

        Raises:
            ClientRefusal: the person may not write there, or the text is empty or longer than 2000.
        """
        if not self._may_write(channel):
            raise ClientRefusal("You do not have permission to send messages in this channel.")
        if is_blank(content) and not attachments:
            raise ClientRefusal("An empty message can't be sent.")
        if units(content) > CONTENT:
            raise ClientRefusal("Your message is too long.")
        everyone = self.world.may(self.user.id, channel, Permission.MENTION_EVERYONE)
        pings = mentioned([content], None, may_everyone=everyone)
        draft = Draft(content, attachments=list(attachments), mentions=pings)
        return self.world.messages.post(channel, self.user.id, draft)

    def attach(
        self, filename: str, data: bytes, content_type: str = "text/plain; charset=utf-8"
    ) -> Attachment:
        """A file to upload: as the value of an attachment option, or in `send`.

        Raises:
            ClientRefusal: it is larger than 10 MB.
        """
        if len(data) > FILE_BYTES:
            raise ClientRefusal("Your files are too powerful. The limit is 10 MB.")
        return Attachment(self.world.new_id(), filename, data, content_type)

    def open_dm(self, other: User) -> Channel:
        """The DM with someone (also with a bot)."""
        return self.world.open_dm(self.user.id, other.id)

    def send_dm_allowed(self, allowed: bool) -> None:
        """Open or close this person's DMs; closed, a bot's DM is refused with 50007."""
        self.user.dm_allowed = allowed
        self.world.events.emit("SANDBOX_USER", {"id": str(self.user.id), "dm_allowed": allowed})

    # ---- commands -----------------------------------------------------------------------------------------

    async def autocomplete(
        self, channel: Channel, command: str, option: str, text: str, options: Options | None = None
    ) -> list[Choice]:
        """Type into an option: the suggestions the client shows.

        Args:
            channel: where.
            command: full name, e.g. ``"digest set"``.
            option: the option that has the focus.
            text: what was typed so far.
            options: the other options filled in so far, by name.

        Returns:
            The choices; empty when the bot didn't answer in time (the client then shows "Loading options failed").

        Raises:
            ClientRefusal: no such command or option, or the option has no autocomplete.
        """
        found, path = self._resolve(channel, command)
        data = option_rules.autocomplete_data(self.world, found, path, options or {}, option, text)
        made = self._start(InteractionType.AUTOCOMPLETE, channel, data, command=found)
        await self._until(made, lambda: made.answer is not None)
        return [Choice(self._localized(item), item["value"]) for item in made.choices or []]

    def _localized(self, item: dict[str, Any]) -> str:
        return str((item.get("name_localizations") or {}).get(self.user.locale, item["name"]))

    async def command(
        self, channel: Channel, command: str, options: Options | None = None, *, wait: bool = True
    ) -> Outcome:
        """Send a slash command.

        Args:
            channel: where.
            command: full name, e.g. ``"subscribe institution"``.
            options: values by option name: str, int, float, bool, `Channel`, `User`, `Role` or `Attachment`.
            wait: whether to wait for the real answer after a deferral; False returns `Seen.THINKING` at once.

        Raises:
            ClientRefusal: what Discord's client wouldn't send (unknown command, missing or wrong option …).
        """
        found, path = self._resolve(channel, command)
        data = option_rules.command_data(self.world, self.user, channel, found, path, options or {})
        return await self._act(InteractionType.COMMAND, channel, data, command=found, wait=wait)

    async def message_menu(self, message: Message, name: str, *, wait: bool = True) -> Outcome:
        """Choose an entry of a message's "Apps" menu."""
        channel = self.world.channels[message.channel_id]
        found = self._menu(channel, name, 3)
        data = payloads.message_menu_data(self.world, found, message)
        return await self._act(InteractionType.COMMAND, channel, data, command=found, wait=wait)

    async def user_menu(self, channel: Channel, target: User, name: str, *, wait: bool = True) -> Outcome:
        """Choose an entry of a user's "Apps" menu."""
        found = self._menu(channel, name, 2)
        data = payloads.user_menu_data(self.world, found, target, channel)
        return await self._act(InteractionType.COMMAND, channel, data, command=found, wait=wait)

    # ---- components ---------------------------------------------------------------------------------------

    async def click(self, message: Message, custom_id: str, *, wait: bool = True) -> Outcome:
        """Press a button.

        Raises:
            ClientRefusal: no such button, it is disabled, or the message isn't visible.
        """
        button = self._component(message, custom_id, (2,))
        data = {"component_type": 2, "custom_id": custom_id, "id": button["id"]}
        return await self._use(message, data, wait)

    async def select(
        self, message: Message, custom_id: str, values: Sequence[str], *, wait: bool = True
    ) -> Outcome:
        """Choose in a select menu; `values` are option values, or ids for user, role and channel selects."""
        menu = self._component(message, custom_id, (3, 5, 6, 7, 8))
        data = payloads.select_data(self.world, menu, values)
        return await self._use(message, data, wait)

    async def submit_modal(self, modal: Modal, values: Mapping[str, Any], *, wait: bool = True) -> Outcome:
        """Send a form; `values` by custom_id (text, or a list of values for a select).

        Raises:
            ClientRefusal: a required input is empty, a text too short or too long, or an unknown input.
        """
        before = modal.interaction
        channel = self.world.channels[before.channel_id]
        data = filled_form(modal, values)
        made = self._start(InteractionType.MODAL, channel, data, source=before.source, origin=before)
        return await self._outcome(made, wait)

    # ---- how it goes --------------------------------------------------------------------------------------

    async def _use(self, message: Message, data: dict[str, Any], wait: bool) -> Outcome:
        channel = self.world.channels[message.channel_id]
        return await self._act(InteractionType.COMPONENT, channel, data, source=message, wait=wait)

    async def _act(
        self,
        kind: InteractionType,
        channel: Channel,
        data: dict[str, Any],
        *,
        wait: bool,
        command: Command | None = None,
        source: Message | None = None,
    ) -> Outcome:
        return await self._outcome(self._start(kind, channel, data, command=command, source=source), wait)

    def _start(
        self,
        kind: InteractionType,
        channel: Channel,
        data: dict[str, Any],
        *,
        command: Command | None = None,
        source: Message | None = None,
        origin: Interaction | None = None,
    ) -> Interaction:
        return payloads.send_interaction(
            self.world, kind, self.user, channel, data, command=command, source=source, origin=origin
        )

    async def _outcome(self, made: Interaction, wait: bool) -> Outcome:
        if not await self._until(made, lambda: made.answer is not None):
            component = made.type in (InteractionType.COMPONENT, InteractionType.MODAL)
            return Outcome(
                Seen.FAILED, error=FAILED_COMPONENT if component else NO_RESPONSE, interaction=made
            )
        if made.answer is Answer.MODAL and made.modal is not None:
            form = Modal(made.modal["custom_id"], made.modal["title"], made.modal["components"], made)
            return Outcome(Seen.MODAL, modal=form, interaction=made)
        if made.deferred and wait:
            # A click that was only acknowledged may bring nothing more; a "thinking" answer has to come.
            quiet = made.answer is Answer.DEFERRED_UPDATE
            patience = min(self.patience, 3.0) if quiet else self.patience
            await self._until(made, lambda: not made.deferred, timedelta(minutes=15), patience)
        message = self.world.messages.find(made.original_id or 0)
        updated = made.answer in (Answer.UPDATE, Answer.DEFERRED_UPDATE)
        seen = Seen.UPDATE if updated else Seen.THINKING if made.deferred else Seen.MESSAGE
        others = [number for number in made.message_ids if number != made.original_id]
        found = (self.world.messages.find(number) for number in others)
        return Outcome(seen, message, follow_ups=tuple(m for m in found if m), interaction=made)

    async def _until(
        self,
        made: Interaction,
        done: Callable[[], bool],
        limit: timedelta = FIRST_ANSWER,
        patience: float | None = None,
    ) -> bool:
        # The world's clock may stand still or jump, so it is looked at often, and real patience ends at last.
        give_up = time.monotonic() + (self.patience if patience is None else patience)
        while not done():
            made.changed.clear()
            if self.world.clock.now() - made.created_at > limit or time.monotonic() > give_up:
                return False
            try:
                await asyncio.wait_for(made.changed.wait(), 0.05)
            except TimeoutError:
                continue
        return True

    # ---- finding ------------------------------------------------------------------------------------------

    def _resolve(self, channel: Channel, name: str) -> tuple[Command, list[str]]:
        first, *path = name.removeprefix("/").split()
        for command in self.commands(channel):
            if command.type == 1 and command.name == first:
                return command, path
        raise ClientRefusal(f"There is no command /{first} for {self.user.name} here.")

    def _menu(self, channel: Channel, name: str, kind: int) -> Command:
        for command in self.commands(channel):
            if command.type == kind and command.name == name:
                return command
        raise ClientRefusal(f"There is no menu entry {name!r} for {self.user.name} here.")

    def _component(self, message: Message, custom_id: str, kinds: tuple[int, ...]) -> dict[str, Any]:
        channel = self.world.channels[message.channel_id]
        hidden = message.seen_only_by not in (None, self.user.id)
        if hidden or not self.world.can_view(self.user.id, channel):
            raise ClientRefusal("This message isn't visible to this person.")
        for part in parts_of(message):
            if part["type"] in kinds and part.get("custom_id") == custom_id:
                if part.get("disabled"):
                    raise ClientRefusal(f"The component {custom_id!r} is disabled.")
                return part
        raise ClientRefusal(f"There is no component {custom_id!r} on this message.")

    def _may_write(self, channel: Channel) -> bool:
        if channel.is_thread:
            return self.world.may(self.user.id, channel, Permission.SEND_MESSAGES_IN_THREADS)
        return self.world.may(self.user.id, channel, Permission.SEND_MESSAGES)
