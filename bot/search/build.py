"""From documents to a segment, one document at a time so that other threads have their turn between two.

Promises: no work shared with searches; little memory beside the segment, and none of it left behind; a document
without any words is legal. Leaves to others: threads.
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bot import pinyin
from bot.search.columns import Growing, Lookup, Strings, ordered
from bot.search.merge import living
from bot.search.model import Document
from bot.search.runs import Run, join
from bot.search.segment import (
    INSTITUTION,
    NAME,
    ORGANISATION,
    PRESENTATIONS,
    TRACKS,
    Block,
    Columns,
    Field,
    Postings,
    Segment,
)
from bot.text import is_cjk, normalise, pieces, tokens, two_letter_forms

_COMPOUND = re.compile(r"[^\W\d_]+[-‐‑–][^\W\d_]+")

# Terms are Python strings only while a run of some 2,000 papers is taken in; a dictionary of them all would leave
# pools behind that the process never gives back.
_MOST_TERMS = 16_384
_MOST_NAMES = 8_192


class Builder:
    """Collects documents; `finish` makes the segment."""

    def __init__(self, most_terms: int = _MOST_TERMS) -> None:
        """Start empty; `most_terms` bounds what is kept as Python strings, and changes nothing in the outcome."""
        self._most_terms = most_terms
        self._ids, self._newest = array("q"), array("q")
        self._year, self._track, self._presentation = array("h"), array("B"), array("B")
        self._titles, self._titles_zh, self._authors = Growing(), Growing(), Growing()
        self._pinyin, self._initials = Growing(), Growing()
        self._keys, self._key_places = array("Q"), array("I")
        # Authors and institutions come again and again: their words are worked out once a name.
        self._names: dict[str, tuple[str, tuple[str, ...]]] = {}
        # The run that is being collected: triples of term, paper and fields.
        self._numbers: dict[str, int] = {}
        self._run = _Triples()
        # Runs that are done: sorted terms, in how many papers each stands, which and where.
        self._terms, self._counts = Growing(), array("I")
        self._docs, self._fields = array("I"), array("B")
        self._ends = [0]

    def add(self, document: Document) -> None:
        """Take one paper in; a later one with the same id replaces it."""
        place = len(self._ids)
        self._add_facts(document, place)
        found: dict[str, int] = {}
        self._add_title(document, found)
        self._add_title_zh(document.title_zh or "", found)
        self._add_authors(document.authors, found)
        self._add_institutions(document, found)
        numbers, run = self._numbers, self._run
        for term, fields in found.items():
            run.terms.append(numbers.setdefault(term, len(numbers)))
            run.docs.append(place)
            run.fields.append(fields)
        if len(numbers) >= self._most_terms:
            self._end_run()

    def finish(self) -> Segment:
        """The segment of all papers added; the builder is spent."""
        terms, postings = self._joined_runs()
        keys = Lookup(np.asarray(self._keys, np.uint64), np.asarray(self._key_places, np.uint32))
        return Segment(living(Block(self._columns(), terms, postings, keys)))

    def _joined_runs(self) -> tuple[Strings, Postings]:
        if self._numbers:
            self._end_run()
        texts = self._terms.finish()
        starts = np.zeros(len(texts) + 1, np.int64)
        np.cumsum(np.asarray(self._counts, np.uint32), out=starts[1:])
        docs, fields = np.asarray(self._docs, np.uint32), np.asarray(self._fields, np.uint8)
        # Nobody else holds what the runs are made of: it goes as soon as they are joined.
        self._docs, self._fields, self._counts = array("I"), array("B"), array("I")
        self._names = {}
        return join([Run(texts, low, high, starts, docs, fields) for low, high in pairwise(self._ends)])

    def _end_run(self) -> None:
        """Sort what was collected by term."""
        numbers, run = self._numbers, self._run
        rank = np.empty(len(numbers), np.uint32)
        for place, term in enumerate(_in_order(numbers)):
            self._terms.append(term)
            rank[numbers[term]] = place
        terms = rank[np.asarray(run.terms, np.uint32)]
        # Stable: papers were added in their order, so each term's papers come out sorted.
        by_term = ordered(terms)
        self._docs.frombytes(np.asarray(run.docs, np.uint32)[by_term].tobytes())
        self._fields.frombytes(np.asarray(run.fields, np.uint8)[by_term].tobytes())
        self._counts.frombytes(np.bincount(terms).astype(np.uint32).tobytes())
        self._ends.append(len(self._terms))
        self._numbers, self._run = {}, _Triples()
        if len(self._names) > _MOST_NAMES:
            self._names = {}

    def _columns(self) -> Columns:
        ids = np.asarray(self._ids, np.int64)
        return Columns(
            ids=ids,
            newest=np.asarray(self._newest, np.int64),
            year=np.asarray(self._year, np.int16),
            track=np.asarray(self._track, np.uint8),
            presentation=np.asarray(self._presentation, np.uint8),
            alive=_last_of_each(ids),
            title=self._titles.finish(),
            title_zh=self._titles_zh.finish(),
            authors=self._authors.finish(),
            pinyin=self._pinyin.finish(),
            initials=self._initials.finish(),
        )

    def _add_facts(self, document: Document, place: int) -> None:
        self._ids.append(document.id)
        self._newest.append(document.newest)
        self._year.append(min(max(document.year or 0, 0), 9999))
        self._track.append(_code(document.track, TRACKS))
        self._presentation.append(_code(document.presentation, PRESENTATIONS))
        for key in document.keys:
            self._keys.append(Lookup.hash(key.casefold()))
            self._key_places.append(place)

    def _add_title(self, document: Document, found: dict[str, int]) -> None:
        words = tokens(document.title_en)
        self._titles.append(" ".join(words))
        _mark(words, Field.TITLE, found)
        _mark(_other_spellings(document.title_en), Field.TITLE, found)

    def _add_title_zh(self, title: str, found: dict[str, int]) -> None:
        words = tokens(title) if title else []
        self._titles_zh.append(" ".join(words))
        _mark(words, Field.TITLE_ZH, found)
        read = [pinyin.syllables(word) for word in words if is_cjk(word)]
        self._pinyin.append("".join(s for run in read for s in run))
        self._initials.append("".join(s[0] for run in read for s in run))

    def _add_authors(self, authors: Sequence[str], found: dict[str, int]) -> None:
        names = []
        for author in authors:
            normal, terms = self._name(author)
            names.append(normal)
            for term in terms:
                found[term] = found.get(term, 0) | Field.AUTHOR
            first, _, last = normal.rpartition(" ")
            found[NAME + normal] = Field.FILTER
            found[f"{NAME}{last} {first}".rstrip()] = Field.FILTER
        self._authors.append("\n".join(dict.fromkeys(names)))

    def _add_institutions(self, document: Document, found: dict[str, int]) -> None:
        for institution in document.institutions:
            normal, terms = self._name(institution)
            fields = Field.INSTITUTION | (Field.ALIAS if normal in terms else 0)
            for term in terms:
                found[term] = found.get(term, 0) | fields
            found[INSTITUTION + normal] = Field.INSTITUTION | Field.ALIAS | Field.FILTER
        for organisation in document.organisations:
            found[ORGANISATION + organisation] = Field.FILTER

    def _name(self, name: str) -> tuple[str, tuple[str, ...]]:
        known = self._names.get(name)
        if known is None:
            normal = normalise(name)
            words = normal.split() + _other_spellings(name)
            known = self._names[name] = (normal, tuple({piece for word in words for piece in pieces(word)}))
        return known


def build(documents: Iterable[Document]) -> Segment:
    """A segment of documents; the last of several with one id counts."""
    builder = Builder()
    for document in documents:
        builder.add(document)
    return builder.finish()


class _Triples:
    """Which term stands in which paper, and in which of its fields."""

    def __init__(self) -> None:
        self.terms, self.docs, self.fields = array("I"), array("I"), array("B")


def _in_order(terms: Iterable[str]) -> Iterator[str]:
    """Sorted, but letter by letter: to sort thousands at once holds the interpreter lock for too long."""
    by_letter = defaultdict(list)
    for term in terms:
        by_letter[term[0]].append(term)
    for letter in sorted(by_letter):
        yield from sorted(by_letter[letter])


def _last_of_each(ids: NDArray[np.int64]) -> NDArray[np.bool_]:
    order = np.argsort(ids, kind="stable")
    last = np.ones(len(ids), np.bool_)
    last[order[:-1]] = np.diff(ids[order]) != 0
    return last


def _other_spellings(text: str) -> list[str]:
    """Words that people type for what is printed: mueller for Müller, autoencoder for Auto-Encoder."""
    words = []
    if "-" in text or "‑" in text:
        words += ["".join(tokens(compound)) for compound in _COMPOUND.findall(text)]
    if not text.isascii() and (spelt := two_letter_forms(text)) != text:
        words += tokens(spelt)
    return words


def _mark(words: Iterable[str], field: int, found: dict[str, int]) -> None:
    for word in words:
        for piece in pieces(word):
            found[piece] = found.get(piece, 0) | field


def _code(value: str | None, values: tuple[str | None, ...]) -> int:
    return values.index(value) if value in values else 0
