"""Digest settings of servers, the ledger of local dates, and which papers a channel has had.

Promises: a local date is taken once per server; a channel never gets a paper twice.
Leaves to `bot.digest`: when a digest is due and what it holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from storage.database import Database, Reads, Row, Transaction, from_text, optional_moment, to_text


@dataclass(frozen=True, slots=True)
class DigestSettings:
    """A server's digest: where, when (local `hour`:`minute` in `timezone`), in which language, of what."""

    guild_id: int
    channel_id: int
    hour: int
    minute: int
    timezone: str
    language: str  # en | zh | both
    days: frozenset[int]  # 0 = Monday … 6 = Sunday
    tracks: str  # all | main | workshop
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    paused: bool
    since_seq: int  # news up to this place were before the digest was set
    set_by: int
    set_at: datetime
    held_reason: str | None = None
    held_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class DigestDate:
    """One row of the ledger."""

    local_date: date
    decided_at: datetime
    papers: int


class DigestStore:
    """Reads on the reader connection; writes inside a caller's transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, guild_id: int) -> DigestSettings | None:
        """A server's digest settings, or None."""
        row = await self._database.one("SELECT * FROM digests WHERE guild_id = ?", (guild_id,))
        return None if row is None else _settings(row)

    async def active(self) -> list[DigestSettings]:
        """Every digest that isn't paused, of servers the bot hasn't left."""
        rows = await self._database.all(
            "SELECT digests.* FROM digests LEFT JOIN guilds USING (guild_id)"
            " WHERE NOT paused AND left_at IS NULL ORDER BY guild_id"
        )
        return [_settings(row) for row in rows]

    async def everyone(self) -> list[DigestSettings]:
        """Every digest, paused ones and those of left servers included."""
        return [_settings(row) for row in await self._database.all("SELECT * FROM digests ORDER BY guild_id")]

    async def in_channel(self, channel_id: int) -> list[DigestSettings]:
        """The digests that go to a channel."""
        rows = await self._database.all("SELECT * FROM digests WHERE channel_id = ?", (channel_id,))
        return [_settings(row) for row in rows]

    async def save(self, transaction: Transaction, settings: DigestSettings) -> None:
        """Set or change a server's digest; a held one is free again (field report 26)."""
        await transaction.execute(
            "INSERT OR REPLACE INTO digests (guild_id, channel_id, hour, minute, timezone, language, days, tracks,"
            " include, exclude, paused, since_seq, set_by, set_at) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                settings.guild_id,
                settings.channel_id,
                settings.hour,
                settings.minute,
                settings.timezone,
                settings.language,
                ",".join(str(day) for day in sorted(settings.days)),
                settings.tracks,
                "\n".join(settings.include),
                "\n".join(settings.exclude),
                settings.paused,
                settings.since_seq,
                settings.set_by,
                to_text(settings.set_at),
            ),
        )

    async def pause(self, transaction: Transaction, guild_id: int) -> bool:
        """Stop a server's digest; False when it has none."""
        return await transaction.execute("UPDATE digests SET paused = 1 WHERE guild_id = ?", (guild_id,)) == 1

    async def resume(self, transaction: Transaction, guild_id: int, now: datetime) -> bool:
        """Start a server's digest again, held or not; False when it has none.

        Moments before `now` count as before the digest was set: nothing is caught up at once.
        """
        changed = await transaction.execute(
            "UPDATE digests SET paused = 0, set_at = ?, held_reason = NULL, held_since = NULL WHERE guild_id = ?",
            (to_text(now), guild_id),
        )
        return changed == 1

    async def hold(self, transaction: Transaction, guild_id: int, reason: str | None, now: datetime) -> None:
        """Note why a digest can't be delivered, or (None) that it can again."""
        await transaction.execute(
            "UPDATE digests SET held_reason = ?, held_since = CASE WHEN ? IS NULL THEN NULL"
            " ELSE coalesce(held_since, ?) END WHERE guild_id = ?",
            (reason, reason, to_text(now), guild_id),
        )

    async def set_since(self, guild_id: int, moment: datetime) -> None:
        """Correct when a digest was set: the clock had run ahead."""
        async with self._database.transaction() as transaction:
            await transaction.execute(
                "UPDATE digests SET set_at = ? WHERE guild_id = ?", (to_text(moment), guild_id)
            )

    async def remove(self, transaction: Transaction, guild_id: int) -> bool:
        """Forget a server's digest settings; False when there were none. What channels have had stays known."""
        return await transaction.execute("DELETE FROM digests WHERE guild_id = ?", (guild_id,)) == 1

    async def take_date(
        self, transaction: Transaction, guild_id: int, local_date: date, papers: int, now: datetime
    ) -> bool:
        """Use up a local date; False when it was used before, so that the caller writes nothing twice."""
        changed = await transaction.execute(
            "INSERT OR IGNORE INTO digest_dates (guild_id, local_date, decided_at, papers) VALUES (?, ?, ?, ?)",
            (guild_id, local_date.isoformat(), to_text(now), papers),
        )
        return changed == 1

    async def last_date(self, guild_id: int, now: datetime) -> DigestDate | None:
        """The last local date that was used up, or None.

        Dates used up after `now` are left out: they come from a clock that ran ahead and was set back.
        """
        row = await self._database.one(
            "SELECT * FROM digest_dates WHERE guild_id = ? AND decided_at <= ? ORDER BY local_date DESC LIMIT 1",
            (guild_id, to_text(now)),
        )
        return (
            None
            if row is None
            else DigestDate(
                date.fromisoformat(row["local_date"]), from_text(row["decided_at"]), row["papers"]
            )
        )

    async def last_dates(self, now: datetime) -> dict[int, date]:
        """The last local date that was used up, by server; see `last_date`."""
        rows = await self._database.all(
            "SELECT guild_id, max(local_date) AS last FROM digest_dates WHERE decided_at <= ? GROUP BY guild_id",
            (to_text(now),),
        )
        return {row["guild_id"]: date.fromisoformat(row["last"]) for row in rows}

    async def has_date(self, guild_id: int, local_date: date) -> bool:
        """Whether a local date is used up, even by a clock that ran ahead."""
        row = await self._database.one(
            "SELECT 1 FROM digest_dates WHERE guild_id = ? AND local_date = ?",
            (guild_id, local_date.isoformat()),
        )
        return row is not None

    async def candidates(self, settings: DigestSettings, reads: Reads | None = None) -> list[int]:
        """Paper ids that the channel hasn't had: the news since the digest was set, oldest first.

        Args:
            settings: whose.
            reads: the transaction to read in, when the answer decides what that transaction writes.
        """
        rows = await (reads or self._database).all(
            "SELECT news.paper_id FROM news WHERE seq > ? AND NOT EXISTS (SELECT 1 FROM channel_papers"
            " WHERE channel_id = ? AND channel_papers.paper_id = news.paper_id) ORDER BY seq",
            (settings.since_seq, settings.channel_id),
        )
        return [row["paper_id"] for row in rows]

    async def mark_had(
        self, transaction: Transaction, channel_id: int, papers: Iterable[int], *, passed: bool
    ) -> None:
        """A channel has had these papers, or its filter passed over them."""
        await transaction.executemany(
            "INSERT OR IGNORE INTO channel_papers (channel_id, paper_id, passed) VALUES (?, ?, ?)",
            [(channel_id, paper, passed) for paper in papers],
        )

    async def give_back(self, transaction: Transaction, parts: Iterable[int]) -> None:
        """What cancelled parts would have shown hasn't been had: it stands in a later digest."""
        await transaction.executemany(
            "DELETE FROM channel_papers WHERE (channel_id, paper_id) IN (SELECT CAST(substr(whom, 9) AS INTEGER),"
            " paper_id FROM outbox JOIN outbox_papers ON outbox_id = outbox.id"
            " WHERE outbox.id = ? AND kind = 'digest' AND whom LIKE 'channel:%')",
            [(part,) for part in parts],
        )

    async def move(
        self, transaction: Transaction, source: DigestSettings, channel_id: int, since_seq: int
    ) -> int:
        """Let what waits in one channel wait in another; the place in the news from which that one reads.

        Args:
            transaction: to write in.
            source: the settings so far.
            channel_id: the channel to move to.
            since_seq: news after this place are wanted there in any case.
        """
        waiting = await transaction.one(
            "SELECT min(seq) AS first FROM news WHERE seq > ? AND NOT EXISTS (SELECT 1 FROM channel_papers"
            " WHERE channel_id = ? AND channel_papers.paper_id = news.paper_id)",
            (source.since_seq, source.channel_id),
        )
        if waiting is None or waiting["first"] is None or waiting["first"] > since_seq:
            return since_seq
        start = int(waiting["first"]) - 1
        await transaction.execute(
            "INSERT OR IGNORE INTO channel_papers (channel_id, paper_id, passed)"
            " SELECT ?, paper_id, passed FROM channel_papers JOIN news USING (paper_id)"
            " WHERE channel_id = ? AND seq > ? AND seq <= ?",
            (channel_id, source.channel_id, start, since_seq),
        )
        return start


def _settings(row: Row) -> DigestSettings:
    return DigestSettings(
        guild_id=row["guild_id"],
        channel_id=row["channel_id"],
        hour=row["hour"],
        minute=row["minute"],
        timezone=row["timezone"],
        language=row["language"],
        days=frozenset(int(day) for day in row["days"].split(",") if day),
        tracks=row["tracks"],
        include=tuple(word for word in row["include"].split("\n") if word),
        exclude=tuple(word for word in row["exclude"].split("\n") if word),
        paused=bool(row["paused"]),
        since_seq=row["since_seq"],
        set_by=row["set_by"],
        set_at=from_text(row["set_at"]),
        held_reason=row["held_reason"],
        held_since=optional_moment(row["held_since"]),
    )
