"""Which papers of a segment deserve a closer look: weighted coverage of the query over all of them.

Promises: coverage is a share of 0 to 1 and already means confidence. Leaves ordering to `bot.search.rerank`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.search.matching import Expansion, Match
from bot.search.segment import Field, Segment

KEEP = 200
FLOOR = 0.35  # coverage below which nobody would call it a match

_FIELD_WEIGHT = {
    Field.TITLE: 1.0,
    Field.TITLE_ZH: 1.0,
    Field.AUTHOR: 0.97,
    Field.INSTITUTION: 0.93,
    Field.FILTER: 1.0,
}
_BY_FIELDS: NDArray[np.float32] = np.array(
    [max((w for f, w in _FIELD_WEIGHT.items() if fields & f), default=0.0) for fields in range(256)],
    np.float32,
)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Places in a segment with their coverage, in no order."""

    places: NDArray[np.int64]
    coverage: NDArray[np.float32]


def candidates(
    segment: Segment, number: int, matches: Sequence[Match], mask: NDArray[np.bool_] | None, phrase: str
) -> Candidates:
    """The best papers of a segment.

    Args:
        segment: Where to look.
        number: The segment's place in `Match.expansions`.
        matches: The words of the query.
        mask: Papers that filters leave; None for all.
        phrase: The query in the normal form, to choose among many papers that have all words.
    """
    total = sum(m.weight for m in matches)
    if total <= 0 or not len(segment):
        return Candidates(np.empty(0, np.int64), np.empty(0, np.float32))
    scores = np.zeros(len(segment), np.float32)
    for one in matches:
        if one.weight > 0:
            _add(scores, one.expansions[number], one.weight / total)
    if mask is not None:
        scores *= mask
    return _best(scores, segment, phrase)


def _add(scores: NDArray[np.float32], expansion: Expansion, weight: float) -> None:
    groups = expansion.groups
    if not groups:
        return
    if len(groups) == 1 and groups[0].likeness == 1.0:
        scores[groups[0].docs] += _BY_FIELDS[groups[0].fields] * np.float32(weight)
        return
    best = np.zeros(len(scores), np.float32)
    # The best group is written last and so wins where a paper is in several.
    for group in groups:
        best[group.docs] = _BY_FIELDS[group.fields] * np.float32(group.likeness * weight)
    scores += best


def _best(scores: NDArray[np.float32], segment: Segment, phrase: str) -> Candidates:
    top = float(scores.max())
    # A threshold first: sorting or partitioning an array of mostly zeros costs milliseconds.
    places = np.flatnonzero(scores >= max(FLOOR, top * 0.6))
    if len(places) > KEEP:
        found = scores[places]
        cut = np.partition(found, len(found) - KEEP)[len(found) - KEEP]
        tied = places[found == cut]
        places = places[found > cut]
        places = np.concatenate((places, _choose(tied, KEEP - len(places), segment, phrase)))
    return Candidates(places, scores[places])


def _choose(tied: NDArray[np.int64], wanted: int, segment: Segment, phrase: str) -> NDArray[np.int64]:
    """Of papers that cover the query alike, those with the phrase itself, then the newest."""
    newest = tied[np.argsort(-segment.columns.newest[tied], kind="stable")][:4000]
    title, authors, needle = segment.columns.title.raw, segment.columns.authors.raw, phrase.encode()
    having = [p for p in newest.tolist() if needle in title(p) or needle in authors(p)]
    rest = [p for p in newest[: wanted * 2].tolist() if p not in set(having)]
    return np.array((having + rest)[:wanted], np.int64)
