"""Who follows what.

Promises: one row per person (or channel), kind and value; limits hold under concurrent writes.
Leaves to `bot.alerts`: what a subscription matches.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from storage.database import Database, Row, Transaction, from_text, to_text
from storage.errors import SubscriptionLimitError

Kind = Literal["institution", "author", "keyword"]
PER_PERSON = 50
PER_CHANNEL = 20


@dataclass(frozen=True, slots=True)
class Subscription:
    """One thing followed. `channel_id` None = by DM; `value` is an organisation id, author key or query."""

    id: int
    user_id: int
    guild_id: int | None
    channel_id: int | None
    kind: Kind
    value: str
    label: str
    children: bool
    language: str
    since_seq: int
    created_at: datetime
    paused_reason: str | None = None
    muted: bool = False

    @property
    def whom(self) -> str:
        """The outbox address."""
        return f"channel:{self.channel_id}" if self.channel_id else f"user:{self.user_id}"


class SubscriptionStore:
    """Reads on the reader connection; writes inside a caller's transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_person(self, user_id: int) -> list[Subscription]:
        """A person's subscriptions, those they put into channels included, oldest first."""
        return await self._select("user_id = ?", user_id)

    async def of_channel(self, channel_id: int) -> list[Subscription]:
        """A channel's subscriptions, oldest first."""
        return await self._select("channel_id = ?", channel_id)

    async def of_guild(self, guild_id: int) -> list[Subscription]:
        """All subscriptions in a server's channels, oldest first."""
        return await self._select("guild_id = ? AND channel_id IS NOT NULL", guild_id)

    async def get(self, subscription_id: int) -> Subscription | None:
        """One subscription, or None."""
        found = await self._select("id = ?", subscription_id)
        return found[0] if found else None

    async def find(self, like: Subscription) -> Subscription | None:
        """The stored subscription of the same person, place, kind and value, or None."""
        rows = await self._database.all(
            "SELECT * FROM subscriptions WHERE user_id = ? AND coalesce(channel_id, 0) = ?"
            " AND kind = ? AND value = ?",
            (like.user_id, like.channel_id or 0, like.kind, like.value),
        )
        return _subscription(rows[0]) if rows else None

    async def live(self) -> list[Subscription]:
        """Every subscription that is neither muted nor paused, nor of a server that the bot has left."""
        rows = await self._database.all(
            "SELECT subscriptions.* FROM subscriptions LEFT JOIN guilds"
            " ON guilds.guild_id = subscriptions.guild_id AND channel_id IS NOT NULL"
            " WHERE NOT muted AND paused_reason IS NULL AND left_at IS NULL ORDER BY id"
        )
        return [_subscription(row) for row in rows]

    async def count(self) -> int:
        """How many subscriptions there are."""
        return int(await self._database.value("SELECT count(*) FROM subscriptions"))

    async def add(self, transaction: Transaction, new: Subscription) -> bool:
        """Follow something (`new.id` is ignored); False when it is followed already, which unmutes it.

        Raises:
            SubscriptionLimitError: the person has 50, or the channel 20.
        """
        known = await transaction.one(
            "SELECT id FROM subscriptions WHERE user_id = ? AND coalesce(channel_id, 0) = ?"
            " AND kind = ? AND value = ?",
            (new.user_id, new.channel_id or 0, new.kind, new.value),
        )
        if known is not None:
            await transaction.execute(
                "UPDATE subscriptions SET muted = 0, paused_reason = NULL, children = ? WHERE id = ?",
                (new.children, known["id"]),
            )
            return False
        await self._check_limits(transaction, new)
        await transaction.execute(
            "INSERT INTO subscriptions (user_id, guild_id, channel_id, kind, value, label, children, language,"
            " since_seq, created_at) VALUES (?,?,?,?,?,?,?,?,?,?)",
            (
                new.user_id,
                new.guild_id,
                new.channel_id,
                new.kind,
                new.value,
                new.label,
                new.children,
                new.language,
                new.since_seq,
                to_text(new.created_at),
            ),
        )
        return True

    async def remove(self, transaction: Transaction, subscription_id: int) -> bool:
        """Stop following; False when it was gone already."""
        return await transaction.execute("DELETE FROM subscriptions WHERE id = ?", (subscription_id,)) == 1

    async def mute(self, transaction: Transaction, subscription_id: int, muted: bool = True) -> bool:
        """Keep a subscription but tell nothing more; False when it is gone."""
        changed = await transaction.execute(
            "UPDATE subscriptions SET muted = ? WHERE id = ?", (muted, subscription_id)
        )
        return changed == 1

    async def pause_dms(self, transaction: Transaction, user_id: int, reason: str | None) -> None:
        """Pause a person's DM subscriptions because messages don't reach them, or (None) wake them."""
        await transaction.execute(
            "UPDATE subscriptions SET paused_reason = ? WHERE user_id = ? AND channel_id IS NULL",
            (reason, user_id),
        )

    async def end_dms(self, transaction: Transaction, user_id: int) -> int:
        """Remove the DM subscriptions of a person who no longer exists. How many there were."""
        return await transaction.execute(
            "DELETE FROM subscriptions WHERE user_id = ? AND channel_id IS NULL", (user_id,)
        )

    async def _check_limits(self, transaction: Transaction, new: Subscription) -> None:
        column, value, limit = (
            ("channel_id", new.channel_id, PER_CHANNEL)
            if new.channel_id
            else ("channel_id IS NULL AND user_id", new.user_id, PER_PERSON)
        )
        row = await transaction.one(f"SELECT count(*) AS n FROM subscriptions WHERE {column} = ?", (value,))
        if row is not None and row["n"] >= limit:
            raise SubscriptionLimitError(str(limit))

    async def _select(self, where: str, value: int) -> list[Subscription]:
        rows = await self._database.all(f"SELECT * FROM subscriptions WHERE {where} ORDER BY id", (value,))
        return [_subscription(row) for row in rows]


def _subscription(row: Row) -> Subscription:
    return Subscription(
        id=row["id"],
        user_id=row["user_id"],
        guild_id=row["guild_id"],
        channel_id=row["channel_id"],
        kind=row["kind"],
        value=row["value"],
        label=row["label"],
        children=bool(row["children"]),
        language=row["language"],
        since_seq=row["since_seq"],
        created_at=from_text(row["created_at"]),
        paused_reason=row["paused_reason"],
        muted=bool(row["muted"]),
    )
