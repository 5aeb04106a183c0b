"""From the words of a query to what each of them found and weighs.

Promises: words, joined and split words, whole names of institutions, years, tracks and presentations, all as groups
of papers. Leaves to others: adding the words up (`bot.search.candidates`) and judging papers (`bot.search.rerank`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

import numpy as np

from bot.search.lookup import SHORT, Expansion, Group, Matcher
from bot.search.parse import Facet, Words
from bot.search.segment import INSTITUTION, PRESENTATIONS, TRACKS, Field, Segment
from bot.text import is_cjk, pieces

# Words that say nothing about which paper is meant; in a small collection their rarity would mislead.
_STOP = {
    "a", "an", "the", "of", "for", "in", "on", "with", "to", "and", "or", "via", "from", "by", "is",
    "are", "be", "as", "at", "we", "how", "what", "can", "do", "does", "it", "its", "this", "that",
    "i", "my", "me", "you", "your", "not", "no", "all", "any", "some", "than", "into", "using",
    "towards", "toward", "when", "why", "who", "which", "there", "their", "was", "about", "near",
    "title", "paper", "papers", "的", "了", "和", "与", "在", "是", "对",
}  # fmt: skip
_STOP_WEIGHT = 0.08
_FACET_WEIGHT = 0.15
_LEAST_WEIGHT = 0.06
_RARE = 5  # papers with a word up to which it may be two words that somebody joined
_UNKNOWN_PAIR = 0.5
_CHARACTER = 0.35  # share of a single character beside the pairs of a Chinese run
# What an unknown word weighs by its letters: a short one is more often a slip in a small word than a name.
_LETTERS = (0.0, 0.15, 0.3, 0.5, 0.8, 1.0)


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
    address: bool = False  # part of an institution's whole name

    @property
    def telling(self) -> bool:
        """Whether it says which paper is meant: no small word, no initial, no year."""
        return (
            self.atom.text not in _STOP
            and self.atom.facet is None
            and (len(self.atom.text) > 1 or not self.known)
        )

    @property
    def fields(self) -> int:
        """Every field that any paper has it in."""
        return reduce(or_, (e.fields for e in self.expansions), 0)

    @property
    def found(self) -> bool:
        """Whether any paper answers for it."""
        return any(e.groups for e in self.expansions)

    def plus(self, groups: Sequence[Group | None], read: str) -> Match:
        """The same with a further group per segment, and another reading unless the word itself is known."""
        expansions = tuple(
            e if g is None else e.plus(g) for e, g in zip(self.expansions, groups, strict=True)
        )
        return replace(self, expansions=expansions, read=self.read if self.known and read else read)


def match(words: Words, matchers: Sequence[Matcher], *, wide: bool) -> list[Match]:
    """Every atom of a query with what it found and what it weighs.

    `wide` looks for neighbours of known words too.
    """
    total = sum(len(m.segment) for m in matchers)
    alone = sum(len(word) > 1 and word not in _STOP for word in words.words) <= 1
    found = [_match(atom, matchers, total, wide=wide, alone=alone) for atom in _atoms(words)]
    _join_neighbours(found, matchers)
    _split_unknown(found, matchers, wide=wide)
    _whole_institutions(found, words, matchers)
    return found


def _atoms(words: Words) -> list[Atom]:
    result = []
    final = len(words.words) - 1
    for place, word in enumerate(words.words):
        parts = pieces(word)
        last = place == final and words.open_end
        for part in parts:
            # Pairs tell Chinese words apart, single characters only help where one is mistyped.
            share = _CHARACTER if len(part) == 1 < len(parts) else 1.0
            result.append(Atom(part, place, share, last and len(parts) == 1, words.facets[place]))
    return result


def _match(atom: Atom, matchers: Sequence[Matcher], total: int, *, wide: bool, alone: bool) -> Match:
    known = any(m.segment.terms.find(atom.text) >= 0 for m in matchers)
    # A short word is an acronym more often than a slip: MIT is no misspelt fit, and alone it is taken as it is.
    short = len(atom.text) < SHORT or (alone and len(atom.text) == SHORT)
    fuzzy = (wide and not short) if known else not (alone and len(atom.text) <= SHORT)
    expansions = [m.expand(atom.text, known=known, last=atom.last, fuzzy=fuzzy) for m in matchers]
    if alone and not known and len(atom.text) == SHORT + 1:
        # Five letters are a slip away from some surname whatever they are.
        expansions = [e.only(Field.TITLE | Field.TITLE_ZH) for e in expansions]
    count = sum(e.count for e in expansions)
    read = atom.text if known else next((e.texts[0] for e in expansions if e.texts), atom.text)
    if atom.facet is not None:
        fitting = [_fitting(atom.facet, m.segment) for m in matchers]
        expansions = [e.plus(g) if g else e for e, g in zip(expansions, fitting, strict=True)]
    return Match(atom, _weight(atom, count, total), known, tuple(expansions), read)


def _weight(atom: Atom, count: int, total: int) -> float:
    if atom.facet is not None:
        return 0.0 if atom.facet.kind == "conference" else _FACET_WEIGHT
    if atom.text in _STOP:
        return _STOP_WEIGHT
    plain = atom.text[0].isdigit()
    # A wrong character makes two unknown pairs: each weighs half.
    letters = (
        _UNKNOWN_PAIR
        if is_cjk(atom.text)
        else 1.0
        if plain
        else _LETTERS[min(len(atom.text), len(_LETTERS) - 1)]
    )
    if not count:
        return letters * atom.share
    rarity = math.log((total + 1) / (count + 1)) / math.log(total + 2)
    return (
        max(_LEAST_WEIGHT, rarity)
        * atom.share
        * (letters if len(atom.text) == 1 and not is_cjk(atom.text) else 1.0)
    )


def _fitting(facet: Facet, segment: Segment) -> Group | None:
    columns = segment.columns
    if facet.kind == "year":
        fits = columns.year == int(facet.value)
    elif facet.kind == "track":
        fits = columns.track == TRACKS.index(facet.value)
    elif facet.kind == "presentation":
        fits = columns.presentation == PRESENTATIONS.index(facet.value)
    else:
        return None
    docs = np.flatnonzero(fits).astype(np.uint32)
    return Group(docs, np.full(len(docs), Field.FILTER, np.uint8), 1.0)


def _join_neighbours(found: list[Match], matchers: Sequence[Matcher]) -> None:
    """Two or three words that some paper writes as one: log quant for LogQuant."""
    for width in (2, 3):
        for first in range(len(found) - width + 1):
            window = found[first : first + width]
            word = "".join(m.atom.text for m in window)
            if not word.isascii():
                continue
            groups = [m.whole(word) for m in matchers]
            if any(groups):
                known = all(m.known for m in window)
                read = [m.read for m in window] if known else [word] + [""] * (width - 1)
                found[first : first + width] = [m.plus(groups, r) for m, r in zip(window, read, strict=True)]


def _split_unknown(found: list[Match], matchers: Sequence[Matcher], *, wide: bool) -> None:
    """A word that no paper has, but some have its halves side by side: logquant for Log Quant."""
    for place, one in enumerate(found):
        word = one.atom.text
        rare = wide and sum(e.count for e in one.expansions) <= _RARE
        if (one.known and not rare) or len(word) < SHORT or not word.isascii():
            continue
        halves = [m.split(word) for m in matchers]
        spelt = next((half[1] for half in halves if half is not None), None)
        if spelt is not None:
            found[place] = one.plus([half[0] if half else None for half in halves], spelt)


def _whole_institutions(found: list[Match], words: Words, matchers: Sequence[Matcher]) -> None:
    """Words that together are an institution's whole name find its papers before others with the same words."""
    if not any(m.telling and m.fields & Field.INSTITUTION for m in found):
        return
    first, end, name = _longest_name(words.words, matchers)
    if not name:
        return
    groups = [m.whole(name, 1.0) for m in matchers]
    for place, one in enumerate(found):
        if first <= one.atom.place < end:
            found[place] = replace(one.plus(groups, one.read), address=True)


def _longest_name(words: tuple[str, ...], matchers: Sequence[Matcher]) -> tuple[int, int, str]:
    """Where the longest whole name of an institution begins and ends, and its term; "" for none."""
    best = (0, 0, "")
    for first in range(len(words)):
        for end in range(first + 1, len(words) + 1):
            name = INSTITUTION + " ".join(words[first:end])
            spans = [m.segment.terms.prefix(name) for m in matchers]
            if all(low == high for low, high in spans):
                break
            if end - first > best[1] - best[0] and any(m.segment.terms.find(name) >= 0 for m in matchers):
                best = (first, end, name)
    return best
