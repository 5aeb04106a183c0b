"""Which field of a paper carried an answer, and which of its words.

Promises: words of the normal form that stand in the paper, for highlighting. Leaves finding them in the printed
text to whoever renders it.
"""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import OSA

from bot.search.atoms import Match
from bot.search.model import Matched
from bot.search.segment import Field
from bot.text import is_cjk

_NAMES: tuple[tuple[int, Matched], ...] = (
    (Field.TITLE | Field.TITLE_ZH, "title"),
    (Field.AUTHOR, "author"),
    (Field.INSTITUTION, "institution"),
    (Field.FILTER, "filter"),
)

_LONG = 8  # letters from which a word may have two slips
_FULL_TITLE = 4  # words from which a text is a whole title rather than some words of one
_SOME_WORDS = 2


class Explainer:
    """Explains the answers of one query."""

    def __init__(self, matches: Sequence[Match]) -> None:
        """Take the words of the query with what they were taken for."""
        self._matches = [(one, _wanted(one), _begun(one), is_cjk(one.atom.text)) for one in matches]
        self._telling = [one for one in matches if one.telling and not is_cjk(one.atom.text)]

    @property
    def titled(self) -> bool:
        """Whether the text has as many words as a title."""
        return len(self._telling) >= _FULL_TITLE

    def explain(
        self, number: int, place: int, title: str, title_zh: str, authors: str
    ) -> tuple[Matched, tuple[str, ...]]:
        """The field with most weight, and the shared words in the order of the query.

        Args:
            number: The paper's segment, as in `Match.expansions`.
            place: The paper's place in it.
            title: The normal form of the English title.
            title_zh: The same of the Chinese one.
            authors: Normal forms of the names, one a line.
        """
        weights: dict[Matched, float] = {"title": 0.0, "author": 0.0, "institution": 0.0, "filter": 0.0}
        terms: list[str] = []
        titles, names = title.split(), authors.split()
        for one, wanted, begun, chinese in self._matches:
            if chinese:
                in_title = [one.atom.text] if one.atom.text in title_zh else []
            else:
                in_title = _shared(wanted, begun, titles)
            in_names = [] if in_title else _shared(wanted, begun, names)
            terms += in_title or in_names
            field = "title" if in_title else "author" if in_names else _posted(one, number, place)
            if field is not None:
                weights[field] += one.weight
        return max(weights, key=lambda field: weights[field]), tuple(dict.fromkeys(terms))

    def lacking(self, number: int, place: int, title: str, authors: str) -> float:
        """The share of a text's weight in words that other papers have and this one has in no form.

        A slip makes a word that is near to one of the title or of a name; a word far from all of them was meant, so
        this is another paper.
        """
        telling = self._telling
        if len(telling) < _SOME_WORDS:
            return 0.0
        words = title.split() + authors.split()
        absent = [
            one
            for one in telling
            if one.known and not one.atom.last and not _stands(one, number, place, words)
        ]
        return sum(one.weight for one in absent) / sum(one.weight for one in telling)


def _stands(one: Match, number: int, place: int, title: list[str]) -> bool:
    word = one.atom.text
    slips = 1 if len(word) < _LONG else 2
    if len(word) < 3 or any(OSA.distance(word, other, score_cutoff=slips) <= slips for other in title):
        return True
    return one.expansions[number].fields_of(place) > 0


def _wanted(one: Match) -> set[str]:
    return {one.atom.text, *one.read.split(), *(text for e in one.expansions for text in e.texts)}


def _begun(one: Match) -> str | None:
    """The word when it may be only the beginning of one in the paper."""
    return one.atom.text if len(one.atom.text) > 1 and (one.atom.last or not one.known) else None


def _posted(one: Match, number: int, place: int) -> Matched | None:
    """The field by the index, for words that stand in the paper in another spelling or in an institution."""
    if one.atom.facet is not None:
        return "filter"
    fields = one.expansions[number].fields_of(place)
    return next((name for field, name in _NAMES if fields & field), None)


def _shared(wanted: set[str], begun: str | None, words: list[str]) -> list[str]:
    if begun is None:
        return [word for word in words if word in wanted]
    return [word for word in words if word in wanted or word.startswith(begun)]
