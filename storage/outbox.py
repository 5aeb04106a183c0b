"""Everything the bot sends on its own initiative, as rows of a state machine.

    pending → sending → sent | failed | held | pending (again) ;  pending, held → cancelled ;  pending → sent (found)

Promises: one row per (what, part, whom); a state changes only from the states this picture allows; only the
holder of the newest lease moves a row to `sending`. Leaves to `bot.delivery`: sending and what an error means.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from storage.database import Row, Transaction, from_text, to_text
from storage.errors import StorageError
from storage.outbox_rows import STATES, Line, NewPart, Part, mark_of, read_part
from storage.outbox_steering import OutboxSteering

__all__ = ["STATES", "LeaseLostError", "Line", "NewPart", "OutboxStore", "Part", "Queue", "mark_of"]

# The address of an admin who had the bot forget them: their digest runs on, and nobody is told of its troubles.
NOBODY = "user:0"

# No wait is longer than this; a next try beyond it was written by a clock that has been set back since.
LONGEST_WAIT = timedelta(hours=1)

# A word to a person isn't held up by what waits for them: notices and tests have a line of their own.
_LINE = "whom || '/' || (kind IN ('notice', 'test'))"
_LANE = (
    "CASE WHEN whom LIKE 'channel:%' THEN 'channel' WHEN EXISTS (SELECT 1 FROM people"
    " WHERE user_id = CAST(substr(whom, 6) AS INTEGER) AND dm_channel_id IS NOT NULL) THEN 'known' ELSE 'new' END"
)
# The first open part of each line, whatever its state: what stands behind it waits for it.
_HEADS = (
    f"SELECT outbox.*, {_LINE} AS line FROM outbox JOIN (SELECT min(id) AS first FROM outbox"
    f" WHERE state IN ('pending', 'sending', 'held') GROUP BY {_LINE}) ON id = first"
)


class LeaseLostError(StorageError):
    """Another process has taken over this database; this one must not send any more."""


@dataclass(frozen=True, slots=True)
class Queue:
    """What the worker may do now.

    Attributes:
        lines: the lines to serve.
        stray: parts that are `sending` although nobody sends them.
        next_at: when the next line becomes due, or None.
    """

    lines: tuple[Line, ...]
    stray: tuple[int, ...]
    next_at: datetime | None


# Who is told when the admin who set something up has had themselves forgotten.
NOBODY = "user:0"


class OutboxStore(OutboxSteering):
    """Reads on the reader connection; writes in a transaction of their own unless one is passed."""

    # --- deciding --------------------------------------------------------------------------------

    async def enqueue(self, transaction: Transaction, parts: Iterable[NewPart], now: datetime) -> int:
        """Store parts to be sent; parts that are there already stay as they are. How many are new."""
        return sum([await self._add(transaction, part, now) for part in parts if part.whom != NOBODY])

    async def _add(self, transaction: Transaction, part: NewPart, now: datetime) -> bool:
        row = {
            "kind": part.kind,
            "what": part.what,
            "part": part.part,
            "whom": part.whom,
            "guild_id": part.guild_id,
            "body": json.dumps(part.body, ensure_ascii=False),
            "nonce": part.nonce,
            "mark": part.mark,
            "created_at": to_text(now),
            "next_at": to_text(now),
        }
        names = ", ".join(row)
        changed = await transaction.execute(
            f"INSERT OR IGNORE INTO outbox ({names}) VALUES ({', '.join(f':{name}' for name in row)})", row
        )
        if changed:
            papers = [(paper, True) for paper in part.papers] + [(paper, False) for paper in part.more]
            await transaction.executemany(
                "INSERT INTO outbox_papers (outbox_id, position, paper_id, shown)"
                " SELECT id, ?, ?, ? FROM outbox WHERE what = ? AND part = ? AND whom = ?",
                [
                    (i, paper, shown, part.what, part.part, part.whom)
                    for i, (paper, shown) in enumerate(papers)
                ],
            )
        return changed == 1

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

    async def reconcile(self, parts: Collection[int] | None = None) -> int:
        """What was in flight when its sender died is uncertain: all of it, or only `parts`. How many parts."""
        async with self._database.transaction() as transaction:
            return await transaction.execute(
                "UPDATE outbox SET state = 'pending', uncertain = 1 WHERE state = 'sending'"
                " AND (:ids IS NULL OR id IN (SELECT value FROM json_each(:ids)))",
                {"ids": None if parts is None else json.dumps(list(parts))},
            )

    # --- sending ---------------------------------------------------------------------------------

    async def queue(self, now: datetime, free: Mapping[str, int], busy: Collection[str] = ()) -> Queue:
        """What is due, who is stuck, and when to look again.

        Args:
            now: the present.
            free: how many lines more may be served in each lane.
            busy: keys of the lines that are being served.
        """
        rows = await self._database.all(
            f"SELECT id, whom, kind, state, next_at, line, {_LANE} AS lane FROM ({_HEADS})"
            " WHERE state <> 'held' AND line NOT IN (SELECT value FROM json_each(?)) ORDER BY next_at, id",
            (json.dumps(list(busy)),),
        )
        left = dict(free)
        lines: list[Line] = []
        later: list[datetime] = []
        for row in rows:
            if row["state"] == "pending" and not _is_due(row, now):
                later.append(from_text(row["next_at"]))
            elif row["state"] == "pending" and left.get(row["lane"], 0) > 0:
                left[row["lane"]] -= 1
                lines.append(Line(row["whom"], row["line"].endswith("/1"), row["lane"]))
        stray = tuple(row["id"] for row in rows if row["state"] == "sending")
        return Queue(tuple(lines), stray, min(later, default=None))

    async def head(self, line: Line, now: datetime) -> Part | None:
        """The first open part of a line, if it is pending and due."""
        row = await self._database.one(
            f"SELECT *, {_LINE} AS line FROM outbox WHERE whom = ? AND line = ?"
            " AND state IN ('pending', 'sending', 'held') ORDER BY id LIMIT 1",
            (line.whom, line.key),
        )
        if row is None or row["state"] != "pending" or not _is_due(row, now):
            return None
        return read_part(row)

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
        sent: bool = True,
        body: dict[str, Any] | None = None,
    ) -> None:
        """Try a part later.

        Args:
            part: the part.
            error: what went wrong.
            next_at: not before.
            uncertain: whether this or an earlier attempt may have been stored.
            sent: whether the attempt got as far as `begin`, which has counted it.
            body: a new rendering, which marks the part as rendered again.
        """
        async with self._database.transaction() as transaction:
            await transaction.execute(
                "UPDATE outbox SET state = 'pending', last_error = ?, next_at = ?, uncertain = ?,"
                " attempts = attempts + ?, body = coalesce(?, body), rendered_again = rendered_again OR ?"
                " WHERE id = ? AND state IN ('pending', 'sending')",
                (
                    error,
                    to_text(next_at),
                    uncertain,
                    not sent,
                    None if body is None else json.dumps(body, ensure_ascii=False),
                    body is not None,
                    part.id,
                ),
            )


def _is_due(row: Row, now: datetime) -> bool:
    next_at = from_text(row["next_at"])
    return next_at <= now or next_at > now + LONGEST_WAIT
