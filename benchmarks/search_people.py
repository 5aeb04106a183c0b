"""Queries made from authors, institutions, editions and ids."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from benchmarks.search_cases import EVERYDAY, Corpus, Made, author_key, slip
from benchmarks.search_titles import window
from bot.search.model import Document
from bot.text import normalise


def author(
    change: Callable[[str, random.Random], str | None],
) -> Callable[[Corpus, Document, random.Random], Made]:
    """A name, changed."""

    def make(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
        names = [name for name in paper.authors if len(normalise(name).split()) >= 2]
        if not names:
            return None
        name = rng.choice(names)
        typed = change(name, rng)
        if not typed:
            return None
        # Another person's name may be what this one's becomes without its hyphen.
        return typed, corpus.by_author[author_key(name)] | corpus.by_author.get(author_key(typed), set())

    return make


def misspelt(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """A name with a slip."""
    names = [name for name in paper.authors if len(normalise(name).split()) >= 2]
    if not names:
        return None
    name = rng.choice(names)
    typed = slip(name, rng)
    # Whoever else is one slip away is as right.
    near = extract(normalise(typed), corpus.names, scorer=OSA.distance, score_cutoff=1, limit=50)
    return typed, {p for _, _, key in near for p in corpus.by_author[key]} | corpus.by_author[
        author_key(name)
    ]


def last_first(name: str, _: random.Random) -> str:
    """The last word first."""
    *first, last = name.split(" ")
    return " ".join((last, *first))


def comma(name: str, _: random.Random) -> str:
    """The last word first, with a comma."""
    *first, last = name.split(" ")
    return f"{last}, {' '.join(first)}"


def unaccented(name: str, _: random.Random) -> str | None:
    """Without accents; None for a name without any."""
    plain = unicodedata.normalize("NFD", name).translate(str.maketrans("łøŁØ", "loLO"))
    plain = "".join(char for char in plain if not unicodedata.combining(char))
    return plain if plain != name else None


def unhyphened(name: str, rng: random.Random) -> str | None:
    """Without its hyphen; None for a name without one."""
    return name.replace("-", rng.choice((" ", ""))) if "-" in name else None


def initials(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """A surname with an initial, in either order."""
    names = [name for name in paper.authors if len(normalise(name).split()) == 2]
    if not names:
        return None
    first, last = normalise(rng.choice(names)).split()
    right = {
        p
        for key in corpus.by_author
        if last in key.split()
        for p in corpus.by_author[key]
        if _has_initial(key, first[0], last)
    }
    typed = rng.choice((f"{first[0]} {last}", f"{first[0].upper()}. {last.title()}", f"{last} {first[0]}"))
    return typed, right


def _has_initial(key: str, initial: str, last: str) -> bool:
    others = key.split()
    others.remove(last)
    return any(word.startswith(initial) for word in others)


def author_word(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """A name or a surname with a word of the title."""
    names = [name for name in paper.authors if len(normalise(name).split()) >= 2]
    words = [w for w in corpus.titles[paper.id].split() if len(w) > 3 and not EVERYDAY.fullmatch(w)]
    if not names or not words:
        return None
    name, word = rng.choice(names), rng.choice(words)
    last = name.split()[-1]
    typed = rng.choice((f"{name} {word}", f"{word} {name}", f"{last} {word}"))
    right = corpus.by_author[author_key(name)] & corpus.having([word])
    if typed.startswith(f"{last} "):
        wanted = normalise(last).split()
        right = {p for p in corpus.having([word]) if _some_author_has(corpus.facts[p], wanted)}
    return typed, right


def _some_author_has(paper: Document, words: list[str]) -> bool:
    return any(set(words) <= set(normalise(name).split()) for name in paper.authors)


def institution_word(alias: bool) -> Callable[[Corpus, Document, random.Random], Made]:
    """An institution, by name or alias, with a word of the title."""

    def make(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
        names = [n for n in paper.institutions if _is_alias(n) == alias and len(normalise(n)) >= 2]
        words = [w for w in corpus.titles[paper.id].split() if len(w) > 3 and not EVERYDAY.fullmatch(w)]
        if not names or not words:
            return None
        name, word = rng.choice(names), rng.choice(words)
        return f"{name} {word}", corpus.by_institution[normalise(name)] & corpus.having([word])

    return make


def _is_alias(name: str) -> bool:
    return not name.isascii() or (name.isupper() and len(name) <= 6)


def facets(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """Conference, year and presentation with two words of the title."""
    words = [w for w in corpus.titles[paper.id].split() if len(w) > 3 and not EVERYDAY.fullmatch(w)]
    if len(words) < 2 or paper.year is None:
        return None
    chosen = rng.sample(words, min(len(words), 2))
    shown = paper.presentation or ""
    parts = ["iclr", str(paper.year), shown, *chosen]
    right = {
        p
        for p in corpus.having(chosen)
        if corpus.facts[p].year == paper.year and (not shown or corpus.facts[p].presentation == shown)
    }
    return " ".join(filter(None, parts)), right


def arxiv(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """An arXiv id or link."""
    ids = [key.partition(":")[2] for key in paper.keys if key.startswith("arxiv:")]
    if not ids:
        return None
    form = rng.choice(("{}", "{}v2", "arXiv:{}", "https://arxiv.org/abs/{}v1", "https://arxiv.org/pdf/{}"))
    return form.format(ids[0]), {paper.id}


def openreview(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """An OpenReview id or link."""
    ids = [key.partition(":")[2] for key in paper.keys if key.startswith("openreview:")]
    if not ids:
        return None
    form = rng.choice(
        ("https://openreview.net/forum?id={}", "https://openreview.net/pdf?id={}", "openreview:{}")
    )
    return form.format(ids[0]), {paper.id}


def operators(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """Words of the title among quotes, operators and emoji."""
    words = window(corpus, paper, rng, 3, 5)
    if not words:
        return None
    phrase = " ".join(words)
    form = rng.choice(
        ('"{}"', "+{} -", "({}) 🚀", "{} ???", "title:{}", "*{}*", "NEAR({}", "{} %", "“{}”!!", "`{}`")
    )
    text = form.format(phrase)
    return text, corpus.containing(phrase)
