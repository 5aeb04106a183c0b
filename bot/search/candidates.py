"""Which papers of a segment deserve a closer look: weighted coverage of the query over all of them.

Promises: coverage is a share of 0 to 1 and already means confidence. Leaves ordering to `bot.search.rerank`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz
from rapidfuzz.process import cdist

from bot.search.atoms import Match
from bot.search.groups import Group, having, places_in
from bot.search.matching import Matches
from bot.search.parse import Facet
from bot.search.reading import Reading
from bot.search.segment import PRESENTATIONS, TRACKS, Field, Segment

KEEP = 64
STARTS = 30
LOOKED_AT = 1000  # of papers that cover a query alike, how many are read for the phrase
SHORTEST_START = 3
FLOOR = 0.3  # coverage below which nobody would call it a match
NEAR_STARTS = 400  # titles that begin as the first half of the text, read for the second

_FAR = 0.6  # share of the best coverage below which a paper is no rival
_OFTEN = 16  # a word that one paper in so many has is added last, and only to what is left by then
_OFTEN_AT_LEAST = 256  # papers
_MANY = 8  # words from which they are added up together
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
    matches: Matches,
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
    words = [m for m in matches.atoms if m.atom.facet is None]
    facets = [m for m in matches.atoms if m.atom.facet is not None and m.weight > 0]
    if words:
        address = matches.address[number] if matches.address else None
        scores = _coverage(words, address, number, len(segment))
    else:
        # Years alone choose; a paper that has only some of what was named is no answer.
        everything = np.arange(len(segment))
        scores = (_fitting(facets, number, segment, everything) > 1 - _ROUNDING).astype(np.float32)
    if mask is not None:
        scores *= mask
    # A threshold first: sorting or partitioning an array of mostly zeros costs milliseconds.
    places = np.flatnonzero(scores >= max(FLOOR, float(scores.max(initial=0.0)) * _FAR))
    ranks = scores[places] * (1 - _ASTRAY * (1 - _fitting(facets, number, segment, places)))
    starting = []
    if len(reading.typed) >= SHORTEST_START:
        starting = [p for p in _starting(segment, reading, deep=deep) if mask is None or mask[p]]
    # Where titles begin with the text, none needs to be read for having it somewhere.
    places = _best(places, ranks, segment, "" if starting else reading.typed, keep)
    known = set(places.tolist())
    if more := [place for place in starting if place not in known]:
        places = np.concatenate((places, np.array(more, np.int64)))
    return Candidates(places, scores[places], _fitting(facets, number, segment, places))


def _starting(segment: Segment, reading: Reading, *, deep: bool) -> list[int]:
    """Titles that begin with the text, whatever its last letters cover as a word; `deep`: with a slip in them."""
    phrase = reading.typed
    found = segment.starts.starting(phrase, STARTS)
    if not deep or found or len(phrase) < 7:
        return found
    if reading.read != phrase:
        found = segment.starts.starting(reading.read, STARTS)
    places = segment.starts.starting(phrase[: len(phrase) // 2], NEAR_STARTS)
    if not places:
        return found
    heads = [title[: len(phrase)] for title in segment.columns.title.many(places)]
    alike = cdist([phrase], heads, scorer=fuzz.ratio, score_cutoff=80, dtype=np.float32).reshape(-1)
    best = np.argsort(-alike, kind="stable")[:STARTS]
    return list(dict.fromkeys([*found, *(places[i] for i in best.tolist() if alike[i] > 0)]))


def _coverage(words: Sequence[Match], address: Group | None, number: int, size: int) -> NDArray[np.float32]:
    """The share of the query's weight that each paper has.

    Words that every other paper has cost most and tell least. They are added last, and only to papers that can
    still come near the best.
    """
    total = sum(m.weight for m in words)
    parts = [(m.expansions[number], m.weight / total) for m in words if m.weight > 0]
    groups = [(found.group, share) for found, share in parts if len(found.group.docs)]
    bound = max(_OFTEN_AT_LEAST, size // _OFTEN)
    often = [(group, share) for group, share in groups if len(group.docs) > bound]
    scores = _sum([(group, share) for group, share in groups if len(group.docs) <= bound], size)
    for found, share in parts:
        if found.more is not None:
            _better(scores, found.group, found.more, share)
    if address is not None:
        named = sum(m.weight for m in words if m.address) / total
        scores[address.docs] += np.float32(named * (1 - _FIELD_WEIGHT[Field.INSTITUTION]))
    least = max(FLOOR, float(scores.max(initial=0.0)) * _FAR) - sum(share for _, share in often)
    if often and least > 0:
        rivals = np.flatnonzero(scores >= least).astype(np.uint32)
        for group, share in often:
            at, there = places_in(group.docs, rivals)
            scores[rivals[there]] += _shares(group, share, at[there])
    else:
        for group, share in often:
            _add(scores, group, share)
    return scores if address is None else np.minimum(scores, 1, out=scores)


def _sum(parts: Sequence[tuple[Group, float]], size: int) -> NDArray[np.float32]:
    if len(parts) < _MANY:
        scores = np.zeros(size, np.float32)
        for group, share in parts:
            _add(scores, group, share)
        return scores
    # A line of Chinese is dozens of characters and pairs: all at once costs less than one by one.
    docs = np.concatenate([group.docs for group, _ in parts])
    shares = np.concatenate([_shares(group, share, slice(None)) for group, share in parts])
    return np.bincount(docs, shares, size).astype(np.float32)


def _add(scores: NDArray[np.float32], group: Group, share: float) -> None:
    scores[group.docs] += _shares(group, share, slice(None))


def _better(scores: NDArray[np.float32], group: Group, more: Group, share: float) -> None:
    """Add what papers gain by the second of two groups; the first has been added, or will be."""
    gain = _shares(more, share, slice(None))
    if len(group.docs):
        at, there = places_in(group.docs, more.docs)
        gain[there] = np.maximum(gain[there] - _shares(group, share, at[there]), 0)
    scores[more.docs] += gain


def _shares(group: Group, share: float, at: NDArray[np.int64] | slice) -> NDArray[np.float32]:
    likeness = group.likeness if isinstance(group.likeness, float) else group.likeness[at]
    result: NDArray[np.float32] = _BY_FIELDS[group.fields[at]] * (np.float32(share) * likeness)
    return result


def _fitting(
    facets: Sequence[Match], number: int, segment: Segment, places: NDArray[np.int64]
) -> NDArray[np.float32]:
    """The share of the years, tracks and presentations that papers have, be it as a word."""
    if not facets:
        return np.ones(len(places), np.float32)
    fitting = np.zeros(len(places), np.float32)
    for one in facets:
        docs = one.expansions[number].group.docs
        fits = _fits(one.atom.facet, segment, places)
        if len(docs):
            fits |= having(docs, places.astype(np.uint32))
        fitting += np.float32(1 / len(facets)) * fits
    return fitting


def _fits(facet: Facet | None, segment: Segment, places: NDArray[np.int64]) -> NDArray[np.bool_]:
    columns = segment.columns
    fits: NDArray[np.bool_] = np.zeros(len(places), np.bool_)
    if facet is not None and facet.kind == "year":
        fits = columns.year[places] == int(facet.value)
    elif facet is not None and facet.kind == "track":
        fits = columns.track[places] == TRACKS.index(facet.value)
    elif facet is not None and facet.kind == "presentation":
        fits = columns.presentation[places] == PRESENTATIONS.index(facet.value)
    return fits


def _best(
    places: NDArray[np.int64], ranks: NDArray[np.float32], segment: Segment, phrase: str, keep: int
) -> NDArray[np.int64]:
    if len(places) <= keep:
        return places
    cut = np.partition(ranks, len(ranks) - keep)[len(ranks) - keep]
    tied = places[ranks == cut]
    better = places[ranks > cut]
    return np.concatenate((better, _choose(tied, keep - len(better), segment, phrase)))


def _choose(tied: NDArray[np.int64], wanted: int, segment: Segment, phrase: str) -> NDArray[np.int64]:
    """Of papers that cover the query alike, those with the phrase itself, then the newest."""
    newness = segment.columns.newest[tied]
    if len(tied) > LOOKED_AT:
        newest = np.argpartition(newness, len(tied) - LOOKED_AT)[-LOOKED_AT:]
        tied, newness = tied[newest], newness[newest]
    ordered = tied[np.argsort(-newness, kind="stable")]
    if " " not in phrase:
        return ordered[:wanted]
    title, wanted_phrase = segment.columns.title.raw, phrase.encode()
    told = np.array([wanted_phrase in title(place) for place in ordered.tolist()])
    return np.concatenate((ordered[told], ordered[~told]))[:wanted]
