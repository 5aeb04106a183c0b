"""How a query was read: slips replaced by the words they were taken for.

Promises: the words in their order, years and the like left out. Leaves to others what papers make of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.search.matching import Matches
from bot.search.parse import Words
from bot.search.segment import Field
from bot.text import is_cjk

NUMBER = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Reading:
    """The query as typed and as it was read: slips replaced by the words they were taken for."""

    typed: str
    read: str
    words: tuple[str, ...]
    others: tuple[frozenset[str], ...]  # for each word all that it may be; empty where there is no doubt
    names: bool  # it may be an author's name
    acronym: bool
    numbers: tuple[str, ...]  # numbers that belong to a title, not to an address
    people: tuple[NDArray[np.uint32], ...] | None  # by segment, papers of the person whose name it is
    half: bool  # that name may be half typed

    @classmethod
    def of(cls, words: Words, matches: Matches, *, wide: bool) -> Reading:
        """The reading that the matches suggest; years, tracks and the like are left out."""
        atoms = matches.atoms
        best = {m.atom.place: m.read for m in atoms if not is_cjk(words.words[m.atom.place])}
        kept = [p for p, facet in enumerate(words.facets) if facet is None]
        read = [best.get(p, words.words[p]) for p in kept]
        # Likeness to a whole name is worth its price only where each word may be part of one, slips aside.
        telling = [m for m in atoms if m.found and m.telling]
        enough = any if wide else all
        names = bool(telling) and enough(m.fields & Field.AUTHOR for m in telling)
        typed = " ".join(words.words[p] for p in kept)
        numbers = tuple(
            number
            for m in atoms
            if m.atom.facet is None and not m.address and (not m.fields or m.fields & Field.TITLE)
            if not m.atom.text.isalpha()
            for number in NUMBER.findall(m.atom.text)
        )
        doubtful = any(len(e.texts) > 1 for m in atoms for e in m.expansions)
        return cls(
            typed,
            " ".join(filter(None, read)),
            tuple(filter(None, read)),
            _others(words, matches, kept) if doubtful else (),
            names,
            words.acronym,
            numbers,
            matches.people,
            matches.half,
        )


def _others(words: Words, matches: Matches, kept: list[int]) -> tuple[frozenset[str], ...]:
    texts: dict[int, set[str]] = {place: {words.words[place]} for place in kept}
    for one in matches.atoms:
        if one.atom.place in texts:
            texts[one.atom.place].update(text for e in one.expansions for text in e.texts)
    return tuple(frozenset(texts[place]) for place in kept)
