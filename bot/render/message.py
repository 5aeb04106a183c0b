"""A message as a value: what is said, shown and clickable, without a client.

Promises: equal values give equal JSON, the JSON gives the value back (the outbox keeps it), nothing ever pings.
Leaves to others: limits (`limits.fit`), wording (`bot.locales`) and what a click does (`ids`, the cogs).
"""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from typing import Any, Literal

import discord

from bot.render.ids import decode

Style = Literal["primary", "secondary", "success", "danger", "link"]

_STYLES: dict[Style, int] = {"primary": 1, "secondary": 2, "success": 3, "danger": 4, "link": 5}
ROW_LENGTH = 5  # Discord: buttons in a row
ROWS = 5  # Discord: rows in a message


@dataclass(frozen=True, slots=True)
class Button:
    """A button: either an address to open (`url`, style "link") or a `custom_id` of `ids.encode`."""

    label: str
    style: Style = "secondary"
    custom_id: str | None = None
    url: str | None = None
    disabled: bool = False

    def to_json(self) -> dict[str, Any]:
        """The button as Discord's component object, without what is absent."""
        body: dict[str, Any] = {"type": 2, "style": _STYLES[self.style], "label": self.label}
        if self.custom_id is not None:
            body["custom_id"] = self.custom_id
        if self.url is not None:
            body["url"] = self.url
        if self.disabled:
            body["disabled"] = True
        return body

    @classmethod
    def from_json(cls, body: dict[str, Any]) -> Button:
        """The button of a component object made by `to_json`."""
        style = next(name for name, value in _STYLES.items() if value == body["style"])
        return cls(body["label"], style, body.get("custom_id"), body.get("url"), body.get("disabled", False))


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of a select; `value` is what comes back from the click."""

    label: str
    value: str
    description: str | None = None
    default: bool = False

    def to_json(self) -> dict[str, Any]:
        """The option as Discord's object, without what is absent."""
        body: dict[str, Any] = {"label": self.label, "value": self.value}
        if self.description:
            body["description"] = self.description
        if self.default:
            body["default"] = True
        return body


@dataclass(frozen=True, slots=True)
class Select:
    """A drop-down in its own row, under the buttons."""

    custom_id: str
    options: tuple[Option, ...]
    placeholder: str | None = None
    most: int = 1  # how many may be chosen at once

    def to_json(self) -> dict[str, Any]:
        """The select as Discord's component object."""
        body: dict[str, Any] = {
            "type": 3,
            "custom_id": self.custom_id,
            "options": [option.to_json() for option in self.options],
            "min_values": 1,
            "max_values": self.most,
        }
        if self.placeholder:
            body["placeholder"] = self.placeholder
        return body

    @classmethod
    def from_json(cls, body: dict[str, Any]) -> Select:
        """The select of a component object made by `to_json`."""
        options = tuple(Option(**option) for option in body["options"])
        return cls(body["custom_id"], options, body.get("placeholder"), body["max_values"])


