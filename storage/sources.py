"""State of the sources: what was loaded from where, what went wrong, what comes next.

Promises: a file is remembered by its content. Leaves to `bot.sources`: fetching and timing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from storage.database import Database, optional_moment, to_text


@dataclass(frozen=True, slots=True)
class SourceState:
    """How a source is doing; `state` is the source's own text (an ETag, say)."""

    name: str
    last_success: datetime | None
    last_error: str | None
    last_error_at: datetime | None
    next_run: datetime | None
    state: str | None

    @property
    def counts(self) -> dict[str, int] | None:
        """What its last load counted (read, new, updated), or None before one."""
        found = json.loads(self.state).get("counts") if self.state else None
        return dict(found) if found else None


class SourceStore:
    """Reads on the reader connection; writes in transactions of their own."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def known_files(self) -> dict[str, str]:
        """The content digests of the files loaded before, by name."""
        rows = await self._database.all("SELECT name, digest FROM source_files")
        return {row["name"]: row["digest"] for row in rows}

    async def remember_file(self, name: str, digest: str, error: str | None) -> None:
        """This content of the file was loaded, or (with `error`) can't be."""
        async with self._database.transaction() as transaction:
            await transaction.execute(
                "INSERT INTO source_files (name, digest, error) VALUES (?, ?, ?)"
                " ON CONFLICT (name) DO UPDATE SET digest = excluded.digest, error = excluded.error",
                (name, digest, error),
            )

    async def success(
        self, name: str, now: datetime, next_run: datetime | None = None, state: str | None = None
    ) -> None:
        """A source ran well; without a `state` the one it had stays."""
        what = "last_success = :now, last_error = NULL, last_error_at = NULL"
        await self._write(name, what, now, next_run, state=state)

    async def failure(
        self,
        name: str,
        error: str,
        now: datetime,
        next_run: datetime | None = None,
        state: str | None = None,
    ) -> None:
        """A source failed; without a `state` the one it had stays."""
        await self._write(
            name, "last_error = :error, last_error_at = :now", now, next_run, error=error, state=state
        )

    async def retire(self, kept: Iterable[str]) -> None:
        """Sources that aren't switched on any more have no next run and no error; what they remember stays."""
        async with self._database.transaction() as transaction:
            await transaction.execute(
                "UPDATE sources SET next_run = NULL, last_error = NULL, last_error_at = NULL"
                " WHERE name NOT IN (SELECT value FROM json_each(?))",
                (json.dumps(list(kept), ensure_ascii=False),),
            )

    async def _write(
        self,
        name: str,
        what: str,
        now: datetime,
        next_run: datetime | None,
        *,
        error: str | None = None,
        state: str | None = None,
    ) -> None:
        values = {
            "name": name,
            "now": to_text(now),
            "error": error,
            "state": state,
            "next_run": None if next_run is None else to_text(next_run),
        }
        async with self._database.transaction() as transaction:
            await transaction.execute("INSERT OR IGNORE INTO sources (name) VALUES (:name)", values)
            await transaction.execute(
                f"UPDATE sources SET {what}, next_run = :next_run, state = coalesce(:state, state)"
                " WHERE name = :name",
                values,
            )

    async def get(self, name: str) -> SourceState | None:
        """One source, or None before its first run."""
        return next((source for source in await self.all() if source.name == name), None)

    async def all(self) -> list[SourceState]:
        """Every source that has ever run."""
        return [
            SourceState(
                row["name"],
                optional_moment(row["last_success"]),
                row["last_error"],
                optional_moment(row["last_error_at"]),
                optional_moment(row["next_run"]),
                row["state"],
            )
            for row in await self._database.all("SELECT * FROM sources ORDER BY name")
        ]
