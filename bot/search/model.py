"""What goes into the index, what is asked of it, and what comes out.

Promises: frozen values only. Leaves to others: building a `Document` from a stored paper (the caller),
and the words in which confidence is shown (`bot.render`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Confidence = Literal["found", "maybe"]
Sort = Literal["score", "newest"]
Matched = Literal["title", "author", "institution", "arxiv", "openreview", "filter"]


@dataclass(frozen=True, slots=True)
class Document:
    """One paper as the index sees it.

    Attributes:
        id: The paper's id in storage.
        title_en: The English title as printed; LaTeX may stand in it.
        title_zh: The Chinese title in either script.
        authors: Names as printed.
        institutions: All names and aliases, both languages.
        year: The edition.
        track: main | workshop | other.
        presentation: oral | spotlight | poster.
        keys: Ids with their kind, such as ``arxiv:2601.01234`` or ``openreview:AbC``.
        newest: Sort key; larger is newer.
        organisations: Ids of resolved organisations, parents included; for the institution filter.
    """

    id: int
    title_en: str
    title_zh: str | None = None
    authors: tuple[str, ...] = ()
    institutions: tuple[str, ...] = ()
    year: int | None = None
    track: str | None = None
    presentation: str | None = None
    keys: tuple[str, ...] = ()
    newest: int = 0
    organisations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """What somebody looks for. Filters narrow any text, the empty one included.

    Attributes:
        institution: An organisation id or a name as somebody types it.
        author: A name in any order.
    """

    text: str = ""
    year: int | None = None
    track: str | None = None
    presentation: str | None = None
    institution: str | None = None
    author: str | None = None
    sort: Sort = "score"


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer: the paper's id, a score of 0 to 100, the field that carried it, and how sure the engine is.

    `terms` are the words of the normal form (`bot.text`) that the paper shares with the query, for highlighting.
    """

    id: int
    score: float
    matched: Matched
    confidence: Confidence
    terms: tuple[str, ...] = ()
