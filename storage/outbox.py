"""Everything the bot sends on its own initiative, as rows of a state machine.

    pending → sending → sent | failed | held | pending (again) ;  pending, held → cancelled

Promises: one row per (what, part, whom); a state changes only from the states this picture allows; only the
holder of the newest lease moves a row to `sending`. Leaves to `bot.delivery`: sending and what an error means.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from storage.database import Database, Row, Transaction, from_text, optional_moment, to_text
from storage.errors import StorageError

STATES = ("pending", "sending", "sent", "held", "failed", "cancelled")


class LeaseLostError(StorageError):
    """Another process has taken over this database; this one must not send any more."""


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


def mark_of(what: str, part: int, whom: str) -> str:
    """The key by which a part is recognised in a channel's history."""
    return _digest(f"{what}|{part}|{whom}")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:24]


class OutboxStore:
    """Reads on the reader connection; writes in a transaction of their own unless one is passed."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # --- deciding --------------------------------------------------------------------------------

    async def enqueue(self, transaction: Transaction, parts: Iterable[NewPart], now: datetime) -> int:
        """Store parts to be sent; parts that are there already stay as they are. How many are new."""
        added = 0
        for part in parts:
            changed = await transaction.execute(
                "INSERT OR IGNORE INTO outbox (kind, what, part, whom, guild_id, body, nonce, mark, created_at,"
                " next_at) VALUES (?,?,?,?,?,?,?,?,?,?)",
                (
                    part.kind,
                    part.what,
                    part.part,
                    part.whom,
                    part.guild_id,
                    json.dumps(part.body, ensure_ascii=False),
                    part.nonce,
                    part.mark,
                    to_text(now),
                    to_text(now),
                ),
            )
            if changed:
                added += 1
                await self._add_papers(transaction, part)
        return added

    async def _add_papers(self, transaction: Transaction, part: NewPart) -> None:
        papers = [(paper, True) for paper in part.papers] + [(paper, False) for paper in part.more]
        await transaction.executemany(
            "INSERT INTO outbox_papers (outbox_id, position, paper_id, shown)"
            " SELECT id, ?, ?, ? FROM outbox WHERE what = ? AND part = ? AND whom = ?",
            [(i, paper, shown, part.what, part.part, part.whom) for i, (paper, shown) in enumerate(papers)],
        )

    # --- the lease -------------------------------------------------------------------------------

    async def take_lease(self) -> int:
        """Become the sender; the fencing number that later moves to `sending` must show."""
        async with self._database.transaction() as transaction:
            await transaction.execute(
                "INSERT INTO meta (key, value) VALUES ('fence', '1')"
                " ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1"
            )
            row = await transaction.one("SELECT value FROM meta WHERE key = 'fence'")
        return int(row["value"]) if row else 0

    async def reconcile(self) -> int:
        """After a start: what was in flight when the last process ended is uncertain. How many parts."""
        async with self._database.transaction() as transaction:
            return await transaction.execute(
                "UPDATE outbox SET state = 'pending', uncertain = 1 WHERE state = 'sending'"
            )

    # --- sending ---------------------------------------------------------------------------------

    async def due(self, now: datetime, limit: int, busy: Sequence[str] = ()) -> list[Part]:
        """The first open part of each destination, if it is pending and due; parts of one go in order.

        Args:
            now: the present.
            limit: at most so many.
            busy: destinations that are being served.
        """
        rows = await self._database.all(
            "SELECT outbox.* FROM outbox JOIN (SELECT min(id) AS first FROM outbox"
            " WHERE state IN ('pending', 'sending', 'held') GROUP BY whom) ON id = first"
            " WHERE state = 'pending' AND next_at <= ?"
            " AND whom NOT IN (SELECT value FROM json_each(?)) ORDER BY next_at, id LIMIT ?",
            (to_text(now), json.dumps(list(busy)), limit),
        )
        return [_part(row) for row in rows]

    async def next_wake(self) -> datetime | None:
        """When the next pending part is due, or None."""
        text = await self._database.value("SELECT min(next_at) FROM outbox WHERE state = 'pending'")
        return optional_moment(text)

    async def begin(self, part: Part, fence: int, now: datetime) -> bool:
        """Move a part to `sending`, before the request leaves; False when it is no longer pending.

        From here on the part counts as uncertain until an answer says otherwise.

        Raises:
            LeaseLostError: another process has taken the lease since.
        """
        async with self._database.transaction() as transaction:
            row = await transaction.one("SELECT value FROM meta WHERE key = 'fence'")
            if row is None or int(row["value"]) != fence:
                raise LeaseLostError("Another process sends for this database now; this one has stopped.")
            changed = await transaction.execute(
                "UPDATE outbox SET state = 'sending', attempts = attempts + 1, uncertain = 1, last_attempt_at = ?,"
                " first_attempt_at = coalesce(first_attempt_at, ?) WHERE id = ? AND state = 'pending'",
                (to_text(now), to_text(now), part.id),
            )
        return changed == 1

    async def sent(self, part: Part, channel_id: int, message_id: int, now: datetime) -> None:
        """The part stands in its channel."""
        await self._finish(part, "sent", now, None, channel_id, message_id)

    async def failed(self, part: Part, error: str, now: datetime) -> None:
        """The part can't be sent, for good."""
        await self._finish(part, "failed", now, error)

    async def cancelled(self, part: Part, reason: str, now: datetime) -> None:
        """The part isn't wanted any more."""
        await self._finish(part, "cancelled", now, reason)

    async def held(self, part: Part, error: str, *, uncertain: bool) -> None:
        """The part waits until somebody changes something, e.g. a permission."""
        async with self._database.transaction() as transaction:
            await transaction.execute(
                "UPDATE outbox SET state = 'held', last_error = ?, uncertain = ?"
                " WHERE id = ? AND state IN ('pending', 'sending')",
                (error, uncertain, part.id),
            )

    async def again(
        self,
        part: Part,
        error: str | None,
        next_at: datetime,
        *,
        uncertain: bool,
        body: dict[str, Any] | None = None,
        counted: bool = True,
    ) -> None:
        """Try a part later.

        Args:
            part: the part.
            error: what went wrong.
            next_at: not before.
            uncertain: whether the last attempt may have been stored.
            body: a new rendering, which marks the part as rendered again.
            counted: whether the attempt counts towards the bound.
        """
        async with self._database.transaction() as transaction:
            await transaction.execute(
                "UPDATE outbox SET state = 'pending', last_error = ?, next_at = ?, uncertain = ?,"
                " attempts = attempts - ?, body = coalesce(?, body), rendered_again = rendered_again OR ?"
                " WHERE id = ? AND state IN ('pending', 'sending')",
                (
                    error,
                    to_text(next_at),
                    uncertain,
                    0 if counted else 1,
                    None if body is None else json.dumps(body, ensure_ascii=False),
                    body is not None,
                    part.id,
                ),
            )

    async def release(self, whom: str, now: datetime) -> int:
        """What was held for a destination may be tried again. How many parts."""
        async with self._database.transaction() as transaction:
            return await transaction.execute(
                "UPDATE outbox SET state = 'pending', next_at = ? WHERE whom = ? AND state = 'held'",
                (to_text(now), whom),
            )

    async def release_all(self, transaction: Transaction, whom: Iterable[str], now: datetime) -> None:
        """What was held for these destinations may be tried again."""
        await transaction.executemany(
            "UPDATE outbox SET state = 'pending', next_at = ? WHERE whom = ? AND state = 'held'",
            [(to_text(now), destination) for destination in whom],
        )

    async def cancel_open(
        self,
        transaction: Transaction,
        reason: str,
        now: datetime,
        *,
        whom: str | None = None,
        guild_id: int | None = None,
        kind: str | None = None,
    ) -> int:
        """Cancel what wasn't sent yet, by destination, server and kind. How many parts."""
        return await transaction.execute(
            "UPDATE outbox SET state = 'cancelled', last_error = :reason, finished_at = :now"
            " WHERE state IN ('pending', 'held') AND (whom = :whom OR :whom IS NULL)"
            " AND (guild_id = :guild_id OR :guild_id IS NULL) AND (kind = :kind OR :kind IS NULL)",
            {"reason": reason, "now": to_text(now), "whom": whom, "guild_id": guild_id, "kind": kind},
        )

    async def _finish(
        self,
        part: Part,
        state: str,
        now: datetime,
        error: str | None,
        channel_id: int | None = None,
        message_id: int | None = None,
    ) -> None:
        async with self._database.transaction() as transaction:
            await transaction.execute(
                "UPDATE outbox SET state = ?, last_error = ?, finished_at = ?, channel_id = ?, message_id = ?,"
                " uncertain = 0 WHERE id = ? AND state IN ('pending', 'sending', 'held')",
                (state, error, to_text(now), channel_id, message_id, part.id),
            )

    # --- looking ---------------------------------------------------------------------------------

    async def counts(self) -> dict[str, int]:
        """How many parts are in each state; every state is named."""
        rows = await self._database.all("SELECT state, count(*) AS n FROM outbox GROUP BY state")
        found = {row["state"]: row["n"] for row in rows}
        return {state: found.get(state, 0) for state in STATES}

    async def log(self, guild_id: int, limit: int) -> list[Part]:
        """A server's newest parts, newest first: the delivery log an admin reads."""
        rows = await self._database.all(
            "SELECT * FROM outbox WHERE guild_id = ? ORDER BY id DESC LIMIT ?", (guild_id, limit)
        )
        return [_part(row) for row in rows]

    async def held_of_guild(self, guild_id: int) -> list[Part]:
        """What is held for a server, oldest first."""
        rows = await self._database.all(
            "SELECT * FROM outbox WHERE guild_id = ? AND state = 'held' ORDER BY id", (guild_id,)
        )
        return [_part(row) for row in rows]

    async def held_everywhere(self) -> list[Part]:
        """What is held, oldest first."""
        return [
            _part(row)
            for row in await self._database.all("SELECT * FROM outbox WHERE state = 'held' ORDER BY id")
        ]

    async def get(self, part_id: int) -> Part | None:
        """One part, or None."""
        row = await self._database.one("SELECT * FROM outbox WHERE id = ?", (part_id,))
        return None if row is None else _part(row)

    async def papers_of_mark(self, mark: str, *, shown: bool = True) -> list[int]:
        """The papers that the part with this mark shows, or (not `shown`) has behind "and N more"."""
        rows = await self._database.all(
            "SELECT paper_id FROM outbox JOIN outbox_papers ON outbox_id = outbox.id"
            " WHERE mark = ? AND shown = ? ORDER BY position",
            (mark, shown),
        )
        return [row["paper_id"] for row in rows]

    async def state_of(self, what: str) -> str | None:
        """The state of a one-part message, or None when it is unknown."""
        value = await self._database.value("SELECT state FROM outbox WHERE what = ?", (what,))
        return None if value is None else str(value)

    async def last_error(self) -> str | None:
        """The last thing that went wrong with a delivery that isn't through yet."""
        text = await self._database.value(
            "SELECT last_error FROM outbox WHERE last_error IS NOT NULL AND state <> 'sent'"
            " ORDER BY coalesce(last_attempt_at, created_at) DESC LIMIT 1"
        )
        return None if text is None else str(text)

    async def last_sent(self, guild_id: int, kind: str) -> datetime | None:
        """When the last part of a kind reached a server, or None."""
        text = await self._database.value(
            "SELECT max(finished_at) FROM outbox WHERE guild_id = ? AND kind = ? AND state = 'sent'",
            (guild_id, kind),
        )
        return optional_moment(text)


def _part(row: Row) -> Part:
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
