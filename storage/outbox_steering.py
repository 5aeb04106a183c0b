"""The outbox from outside: released, held, cancelled and tidied up because something else has changed.

Promises: what is in flight or done is never touched. Leaves to `storage.outbox`: the way of a part through its states.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from storage.database import Transaction, to_text
from storage.outbox_log import OutboxLog

# Body and papers of what is done are only needed for buttons and for the log.
BODY_KEPT = timedelta(days=30)
ROW_KEPT = timedelta(days=400)


class OutboxSteering(OutboxLog):
    """Changes of many parts at once, by destination or server."""

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

    async def hasten(self, guild_id: int, now: datetime) -> None:
        """A server is back after an outage: what waits for it is tried now."""
        async with self._database.transaction() as transaction:
            await transaction.execute(
                "UPDATE outbox SET next_at = :now WHERE guild_id = :guild AND state = 'pending' AND next_at > :now",
                {"now": to_text(now), "guild": guild_id},
            )

    async def hold_guild(self, transaction: Transaction, guild_id: int, reason: str) -> int:
        """The bot isn't in a server any more: what waits for its channels waits for its return. How many parts."""
        return await transaction.execute(
            "UPDATE outbox SET state = 'held', last_error = ? WHERE guild_id = ? AND whom LIKE 'channel:%'"
            " AND state IN ('pending', 'held')",
            (reason, guild_id),
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
    ) -> list[int]:
        """Cancel what wasn't sent yet, by destination, server and kind. The ids of the parts."""
        rows = await transaction.all(
            "UPDATE outbox SET state = 'cancelled', last_error = :reason, finished_at = :now"
            " WHERE state IN ('pending', 'held') AND (whom = :whom OR :whom IS NULL)"
            " AND (guild_id = :guild_id OR :guild_id IS NULL) AND (kind = :kind OR :kind IS NULL) RETURNING id",
            {"reason": reason, "now": to_text(now), "whom": whom, "guild_id": guild_id, "kind": kind},
        )
        return [row["id"] for row in rows]

    async def prune(self, now: datetime) -> tuple[int, int]:
        """Forget the bodies of what was done a month ago, and rows of last year. How many of each."""
        async with self._database.transaction() as transaction:
            emptied = await transaction.execute(
                "UPDATE outbox SET body = '{}' WHERE state IN ('sent', 'failed', 'cancelled') AND finished_at < ?"
                " AND body <> '{}'",
                (to_text(now - BODY_KEPT),),
            )
            deleted = await transaction.execute(
                "DELETE FROM outbox WHERE state IN ('sent', 'failed', 'cancelled') AND finished_at < ?",
                (to_text(now - ROW_KEPT),),
            )
        return emptied, deleted

    async def cancel_stale(self, before: datetime, now: datetime) -> int:
        """Give up alerts that have been held since `before`: a month-old alert is no news. How many parts."""
        async with self._database.transaction() as transaction:
            return await transaction.execute(
                "UPDATE outbox SET state = 'cancelled', last_error = 'held_too_long', finished_at = ?"
                " WHERE state = 'held' AND kind = 'alert' AND created_at < ?",
                (to_text(now), to_text(before)),
            )
