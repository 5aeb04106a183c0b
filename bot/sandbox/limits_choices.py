"""Choices of options and of autocomplete answers.

Promises: at most 25, names and values within Discord's limits and of the option's type, else complaints or 50035.
"""

from __future__ import annotations

from typing import Any

from bot.sandbox.form import Form, Path
from bot.sandbox.limits_names import check_locales
from bot.sandbox.model import JsonObject

STRING, INTEGER, NUMBER = 3, 4, 10
CHOICES = 25


def check_choice_list(form: Form, path: Path, choices: list[Any], kind: object) -> None:
    """Complain about the fixed choices of an option of a type."""
    names: set[str] = set()
    for index, item in enumerate(choices):
        choice = form.record((*path, index), item)
        if choice is None:
            continue
        name = form.text((*path, index, "name"), choice.get("name"), shortest=1, longest=100, required=True)
        check_locales(form, (*path, index, "name_localizations"), choice.get("name_localizations"), 100)
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
            check_locales(form, (*place, "name_localizations"), choice.get("name_localizations"), 100)
            _check_choice_value(form, (*place, "value"), choice.get("value"), kind)
    form.finish()
    return [item for item in choices if isinstance(item, dict)]
