"""Loads and the news they brought.

Promises: a paper is news at most once; a load's news can be asked for once it is finished and undecided.
Leaves to `bot.loading`: when a load starts and ends; to `bot.alerts`: what is decided from it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from storage.database import Database, Reads, Transaction, from_text, to_text


@dataclass(frozen=True, slots=True)
class News:
    """One paper that became news: its place in the order of all news."""

    seq: int
    paper_id: int


@dataclass(frozen=True, slots=True)
class LoadSummary:
    """The last finished load."""

    id: int
    source: str
    finished_at: datetime
    report: dict[str, Any]


class LoadStore:
    """Reads on the reader connection; writes inside a caller's transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def start(self, transaction: Transaction, source: str, now: datetime) -> int:
        """Open a load; its id."""
        return await transaction.insert(
            "INSERT INTO loads (source, started_at) VALUES (?, ?)", (source, to_text(now))
        )

    async def finish(
        self, transaction: Transaction, load_id: int, now: datetime, report: dict[str, Any]
    ) -> None:
        """Close a load; from now on its news are decided on."""
        await transaction.execute(
            "UPDATE loads SET finished_at = ?, report = ? WHERE id = ?",
            (to_text(now), json.dumps(report, ensure_ascii=False), load_id),
        )

    async def finish_abandoned(self, transaction: Transaction, now: datetime) -> int:
        """Close loads whose importer died; call only while holding the import lock. How many there were."""
        return await transaction.execute(
            "UPDATE loads SET finished_at = ?, report = '{}' WHERE finished_at IS NULL", (to_text(now),)
        )

    async def add_news(
        self, transaction: Transaction, load_id: int, papers: Iterable[int], now: datetime
    ) -> None:
        """Make papers news, in this order; those that were news before stay where they are."""
        await transaction.executemany(
            "INSERT OR IGNORE INTO news (paper_id, load_id, at) VALUES (?, ?, ?)",
            [(paper, load_id, to_text(now)) for paper in papers],
        )

    async def undecided(self) -> list[int]:
        """Finished loads for which nobody decided yet whom to tell, oldest first."""
        rows = await self._database.all(
            "SELECT id FROM loads WHERE decided_at IS NULL AND finished_at IS NOT NULL ORDER BY id"
        )
        return [row["id"] for row in rows]

    async def news_of(self, load_id: int) -> list[News]:
        """The news of one load, in order."""
        rows = await self._database.all(
            "SELECT seq, paper_id FROM news WHERE load_id = ? ORDER BY seq", (load_id,)
        )
        return [News(row["seq"], row["paper_id"]) for row in rows]

    async def decide(self, transaction: Transaction, load_id: int, now: datetime) -> bool:
        """Mark a load as decided; False when it was already, so that the caller writes nothing twice."""
        changed = await transaction.execute(
            "UPDATE loads SET decided_at = ? WHERE id = ? AND decided_at IS NULL", (to_text(now), load_id)
        )
        return changed == 1

    async def newest_seq(self, reads: Reads) -> int:
        """The place of the newest news; 0 when there is none."""
        rows = await reads.all("SELECT coalesce(max(seq), 0) AS seq FROM news")
        return int(rows[0]["seq"])

    async def seq_before_last(self, papers: int, reads: Reads | None = None) -> int:
        """The place after which exactly the last `papers` news stand (for `backfill`)."""
        rows = await (reads or self._database).all(
            "SELECT seq FROM news ORDER BY seq DESC LIMIT 1 OFFSET ?", (papers,)
        )
        return int(rows[0]["seq"]) if rows else 0

    async def last(self) -> LoadSummary | None:
        """The last finished load, or None."""
        row = await self._database.one(
            "SELECT * FROM loads WHERE finished_at IS NOT NULL ORDER BY finished_at DESC, id DESC LIMIT 1"
        )
        if row is None:
            return None
        return LoadSummary(
            row["id"], row["source"], from_text(row["finished_at"]), json.loads(row["report"] or "{}")
        )
