"""The names, descriptions and choices of commands in the languages Discord shows them in.

Promises: every text that was made by `bot.locales.catalogue.described` has its translation.
"""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.locales import Catalogue


class CommandTexts(app_commands.Translator):
    """Gives discord.py the catalogue's texts at registration."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """The text in a locale, or None where the English one stands."""
        extras: dict[str, Any] = string.extras
        key = extras.get("key")
        return Catalogue.shipped().command_text(key, str(locale)) if key else None
