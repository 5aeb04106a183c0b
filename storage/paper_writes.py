"""Papers made rows.

Promises: a paper and all that hangs on it in a few statements for a whole batch. Leaves to `papers`: the
transaction; to `bot.loading`: what a paper is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.papers.model import Language, PaperState, Record, ResolvedAffiliation, Status, venue_json
from storage.database import Transaction, to_text


@dataclass(frozen=True, slots=True)
class PaperWrite:
    """One paper to store: its whole state, its author keys, its affiliations already resolved."""

    id: int
    state: PaperState
    author_keys: tuple[str, ...]
    affiliations: tuple[ResolvedAffiliation, ...]
    new: bool


UPSERT = """
INSERT INTO papers (id, title_en, title_zh, arxiv_id, fields, origins, status, track, year, added_at,
    updated_at, changed)
VALUES (:id, :title_en, :title_zh, :arxiv_id, :fields, :origins, :status, :track, :year, :now,
    :now, :changed)
ON CONFLICT (id) DO UPDATE SET title_en = :title_en, title_zh = :title_zh, arxiv_id = :arxiv_id, fields = :fields,
    origins = :origins, status = :status, track = :track, year = :year, updated_at = :now, changed = :changed
"""


# Built once: `json.dumps` makes a new encoder for every call that isn't plain.
_encode = json.JSONEncoder(ensure_ascii=False).encode


def paper_row(paper: PaperWrite, now: datetime, changed: int) -> dict[str, Any]:
    """The parameters of `UPSERT`; `changed` is the counter of this transaction."""
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


async def write_parts(transaction: Transaction, papers: Sequence[PaperWrite]) -> None:
    """Insert authors, summaries and affiliations of papers that have none yet."""
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


async def store_affiliations(transaction: Transaction, affiliations: Iterable[ResolvedAffiliation]) -> None:
    """Store each printed affiliation once, with what it is resolved to now."""
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
    await store_affiliations(transaction, (item for paper in papers for item in paper.affiliations))
    await transaction.executemany(
        "INSERT INTO paper_affiliations (paper_id, position, affiliation_id)"
        " SELECT ?, ?, id FROM affiliations WHERE name_en = ? AND name_zh = ?",
        [
            (paper.id, position, item.affiliation.name_en, item.affiliation.name_zh or "")
            for paper in papers
            for position, item in enumerate(paper.affiliations)
        ],
    )
