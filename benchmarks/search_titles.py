"""Queries made from English titles: exact, cut, mistyped, reordered, joined and split, with ids and operators."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from benchmarks.search_cases import EVERYDAY, Corpus, Made, slip
from bot.search.model import Document
from bot.text import normalise, read_latex


def whole(change: Callable[[str, random.Random], str]) -> Callable[[Corpus, Document, random.Random], Made]:
    """The whole title, changed."""

    def make(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
        return change(paper.title_en, rng), corpus.starting_same(paper)

    return make


def unpunctuated(title: str, _: random.Random) -> str:
    """Without punctuation."""
    return re.sub(r"[^\w\s]", " ", read_latex(title).replace("'", "").replace("’", ""))


def latex(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """A title with LaTeX or Greek letters, as printed or as read."""
    if not re.search(r"[$\\α-ωΑ-Ω²³∞]", paper.title_en):
        return None
    forms = (paper.title_en, read_latex(paper.title_en), corpus.titles[paper.id])
    return rng.choice(forms), corpus.starting_same(paper)


def prefix(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """The beginning of a title, from three letters on."""
    text = paper.title_en[: rng.randint(3, 24)].rstrip()
    normal = normalise(text)
    return (text, corpus.starting(normal)) if len(normal) >= 3 else None


def prefix_typo(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """The beginning of a title with a slip."""
    text = paper.title_en[: rng.randint(10, 28)].rstrip()
    typed = slip(text, rng)
    right = corpus.starting(normalise(text)) | corpus.starting(normalise(typed))
    return (typed, right) if len(normalise(text)) >= 8 else None


def window(corpus: Corpus, paper: Document, rng: random.Random, low: int, high: int) -> list[str] | None:
    """Some neighbouring words of a title; None where it is too short."""
    words = corpus.titles[paper.id].split()
    size = rng.randint(low, high)
    if len(words) < size + 1:
        return None
    first = rng.randint(0, len(words) - size)
    return words[first : first + size]


def middle(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """Three to five neighbouring words."""
    words = window(corpus, paper, rng, 3, 5)
    return (" ".join(words), corpus.containing(" ".join(words))) if words else None


def keywords(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """Three or four telling words in any order."""
    words = [
        w for w in dict.fromkeys(corpus.titles[paper.id].split()) if len(w) > 2 and not EVERYDAY.fullmatch(w)
    ]
    if len(words) < 4:
        return None
    chosen = rng.sample(words, rng.randint(3, 4))
    return " ".join(chosen), corpus.having(chosen)


def window_typo(low: int, high: int, times: int) -> Callable[[Corpus, Document, random.Random], Made]:
    """Neighbouring words with slips."""

    def make(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
        words = window(corpus, paper, rng, low, high)
        if not words:
            return None
        if not any(len(word) > 4 and not EVERYDAY.fullmatch(word) for word in words):
            return None  # nobody looks for "of the"
        phrase = " ".join(words)
        typed = slip(phrase, rng, times)
        # A slip may make what another title says.
        return typed, corpus.containing(phrase) | corpus.containing(normalise(typed))

    return make


def reordered(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """All words in another order."""
    words = corpus.titles[paper.id].split()
    right = {p for p in corpus.having(words) if sorted(corpus.titles[p].split()) == sorted(words)}
    rng.shuffle(words)
    return " ".join(words), right


def joined(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """Neighbouring words, two of them joined."""
    words = window(corpus, paper, rng, 2, 5)
    if not words or any(len(word) < 2 for word in words):
        return None
    right = corpus.containing(" ".join(words))
    place = rng.randrange(len(words) - 1)
    words[place : place + 2] = [words[place] + words[place + 1]]
    return " ".join(words), right


def split(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """Neighbouring words, one of them split."""
    words = window(corpus, paper, rng, 1, 4)
    if not words:
        return None
    long = [place for place, word in enumerate(words) if len(word) >= 6 and word.isalpha()]
    if not long:
        return None
    right = corpus.containing(" ".join(words))
    place = rng.choice(long)
    cut = _hump(paper.title_en, words[place]) or rng.randint(3, len(words[place]) - 3)
    words[place] = words[place][:cut] + " " + words[place][cut:]
    return " ".join(words), right


def _hump(title: str, word: str) -> int | None:
    """Where a name like LogQuant has its second capital."""
    for written in re.findall(r"[A-Za-z]+", title):
        if written.lower() == word and (match := re.search(r"(?<=[a-z])[A-Z]", written)):
            return match.start() if 2 <= match.start() <= len(word) - 2 else None
    return None


def _method_of(paper: Document) -> str | None:
    head, colon, _ = paper.title_en.partition(":")
    return head if colon and len(normalise(head)) >= 3 and len(head.split()) <= 2 else None


def method(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """The name before the colon."""
    head = _method_of(paper)
    if head is None:
        return None
    normal = normalise(head)
    return head, {p for p in corpus.containing(normal) if f"{corpus.titles[p]} ".startswith(f"{normal} ")}


def method_typo(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """The name before the colon with a slip."""
    head = _method_of(paper)
    if head is None or len(normalise(head)) < 6:
        return None
    typed = slip(head, rng)
    right = {p for p in corpus.containing(normalise(head)) if corpus.titles[p].startswith(normalise(head))}
    return typed, right | corpus.starting(normalise(typed))
