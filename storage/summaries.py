"""What the language model was asked and what it answered.

Promises: the budget of a day holds across restarts; an accepted answer is kept by what was asked.
Leaves to `bot.summaries`: questions, checks and when to try again.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta

from bot.papers.model import Language
from storage.database import Database, to_text

_KEPT_DAYS = timedelta(days=30)


class SummaryStore:
    """Reads on the reader connection; writes in transactions of their own."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def waiting(self, language: Language, now: datetime, limit: int) -> list[int]:
        """Ids of papers without a summary in a language that may be asked for now; accepted, then newest first."""
        rows = await self._database.all(
            "SELECT id FROM papers WHERE NOT EXISTS"
            " (SELECT 1 FROM summaries WHERE paper_id = papers.id AND language = :language)"
            " AND NOT EXISTS (SELECT 1 FROM summary_attempts AS tried WHERE tried.paper_id = papers.id"
            " AND tried.language = :language AND tried.next_at > :now)"
            " ORDER BY status = 'accepted' DESC, id DESC LIMIT :limit",
            {"language": language.value, "now": to_text(now), "limit": limit},
        )
        return [row["id"] for row in rows]

    async def answer(self, question: str) -> str | None:
        """The accepted answer to a question asked before."""
        value = await self._database.value("SELECT text FROM summary_answers WHERE question = ?", (question,))
        return None if value is None else str(value)

    async def keep(self, question: str, text: str, now: datetime) -> None:
        """Keep an accepted answer."""
        async with self._database.transaction() as transaction:
            await transaction.execute(
                "INSERT OR REPLACE INTO summary_answers (question, text, at) VALUES (?, ?, ?)",
                (question, text, to_text(now)),
            )

    async def attempts(self, paper: int, language: Language) -> int:
        """How often in a row nothing came of a paper."""
        value = await self._database.value(
            "SELECT attempts FROM summary_attempts WHERE paper_id = ? AND language = ?",
            (paper, language.value),
        )
        return int(value or 0)

    async def postpone(self, paper: int, language: Language, next_at: datetime, problem: str) -> None:
        """Nothing came of it: not again before `next_at`."""
        async with self._database.transaction() as transaction:
            await transaction.execute(
                "INSERT INTO summary_attempts (paper_id, language, attempts, next_at, problem)"
                " VALUES (?, ?, 1, ?, ?) ON CONFLICT (paper_id, language) DO UPDATE SET"
                " attempts = attempts + 1, next_at = excluded.next_at, problem = excluded.problem",
                (paper, language.value, to_text(next_at), problem),
            )

    async def spend(self, day: date, budget: int) -> bool:
        """Take one request from a day's budget; False when it is spent."""
        async with self._database.transaction() as transaction:
            await transaction.execute(
                "DELETE FROM summary_days WHERE day < ?", ((day - _KEPT_DAYS).isoformat(),)
            )
            await transaction.execute(
                "INSERT OR IGNORE INTO summary_days (day, requests) VALUES (?, 0)", (day.isoformat(),)
            )
            changed = await transaction.execute(
                "UPDATE summary_days SET requests = requests + 1 WHERE day = ? AND requests < ?",
                (day.isoformat(), budget),
            )
        return changed == 1
