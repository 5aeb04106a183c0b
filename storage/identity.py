"""Which Discord application this database belongs to (rule 20 of the design).

Promises: a database that one application has used is refused to another; traces of a second process are kept.
Leaves to `bot.status`: telling of them.
"""

from __future__ import annotations

from datetime import datetime

from storage.database import Database, optional_moment, to_text
from storage.errors import WrongApplicationError


async def claim_application(database: Database, application_id: int) -> None:
    """Bind the database to an application on first use.

    Raises:
        WrongApplicationError: it belongs to another one.
    """
    async with database.transaction() as transaction:
        await transaction.execute(
            "INSERT OR IGNORE INTO meta (key, value) VALUES ('application_id', ?)", (str(application_id),)
        )
        row = await transaction.one("SELECT value FROM meta WHERE key = 'application_id'")
    if row is not None and int(row["value"]) != application_id:
        raise WrongApplicationError(
            f"The database {database.path} belongs to the Discord application {row['value']}, not to "
            f"{application_id}: use its token, or name another file with DATABASE_PATH."
        )


async def note_rival(database: Database, now: datetime) -> None:
    """Somebody else answered an interaction of this application: perhaps a second process uses its token."""
    async with database.transaction() as transaction:
        await transaction.execute(
            "INSERT INTO meta (key, value) VALUES ('rival_at', ?)"
            " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            (to_text(now),),
        )


async def rival_seen(database: Database) -> datetime | None:
    """When that last happened, or None."""
    return optional_moment(await database.value("SELECT value FROM meta WHERE key = 'rival_at'"))
