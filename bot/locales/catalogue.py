"""Reads the catalogues and gives a text in a language.

Promises: a known key with its values gives a text; an unknown key or a missing value raises, in no language silently.
Leaves to others: the strings (`*.toml`, one table a surface) and making foreign values harmless.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

from discord import app_commands

from bot.papers.model import Language

FILES = {Language.EN: "en.toml", Language.ZH: "zh-CN.toml", Language.ZH_TW: "zh-TW.toml"}
# Discord: https://discord.com/developers/docs/reference#locales. English is what the command tree is written in.
DISCORD_LOCALES = {"zh-CN": Language.ZH, "zh-TW": Language.ZH_TW}

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_PLURAL = {"one", "other"}


class Catalogue:
    """All texts of all languages, by dotted key such as ``digest.heading_main``."""

    def __init__(self, texts: Mapping[Language, Mapping[str, str | Mapping[str, str]]]) -> None:
        self._texts = texts

    @classmethod
    def shipped(cls) -> Catalogue:
        """The catalogue that comes with the program, read once."""
        return _shipped()

    def text(self, language: Language, key: str, /, **values: object) -> str:
        """The text of a key with its placeholders filled.

        Args:
            language: one of the three languages of the interface.
            key: the dotted key.
            values: what stands for the placeholders, put in as it is: foreign text must be made harmless
                before. `count` chooses between the plural forms where a text has them.

        Raises:
            KeyError: no such key, or a placeholder without a value.
        """
        found = self._texts[language][key]
        template = found if isinstance(found, str) else found["one" if values.get("count") == 1 else "other"]
        return _PLACEHOLDER.sub(lambda match: str(values[match.group(1)]), template)

    def has(self, key: str) -> bool:
        """Whether there is a text under a key."""
        return key in self._texts[Language.EN]

    def keys(self, language: Language = Language.EN) -> frozenset[str]:
        """Every dotted key of a language."""
        return frozenset(self._texts[language])

    def placeholders(self, language: Language, key: str) -> frozenset[str]:
        """The names of the values that a text takes, over all its plural forms."""
        found = self._texts[language][key]
        forms = [found] if isinstance(found, str) else list(found.values())
        return frozenset(name for form in forms for name in _PLACEHOLDER.findall(form))

    def command_text(self, key: str, locale: str) -> str | None:
        """A command's name, description or choice for a Discord locale; None where the English one stands.

        For a `discord.app_commands.Translator`: `key` is ``locale_string.extras["key"]`` as `described` sets it.
        """
        language = DISCORD_LOCALES.get(locale)
        return self.text(language, key) if language is not None and self.has(key) else None


def described(key: str) -> app_commands.locale_str:
    """The English text of a command's key as discord.py takes it, with the key for the translator in its extras."""
    return app_commands.locale_str(Catalogue.shipped().text(Language.EN, key), key=key)


def language_of(locale: str | None) -> Language:
    """The interface language for a Discord locale (``zh-CN``, ``en-GB`` …); English for all we don't speak."""
    return DISCORD_LOCALES.get(locale or "", Language.EN)


@cache
def _shipped() -> Catalogue:
    folder = resources.files("bot.locales")
    return Catalogue(
        {
            language: dict(_flat(tomllib.loads((folder / name).read_text(encoding="utf-8"))))
            for language, name in FILES.items()
        }
    )


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str | dict[str, str]]]:
    for name, value in table.items():
        key = f"{prefix}{name}"
        if isinstance(value, str):
            yield key, value
        elif value.keys() == _PLURAL:
            yield key, dict(value)
        else:
            yield from _flat(value, f"{key}.")
