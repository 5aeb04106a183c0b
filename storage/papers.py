"""Papers, their keys, authors, affiliations and summaries.

Promises: a paper comes back as it was stored; every key it was ever seen under is kept.
Leaves to `bot.loading`: which record is which paper; to `bot.papers.merge`: what a field becomes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime

from bot.papers.model import (
    Affiliation,
    Paper,
    PaperState,
    ResolvedAffiliation,
)
from storage.database import Database, Reads, Transaction
from storage.paper_rows import IN, paper_of, parts_of, state_of
from storage.paper_writes import UPSERT, PaperWrite, paper_row, store_affiliations, write_parts


class PaperStore:
    """Reads on the reader connection; writes inside a caller's transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # --- reading ---------------------------------------------------------------------------------

    async def get(self, paper_id: int) -> Paper | None:
        """One paper, or None."""
        return (await self.many([paper_id])).get(paper_id)

    async def many(self, ids: Iterable[int]) -> dict[int, Paper]:
        """The papers with these ids; unknown ids are left out."""
        wanted = json.dumps(list(ids))
        rows = await self._database.all(f"SELECT * FROM papers WHERE {IN.format('id')}", (wanted,))
        parts = await parts_of(self._database, wanted)
        return {row["id"]: paper_of(row, parts) for row in rows}

    async def newest_change(self) -> int:
        """The counter of the newest change; 0 for an empty database."""
        return int(await self._database.value("SELECT coalesce(max(changed), 0) FROM papers"))

    async def changed_since(self, changed: int, limit: int, after_id: int = 0) -> list[Paper]:
        """Up to `limit` papers by id that changed after the counter's value; page on with `after_id`."""
        rows = await self._database.all(
            "SELECT id FROM papers WHERE changed > ? AND id > ? ORDER BY id LIMIT ?",
            (changed, after_id, limit),
        )
        papers = await self.many(row["id"] for row in rows)
        return [papers[row["id"]] for row in rows if row["id"] in papers]

    async def count(self) -> int:
        """How many papers there are."""
        return int(await self._database.value("SELECT count(*) FROM papers"))

    async def count_by_track(self) -> dict[str, int]:
        """Papers by track; papers that name no ICLR count as ``none``."""
        rows = await self._database.all(
            "SELECT coalesce(track, 'none') AS track, count(*) AS n FROM papers GROUP BY 1 ORDER BY 1"
        )
        return {row["track"]: row["n"] for row in rows}

    async def newest(self, limit: int) -> list[int]:
        """Ids of the papers added last, newest first."""
        rows = await self._database.all("SELECT id FROM papers ORDER BY id DESC LIMIT ?", (limit,))
        return [row["id"] for row in rows]

    async def by_author_key(self, key: str) -> list[int]:
        """Ids of the papers of an author, newest first."""
        rows = await self._database.all(
            "SELECT DISTINCT paper_id FROM paper_authors WHERE key = ? ORDER BY paper_id DESC", (key,)
        )
        return [row["paper_id"] for row in rows]

    async def by_organisations(self, organisations: Iterable[str]) -> list[int]:
        """Ids of the papers with any of these organisations, newest first."""
        rows = await self._database.all(
            "SELECT DISTINCT paper_id FROM affiliation_organisations JOIN paper_affiliations USING (affiliation_id)"
            f" WHERE {IN.format('organisation')} ORDER BY paper_id DESC",
            (json.dumps(list(organisations)),),
        )
        return [row["paper_id"] for row in rows]

    async def unresolved(self) -> list[tuple[str, str, str, int]]:
        """Affiliations without an organisation: English, Chinese, status, number of papers; most used first."""
        rows = await self._database.all(
            "SELECT name_en, name_zh, status, count(DISTINCT paper_id) AS papers FROM affiliations"
            " JOIN paper_affiliations ON affiliation_id = affiliations.id"
            " WHERE NOT EXISTS (SELECT 1 FROM affiliation_organisations AS known"
            " WHERE known.affiliation_id = affiliations.id)"
            " GROUP BY affiliations.id ORDER BY papers DESC, name_en"
        )
        return [(row["name_en"], row["name_zh"], row["status"], row["papers"]) for row in rows]

    async def affiliations(self) -> list[ResolvedAffiliation]:
        """Every printed affiliation and what it was resolved to."""
        organisations: dict[int, list[str]] = {}
        for row in await self._database.all(
            "SELECT affiliation_id, organisation FROM affiliation_organisations ORDER BY affiliation_id, position"
        ):
            organisations.setdefault(row["affiliation_id"], []).append(row["organisation"])
        return [
            ResolvedAffiliation(
                Affiliation(row["name_en"], row["name_zh"] or None),
                row["status"],
                tuple(organisations.get(row["id"], ())),
            )
            for row in await self._database.all("SELECT * FROM affiliations ORDER BY id")
        ]

    async def known_keys(self, keys: Iterable[str]) -> set[str]:
        """Those of these keys under which some paper was seen."""
        return set(await self.with_keys(self._database, keys))

    async def without_abstract(self, limit: int) -> list[str]:
        """The arXiv ids of papers whose abstract isn't known, newest papers first."""
        rows = await self._database.all(
            "SELECT arxiv_id FROM papers WHERE arxiv_id IS NOT NULL AND json_extract(fields, '$.abstract_en') IS NULL"
            " ORDER BY id DESC LIMIT ?",
            (limit,),
        )
        return [row["arxiv_id"] for row in rows]

    async def directory(self) -> str | None:
        """The fingerprint of the directory that affiliations were resolved with."""
        value = await self._database.value("SELECT value FROM meta WHERE key = 'directory'")
        return None if value is None else str(value)

    # --- inside a transaction --------------------------------------------------------------------

    async def with_keys(self, reads: Reads, keys: Iterable[str]) -> dict[str, list[int]]:
        """For each key that is known, the ids of the papers seen under it."""
        rows = await reads.all(
            f"SELECT key, paper_id FROM paper_keys WHERE {IN.format('key')} ORDER BY paper_id",
            (json.dumps(list(keys)),),
        )
        found: dict[str, list[int]] = {}
        for row in rows:
            found.setdefault(row["key"], []).append(row["paper_id"])
        return found

    async def with_title(self, reads: Reads, title_key: str) -> list[int]:
        """Ids of the papers whose title key starts so (``title:<normal title>|``), whoever wrote them."""
        rows = await reads.all(
            "SELECT DISTINCT paper_id FROM paper_keys WHERE key >= ? AND key < ? ORDER BY paper_id",
            (title_key, title_key + "\U0010ffff"),
        )
        return [row["paper_id"] for row in rows]

    async def states(self, reads: Reads, ids: Iterable[int]) -> dict[int, PaperState]:
        """The whole state of these papers, for merging."""
        wanted = json.dumps(list(ids))
        rows = await reads.all(f"SELECT * FROM papers WHERE {IN.format('id')}", (wanted,))
        parts = await parts_of(reads, wanted)
        return {row["id"]: state_of(row, parts) for row in rows}

    async def next_id(self, transaction: Transaction) -> int:
        """The id that the next new paper gets; valid inside this transaction."""
        row = await transaction.one("SELECT coalesce(max(id), 0) + 1 AS id FROM papers")
        return int(row["id"]) if row else 1

    async def write(self, transaction: Transaction, papers: Sequence[PaperWrite], now: datetime) -> None:
        """Insert new papers and replace changed ones, with all that hangs on them."""
        if not papers:
            return
        changed = await transaction.one("SELECT coalesce(max(changed), 0) + 1 AS n FROM papers")
        stamp = int(changed["n"]) if changed else 1
        await transaction.executemany(UPSERT, [paper_row(paper, now, stamp) for paper in papers])
        old = [(paper.id,) for paper in papers if not paper.new]
        for table in ("paper_authors", "paper_affiliations", "summaries"):
            await transaction.executemany(f"DELETE FROM {table} WHERE paper_id = ?", old)
        await write_parts(transaction, papers)

    async def set_directory(self, transaction: Transaction, fingerprint: str) -> None:
        """Note which directory affiliations are resolved with."""
        await transaction.execute(
            "INSERT OR REPLACE INTO meta (key, value) VALUES ('directory', ?)", (fingerprint,)
        )

    async def replace_affiliations(
        self, transaction: Transaction, affiliations: Sequence[ResolvedAffiliation]
    ) -> None:
        """Store what affiliations are resolved to now; their papers count as changed."""
        await store_affiliations(transaction, affiliations)
        await transaction.executemany(
            "UPDATE papers SET changed = (SELECT max(changed) + 1 FROM papers) WHERE id IN"
            " (SELECT paper_id FROM paper_affiliations JOIN affiliations ON affiliations.id = affiliation_id"
            " WHERE name_en = ? AND name_zh = ?)",
            [(item.affiliation.name_en, item.affiliation.name_zh or "") for item in affiliations],
        )

    async def add_keys(self, transaction: Transaction, keys: Iterable[tuple[str, int]]) -> None:
        """Remember further keys of papers."""
        await transaction.executemany(
            "INSERT OR IGNORE INTO paper_keys (key, paper_id) VALUES (?, ?)", list(keys)
        )
