"""From documents to a segment, one document at a time so that a caller may pause, and from segments to one.

Promises: no work shared with searches; a document without any words is legal. Leaves to others: threads.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from bot import pinyin
from bot.search.columns import Lookup, Strings
from bot.search.model import Document
from bot.search.segment import (
    INSTITUTION,
    NAME,
    ORGANISATION,
    PRESENTATIONS,
    TRACKS,
    Columns,
    Field,
    Postings,
    Segment,
)
from bot.search.terms import Terms
from bot.text import is_cjk, normalise, pieces, tokens, two_letter_forms

_COMPOUND = re.compile(r"[^\W\d_]+[-‐‑–][^\W\d_]+")
_Number = TypeVar("_Number", bound=np.generic)


class Builder:
    """Collects documents; `finish` makes the segment."""

    def __init__(self) -> None:
        """Start empty."""
        self._numbers: dict[str, int] = {}
        self._terms, self._docs, self._fields = array("I"), array("I"), array("B")
        self._ids, self._newest = array("q"), array("q")
        self._year, self._track, self._presentation = array("h"), array("B"), array("B")
        self._titles: list[str] = []
        self._titles_zh: list[str] = []
        self._authors: list[str] = []
        self._pinyin: list[str] = []
        self._initials: list[str] = []
        self._keys, self._key_places = array("Q"), array("I")
        # Authors and institutions come again and again: their words are worked out once a name.
        self._names: dict[str, tuple[str, tuple[str, ...]]] = {}

    def add(self, document: Document) -> None:
        """Take one paper in."""
        place = len(self._ids)
        self._add_facts(document, place)
        found: dict[str, int] = {}
        self._add_title(document, found)
        self._add_title_zh(document.title_zh or "", found)
        self._add_authors(document.authors, found)
        self._add_institutions(document, found)
        numbers = self._numbers
        for term, fields in found.items():
            self._terms.append(numbers.setdefault(term, len(numbers)))
            self._docs.append(place)
            self._fields.append(fields)

    def finish(self) -> Segment:
        """The segment of all papers added; the builder is spent."""
        order = sorted(self._numbers)
        rank = np.empty(len(order), np.uint32)
        for place, term in enumerate(order):
            rank[self._numbers[term]] = place
        self._numbers, self._names = {}, {}
        terms = rank[_array(self._terms, np.uint32)] if order else np.empty(0, np.uint32)
        # Stable: papers were added in their order, so each term's papers come out sorted.
        by_term = np.argsort(terms, kind="stable")
        postings = Postings(
            terms[by_term],
            _array(self._docs, np.uint32)[by_term],
            _array(self._fields, np.uint8)[by_term],
            len(order),
        )
        return Segment(
            self._columns(),
            Terms(order),
            postings,
            Lookup(_array(self._keys, np.uint64), _array(self._key_places, np.uint32)),
        )

    def _columns(self) -> Columns:
        return Columns(
            ids=_array(self._ids, np.int64),
            newest=_array(self._newest, np.int64),
            year=_array(self._year, np.int16),
            track=_array(self._track, np.uint8),
            presentation=_array(self._presentation, np.uint8),
            alive=np.ones(len(self._ids), np.bool_),
            title=Strings(self._titles),
            title_zh=Strings(self._titles_zh),
            authors=Strings(self._authors),
            pinyin=Strings(self._pinyin),
            initials=Strings(self._initials),
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
    """A segment of documents in one go."""
    builder = Builder()
    for document in documents:
        builder.add(document)
    return builder.finish()


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


def _array(values: array[int], kind: type[_Number]) -> NDArray[_Number]:
    return np.array(values, dtype=kind)
