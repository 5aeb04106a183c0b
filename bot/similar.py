"""Papers similar to one: shared rare words and pairs of words, shared people and institutions.

Promises: nothing is kept in memory for it, so it is always up to date; what shares only common words isn't similar.
Leaves to `bot.lookups`: which papers have a word at all.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from bot.lookups import Lookups, Wanted
from bot.papers.model import Language, Paper
from bot.papers.names import author_key
from bot.text import tokens
from storage.papers import PaperStore

# Words that nearly every title may have; small collections show no other sign of it.
_COMMON = """
a an and are as at based be beyond by can do does for from how in into is it its learning method methods model models
network networks neural not of on or over than that the their they this through to toward towards under using via we
what when where which why with without
"""
_STOP = frozenset(_COMMON.split())
_WORDS, _PAIRS, _PEOPLE = 10, 6, 8  # looked up, each one lookup
_HITS = 120  # papers taken for one word
_CANDIDATES = 150
# A word with more hits than are taken is common; how common isn't known, and this share is about right.
_COMMON_SHARE = 0.04
_AUTHOR, _INSTITUTION, _PAIR = 1.2, 0.25, 0.6  # in units of a word that one paper in a hundred has
_LEAST = 0.45
_LEAST_SHARE = 0.2  # of what the paper would share with itself
_UNIT = math.log(100)


class Similar:
    """Finds similar papers."""

    def __init__(self, *, lookups: Lookups, papers: PaperStore) -> None:
        self._lookups = lookups
        self._papers = papers

    async def to(self, paper: Paper, limit: int = 50) -> list[Paper]:
        """The papers most similar to one, best first; [] when none is."""
        total = await self._lookups.count()
        rarity: dict[str, float] = {}
        weights: dict[int, float] = {}
        for term in title_terms(paper):
            hits = await self._lookups.find(Wanted(text=term), _HITS)
            common = len(hits) >= _HITS
            rarity[term] = _rarity(max(len(hits), total * _COMMON_SHARE) if common else len(hits) or 1, total)
            for hit in hits:
                weights[hit.id] = weights.get(hit.id, 0.0) + rarity[term]
        for name in paper.authors[:_PEOPLE]:
            for number in (await self._papers.by_author_key(author_key(name)))[:_HITS]:
                weights[number] = weights.get(number, 0.0) + _AUTHOR
        weights.pop(paper.id, None)
        best = sorted(weights, key=lambda number: (-weights[number], -number))[:_CANDIDATES]
        papers = await self._papers.many(best)
        order = await asyncio.to_thread(rank, paper, papers.values(), rarity)
        return [papers[number] for number in order[:limit]]


def title_terms(paper: Paper) -> list[str]:
    """The words of the title that may say what it is about (the longest, as the rarest), and pairs of neighbours."""
    words = tokens(paper.title_en)
    telling = dict.fromkeys(word for word in words if _tells(word))
    pairs = dict.fromkeys(f"{one} {two}" for one, two in pairwise(words) if _tells(one) and _tells(two))
    return [*sorted(telling, key=len, reverse=True)[:_WORDS], *list(pairs)[:_PAIRS]]


def rank(paper: Paper, others: Iterable[Paper], rarity: Mapping[str, float]) -> list[int]:
    """Ids of the similar ones among `others`, best first.

    Args:
        paper: the paper to compare with.
        others: the candidates.
        rarity: for words and pairs of the paper's title how much sharing one says; others say nothing.
    """
    facts = _Facts.of(paper)
    most = sum(_weight(term, rarity[term]) for term in rarity)
    least = max(_LEAST, _LEAST_SHARE * most)
    scores = {other.id: _score(facts, _Facts.of(other), rarity) for other in others}
    similar = [number for number, score in scores.items() if score >= least]
    return sorted(similar, key=lambda number: (-scores[number], -number))


@dataclass(frozen=True, slots=True)
class _Facts:
    title: frozenset[str]
    summary: frozenset[str]
    people: frozenset[str]
    institutions: frozenset[str]

    @classmethod
    def of(cls, paper: Paper) -> _Facts:
        english = paper.summary(Language.EN)
        return cls(
            _terms(paper.title_en),
            _terms(english.text if english else paper.abstract_en or ""),
            frozenset(author_key(name) for name in paper.authors),
            frozenset(number for place in paper.affiliations for number in place.organisations),
        )


def _terms(text: str) -> frozenset[str]:
    words = tokens(text)
    return frozenset((*words, *(f"{one} {two}" for one, two in pairwise(words))))


def _tells(word: str) -> bool:
    return len(word) > 1 and word not in _STOP


def _score(one: _Facts, other: _Facts, rarity: Mapping[str, float]) -> float:
    words = 0.0
    for term, value in rarity.items():
        if term in other.title:
            words += _weight(term, value)
        elif term in other.summary:
            words += _weight(term, value) / 2
    people = _AUTHOR * min(3, len(one.people & other.people))
    places = _INSTITUTION * min(2, len(one.institutions & other.institutions))
    # An institution alone makes nothing similar; it only decides between papers that share words or people.
    return words + people + places if words or people else 0.0


def _weight(term: str, value: float) -> float:
    # The words of a pair count by themselves already.
    return value * _PAIR if " " in term else value


def _rarity(having: float, total: int) -> float:
    return min(1.5, math.log((total + 1) / having) / _UNIT)
