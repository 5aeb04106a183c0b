"""Several segments made one, without the documents they came from.

Promises: the living papers in their order, the same answers as before. Runs beside lookups: what takes long is
either numpy without the interpreter lock or plain byte code, never one long call.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from bot.search.columns import Lookup, Strings
from bot.search.segment import Columns, Postings, Segment
from bot.search.terms import Terms

_GONE = np.uint32(0xFFFFFFFF)


def merge(segments: Sequence[Segment]) -> Segment:
    """One segment of the living papers of several."""
    alive = [np.flatnonzero(segment.columns.alive) for segment in segments]
    places = _new_places(segments, alive)
    terms, numbers = _terms(segments)
    return Segment(
        _columns(segments, alive),
        Terms(terms),
        _postings(segments, places, numbers, len(terms)),
        _keys(segments, places),
    )


def _new_places(segments: Sequence[Segment], alive: Sequence[NDArray[np.intp]]) -> list[NDArray[np.uint32]]:
    places, first = [], 0
    for segment, living in zip(segments, alive, strict=True):
        new = np.full(len(segment), _GONE, np.uint32)
        new[living] = np.arange(first, first + len(living), dtype=np.uint32)
        first += len(living)
        places.append(new)
    return places


def _terms(segments: Sequence[Segment]) -> tuple[list[str], list[NDArray[np.uint32]]]:
    """All terms that a living paper has, sorted, and each segment's numbers for them."""
    numbers = [np.full(len(segment.terms), _GONE, np.uint32) for segment in segments]
    streams = [_stream(which, segment) for which, segment in enumerate(segments)]
    terms: list[str] = []
    for text, group in groupby(heapq.merge(*streams), key=lambda row: row[0]):
        for _, which, term in group:
            numbers[which][term] = len(terms)
        terms.append(text.decode())
    return terms, numbers


def _stream(which: int, segment: Segment) -> Iterator[tuple[bytes, int, int]]:
    for term in _used(segment).tolist():
        yield segment.terms.texts.raw(term), which, term


def _used(segment: Segment) -> NDArray[np.intp]:
    living = segment.columns.alive[segment.postings.docs]
    return np.flatnonzero(np.bincount(_owners(segment)[living], minlength=len(segment.terms)))


def _owners(segment: Segment) -> NDArray[np.uint32]:
    return np.repeat(np.arange(len(segment.terms), dtype=np.uint32), np.diff(segment.postings.starts))


def _postings(
    segments: Sequence[Segment],
    places: Sequence[NDArray[np.uint32]],
    numbers: Sequence[NDArray[np.uint32]],
    size: int,
) -> Postings:
    docs = np.concatenate([p[s.postings.docs] for s, p in zip(segments, places, strict=True)])
    terms = np.concatenate([n[_owners(s)] for s, n in zip(segments, numbers, strict=True)])
    fields = np.concatenate([s.postings.fields for s in segments])
    living = docs != _GONE
    docs, terms, fields = docs[living], terms[living], fields[living]
    # Stable: within a term the papers of an earlier segment stay before those of a later one.
    order = np.argsort(terms, kind="stable")
    return Postings(terms[order], docs[order], fields[order], size)


def _keys(segments: Sequence[Segment], places: Sequence[NDArray[np.uint32]]) -> Lookup:
    hashes = np.concatenate([s.keys.hashes for s in segments])
    owners = np.concatenate([p[s.keys.places] for s, p in zip(segments, places, strict=True)])
    living = owners != _GONE
    return Lookup(hashes[living], owners[living])


def _columns(segments: Sequence[Segment], alive: Sequence[NDArray[np.intp]]) -> Columns:
    rows = [(segment.columns, living) for segment, living in zip(segments, alive, strict=True)]

    def texts(name: str) -> Strings:
        parts: list[tuple[Strings, NDArray[np.intp]]] = [(getattr(c, name), living) for c, living in rows]
        return Strings(raw=[strings.raw(place) for strings, living in parts for place in living.tolist()])

    return Columns(
        ids=np.concatenate([c.ids[living] for c, living in rows]),
        newest=np.concatenate([c.newest[living] for c, living in rows]),
        year=np.concatenate([c.year[living] for c, living in rows]),
        track=np.concatenate([c.track[living] for c, living in rows]),
        presentation=np.concatenate([c.presentation[living] for c, living in rows]),
        alive=np.ones(sum(len(living) for _, living in rows), np.bool_),
        title=texts("title"),
        title_zh=texts("title_zh"),
        authors=texts("authors"),
        pinyin=texts("pinyin"),
        initials=texts("initials"),
    )
