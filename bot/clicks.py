"""Buttons, selects and forms, by the `custom_id` they carry.

Promises: a click works after a restart, because everything it needs stands in its id or in the database; an id
from anybody is checked. Leaves to the handlers: the rights of the person who clicks.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any

import discord

from bot.failures import RefusalError
from bot.render.ids import decode

log = logging.getLogger(__name__)

Handler = Callable[[discord.Interaction[Any], tuple[str, ...]], Awaitable[None]]


class Clicks:
    """Which handler takes which kind of id."""

    def __init__(self) -> None:
        self._handlers: dict[str, Handler] = {}

    def on(self, kind: str, handler: Handler) -> None:
        """Register the one handler of a kind.

        Raises:
            ValueError: the kind has a handler already.
        """
        if kind in self._handlers:
            raise ValueError(f"two handlers for clicks of the kind {kind!r}")
        self._handlers[kind] = handler

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds that have a handler."""
        return frozenset(self._handlers)

    async def take(self, interaction: discord.Interaction[Any]) -> None:
        """Pass a click or a sent form on.

        Raises:
            RefusalError: nobody knows the id; an older version of the bot may have sent the message.
        """
        data: dict[str, Any] = dict(interaction.data or {})
        read = decode(data.get("custom_id"))
        if read is None or read[0] not in self._handlers:
            raise RefusalError("error.expired")
        kind, arguments = read
        await self._handlers[kind](interaction, arguments)

    async def pass_on(self, interaction: discord.Interaction[Any], kind: str, *arguments: str) -> None:
        """Treat a click as one of another kind, e.g. a choice from a select as a button of what was chosen."""
        await self._handlers[kind](interaction, arguments)


def chosen(interaction: discord.Interaction[Any]) -> list[str]:
    """The values chosen in a select; [] for a button."""
    data: dict[str, Any] = dict(interaction.data or {})
    return [str(value) for value in data.get("values", ())]


def form_values(interaction: discord.Interaction[Any]) -> dict[str, str]:
    """The texts of a sent form by their `custom_id`, in either of Discord's two layouts of a form."""
    data: dict[str, Any] = dict(interaction.data or {})
    found: dict[str, str] = {}
    for row in data.get("components", ()):
        for field in row.get("components") or [row.get("component") or {}]:
            if "custom_id" in field:
                values = field.get("values") or [field.get("value") or ""]
                found[field["custom_id"]] = str(values[0])
    return found
