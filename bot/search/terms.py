"""The term dictionary of one segment: exact, by prefix, and within one or two typing slips.

Promises: immutable, flat arrays and one blob of bytes, so a term costs its letters and some eight hashes.
Leaves to others: which of the found terms count for how much (`bot.search.matching`).
"""

from __future__ import annotations

from array import array
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import OSA
from rapidfuzz.process import cdist

from bot.search.columns import Sorted, Strings, encoded, ordered

# Slips are looked up by what is left of a term's first letters when one of them is dropped (SymSpell's
# scheme with prefix filtering): six letters keep the table small and still serve a half-typed word.
HEAD = 6
SHORTEST_FUZZY = 3
_TAIL = "\0"  # before what is left of a term's last letters
_HASH_MASK = 0xFFFFFFFF
_FEW = 40  # words up to which a plain loop is quicker than numpy


class Near(NamedTuple):
    """A term near to the one asked for."""

    term: int
    text: str
    distance: int


class Terms:
    """Sorted terms; a term's number is its place."""

    def __init__(self, terms: Strings) -> None:
        """Take the distinct terms in order of their UTF-8 bytes (which is the order of code points)."""
        self.texts = Sorted(terms.blob, terms.ends)
        self._hashes, self._owners = _head_table(terms)

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def words(self) -> int:
        """About how many terms a slip may be taken for."""
        return len(self._hashes) // (2 * HEAD - 1)

    def text(self, term: int) -> str:
        """The term with this number."""
        return self.texts[term]

    def find(self, term: str) -> int:
        """The term's number, -1 when it is unknown."""
        return self.texts.find(encoded(term))

    def prefix(self, start: str) -> tuple[int, int]:
        """The half-open range of terms that start so."""
        wanted = encoded(start)
        # 0xFF stands in no UTF-8 text, so it sorts behind every continuation.
        return self.texts.place(wanted), self.texts.place(wanted + b"\xff")

    def near(self, word: str, limit: int = 1) -> list[Near]:
        """Terms within `limit` slips (insert, delete, replace, swap), whose digits are the same."""
        parts = _heads(word, drops=limit)
        if limit > 1:
            parts |= _tails(word)
        return self._verified(word, self._owners_of(parts), limit, whole=True)

    def near_prefix(self, start: str) -> list[Near]:
        """Terms of which some beginning is one slip away from `start` (six letters or more)."""
        if len(start) < HEAD:
            return []
        return self._verified(start, self._owners_of(_heads(start, drops=1)), 1, whole=False)

    def near_in(self, text: str, terms: range) -> list[Near]:
        """Which of some terms are one slip away from a text."""
        texts = self.texts.many(terms)
        distances = _distances(text, texts, 1)
        return [Near(*row) for row in zip(terms, texts, distances, strict=True) if row[2] == 1]

    def _owners_of(self, heads: set[str]) -> NDArray[np.uint32]:
        wanted = np.fromiter((hash(head) & _HASH_MASK for head in heads), np.uint32, len(heads))
        low = self._hashes.searchsorted(wanted, "left").tolist()
        high = self._hashes.searchsorted(wanted, "right").tolist()
        spans = [self._owners[a:b] for a, b in zip(low, high, strict=True) if a < b]
        return np.concatenate(spans) if spans else np.empty(0, np.uint32)

    def _verified(self, word: str, owners: NDArray[np.uint32], limit: int, *, whole: bool) -> list[Near]:
        if whole and len(owners) > _FEW:
            # Most owners are words of another length: not read at all.
            longer = self.texts.lengths(owners) - len(word)
            owners = owners[(longer >= -limit) & (longer <= limit)]
        places = list(dict.fromkeys(owners.tolist()))
        texts = self.texts.many(places)
        measure = _distances if whole else _prefix_distances
        wanted = digits(word)
        return [
            Near(place, text, distance)
            for place, text, distance in zip(places, texts, measure(word, texts, limit), strict=True)
            if 0 < distance <= limit and digits(text) == wanted
        ]


def digits(word: str) -> str:
    """The digits of a word: GPT-4 and GPT-3 are different things, however near."""
    return "" if word.isalpha() else "".join(filter(str.isdigit, word))


def _distances(word: str, texts: list[str], limit: int) -> list[int]:
    if len(texts) <= _FEW:
        return [OSA.distance(word, text, score_cutoff=limit) for text in texts]
    # cdist lets go of the interpreter lock, unlike process.extract, but starting it costs as much as some words do.
    found: NDArray[np.uint8] = cdist([word], texts, scorer=OSA.distance, score_cutoff=limit, dtype=np.uint8)
    return list(map(int, found[0]))


def _prefix_distances(start: str, texts: list[str], limit: int) -> list[int]:
    ends = (len(start) - 1, len(start), len(start) + 1)
    return list(map(min, *(_distances(start, [text[:end] for text in texts], limit) for end in ends)))


def _heads(word: str, drops: int) -> set[str]:
    head = word[:HEAD]
    heads = {head}
    for drop in range(1, min(drops, len(head)) + 1):
        heads.update(map("".join, combinations(head, len(head) - drop)))
    return heads


def _tails(word: str) -> set[str]:
    """The same of the last letters, for a long word with both its slips among the first."""
    return {_TAIL + tail for tail in _heads(word[-HEAD:], drops=1)} if len(word) > HEAD else set()


def _head_table(terms: Strings) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    hashes, counts = array("I"), array("B")
    for number in range(len(terms)):
        term = terms[number]
        parts: set[str] = set()
        if len(term) >= SHORTEST_FUZZY and term[0].isalpha() and term.isascii():
            parts = _heads(term, drops=1) | _tails(term)
            hashes.extend([hash(part) & _HASH_MASK for part in parts])
        counts.append(len(parts))
    table = np.asarray(hashes, np.uint32)
    owners = np.repeat(np.arange(len(terms), dtype=np.uint32), np.asarray(counts, np.uint8))
    order = ordered(table)
    return table[order], owners[order]
