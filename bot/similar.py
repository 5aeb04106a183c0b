"""Papers similar to one: shared rare words of the titles and summaries, shared people and institutions.

Promises: nothing is kept in memory for it, so it is always up to date; what shares only common words isn't similar.
Leaves to `bot.lookups`: which papers have a word at all.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from bot.lookups import Lookups, Wanted
from bot.papers.model import Language, Paper
from bot.papers.names import author_key
from bot.text import is_cjk, tokens
from storage.papers import PaperStore

# Words that nearly every title may have; small collections show no other sign of it.
_COMMON = """
a an and are as at based be beyond by can do does for from how in into is it its learning method methods model models
network networks neural not of on or over than that the their they this through to toward towards under using via we
what when where which why with without
"""
_STOP = frozenset(_COMMON.split())
_WORDS = 12  # of the title, each one lookup
_PEOPLE = 8
_HITS = 120  # papers taken for one word
_CANDIDATES = 150
_AUTHOR, _INSTITUTION = 1.2, 0.25  # in units of a word that one paper in a hundred has
_LEAST = 0.55
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
        for word in title_words(paper):
            hits = await self._lookups.find(Wanted(text=word), _HITS)
            if not hits or len(hits) >= min(_HITS, max(3, total // 3)):
                continue
            rarity[word] = _rarity(len(hits), total)
            for hit in hits:
                weights[hit.id] = weights.get(hit.id, 0.0) + rarity[word]
        for name in paper.authors[:_PEOPLE]:
            for number in (await self._papers.by_author_key(author_key(name)))[:_HITS]:
                weights[number] = weights.get(number, 0.0) + _AUTHOR
        weights.pop(paper.id, None)
        best = sorted(weights, key=lambda number: (-weights[number], -number))[:_CANDIDATES]
        papers = await self._papers.many(best)
        order = await asyncio.to_thread(rank, paper, papers.values(), rarity)
        return [papers[number] for number in order[:limit]]


def title_words(paper: Paper) -> list[str]:
    """The words of the title that may say what it is about, each once; the longest first, as they are the rarest."""
    words = dict.fromkeys(word for word in tokens(paper.title_en) if len(word) > 1 and word not in _STOP)
    return sorted(words, key=len, reverse=True)[:_WORDS]


def rank(paper: Paper, others: Iterable[Paper], rarity: Mapping[str, float]) -> list[int]:
    """Ids of the similar ones among `others`, best first.

    Args:
        paper: the paper to compare with.
        others: the candidates.
        rarity: for words of the paper's title how much sharing one says; other words say nothing.
    """
    facts = _Facts.of(paper)
    scores = {other.id: _score(facts, _Facts.of(other), rarity) for other in others}
    similar = [number for number, score in scores.items() if score >= _LEAST]
    return sorted(similar, key=lambda number: (-scores[number], -number))


@dataclass(slots=True)
class _Facts:
    title: set[str]
    summary: set[str]
    people: set[str]
    institutions: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, paper: Paper) -> _Facts:
        english = paper.summary(Language.EN)
        text = english.text if english else paper.abstract_en or ""
        return cls(
            set(tokens(paper.title_en)),
            {word for word in tokens(text) if not is_cjk(word)},
            {author_key(name) for name in paper.authors},
            {number for affiliation in paper.affiliations for number in affiliation.organisations},
        )


def _score(one: _Facts, other: _Facts, rarity: Mapping[str, float]) -> float:
    words = 0.0
    for word, weight in rarity.items():
        if word in other.title:
            words += weight
        elif word in other.summary:
            words += weight / 2
    people = _AUTHOR * min(3, len(one.people & other.people))
    places = _INSTITUTION * min(2, len(one.institutions & other.institutions))
    # An institution alone makes nothing similar; it only decides between papers that share words or people.
    return words + people + places if words or people else 0.0


def _rarity(having: int, total: int) -> float:
    return min(1.5, math.log((total + 1) / having) / _UNIT)
