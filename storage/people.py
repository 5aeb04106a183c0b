"""What is remembered of a person or a server beside subscriptions and digests.

Promises: languages, DM channels, saved papers, page states and reported corrections.
Leaves to the cogs: who may change what.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from storage.database import Database, Row, Transaction, from_text, optional_moment, to_text

# After this many refused DMs in a row a person's subscriptions are paused.
STRIKES = 3
PAGE_LIFE = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Person:
    """A person's settings; `language` None = as Discord says."""

    user_id: int
    language: str | None = None
    dm_channel_id: int | None = None
    dm_strikes: int = 0
    dm_problem: str | None = None
    told_problem: bool = True


@dataclass(frozen=True, slots=True)
class Correction:
    """A reader's report of wrong data. `state`: open | accepted | rejected; `data`: for a program, as JSON."""

    id: int
    paper_id: int
    user_id: int
    kind: str
    detail: str
    state: str
    created_at: datetime
    data: dict[str, Any] | None = None


class PeopleStore:
    """Reads on the reader connection; writes in transactions of their own."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # --- people ----------------------------------------------------------------------------------

    async def person(self, user_id: int) -> Person:
        """What is known of a person; the defaults for a stranger."""
        row = await self._database.one("SELECT * FROM people WHERE user_id = ?", (user_id,))
        if row is None:
            return Person(user_id)
        return Person(
            user_id,
            row["language"],
            row["dm_channel_id"],
            row["dm_strikes"],
            row["dm_problem"],
            bool(row["told_problem"]),
        )

    async def set_person_language(self, user_id: int, language: str | None) -> None:
        """Choose a person's language, or None for Discord's."""
        await self._upsert(user_id, "language", language)

    async def set_dm_channel(self, user_id: int, channel_id: int | None) -> None:
        """Remember the DM channel, so that it isn't opened again for every message."""
        await self._upsert(user_id, "dm_channel_id", channel_id)

    async def dm_arrived(self, user_id: int) -> None:
        """A DM reached the person: strikes are forgotten."""
        async with self._database.transaction() as transaction:
            await transaction.execute(
                "UPDATE people SET dm_strikes = 0, dm_problem = NULL, told_problem = 1 WHERE user_id = ?",
                (user_id,),
            )

    async def dm_refused(self, user_id: int, problem: str) -> int:
        """A DM was refused; how many in a row. The person is to be told at their next command."""
        async with self._database.transaction() as transaction:
            await transaction.execute(
                "INSERT INTO people (user_id, dm_strikes, dm_problem, told_problem) VALUES (?, 1, ?, 0)"
                " ON CONFLICT (user_id) DO UPDATE SET dm_strikes = dm_strikes + 1, dm_problem = excluded.dm_problem,"
                " told_problem = 0",
                (user_id, problem),
            )
            row = await transaction.one("SELECT dm_strikes FROM people WHERE user_id = ?", (user_id,))
        return int(row["dm_strikes"]) if row else 1

    async def told_problem(self, user_id: int) -> None:
        """The person has been told that DMs don't reach them."""
        await self._upsert(user_id, "told_problem", 1)

    async def forget(self, user_id: int) -> None:
        """Delete everything that is kept about a person."""
        async with self._database.transaction() as transaction:
            for table in ("people", "subscriptions", "library", "corrections"):
                await transaction.execute(f"DELETE FROM {table} WHERE user_id = ?", (user_id,))
            # A part in flight is left to its worker; it ends as sent and is pruned with time.
            await transaction.execute(
                "DELETE FROM outbox WHERE whom = ? AND state <> 'sending'", (f"user:{user_id}",)
            )
            # The server keeps its digest, but nobody is known any more as the one who set it up.
            await transaction.execute("UPDATE digests SET set_by = 0 WHERE set_by = ?", (user_id,))

    async def _upsert(self, user_id: int, column: str, value: str | int | None) -> None:
        async with self._database.transaction() as transaction:
            await transaction.execute(
                f"INSERT INTO people (user_id, {column}) VALUES (?, ?)"
                f" ON CONFLICT (user_id) DO UPDATE SET {column} = excluded.{column}",
                (user_id, value),
            )

    # --- servers ---------------------------------------------------------------------------------

    async def guild_language(self, guild_id: int) -> str | None:
        """The language an admin chose for a server, or None."""
        value = await self._database.value("SELECT language FROM guilds WHERE guild_id = ?", (guild_id,))
        return None if value is None else str(value)

    async def set_guild_language(self, guild_id: int, language: str | None) -> None:
        """Choose a server's language, or None for Discord's."""
        async with self._database.transaction() as transaction:
            await transaction.execute(
                "INSERT INTO guilds (guild_id, language) VALUES (?, ?)"
                " ON CONFLICT (guild_id) DO UPDATE SET language = excluded.language",
                (guild_id, language),
            )

    async def guild_joined(self, guild_id: int) -> None:
        """The bot is in the server (again)."""
        async with self._database.transaction() as transaction:
            await transaction.execute(
                "INSERT INTO guilds (guild_id) VALUES (?) ON CONFLICT (guild_id) DO UPDATE SET left_at = NULL",
                (guild_id,),
            )

    async def guild_left(self, transaction: Transaction, guild_id: int, now: datetime) -> None:
        """The bot was removed; its settings stay for the grace period."""
        await transaction.execute(
            "INSERT INTO guilds (guild_id, left_at) VALUES (?, ?)"
            " ON CONFLICT (guild_id) DO UPDATE SET left_at = coalesce(left_at, excluded.left_at)",
            (guild_id, to_text(now)),
        )

    async def guilds(self) -> dict[int, datetime | None]:
        """Every known server, and since when the bot isn't there any more (None: it is)."""
        rows = await self._database.all("SELECT guild_id, left_at FROM guilds")
        return {row["guild_id"]: optional_moment(row["left_at"]) for row in rows}

    async def forget_guild(self, transaction: Transaction, guild_id: int) -> None:
        """Delete a server's settings after the grace period; a person's own DM subscriptions aren't the server's."""
        await transaction.execute(
            "DELETE FROM subscriptions WHERE guild_id = ? AND channel_id IS NOT NULL", (guild_id,)
        )
        for table in ("digests", "digest_dates", "guilds"):
            await transaction.execute(f"DELETE FROM {table} WHERE guild_id = ?", (guild_id,))

    # --- the library -----------------------------------------------------------------------------

    async def save_paper(self, user_id: int, paper_id: int, now: datetime) -> bool:
        """Save a paper; False when it was saved already."""
        async with self._database.transaction() as transaction:
            changed = await transaction.execute(
                "INSERT OR IGNORE INTO library (user_id, paper_id, saved_at) VALUES (?, ?, ?)",
                (user_id, paper_id, to_text(now)),
            )
        return changed == 1

    async def drop_paper(self, user_id: int, paper_id: int) -> bool:
        """Take a paper out of the library; False when it wasn't there."""
        async with self._database.transaction() as transaction:
            changed = await transaction.execute(
                "DELETE FROM library WHERE user_id = ? AND paper_id = ?", (user_id, paper_id)
            )
        return changed == 1

    async def library(self, user_id: int) -> list[int]:
        """Ids of the saved papers, saved last first."""
        rows = await self._database.all(
            "SELECT paper_id FROM library WHERE user_id = ? ORDER BY saved_at DESC, paper_id DESC", (user_id,)
        )
        return [row["paper_id"] for row in rows]

    # --- corrections -----------------------------------------------------------------------------

    async def report(
        self,
        paper_id: int,
        user_id: int,
        kind: str,
        detail: str,
        now: datetime,
        data: dict[str, Any] | None = None,
    ) -> int:
        """Record a reader's report; its id. `data` is what a program can carry out of it."""
        async with self._database.transaction() as transaction:
            return await transaction.insert(
                "INSERT INTO corrections (paper_id, user_id, kind, detail, created_at, data)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (paper_id, user_id, kind, detail, to_text(now), json.dumps(data) if data else None),
            )

    async def corrections(self, state: str | None = None) -> list[Correction]:
        """Reports, oldest first; all states, or one."""
        rows = await self._database.all(
            "SELECT * FROM corrections WHERE ? IS NULL OR state = ? ORDER BY id", (state, state)
        )
        return [_correction(row) for row in rows]

    async def correction(self, correction_id: int) -> Correction | None:
        """One report, or None."""
        row = await self._database.one("SELECT * FROM corrections WHERE id = ?", (correction_id,))
        return None if row is None else _correction(row)

    async def decide_correction(self, correction_id: int, state: str, now: datetime) -> bool:
        """Accept or reject an open report; False when there is no such open one."""
        async with self._database.transaction() as transaction:
            changed = await transaction.execute(
                "UPDATE corrections SET state = ?, decided_at = ? WHERE id = ? AND state = 'open'",
                (state, to_text(now), correction_id),
            )
        return changed == 1

    # --- page states -----------------------------------------------------------------------------

    async def keep_page(self, state: dict[str, Any], now: datetime) -> str:
        """Remember what a list's buttons need; the token for their custom_ids. Old ones are dropped."""
        token = secrets.token_urlsafe(9)
        async with self._database.transaction() as transaction:
            await transaction.execute("DELETE FROM pages WHERE created_at < ?", (to_text(now - PAGE_LIFE),))
            await transaction.execute(
                "INSERT INTO pages (token, state, created_at) VALUES (?, ?, ?)",
                (token, json.dumps(state, ensure_ascii=False), to_text(now)),
            )
        return token

    async def page(self, token: str) -> dict[str, Any] | None:
        """What was remembered under a token, or None when it is unknown or too old."""
        text = await self._database.value("SELECT state FROM pages WHERE token = ?", (token,))
        return None if text is None else dict(json.loads(text))


def _correction(row: Row) -> Correction:
    return Correction(
        row["id"],
        row["paper_id"],
        row["user_id"],
        row["kind"],
        row["detail"],
        row["state"],
        from_text(row["created_at"]),
        json.loads(row["data"]) if row["data"] else None,
    )
