"""What a button or a select carries in its `custom_id`, and how to read it back from anybody.

Promises: an id made here is at most 100 units long and reads back as it was made; anything else reads as None.
Leaves to others: the rights of the person who clicks, which are checked at every click.
"""

from __future__ import annotations

import re

from bot.render.graphemes import size

CUSTOM_ID_LIMIT = 100  # Discord: custom_id of a component or modal

_PREFIX = "ih"
_ESCAPED = re.compile(r"[%:\x00-\x1f\x7f-\x9f]|[\ud800-\udfff]")
_ESCAPE = re.compile(r"%([0-9a-f]{2})")

# kind → (fewest, most) arguments. What each argument is stands beside it.
KINDS: dict[str, tuple[int, int]] = {
    "part": (1, 1),  # the outbox key of the message part that carries it: opens its papers privately
    "more": (1, 2),  # what is being continued (an outbox or session key); the offset
    "page": (2, 2),  # session token; the offset of the first row
    "card": (1, 1),  # paper id
    "open": (1, 1),  # a select whose value is a paper id; where it stands
    "save": (1, 1),  # paper id
    "unsave": (1, 1),  # paper id
    "similar": (1, 1),  # paper id
    "cite": (1, 2),  # paper id; format
    "report": (1, 1),  # paper id
    "reportform": (1, 2),  # paper id; kind of fault
    "author": (1, 1),  # author key
    "inst": (1, 1),  # organisation id
    "subscribe": (2, 3),  # kind; what; where
    "choose": (1, 2),  # a select: session token; what for
    "confirm": (1, 2),  # session token; what for
    "cancel": (0, 1),  # session token
    "mute": (1, 1),  # subscription id
    "unmute": (1, 1),  # subscription id
    "notplace": (2, 2),  # paper id; organisation id, or the number of the affiliation
    "unsub": (1, 1),  # subscription id
    "subs": (0, 1),  # the list of subscriptions; the offset
    "testdm": (0, 1),  # sends a test DM; subscription id
    "digest": (1, 2),  # show | preview | now | pause | resume | remove; a confirmation
    "settings": (1, 2),  # which setting; its value
    "help": (0, 1),  # topic
    "random": (0, 0),
}


def encode(kind: str, *arguments: str | int) -> str:
    """The `custom_id` of a kind with its arguments.

    Raises:
        ValueError: an unknown kind, a wrong number of arguments, or more than 100 units. An id is never cut.
    """
    fewest, most = KINDS.get(kind, (-1, -1))
    if not fewest <= len(arguments) <= most:
        raise ValueError(f"no button of kind {kind!r} takes {len(arguments)} arguments")
    escaped = (_ESCAPED.sub(_percent, str(argument)) for argument in arguments)
    custom_id = ":".join((_PREFIX, kind, *escaped))
    if size(custom_id) > CUSTOM_ID_LIMIT:
        raise ValueError(f"a custom_id of kind {kind!r} is longer than {CUSTOM_ID_LIMIT} units")
    return custom_id


def decode(custom_id: object) -> tuple[str, tuple[str, ...]] | None:
    """Kind and arguments of an id from anybody, or None when it isn't exactly what `encode` makes."""
    if not isinstance(custom_id, str) or size(custom_id) > CUSTOM_ID_LIMIT:
        return None
    prefix, *rest = custom_id.split(":")
    if prefix != _PREFIX or not rest:
        return None
    kind, arguments = rest[0], tuple(_ESCAPE.sub(_character, argument) for argument in rest[1:])
    try:
        return (kind, arguments) if encode(kind, *arguments) == custom_id else None
    except ValueError:
        return None


def number(argument: str) -> int | None:
    """A paper's or subscription's id out of an argument, or None when it isn't a positive number."""
    if not (argument.isascii() and argument.isdigit() and len(argument) <= 18):
        return None
    return int(argument) or None


def _percent(match: re.Match[str]) -> str:
    code_point = ord(match.group())
    if code_point > 0xFF:
        raise ValueError("half a surrogate pair can't stand in a custom_id")
    return f"%{code_point:02x}"


def _character(match: re.Match[str]) -> str:
    return chr(int(match.group(1), 16))
