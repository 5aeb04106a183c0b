"""The closer look: how well each candidate fits the query letter by letter.

Promises: one score and one confidence of 0 to 1 a candidate. Leaves thresholds to `bot.search.index`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz
from rapidfuzz.process import cdist

from bot.search.matching import Match
from bot.search.parse import Words
from bot.search.terms import digits
from bot.text import is_cjk

_Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Texts:
    """The normal forms of the candidates."""

    titles: list[str]
    titles_zh: list[str]
    authors: list[str]


@dataclass(frozen=True, slots=True)
class Reading:
    """The query as typed and as it was read: slips replaced by the words they were taken for."""

    typed: str
    read: str
    words: tuple[str, ...]

    @classmethod
    def of(cls, words: Words, matches: Sequence[Match]) -> Reading:
        """The reading that the matches suggest; words that only named the conference are left out."""
        best = {m.atom.place: m.best for m in matches if not is_cjk(words.words[m.atom.place])}
        kept = [p for p, f in enumerate(words.facets) if f is None]
        read = [best.get(p, words.words[p]) for p in kept]
        return cls(" ".join(words.words[p] for p in kept), " ".join(read), tuple(read))


def rerank(reading: Reading, texts: Texts, coverage: _Scores) -> tuple[_Scores, _Scores]:
    """Scores and confidences of the candidates."""
    whole = _ratio(reading.typed, texts.titles)
    likeness = np.maximum.reduce(
        [
            whole,
            0.99 * _sorted_ratio(reading.typed, texts.titles),
            _start(reading, texts.titles),
            _phrase(reading, texts.titles),
            _chinese(reading, texts.titles_zh),
            _author(reading, texts.authors),
        ]
    )
    neighbours = _neighbours(reading, texts)
    score = 0.7 * coverage + 0.25 * likeness + 0.03 * neighbours + 0.02 * whole
    score -= 0.05 * _other_digits(reading, texts.titles)
    confidence = 0.75 * coverage + 0.25 * np.maximum(likeness, neighbours)
    return score.astype(np.float32), confidence.astype(np.float32)


def _ratio(text: str, others: list[str], scorer: Callable[..., float] = fuzz.ratio) -> _Scores:
    found: _Scores = cdist([text], others, scorer=scorer, dtype=np.float32)
    return found.reshape(-1) / np.float32(100)


def _sorted_ratio(text: str, others: list[str]) -> _Scores:
    return _ratio(" ".join(sorted(text.split())), [" ".join(sorted(other.split())) for other in others])


def _start(reading: Reading, titles: list[str]) -> _Scores:
    typed, read = reading.typed, reading.read
    if len(typed) < 3:
        return np.array([float(t.split(" ", 1)[0] == typed) for t in titles], np.float32)
    exact = np.array([t.startswith((typed, read)) for t in titles], np.float32)
    near = _ratio(typed, [t[: len(typed)] for t in titles]) - np.float32(0.02)
    return np.where(exact > near, exact, near)


def _phrase(reading: Reading, titles: list[str]) -> _Scores:
    typed, read = f" {reading.typed} ", f" {reading.read} "
    return np.array([0.95 if typed in f" {t} " or read in f" {t} " else 0.0 for t in titles], np.float32)


def _chinese(reading: Reading, titles: list[str]) -> _Scores:
    if reading.typed.isascii() or not any(titles):
        return np.zeros(len(titles), np.float32)
    whole = _ratio(reading.typed, titles)
    compact = reading.typed.replace(" ", "")
    within = [
        0.95 + 0.05 * t.startswith(reading.typed) if compact in t.replace(" ", "") else 0.0 for t in titles
    ]
    part = _ratio(reading.typed, titles, fuzz.partial_ratio) - np.float32(0.05)
    best: _Scores = np.max(np.stack([whole, np.array(within, np.float32), part]), axis=0)
    best[[i for i, t in enumerate(titles) if not t]] = 0
    return best


def _author(reading: Reading, authors: list[str]) -> _Scores:
    if not 1 <= len(reading.words) <= 4:
        return np.zeros(len(authors), np.float32)
    names = [name for names in authors for name in names.split("\n")]
    owner = np.repeat(np.arange(len(authors)), [a.count("\n") + 1 for a in authors])
    alike = _sorted_ratio(reading.read, names)
    alike = np.maximum(alike, np.array([_initials(reading.words, name) for name in names], np.float32))
    best = np.zeros(len(authors), np.float32)
    np.maximum.at(best, owner, alike)
    return best


def _initials(words: tuple[str, ...], name: str) -> float:
    """Whether every word is a word of the name or the initial of one: Y Bengio, Bengio Y."""
    parts = name.split(" ")
    if len(words) < 2 or len(words) > len(parts):
        return 0.0
    for word in words:
        fitting = next((p for p in parts if p == word or (len(word) == 1 and p.startswith(word))), None)
        if fitting is None:
            return 0.0
        parts.remove(fitting)
    return 0.98


def _neighbours(reading: Reading, texts: Texts) -> _Scores:
    """The share of neighbouring words of the query that are neighbours in the paper too, in either order."""
    pairs = [(f" {a} {b} ", f" {b} {a} ") for a, b in zip(reading.words, reading.words[1:], strict=False)]
    if not pairs:
        return np.zeros(len(texts.titles), np.float32)
    full = [f" {t} " + a.replace("\n", "  ") + " " for t, a in zip(texts.titles, texts.authors, strict=True)]
    return np.array([sum(p in t or r in t for p, r in pairs) / len(pairs) for t in full], np.float32)


def _other_digits(reading: Reading, titles: list[str]) -> _Scores:
    wanted = {w for w in reading.words if digits(w)}
    if not wanted:
        return np.zeros(len(titles), np.float32)
    return np.array([0.0 if wanted <= set(t.split()) else 1.0 for t in titles], np.float32)
