"""Several segments made one, without the documents they came from.

Promises: the living papers in their order, the same answers as before. Runs beside lookups: what takes long is
either numpy without the interpreter lock or plain byte code, never one long call.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bot.search.columns import Lookup, Strings
from bot.search.runs import Run, join
from bot.search.segment import Block, Columns, Postings, Segment

_COUNTED = 16_384  # terms whose papers are counted in one go


def merge(segments: Sequence[Segment]) -> Segment:
    """One segment of the living papers of several."""
    blocks = [living(Block(s.columns, s.terms.texts, s.postings, s.keys)) for s in segments]
    firsts = np.cumsum([0, *(len(block.columns.ids) for block in blocks)]).tolist()
    runs = [
        Run(b.terms, 0, len(b.terms), b.postings.starts, b.postings.docs, b.postings.fields, first)
        for b, first in zip(blocks, firsts, strict=False)
    ]
    terms, postings = join(runs)
    keys = Lookup(
        np.concatenate([b.keys.hashes for b in blocks]),
        np.concatenate([b.keys.places + np.uint32(n) for b, n in zip(blocks, firsts, strict=False)]),
    )
    return Segment(Block(_columns([block.columns for block in blocks]), terms, postings, keys))


def living(block: Block) -> Block:
    """The same without papers that were taken out, and without terms that only these had."""
    alive = block.columns.alive
    if alive.all():
        return block
    places = np.cumsum(alive, dtype=np.uint32) - np.uint32(1)
    kept = alive[block.postings.docs]
    counts = _counts(kept, block.postings.starts)
    used = counts > 0
    starts = np.zeros(int(used.sum()) + 1, np.int64)
    np.cumsum(counts[used], out=starts[1:])
    known = alive[block.keys.places]
    return Block(
        _living_columns(block.columns),
        block.terms.only(used),
        Postings(starts, places[block.postings.docs[kept]], block.postings.fields[kept]),
        Lookup(block.keys.hashes[known], places[block.keys.places[known]]),
    )


def _counts(kept: NDArray[np.bool_], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many are kept of each span; in slices, because `reduceat` holds the interpreter lock."""
    counts = np.zeros(len(starts) - 1, np.int64)
    for low in range(0, len(counts), _COUNTED):
        begins = starts[low : low + _COUNTED + 1]
        # No span is empty: every term has a paper.
        np.add.reduceat(
            kept[begins[0] : begins[-1]], begins[:-1] - begins[0], out=counts[low : low + _COUNTED]
        )
    return counts


def _living_columns(columns: Columns) -> Columns:
    alive = columns.alive
    return Columns(
        ids=columns.ids[alive],
        newest=columns.newest[alive],
        year=columns.year[alive],
        track=columns.track[alive],
        presentation=columns.presentation[alive],
        alive=alive[alive],
        title=columns.title.only(alive),
        title_zh=columns.title_zh.only(alive),
        authors=columns.authors.only(alive),
        pinyin=columns.pinyin.only(alive),
        initials=columns.initials.only(alive),
    )


def _columns(parts: Sequence[Columns]) -> Columns:
    return Columns(
        ids=np.concatenate([part.ids for part in parts]),
        newest=np.concatenate([part.newest for part in parts]),
        year=np.concatenate([part.year for part in parts]),
        track=np.concatenate([part.track for part in parts]),
        presentation=np.concatenate([part.presentation for part in parts]),
        alive=np.concatenate([part.alive for part in parts]),
        title=Strings.joined([part.title for part in parts]),
        title_zh=Strings.joined([part.title_zh for part in parts]),
        authors=Strings.joined([part.authors for part in parts]),
        pinyin=Strings.joined([part.pinyin for part in parts]),
        initials=Strings.joined([part.initials for part in parts]),
    )
