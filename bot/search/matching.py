"""From the words of a query to what each of them found and weighs.

Promises: words, joined and split words, whole names of institutions and people, all as groups of papers.
Leaves to others: years and the like, adding the words up (`bot.search.candidates`), judging papers
(`bot.search.rerank`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.search.atoms import STOP, Atom, Match, slips_of, weight_of
from bot.search.groups import Group
from bot.search.lookup import SHORT, Matcher
from bot.search.naming import People, whole_institutions, whole_names
from bot.search.parse import Words
from bot.search.segment import Field
from bot.text import pieces

_CHARACTER = 0.35  # share of a single character beside the pairs of a Chinese run


class Matches(NamedTuple):
    """All atoms of a query."""

    atoms: list[Match]
    people: People  # where the text is nothing but somebody's name
    half: bool  # the name may be half typed
    address: tuple[Group | None, ...]  # papers by segment of the institution that is named; may be empty


def match(words: Words, matchers: Sequence[Matcher], *, wide: bool) -> Matches:
    """Every atom of a query with what it found and what it weighs.

    `wide` looks for neighbours of known words too.
    """
    total = sum(len(m.segment) for m in matchers)
    telling = sum(len(word) > 1 and word not in STOP for word in words.words)
    company = telling if len(words.words) > 1 else 0
    found = [_match(atom, matchers, total, wide=wide, company=company) for atom in _atoms(words)]
    fields = [0] * len(words.words)
    for one in found:
        fields[one.atom.place] |= one.fields
    people, half = whole_names(found, words, fields, matchers, wide=wide)
    _join_neighbours(found, matchers)
    _split_unknown(found, matchers, wide=wide)
    return Matches(found, people, half, whole_institutions(found, words, fields, matchers))


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


def _match(atom: Atom, matchers: Sequence[Matcher], total: int, *, wide: bool, company: int) -> Match:
    known = any(m.segment.terms.find(atom.text) >= 0 for m in matchers)
    slips = slips_of(len(atom.text), matchers, known=known, wide=wide, company=company)
    expansions = [m.expand(atom.text, known=known, last=atom.last, slips=slips) for m in matchers]
    if company <= 1 and not known and len(atom.text) == SHORT + 1:
        # Five letters are a slip away from some surname whatever they are.
        expansions = [e.only(Field.TITLE | Field.TITLE_ZH) for e in expansions]
    count = sum(e.papers for e in expansions)
    read = atom.text if known else next((e.texts[0] for e in expansions if e.texts), atom.text)
    return Match(atom, weight_of(atom, count, total), known, tuple(expansions), read)


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
    """A word that no paper has, but some have its halves side by side: logquant for Log Quant.

    `wide`: papers may have the word as well, from an author who writes it so.
    """
    for place, one in enumerate(found):
        word = one.atom.text
        if (one.known and not wide) or len(word) < SHORT or not word.isascii():
            continue
        halves = [m.split(word) for m in matchers]
        spelt = next((half[1] for half in halves if half is not None), None)
        if spelt is not None:
            found[place] = one.plus([half[0] if half else None for half in halves], spelt)
