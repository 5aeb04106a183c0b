"""Queries made from Chinese titles, and from English ones as a Chinese keyboard types them."""

from __future__ import annotations

import random
import re
from importlib.resources import files

from benchmarks.search_cases import Corpus, Made, Make, telling
from bot import pinyin
from bot.search.model import Document


def zh_part(title: str, rng: random.Random, low: int = 2, high: int = 8) -> str | None:
    """A run of characters from a Chinese title; None where no run is long enough."""
    runs = [run for run in re.findall(r"[\u4e00-\u9fff]+", title) if len(run) >= low]
    if not runs:
        return None
    run: str = rng.choice(runs)
    size = rng.randint(low, min(high, len(run)))
    first = rng.randint(0, len(run) - size)
    return run[first : first + size]


def zh_exact(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """The whole Chinese title."""
    if not paper.title_zh:
        return None
    title = corpus.titles_zh[paper.id]
    return paper.title_zh, {p for p in corpus.containing_zh(title) if corpus.titles_zh[p] == title}


def zh_piece(low: int, high: int) -> Make:
    """Some characters of it."""

    def make(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
        part = zh_part(paper.title_zh or "", rng, low, high)
        return (part, corpus.containing_zh(part)) if part else None

    return make


def zh_stretch(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """Six to fourteen neighbouring characters, Latin ones and numbers among them; all of a shorter title."""
    title = paper.title_zh or ""
    size = rng.randint(6, 14)
    first = rng.randint(0, max(0, len(title) - size))
    part = title[first : first + size].strip()
    return (part, corpus.containing_zh(part)) if re.search(r"[\u4e00-\u9fff]", part) else None


_COMMON = "的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她"


def zh_slip(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """Five characters or more, one of them wrong."""
    part = zh_part(paper.title_zh or "", rng, 5, 12)
    if not part:
        return None
    place = rng.randrange(len(part))
    wrong = rng.choice(_COMMON)
    if wrong == part[place]:
        return None
    typed = part[:place] + wrong + part[place + 1 :]
    return typed, corpus.containing_zh(part) | corpus.near_zh(typed)


def traditional(text: str) -> str:
    """The Traditional form, character by character."""
    return "".join(_traditional_table().get(char, char) for char in text)


_TRADITIONAL: dict[str, str] = {}


def _traditional_table() -> dict[str, str]:
    if not _TRADITIONAL:
        for line in (files("bot") / "tables" / "simplified.tsv").read_text(encoding="utf-8").splitlines():
            simple, others = line.split("\t")
            _TRADITIONAL[simple] = others[-1]
    return _TRADITIONAL


def zh_traditional(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """A part in Traditional characters."""
    part = zh_part(paper.title_zh or "", rng, 3, 10)
    if not part or traditional(part) == part:
        return None
    return traditional(part), corpus.containing_zh(part)


def mixed(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """A Latin word and some characters."""
    part = zh_part(paper.title_zh or "", rng, 2, 4)
    words = telling(corpus.titles[paper.id], 3)
    if not part or not words:
        return None
    word = rng.choice(words)
    return f"{word} {part}", corpus.having([word]) & corpus.containing_zh(part)


def sounds(initials: bool) -> Make:
    """A part in pinyin, whole or by initials."""

    def make(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
        part = zh_part(paper.title_zh or "", rng, 5 if initials else 4, 8)
        if not part:
            return None
        read = pinyin.syllables(part)
        typed = "".join(s[0] for s in read) if initials else "".join(read)
        return typed, corpus.sounding(part, initials)

    return make
