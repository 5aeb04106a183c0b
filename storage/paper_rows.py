"""Rows of papers and what hangs on them, made values.

Promises: authors, affiliations and summaries of many papers in one query each. Leaves to `papers`: which papers.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
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
    Status,
    Summary,
    Track,
    Venue,
)
from storage.database import Reads, Row, from_text

# A list of any length as one parameter, so that SQLite's limit of variables is never met.
IN = "{} IN (SELECT value FROM json_each(?))"


@dataclass(slots=True)
class Parts:
    """What hangs on a set of papers, by paper id."""

    authors: dict[int, list[str]]
    affiliations: dict[int, list[PaperAffiliation]]
    summaries: dict[int, list[Summary]]


async def parts_of(reads: Reads, wanted: str) -> Parts:
    """What hangs on the papers of a JSON list of ids."""
    parts = Parts({}, {}, {})
    for row in await reads.all(
        f"SELECT paper_id, name FROM paper_authors WHERE {IN.format('paper_id')} ORDER BY paper_id, position",
        (wanted,),
    ):
        parts.authors.setdefault(row["paper_id"], []).append(row["name"])
    organisations = await _organisations(reads, wanted)
    for row in await reads.all(
        "SELECT paper_id, affiliation_id, name_en, name_zh FROM paper_affiliations"
        f" JOIN affiliations ON affiliations.id = affiliation_id WHERE {IN.format('paper_id')}"
        " ORDER BY paper_id, position",
        (wanted,),
    ):
        first, *also = organisations.get(row["affiliation_id"], [None])
        affiliation = PaperAffiliation(
            row["name_en"], row["name_zh"] or None, first, tuple(item for item in also if item)
        )
        parts.affiliations.setdefault(row["paper_id"], []).append(affiliation)
    for row in await reads.all(
        f"SELECT * FROM summaries WHERE {IN.format('paper_id')} ORDER BY paper_id, language", (wanted,)
    ):
        summary = Summary(Language(row["language"]), row["text"], Origin(row["origin"]))
        parts.summaries.setdefault(row["paper_id"], []).append(summary)
    return parts


async def _organisations(reads: Reads, wanted: str) -> dict[int, list[str | None]]:
    """The organisations of every affiliation of these papers, by affiliation id, in their order."""
    found: dict[int, list[str | None]] = {}
    for row in await reads.all(
        "SELECT affiliation_id, organisation FROM affiliation_organisations WHERE affiliation_id IN"
        f" (SELECT affiliation_id FROM paper_affiliations WHERE {IN.format('paper_id')})"
        " ORDER BY affiliation_id, position",
        (wanted,),
    ):
        found.setdefault(row["affiliation_id"], []).append(row["organisation"])
    return found


def paper_of(row: Row, parts: Parts) -> Paper:
    """A row of `papers` as the paper it is."""
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


def state_of(row: Row, parts: Parts) -> PaperState:
    """A row of `papers` as what merging starts from."""
    paper = paper_of(row, parts)
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
