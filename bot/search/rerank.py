"""The closer look: how well each candidate fits the query letter by letter.

Promises: one score and one confidence of 0 to 1 a candidate. Leaves order and limit to `bot.search.judging`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz
from rapidfuzz.process import cdist

from bot.search.candidates import Candidates
from bot.search.groups import having
from bot.search.reading import NUMBER, Reading
from bot.search.segment import Columns

_Scores = NDArray[np.float32]

FOUND = 0.78  # confidence of an answer
MAYBE = 0.755  # confidence of "did you mean"

_ALL_WORDS = 0.9  # likeness of a title that has every word, wherever they stand
_COVERED = 0.96  # coverage from which a paper has every word, be it in its authors
_STARTED = 0.995  # coverage by a title that begins with the text, its last word half typed
_BEGUN = 0.85  # likeness to a title's beginning from which it is taken for one
_NAMED = 0.97  # coverage by an author whose whole name it is
_PHRASE = 0.97
_REORDERED = 0.7  # coverage from which it may be a whole title in another order
_WORDS_ONLY = 0.08  # what coverage of words, by itself, falls short of certainty
_MOST_AUTHOR_WORDS = 5
_MOST_PAIRS = 6
_SHORTEST_BEGUN = 5  # letters of a beginning that may have a slip
_SHORTEST_WITHIN = 7  # letters: fewer stand, give or take a slip, in some title by chance
_OTHER_NUMBER = 0.25
_OTHER_EDITION, _DOUBTED_EDITION = 0.3, 0.15  # off the score, and off the confidence


class Marks(NamedTuple):
    """What was made of each candidate.

    Attributes:
        scores: How well it fits, from 0 to 1.
        confidences: How sure that is, against `FOUND` and `MAYBE`.
        letters: The confidence that the text is its whole title, by the letters alone.
    """

    scores: _Scores
    confidences: _Scores
    letters: _Scores


def rerank(reading: Reading, number: int, chosen: Candidates, columns: Columns, *, deep: bool) -> Marks:
    """Marks of the candidates.

    Args:
        reading: The query.
        number: The segment's place in `Reading.people`.
        chosen: The papers of the segment to judge.
        columns: Where their normal forms stand.
        deep: Look also for the whole text, slips and all, inside each title: dear, and of use only where the words
            alone didn't settle it.
    """
    typed, places = reading.typed, chosen.places.tolist()
    titles = columns.title.many(places)
    titles_zh = [] if typed.isascii() and not reading.numbers else columns.title_zh.many(places)
    whole = _ratio(typed, titles)
    starts = _starts(reading, titles)
    near_start = starts if starts.any() else _near_start(typed, titles)
    author = _author(reading, number, chosen, columns)
    chinese = _chinese(typed, titles_zh, len(titles))
    within = _within(typed, titles) if deep else whole
    alike = _most(whole, near_start, starts, within, author, _sorted_ratio(typed, titles, chosen))
    phrase = _phrase(reading, titles)
    near = near_start * ((near_start >= _BEGUN) & (len(typed) >= _SHORTEST_WITHIN))
    coverage = _most(chosen.coverage, starts * _STARTED, near * _NAMED, author * _NAMED)
    begun = _most(near, _begun(reading, titles))
    likeness = _most(alike, phrase, chinese, begun * _PHRASE, _ALL_WORDS * (chosen.coverage > _COVERED))
    neighbours = _most(_neighbours(reading, titles), phrase > 0, begun, author == 1)
    astray = 1 - chosen.fitting
    # What the words cover decides; the letters tell papers apart that have the same words; the rest breaks ties.
    score = 0.66 * coverage + 0.25 * likeness + 0.05 * neighbours + 0.02 * begun + 0.02 * whole
    score -= _OTHER_EDITION * astray
    confidence = _most(coverage - _WORDS_ONLY, _sure(alike, typed), chinese - _WORDS_ONLY)
    confidence -= _DOUBTED_EDITION * astray
    if reading.numbers:
        other = _OTHER_NUMBER * _other_digits(reading, titles, titles_zh)
        score, confidence = score - other, confidence - other
    return Marks(score.astype(np.float32), confidence, _sure(whole, typed))


def _most(first: NDArray[Any], *others: NDArray[Any]) -> _Scores:
    """The best of several features for each paper."""
    result: _Scores = first.astype(np.float32)
    for other in others:
        np.maximum(result, other, out=result, casting="unsafe")
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


def _sorted_ratio(text: str, others: list[str], chosen: Candidates) -> _Scores:
    """Likeness whatever the order of words; only for texts that share most words and have as many, one aside."""
    result = np.zeros(len(others), np.float32)
    blanks = text.count(" ")
    if not blanks:
        return result
    sharing = np.flatnonzero(chosen.coverage >= _REORDERED).tolist()
    places = [i for i in sharing if abs(others[i].count(" ") - blanks) <= 1]
    if places:
        ordered = [" ".join(sorted(others[i].split())) for i in places]
        result[places] = _ratio(" ".join(sorted(text.split())), ordered)
    return result


def _starts(reading: Reading, titles: list[str]) -> _Scores:
    """Titles that begin with the text as typed; after an acronym and somebody's name the word must end."""
    typed = reading.typed
    # A single letter at the end is the beginning of a word more often than an initial.
    named = reading.people is not None and not reading.half and typed[-2:-1] != " "
    if len(typed) < 3 or reading.acronym or named:
        typed += " "
    return np.array([float(f"{t} ".startswith(typed)) for t in titles], np.float32)


