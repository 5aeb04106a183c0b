"""Papers, their keys, authors, affiliations and summaries.

Promises: a paper comes back as it was stored; every key it was ever seen under is kept.
Leaves to `bot.loading`: which record is which paper; to `bot.papers.merge`: what a field becomes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from bot.papers.model import (
    Affiliation,
    Language,
    Link,
    Origin,
    Paper,
    PaperAffiliation,
    PaperState,
    Presentation,
    Record,
    ResolvedAffiliation,
    Status,
    Summary,
    Track,
    Venue,
    venue_json,
)
from storage.database import Database, Reads, Row, Transaction, from_text, to_text


@dataclass(frozen=True, slots=True)
class PaperWrite:
    """One paper to store: its whole state, its author keys, its affiliations already resolved."""

    id: int
    state: PaperState
    author_keys: tuple[str, ...]
    affiliations: tuple[ResolvedAffiliation, ...]
    new: bool


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
        rows = await self._database.all(f"SELECT * FROM papers WHERE {_IN.format('id')}", (wanted,))
        parts = await _parts(self._database, wanted)
        return {row["id"]: _paper(row, parts) for row in rows}

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
            f" WHERE {_IN.format('organisation')} ORDER BY paper_id DESC",
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
            f"SELECT key, paper_id FROM paper_keys WHERE {_IN.format('key')} ORDER BY paper_id",
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
        rows = await reads.all(f"SELECT * FROM papers WHERE {_IN.format('id')}", (wanted,))
        parts = await _parts(reads, wanted)
        return {row["id"]: _state(row, parts) for row in rows}

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
        await transaction.executemany(_UPSERT, [_paper_row(paper, now, stamp) for paper in papers])
        old = [(paper.id,) for paper in papers if not paper.new]
        for table in ("paper_authors", "paper_affiliations", "summaries"):
            await transaction.executemany(f"DELETE FROM {table} WHERE paper_id = ?", old)
        await _write_parts(transaction, papers)

    async def set_directory(self, transaction: Transaction, fingerprint: str) -> None:
        """Note which directory affiliations are resolved with."""
        await transaction.execute(
            "INSERT OR REPLACE INTO meta (key, value) VALUES ('directory', ?)", (fingerprint,)
        )

    async def replace_affiliations(
        self, transaction: Transaction, affiliations: Sequence[ResolvedAffiliation]
    ) -> None:
        """Store what affiliations are resolved to now; their papers count as changed."""
        await _store_affiliations(transaction, affiliations)
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


# A list of any length as one parameter, so that SQLite's limit of variables is never met.
_IN = "{} IN (SELECT value FROM json_each(?))"

_UPSERT = """
INSERT INTO papers (id, title_en, title_zh, arxiv_id, fields, origins, status, track, year, added_at,
    updated_at, changed)
VALUES (:id, :title_en, :title_zh, :arxiv_id, :fields, :origins, :status, :track, :year, :now,
    :now, :changed)
ON CONFLICT (id) DO UPDATE SET title_en = :title_en, title_zh = :title_zh, arxiv_id = :arxiv_id, fields = :fields,
    origins = :origins, status = :status, track = :track, year = :year, updated_at = :now, changed = :changed
