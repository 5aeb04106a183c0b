"""A block of papers, indexed once and never changed again but for papers that are taken out.

Promises: flat numpy arrays; safe to search from one thread while another builds the next block.
Leaves to others: what a query means (`bot.search.parse`), how found words count (`bot.search.matching`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.search.columns import Lookup, Starts, Strings
from bot.search.terms import Terms

ORGANISATION = "\x01"  # namespace of terms that are organisation ids
INSTITUTION = "\x02"  # namespace of terms that are whole institution names
NAME = "\x03"  # namespace of terms that are whole names of authors, as printed and with the last word first

TRACKS = (None, "main", "workshop", "other")
PRESENTATIONS = (None, "oral", "spotlight", "poster")


class Field:
    """Where in a paper a term stands, as bits. Plain numbers: an enum's `|` costs a microsecond a word."""

    TITLE: Final = 1
    TITLE_ZH: Final = 2
    AUTHOR: Final = 4
    INSTITUTION: Final = 8
    ALIAS: Final = 16  # the term is the institution's whole name or acronym
    FILTER: Final = 32  # a namespaced term


@dataclass(slots=True)
class Columns:
    """What is known of each paper beside its words; `alive` is the one thing that changes."""

    ids: NDArray[np.int64]
    newest: NDArray[np.int64]
    year: NDArray[np.int16]  # 0 = unknown
    track: NDArray[np.uint8]  # place in TRACKS
    presentation: NDArray[np.uint8]  # place in PRESENTATIONS
    alive: NDArray[np.bool_]
    title: Strings  # normal forms
    title_zh: Strings
    authors: Strings  # one name a line
    pinyin: Strings  # of the Chinese title, without spaces
    initials: Strings


class Postings:
    """For each term the papers that have it and the fields it stands in."""

    def __init__(
        self, starts: NDArray[np.int64], docs: NDArray[np.uint32], fields: NDArray[np.uint8]
    ) -> None:
        """Take papers and fields in order of term and paper; `starts` says where each term's begin, and the end."""
        self.starts = starts
        self.docs = docs
        self.fields = fields

    def span(self, low: int, high: int) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
        """Papers and fields of the terms `low` to `high` (half open); a paper may come twice."""
        a, b = int(self.starts[low]), int(self.starts[high])
        return self.docs[a:b], self.fields[a:b]

    def count(self, term: int) -> int:
        """In how many papers a term stands."""
        return int(self.starts[term + 1] - self.starts[term])


@dataclass(slots=True)
class Block:
    """All that is stored of some papers; a segment adds what look-ups need and can be worked out from it."""

    columns: Columns
    terms: Strings  # distinct, in order of their bytes
    postings: Postings
    keys: Lookup


class Segment:
    """Papers with their term dictionary and postings."""

    def __init__(self, block: Block) -> None:
        """Prepare look-ups in what `bot.search.build` or `bot.search.merge` put together."""
        columns = block.columns
        self.columns = columns
        self.terms = Terms(block.terms)
        self.postings = block.postings
        self.keys = block.keys
        self.starts = Starts(columns.title)
        order = np.argsort(columns.ids, kind="stable")
        self._ids, self._places = columns.ids[order], order.astype(np.uint32)

    def __len__(self) -> int:
        return len(self.columns.ids)

    def place_of(self, paper: int) -> int:
        """Where a paper stands, -1 when it isn't here."""
        place = int(np.searchsorted(self._ids, paper))
        if place < len(self._ids) and int(self._ids[place]) == paper:
            return int(self._places[place])
        return -1

    def kill(self, papers: NDArray[np.int64]) -> None:
        """Take papers out; those that aren't here are ignored."""
        if len(self._ids):
            at = np.minimum(self._ids.searchsorted(papers), len(self._ids) - 1)
            self.columns.alive[self._places[at[self._ids[at] == papers]]] = False
