"""The acts that the control endpoint offers, by name: JSON in, JSON out.

Promises: each act is one change of the world or one act of a person; ids are text, as on Discord.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from bot.sandbox import wire
from bot.sandbox.messages import Draft
from bot.sandbox.model import Application, Channel, ChannelType, Guild, JsonObject, Role, User
from bot.sandbox.outcome import Outcome

if TYPE_CHECKING:
    from bot.sandbox.server import Sandbox

Act = Callable[["Sandbox", JsonObject], Awaitable[JsonObject]]
ACTS: dict[str, Act] = {}


class ActError(Exception):
    """An act that can't be done; the text says why."""


def _act(function: Act) -> Act:
    ACTS[function.__name__.replace("_", "-")] = function
    return function


def _user(sandbox: Sandbox, data: JsonObject, key: str = "user") -> User:
    found = sandbox.world.users.get(int(data[key]))
    if found is None:
        raise ActError(f"there is no user {data[key]}")
    return found


def _guild(sandbox: Sandbox, data: JsonObject) -> Guild:
    found = sandbox.world.guilds.get(int(data["guild"]))
    if found is None:
        raise ActError(f"there is no server {data['guild']}")
    return found


def _channel(sandbox: Sandbox, data: JsonObject) -> Channel:
    found = sandbox.world.channels.get(int(data["channel"]))
    if found is None:
        raise ActError(f"there is no channel {data['channel']}")
    return found


def _application(sandbox: Sandbox, data: JsonObject) -> Application:
    found = sandbox.world.applications.get(int(data["application"]))
    if found is None:
        raise ActError(f"there is no application {data['application']}")
    return found


# ---- the world --------------------------------------------------------------------------------------------


@_act
async def add_user(sandbox: Sandbox, data: JsonObject) -> JsonObject:
    """`name`, `locale`: a new person."""
    return wire.user(sandbox.world.add_user(data["name"], locale=data.get("locale", "en-US")))


@_act
async def add_application(sandbox: Sandbox, data: JsonObject) -> JsonObject:
    """`name`, `token`, `owner`: a new application."""
    made = sandbox.world.add_application(data["name"], data["token"], owner=_user(sandbox, data, "owner"))
    return {"id": str(made.id)}


@_act
async def add_guild(sandbox: Sandbox, data: JsonObject) -> JsonObject:
    """`name`, `owner`: a new server."""
    made = sandbox.world.add_guild(data["name"], owner=_user(sandbox, data, "owner"))
    return {"id": str(made.id)}


@_act
async def add_channel(sandbox: Sandbox, data: JsonObject) -> JsonObject:
    """`guild`, `name`, `type`: a new channel or forum."""
    kind = ChannelType(data.get("type", 0))
    made = sandbox.world.add_channel(_guild(sandbox, data), data["name"], kind)
    return sandbox.world.channel_json(made)


@_act
async def add_member(sandbox: Sandbox, data: JsonObject) -> JsonObject:
    """`guild`, `user`: someone (or a bot) joins."""
    sandbox.world.add_member(_guild(sandbox, data), _user(sandbox, data))
    return {}


@_act
async def remove_member(sandbox: Sandbox, data: JsonObject) -> JsonObject:
    """`guild`, `user`: someone (or a bot) is removed."""
    sandbox.world.remove_member(_guild(sandbox, data), _user(sandbox, data))
    return {}


@_act
async def delete_user(sandbox: Sandbox, data: JsonObject) -> JsonObject:
    """`user`: the account is deleted."""
    sandbox.world.delete_user(_user(sandbox, data))
    return {}


@_act
async def install_for_user(sandbox: Sandbox, data: JsonObject) -> JsonObject:
    """`user`, `application`: a user install."""
    sandbox.world.install_for_user(_user(sandbox, data), _application(sandbox, data))
    return {}


@_act
async def set_overwrite(sandbox: Sandbox, data: JsonObject) -> JsonObject:
    """`channel`, `target` (a user or role), `allow`, `deny`: rights in one channel; both 0 removes it."""
    channel = _channel(sandbox, data)
    number = int(data["target"])
    guild = sandbox.world.guilds[channel.guild_id or 0]
    target: Role | User = guild.roles[number] if number in guild.roles else sandbox.world.users[number]
    allow, deny = int(data.get("allow", 0)), int(data.get("deny", 0))
    sandbox.world.set_overwrite(channel, target, allow=allow, deny=deny)
    return {}


@_act
async def delete_channel(sandbox: Sandbox, data: JsonObject) -> JsonObject:
    """`channel`: delete it."""
    sandbox.world.delete_channel(_channel(sandbox, data))
    return {}


@_act
async def edit_channel(sandbox: Sandbox, data: JsonObject) -> JsonObject:
    """`channel` and any of `name`, `topic`, `archived`, `locked`."""
    changes = {name: data[name] for name in ("name", "topic", "archived", "locked") if name in data}
    sandbox.world.edit_channel(_channel(sandbox, data), **changes)
    return {}


@_act
async def outage(sandbox: Sandbox, data: JsonObject) -> JsonObject:
    """`guild`: it becomes unavailable."""
    sandbox.world.outage(_guild(sandbox, data))
    return {}


@_act
async def restore(sandbox: Sandbox, data: JsonObject) -> JsonObject:
    """`guild`: the outage ends."""
    sandbox.world.restore(_guild(sandbox, data))
    return {}


# ---- persons ----------------------------------------------------------------------------------------------


@_act
async def dm_allowed(sandbox: Sandbox, data: JsonObject) -> JsonObject:
    """`user`, `allowed`: open or close someone's DMs."""
    sandbox.human(_user(sandbox, data)).send_dm_allowed(bool(data["allowed"]))
    return {}


@_act
async def open_dm(sandbox: Sandbox, data: JsonObject) -> JsonObject:
    """`user`, `other`: the DM of two users."""
    made = sandbox.world.open_dm(_user(sandbox, data).id, _user(sandbox, data, "other").id)
    return sandbox.world.channel_json(made)


@_act
async def send(sandbox: Sandbox, data: JsonObject) -> JsonObject:
    """`user`, `channel`, `content`: a person writes."""
    world = sandbox.world
    made = world.messages.post(_channel(sandbox, data), _user(sandbox, data).id, Draft(str(data["content"])))
    return world.messages.json(made)


@_act
async def command(sandbox: Sandbox, data: JsonObject) -> JsonObject:
    """`user`, `channel`, `command`, `options` (a channel as ``{"channel": id}``): a slash command."""
    human = sandbox.human(_user(sandbox, data))
    options = {name: _option(sandbox, value) for name, value in (data.get("options") or {}).items()}
    return _shown(sandbox, await human.command(_channel(sandbox, data), data["command"], options))


@_act
async def click(sandbox: Sandbox, data: JsonObject) -> JsonObject:
    """`user`, `message`, `custom_id`: press a button."""
    message = sandbox.world.messages.find(int(data["message"]))
    if message is None:
        raise ActError(f"there is no message {data['message']}")
    return _shown(sandbox, await sandbox.human(_user(sandbox, data)).click(message, data["custom_id"]))


def _option(sandbox: Sandbox, value: object) -> object:
    if isinstance(value, dict) and "channel" in value:
        return _channel(sandbox, value)
    if isinstance(value, dict) and "user" in value:
        return _user(sandbox, value)
    return value


def _shown(sandbox: Sandbox, outcome: Outcome) -> JsonObject:
    message = outcome.message
    return {
        "seen": str(outcome.seen),
        "error": outcome.error,
        "message": None if message is None else sandbox.world.messages.json(message),
    }