"""


# Built once: `json.dumps` makes a new encoder for every call that isn't plain.
_encode = json.JSONEncoder(ensure_ascii=False).encode


def _paper_row(paper: PaperWrite, now: datetime, changed: int) -> dict[str, Any]:
    record = paper.state.record
    fields = {
        "abstract_en": record.abstract_en,
        "abstract_zh": record.abstract_zh,
        "comments": record.comments,
        "journal_ref": record.journal_ref,
        "date": record.date.isoformat() if record.date else None,
        "categories": record.categories,
        "links": [[link.kind, link.url] for link in record.links],
        "venues": [venue_json(venue) for venue in paper.state.venues],
    }
    return {
        "id": paper.id,
        "title_en": record.title_en,
        "title_zh": record.title_zh,
        "arxiv_id": record.arxiv_id,
        "fields": _encode(fields),
        "origins": _encode(paper.state.origins),
        "status": record.venue.status if record.venue else Status.UNKNOWN,
        "track": record.venue.track if record.venue else None,
        "year": record.venue.year if record.venue else None,
        "now": to_text(now),
        "changed": changed,
    }


async def _write_parts(transaction: Transaction, papers: Sequence[PaperWrite]) -> None:
    await transaction.executemany(
        "INSERT INTO paper_authors (paper_id, position, name, key) VALUES (?, ?, ?, ?)",
        [
            (paper.id, position, name, key)
            for paper in papers
            for position, (name, key) in enumerate(
                zip(paper.state.record.authors, paper.author_keys, strict=True)
            )
        ],
    )
    await transaction.executemany(
        "INSERT INTO summaries (paper_id, language, text, origin) VALUES (?, ?, ?, ?)",
        [(paper.id, *row) for paper in papers for row in _summary_rows(paper.state.record)],
    )
    await _write_affiliations(transaction, papers)


def _summary_rows(record: Record) -> list[tuple[str, str, str]]:
    rows = []
    if record.summary_en:
        rows.append((Language.EN.value, record.summary_en, record.summary_en_origin.value))
    if record.summary_zh:
        rows.append((Language.ZH.value, record.summary_zh, record.summary_zh_origin.value))
    return rows


async def _store_affiliations(transaction: Transaction, affiliations: Iterable[ResolvedAffiliation]) -> None:
    distinct = {(item.affiliation.name_en, item.affiliation.name_zh or ""): item for item in affiliations}
    await transaction.executemany(
        "INSERT INTO affiliations (name_en, name_zh, status) VALUES (?, ?, ?)"
        " ON CONFLICT (name_en, name_zh) DO UPDATE SET status = excluded.status WHERE status <> excluded.status",
        [(*names, item.status) for names, item in distinct.items()],
    )
    await transaction.executemany(
        "DELETE FROM affiliation_organisations WHERE affiliation_id ="
        " (SELECT id FROM affiliations WHERE name_en = ? AND name_zh = ?)",
        list(distinct),
    )
    await transaction.executemany(
        "INSERT INTO affiliation_organisations (affiliation_id, position, organisation)"
        " SELECT id, ?, ? FROM affiliations WHERE name_en = ? AND name_zh = ?",
        [
            (n, found, *names)
            for names, item in distinct.items()
            for n, found in enumerate(item.organisations)
        ],
    )


async def _write_affiliations(transaction: Transaction, papers: Sequence[PaperWrite]) -> None:
    await _store_affiliations(transaction, (item for paper in papers for item in paper.affiliations))
    await transaction.executemany(
        "INSERT INTO paper_affiliations (paper_id, position, affiliation_id)"
        " SELECT ?, ?, id FROM affiliations WHERE name_en = ? AND name_zh = ?",
        [
            (paper.id, position, item.affiliation.name_en, item.affiliation.name_zh or "")
            for paper in papers
            for position, item in enumerate(paper.affiliations)
        ],
    )


@dataclass(slots=True)
class _Parts:
    """What hangs on a set of papers, by paper id."""

    authors: dict[int, list[str]]
    affiliations: dict[int, list[PaperAffiliation]]
    summaries: dict[int, list[Summary]]


async def _parts(reads: Reads, wanted: str) -> _Parts:
    parts = _Parts({}, {}, {})
    for row in await reads.all(
        f"SELECT paper_id, name FROM paper_authors WHERE {_IN.format('paper_id')} ORDER BY paper_id, position",
        (wanted,),
    ):
        parts.authors.setdefault(row["paper_id"], []).append(row["name"])
    organisations = await _organisations(reads, wanted)
    for row in await reads.all(
        "SELECT paper_id, affiliation_id, name_en, name_zh FROM paper_affiliations"
        f" JOIN affiliations ON affiliations.id = affiliation_id WHERE {_IN.format('paper_id')}"
        " ORDER BY paper_id, position",
        (wanted,),
    ):
        first, *also = organisations.get(row["affiliation_id"], [None])
        affiliation = PaperAffiliation(
            row["name_en"], row["name_zh"] or None, first, tuple(item for item in also if item)
        )
        parts.affiliations.setdefault(row["paper_id"], []).append(affiliation)
    for row in await reads.all(
        f"SELECT * FROM summaries WHERE {_IN.format('paper_id')} ORDER BY paper_id, language", (wanted,)
    ):
        summary = Summary(Language(row["language"]), row["text"], Origin(row["origin"]))
        parts.summaries.setdefault(row["paper_id"], []).append(summary)
    return parts


async def _organisations(reads: Reads, wanted: str) -> dict[int, list[str | None]]:
    """The organisations of every affiliation of these papers, by affiliation id, in their order."""
    found: dict[int, list[str | None]] = {}
    for row in await reads.all(
        "SELECT affiliation_id, organisation FROM affiliation_organisations WHERE affiliation_id IN"
        f" (SELECT affiliation_id FROM paper_affiliations WHERE {_IN.format('paper_id')})"
        " ORDER BY affiliation_id, position",
        (wanted,),
    ):
        found.setdefault(row["affiliation_id"], []).append(row["organisation"])
    return found


def _paper(row: Row, parts: _Parts) -> Paper:
    fields = json.loads(row["fields"])
    return Paper(
        id=row["id"],
        title_en=row["title_en"],
        title_zh=row["title_zh"],
        authors=tuple(parts.authors.get(row["id"], ())),
        affiliations=tuple(parts.affiliations.get(row["id"], ())),
        summaries=tuple(parts.summaries.get(row["id"], ())),
        abstract_en=fields["abstract_en"],
        abstract_zh=fields["abstract_zh"],
        comments=fields["comments"],
        journal_ref=fields["journal_ref"],
        arxiv_id=row["arxiv_id"],
        date=date.fromisoformat(fields["date"]) if fields["date"] else None,
        categories=tuple(fields["categories"]),
        links=tuple(Link(kind, url) for kind, url in fields["links"]),
        venues=tuple(_venue(item) for item in fields["venues"]),
        added_at=from_text(row["added_at"]),
    )


def _venue(item: dict[str, Any]) -> Venue:
    presentation = Presentation(item["presentation"]) if item["presentation"] else None
    return Venue(item["name"], item["year"], Track(item["track"]), presentation, Status(item["status"]))


def _state(row: Row, parts: _Parts) -> PaperState:
    paper = _paper(row, parts)
    english, chinese = paper.summary(Language.EN), paper.summary(Language.ZH)
    record = Record(
        title_en=paper.title_en,
        title_zh=paper.title_zh,
        authors=paper.authors,
        institutions=tuple(Affiliation(item.name_en, item.name_zh) for item in paper.affiliations),
        summary_en=english.text if english else None,
        summary_zh=chinese.text if chinese else None,
        abstract_en=paper.abstract_en,
        abstract_zh=paper.abstract_zh,
        comments=paper.comments,
        journal_ref=paper.journal_ref,
        arxiv_id=paper.arxiv_id,
        date=paper.date,
        categories=paper.categories,
        links=paper.links,
        venue=paper.venue,
        summary_en_origin=english.origin if english else Origin.LISTING,
        summary_zh_origin=chinese.origin if chinese else Origin.LISTING,
    )
    return PaperState(record, paper.venues, json.loads(row["origins"]))
