"""Queries made from authors, institutions, editions and ids."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable

from benchmarks.search_cases import Corpus, Made, Make, author_key, slip, telling
from benchmarks.search_han import zh_part
from benchmarks.search_titles import SCATTERED
from bot.search.model import Document
from bot.text import normalise


def _names(paper: Document) -> list[str]:
    return [name for name in paper.authors if len(normalise(name).split()) >= 2]


def author(change: Callable[[str, random.Random], str | None]) -> Make:
    """A name, changed."""

    def make(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
        typed = {name: change(name, rng) for name in _names(paper)}
        fitting = [name for name, text in typed.items() if text]
        if not fitting:
            return None
        name = rng.choice(fitting)
        text = typed[name] or ""
        # Another person's name may be what this one's becomes without its hyphen.
        right = corpus.by_author[author_key(name)] | corpus.by_author.get(author_key(text), set())
        return text, right | corpus.starting(normalise(text))

    return make


def misspelt(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """A name with a slip; whoever else is as near is as right."""
    names = _names(paper)
    if not names:
        return None
    name = rng.choice(names)
    typed = slip(name, rng)
    normal = normalise(typed)
    words = normal.split()
    right = corpus.by_author[author_key(name)] | corpus.by_names_near(words, 1) | corpus.by_names_with(words)
    return typed, right | corpus.starting(normal)


def with_word(make_name: Make) -> Make:
    """A name with a telling word of the title, for one that alone fits too many papers."""

    def make(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
        made = make_name(corpus, paper, rng)
        words = telling(corpus.titles[paper.id])
        if not made or not words:
            return None
        word = rng.choice(words)
        return f"{made[0]} {word}", made[1] & corpus.having([word])

    return make


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
    names = [name for name in _names(paper) if len(normalise(name).split()) == 2]
    if not names:
        return None
    first, last = normalise(rng.choice(names)).split()
    right = {
        p
        for key in corpus.name_words[last]
        if _has_initial(key, first[0], last)
        for p in corpus.by_author[key]
    }
    typed = rng.choice((f"{first[0]} {last}", f"{first[0].upper()}. {last.title()}", f"{last} {first[0]}"))
    return typed, right | corpus.starting(normalise(typed))


def _has_initial(key: str, initial: str, last: str) -> bool:
    others = key.split()
    others.remove(last)
    return any(word.startswith(initial) for word in others)


def author_word(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """A name or a surname with a word of the title, in either order."""
    names, words = _names(paper), telling(corpus.titles[paper.id])
    if not names or not words:
        return None
    name, word = rng.choice(names), rng.choice(words)
    if rng.random() < 0.5:
        shown, right = name, corpus.by_author[author_key(name)]
    else:
        shown = name.split()[-1]
        right = corpus.by_names_with(normalise(shown).split())
    typed = rng.choice((f"{shown} {word}", f"{word} {shown}"))
    return typed, (right & corpus.having([word])) | corpus.meant(typed, paper, SCATTERED)


def institution_word(sort: str) -> Make:
    """An institution with a topic.

    Args:
        sort: "English", "Chinese" or "alias" (an acronym).
    """

    def make(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
        names = [n for n in paper.institutions if _sort_of(n) == sort and len(normalise(n)) >= 2]
        words = telling(corpus.titles[paper.id])
        if not names or not words:
            return None
        name, word = rng.choice(names), rng.choice(words)
        theirs = corpus.by_institutions_with(normalise(name).split())
        topic = zh_part(paper.title_zh or "", rng, 2, 4)
        if sort == "Chinese" and topic and rng.random() < 0.5:
            return f"{name} {topic}", theirs & corpus.containing_zh(topic)
        typed = f"{name} {word}"
        return typed, (theirs & corpus.having([word])) | corpus.meant(typed, paper, SCATTERED)

    return make


def _sort_of(name: str) -> str:
    if re.search(r"[\u4e00-\u9fff]", name):
        return "Chinese"
    return "alias" if name.isupper() and len(name) <= 6 else "English"


def facets(low: int, high: int) -> Make:
    """Conference, year, track and presentation with some words of the title."""

    def make(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
        words = telling(corpus.titles[paper.id])
        if len(words) < high or paper.year is None:
            return None
        topic = rng.sample(words, rng.randint(low, high))
        shown = "workshop" if paper.track == "workshop" and rng.random() < 0.5 else paper.presentation
        said = f"iclr {paper.year} {shown or ''}".split()
        rest = f"{paper.year} {shown or ''}".split()
        typed = rng.choice(([*said, *topic], [*topic, *said], [*rest, *topic]))
        right = {
            p
            for p in corpus.meant(" ".join(topic), paper, SCATTERED)
            if (other := corpus.documents[p]).year == paper.year
            and (not shown or shown in (other.presentation, other.track))
        }
        return " ".join(typed), right

    return make


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
