"""Sorted runs of terms with their postings made one: those of a few documents each, or of whole segments.

Promises: linear in the postings, little memory beside what comes in and goes out, never one long call that holds the
interpreter lock. Leaves to others: where runs come from (`bot.search.build`, `bot.search.merge`).
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.search.columns import Strings
from bot.search.segment import Postings

_RANGE = 2048  # terms, about, that are brought into order in one go: a millisecond
_SAMPLED = 128  # every such term of a run helps to find where ranges should end
_PLACED = 1024  # terms whose postings are placed in one go


@dataclass(frozen=True, slots=True)
class Run:
    """Terms in order of their bytes, each once, with their postings.

    Attributes:
        terms: The texts, with those of other runs around them perhaps.
        low: The first text of this run.
        high: The text behind its last.
        starts: Where the postings of each text of `terms` begin, and the end.
        docs: The papers, for each text in ascending order.
        fields: The fields the text stands in.
        first: What a paper's place grows by.
    """

    terms: Strings
    low: int
    high: int
    starts: NDArray[np.int64]
    docs: NDArray[np.uint32]
    fields: NDArray[np.uint8]
    first: int = 0

    def __len__(self) -> int:
        return self.high - self.low


def join(runs: Sequence[Run]) -> tuple[Strings, Postings]:
    """All terms of several runs in order, each once, and their postings; papers of an earlier run come first."""
    terms, numbers = _terms(runs)
    return terms, _postings(runs, numbers, len(terms))


def _terms(runs: Sequence[Run]) -> tuple[Strings, list[NDArray[np.uint32]]]:
    """The terms, and each run's numbers for them."""
    numbers = [np.empty(len(run), np.uint32) for run in runs]
    blobs: list[bytes] = []
    ends = array("I", (0,))
    size = 0
    for spans in _ranges(runs):
        found = [
            [run.terms.raw(place) for place in range(low, high)]
            for run, (low, high) in zip(runs, spans, strict=True)
        ]
        together = sorted(set().union(*found))
        number = {text: len(ends) - 1 + i for i, text in enumerate(together)}
        for run, mine, (low, high), texts in zip(runs, numbers, spans, found, strict=True):
            if texts:
                mine[low - run.low : high - run.low] = [number[text] for text in texts]
        for text in together:
            size += len(text)
            ends.append(size)
        blobs.append(b"".join(together))
    return Strings(b"".join(blobs), ends), numbers


def _ranges(runs: Sequence[Run]) -> Iterator[list[tuple[int, int]]]:
    """Spans of all runs that belong together because no other text comes between theirs."""
    sample = sorted(run.terms.raw(at) for run in runs for at in range(run.low, run.high, _SAMPLED))
    lows = [run.low for run in runs]
    for bound in sample[_RANGE // _SAMPLED :: _RANGE // _SAMPLED]:
        highs = [_below(run, low, bound) for run, low in zip(runs, lows, strict=True)]
        yield list(zip(lows, highs, strict=True))
        lows = highs
    yield [(low, run.high) for run, low in zip(runs, lows, strict=True)]


def _below(run: Run, low: int, bound: bytes) -> int:
    """Behind the texts from `low` on that come before `bound`: a few steps ahead, mostly."""
    raw, step = run.terms.raw, 1
    while low + step < run.high and raw(low + step) < bound:
        low, step = low + step, 2 * step
    return bisect_left(range(run.high), bound, low, min(low + step, run.high), key=raw)


def _postings(runs: Sequence[Run], numbers: Sequence[NDArray[np.uint32]], size: int) -> Postings:
    starts = np.zeros(size + 1, np.int64)
    for run, mine in zip(runs, numbers, strict=True):
        starts[1:][mine] += np.diff(run.starts[run.low : run.high + 1])
    np.cumsum(starts, out=starts)
    docs = np.empty(int(starts[-1]), np.uint32)
    fields = np.empty(len(docs), np.uint8)
    free = starts[:-1].copy()
    for run, mine in zip(runs, numbers, strict=True):
        for low in range(run.low, run.high, _PLACED):
            high = min(low + _PLACED, run.high)
            terms = mine[low - run.low : high - run.low]
            begins = run.starts[low : high + 1]
            first, last = int(begins[0]), int(begins[-1])
            counts = np.diff(begins)
            places = np.repeat(free[terms] - begins[:-1], counts)
            places += np.arange(first, last)
            docs[places] = run.docs[first:last] + np.uint32(run.first)
            fields[places] = run.fields[first:last]
            free[terms] += counts
    return Postings(starts, docs, fields)
