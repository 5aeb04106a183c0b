"""The pieces of a query: what each is, what it weighs, and how wrong it may be.

Promises: rare words weigh more than common ones, small words next to nothing; no slip is allowed where chance would do
as much. Leaves to others: looking them up (`bot.search.matching`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from bot.search.groups import Expansion, Group
from bot.search.lookup import SHORT, Matcher, Slips
from bot.search.parse import Facet
from bot.text import is_cjk

# Words that say nothing about which paper is meant; in a small collection their rarity would mislead.
STOP = {
    "a", "an", "the", "of", "for", "in", "on", "with", "to", "and", "or", "via", "from", "by", "is",
    "are", "be", "as", "at", "we", "how", "what", "can", "do", "does", "it", "its", "this", "that",
    "i", "my", "me", "you", "your", "not", "no", "all", "any", "some", "than", "into", "using",
    "towards", "toward", "when", "why", "who", "which", "there", "their", "was", "about", "near",
    "title", "paper", "papers", "的", "了", "和", "与", "在", "是", "对",
}  # fmt: skip
_STOP_WEIGHT = 0.08
_FACET_WEIGHT = 0.15
_LEAST_WEIGHT = 0.06
_LONG = 7  # letters from which an unknown word may have two slips
_OF_THAT_LENGTH = 0.2  # share of a collection's words that have as many letters, give or take the slips
_MOST_CHANCE, _MOST_CHANCE_IN_COMPANY = 0.03, 0.1
_MOST_LETTERS = 20  # from which chance is out of the question
_UNKNOWN_PAIR = 0.5
# What an unknown word weighs by its letters: a short one is more often a slip in a small word than a name.
_LETTERS = (0.0, 0.15, 0.3, 0.5, 0.8, 1.0)


class Atom(NamedTuple):
    """One thing to look up: a word, or a character or pair of a Chinese run."""

    text: str
    place: int  # of the word in the query
    share: float  # of the word's weight
    last: bool
    facet: Facet | None


class Match(NamedTuple):
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
            self.atom.text not in STOP
            and self.atom.facet is None
            and (len(self.atom.text) > 1 or not self.known)
        )

    @property
    def fields(self) -> int:
        """Every field that any paper has it in."""
        fields = 0
        for expansion in self.expansions:
            fields |= expansion.fields
        return fields

    @property
    def found(self) -> bool:
        """Whether any paper answers for it."""
        return not all(e.empty for e in self.expansions)

    def plus(self, groups: Sequence[Group | None], read: str) -> Match:
        """The same with a further group per segment, and another reading unless the word itself is known."""
        both = zip(self.expansions, groups, strict=True)
        expansions = tuple(e if g is None else e.plus(g) for e, g in both)
        return self._replace(expansions=expansions, read=self.read if self.known and read else read)


def slips_of(letters: int, matchers: Sequence[Matcher], *, known: bool, wide: bool, company: int) -> Slips:
    """How wrong a word may be.

    A short word is an acronym more often than a slip: MIT is no misspelt fit. And a word without company, or a short
    one with small words only, may have only slips that chance would hardly turn into one of the collection's words.
    """
    alone = company <= 1
    if known:
        return Slips.ONE if wide and letters >= SHORT + alone else Slips.NONE
    words = sum(m.segment.terms.words for m in matchers)
    if alone and letters <= SHORT:
        few = company and letters == SHORT and _chance(letters, 1, words) <= _MOST_CHANCE_IN_COMPANY
        return Slips.ONE if few else Slips.NONE
    most = Slips.TWO if letters >= _LONG else Slips.ONE
    if company:
        return most
    while most > Slips.LEFT_OUT and _chance(letters, most - Slips.LEFT_OUT, words) > _MOST_CHANCE:
        most = Slips(most - 1)
    return most


def _chance(letters: int, slips: int, words: int) -> float:
    """How many of a collection's words are so near to letters at random."""
    # Each place takes 26 letters in or another one in place, goes, or swaps; the order of two slips is no matter.
    near: float = (53 * letters + 26) ** slips / slips
    return words * _OF_THAT_LENGTH * near / 26.0 ** min(letters, _MOST_LETTERS)


def weight_of(atom: Atom, count: int, total: int) -> float:
    """What an atom counts that stands in `count` of `total` papers."""
    if atom.facet is not None:
        return 0.0 if atom.facet.kind == "conference" else _FACET_WEIGHT
    if atom.text in STOP:
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
