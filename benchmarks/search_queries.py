"""Queries of every kind that people type, each with all the papers that are equally right.

Promises: seeded; typos fall on uniform places, the first letter included; a query is dropped only when more than
twenty papers fit, and the share dropped is counted. Leaves measuring to `benchmarks.search`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from benchmarks import search_han as han
from benchmarks import search_people as people
from benchmarks import search_titles as titles
from benchmarks.search_cases import Case, Corpus, Kind, Made, slip
from bot.search.model import Document

MOST_RIGHT = 20
TRIES = 4

KINDS: tuple[Kind, ...] = (
    Kind("exact", titles.whole(lambda title, _: title), "plain"),
    Kind("case", titles.whole(lambda title, rng: rng.choice((title.upper(), title.lower()))), "plain"),
    Kind("no punctuation", titles.whole(titles.unpunctuated), "plain"),
    Kind("LaTeX", titles.latex, "plain"),
    Kind("prefix", titles.prefix, "plain"),
    Kind("prefix, typo", titles.prefix_typo, "typo"),
    Kind("words in a row", titles.middle),
    Kind("keywords, any order", titles.keywords),
    Kind("2 words, 1 typo", titles.window_typo(2, 2, 1), "typo"),
    Kind("3 words, 1 typo", titles.window_typo(3, 3, 1), "typo"),
    Kind("4–5 words, 2 typos", titles.window_typo(4, 5, 2), "typo"),
    Kind("title, 1 typo", titles.whole(slip), "typo"),
    Kind("title, 2 typos", titles.whole(lambda title, rng: slip(title, rng, 2)), "typo"),
    Kind("title, 4 typos", titles.whole(lambda title, rng: slip(title, rng, 4)), "typo"),
    Kind("reordered", titles.reordered, "plain"),
    Kind("words joined", titles.joined),
    Kind("word split", titles.split),
    Kind("method", titles.method, "plain"),
    Kind("method, typo", titles.method_typo, "typo"),
    Kind("Chinese title", han.zh_exact, "plain"),
    Kind("Chinese part", han.zh_piece, "plain"),
    Kind("Chinese, wrong character", han.zh_slip),
    Kind("Traditional", han.zh_traditional, "plain"),
    Kind("full width", han.full_width, "plain"),
    Kind("mixed", han.mixed, "plain"),
    Kind("author", people.author(lambda name, _: name)),
    Kind("author, last first", people.author(people.last_first)),
    Kind("author, comma", people.author(people.comma)),
    Kind("author, no accents", people.author(people.unaccented)),
    Kind("author, no hyphen", people.author(people.unhyphened)),
    Kind("author, misspelt", people.misspelt),
    Kind("author, initial", people.initials),
    Kind("author + word", people.author_word),
    Kind("institution + word", people.institution_word(alias=False)),
    Kind("year, presentation + words", people.facets),
    Kind("arXiv id", people.arxiv),
    Kind("OpenReview link", people.openreview),
    Kind("quotes, operators", people.operators),
    Kind("pinyin", han.sounds(initials=False), apart=True),
    Kind("pinyin initials", han.sounds(initials=True), apart=True),
    Kind("institution alias + word", people.institution_word(alias=True), apart=True),
)


def make_cases(corpus: Corpus, per_kind: int, seed: int) -> tuple[list[Case], Counter[str], Counter[str]]:
    """Cases of all kinds; how many were tried and how many dropped, by kind."""
    cases: list[Case] = []
    tried: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    for kind in KINDS:
        made = 0
        for paper, rng in _draws(corpus, f"{seed}/{kind.name}", per_kind):
            if made >= per_kind:
                break
            result, fits = _one_case(kind, corpus, paper, rng)
            if result is None:
                continue
            tried[kind.name] += 1
            if not fits:
                dropped[kind.name] += 1
                continue
            text, right = result
            made += 1
            cases.append(Case(kind.name, text, frozenset(right)))
    return cases, tried, dropped


def _one_case(kind: Kind, corpus: Corpus, paper: Document, rng: random.Random) -> tuple[Made, bool]:
    """A query and whether few enough papers fit; another place of the same paper may do before it is dropped."""
    result: Made = None
    for _ in range(TRIES):
        made = kind.make(corpus, paper, rng)
        if made and made[0].strip():
            result = made
            if len(made[1]) <= MOST_RIGHT:
                return made, True
    return result, False


def _draws(corpus: Corpus, seed: str, per_kind: int) -> Iterator[tuple[Document, random.Random]]:
    rng = random.Random(seed)
    order = list(corpus.documents)
    rng.shuffle(order)
    # A small corpus gives each paper several times, with fresh slips.
    rounds = max(1, -(-per_kind // max(1, len(order)))) * 4 if len(order) < 200 else 1
    for _ in range(rounds):
        for paper in order:
            yield paper, rng
