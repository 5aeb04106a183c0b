"""What Discord refuses in application commands.

Promises: names, texts, places and sizes within Discord's reference ("Application Command Object"), else
`ApiError` 50035. Leaves registering to `registry`.
"""

from __future__ import annotations

from typing import Any

from bot.sandbox.form import Form, Path, items_of, record_of, units
from bot.sandbox.limits_names import check_description, check_name
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
    check_options,
)
from bot.sandbox.model import JsonObject

__all__ = [
    "ATTACHMENT",
    "BOOLEAN",
    "CHANNEL",
    "INTEGER",
    "MENTIONABLE",
    "NUMBER",
    "ROLE",
    "STRING",
    "SUB_COMMAND",
    "SUB_GROUP",
    "USER",
    "check_command",
    "check_commands",
]

SLASH, USER_MENU, MESSAGE_MENU = 1, 2, 3
MOST_OF_TYPE = {SLASH: 100, USER_MENU: 15, MESSAGE_MENU: 15}
MOST_CHARACTERS = 8000


def check_command(value: object, *, in_guild: bool = False, partial: bool = False) -> JsonObject:
    """One command as Discord would store it.

    Args:
        value: the JSON body.
        in_guild: a server's own command, which has no contexts and installs.
        partial: an edit, which may leave the name out.

    Raises:
        ApiError: 50035 with the tree of errors.
    """
    form = Form()
    command = _checked(form, (), value, partial=partial)
    form.finish()
    return _in_guild(command) if in_guild else command


def _in_guild(command: JsonObject) -> JsonObject:
    # Discord ignores both fields on the commands of a server.
    return {name: value for name, value in command.items() if name not in ("contexts", "integration_types")}


def check_commands(value: object, *, in_guild: bool) -> list[JsonObject]:
    """A bulk overwrite: every command, their number by type, and no two of the same name and type.

    Raises:
        ApiError: 50035 with the tree of errors, each under the command's index.
    """
    form = Form()
    wanted = form.items((), value, most=130)
    made = [_checked(form, (index,), item) for index, item in enumerate(wanted)]
    seen: set[tuple[Any, Any]] = set()
    for index, command in enumerate(made):
        key = (str(command.get("name")), command.get("type"))
        if key in seen:
            message = "Application command names must be unique"
            form.fail((index, "name"), "APPLICATION_COMMANDS_DUPLICATE_NAME", message)
        seen.add(key)
    for kind, most in MOST_OF_TYPE.items():
        if sum(1 for command in made if command.get("type") == kind) > most:
            message = f"Maximum number of application commands reached ({most})."
            form.fail((), "APPLICATION_COMMANDS_TOO_MANY", message)
    form.finish()
    return [_in_guild(command) for command in made] if in_guild else made


def _checked(form: Form, path: Path, value: object, *, partial: bool = False) -> JsonObject:
    body = form.record(path, value)
    if body is None:
        return {}
    kind = form.one_of((*path, "type"), body.get("type", SLASH), (SLASH, USER_MENU, MESSAGE_MENU)) or SLASH
    if not (partial and "name" not in body):
        check_name(form, path, body, is_slash=kind == SLASH)
    if kind == SLASH:
        check_description(form, path, body, required=not partial or "description" in body)
        check_options(form, (*path, "options"), body.get("options"), depth=0)
    else:
        _check_menu(form, path, body)
    _check_places(form, path, body)
    _check_size(form, path, body)
    return _stored(body, kind, partial=partial)


def _stored(body: JsonObject, kind: int, *, partial: bool) -> JsonObject:
    known = (
        "name",
        "name_localizations",
        "description",
        "description_localizations",
        "options",
        "default_member_permissions",
        "dm_permission",
        "contexts",
        "integration_types",
        "nsfw",
    )
    data: JsonObject = {name: body[name] for name in known if name in body}
    if partial:
        return data
    data |= {"type": kind, "description": body.get("description") or "", "nsfw": bool(body.get("nsfw"))}
    permissions = body.get("default_member_permissions")
    data["default_member_permissions"] = None if permissions is None else str(permissions)
    data.setdefault("contexts", None)
    data.setdefault("integration_types", [0])
    return data


def _check_menu(form: Form, path: Path, body: JsonObject) -> None:
    if body.get("description"):
        message = "Context menu commands cannot have description"
        form.fail((*path, "description"), "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION", message)
    if body.get("options"):
        message = "Context menu commands cannot have options"
        form.fail((*path, "options"), "APPLICATION_COMMAND_CONTEXT_MENU_OPTIONS", message)


def _check_places(form: Form, path: Path, body: JsonObject) -> None:
    for name, allowed in (("contexts", (0, 1, 2)), ("integration_types", (0, 1))):
        listed = form.items((*path, name), body.get(name), most=len(allowed))
        if body.get(name) == []:
            form.fail((*path, name), "BASE_TYPE_MIN_LENGTH", "Must be 1 or more in length.")
        for index, item in enumerate(listed):
            form.one_of((*path, name, index), item, allowed)
        if len(set(map(str, listed))) < len(listed):
            form.fail((*path, name), "SET_TYPE_ALREADY_CONTAINS_VALUE", "The set already contains this value")
    permissions = body.get("default_member_permissions")
    if permissions is not None and not (isinstance(permissions, int) or str(permissions).isdigit()):
        message = f'Value "{permissions}" is not int.'
        form.fail((*path, "default_member_permissions"), "NUMBER_TYPE_COERCE", message)


def _check_size(form: Form, path: Path, body: JsonObject) -> None:
    size = _size(body)
    if size > MOST_CHARACTERS:
        message = f"Command exceeds maximum size ({MOST_CHARACTERS})"
        form.fail(path, "APPLICATION_COMMAND_TOO_LARGE", message)


def _size(body: JsonObject) -> int:
    # Discord counts names, descriptions and values; of localisations only the longest text of each field.
    total = 0
    for name in ("name", "description"):
        texts = [body.get(name), *(record_of(body.get(f"{name}_localizations")).values())]
        total += max((units(text) for text in texts if isinstance(text, str)), default=0)
    for choice in items_of(body.get("choices")):
        if isinstance(choice, dict):
            total += _size(choice) + units(str(choice.get("value", "")))
    for option in items_of(body.get("options")):
        if isinstance(option, dict):
            total += _size(option)
    return total
