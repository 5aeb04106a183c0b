"""Looks single words up in one segment: as they are, as beginnings, with slips, joined and split.

Promises: groups of papers with a likeness of 0 to 1, remembered, because keystrokes repeat words.
Leaves to others: what a word weighs beside the other words (`bot.search.matching`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_

import numpy as np
from numpy.typing import NDArray

from bot.search.segment import Field, Segment
from bot.search.terms import SHORTEST_FUZZY, Near
from bot.text import is_cjk

SHORT = 4  # letters up to which a word is an acronym: whole words only, but for the start of a title

_CACHE_SIZE = 4096
_MOST_COPIED = 1_000_000  # postings that the remembered words hold apart from the index: 5 MB
_LONG = 7  # letters from which a word unknown in every way is looked up two slips away
_MOST_NEAR = 40
_MOST_BOTH = 2000  # papers with both halves of a split word that are read
_TITLE_FIELDS = Field.TITLE | Field.TITLE_ZH

_JOINED, _PLURAL, _SPLIT, _APART, _TYPING, _BEGUN = 0.97, 0.95, 0.95, 0.9, 0.9, 0.8


@dataclass(frozen=True, slots=True)
class Group:
    """Papers that answer for a word, all with the same likeness."""

    docs: NDArray[np.uint32]
    fields: NDArray[np.uint8]
    likeness: float


@dataclass(frozen=True, slots=True)
class Expansion:
    """What one word found in one segment.

    Attributes:
        groups: In order of likeness, the best last.
        texts: The terms found, the best first; beginnings not among them.
        count: In how many papers the best term stands.
        fields: Every field that any of the papers has it in.
    """

    groups: tuple[Group, ...]
    texts: tuple[str, ...]
    count: int
    fields: int

    def only(self, fields: int) -> Expansion:
        """The same without papers that have the word elsewhere."""
        kept = tuple(
            Group(g.docs[at], g.fields[at], g.likeness)
            for g in self.groups
            if (at := (g.fields & fields) > 0).any()
        )
        return Expansion(kept, self.texts, self.count, _fields(kept))

    def plus(self, *groups: Group) -> Expansion:
        """The same with further groups."""
        ordered = tuple(sorted((*self.groups, *groups), key=lambda group: group.likeness))
        return Expansion(ordered, self.texts, self.count, self.fields | _fields(groups))


class Matcher:
    """Looks words up in one segment and remembers what it found."""

    def __init__(self, segment: Segment) -> None:
        """Search one segment."""
        self.segment = segment
        self._cache: dict[tuple[str, bool, bool, bool], Expansion] = {}
        self._copied = 0

    def expand(self, word: str, *, known: bool, last: bool, fuzzy: bool) -> Expansion:
        """Groups for a word.

        Args:
            word: In the normal form.
            known: Some segment has exactly this term.
            last: The word may be half typed.
            fuzzy: Look for neighbours too: the word may be a slip, even one that happens to be a word.
        """
        key = (word, known, last, fuzzy)
        found = self._cache.get(key)
        if found is None:
            found = self._expand(word, known=known, last=last, fuzzy=fuzzy)
            self._remember(key, found)
        return found

    def _remember(self, key: tuple[str, bool, bool, bool], found: Expansion) -> None:
        # Most groups are views of the postings; what was picked out of a long list is a copy and counts.
        copied = sum(len(group.docs) for group in found.groups if group.docs.base is None)
        if len(self._cache) >= _CACHE_SIZE or self._copied + copied > _MOST_COPIED:
            self._cache.clear()
            self._copied = 0
        self._cache[key] = found
        self._copied += copied

    def whole(self, term: str, likeness: float = _JOINED) -> Group | None:
        """Papers with exactly this term."""
        number = self.segment.terms.find(term)
        return None if number < 0 else self._group(number, number + 1, likeness)

    def named(self, start: str) -> set[int]:
        """Papers by somebody with a name that begins so."""
        low, high = self.segment.terms.prefix(start)
        docs, fields = self.segment.postings.span(low, high)
        return set(docs[(fields & Field.AUTHOR) > 0].tolist())

    def split(self, word: str) -> tuple[Group, str] | None:
        """Papers with the two halves of a word as neighbours, and how the word reads then."""
        halves = (self._halves(word[:cut], word[cut:]) for cut in range(2, len(word) - 1))
        return max(filter(None, halves), key=lambda found: len(found[0].docs), default=None)

    def _halves(self, left: str, right: str) -> tuple[Group, str] | None:
        first = self.whole(left)
        second = self.whole(right) if first is not None else None
        if first is None or second is None:
            return None
        both, fields = _common(first, second)
        if not len(both):
            return None
        if len(both) > _MOST_BOTH:
            return Group(both, fields, _APART), f"{left} {right}"
        # Whether the halves are neighbours isn't in the postings; a few papers with both are read.
        columns, spelt = self.segment.columns, f"{left} {right}".encode()
        title, authors = columns.title.raw, columns.authors.raw
        near = [i for i, doc in enumerate(both.tolist()) if spelt in title(doc) or spelt in authors(doc)]
        return (Group(both[near], fields[near], _SPLIT), spelt.decode()) if near else None

    def _expand(self, word: str, *, known: bool, last: bool, fuzzy: bool) -> Expansion:
        groups: list[Group] = []
        texts: list[str] = []
        exact = self.whole(word, 1.0)
        if exact is not None:
            groups.append(exact)
            texts.append(word)
        if 3 <= len(word) <= SHORT and word.isalpha() and word.isascii():
            # Acronyms take no slips, but they take a plural.
            other = word[:-1] if word.endswith("s") else word + "s"
            groups += filter(None, [self.whole(other, _PLURAL)])
        if not is_cjk(word):
            near = self._near(word, known=known, last=last) if fuzzy else []
            groups += [self._group(n.term, n.term + 1, _likeness(word, n)) for n in near]
            texts += [n.text for n in near]
            if (last and len(word) >= 2) or (len(word) > SHORT and not known):
                groups += self._begun(word, _TYPING if last else _BEGUN)
        count = len(groups[0].docs) if groups else 0
        groups.sort(key=lambda group: group.likeness)
        return Expansion(tuple(groups), tuple(texts), count, _fields(groups))

    def _near(self, word: str, *, known: bool, last: bool) -> list[Near]:
        terms = self.segment.terms
        if len(word) < SHORTEST_FUZZY or not word[0].isalpha():
            return []
        near = terms.near(word)
        if not near and not known and last:
            near = terms.near_prefix(word)
        if not near and not known and len(word) >= _LONG:
            near = terms.near(word, 2)
        count = self.segment.postings.count
        return sorted(near, key=lambda n: (n.distance, -count(n.term)))[:_MOST_NEAR]

    def _begun(self, word: str, likeness: float) -> list[Group]:
        low, high = self.segment.terms.prefix(word)
        if low >= high:
            return []
        # One span holds the whole word too; its own group is likelier and wins.
        docs, fields = self.segment.postings.span(low, high)
        if len(word) <= SHORT:
            keep = (fields & _TITLE_FIELDS) > 0
            docs, fields = docs[keep], fields[keep]
        return [Group(docs, fields, likeness)] if len(docs) else []

    def _group(self, low: int, high: int, likeness: float) -> Group:
        return Group(*self.segment.postings.span(low, high), likeness)


def _common(one: Group, other: Group) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
    """Papers of both, with the fields of the rarer; a search in the longer list beats sorting the two together."""
    rare, often = sorted((one, other), key=lambda group: len(group.docs))
    at = np.minimum(np.searchsorted(often.docs, rare.docs), len(often.docs) - 1)
    same = often.docs[at] == rare.docs
    return rare.docs[same], rare.fields[same]


def _fields(groups: tuple[Group, ...] | list[Group]) -> int:
    return reduce(or_, (int(np.bitwise_or.reduce(group.fields)) for group in groups if len(group.fields)), 0)


def _likeness(word: str, near: Near) -> float:
    longest = max(len(word), len(near.text))
    return 1 - (0.9 if near.distance == 1 else 2.4) / longest
