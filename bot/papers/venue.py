"""What a paper's comments and journal reference say about ICLR.

Promises: pure; a text that doesn't name ICLR (ICRA doesn't) gives ``None``; what is only submitted, rejected or an
earlier version is never "accepted"; what is said of another venue isn't taken for ICLR's. Sources of the rules:
real comments on arXiv, and iclr.cc (the n-th conference is that of the year 2012 + n).
Leaves to `venue_clauses`: one statement; to `venue_words`: the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from bot.papers.model import Presentation, Status, Venue
from bot.papers.venue_clauses import Clause, Statement
from bot.papers.venue_words import (
    MENTION,
    ONLY_PRESENTATION,
    PRESENTATION,
    QUICK,
    STATUS,
    VERSION_OF_ELSEWHERE,
)

_LINK = re.compile(
    r"\$?\\(?:url|href)\s*\{[^{}]*\}(?:\s*\{(?:[^{}]|\{[^{}]*\})*\})?\$?|https?://\S+|\bwww\.\S+|\barxiv:\s*\S+",
    re.IGNORECASE,
)
# The end of a statement: a semicolon, or a full stop before a new sentence; not the one of "Int. Conf.".
_CLAUSE = re.compile(
    r"[;；。\n]+|(?<![\s.][A-Za-z])(?<!\b(?:vs|al|no|pp|eq))(?<!\b(?:conf|intl|proc|dept|univ|repr))(?<!\b(?:int|fig|sec|ref|tab|vol))\.(?:\s+|$)",
    re.IGNORECASE,
)
_COUNT = re.compile(r"\b\d{1,3}(?=\+?\s?(?:pages?|pp|figures?|tables?)\b)", re.IGNORECASE)
_LIMIT = 4_000  # characters; arXiv's comments are far shorter


def read_venue(comments: str | None, journal_ref: str | None) -> Venue | None:
    """The edition of ICLR that the texts name, or ``None``.

    Args:
        comments: arXiv's comment field; it decides.
        journal_ref: arXiv's journal reference; read when the comments name no ICLR, or only an earlier version, and
            for a year that they leave out.
    """
    stated = _read(comments)
    if stated is not None and stated.status is not Status.EARLIER_VERSION and stated.year is not None:
        return stated
    published = _read(journal_ref)
    if stated is None or (published and stated.status is Status.EARLIER_VERSION):
        return published or stated
    if published and stated.year is None and stated.track is published.track:
        status = published.status if stated.status is Status.UNKNOWN else stated.status
        return replace(stated, year=published.year, status=status)
    return stated


def _read(text: str | None) -> Venue | None:
    if not text or not QUICK.search(text):
        return None
    # Addresses and counts of pages say nothing here; without them many comments are the same.
    return _read_plain(_COUNT.sub("9", _without_links(text[:_LIMIT])))


def _without_links(text: str) -> str:
    if "://" in text or "\\" in text or "www." in text or "rXiv:" in text or "rxiv:" in text:
        return _LINK.sub(" ⟂ ", text)
    return text


@lru_cache(maxsize=8_192)
def _read_plain(text: str) -> Venue | None:
    if not MENTION.search(text):
        return None
    clauses = [Clause(part) for part in _split(text)]
    statements = [statement for clause in clauses for statement in clause.statements()]
    if not statements:
        return None
    telling = [item for item in statements if item.has_year or item.cued] or statements
    best = max(telling, key=lambda statement: statement.rank)
    return _with_neighbours(best, telling, clauses)


def _split(text: str) -> Iterator[str]:
    start = 0
    for match in _CLAUSE.finditer(text):
        # A semicolon or full stop inside brackets doesn't end the statement.
        if (
            text.count("(", start, match.start()) > text.count(")", start, match.start())
            and ")" in text[match.end() :]
        ):
            continue
        yield text[start : match.start()]
        start = match.end()
    yield text[start:]


def _with_neighbours(best: Statement, telling: list[Statement], clauses: list[Clause]) -> Venue:
    """Add what stands in clauses without a venue of their own: "ICLR 2026. Oral.", "Under review. ICLR 2026"."""
    venue = best.venue
    same = [
        item.venue for item in telling if (item.venue.year, item.venue.track) == (venue.year, venue.track)
    ]
    presentation = venue.presentation or next((item.presentation for item in same if item.presentation), None)
    status = venue.status
    for clause in clauses:
        if clause.venues:
            continue
        if presentation is None and ONLY_PRESENTATION.fullmatch(clause.text):
            presentation = _presentation_in(clause.text)
        if not best.cued and status is Status.ACCEPTED and not VERSION_OF_ELSEWHERE.search(clause.text):
            cue = _first_status(clause.text)
            if cue in (Status.SUBMITTED, Status.REJECTED, Status.WITHDRAWN):
                status = cue
    return replace(venue, presentation=presentation, status=status)


def _presentation_in(text: str) -> Presentation | None:
    return next((Presentation(name) for name, pattern in PRESENTATION if pattern.search(text)), None)


def _first_status(text: str) -> Status | None:
    return next((Status(name) for name, pattern in STATUS if pattern.search(text)), None)
