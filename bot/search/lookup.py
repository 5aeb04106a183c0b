"""Looks single words up in one segment: as they are, as beginnings, with slips, joined and split.

Promises: papers with a likeness of 0 to 1 each, remembered, because keystrokes repeat words.
Leaves to others: what a word weighs beside the other words (`bot.search.matching`).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from bot.search.groups import NOTHING, Expansion, Group, all_fields, common, merged
from bot.search.segment import NAME, Field, Segment
from bot.search.terms import SHORTEST_FUZZY, Near
from bot.text import is_cjk

SHORT = 4  # letters up to which a word is an acronym: whole words only, but for the start of a title

_CACHE_SIZE = 4096
_MOST_COPIED = 500_000  # papers that the remembered words hold apart from the index: 4.5 MB
_MOST_NEAR = 40
_MOST_NAMES_READ = 1000  # names with one word in common that are compared letter by letter
_MOST_BOTH = 2000  # papers with both halves of a split word that are read
_TITLE_FIELDS = Field.TITLE | Field.TITLE_ZH

_JOINED, _PLURAL, _SPLIT, _APART, _TYPING, _BEGUN = 0.97, 0.95, 0.95, 0.9, 0.9, 0.8


class Slips(IntEnum):
    """How wrong a word may be."""

    NONE = 0
    LEFT_OUT = 1  # a letter left out, or two swapped
    ONE = 2
    TWO = 3


class Matcher:
    """Looks words up in one segment and remembers what it found."""

    def __init__(self, segment: Segment) -> None:
        """Search one segment."""
        self.segment = segment
        self._cache: dict[tuple[str, bool, bool, Slips], Expansion] = {}
        self._copied = 0

    def expand(self, word: str, *, known: bool, last: bool, slips: Slips) -> Expansion:
        """The papers of a word.

        Args:
            word: In the normal form.
            known: Some segment has exactly this term.
            last: The word may be half typed.
            slips: What may be wrong with it, even if it happens to be a word.
        """
        key = (word, known, last, slips)
        found = self._cache.get(key)
        if found is None:
            found = self._expand(word, known=known, last=last, slips=slips)
            self._remember(key, found)
        return found

    def _remember(self, key: tuple[str, bool, bool, Slips], found: Expansion) -> None:
        # What one term found is a view of the postings; what several found is a copy and counts.
        copied = 0 if isinstance(found.group.likeness, float) else len(found.group.docs)
        if len(self._cache) >= _CACHE_SIZE or self._copied + copied > _MOST_COPIED:
            self._cache.clear()
            self._copied = 0
        self._cache[key] = found
        self._copied += copied

    def whole(self, term: str, likeness: float = _JOINED) -> Group | None:
        """Papers with exactly this term."""
        number = self.segment.terms.find(term)
        return None if number < 0 else self._group(number, number + 1, likeness)

    def named(self, start: str) -> NDArray[np.uint32]:
        """Papers by somebody whose name begins so, the last word first or last; a paper may come twice."""
        return self.segment.postings.span(*self.segment.terms.prefix(NAME + start))[0]

    def nearly_named(self, words: Sequence[str]) -> NDArray[np.uint32]:
        """Papers by somebody whose whole name is a slip away from these words, one of which is right.

        A paper may come twice.
        """
        terms, found = self.segment.terms, [NOTHING.group.docs]
        for place, word in enumerate(words):
            others = [*words[:place], *words[place + 1 :]]
            typed = f"{NAME}{word} {' '.join(others)}"
            low, high = terms.prefix(f"{NAME}{word} ")
            if high - low > _MOST_NAMES_READ:
                low, high = terms.prefix(f"{NAME}{word} {others[0][0]}")
            found += [
                self.segment.postings.span(near.term, near.term + 1)[0]
                for near in terms.near_in(typed, range(low, min(high, low + _MOST_NAMES_READ)))
            ]
        return np.concatenate(found)

    def split(self, word: str) -> tuple[Group, str] | None:
        """Papers with the two halves of a word as neighbours, and how the word reads then."""
        # The last letter alone is no half, but a number is: CoAct1 for CoAct-1.
        cuts = range(2, len(word) - (not word[-1].isdigit()))
        halves = (self._halves(word[:cut], word[cut:]) for cut in cuts)
        return max(filter(None, halves), key=lambda found: len(found[0].docs), default=None)

    def _halves(self, left: str, right: str) -> tuple[Group, str] | None:
        first = self.whole(left)
        second = self.whole(right) if first is not None else None
        if first is None or second is None:
            return None
        both, fields = common(first, second)
        if not len(both):
            return None
        if len(both) > _MOST_BOTH:
            return Group(both, fields, _APART), f"{left} {right}"
        # Whether the halves are neighbours isn't in the postings; a few papers with both are read.
        columns, spelt = self.segment.columns, f"{left} {right}".encode()
        title, authors = columns.title.raw, columns.authors.raw
        near = [i for i, doc in enumerate(both.tolist()) if spelt in title(doc) or spelt in authors(doc)]
        return (Group(both[near], fields[near], _SPLIT), spelt.decode()) if near else None

    def _expand(self, word: str, *, known: bool, last: bool, slips: Slips) -> Expansion:
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
            near = self._near(word, half=last and not known, slips=slips) if slips else []
            groups += [self._group(n.term, n.term + 1, _likeness(word, n)) for n in near]
            texts += [n.text for n in near]
            if (last and len(word) >= 2) or (len(word) > SHORT and not known):
                groups += self._begun(word, _TYPING if last else _BEGUN)
        if not groups:
            return NOTHING
        count = len(groups[0].docs)
        groups.sort(key=lambda group: group.likeness)
        found = groups[0] if exact is not None and len(groups) == 1 else merged(groups, len(self.segment))
        return Expansion(found, tuple(texts), count, all_fields(found))

    def _near(self, word: str, *, half: bool, slips: Slips) -> list[Near]:
        terms = self.segment.terms
        if len(word) < SHORTEST_FUZZY or not word[0].isalpha():
            return []
        near = terms.near(word)
        if slips == Slips.LEFT_OUT:
            near = [n for n in near if len(n.text) > len(word) or sorted(n.text) == sorted(word)]
        elif not near and half:
            near = terms.near_prefix(word)
        if not near and slips == Slips.TWO:
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


def _likeness(word: str, near: Near) -> float:
    longest = max(len(word), len(near.text))
    return 1 - (0.9 if near.distance == 1 else 2.4) / longest
