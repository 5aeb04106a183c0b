"""What one person's page shows, as JSON.

Promises: only what that person may see. Leaves telling changes to `page_stream` and acting to `page_acts`.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import asdict
from typing import TYPE_CHECKING

from aiohttp import web

from bot.sandbox import wire
from bot.sandbox.limits import FILE_BYTES
from bot.sandbox.model import Channel, ChannelType, Event, Guild, JsonObject, Message, User
from bot.sandbox.permissions import Permission, is_postable
from bot.sandbox.server import LISTING_BYTES

if TYPE_CHECKING:
    from bot.sandbox.page import Hooks
    from bot.sandbox.server import Sandbox
    from bot.sandbox.world import World

_KEPT_NAMES = 2000
LOCALES = ("en-US", "zh-CN", "zh-TW")


def id_of(text: str | None) -> int:
    """An id as the page sends it; 0, which nothing has, for whatever isn't one."""
    return int(text) if text and len(text) <= 20 and text.isascii() and text.isdecimal() else 0


class CommandNames:
    """Remembers which command an interaction was, for the line "Reader used /paper" above the answer."""

    def __init__(self, world: World) -> None:
        self._names: OrderedDict[str, str] = OrderedDict()
        world.subscribe(self._hear)

    def of(self, interaction: JsonObject | None) -> str | None:
        """The full name of the command behind a message's `interaction_metadata`, or None."""
        return self._names.get(str(interaction.get("id"))) if interaction else None

    def _hear(self, event: Event) -> None:
        if event.name != "INTERACTION_CREATE" or event.data["type"] != 2:
            return
        data = event.data["data"]
        name = _full_name(data) if data.get("type", 1) == 1 else data["name"]
        self._names[event.data["id"]] = name
        while len(self._names) > _KEPT_NAMES:
            self._names.popitem(last=False)


def _full_name(data: JsonObject) -> str:
    steps, options = [data["name"]], data.get("options") or []
    while options and options[0]["type"] in (1, 2):
        steps.append(options[0]["name"])
        options = options[0].get("options") or []
    return "/" + " ".join(steps)


class PageState:
    """Builds the page's JSON for a person."""

    def __init__(self, sandbox: Sandbox, names: CommandNames, hooks: Hooks) -> None:
        self._sandbox = sandbox
        self._world = sandbox.world
        self._names = names
        self._hooks = hooks

    def person(self, text: str | None) -> User:
        """The person named by an id; without one, the first person who isn't an admin.

        Raises:
            HTTPNotFound: nobody has that id, or it is a bot's.
        """
        people = [user for user in self._world.users.values() if not user.bot]
        if not text:
            readers = [user for user in people if not self.is_admin(user)]
            if people:
                return (readers or people)[0]
        for user in people:
            if str(user.id) == text:
                return user
        raise web.HTTPNotFound(text="There is no such person in the sandbox.")

    def channel(self, person: User, text: str | None) -> Channel:
        """The channel named by an id, when the person sees it.

        Raises:
            HTTPNotFound: there is no such channel for this person.
        """
        found = self._world.channels.get(id_of(text))
        if found is None or not self._world.can_view(person.id, found):
            raise web.HTTPNotFound(text="There is no such channel for this person.")
        return found

    def message(self, person: User, channel: Channel, text: str | None) -> Message:
        """The message named by an id, when the person sees it.

        Raises:
            HTTPNotFound: there is no such message for this person.
        """
        found = self._world.messages.get(channel.id, id_of(text))
        if found is None or found.seen_only_by not in (None, person.id):
            raise web.HTTPNotFound(text="This message is gone.")
        return found

    def is_admin(self, person: User) -> bool:
        """Whether the person may manage a server."""
        world = self._world
        return any(
            world.guild_permissions(guild, person.id) & Permission.MANAGE_GUILD
            for guild in world.guilds_of(person.id)
        )

    def snapshot(self, person: User) -> JsonObject:
        """Everything but the messages: who, where, which bots, what the time is."""
        world = self._world
        people = [user for user in world.users.values() if not user.bot]
        return {
            "me": self.person_json(person),
            "personas": [self.person_json(user) for user in people],
            "users": [wire.user(user) for user in world.users.values()],
            "bots": [self._bot_json(app_id) for app_id in world.applications],
            "guilds": [self._guild_json(person, guild) for guild in world.guilds_of(person.id)],
            "dms": [self._channel_json(person, channel) for channel in world.dms_of(person.id)],
            "now": wire.iso(world.clock.now()),
            "locales": list(LOCALES),
            "limits": {"listing": LISTING_BYTES, "upload": FILE_BYTES},
            "can_drop": self._sandbox.listing_dir is not None,
            "can_skip": self._hooks.skip_to_digest is not None,
            "examples": asdict(self._hooks.examples),
        }

    def person_json(self, person: User) -> JsonObject:
        """A person of the sandbox with what only the sandbox knows."""
        return {
            "id": str(person.id),
            "name": person.name,
            "display": person.display_name,
            "locale": person.locale,
            "dm_allowed": person.dm_allowed,
            "role": "admin" if self.is_admin(person) else "reader",
        }

    def message_json(self, message: Message) -> JsonObject:
        """A message as Discord sends it, with the name of the command that it answers."""
        return self.named(self._world.messages.json(message))

    def named(self, data: JsonObject) -> JsonObject:
        """A message payload with `sandbox_command` added when it answers a command."""
        name = self._names.of(data.get("interaction_metadata"))
        return {**data, "sandbox_command": name} if name else data

    def _bot_json(self, app_id: int) -> JsonObject:
        app = self._world.applications[app_id]
        online = self._sandbox.bot_online(app_id)
        return {"id": str(app.bot_id), "application_id": str(app.id), "name": app.name, "online": online}

    def _guild_json(self, person: User, guild: Guild) -> JsonObject:
        channels = self._world.visible_channels(person.id, guild)
        return {
            "id": str(guild.id),
            "name": guild.name,
            "unavailable": guild.unavailable,
            "roles": [wire.role(role) for role in guild.roles.values()],
            "channels": [self._channel_json(person, channel) for channel in channels],
        }

    def _channel_json(self, person: User, channel: Channel) -> JsonObject:
        seen = self._world.messages.visible_to(person.id, channel, 1)
        return self._world.channel_json(channel, person.id) | {
            "last_seen_by_me": str(seen[-1].id) if seen else None,
            "can_write": is_postable(channel) and self._may_write(person, channel),
        }

    def _may_write(self, person: User, channel: Channel) -> bool:
        right = Permission.SEND_MESSAGES_IN_THREADS if channel.is_thread else Permission.SEND_MESSAGES
        return channel.type is ChannelType.DM or self._world.may(person.id, channel, right)
