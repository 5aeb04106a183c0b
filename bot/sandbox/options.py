"""A person's values put into the options of a registered command, as Discord's client does it.

Promises: what the client would refuse is a `ClientRefusal`; what passes is Discord's interaction `data` with
`resolved`. Leaves sending to `payloads`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bot.sandbox import wire
from bot.sandbox.form import units
from bot.sandbox.limits import ClientRefusal
from bot.sandbox.limits_options import (
    ATTACHMENT,
    BOOLEAN,
    CHANNEL,
    INTEGER,
    MENTIONABLE,
    NUMBER,
    ROLE,
    STRING,
    SUB_COMMAND,
    SUB_GROUP,
    USER,
)
from bot.sandbox.model import Attachment, Channel, Command, JsonObject, Role, User

if TYPE_CHECKING:
    from bot.sandbox.world import World

_PYTHON_TYPES: dict[int, tuple[type, ...]] = {
    STRING: (str,),
    INTEGER: (int,),
    BOOLEAN: (bool,),
    USER: (User,),
    CHANNEL: (Channel,),
    ROLE: (Role,),
    MENTIONABLE: (User, Role),
    NUMBER: (int, float),
    ATTACHMENT: (Attachment,),
}


def leaf(command: Command, path: list[str]) -> tuple[list[JsonObject], list[JsonObject]]:
    """The nesting options (group, sub-command) and the value options that a name like ``digest set`` leads to.

    Raises:
        ClientRefusal: there is no such sub-command, or the name stops at a group.
    """
    nesting: list[JsonObject] = []
    options: list[JsonObject] = command.data.get("options") or []
    for step in path:
        found = next(
            (o for o in options if o["name"] == step and o["type"] in (SUB_COMMAND, SUB_GROUP)), None
        )
        if found is None:
            raise ClientRefusal(f"/{command.name} has no sub-command {step!r}.")
        nesting.append(found)
        options = found.get("options") or []
    if any(option["type"] in (SUB_COMMAND, SUB_GROUP) for option in options):
        raise ClientRefusal(f"/{' '.join([command.name, *path])} needs a sub-command.")
    return nesting, options


def command_data(
    world: World, person: User, channel: Channel, command: Command, path: list[str], values: Mapping[str, Any]
) -> JsonObject:
    """The `data` of a slash command with all its options checked.

    Raises:
        ClientRefusal: an unknown or missing option, or a value the client wouldn't send.
    """
    nesting, options = leaf(command, path)
    _refuse_unknown(options, values)
    given: list[JsonObject] = []
    resolved: JsonObject = {}
    for option in options:
        name = option["name"]
        if values.get(name) is None:
            if option.get("required"):
                raise ClientRefusal(f"The option {name!r} is required.")
            continue
        _check(option, values[name])
        given.append({"name": name, "type": option["type"], "value": _wire(values[name])})
        _resolve(world, person, channel, resolved, values[name])
    data = _nested(command, nesting, given)
    return data | ({"resolved": resolved} if resolved else {})


def autocomplete_data(
    world: World, command: Command, path: list[str], values: Mapping[str, Any], focused: str, text: str
) -> JsonObject:
    """The `data` of an autocomplete request: the options filled in so far, one of them with the focus.

    Raises:
        ClientRefusal: an unknown option, or one without autocomplete.
    """
    nesting, options = leaf(command, path)
    _refuse_unknown(options, {**values, focused: text})
    given: list[JsonObject] = []
    for option in options:
        name = option["name"]
        if name == focused:
            if not option.get("autocomplete"):
                raise ClientRefusal(f"The option {name!r} has no autocomplete.")
            given.append({"name": name, "type": option["type"], "value": text, "focused": True})
        elif values.get(name) is not None:
            given.append({"name": name, "type": option["type"], "value": _wire(values[name])})
    return _nested(command, nesting, given)


def focused_type(data: JsonObject) -> int:
    """The type of the option that has the focus in an autocomplete request."""
    options = data.get("options") or []
    while options and options[0]["type"] in (SUB_COMMAND, SUB_GROUP):
        options = options[0].get("options") or []
    return next((int(option["type"]) for option in options if option.get("focused")), STRING)


def _refuse_unknown(options: list[JsonObject], values: Mapping[str, Any]) -> None:
    known = {option["name"] for option in options}
    for name in values:
        if name not in known:
            raise ClientRefusal(
                f"There is no option {name!r} here; there are {', '.join(sorted(known)) or 'none'}."
            )


def _nested(command: Command, nesting: list[JsonObject], given: list[JsonObject]) -> JsonObject:
    for option in reversed(nesting):
        given = [{"name": option["name"], "type": option["type"], "options": given}]
    data: JsonObject = {"id": str(command.id), "name": command.name, "type": command.type}
    if given:
        data["options"] = given
    if command.guild_id is not None:
        data["guild_id"] = str(command.guild_id)
    return data


# ---- one value --------------------------------------------------------------------------------------------


def _check(option: JsonObject, value: object) -> None:
    name, kind = option["name"], option["type"]
    wrong = not isinstance(value, _PYTHON_TYPES[kind]) or (isinstance(value, bool) and kind != BOOLEAN)
    if wrong:
        raise ClientRefusal(f"The option {name!r} takes no {type(value).__name__}.")
    choices = option.get("choices")
    if choices and value not in [choice["value"] for choice in choices]:
        raise ClientRefusal(f"{value!r} is no choice of {name!r}.")
    if isinstance(value, str):
        _check_length(option, value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        _check_range(option, value)
    if isinstance(value, Channel):
        types = option.get("channel_types")
        if types and int(value.type) not in types:
            raise ClientRefusal(f"A channel of type {value.type.name} doesn't fit {name!r}.")


def _check_length(option: JsonObject, value: str) -> None:
    least, most = option.get("min_length"), option.get("max_length")
    if not value:
        raise ClientRefusal(f"The option {option['name']!r} is empty.")
    if units(value) > (most or 6000) or units(value) < (least or 0):
        raise ClientRefusal(
            f"The length of {option['name']!r} is out of bounds ({least or 0} to {most or 6000})."
        )


def _check_range(option: JsonObject, value: float) -> None:
    least, most = option.get("min_value"), option.get("max_value")
    if (least is not None and value < least) or (most is not None and value > most) or abs(value) > 1 << 53:
        raise ClientRefusal(f"The value of {option['name']!r} is out of bounds ({least} to {most}).")


def _wire(value: object) -> object:
    if isinstance(value, User | Channel | Role | Attachment):
        return str(value.id)
    return value


def _resolve(world: World, person: User, channel: Channel, resolved: JsonObject, value: object) -> None:
    guild = world.guilds.get(channel.guild_id or 0)
    if isinstance(value, User):
        resolved.setdefault("users", {})[str(value.id)] = wire.user(value)
        if guild is not None and value.id in guild.members:
            member = wire.member(guild.members[value.id])
            member["permissions"] = str(world.permissions(channel, value.id))
            resolved.setdefault("members", {})[str(value.id)] = member
    elif isinstance(value, Channel):
        part = world.channel_json(value) | {"permissions": str(world.permissions(value, person.id))}
        part.pop("permission_overwrites", None)
        resolved.setdefault("channels", {})[str(value.id)] = part
    elif isinstance(value, Role):
        resolved.setdefault("roles", {})[str(value.id)] = wire.role(value)
    elif isinstance(value, Attachment):
        world.uploads[value.id] = value
        # Files of a command lie at an address of their own and belong to no message.
        value.ephemeral = True
        part = wire.attachment(value, channel.id, world.base_url)
        resolved.setdefault("attachments", {})[str(value.id)] = part