@dataclass(frozen=True, slots=True)
class File:
    """A text file sent along, for what is too long for a message."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Message:
    """Everything that one message holds. `buttons` are rows of at most five."""

    content: str | None = None
    embeds: tuple[discord.Embed, ...] = ()
    buttons: tuple[tuple[Button, ...], ...] = ()
    select: Select | None = None
    files: tuple[File, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """A JSON object that `from_json` reads back; keys are always the same and in the same order."""
        return {
            "content": self.content,
            "embeds": [embed.to_dict() for embed in self.embeds],
            "buttons": [[button.to_json() for button in row] for row in self.buttons],
            "select": self.select.to_json() if self.select else None,
            "files": [[file.name, file.text] for file in self.files],
        }

    @classmethod
    def from_json(cls, body: dict[str, Any]) -> Message:
        """The message that `to_json` wrote."""
        return cls(
            content=body["content"],
            embeds=tuple(discord.Embed.from_dict(embed) for embed in body["embeds"]),
            buttons=tuple(tuple(Button.from_json(button) for button in row) for row in body["buttons"]),
            select=Select.from_json(body["select"]) if body["select"] else None,
            files=tuple(File(name, text) for name, text in body["files"]),
        )

    def components(self) -> list[dict[str, Any]]:
        """The action rows of Discord's message object."""
        rows = [{"type": 1, "components": [b.to_json() for b in row]} for row in self.buttons if row]
        if self.select:
            rows.append({"type": 1, "components": [self.select.to_json()]})
        return rows

    def payload(self) -> dict[str, Any]:
        """The body of "create message" (without files): nothing in it may mention anybody."""
        return {
            "content": self.content or "",
            "embeds": [embed.to_dict() for embed in self.embeds],
            "components": self.components(),
            "allowed_mentions": {"parse": []},
        }

    def plain(self) -> Message:
        """The same in text alone, for a channel without Embed Links; buttons, and so the outbox mark, stay."""
        from bot.render.fallback import as_text  # here, since the fallback is made of messages itself

        return as_text(self)

    def view(self) -> discord.ui.View | None:
        """The components as discord.py sends them; needs a running event loop.

        The view is stopped from the start: discord.py would otherwise keep it in memory for ever. Clicks come in
        by their `custom_id` (`ids.decode`), also after a restart.
        """
        if not self.buttons and self.select is None:
            return None
        view = discord.ui.View(timeout=None)
        for row, buttons in enumerate(self.buttons):
            for button in buttons:
                view.add_item(_button_item(button, row))
        if self.select:
            view.add_item(_select_item(self.select, len(self.buttons)))
        view.stop()
        return view

    def send_kwargs(self) -> dict[str, Any]:
        """Keyword arguments for `channel.send`, `followup.send` and `response.send_message`."""
        given: dict[str, Any] = {"allowed_mentions": discord.AllowedMentions.none()}
        if self.content:
            given["content"] = self.content
        if self.embeds:
            given["embeds"] = list(self.embeds)
        view = self.view()
        if view is not None:
            given["view"] = view
        if self.files:
            given["files"] = self._discord_files()
        return given

    def edit_kwargs(self) -> dict[str, Any]:
        """Keyword arguments for `edit`, `edit_message` and `edit_original_response`: what is absent is removed."""
        return {
            "content": self.content,
            "embeds": list(self.embeds),
            "view": self.view(),
            "attachments": self._discord_files(),
            "allowed_mentions": discord.AllowedMentions.none(),
        }

    def disabled(self) -> Message:
        """The same with every button but the links switched off, and without the select."""
        rows = tuple(tuple(b if b.url else replace(b, disabled=True) for b in row) for row in self.buttons)
        return replace(self, buttons=rows, select=None)

    def custom_ids(self) -> tuple[str, ...]:
        """The ids of all buttons and of the select, in reading order."""
        ids = [button.custom_id for row in self.buttons for button in row if button.custom_id is not None]
        return (*ids, self.select.custom_id) if self.select else tuple(ids)

    def _discord_files(self) -> list[discord.File]:
        return [discord.File(io.BytesIO(file.text.encode()), filename=file.name) for file in self.files]


def rows_of(*buttons: Button | None) -> tuple[tuple[Button, ...], ...]:
    """Buttons in rows of five, in order; None is left out."""
    given = [button for button in buttons if button is not None]
    return tuple(tuple(given[start : start + ROW_LENGTH]) for start in range(0, len(given), ROW_LENGTH))


def marked(message: Message, custom_id: str, label: str = "Details · 详情") -> Message:
    """The message with a button that carries `custom_id`, the outbox's mark; unchanged when it has one already.

    The button stands first, opens the papers of the part privately, and survives `limits.fit` and `plain`.

    Raises:
        ValueError: `custom_id` isn't one of `ids.encode("part", …)`.
    """
    read = decode(custom_id)
    if read is None or read[0] != "part":
        raise ValueError("an outbox mark is a custom_id of the kind 'part'")
    if custom_id in message.custom_ids():
        return message
    button = Button(label, "primary", custom_id)
    first, rest = (message.buttons[0], message.buttons[1:]) if message.buttons else ((), ())
    if len(first) < ROW_LENGTH:
        return replace(message, buttons=((button, *first), *rest))
    return replace(message, buttons=rows_of(button, *(b for row in message.buttons for b in row)))


def _button_item(button: Button, row: int) -> discord.ui.Button[discord.ui.View]:
    return discord.ui.Button(
        style=discord.ButtonStyle(_STYLES[button.style]),
        label=button.label,
        custom_id=button.custom_id,
        url=button.url,
        disabled=button.disabled,
        row=row,
    )


def _select_item(select: Select, row: int) -> discord.ui.Select[discord.ui.View]:
    options = [
        discord.SelectOption(label=o.label, value=o.value, description=o.description, default=o.default)
        for o in select.options
    ]
    return discord.ui.Select(
        custom_id=select.custom_id,
        placeholder=select.placeholder,
        max_values=select.most,
        options=options,
        row=row,
    )
