"""How well a typed text can be read as words of a title, worked out from the texts alone.

A reading says how many slips lie between the text and the words, and three things that make it more likely: the
words begin the title, they stand in a row, the last one is whole and not half typed. A paper answers a query as well
as the wanted one when it needs fewer slips than what was intended, or as many and the intended reading isn't better in
one of the three and worse in none. Promises: no use of the search engine; every equally right paper is found.
"""

from __future__ import annotations

import bisect
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract


class Reading(NamedTuple):
    """Slips (insert, delete, replace, swap neighbours), and what speaks for the reading."""

    slips: int
    begins: bool
    in_a_row: bool
    whole: bool

    def beats(self, other: Reading) -> bool:
        """Better in one respect, worse in none; slips left out."""
        return self[1:] != other[1:] and all(
            mine >= theirs for mine, theirs in zip(self[1:], other[1:], strict=True)
        )


class Vocabulary:
    """The distinct words of some texts, to find those near a typed one."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = sorted(words)
        self._known = frozenset(words)
        self._near: dict[tuple[str, int], dict[str, int]] = {}
        self._half: dict[tuple[str, int], dict[str, int]] = {}
        self._cut: dict[int, dict[str, list[str]]] = {}
        self._of_size: dict[int, list[str]] = defaultdict(list)
        for word in self.words:
            self._of_size[len(word)].append(word)

    def near(self, word: str, limit: int) -> dict[str, int]:
        """Words within `limit` slips, and how many."""
        if not limit:
            return {word: 0} if word in self._known else {}
        key = word, limit
        if key not in self._near:
            self._near[key] = {
                found: slips
                for size in range(len(word) - limit, len(word) + limit + 1)
                for found, slips, _ in _within(word, self._of_size.get(size, []), limit)
            }
        return self._near[key]

    def half_typed(self, word: str, limit: int) -> dict[str, int]:
        """Words whose beginning, short of the whole, is within `limit` slips, and how many."""
        if not limit:
            return {found: 0 for found in self._starting(word) if found != word}
        key = word, limit
        if key not in self._half:
            found = self._half[key] = {}
            for size in range(max(1, len(word) - limit), len(word) + limit + 1):
                for begun, slips, _ in _within(word, list(self._beginnings(size)), limit):
                    for whole in self._beginnings(size)[begun]:
                        found[whole] = min(slips, found.get(whole, limit))
        return self._half[key]

    def _beginnings(self, size: int) -> dict[str, list[str]]:
        """The first `size` letters of all longer words → those words."""
        if size not in self._cut:
            cut = self._cut[size] = defaultdict(list)
            for word in self.words:
                if len(word) > size:
                    cut[word[:size]].append(word)
        return self._cut[size]

    def _starting(self, prefix: str) -> Iterator[str]:
        for place in range(bisect.bisect_left(self.words, prefix), len(self.words)):
            if not self.words[place].startswith(prefix):
                return
            yield self.words[place]


def _within(word: str, choices: list[str], limit: int) -> list[tuple[str, int, int]]:
    return extract(word, choices, scorer=OSA.distance, score_cutoff=limit, limit=None)


class Readings:
    """Titles in the normal form, with the papers of each of their words."""

    def __init__(self, titles: Mapping[int, str], by_word: Mapping[str, set[int]]) -> None:
        self._titles = titles
        self._by_word = by_word
        self._vocabulary = Vocabulary(list(by_word))

    def as_good(self, words: Sequence[str], wanted: int, intended: Reading) -> set[int]:
        """Papers that answer the typed words as well as the wanted one does, read as intended."""
        found = dict(self._read(words, intended.slips))
        # A slip can undo another.
        slips = min((r.slips for r in found.get(wanted, ()) if not intended.beats(r)), default=intended.slips)
        return {wanted} | {
            paper
            for paper, readings in found.items()
            if any(r.slips < slips or (r.slips == slips and not intended.beats(r)) for r in readings)
        }

    def _read(self, words: Sequence[str], limit: int) -> Iterator[tuple[int, set[Reading]]]:
        if not words:
            return
        near = [self._vocabulary.near(word, limit) for word in words]
        half = self._vocabulary.half_typed(words[-1], limit)
        choices: list[set[str]] = [set(found) for found in near]
        choices[-1] |= set(half)
        for paper in self._having_one_of_each(choices):
            if readings := _readings(self._titles[paper].split(), near, half, limit):
                yield paper, readings

    def _having_one_of_each(self, choices: Sequence[set[str]]) -> set[int]:
        sizes = [sum(len(self._by_word[word]) for word in words) for words in choices]
        having: set[int] | None = None
        for place in sorted(range(len(choices)), key=sizes.__getitem__):
            if having is not None and len(having) * 20 < sizes[place]:
                having = {p for p in having if not choices[place].isdisjoint(self._titles[p].split())}
            else:
                some = set().union(*(self._by_word[word] for word in choices[place]))
                having = some if having is None else having & some
            if not having:
                break
        return having or set()


def _readings(
    title: Sequence[str], near: Sequence[Mapping[str, int]], half: Mapping[str, int], limit: int
) -> set[Reading]:
    """All ways within `limit` slips, and the one with the words scattered."""
    ways: set[Reading] = set()
    size = len(near)
    far = limit + 1
    for start in range(len(title) - size + 1):
        before = sum(near[i].get(title[start + i], far) for i in range(size - 1))
        last = title[start + size - 1]
        for whole, options in ((True, near[-1]), (False, half)):
            if (slips := before + options.get(last, far)) <= limit:
                ways.add(Reading(slips, start == 0, True, whole))
    before = sum(min(found.get(word, far) for word in title) for found in near[:-1])
    for whole, options in ((True, near[-1]), (False, half)):
        if (slips := before + min(options.get(word, far) for word in title)) <= limit:
            ways.add(Reading(slips, False, False, whole))
    return ways
