"""The paper as every part of the program knows it.

Promises: frozen values, no behaviour beyond reading themselves; what is absent is ``None`` or an empty tuple.
Leaves to others: where a value comes from (`listing`, `bot.sources`) and how it is kept (`storage`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Any


class Track(StrEnum):
    """Which part of the conference a paper belongs to."""

    MAIN = "main"
    WORKSHOP = "workshop"
    OTHER = "other"  # blog posts, tiny papers, tutorials


class Presentation(StrEnum):
    """How an accepted paper is presented."""

    ORAL = "oral"
    SPOTLIGHT = "spotlight"
    POSTER = "poster"


class Status(StrEnum):
    """What the text says about acceptance."""

    ACCEPTED = "accepted"
    SUBMITTED = "submitted"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"
    EARLIER_VERSION = "earlier-version"
    UNKNOWN = "unknown"


class Language(StrEnum):
    """A language of a summary or of the interface. `ZH_TW` is the same Chinese text in Traditional script."""

    EN = "en"
    ZH = "zh"
    ZH_TW = "zh-TW"


class Origin(StrEnum):
    """Who wrote a summary; always shown to the reader."""

    LISTING = "listing"
    PERSON = "person"
    TLDR = "tldr"  # the authors' own one-line summary
    EXCERPT = "excerpt"  # a sentence of the abstract, chosen by rule
    MODEL = "model"  # a language model
    TRANSLATION = "translation"  # machine translation
    PENDING = "pending"  # nothing yet; the marked fallback is shown


@dataclass(frozen=True, slots=True)
class Venue:
    """Where a paper appeared. `name` is ``ICLR`` or the workshop's name as printed."""

    name: str
    year: int | None
    track: Track
    presentation: Presentation | None
    status: Status


@dataclass(frozen=True, slots=True)
class Affiliation:
    """One institution as the source prints it; `name_zh` is display text and may be wrong."""

    name_en: str
    name_zh: str | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """`kind`: paper | arxiv | openreview | code | demo | project | other."""

    kind: str
    url: str


@dataclass(frozen=True, slots=True)
class Record:
    """One paper as one source tells it (the `parse` record of the command line)."""

    title_en: str
    title_zh: str | None = None
    authors: tuple[str, ...] = ()
    institutions: tuple[Affiliation, ...] = ()
    summary_en: str | None = None
    summary_zh: str | None = None
    abstract_en: str | None = None
    abstract_zh: str | None = None
    comments: str | None = None
    journal_ref: str | None = None
    arxiv_id: str | None = None  # without version
    date: date | None = None
    categories: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    venue: Venue | None = None
    # Who wrote `summary_en`; the listing unless a source or a sidecar says otherwise.
    summary_en_origin: Origin = Origin.LISTING
    summary_zh_origin: Origin = Origin.LISTING
    # A collaboration named before or among the people; never one of `authors` beside them.
    collaboration: str | None = None
    # Where the record starts in its file; 0 for sources without lines. No part of what the paper is.
    line: int = field(default=0, compare=False)

    def to_json(self) -> dict[str, Any]:
        """The record with the stable field names of the `parse` contract."""
        return {
            "title_en": self.title_en,
            "title_zh": self.title_zh,
            "authors": list(self.authors),
            "institutions": [{"name_en": i.name_en, "name_zh": i.name_zh} for i in self.institutions],
            "summary_en": self.summary_en,
            "summary_zh": self.summary_zh,
            "abstract_en": self.abstract_en,
            "abstract_zh": self.abstract_zh,
            "comments": self.comments,
            "journal_ref": self.journal_ref,
            "arxiv_id": self.arxiv_id,
            "date": self.date.isoformat() if self.date else None,
            "categories": list(self.categories),
            "links": [{"kind": link.kind, "url": link.url} for link in self.links],
            "venue": venue_json(self.venue),
        }


def venue_json(venue: Venue | None) -> dict[str, Any] | None:
    """A venue with the stable field names of the `parse` contract."""
    if venue is None:
        return None
    return {
        "name": venue.name,
        "year": venue.year,
        "track": venue.track.value,
        "presentation": venue.presentation.value if venue.presentation else None,
        "status": venue.status.value,
    }


@dataclass(frozen=True, slots=True)
class Summary:
    """One summary of a paper in one language, and who wrote it."""

    language: Language
    text: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class PaperAffiliation:
    """An affiliation of a stored paper: the printed names and the organisation they were resolved to."""

    name_en: str
    name_zh: str | None
    organisation: str | None  # the organisation's id in `bot.institutions`; None = ambiguous or unknown
    also: tuple[str, ...] = ()  # further organisations that the same printed string names

    @property
    def organisations(self) -> tuple[str, ...]:
        """Every organisation that the printed string names, in its order."""
        return () if self.organisation is None else (self.organisation, *self.also)


@dataclass(frozen=True, slots=True)
class Paper:
    """A stored paper. `venues` has the newest edition first; an empty tuple is a paper that names no ICLR."""

    id: int
    title_en: str
    title_zh: str | None
    authors: tuple[str, ...]
    affiliations: tuple[PaperAffiliation, ...]
    summaries: tuple[Summary, ...]
    abstract_en: str | None
    abstract_zh: str | None
    comments: str | None
    journal_ref: str | None
    arxiv_id: str | None
    date: date | None
    categories: tuple[str, ...]
    links: tuple[Link, ...]
    venues: tuple[Venue, ...]
    added_at: datetime  # aware UTC, when the paper was first loaded

    @property
    def venue(self) -> Venue | None:
        """The venue that a card shows: the newest edition."""
        return self.venues[0] if self.venues else None

    def summary(self, language: Language) -> Summary | None:
        """The summary in a language; Traditional script is rendered from the Chinese one."""
        wanted = Language.EN if language is Language.EN else Language.ZH
        return next((s for s in self.summaries if s.language is wanted), None)


@dataclass(frozen=True, slots=True)
class PaperState:
    """All that is known of one paper, as `bot.papers.merge` joins it from its sources.

    `record.venue` is `venues[0]`; `origins` maps a field's name to the kind of source it came from.
    """

    record: Record
    venues: tuple[Venue, ...]
    origins: dict[str, str]


@dataclass(frozen=True, slots=True)
class ResolvedAffiliation:
    """An affiliation and what the resolver said of it (`exact` | `ambiguous` | `unknown` | `none`)."""

    affiliation: Affiliation
    status: str
    organisations: tuple[str, ...]
