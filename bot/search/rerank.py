"""The closer look: how well each candidate fits the query letter by letter.

Promises: one score and one confidence of 0 to 1 a candidate. Leaves order and limit to `bot.search.index`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz
from rapidfuzz.process import cdist

from bot.search.candidates import Candidates
from bot.search.reading import NUMBER, Reading

_Scores = NDArray[np.float32]

FOUND = 0.78  # confidence of an answer
MAYBE = 0.755  # confidence of "did you mean"

_ALL_WORDS = 0.9  # likeness of a title that has every word, wherever they stand
_STARTED = 0.995  # coverage by a title that begins with the text, its last word half typed
_BEGUN = 0.85  # likeness to a title's beginning from which it is taken for one
_NAMED = 0.97  # coverage by an author whose whole name it is
_PHRASE = 0.97
_WORDS_ONLY = 0.08  # what coverage of words, by itself, falls short of certainty
_MOST_AUTHOR_WORDS = 5
_SHORTEST_WITHIN = 7  # letters: fewer stand, give or take a slip, in some title by chance
_OTHER_NUMBER = 0.25
_OTHER_EDITION = 0.15


@dataclass(frozen=True, slots=True)
class Texts:
    """The normal forms of the candidates."""

    titles: list[str]
    titles_zh: list[str]
    authors: list[str]


def rerank(reading: Reading, texts: Texts, chosen: Candidates, *, deep: bool) -> tuple[_Scores, _Scores]:
    """Scores and confidences of the candidates, the latter against `FOUND` and `MAYBE`.

    `deep` also looks for the whole text, slips and all, inside each title: dear, and of use only where the words
    alone didn't settle it.
    """
    typed, titles = reading.typed, texts.titles
    whole = _ratio(typed, titles)
    starts, near_start = _starts(reading, titles), _near_start(typed, titles)
    author = _author(reading, texts.authors) if reading.names else np.zeros(len(titles), np.float32)
    chinese = _chinese(typed, texts.titles_zh)
    within = _within(typed, titles) if deep else whole
    alike = _most(whole, _sorted_ratio(typed, titles), near_start, starts, author, within)
    phrase = _phrase(reading, titles)
    near = near_start * ((near_start >= _BEGUN) & (len(typed) >= _SHORTEST_WITHIN))
    coverage = _most(chosen.coverage, starts * _STARTED, author * _NAMED, near * _NAMED)
    begun = _most(near > 0, [t.startswith(reading.read) for t in titles])
    likeness = _most(alike, chinese, phrase, begun * _PHRASE, _ALL_WORDS * (chosen.coverage > 0.995))
    neighbours = _most(_neighbours(reading, texts), phrase > 0, begun)
    astray = _OTHER_NUMBER * _other_digits(reading, texts) + _OTHER_EDITION * (1 - chosen.fitting)
    score = 0.66 * coverage + 0.25 * likeness + 0.05 * neighbours + 0.02 * begun + 0.02 * whole - astray
    confidence = _most(coverage - _WORDS_ONLY, _sure(alike, typed), chinese - _WORDS_ONLY) - astray
    return score.astype(np.float32), confidence.astype(np.float32)


def _most(*scores: NDArray[Any] | list[bool]) -> _Scores:
    result: _Scores = np.max(np.stack(scores), axis=0).astype(np.float32)
    return result


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


def _near_start(typed: str, titles: list[str]) -> _Scores:
    """Likeness to the beginning of each title, for a beginning typed with a slip."""
    if len(typed) < 5:
        return np.zeros(len(titles), np.float32)
    cuts = [_ratio(typed, [t[: len(typed) + extra] for t in titles]) for extra in (0, 1)]
    return _most(*cuts)


def _within(typed: str, titles: list[str]) -> _Scores:
    """Likeness to the best place inside each longer title."""
    result = np.zeros(len(titles), np.float32)
    places = [i for i, t in enumerate(titles) if len(t) > len(typed)]
    if places and len(typed) >= _SHORTEST_WITHIN:
        result[places] = _ratio(typed, [titles[i] for i in places], fuzz.partial_ratio) - np.float32(0.03)
    return result


def _phrase(reading: Reading, titles: list[str]) -> _Scores:
    """Titles that have the words in a row, joined and split as it may be."""
    typed, read = f" {reading.typed} ", f" {reading.read} "
    compact = reading.typed.replace(" ", "")
    if len(compact) < 8:
        return np.array([_PHRASE * (typed in f" {t} " or read in f" {t} ") for t in titles], np.float32)
    return np.array(
        [_PHRASE * (compact in t.replace(" ", "") or read in f" {t} ") for t in titles], np.float32
    )


def _chinese(typed: str, titles: list[str]) -> _Scores:
    part = np.zeros(len(titles), np.float32)
    if typed.isascii() or not any(titles):
        return part
    typed = typed.replace(" ", "")
    compact = [t.replace(" ", "") for t in titles]
    exact = np.array([0.95 + 0.05 * t.startswith(typed) if typed in t else 0.0 for t in compact], np.float32)
    places = [i for i, t in enumerate(compact) if len(t) >= len(typed)]
    if places and len(typed) >= 4:
        # A character says about as much as three letters: one wrong of five is still the same text.
        differing = 1 - _ratio(typed, [compact[i] for i in places], fuzz.partial_ratio)
        part[places] = np.float32(_PHRASE) - differing * np.float32(0.6)
    return _most(_ratio(typed, compact), exact, part)


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
    return 0.97 if parts else 1.0


def _neighbours(reading: Reading, texts: Texts) -> _Scores:
    """The share of neighbouring words of the query that are neighbours in the paper too, in either order."""
    pairs = [(f" {a} {b} ", f" {b} {a} ") for a, b in zip(reading.words, reading.words[1:], strict=False)]
    if not pairs:
        return np.zeros(len(texts.titles), np.float32)
    full = [f" {t} " + a.replace("\n", "  ") + " " for t, a in zip(texts.titles, texts.authors, strict=True)]
    return np.array([sum(p in t or r in t for p, r in pairs) / len(pairs) for t in full], np.float32)


def _other_digits(reading: Reading, texts: Texts) -> _Scores:
    """Whether a title lacks a number of the query: GPT-3 is not GPT-4. The last one may be half typed."""
    wanted = list(reading.numbers)
    if not wanted:
        return np.zeros(len(texts.titles), np.float32)
    last = wanted.pop() if reading.typed.endswith(wanted[-1]) else None
    both = zip(texts.titles, texts.titles_zh, strict=True)
    return np.array(
        [not _has_numbers(set(NUMBER.findall(f"{t} {zh}")), wanted, last) for t, zh in both], np.float32
    )


def _has_numbers(numbers: set[str], wanted: list[str], last: str | None) -> bool:
    return numbers.issuperset(wanted) and (last is None or any(n.startswith(last) for n in numbers))
