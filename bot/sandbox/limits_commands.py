"""What Discord refuses in application commands and in autocomplete answers.

Promises: names, texts, options, choices and sizes within Discord's reference ("Application Command Object"), else
`ApiError` 50035. Leaves registering to `registry`.
"""

from __future__ import annotations

import re
from typing import Any

from bot.sandbox.form import Form, Path, items_of, record_of, units
from bot.sandbox.model import JsonObject

SUB_COMMAND, SUB_GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = (
    range(1, 12)
)
SLASH, USER_MENU, MESSAGE_MENU = 1, 2, 3
WITH_CHOICES = (STRING, INTEGER, NUMBER)
MOST_OF_TYPE = {SLASH: 100, USER_MENU: 15, MESSAGE_MENU: 15}
MOST_CHARACTERS = 8000
CHOICES = 25

_LOCALE_NAMES = """
    id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg ru uk hi th zh-CN ja
    zh-TW ko
"""
LOCALES = frozenset(_LOCALE_NAMES.split())

# Discord: ^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$; `re` has no scripts, so their marks are listed by range.
_SLASH_NAME = re.compile(r"^[-_'\w\u0900-\u0963\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]{1,32}$")
_BAD_NAME = ("APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")


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
        _check_name(form, path, body, kind)
    if kind == SLASH:
        _check_description(form, path, body, required=not partial or "description" in body)
        _check_options(form, (*path, "options"), body.get("options"), depth=0)
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


def _check_name(form: Form, path: Path, body: JsonObject, kind: int) -> None:
    name = form.text((*path, "name"), body.get("name"), shortest=1, longest=32, required=True)
    if kind == SLASH and name is not None and not is_slash_name(name):
        form.fail((*path, "name"), *_BAD_NAME)
    locals_ = _check_locales(form, (*path, "name_localizations"), body.get("name_localizations"), 32)
    for locale, text in locals_.items():
        if kind == SLASH and not is_slash_name(text):
            form.fail((*path, "name_localizations", locale), *_BAD_NAME)


def is_slash_name(name: str) -> bool:
    """Whether a slash command or option may be called so (lower case where the script has it)."""
    return bool(_SLASH_NAME.match(name)) and name == name.lower()


def _check_description(form: Form, path: Path, body: JsonObject, *, required: bool) -> None:
    form.text((*path, "description"), body.get("description"), shortest=1, longest=100, required=required)
    localized = body.get("description_localizations")
    _check_locales(form, (*path, "description_localizations"), localized, 100)


def _check_menu(form: Form, path: Path, body: JsonObject) -> None:
    if body.get("description"):
        message = "Context menu commands cannot have description"
        form.fail((*path, "description"), "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION", message)
    if body.get("options"):
        message = "Context menu commands cannot have options"
        form.fail((*path, "options"), "APPLICATION_COMMAND_CONTEXT_MENU_OPTIONS", message)


def _check_locales(form: Form, path: Path, value: object, longest: int) -> dict[str, str]:
    if value is None:
        return {}
    table = form.record(path, value) or {}
    good: dict[str, str] = {}
    for locale, text in table.items():
        if locale not in LOCALES:
            message = f"Value must be one of {sorted(LOCALES)}."
            form.fail((*path, locale), "BASE_TYPE_CHOICES", message)
        elif (
            checked := form.text((*path, locale), text, shortest=1, longest=longest, required=True)
        ) is not None:
            good[locale] = checked
    return good


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


# ---- options ----------------------------------------------------------------------------------------------


