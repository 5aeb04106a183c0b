"""What the queries of the search benchmark are made from: a corpus that finds everything that fits, and typing slips.

Promises: slips fall on uniform letters, the first included. Leaves the kinds to `search_titles`, `search_han` and
`search_people`.
"""

from __future__ import annotations

import random
import re
import string
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.search.model import Document
from bot.text import normalise

EVERYDAY = re.compile(
    r"an?|the|of|for|in|on|with|to|and|or|via|from|by|is|are|be|as|at|do|can|its|we|how|what|using"
)

Made = tuple[str, set[int]] | None


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
    make: Callable[[Corpus, Document, random.Random], tuple[str, set[int]] | None]
    group: str = ""  # "typo", "plain" or "" of the table in the README
    apart: bool = False  # reported, but no part of the macro


@dataclass(slots=True)
class Corpus:
    """Documents with their normal forms, to find everything that fits."""

    documents: list[Document]
    titles: dict[int, str] = field(default_factory=dict)
    titles_zh: dict[int, str] = field(default_factory=dict)
    by_author: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    by_word: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    by_institution: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    facts: dict[int, Document] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)  # author key → the name in the normal form

    def __post_init__(self) -> None:
        """Work the normal forms out once."""
        for document in self.documents:
            self.facts[document.id] = document
            self.titles[document.id] = normalise(document.title_en)
            self.titles_zh[document.id] = normalise(document.title_zh or "").replace(" ", "")
            for author in document.authors:
                self.by_author[author_key(author)].add(document.id)
                self.names[author_key(author)] = normalise(author)
            for word in self.titles[document.id].split():
                self.by_word[word].add(document.id)
            for institution in document.institutions:
                self.by_institution[normalise(institution)].add(document.id)

    def starting(self, prefix: str) -> set[int]:
        """Papers whose title starts so, letter by letter."""
        return {paper for paper, title in self.titles.items() if title.startswith(prefix)}

    def containing(self, phrase: str) -> set[int]:
        """Papers with these neighbouring words in the title."""
        candidates = set.intersection(*(self.by_word.get(word, set()) for word in phrase.split()))
        return {paper for paper in candidates if f" {phrase} " in f" {self.titles[paper]} "}

    def having(self, words: list[str]) -> set[int]:
        """Papers with all these words in the title."""
        return set.intersection(*(self.by_word.get(word, set()) for word in words))

    def same_title(self, document: Document) -> set[int]:
        """Papers of the same title."""
        return self.containing(self.titles[document.id]) & self.starting_same(document)

    def starting_same(self, document: Document) -> set[int]:
        """Papers whose title is this one, in the normal form."""
        title = self.titles[document.id]
        return {
            paper for paper in self.by_word.get(title.split(" ")[0], set()) if self.titles[paper] == title
        }

    def containing_zh(self, part: str) -> set[int]:
        """Papers whose Chinese title contains a run of characters."""
        wanted = normalise(part).replace(" ", "")
        return {paper for paper, title in self.titles_zh.items() if wanted in title}


def author_key(name: str) -> str:
    """A name whatever the order of its words."""
    return " ".join(sorted(normalise(name).split()))


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
