"""Which papers of a segment deserve a closer look: weighted coverage of the query over all of them.

Promises: coverage is a share of 0 to 1 and already means confidence. Leaves ordering to `bot.search.rerank`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz
from rapidfuzz.process import cdist

from bot.search.lookup import Expansion
from bot.search.matching import Match
from bot.search.reading import Reading
from bot.search.segment import Field, Segment

KEEP = 150
STARTS = 30
LOOKED_AT = 2000  # of papers that cover a query alike, how many are read for the phrase
SHORTEST_START = 3
FLOOR = 0.3  # coverage below which nobody would call it a match
NEAR_STARTS = 400  # titles that begin as the first half of the text, read for the second

_ROUNDING = 1e-3
_ASTRAY = 0.2  # what a wrong year and the like takes from coverage when the best are chosen

_FIELD_WEIGHT = {
    Field.TITLE: 1.0,
    Field.TITLE_ZH: 1.0,
    Field.AUTHOR: 0.97,
    Field.INSTITUTION: 0.9,
    Field.ALIAS: 1.0,
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
    fitting: NDArray[np.float32]  # share of the years, tracks and presentations named that a paper has


def candidates(
    segment: Segment,
    number: int,
    matches: Sequence[Match],
    mask: NDArray[np.bool_] | None,
    reading: Reading,
    keep: int,
    *,
    deep: bool,
) -> Candidates:
    """The best papers of a segment.

    Args:
        segment: Where to look.
        number: The segment's place in `Match.expansions`.
        matches: The words of the query.
        mask: Papers that filters leave; None for all.
        reading: The query, to choose among many papers that have all its words.
        keep: How many to return, beside those whose title starts with the phrase.
        deep: Look for titles that start with the phrase but for a slip.
    """
    words = [m for m in matches if m.atom.facet is None and m.weight > 0]
    facets = [m for m in matches if m.atom.facet is not None and m.weight > 0]
    scores = _sum(words or facets, number, len(segment))
    fitting = _sum(facets, number, len(segment)) if facets else None
    if mask is not None:
        scores *= mask
    if not words:
        # Years alone choose; a paper that has only some of what was named is no answer.
        scores[scores < 1 - _ROUNDING] = 0
    places = _best(
        scores if fitting is None else scores * (1 - _ASTRAY * (1 - fitting)), segment, reading, keep
    )
    if len(reading.typed) >= SHORTEST_START:
        starting = np.array(_starting(segment, reading.typed, deep=deep), np.int64)
        places = np.union1d(places, starting[scores[starting] > 0])
    return Candidates(
        places, scores[places], np.ones(len(places), np.float32) if fitting is None else fitting[places]
    )


def _starting(segment: Segment, phrase: str, *, deep: bool) -> list[int]:
    """Titles that begin with the text, whatever its last letters cover as a word; `deep`: with a slip in them."""
    found = segment.starts.starting(phrase, STARTS)
    if not deep or found or len(phrase) < 7:
        return found
    places = segment.starts.starting(phrase[: len(phrase) // 2], NEAR_STARTS)
    if not places:
        return []
    heads = [title[: len(phrase)] for title in segment.columns.title.many(places)]
    alike = cdist([phrase], heads, scorer=fuzz.ratio, score_cutoff=80, dtype=np.float32).reshape(-1)
    best = np.argsort(-alike, kind="stable")[:STARTS]
    return [places[i] for i in best.tolist() if alike[i] > 0]


def _sum(matches: Sequence[Match], number: int, size: int) -> NDArray[np.float32]:
    scores = np.zeros(size, np.float32)
    total = sum(m.weight for m in matches)
    for one in matches:
        _add(scores, one.expansions[number], one.weight / total)
    return scores


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


def _best(scores: NDArray[np.float32], segment: Segment, reading: Reading, keep: int) -> NDArray[np.int64]:
    top = float(scores.max(initial=0.0))
    # A threshold first: sorting or partitioning an array of mostly zeros costs milliseconds.
    places = np.flatnonzero(scores >= max(FLOOR, top * 0.6))
    if len(places) > keep:
        found = scores[places]
        cut = np.partition(found, len(found) - keep)[len(found) - keep]
        tied = places[found == cut]
        places = places[found > cut]
        places = np.concatenate((places, _choose(tied, keep - len(places), segment, reading)))
    return places


def _choose(tied: NDArray[np.int64], wanted: int, segment: Segment, reading: Reading) -> NDArray[np.int64]:
    """Of papers that cover the query alike, those with the phrase itself, then the newest."""
    newest = tied[np.argsort(-segment.columns.newest[tied], kind="stable")]
    if len(reading.typed) < SHORTEST_START:
        return newest[:wanted]
    looked = newest[:LOOKED_AT].tolist()
    having = _having_phrase(looked, segment, reading)[:wanted]
    rest = np.setdiff1d(newest[: 2 * wanted], having, assume_unique=True)[: wanted - len(having)]
    return np.concatenate((np.array(having, np.int64), rest))


def _having_phrase(places: list[int], segment: Segment, reading: Reading) -> list[int]:
    title, authors, phrase = segment.columns.title.raw, segment.columns.authors.raw, reading.typed.encode()
    found = [place for place in places if phrase in title(place)]
    if reading.names:
        name = _initials(reading.typed) or re.compile(re.escape(phrase))
        found += [place for place in places if name.search(authors(place))]
    return list(dict.fromkeys(found))


def _initials(phrase: str) -> re.Pattern[bytes] | None:
    """What finds ``y bengio`` among names, one a line; None for a text that is no initial and surname."""
    words = sorted(phrase.encode().split(b" "), key=len)
    if len(words) != 2 or len(words[0]) != 1:
        return None
    initial, name = map(re.escape, words)
    either = b"%s[^\\n ]* (?:[^\\n]* )?%s|%s (?:[^\\n]* )?%s[^\\n]*" % (initial, name, name, initial)
    return re.compile(b"^(?:" + either + b")$", re.MULTILINE)
