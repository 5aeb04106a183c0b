"""What people and the operator may read of the outbox: counts, the delivery log, what is held and why.

Promises: reads only, on the reader connection. Leaves to `storage.outbox`: every change.
"""

from __future__ import annotations

from storage.database import Database
from storage.outbox_rows import STATES, Part, read_part


class OutboxLog:
    """The outbox, looked at."""

    def __init__(self, database: Database) -> None:
        self._database = database

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
        return [read_part(row) for row in rows]

    async def held_of_guild(self, guild_id: int) -> list[Part]:
        """What is held for a server, oldest first."""
        rows = await self._database.all(
            "SELECT * FROM outbox WHERE guild_id = ? AND state = 'held' ORDER BY id", (guild_id,)
        )
        return [read_part(row) for row in rows]

    async def held_destinations(self) -> set[str]:
        """The destinations for which something is held."""
        rows = await self._database.all("SELECT DISTINCT whom FROM outbox WHERE state = 'held'")
        return {row["whom"] for row in rows}

    async def get(self, part_id: int) -> Part | None:
        """One part, or None."""
        row = await self._database.one("SELECT * FROM outbox WHERE id = ?", (part_id,))
        return None if row is None else read_part(row)

    async def thread_of(self, part: Part) -> int | None:
        """The forum post that an earlier part of the same announcement has made, or None."""
        value = await self._database.value(
            "SELECT channel_id FROM outbox WHERE what = ? AND whom = ? AND part < ? AND state = 'sent'"
            " ORDER BY part DESC LIMIT 1",
            (part.what, part.whom, part.part),
        )
        return None if value is None else int(value)

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
