"""What a person sees after an act.

Promises: plain values; the message in an outcome is the world's own record, so it shows later edits too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from bot.sandbox.components import flat
from bot.sandbox.interactions import Interaction
from bot.sandbox.model import JsonObject, Message

NO_RESPONSE = "The application did not respond"
FAILED_COMPONENT = "This interaction failed"
WENT_WRONG = "Something went wrong. Try again."


class Seen(StrEnum):
    """The kind of thing a person sees."""

    MESSAGE = "message"  # a new message; `message` is set, ephemeral or not
    THINKING = "thinking"  # a deferred answer that hasn't come yet; `message` is the "thinking" one
    UPDATE = "update"  # the message that was clicked changed, or the click was quietly accepted
    MODAL = "modal"  # a form opened; `modal` is set
    FAILED = "failed"  # `error` says what Discord's client shows


@dataclass(frozen=True, slots=True)
class Modal:
    """A form the bot opened; `components` is Discord's JSON (action rows or labels)."""

    custom_id: str
    title: str
    components: list[JsonObject]
    interaction: Interaction

    def fields(self) -> list[JsonObject]:
        """The inputs in order, each Discord's JSON with `custom_id`, `type`, and its `label`."""
        found: list[JsonObject] = []
        for row in self.components:
            if row["type"] == 18:
                found.append({**row["component"], "label": row.get("label", "")})
            elif row["type"] == 1:
                found += row["components"]
        return found


@dataclass(frozen=True, slots=True)
class Choice:
    """One suggestion of autocomplete."""

    name: str
    value: str | int | float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an act.

    Attributes:
        seen: the kind.
        message: the answer (or the updated message).
        modal: the form that opened.
        error: the sentence Discord's client shows.
        follow_ups: the messages that came beside the answer so far.
        interaction: the interaction itself, for the curious.
    """

    seen: Seen
    message: Message | None = None
    modal: Modal | None = None
    error: str | None = None
    follow_ups: tuple[Message, ...] = ()
    interaction: Interaction | None = field(default=None, repr=False)

    @property
    def text(self) -> str:
        """All readable text of the answer: content, embeds, text displays; "" when there is none."""
        return "" if self.message is None else text_of(self.message)


def text_of(message: Message) -> str:
    """All readable text of a message, line by line."""
    lines = [message.content]
    for embed in message.embeds:
        lines += [
            embed.get("author", {}).get("name", ""),
            embed.get("title", ""),
            embed.get("description", ""),
        ]
        for part in embed.get("fields", []):
            lines += [part["name"], part["value"]]
        lines.append(embed.get("footer", {}).get("text", ""))
    lines += [part["content"] for part in parts_of(message) if part["type"] == 10]
    return "\n".join(line for line in lines if line)


def parts_of(message: Message) -> list[JsonObject]:
    """Every component of a message, nested ones included, in reading order."""
    return flat(message.components)
