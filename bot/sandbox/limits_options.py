"""What Discord refuses in the options of a command.

Promises: nesting, order, number, names, choices and bounds of Discord's reference ("Application Command Option").
"""

from __future__ import annotations

from bot.sandbox.form import Form, Path, items_of, record_of
from bot.sandbox.limits_choices import CHOICES, check_choice_list
from bot.sandbox.limits_names import check_description, check_name
from bot.sandbox.model import JsonObject

SUB_COMMAND, SUB_GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = (
    range(1, 12)
)
WITH_CHOICES = (STRING, INTEGER, NUMBER)


def check_options(form: Form, path: Path, value: object, *, depth: int) -> None:
    """Complain about a list of options; `depth` is 0 at the command itself."""
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
    check_name(form, path, option)
    check_description(form, path, option, required=True)
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
        check_options(form, (*path, "options"), inner, depth=depth + 1)


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
    check_choice_list(form, (*path, "choices"), choices, kind)


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
