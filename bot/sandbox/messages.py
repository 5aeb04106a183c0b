"""The messages of the world: posting, editing, history, nonces.

Promises: Discord's history order and bounds; a repeated enforced nonce of the same author in the same channel gives
the message that is there. Leaves to others: what a body may hold (`limits`) and who may post (`rest_messages`).
"""

from __future__ import annotations

import bisect
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from bot.sandbox import wire
from bot.sandbox.components import numbered
from bot.sandbox.mentions import Mentions
from bot.sandbox.model import Attachment, Channel, JsonObject, Message, MessageFlag

if TYPE_CHECKING:
    from bot.sandbox.state import WorldState


@dataclass(slots=True)
class Draft:
    """What someone wants to post; fields as in `Message`."""

    content: str = ""
    embeds: list[JsonObject] = field(default_factory=list)
    components: list[JsonObject] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    flags: int = 0
    nonce: str | None = None
    reference: JsonObject | None = None
    mentions: Mentions = field(default_factory=Mentions)


class Messages:
    """All messages by channel, in the order of their ids."""

    def __init__(self, world: WorldState, nonce_window: timedelta) -> None:
        self._world = world
        self._by_channel: dict[int, dict[int, Message]] = {}
        self._order: dict[int, list[int]] = {}
        self._nonces: dict[tuple[int, int, str], tuple[int, datetime]] = {}
        self.nonce_window = nonce_window

    # ---- writing ------------------------------------------------------------------------------------------

    def post(self, channel: Channel, author_id: int, draft: Draft, **fields: object) -> Message:
        """Store a message and tell it as MESSAGE_CREATE.

        Args:
            channel: where.
            author_id: by whom.
            draft: the content, already accepted.
            fields: further fields of `Message` (`type`, `application_id`, `interaction`, `seen_only_by` …); `id` for a
                forum post's starter, which has the thread's id.
        """
        number = fields.pop("id", None)
        made = Message(
            number if isinstance(number, int) else self._world.new_id(),
            channel.id,
            author_id,
            self._world.clock.now(),
            content=draft.content,
            embeds=draft.embeds,
            components=numbered(draft.components),
            attachments=draft.attachments,
            flags=draft.flags,
            nonce=draft.nonce,
            reference=draft.reference,
            mentions=draft.mentions.users,
            mention_roles=draft.mentions.roles,
            mention_everyone=draft.mentions.everyone,
        )
        _set(made, fields)
        self.store(made)
        self._tell("MESSAGE_CREATE", made)
        return made

    def post_loading(self, channel: Channel, author_id: int, *, hidden: bool, **fields: object) -> Message:
        """Store the "… is thinking" of a deferred answer; see `post`."""
        flags = MessageFlag.LOADING | (MessageFlag.EPHEMERAL if hidden else 0)
        return self.post(channel, author_id, Draft(flags=int(flags)), **fields)

    def store(self, message: Message) -> None:
        """Put a message in its place without telling anybody."""
        self._by_channel.setdefault(message.channel_id, {})[message.id] = message
        bisect.insort(self._order.setdefault(message.channel_id, []), message.id)

    def edit(self, message: Message, **changes: object) -> None:
        """Change fields of a message and tell it as MESSAGE_UPDATE."""
        _set(message, changes)
        message.components = numbered(message.components)
        self._tell("MESSAGE_UPDATE", message)

    def delete(self, message: Message) -> None:
        """Remove a message and tell it as MESSAGE_DELETE. Its nonce stays known: a repeat answers 10008."""
        self._by_channel[message.channel_id].pop(message.id, None)
        self._order[message.channel_id].remove(message.id)
        channel = self._world.channels.get(message.channel_id)
        data: JsonObject = {"id": str(message.id), "channel_id": str(message.channel_id)}
        guild_id = channel.guild_id if channel else None
        if guild_id is not None and not message.ephemeral:
            data["guild_id"] = str(guild_id)
        self._emit("MESSAGE_DELETE", data, message, guild_id)

    def forget_channel(self, channel_id: int) -> None:
        """Drop a deleted channel's messages."""
        self._by_channel.pop(channel_id, None)
        self._order.pop(channel_id, None)

    # ---- nonces -------------------------------------------------------------------------------------------

    def remember_nonce(self, message: Message) -> None:
        """Note an enforced nonce."""
        if message.nonce is not None:
            key = (message.author_id, message.channel_id, message.nonce)
            self._nonces[key] = (message.id, self._world.clock.now())

    def id_of_nonce(self, author_id: int, channel_id: int, nonce: str) -> int | None:
        """The id posted under an enforced nonce within the window (of a message that may be deleted), or None."""
        found = self._nonces.get((author_id, channel_id, nonce))
        if found is None or self._world.clock.now() - found[1] > self.nonce_window:
            return None
        return found[0]

    def forget_nonces(self) -> None:
        """Discord forgets every nonce, as it does after a few minutes."""
        self._nonces.clear()

    # ---- reading ------------------------------------------------------------------------------------------

    def get(self, channel_id: int, message_id: int) -> Message | None:
        """One message, or None."""
        return self._by_channel.get(channel_id, {}).get(message_id)

    def find(self, message_id: int) -> Message | None:
        """One message in whatever channel, or None."""
        return next((held[message_id] for held in self._by_channel.values() if message_id in held), None)

    def all_in(self, channel_id: int) -> list[Message]:
        """Every message of a channel, oldest first, ephemeral ones included."""
        held = self._by_channel.get(channel_id, {})
        return [held[message_id] for message_id in self._order.get(channel_id, [])]

    def everything(self) -> list[Message]:
        """Every message there is, by channel, oldest first."""
        return [message for channel_id in self._order for message in self.all_in(channel_id)]

    def visible_to(self, user_id: int, channel: Channel, limit: int = 200) -> list[Message]:
        """The newest messages a person sees in a channel, oldest first; ephemeral ones only to their reader."""
        if not self._world.can_view(user_id, channel):
            return []
        seen = [m for m in self.all_in(channel.id) if m.seen_only_by in (None, user_id)]
        return seen[-limit:]

    def history(
        self,
        channel_id: int,
        *,
        limit: int = 50,
        before: int | None = None,
        after: int | None = None,
        around: int | None = None,
    ) -> list[Message]:
        """A page of a channel's history as `GET /channels/{id}/messages` answers: newest first, no ephemeral ones."""
        public = [message for message in self.all_in(channel_id) if not message.ephemeral]
        ids = [message.id for message in public]
        if around is not None:
            start = max(0, bisect.bisect_left(ids, around) - limit // 2)
            chosen = public[start : start + limit]
        elif after is not None:
            start = bisect.bisect_right(ids, after)
            chosen = public[start : start + limit]
        else:
            end = len(ids) if before is None else bisect.bisect_left(ids, before)
            chosen = public[max(0, end - limit) : end]
        return chosen[::-1]

    def last_id(self, channel_id: int) -> int | None:
        """The id of a channel's newest message."""
        order = self._order.get(channel_id)
        return order[-1] if order else None

    def json(self, message: Message) -> JsonObject:
        """A message as Discord's API returns it."""
        world = self._world
        author = world.users[message.author_id]
        data = wire.message(message, author, world.users, world.base_url)
        if message.reference is not None and message.type == 19:
            answered = self.get(message.channel_id, int(message.reference["message_id"]))
            data["referenced_message"] = self.json(answered) if answered else None
        return data

    # ---- telling ------------------------------------------------------------------------------------------

    def _tell(self, event: str, message: Message) -> None:
        # An ephemeral message goes to its reader directly, not through the server, so it names none.
        channel = self._world.channels[message.channel_id]
        data = self.json(message) | {"channel_type": int(channel.type)}
        guild = self._world.guilds.get(channel.guild_id or 0)
        if guild is not None and not message.ephemeral:
            data["guild_id"] = str(guild.id)
            if message.author_id in guild.members:
                data["member"] = wire.member(guild.members[message.author_id])
        self._emit(event, data, message, channel.guild_id)

    def _emit(self, event: str, data: JsonObject, message: Message, guild_id: int | None) -> None:
        self._world.events.emit(
            event,
            data,
            guild_id=guild_id,
            channel_id=message.channel_id,
            user_id=message.seen_only_by,
            application_id=message.application_id if message.ephemeral else None,
        )


def _set(message: Message, fields: dict[str, object]) -> None:
    for name, value in fields.items():
        setattr(message, name, value)
