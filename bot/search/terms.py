"""The term dictionary of one segment: exact, by prefix, and within one or two typing slips.

Promises: immutable, flat arrays and one blob of bytes, so a term costs its letters and some eight hashes.
Leaves to others: which of the found terms count for how much (`bot.search.matching`).
"""

from __future__ import annotations

from array import array
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
_HASH_MASK = 0xFFFFFFFF


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
        self._last = len(terms) - 1
        self._hashes, self._owners = _head_table(terms)

    def __len__(self) -> int:
        return len(self.texts)

    def text(self, term: int) -> str:
        """The term with this number."""
        return self.texts[term]

    def find(self, term: str) -> int:
        """The term's number, -1 when it is unknown."""
        wanted = encoded(term)
        place = self.texts.place(wanted)
        return place if place <= self._last and self.texts.raw(place) == wanted else -1

    def prefix(self, start: str) -> tuple[int, int]:
        """The half-open range of terms that start so."""
        wanted = encoded(start)
        # 0xFF stands in no UTF-8 text, so it sorts behind every continuation.
        return self.texts.place(wanted), self.texts.place(wanted + b"\xff")

    def near(self, word: str, limit: int = 1) -> list[Near]:
        """Terms within `limit` slips (insert, delete, replace, swap), whose digits are the same."""
        return self._verified(word, self._owners_of(_heads(word, drops=limit)), limit, whole=True)

    def near_prefix(self, start: str) -> list[Near]:
        """Terms of which some beginning is one slip away from `start` (six letters or more)."""
        if len(start) < HEAD:
            return []
        return self._verified(start, self._owners_of(_heads(start, drops=1)), 1, whole=False)

    def _owners_of(self, heads: set[str]) -> NDArray[np.uint32]:
        wanted = np.fromiter((hash(head) & _HASH_MASK for head in heads), np.uint32, len(heads))
        low = np.searchsorted(self._hashes, wanted, "left")
        high = np.searchsorted(self._hashes, wanted, "right")
        spans = [self._owners[a:b] for a, b in zip(low.tolist(), high.tolist(), strict=True) if a < b]
        return np.unique(np.concatenate(spans)) if spans else np.empty(0, np.uint32)

    def _verified(self, word: str, owners: NDArray[np.uint32], limit: int, *, whole: bool) -> list[Near]:
        texts = self.texts.many(owners.tolist())
        if not texts:
            return []
        distances = _distances(word, texts, limit) if whole else _prefix_distances(word, texts)
        wanted = digits(word)
        return [
            Near(int(owners[i]), texts[i], int(distances[i]))
            for i in np.flatnonzero((distances <= limit) & (distances > 0)).tolist()
            if digits(texts[i]) == wanted
        ]


def digits(word: str) -> str:
    """The digits of a word: GPT-4 and GPT-3 are different things, however near."""
    return "" if word.isalpha() else "".join(filter(str.isdigit, word))


def _distances(word: str, texts: list[str], limit: int) -> NDArray[np.uint8]:
    # cdist lets go of the interpreter lock, unlike process.extract.
    found: NDArray[np.uint8] = cdist([word], texts, scorer=OSA.distance, score_cutoff=limit, dtype=np.uint8)
    return found.reshape(-1)


def _prefix_distances(start: str, texts: list[str]) -> NDArray[np.uint8]:
    shorter, same, longer = (
        _distances(start, [text[: len(start) + extra] for text in texts], 1) for extra in (-1, 0, 1)
    )
    return np.minimum(np.minimum(shorter, same), longer)


def _heads(word: str, drops: int) -> set[str]:
    heads = {word[:HEAD]}
    for _ in range(drops):
        heads |= {head[:i] + head[i + 1 :] for head in heads for i in range(len(head))}
    return heads


def _head_table(terms: Strings) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    hashes, counts = array("I"), array("B")
    for number in range(len(terms)):
        term = terms[number]
        heads: set[str] = set()
        if len(term) >= SHORTEST_FUZZY and term[0].isalpha() and term.isascii():
            heads = _heads(term, drops=1)
            hashes.extend([hash(head) & _HASH_MASK for head in heads])
        counts.append(len(heads))
    table = np.asarray(hashes, np.uint32)
    owners = np.repeat(np.arange(len(terms), dtype=np.uint32), np.asarray(counts, np.uint8))
    order = ordered(table)
    return table[order], owners[order]