def _check_options(form: Form, path: Path, value: object, *, depth: int) -> None:
    options = form.items(path, value, most=25)
    kinds = [item.get("type") for item in options if isinstance(item, dict)]
    nested = [kind for kind in kinds if kind in (SUB_COMMAND, SUB_GROUP)]
    if nested and len(nested) < len(kinds):
        message = "Sub-command and sub-command group option types are mutually exclusive to all other types"
        form.fail(path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message)
    names: set[str] = set()
    optional_seen = False
    for index, item in enumerate(options):
        option = form.record((*path, index), item)
        if option is None:
            continue
        _check_option(form, (*path, index), option, depth=depth)
        if str(option.get("name")) in names:
            message = "Option names must be unique"
            form.fail((*path, index, "name"), "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED", message)
        names.add(str(option.get("name")))
        if option.get("required") and optional_seen:
            message = "Required options must be placed before non-required options"
            form.fail((*path, index), "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message)
        optional_seen = optional_seen or not option.get("required")


def _check_option(form: Form, path: Path, option: JsonObject, *, depth: int) -> None:
    kind = form.one_of((*path, "type"), option.get("type"), range(1, 12))
    _check_name(form, path, option, SLASH)
    _check_description(form, path, option, required=True)
    if kind in (SUB_COMMAND, SUB_GROUP):
        _check_nesting(form, path, option, int(kind), depth)
        return
    form.truth((*path, "required"), option.get("required"))
    if option.get("options"):
        form.fail(
            (*path, "options"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "This type cannot have options"
        )
    _check_choices(form, path, option, kind)
    _check_bounds(form, path, option, kind)


def _check_nesting(form: Form, path: Path, option: JsonObject, kind: int, depth: int) -> None:
    inner = option.get("options")
    kinds = {str(record_of(item).get("type")) for item in items_of(inner)}
    nested = {str(SUB_COMMAND), str(SUB_GROUP)}
    too_deep = depth > 1 or (kind == SUB_GROUP and depth > 0)
    wrong = kind == SUB_GROUP and kinds - {str(SUB_COMMAND)}
    if too_deep or wrong or (kind == SUB_COMMAND and kinds & nested):
        message = "Sub-commands and groups may only be nested one level deep"
        form.fail(path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message)
    else:
        _check_options(form, (*path, "options"), inner, depth=depth + 1)


def _check_choices(form: Form, path: Path, option: JsonObject, kind: object) -> None:
    choices = form.items((*path, "choices"), option.get("choices"), most=CHOICES)
    if choices and kind not in WITH_CHOICES:
        form.fail(
            (*path, "choices"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "This type cannot have choices"
        )
    if choices and option.get("autocomplete"):
        message = "Autocomplete cannot be set to true if options are present"
        form.fail(path, "APPLICATION_COMMAND_AUTOCOMPLETE_WITH_CHOICES", message)
    if option.get("autocomplete") and kind not in WITH_CHOICES:
        message = "Autocomplete is only available for string, integer and number options"
        form.fail(path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message)
    _check_choice_list(form, (*path, "choices"), choices, kind)


def _check_choice_list(form: Form, path: Path, choices: list[Any], kind: object) -> None:
    names: set[str] = set()
    for index, item in enumerate(choices):
        choice = form.record((*path, index), item)
        if choice is None:
            continue
        name = form.text((*path, index, "name"), choice.get("name"), shortest=1, longest=100, required=True)
        _check_locales(form, (*path, index, "name_localizations"), choice.get("name_localizations"), 100)
        if name in names:
            message = "Option choice names must be unique"
            form.fail((*path, index), "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_DUPLICATED", message)
        names.add(name or "")
        _check_choice_value(form, (*path, index, "value"), choice.get("value"), kind)


def _check_choice_value(form: Form, path: Path, value: object, kind: object) -> None:
    if kind == STRING:
        form.text(path, value, shortest=1, longest=100, required=True)
    elif kind == INTEGER:
        form.whole(path, value, least=-(1 << 53), most=1 << 53, required=True)
    elif isinstance(value, bool) or not isinstance(value, int | float):
        form.fail(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not float.')


def _check_bounds(form: Form, path: Path, option: JsonObject, kind: object) -> None:
    form.whole((*path, "min_length"), option.get("min_length"), least=0, most=6000)
    form.whole((*path, "max_length"), option.get("max_length"), least=1, most=6000)
    wrong = [name for name in ("min_length", "max_length") if option.get(name) is not None and kind != STRING]
    wrong += [
        n for n in ("min_value", "max_value") if option.get(n) is not None and kind not in (INTEGER, NUMBER)
    ]
    wrong += [n for n in ("channel_types",) if option.get(n) and kind != CHANNEL]
    for name in wrong:
        message = f"{name} is not available for this option type"
        form.fail((*path, name), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message)


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


# ---- autocomplete -----------------------------------------------------------------------------------------


def check_choices(data: object, kind: int) -> list[JsonObject]:
    """The choices of an autocomplete answer for an option of a type.

    Raises:
        ApiError: 50035: more than 25, a name or value that is empty or longer than 100, or of the wrong type.
    """
    form = Form()
    body = form.record(("data",), data)
    choices = form.items(("data", "choices"), (body or {}).get("choices"), most=CHOICES, required=True)
    for index, item in enumerate(choices):
        choice = form.record(("data", "choices", index), item)
        if choice is not None:
            place: Path = ("data", "choices", index)
            form.text((*place, "name"), choice.get("name"), shortest=1, longest=100, required=True)
            _check_locales(form, (*place, "name_localizations"), choice.get("name_localizations"), 100)
            _check_choice_value(form, (*place, "value"), choice.get("value"), kind)
    form.finish()
    return [item for item in choices if isinstance(item, dict)]
