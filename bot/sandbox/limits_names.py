"""Names, descriptions and their localisations, as Discord's application commands have them.

Promises: Discord's patterns and lengths ("Application Command Naming", "Locales"). Used by commands, options, choices.
"""

from __future__ import annotations

import re

from bot.sandbox.form import Form, Path
from bot.sandbox.model import JsonObject

_LOCALE_NAMES = """
    id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg ru uk hi th zh-CN ja
    zh-TW ko
"""
LOCALES = frozenset(_LOCALE_NAMES.split())

# Discord: ^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$; `re` has no scripts, so their marks are listed by range.
_SLASH_NAME = re.compile(r"^[-_'\w\u0900-\u0963\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]{1,32}$")
_BAD_NAME = ("APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")


def check_name(form: Form, path: Path, body: JsonObject, *, is_slash: bool = True) -> None:
    """Complain about `name` and `name_localizations`."""
    name = form.text((*path, "name"), body.get("name"), shortest=1, longest=32, required=True)
    if is_slash and name is not None and not is_slash_name(name):
        form.fail((*path, "name"), *_BAD_NAME)
    locals_ = check_locales(form, (*path, "name_localizations"), body.get("name_localizations"), 32)
    for locale, text in locals_.items():
        if is_slash and not is_slash_name(text):
            form.fail((*path, "name_localizations", locale), *_BAD_NAME)


def is_slash_name(name: str) -> bool:
    """Whether a slash command or option may be called so (lower case where the script has it)."""
    return bool(_SLASH_NAME.match(name)) and name == name.lower()


def check_description(form: Form, path: Path, body: JsonObject, *, required: bool) -> None:
    """Complain about `description` and `description_localizations`."""
    form.text((*path, "description"), body.get("description"), shortest=1, longest=100, required=required)
    localized = body.get("description_localizations")
    check_locales(form, (*path, "description_localizations"), localized, 100)


def check_locales(form: Form, path: Path, value: object, longest: int) -> dict[str, str]:
    """Complain about a table of localisations; the good ones come back."""
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
