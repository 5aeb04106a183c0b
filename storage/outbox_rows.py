"""The rows of the outbox as values: what is to be sent, and how far it is.

Promises: a part's mark and nonce follow from (what, part, whom) alone, so every attempt has the same.
Leaves to `storage.outbox`: the states; to `bot.delivery`: sending.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from storage.database import Row, from_text, optional_moment

STATES = ("pending", "sending", "sent", "held", "failed", "cancelled")


@dataclass(frozen=True, slots=True)
class NewPart:
    """A message to enqueue. `whom` is ``channel:ID`` or ``user:ID``; `body` is the rendered message."""

    kind: str  # digest | alert | notice | test
    what: str
    part: int
    whom: str
    guild_id: int | None
    body: dict[str, Any]
    papers: tuple[int, ...] = ()  # that it shows
    more: tuple[int, ...] = ()  # that stand behind its "and N more"

    @property
    def mark(self) -> str:
        """The part's key as it stands in the message itself, to recognise it in a history."""
        return mark_of(self.what, self.part, self.whom)

    @property
    def nonce(self) -> str:
        """The same for every attempt. Discord: at most 25 characters."""
        return _digest(f"nonce|{self.what}|{self.part}|{self.whom}")


@dataclass(frozen=True, slots=True)
class Part:
    """A stored part and how far it is."""

    id: int
    kind: str
    what: str
    part: int
    whom: str
    guild_id: int | None
    body: dict[str, Any]
    nonce: str
    mark: str
    state: str
    attempts: int
    created_at: datetime
    next_at: datetime
    first_attempt_at: datetime | None
    last_attempt_at: datetime | None
    uncertain: bool
    rendered_again: bool
    last_error: str | None
    channel_id: int | None
    message_id: int | None
    finished_at: datetime | None

    @property
    def direct(self) -> bool:
        """Whether it goes to a person rather than to a channel."""
        return self.whom.startswith("user:")

    @property
    def target(self) -> int:
        """The id of the person or channel."""
        return int(self.whom.partition(":")[2])


@dataclass(frozen=True, slots=True)
class Line:
    """Parts that go out one after the other: those of one destination, notices and tests apart.

    `lane` says what its start costs: `channel`, `known` (a person whose DM channel is known) or `new` (it has to
    be opened first).
    """

    whom: str
    aside: bool
    lane: str = "channel"

    @property
    def key(self) -> str:
        """The line as text, as SQL forms it too."""
        return f"{self.whom}/{int(self.aside)}"


def mark_of(what: str, part: int, whom: str) -> str:
    """The key by which a part is recognised in a channel's history."""
    return _digest(f"{what}|{part}|{whom}")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def read_part(row: Row) -> Part:
    """A row of the table as a value."""
    return Part(
        id=row["id"],
        kind=row["kind"],
        what=row["what"],
        part=row["part"],
        whom=row["whom"],
        guild_id=row["guild_id"],
        body=json.loads(row["body"]),
        nonce=row["nonce"],
        mark=row["mark"],
        state=row["state"],
        attempts=row["attempts"],
        created_at=from_text(row["created_at"]),
        next_at=from_text(row["next_at"]),
        first_attempt_at=optional_moment(row["first_attempt_at"]),
        last_attempt_at=optional_moment(row["last_attempt_at"]),
        uncertain=bool(row["uncertain"]),
        rendered_again=bool(row["rendered_again"]),
        last_error=row["last_error"],
        channel_id=row["channel_id"],
        message_id=row["message_id"],
        finished_at=optional_moment(row["finished_at"]),
    )
