"""The filters of a query as a mask over a segment.

Promises: None where nothing is left out, so that the common case costs nothing. Leaves ranking to others.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.search.model import Query
from bot.search.segment import INSTITUTION, ORGANISATION, PRESENTATIONS, TRACKS, Field, Segment
from bot.text import normalise, pieces


def filter_mask(segment: Segment, query: Query) -> NDArray[np.bool_] | None:
    """Which living papers of a segment the filters leave; None for all of them."""
    columns = segment.columns
    masks: list[NDArray[np.bool_]] = []
    if not columns.alive.all():
        masks.append(columns.alive)
    if query.year is not None:
        masks.append(columns.year == query.year)
    if query.track is not None:
        masks.append(columns.track == _code(query.track, TRACKS))
    if query.presentation is not None:
        masks.append(columns.presentation == _code(query.presentation, PRESENTATIONS))
    if query.institution is not None:
        masks.append(_institution(segment, query.institution))
    if query.author is not None:
        masks.append(_author(segment, query.author))
    return np.logical_and.reduce(masks) if masks else None


def _code(value: str, values: tuple[str | None, ...]) -> int:
    # A value that nobody has leaves nothing, it doesn't mean "unknown".
    return values.index(value) if value in values else 255


def _institution(segment: Segment, wanted: str) -> NDArray[np.bool_]:
    normal = normalise(wanted)
    for term in (ORGANISATION + wanted, INSTITUTION + normal):
        number = segment.terms.find(term)
        if number >= 0:
            return _having(segment, number, Field.FILTER)
    return _all_words(segment, normal, Field.INSTITUTION)


def _author(segment: Segment, wanted: str) -> NDArray[np.bool_]:
    normal = normalise(wanted)
    mask = _all_words(segment, normal, Field.AUTHOR)
    words = normal.split()
    for place in np.flatnonzero(mask).tolist():
        names = segment.columns.authors[place].split("\n")
        mask[place] = any(_is_name(words, name) for name in names)
    return mask


def _is_name(words: list[str], name: str) -> bool:
    """Whether all words are of this one name, in any order; Han names are compared without blanks."""
    parts = name.split(" ")
    return all(word in parts for word in words) or "".join(words) == "".join(parts)


def _all_words(segment: Segment, normal: str, field: int) -> NDArray[np.bool_]:
    mask = np.zeros(len(segment), np.bool_)
    parts = [piece for word in normal.split() for piece in pieces(word)]
    for place, part in enumerate(parts):
        number = segment.terms.find(part)
        if number < 0:
            return np.zeros(len(segment), np.bool_)
        having = _having(segment, number, field)
        mask = having if place == 0 else mask & having
    return mask


def _having(segment: Segment, term: int, field: int) -> NDArray[np.bool_]:
    docs, fields = segment.postings.span(term, term + 1)
    mask = np.zeros(len(segment), np.bool_)
    mask[docs[(fields & field) > 0]] = True
    return mask
