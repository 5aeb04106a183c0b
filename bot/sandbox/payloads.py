"""The INTERACTION_CREATE payload, field by field as Discord sends it.

Promises: locale, context, installs, permissions and resolved objects of the real thing, and that it is told to the
application. Leaves waiting for the answer to `human`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bot.sandbox import wire
from bot.sandbox.interactions import Interaction, InteractionType
from bot.sandbox.limits import FILE_BYTES, ClientRefusal
from bot.sandbox.model import Application, Channel, ChannelType, Command, JsonObject, Message, User
from bot.sandbox.permissions import Permission

if TYPE_CHECKING:
    from bot.sandbox.world import World

_STRANGERS_RIGHTS = int(
    Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.MENTION_EVERYONE
)


def send_interaction(
    world: World,
    kind: InteractionType,
    person: User,
    channel: Channel,
    data: JsonObject,
    *,
    command: Command | None = None,
    source: Message | None = None,
    origin: Interaction | None = None,
) -> Interaction:
    """Make an interaction and tell the application.

    Raises:
        ClientRefusal: the message's application is unknown here.
    """
    app = _application(world, command, source, origin)
    made = world.interactions.create(
        kind,
        app,
        person,
        channel,
        data,
        authorizing=_owners(world, app, person, channel, command, source, origin),
        command=command,
        source=source,
        origin=origin,
    )
    payload = interaction_json(world, made)
    world.events.emit("INTERACTION_CREATE", payload, application_id=app.id)
    return made


def _application(
    world: World, command: Command | None, source: Message | None, origin: Interaction | None
) -> Application:
    candidates = [command.application_id if command else None, origin.application_id if origin else None]
    if source is not None:
        candidates += [source.application_id, source.author_id]
    for number in candidates:
        if number in world.applications:
            return world.applications[number]
    raise ClientRefusal("This message belongs to no application.")


def _owners(
    world: World,
    app: Application,
    person: User,
    channel: Channel,
    command: Command | None,
    source: Message | None,
    origin: Interaction | None,
) -> dict[str, str]:
    if command is not None:
        return world.commands.owners(command, app, person, channel)
    if origin is not None:
        return origin.authorizing
    # A component carries the installs of the message it stands on.
    if source is not None and source.interaction is not None:
        return dict(source.interaction["authorizing_integration_owners"])
    return world.commands.owners(None, app, person, channel)


def interaction_json(world: World, made: Interaction) -> JsonObject:
    """The payload of an interaction."""
    channel = world.channels[made.channel_id]
    person = world.users[made.user_id]
    app = world.applications[made.application_id]
    payload: JsonObject = {
        "id": str(made.id),
        "application_id": str(made.application_id),
        "type": int(made.type),
        "token": made.token,
        "version": 1,
        "data": made.data,
        "channel_id": str(channel.id),
        "channel": _channel_part(world, channel, person, app),
        "locale": person.locale,
        "context": world.commands.context_of(app, channel),
        "authorizing_integration_owners": made.authorizing,
        "app_permissions": str(app_permissions(world, app, channel, person)),
        "entitlements": [],
        "entitlement_sku_ids": [],
        "attachment_size_limit": FILE_BYTES,
    }
    payload |= _who(world, channel, person)
    if made.source is not None:
        payload["message"] = world.messages.json(made.source)
    return payload


def app_permissions(world: World, app: Application, channel: Channel, person: User) -> int:
    """What the application may in the place of an interaction."""
    guild = world.guilds.get(channel.guild_id or 0)
    if guild is not None and app.bot_id not in guild.members:
        return world.permissions(channel, person.id) & _STRANGERS_RIGHTS
    if channel.type is ChannelType.DM:
        with_bot = app.bot_id in channel.recipients
        return _STRANGERS_RIGHTS if with_bot else _STRANGERS_RIGHTS & ~Permission.USE_EXTERNAL_EMOJIS
    return world.permissions(channel, app.bot_id)


def _who(world: World, channel: Channel, person: User) -> JsonObject:
    guild = world.guilds.get(channel.guild_id or 0)
    if guild is None:
        return {"user": wire.user(person)}
    member = wire.member(guild.members[person.id], person)
    member["permissions"] = str(world.permissions(channel, person.id))
    return {
        "member": member,
        "guild_id": str(guild.id),
        "guild_locale": guild.locale,
        "guild": {"id": str(guild.id), "locale": guild.locale, "features": []},
    }


def _channel_part(world: World, channel: Channel, person: User, app: Application) -> JsonObject:
    if channel.type is ChannelType.DM:
        # In a DM with the bot Discord names the person, not the bot.
        viewer = app.bot_id if app.bot_id in channel.recipients else person.id
        return world.channel_json(channel, viewer)
    part = world.channel_json(channel)
    part.pop("permission_overwrites", None)
    return part | {"permissions": str(world.permissions(channel, person.id))}


# ---- data of the kinds that aren't slash commands ---------------------------------------------------------


def message_menu_data(world: World, command: Command, message: Message) -> JsonObject:
    """The `data` of a message menu entry."""
    found = world.messages.json(message)
    data = _menu_data(command, message.id)
    return data | {"resolved": {"messages": {str(message.id): found}}}


def user_menu_data(world: World, command: Command, target: User, channel: Channel) -> JsonObject:
    """The `data` of a user menu entry."""
    resolved: JsonObject = {"users": {str(target.id): wire.user(target)}}
    guild = world.guilds.get(channel.guild_id or 0)
    if guild is not None and target.id in guild.members:
        member = wire.member(guild.members[target.id])
        member["permissions"] = str(world.permissions(channel, target.id))
        resolved["members"] = {str(target.id): member}
    return _menu_data(command, target.id) | {"resolved": resolved}


def _menu_data(command: Command, target_id: int) -> JsonObject:
    data: JsonObject = {
        "id": str(command.id),
        "name": command.name,
        "type": command.type,
        "target_id": str(target_id),
    }
    if command.guild_id is not None:
        data["guild_id"] = str(command.guild_id)
    return data


def select_data(world: World, menu: JsonObject, values: Sequence[str]) -> JsonObject:
    """The `data` of a choice in a select menu.

    Raises:
        ClientRefusal: too few, too many or unknown values.
    """
    least, most = menu.get("min_values"), menu.get("max_values")
    if not (1 if least is None else least) <= len(values) <= (most or 1):
        raise ClientRefusal(f"This menu takes {1 if least is None else least} to {most or 1} values.")
    if len(set(values)) < len(values):
        raise ClientRefusal("A value can be chosen only once.")
    data: JsonObject = {
        "component_type": menu["type"],
        "custom_id": menu["custom_id"],
        "id": menu["id"],
        "values": list(values),
    }
    if menu["type"] == 3:
        known = [option["value"] for option in menu["options"]]
        for value in values:
            if value not in known:
                raise ClientRefusal(f"{value!r} is no option of this menu.")
        return data
    return data | {"resolved": _resolved_choice(world, menu["type"], values)}


def _resolved_choice(world: World, kind: int, values: Sequence[str]) -> JsonObject:
    resolved: JsonObject = {}
    for value in values:
        number = int(value)
        channel = world.channels.get(number)
        if number in world.users and kind in (5, 7):
            resolved.setdefault("users", {})[value] = wire.user(world.users[number])
        elif channel is not None and kind == 8:
            part: dict[str, Any] = world.channel_json(channel)
            part.pop("permission_overwrites", None)
            resolved.setdefault("channels", {})[value] = part | {"permissions": "0"}
        else:
            role = next(
                (guild.roles[number] for guild in world.guilds.values() if number in guild.roles), None
            )
            if role is None or kind not in (6, 7):
                raise ClientRefusal(f"{value!r} can't be chosen in this menu.")
            resolved.setdefault("roles", {})[value] = wire.role(role)
    return resolved


# ---- what an answer carries -------------------------------------------------------------------------------

CHAT_INPUT_MESSAGE, MENU_MESSAGE = 20, 23


def answer_fields(world: World, made: Interaction, *, hidden: bool) -> dict[str, object]:
    """The fields of a message that answers an interaction: type, application, who alone sees it, metadata."""
    fields: dict[str, object] = {
        "application_id": made.application_id,
        "webhook_id": made.application_id,
        "interaction": metadata(world, made),
        "seen_only_by": made.user_id if hidden else None,
    }
    if made.type is InteractionType.COMMAND and made.command is not None:
        fields["type"] = CHAT_INPUT_MESSAGE if made.command.type == 1 else MENU_MESSAGE
    return fields


def metadata(world: World, made: Interaction) -> JsonObject:
    """Discord's `interaction_metadata`."""
    data: JsonObject = {
        "id": str(made.id),
        "type": int(made.type),
        "user": wire.user(world.users[made.user_id]),
        "authorizing_integration_owners": made.authorizing,
    }
    if made.type is InteractionType.COMPONENT and made.source is not None:
        data["interacted_message_id"] = str(made.source.id)
    if made.type is InteractionType.MODAL and made.origin is not None:
        data["triggering_interaction_metadata"] = metadata(world, made.origin)
    if made.command is not None:
        data |= {"name": made.command.name, "command_type": made.command.type}
    return data
