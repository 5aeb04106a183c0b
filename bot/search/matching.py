"""From the words of a query to the papers that have them, or something near to them.

Promises: for each word groups of papers with a likeness of 0 to 1, and what the word weighs in the whole query.
Leaves to others: adding the words up (`bot.search.candidates`) and judging papers (`bot.search.rerank`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.search.parse import Facet, Words
from bot.search.segment import PRESENTATIONS, TRACKS, Field, Segment
from bot.search.terms import Near
from bot.text import is_cjk, pieces

_CACHE_SIZE = 4096
_LONG = 7  # letters from which a word unknown in every way is looked up two slips away
_SHORT = 4  # letters up to which a word is an acronym: whole words only, but for the start of a title
_ANY = 0xFF
_TITLE_FIELDS = Field.TITLE | Field.TITLE_ZH

# Words that say nothing about which paper is meant; in a small collection their rarity would mislead.
_STOP = {
    "a", "an", "the", "of", "for", "in", "on", "with", "to", "and", "or", "via", "from", "by", "is",
    "are", "be", "as", "at", "we", "how", "what", "can", "do", "does", "it", "its", "this", "that",
    "i", "my", "me", "you", "your", "not", "no", "all", "any", "some", "than", "into", "using",
    "towards", "toward", "when", "why", "who", "which", "there", "their", "was", "about", "near",
    "title", "paper", "papers", "的", "了", "和", "与", "在", "是", "对",
}  # fmt: skip
_STOP_WEIGHT = 0.08
# What an unknown word weighs by its letters: a short one is more often a slip in a small word than a name.
_LETTERS = (0.0, 0.15, 0.3, 0.5, 0.8, 1.0)


@dataclass(frozen=True, slots=True)
class Group:
    """Papers that answer for a word, all with the same likeness."""

    docs: NDArray[np.uint32]
    fields: NDArray[np.uint8]
    likeness: float


@dataclass(frozen=True, slots=True)
class Expansion:
    """What one word found in one segment; groups in order of likeness, the best last."""

    groups: tuple[Group, ...]
    texts: tuple[str, ...]  # the terms found, the best first
    count: int  # papers of the best term
    author: bool  # some paper has it in an author's name


@dataclass(frozen=True, slots=True)
class Atom:
    """One thing to look up: a word, or a character or pair of a Chinese run."""

    text: str
    place: int  # of the word in the query
    share: float  # of the word's weight
    last: bool
    facet: Facet | None


@dataclass(frozen=True, slots=True)
class Match:
    """An atom with its weight and, per segment, what it found."""

    atom: Atom
    weight: float
    known: bool
    expansions: tuple[Expansion, ...]
    read: str  # the term that the word is taken for; "" when it belongs to the word before


class Matcher:
    """Looks words up in one segment and remembers what it found; keystrokes repeat words."""

    def __init__(self, segment: Segment) -> None:
        """Search one segment."""
        self.segment = segment
        self._cache: dict[tuple[str, bool, bool, bool], Expansion] = {}

    def expand(self, word: str, *, known: bool, last: bool, wide: bool) -> Expansion:
        """Groups for a word.

        Args:
            word: In the normal form.
            known: Some segment has exactly this term.
            last: The word may be half typed.
            wide: Look for neighbours of a known word too: it may be a slip that happens to be a word.
        """
        key = (word, known, last, wide)
        if key not in self._cache:
            if len(self._cache) >= _CACHE_SIZE:
                self._cache.clear()
            self._cache[key] = self._expand(word, known=known, last=last, wide=wide)
        return self._cache[key]

    def joined(self, word: str) -> Group | None:
        """Papers with two words of the query written as one."""
        term = self.segment.terms.find(word)
        return None if term < 0 else Group(*self.segment.postings.span(term, term + 1), 0.97)

    def split(self, word: str) -> tuple[Group, str] | None:
        """Papers with the two halves of a word as neighbours, and how the word reads then."""
        best: tuple[Group, str] | None = None
        for cut in range(2, len(word) - 1):
            halves = self._halves(word[:cut], word[cut:])
            if halves is not None and (best is None or len(halves[0].docs) > len(best[0].docs)):
                best = halves
        return best

    def _halves(self, left: str, right: str) -> tuple[Group, str] | None:
        terms, postings = self.segment.terms, self.segment.postings
        first, second = terms.find(left), terms.find(right)
        if first < 0 or second < 0:
            return None
        docs, fields = postings.span(first, first + 1)
        other, _ = postings.span(second, second + 1)
        both, where, _ = np.intersect1d(docs, other, assume_unique=True, return_indices=True)
        spelt = f"{left} {right}"
        # Only a few papers have both; whether the halves are neighbours is read from the titles.
        if not 0 < len(both) <= 2000:
            return None
        title, authors, needle = (
            self.segment.columns.title.raw,
            self.segment.columns.authors.raw,
            spelt.encode(),
        )
        near = [i for i, doc in enumerate(both.tolist()) if needle in title(doc) or needle in authors(doc)]
        return (Group(both[near], fields[where[near]], 0.95), spelt) if near else None

    def _expand(self, word: str, *, known: bool, last: bool, wide: bool) -> Expansion:
        terms = self.segment.terms
        groups: list[Group] = []
        texts: list[str] = []
        exact = terms.find(word)
        count = 0
        if exact >= 0:
            groups.append(self._group(exact, exact + 1, 1.0))
            texts.append(word)
            count = len(groups[0].docs)
        if word.isascii() or not is_cjk(word):
            near = self._near(word, known=known, last=last, wide=wide)
            groups += [self._group(n.term, n.term + 1, _likeness(word, n)) for n in near]
            texts += [n.text for n in near]
            if (last and len(word) >= 2) or (len(word) > _SHORT and not known):
                groups += self._begun(word, exact, last=last)
        if not known and texts:
            count = self.segment.postings.count(terms.find(texts[0]))
        elif not known and groups:
            count = len(groups[0].docs)
        groups.sort(key=lambda group: group.likeness)
        author = word not in _STOP and any(bool((g.fields & Field.AUTHOR).any()) for g in groups)
        return Expansion(tuple(groups), tuple(texts), count, author)

    def _near(self, word: str, *, known: bool, last: bool, wide: bool) -> list[Near]:
        if (known and not wide) or len(word) < _SHORT or not word[0].isalpha():
            return []
        near = self.segment.terms.near(word)
        if not near and not known and last:
            near = self.segment.terms.near_prefix(word)
        if not near and not known and len(word) >= _LONG:
            near = self.segment.terms.near(word, 2)
        count = self.segment.postings.count
        return sorted(near, key=lambda n: (n.distance, -count(n.term)))[:40]

    def _begun(self, word: str, exact: int, *, last: bool) -> list[Group]:
        low, high = self.segment.terms.prefix(word)
        low += exact >= 0
        if low >= high:
            return []
        docs, fields = self.segment.postings.span(low, high)
        if len(word) <= _SHORT:
            keep = (fields & _TITLE_FIELDS) > 0
            docs, fields = docs[keep], fields[keep]
        likeness = 0.9 if last else 0.8
        return [Group(docs, fields, likeness)] if len(docs) else []

    def _group(self, low: int, high: int, likeness: float) -> Group:
        return Group(*self.segment.postings.span(low, high), likeness)


def match(words: Words, matchers: Sequence[Matcher], *, wide: bool) -> list[Match]:
    """Every atom of a query with what it found and what it weighs."""
    total = sum(len(m.segment) for m in matchers)
    found = [_match(atom, matchers, total, wide=wide) for atom in atoms(words)]
    _join_neighbours(found, matchers)
    _split_unknown(found, matchers)
    return found


def atoms(words: Words) -> list[Atom]:
    """The things to look up, in order."""
    result = []
    final = len(words.words) - 1
    for place, word in enumerate(words.words):
        parts = pieces(word)
        last = place == final and words.open_end
        for part in parts:
            # Pairs tell Chinese words apart, single characters only help where one is mistyped.
            share = 1.0 if len(parts) == 1 else (0.35 if len(part) == 1 else 1.0)
            result.append(Atom(part, place, share, last and len(parts) == 1, words.facets[place]))
    return result


def _match(atom: Atom, matchers: Sequence[Matcher], total: int, *, wide: bool) -> Match:
    known = any(m.segment.terms.find(atom.text) >= 0 for m in matchers)
    expansions = tuple(m.expand(atom.text, known=known, last=atom.last, wide=wide) for m in matchers)
    count = sum(e.count for e in expansions)
    if atom.facet is not None:
        expansions = tuple(
            _with_facet(e, atom.facet, m.segment) for e, m in zip(expansions, matchers, strict=True)
        )
    read = atom.text if known else next((e.texts[0] for e in expansions if e.texts), atom.text)
    return Match(atom, _weight(atom, count, total), known, expansions, read)


def _weight(atom: Atom, count: int, total: int) -> float:
    if atom.facet is not None:
        return 0.0 if atom.facet.kind == "conference" else 0.35
    if atom.text in _STOP:
        return _STOP_WEIGHT
    letters = (
        1.0
        if atom.text[0].isdigit() or is_cjk(atom.text)
        else _LETTERS[min(len(atom.text), len(_LETTERS) - 1)]
    )
    if not count:
        return letters * atom.share
    rarity = math.log((total + 1) / (count + 1)) / math.log(total + 2)
    return max(0.06, rarity) * atom.share * (letters if len(atom.text) == 1 else 1.0)


def _with_facet(expansion: Expansion, facet: Facet, segment: Segment) -> Expansion:
    columns = segment.columns
    if facet.kind == "year":
        fits = columns.year == int(facet.value)
    elif facet.kind == "track":
        fits = columns.track == TRACKS.index(facet.value)
    elif facet.kind == "presentation":
        fits = columns.presentation == PRESENTATIONS.index(facet.value)
    else:
        return expansion
    docs = np.flatnonzero(fits).astype(np.uint32)
    group = Group(docs, np.full(len(docs), Field.FILTER, np.uint8), 1.0)
    return Expansion((*expansion.groups, group), expansion.texts, expansion.count, expansion.author)


def _join_neighbours(found: list[Match], matchers: Sequence[Matcher]) -> None:
    for width in (2, 3):
        for first in range(len(found) - width + 1):
            window = found[first : first + width]
            if not all(m.atom.share == 1.0 and m.atom.text.isascii() for m in window):
                continue
            word = "".join(m.atom.text for m in window)
            groups = [m.joined(word) for m in matchers]
            if any(groups):
                read = [word] + [""] * (width - 1)
                found[first : first + width] = [
                    _added(m, groups, r) for m, r in zip(window, read, strict=True)
                ]


def _split_unknown(found: list[Match], matchers: Sequence[Matcher]) -> None:
    for place, one in enumerate(found):
        word = one.atom.text
        if one.known or len(word) < 4 or not word.isascii():
            continue
        halves = [m.split(word) for m in matchers]
        spelt = next((h[1] for h in halves if h is not None), None)
        if spelt is not None:
            found[place] = _added(one, [h[0] if h else None for h in halves], spelt)


def _added(one: Match, groups: Sequence[Group | None], read: str) -> Match:
    expansions = tuple(
        Expansion(tuple(sorted((*e.groups, group), key=lambda g: g.likeness)), e.texts, e.count, True)
        if group
        else e
        for e, group in zip(one.expansions, groups, strict=True)
    )
    return Match(one.atom, one.weight, one.known, expansions, one.read if one.known else read)


def _likeness(word: str, near: Near) -> float:
    longest = max(len(word), len(near.text))
    if near.distance == 1:
        return 1 - 0.9 / longest
    return 1 - 2.4 / longest
