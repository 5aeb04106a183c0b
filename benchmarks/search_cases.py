"""What the queries of the search benchmark are made from: a corpus that finds everything that fits, and typing slips.

Promises: slips fall on uniform letters, the first included. Leaves the kinds to `search_titles`, `search_han` and
`search_people`, and how well a text fits a title to `search_readings`.
"""

from __future__ import annotations

import bisect
import itertools
import random
import re
import string
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from benchmarks.search_readings import Reading, Readings, Vocabulary
from bot import pinyin
from bot.search.model import Document
from bot.text import normalise

EVERYDAY = re.compile(
    r"an?|the|of|for|in|on|with|to|and|or|via|from|by|is|are|be|as|at|do|can|its|we|how|what|using"
)

Made = tuple[str, set[int]] | None
Make = Callable[["Corpus", Document, random.Random], Made]


@dataclass(frozen=True, slots=True)
class Case:
    """A query, its kind, and the papers any of which answers it."""

    kind: str
    text: str
    right: frozenset[int]


@dataclass(frozen=True, slots=True)
class Kind:
    """How a kind of query is made from a paper; None when the paper can't give one."""

    name: str
    make: Make
    group: str = ""  # "typo", "plain" or "" of the table in the README
    apart: bool = False  # reported, but no part of the macro
    otherwise: Make | None = None  # what a person types when the text alone fits too many papers


class Texts:
    """Strings joined into one, so that finding a part of any is quick."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._joined = "\n".join(texts)
        self._starts = [0, *itertools.accumulate(len(text) + 1 for text in texts)]

    def containing(self, part: str) -> Iterator[int]:
        """Places of the strings with `part` in them."""
        at = self._joined.find(part)
        while at >= 0:
            place = bisect.bisect_right(self._starts, at) - 1
            yield place
            at = self._joined.find(part, self._starts[place + 1])


@dataclass
class Corpus:
    """Documents with their normal forms, to find everything that fits. A document's id is its place."""

    documents: list[Document]
    titles: dict[int, str] = field(default_factory=dict)
    titles_zh: list[str] = field(default_factory=list)
    by_author: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    by_word: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    by_institution: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))

    def __post_init__(self) -> None:
        """Work the normal forms out once."""
        for document in self.documents:
            self.titles[document.id] = normalise(document.title_en)
            self.titles_zh.append(normalise(document.title_zh or "").replace(" ", ""))
            for author in document.authors:
                self.by_author[author_key(author)].add(document.id)
            for word in self.titles[document.id].split():
                self.by_word[word].add(document.id)
            for institution in document.institutions:
                self.by_institution[normalise(institution)].add(document.id)

    # --- titles

    def starting(self, prefix: str) -> set[int]:
        """Papers whose title starts so, letter by letter."""
        first = bisect.bisect_left(self._sorted, (prefix, -1))
        begun = itertools.takewhile(
            lambda row: row[0].startswith(prefix), itertools.islice(self._sorted, first, None)
        )
        return {paper for _, paper in begun}

    def containing(self, phrase: str) -> set[int]:
        """Papers with these neighbouring words in the title."""
        candidates = self.having(phrase.split())
        return {paper for paper in candidates if f" {phrase} " in f" {self.titles[paper]} "}

    def having(self, words: Sequence[str]) -> set[int]:
        """Papers with all these words in the title."""
        sets = [self.by_word.get(word, set()) for word in words]
        return set.intersection(*sorted(sets, key=len)) if sets else set()

    def same_title(self, document: Document) -> set[int]:
        """Papers whose title is this one, in the normal form."""
        return self._titled(self.titles[document.id])

    def near_title(self, typed: str, limit: int) -> set[int]:
        """Papers whose whole title is within `limit` slips of a text."""
        first = bisect.bisect_left(self._by_length, len(typed) - limit, key=len)
        last = bisect.bisect_right(self._by_length, len(typed) + limit, key=len)
        alike = self._by_length[first:last]
        near = extract(typed, alike, scorer=OSA.distance, score_cutoff=limit, limit=None)
        return set().union(*(self._titled(title) for title, _, _ in near))

    def meant(self, typed: str, paper: Document, intended: Reading) -> set[int]:
        """Papers that some typed words mean as well as the one they are from, read as intended."""
        words = normalise(typed).split()
        right = self.readings.as_good(words, paper.id, intended)
        # What a slip turned into somebody's name is that name.
        return right | self.by_name_and_title(words) if intended.slips else right

    def _titled(self, title: str) -> set[int]:
        return {paper for paper in self.starting(title) if self.titles[paper] == title}

    @cached_property
    def readings(self) -> Readings:
        """Words of titles, with slips."""
        return Readings(self.titles, self.by_word)

    @cached_property
    def _sorted(self) -> list[tuple[str, int]]:
        return sorted((title, paper) for paper, title in self.titles.items())

    @cached_property
    def _by_length(self) -> list[str]:
        return sorted(self.titles.values(), key=len)

    # --- names

    def by_names_with(self, words: Sequence[str]) -> set[int]:
        """Papers by somebody whose name has all these words."""
        keys = [self.name_words.get(word, set()) for word in words]
        some = set.intersection(*keys) if keys else set()
        return set().union(*(self.by_author[key] for key in some))

    def by_name_and_title(self, words: Sequence[str]) -> set[int]:
        """Papers that have some of the words in the name of one author and the others in the title."""
        right: set[int] = set()
        for size in range(1, len(words) + 1):
            for names in itertools.combinations(range(len(words)), size):
                some = self.by_names_with([words[i] for i in names])
                rest = [word for i, word in enumerate(words) if i not in names]
                right |= some & self.having(rest) if rest else some
        return right

    def by_names_near(self, words: Sequence[str], limit: int) -> set[int]:
        """Papers by somebody whose name is these words in any order, within so many slips."""
        near = [self._name_vocabulary.near(word, limit) for word in words]
        keys = [set().union(*(self.name_words[word] for word in found)) for found in near]
        right: set[int] = set()
        for key in set.intersection(*keys) if keys else ():
            parts = key.split()
            ways = itertools.permutations(parts) if len(parts) == len(words) <= 4 else ()
            if any(sum(n.get(p, limit + 1) for n, p in zip(near, way, strict=True)) <= limit for way in ways):
                right |= self.by_author[key]
        return right

    @cached_property
    def name_words(self) -> dict[str, set[str]]:
        """Words of names → keys of the names that have them."""
        return _by_word(self.by_author)

    @cached_property
    def _name_vocabulary(self) -> Vocabulary:
        return Vocabulary(list(self.name_words))

    def by_institutions_with(self, words: Sequence[str]) -> set[int]:
        """Papers from an institution one of whose names has all these words."""
        names = [self._institution_words.get(word, set()) for word in words]
        some = set.intersection(*names) if names else set()
        return set().union(*(self.by_institution[name] for name in some))

    @cached_property
    def _institution_words(self) -> dict[str, set[str]]:
        return _by_word(self.by_institution)

    # --- Chinese titles

    def containing_zh(self, part: str) -> set[int]:
        """Papers whose Chinese title contains a run of characters."""
        return set(self._zh.containing(normalise(part).replace(" ", "")))

    def near_zh(self, part: str) -> set[int]:
        """Papers whose Chinese title contains a run of characters with one missing, wrong, swapped or too many."""
        wanted = normalise(part).replace(" ", "")
        middle = len(wanted) // 2
        # A single slip leaves one half as it is, unless it swaps across the middle.
        swapped = wanted[: middle - 1] + wanted[middle] + wanted[middle - 1] + wanted[middle + 1 :]
        some = {*self._zh.containing(wanted[:middle]), *self._zh.containing(wanted[middle:])}
        return {p for p in some if _within_one(wanted, self.titles_zh[p])} | set(self._zh.containing(swapped))

    def sounding(self, part: str, initials: bool) -> set[int]:
        """Papers whose Chinese title has a run that sounds so, in whole syllables or by their first letters."""
        wanted = pinyin.syllables(part)
        if initials:
            return set(self._initials.containing("".join(s[0] for s in wanted)))
        return set(self._sounds.containing(f"|{'|'.join(wanted)}|"))

    @cached_property
    def _zh(self) -> Texts:
        return Texts(self.titles_zh)

    @cached_property
    def _sounds(self) -> Texts:
        return Texts([f"|{'|'.join(pinyin.syllables(title))}|" for title in self.titles_zh])

    @cached_property
    def _initials(self) -> Texts:
        return Texts(["".join(s[0] for s in pinyin.syllables(title)) for title in self.titles_zh])