def _begun(reading: Reading, titles: list[str]) -> _Scores:
    """Titles that begin with the words as they were read, or with them written as one: Twin S for TwinS."""
    read, compact = reading.read, reading.typed.replace(" ", "") + " "
    if " " not in reading.typed or len(compact) <= 3:
        return np.array([t.startswith(read) for t in titles], np.float32)
    return np.array([t.startswith(read) or f"{t} ".startswith(compact) for t in titles], np.float32)


def _near_start(typed: str, titles: list[str]) -> _Scores:
    """Likeness to the beginning of each title, for a beginning typed with a slip."""
    if len(typed) < _SHORTEST_BEGUN:
        return np.zeros(len(titles), np.float32)
    cuts = [t[: len(typed) + extra] for extra in (0, 1) for t in titles]
    result: _Scores = _ratio(typed, cuts).reshape(2, -1).max(axis=0)
    return result


def _within(typed: str, titles: list[str]) -> _Scores:
    """Likeness to the best place inside each longer title."""
    places = [i for i, t in enumerate(titles) if len(t) > len(typed)]
    result = np.zeros(len(titles), np.float32)
    if not places or len(typed) < _SHORTEST_WITHIN:
        return result
    result[places] = _ratio(typed, [titles[i] for i in places], fuzz.partial_ratio) - np.float32(0.03)
    return result


def _phrase(reading: Reading, titles: list[str]) -> _Scores:
    """Titles that have the words in a row, joined and split as it may be, in any reading of the slips."""
    typed, read = f" {reading.typed} ", f" {reading.read} "
    compact = reading.typed.replace(" ", "")
    if len(compact) < 8:
        found = [typed in f" {t} " or read in f" {t} " for t in titles]
    else:
        found = [compact in t.replace(" ", "") or read in f" {t} " for t in titles]
    if len(reading.others) > 1:
        found = [f or _in_a_row(reading.others, t.split(" ")) for f, t in zip(found, titles, strict=True)]
    return np.array(found, np.float32) * np.float32(_PHRASE)


def _in_a_row(wanted: tuple[frozenset[str], ...], words: list[str]) -> bool:
    for start in range(len(words) - len(wanted) + 1):
        if words[start] in wanted[0] and all(words[start + i] in one for i, one in enumerate(wanted)):
            return True
    return False


def _chinese(typed: str, titles: list[str], number: int) -> _Scores:
    part = np.zeros(number, np.float32)
    if typed.isascii() or not any(titles):
        return part
    typed = typed.replace(" ", "")
    compact = [t.replace(" ", "") for t in titles]
    exact = np.array(
        [0.95 + 0.04 * t.startswith(typed) + 0.01 * (t == typed) if typed in t else 0.0 for t in compact],
        np.float32,
    )
    places = [i for i, t in enumerate(compact) if len(t) >= len(typed)]
    if places and len(typed) >= 4:
        # A character says about as much as three letters: one wrong of five is still the same text.
        differing = 1 - _ratio(typed, [compact[i] for i in places], fuzz.partial_ratio)
        part[places] = np.float32(_PHRASE) - differing * np.float32(0.6)
    return _most(_ratio(typed, compact), exact, part)


def _author(reading: Reading, number: int, chosen: Candidates, columns: Columns) -> _Scores:
    """Likeness to the best of a paper's authors; certain for a person whose whole name it is."""
    best = np.zeros(len(chosen.places), np.float32)
    if reading.people is not None:
        docs = reading.people[number]
        return having(docs, chosen.places.astype(np.uint32)).astype(np.float32) if len(docs) else best
    words = reading.typed.split()
    if not reading.names or len(words) > _MOST_AUTHOR_WORDS or (len(words) == 1 and words[0].isascii()):
        return best
    # Written as one, so that neither blanks nor the order of names is a slip; each name once.
    names: dict[str, int] = {}
    owners, which = [], []
    for owner, lines in enumerate(columns.authors.many(chosen.places.tolist())):
        for name in lines.split("\n"):
            owners.append(owner)
            which.append(names.setdefault(name.replace(" ", ""), len(names)))
    orders = ["".join(words[first:] + words[:first]) for first in range(len(words))]
    alike = cdist(orders, list(names), scorer=fuzz.ratio, dtype=np.float32).max(axis=0) / np.float32(100)
    np.maximum.at(best, owners, alike[which])
    return best


def _neighbours(reading: Reading, titles: list[str]) -> _Scores:
    """The share of neighbouring words of the query that are neighbours in the title too, in either order."""
    pairs = [(f" {a} {b} ", f" {b} {a} ") for a, b in zip(reading.words, reading.words[1:], strict=False)]
    # In a longer text the letters say as much.
    if not 0 < len(pairs) <= _MOST_PAIRS:
        return np.zeros(len(titles), np.float32)
    full = [f" {title} " for title in titles]
    return np.array([sum(p in t or r in t for p, r in pairs) for t in full], np.float32) / np.float32(
        len(pairs)
    )


def _other_digits(reading: Reading, titles: list[str], titles_zh: list[str]) -> _Scores:
    """Whether a title lacks a number of the query: GPT-3 is not GPT-4. The last one may be half typed."""
    wanted = list(reading.numbers)
    last = wanted.pop() if reading.typed.endswith(wanted[-1]) else None
    both = zip(titles, titles_zh, strict=True)
    return np.array(
        [not _has_numbers(set(NUMBER.findall(f"{t} {zh}")), wanted, last) for t, zh in both], np.float32
    )


def _has_numbers(numbers: set[str], wanted: list[str], last: str | None) -> bool:
    return numbers.issuperset(wanted) and (last is None or any(n.startswith(last) for n in numbers))
