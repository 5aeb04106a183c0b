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
from benchmarks.search_cases import Case, Corpus, Kind, Made
from bot.search.model import Document

MOST_RIGHT = 20
TRIES = 12  # where one place or name of a paper fits too many, another may not
ROUNDS = 4

_NAME = people.author(lambda name, _: name)

KINDS: tuple[Kind, ...] = (
    Kind("exact", titles.whole(lambda title, _: title), "plain"),
    Kind("case", titles.whole(lambda title, rng: rng.choice((title.upper(), title.lower()))), "plain"),
    Kind("no punctuation", titles.whole(titles.unpunctuated), "plain"),
    Kind("LaTeX", titles.latex, "plain"),
    Kind("LaTeX, part", titles.latex_part, "plain"),
    Kind("prefix", titles.prefix(3, 24), "plain", otherwise=titles.prefix(16, 60)),
    Kind("prefix, typo", titles.prefix_typo(10, 28), "typo", otherwise=titles.prefix_typo(20, 60)),
    Kind("words in a row", titles.part(3, 5)),
    Kind("keywords, any order", titles.keywords),
    Kind("2 words, 1 typo", titles.part_typo(2, 2, 1), "typo"),
    Kind("3 words, 1 typo", titles.part_typo(3, 3, 1), "typo"),
    Kind("4–5 words, 1 typo", titles.part_typo(4, 5, 1), "typo"),
    Kind("2–3 words, 2 typos", titles.part_typo(2, 3, 2), "typo"),
    Kind("4–5 words, 2 typos", titles.part_typo(4, 5, 2), "typo"),
    Kind("title, 1 typo", titles.whole_typo(1), "typo"),
    Kind("title, 2 typos", titles.whole_typo(2), "typo"),
    Kind("title, 4 typos", titles.whole_typo(4), "typo"),
    Kind("reordered", titles.reordered, "plain"),
    Kind("words joined", titles.joined),
    Kind("word split", titles.split),
    Kind("method", titles.method, "plain"),
    Kind("method, joined or split", titles.method_apart),
    Kind("method, typo", titles.method_typo, "typo"),
    Kind("Chinese title", han.zh_exact, "plain"),
    Kind("Chinese part", han.zh_piece(2, 8), "plain", otherwise=han.zh_stretch),
    Kind("Chinese, wrong character", han.zh_slip),
    Kind("Traditional", han.zh_traditional, "plain"),
    Kind("full width", titles.part(3, 5, titles.full_width), "plain"),
    Kind("mixed", han.mixed, "plain"),
    Kind("author", _NAME, otherwise=people.with_word(_NAME)),
    *(
        Kind(f"author, {name}", make, otherwise=people.with_word(make))
        for name, make in (
            ("last first", people.author(people.last_first)),
            ("comma", people.author(people.comma)),
            ("no accents", people.author(people.unaccented)),
            ("no hyphen", people.author(people.unhyphened)),
            ("misspelt", people.misspelt),
            ("initial", people.initials),
        )
    ),
    Kind("author + word", people.author_word),
    Kind("institution + word", people.institution_word("English")),
    Kind("institution in Chinese + topic", people.institution_word("Chinese")),
    Kind("year, presentation + words", people.facets(1, 2), otherwise=people.facets(2, 3)),
    Kind("arXiv id", people.arxiv),
    Kind("OpenReview link", people.openreview),
    Kind("quotes, operators", titles.part(3, 5, titles.operators)),
    Kind("emoji", titles.part(3, 5, titles.emoji)),
    Kind("pinyin", han.sounds(initials=False), apart=True),
    Kind("pinyin initials", han.sounds(initials=True), apart=True),
    Kind("institution alias + word", people.institution_word("alias"), apart=True),
)


def make_cases(corpus: Corpus, per_kind: int, seed: int) -> tuple[list[Case], Counter[str], Counter[str]]:
    """Cases of all kinds; how many were tried and how many dropped, by kind."""
    cases: list[Case] = []
    tried: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    for kind in KINDS:
        texts: set[str] = set()
        for paper, rng in _draws(corpus, f"{seed}/{kind.name}", per_kind):
            if len(texts) >= per_kind:
                break
            result, fits = _one_case(kind, corpus, paper, rng)
            if result is None or result[0] in texts:
                continue
            tried[kind.name] += 1
            if not fits:
                dropped[kind.name] += 1
                continue
            text, right = result
            texts.add(text)
            cases.append(Case(kind.name, text, frozenset(right)))
    return cases, tried, dropped


def _one_case(kind: Kind, corpus: Corpus, paper: Document, rng: random.Random) -> tuple[Made, bool]:
    """A query and whether few enough papers fit.

    Before it is dropped, other places and names of the same paper are tried, then what a person would add.
    """
    result: Made = None
    for make in filter(None, (kind.make, kind.otherwise)):
        for _ in range(TRIES):
            made = make(corpus, paper, rng)
            if made and made[0].strip():
                result = made
                if len(made[1]) <= MOST_RIGHT:
                    return made, True
    return result, False


def _draws(corpus: Corpus, seed: str, per_kind: int) -> Iterator[tuple[Document, random.Random]]:
    """Papers in random order; each several times, with fresh slips, where there are few."""
    rng = random.Random(seed)
    documents = corpus.documents
    for _ in range(max(ROUNDS, ROUNDS * per_kind // max(1, len(documents)))):
        # Shuffled as far as it is needed: most kinds take a hundred papers of any number.
        moved: dict[int, int] = {}
        for place in range(len(documents)):
            other = rng.randrange(place, len(documents))
            yield documents[moved.get(other, other)], rng
            moved[other] = moved.get(place, place)