def _by_word(names: Iterable[str]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for name in names:
        for word in name.split():
            found[word].add(name)
    return found


def _within_one(wanted: str, title: str) -> bool:
    sizes = range(len(wanted) - 1, len(wanted) + 2)
    return any(
        OSA.distance(wanted, title[at : at + size], score_cutoff=1) <= 1
        for size in sizes
        for at in range(max(1, len(title) - size + 1))
    )


def author_key(name: str) -> str:
    """A name whatever the order of its words."""
    return " ".join(sorted(normalise(name).split()))


def telling(title: str, letters: int = 4) -> list[str]:
    """The words of a title (in the normal form) that a person would choose to find it by."""
    words = dict.fromkeys(title.split())
    return [word for word in words if len(word) >= letters and not EVERYDAY.fullmatch(word)]


def letters_of(text: str) -> int:
    """How many letters a slip can fall on."""
    return sum(char.isascii() and char.isalpha() for char in text)


def slip(text: str, rng: random.Random, times: int = 1) -> str:
    """`text` with slips on uniform letters: insert, delete, replace or swap."""
    for _ in range(times):
        places = [i for i, char in enumerate(text) if char.isascii() and char.isalpha()]
        if not places:
            return text
        text = _one_slip(text, rng.choice(places), rng)
    return text


def _one_slip(text: str, place: int, rng: random.Random) -> str:
    letter = rng.choice(string.ascii_lowercase)
    kind = rng.choice(("insert", "delete", "replace", "swap"))
    following = text[place + 1 : place + 2]
    if kind == "swap" and following.isalpha() and following != text[place]:
        return text[:place] + following + text[place] + text[place + 2 :]
    if kind == "delete":
        return text[:place] + text[place + 1 :]
    if kind == "insert":
        return text[:place] + letter + text[place:]
    while letter == text[place].lower():
        letter = rng.choice(string.ascii_lowercase)
    return text[:place] + letter + text[place + 1 :]
