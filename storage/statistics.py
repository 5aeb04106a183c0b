"""Counting papers, and drawing one.

Promises: read-only; groups that nothing states are the group None. Leaves to `bot.render.charts`: the look.
"""

from __future__ import annotations

from storage.database import Database

Counts = list[tuple[str | None, int]]

_PRESENTATION = "json_extract(fields, '$.venues[0].presentation')"


class Statistics:
    """Reads on the reader connection."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def by_year(self) -> Counts:
        """Papers by edition, the newest first."""
        return await self._counts(
            "SELECT year AS name, count(*) AS n FROM papers GROUP BY year ORDER BY year IS NULL, year DESC"
        )

    async def by_track(self) -> Counts:
        """Papers by track, most first."""
        return await self._counts(
            "SELECT track AS name, count(*) AS n FROM papers GROUP BY track ORDER BY track IS NULL, n DESC"
        )

    async def by_presentation(self) -> Counts:
        """Papers by presentation, most first."""
        return await self._counts(
            f"SELECT {_PRESENTATION} AS name, count(*) AS n FROM papers GROUP BY name"
            " ORDER BY name IS NULL, n DESC"
        )

    async def by_organisation(self, limit: int) -> Counts:
        """Papers by organisation id, most first; a paper counts once for each of its organisations."""
        return await self._counts(
            "SELECT organisation AS name, count(DISTINCT paper_id) AS n FROM affiliation_organisations"
            " JOIN paper_affiliations USING (affiliation_id) GROUP BY organisation ORDER BY n DESC, name LIMIT ?",
            limit,
        )

    async def by_topic(self, limit: int) -> Counts:
        """Papers by arXiv category, most first; a paper counts once for each of its categories."""
        return await self._counts(
            "SELECT topic.value AS name, count(*) AS n FROM papers LEFT JOIN json_each(fields, '$.categories') AS topic"
            " GROUP BY name ORDER BY name IS NULL, n DESC, name LIMIT ?",
            limit,
        )

    async def any_paper(self) -> int | None:
        """The id of a paper drawn at random, or None when there is none."""
        value = await self._database.value("SELECT id FROM papers ORDER BY random() LIMIT 1")
        return None if value is None else int(value)

    async def _counts(self, sql: str, *parameters: int) -> Counts:
        return [(_text(row["name"]), row["n"]) for row in await self._database.all(sql, parameters)]


def _text(value: object) -> str | None:
    return None if value is None else str(value)
