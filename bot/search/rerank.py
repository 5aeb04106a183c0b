"""The closer look: how well each candidate fits the query letter by letter.

Promises: one score and one confidence of 0 to 1 a candidate. Leaves order and limit to `bot.search.index`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz
from rapidfuzz.process import cdist

from bot.search.reading import Reading
from bot.search.terms import digits

_Scores = NDArray[np.float32]

_ALL_WORDS = 0.9  # likeness of a title that has every word, wherever they stand
_STARTED = 0.985
_MOST_AUTHOR_WORDS = 5
_WORDS_ONLY = 0.08  # what coverage of words, by itself, falls short of certainty

FOUND = 0.78  # confidence of an answer
MAYBE = 0.755  # confidence of "did you mean"


@dataclass(frozen=True, slots=True)
class Texts:
    """The normal forms of the candidates."""

    titles: list[str]
    titles_zh: list[str]
    authors: list[str]


def rerank(reading: Reading, texts: Texts, coverage: _Scores, *, deep: bool) -> tuple[_Scores, _Scores]:
    """Scores and confidences of the candidates, the latter against `FOUND` and `MAYBE`.

    `deep` also looks for the whole text, slips and all, inside each title: dear, and of use only where the words
    alone didn't settle it.
    """
    whole = _ratio(reading.typed, texts.titles)
    starts = _starts(reading, texts.titles)
    chinese = _chinese(reading, texts.titles_zh)
    letters = [whole, _sorted_ratio(reading.typed, texts.titles), _near_start(reading, texts.titles), starts]
    if reading.names:
        letters.append(_author(reading, texts.authors))
    if deep:
        letters.append(_within(reading.typed, texts.titles))
    alike = np.max(np.stack(letters), axis=0)
    likeness = np.max(
        np.stack([alike, chinese, _phrase(reading, texts.titles), _ALL_WORDS * (coverage > 0.995)]), axis=0
    )
    neighbours = _neighbours(reading, texts)
    # The last word of a title's beginning is half typed, yet nothing is missing.
    coverage = np.maximum(coverage, starts * np.float32(_STARTED))
    score = 0.68 * coverage + 0.27 * likeness + 0.03 * neighbours + 0.02 * whole
    score -= 0.05 * _other_digits(reading, texts.titles)
    confidence = np.max(
        np.stack([coverage - _WORDS_ONLY, _sure(alike, reading.typed), chinese - _WORDS_ONLY]), axis=0
    )
    return score.astype(np.float32), confidence.astype(np.float32)


def _sure(alike: _Scores, typed: str) -> _Scores:
    """Confidence from letters alone.

    As many slips as a hasty typist makes, one and another for every ten letters, end at `FOUND`.
    """
    letters = len(typed)
    slips = (1 - alike) * np.float32(letters)
    allowed = 0.5 if letters < 5 else min(1 + letters / 10, 5.0)
    result: _Scores = 1 - slips * np.float32((1 - FOUND) / allowed)
    return result


def _ratio(text: str, others: list[str], scorer: Callable[..., float] = fuzz.ratio) -> _Scores:
    found: _Scores = cdist([text], others, scorer=scorer, dtype=np.float32)
    return found.reshape(-1) / np.float32(100)


def _sorted_ratio(text: str, others: list[str]) -> _Scores:
    """Likeness whatever the order of words; only for texts of as many words, give or take one."""
    result = np.zeros(len(others), np.float32)
    blanks = text.count(" ")
    if blanks:
        places = [i for i, other in enumerate(others) if abs(other.count(" ") - blanks) <= 1]
        ordered = [" ".join(sorted(others[i].split())) for i in places]
        result[places] = _ratio(" ".join(sorted(text.split())), ordered) if places else 0
    return result


def _starts(reading: Reading, titles: list[str]) -> _Scores:
    """Titles that begin with the text as typed; after an acronym the word must end."""
    typed = reading.typed
    if len(typed) < 3 or reading.acronym:
        typed += " "
    return np.array([float(f"{t} ".startswith(typed)) for t in titles], np.float32)


def _near_start(reading: Reading, titles: list[str]) -> _Scores:
    typed = reading.typed
    result = np.zeros(len(titles), np.float32)
    if len(typed) < 5:
        return result
    for extra in (0, 1):
        near = _ratio(typed, [t[: len(typed) + extra] for t in titles]) - np.float32(0.01)
        result = np.where(near > result, near, result)
    return result


def _within(typed: str, titles: list[str]) -> _Scores:
    result = np.zeros(len(titles), np.float32)
    places = [i for i, t in enumerate(titles) if len(t) > len(typed)]
    if places and len(typed) >= 5:
        result[places] = _ratio(typed, [titles[i] for i in places], fuzz.partial_ratio) - np.float32(0.03)
    return result


def _phrase(reading: Reading, titles: list[str]) -> _Scores:
    typed, read = f" {reading.typed} ", f" {reading.read} "
    return np.array([0.95 if typed in f" {t} " or read in f" {t} " else 0.0 for t in titles], np.float32)


def _chinese(reading: Reading, titles: list[str]) -> _Scores:
    if reading.typed.isascii() or not any(titles):
        return np.zeros(len(titles), np.float32)
    typed = reading.typed.replace(" ", "")
    compact = [t.replace(" ", "") for t in titles]
    exact = np.array([0.95 + 0.05 * t.startswith(typed) if typed in t else 0.0 for t in compact], np.float32)
    places = [i for i, t in enumerate(compact) if len(t) >= len(typed)]
    part = np.zeros(len(titles), np.float32)
    if places and len(typed) >= 4:
        # A character says about as much as three letters: one wrong of five is still the same text.
        differing = 1 - _ratio(typed, [compact[i] for i in places], fuzz.partial_ratio)
        part[places] = 1 - differing * np.float32(0.6)
    best: _Scores = np.max(np.stack([_ratio(typed, compact), exact, part]), axis=0)
    return best


def _author(reading: Reading, authors: list[str]) -> _Scores:
    best = np.zeros(len(authors), np.float32)
    if not 1 <= len(reading.words) <= _MOST_AUTHOR_WORDS:
        return best
    names = [name for lines in authors for name in lines.split("\n")]
    owner = np.repeat(np.arange(len(authors)), [lines.count("\n") + 1 for lines in authors])
    compact = [name.replace(" ", "") for name in names]
    alike = np.maximum(_sorted_ratio(reading.typed, names), _ratio(reading.typed.replace(" ", ""), compact))
    if any(len(word) == 1 for word in reading.words):
        alike = np.maximum(alike, np.array([_initials(reading.words, name) for name in names], np.float32))
    np.maximum.at(best, owner, alike)
    return best


def _initials(words: tuple[str, ...], name: str) -> float:
    """Whether every word is a word of the name or the initial of one: Y Bengio, Bengio Y."""
    parts = name.split(" ")
    if not 2 <= len(words) <= len(parts):
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
    wanted = {word for word in reading.words if digits(word)}
    if not wanted:
        return np.zeros(len(titles), np.float32)
    return np.array([0.0 if wanted <= set(t.split()) else 1.0 for t in titles], np.float32)
