"""How a query was read: slips replaced by the words they were taken for.

Promises: the words in their order, years and the like left out. Leaves to others what papers make of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.search.matching import Match
from bot.search.parse import Words
from bot.search.segment import Field
from bot.text import is_cjk


@dataclass(frozen=True, slots=True)
class Reading:
    """The query as typed and as it was read: slips replaced by the words they were taken for."""

    typed: str
    read: str
    words: tuple[str, ...]
    names: bool  # some word is part of an author's name
    acronym: bool

    @classmethod
    def of(cls, words: Words, matches: Sequence[Match]) -> Reading:
        """The reading that the matches suggest; years, tracks and the like are left out."""
        best = {m.atom.place: m.read for m in matches if not is_cjk(words.words[m.atom.place])}
        kept = [p for p, facet in enumerate(words.facets) if facet is None]
        read = [best.get(p, words.words[p]) for p in kept]
        # Likeness to a whole name is worth its price only where each word may be part of one.
        names = all(m.fields & Field.AUTHOR for m in matches if m.found) and any(m.fields for m in matches)
        typed = " ".join(words.words[p] for p in kept)
        return cls(typed, " ".join(filter(None, read)), tuple(filter(None, read)), names, words.acronym)
