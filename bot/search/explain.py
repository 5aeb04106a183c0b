"""Which field of a paper carried an answer, and which of its words.

Promises: words of the normal form that stand in the paper, for highlighting. Leaves finding them in the printed
text to whoever renders it.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.search.matching import Match
from bot.search.model import Matched
from bot.search.segment import Field
from bot.text import is_cjk


def explain(
    matches: Sequence[Match], title: str, title_zh: str, authors: str
) -> tuple[Matched, tuple[str, ...]]:
    """The field with most weight, and the shared words in the order of the query.

    Args:
        matches: The words of the query and what they were taken for.
        title: The normal form of the English title.
        title_zh: The same of the Chinese one.
        authors: Normal forms of the names, one a line.
    """
    weights: dict[Matched, float] = {"title": 0.0, "author": 0.0, "institution": 0.0, "filter": 0.0}
    terms: list[str] = []
    titles, names = title.split(), authors.split()
    for one in matches:
        in_title = _shared(one, titles) or ([one.atom.text] if _in_chinese(one, title_zh) else [])
        in_names = [] if in_title else _shared(one, names)
        terms += in_title or in_names
        weights[_field(one, in_title, in_names)] += one.weight
    best = max(weights, key=lambda field: weights[field])
    return best, tuple(dict.fromkeys(terms))


def _field(one: Match, in_title: list[str], in_names: list[str]) -> Matched:
    if in_title:
        return "title"
    if in_names:
        return "author"
    if one.atom.facet is not None:
        return "filter"
    return "institution" if one.fields & Field.INSTITUTION else "title"


def _shared(one: Match, words: list[str]) -> list[str]:
    wanted = {one.atom.text, *one.read.split(), *(text for e in one.expansions for text in e.texts)}
    begun = one.atom.text if one.atom.last or not one.known else None
    return [w for w in words if w in wanted or (begun and len(begun) > 1 and w.startswith(begun))]


def _in_chinese(one: Match, title_zh: str) -> bool:
    return is_cjk(one.atom.text) and one.atom.text in title_zh
