"""The benchmark's own judgement: which papers answer a query, which slips are typed, what the gate looks at."""

from __future__ import annotations

import random
import string
from collections.abc import Sequence
from typing import Any

import pytest
from rapidfuzz.distance import OSA

from benchmarks.search_cases import Corpus, slip
from benchmarks.search_corpora import SPECS, CorpusSpec
from benchmarks.search_filler import filler
from benchmarks.search_measure import Outcome, percentile
from benchmarks.search_queries import KINDS, MOST_RIGHT, make_cases
from benchmarks.search_readings import Reading
from benchmarks.search_table import Row, missed
from bot.search.model import Document

BEGINNING = Reading(1, begins=True, in_a_row=True, whole=False)
IN_A_ROW = Reading(1, begins=False, in_a_row=True, whole=True)


def corpus_of(*titles: str) -> Corpus:
    return Corpus([Document(i, title, authors=("Ada Wan", "Hao Li")) for i, title in enumerate(titles)])


@pytest.mark.parametrize(
    ("typed", "intended", "titles", "right"),
    [
        pytest.param(
            "unified gin", IN_A_ROW, ["A Unified Min Max", "One Unified in All"], {0, 1}, id="as near"
        ),
        pytest.param(
            "unified gin", IN_A_ROW, ["A Unified Min Max", "A Unified Gin Bar"], {0, 1}, id="nearer"
        ),
        pytest.param("deep gri", IN_A_ROW, ["A Deep Grid Map", "Some Deep Nets"], {0}, id="farther"),
        pytest.param("grid mip", IN_A_ROW, ["The Grid Map", "Grid Mipmaps Two"], {0, 1}, id="half typed"),
        pytest.param(
            "lerning form", IN_A_ROW, ["On Learning From X", "Form and Learning"], {0}, id="scattered"
        ),
        pytest.param(
            "kernel pca", BEGINNING, ["Kernel PAC Bounds", "Via Kernel PCA"], {0, 1}, id="said elsewhere"
        ),
        pytest.param(
            "comprehensv", BEGINNING, ["Comprehensi One", "A Comprehensiv One"], {0, 1}, id="middle, whole"
        ),
        pytest.param(
            "for learnin", IN_A_ROW, ["Nets for Learning", "Cats for Learnings"], {0, 1}, id="cut short"
        ),
        pytest.param("ada wan", IN_A_ROW, ["Use Adam Wan Now"], {0}, id="a name"),
    ],
)
def test_papers_that_fit_as_well_are_right(
    typed: str, intended: Reading, titles: Sequence[str], right: set[int]
) -> None:
    corpus = corpus_of(*titles)
    assert corpus.meant(typed, corpus.documents[0], intended) == right


def test_a_name_in_a_slip_makes_its_papers_right() -> None:
    corpus = Corpus(
        [Document(0, "Use Adam Now", authors=("Bo Xu",)), Document(1, "Other Things", authors=("Ada Now",))]
    )
    assert corpus.meant("ada now", corpus.documents[0], IN_A_ROW) == {0, 1}


def test_whole_titles_and_chinese_runs_are_compared_by_slips() -> None:
    corpus = Corpus(
        [
            Document(0, "Deep PCA", title_zh="大型语言模型"),
            Document(1, "Deep PAC", title_zh="用大语言模型推理"),
            Document(2, "Deep Nets", title_zh="小语种模型"),
        ]
    )
    assert corpus.near_title("deep pac", 0) == {1}
    assert corpus.near_title("deep pac", 1) == {0, 1}
    assert corpus.near_zh("大一语言模型") == {0, 1}


def test_names_fit_in_any_order_and_initials_with_their_own_surname() -> None:
    corpus = Corpus(
        [
            Document(0, "One", authors=("Chen Xing", "Li Wu")),
            Document(1, "Two", authors=("Xin Chen",)),
            Document(2, "Three", authors=("Chen Li", "Xing Wu")),
        ]
    )
    assert corpus.by_names_near(["chen", "xinn"], 1) == {0, 1}
    assert corpus.by_names_with(["xing", "chen"]) == {0}


def test_a_slip_is_one_slip_anywhere() -> None:
    rng = random.Random(3)  # noqa: S311 - seeded on purpose
    typed = [slip("adaptive mesh", rng) for _ in range(400)]
    assert {OSA.distance("adaptive mesh", text) for text in typed} <= {0, 1}
    assert any(text[0] != "a" for text in typed)


def test_few_queries_are_dropped_where_names_and_words_repeat() -> None:
    rng = random.Random(5)  # noqa: S311 - seeded on purpose
    words = [
        first + second for first in ("graph", "deep", "token", "mesh") for second in string.ascii_lowercase
    ]
    documents = [
        Document(i, " ".join(rng.sample(words, 6)).title(), authors=("Wei Li", "Jo Müller-Wu"))
        for i in range(80)
    ]
    cases, tried, dropped = make_cases(Corpus(documents), per_kind=20, seed=1)
    assert all(0 < len(case.right) <= MOST_RIGHT for case in cases)
    assert {kind for kind in tried if kind.startswith("author")}
    assert [kind for kind, n in tried.items() if dropped[kind] > 0.05 * n and kind.startswith("author")] == []


def test_kinds_have_names_of_their_own() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS)


def test_filler_looks_like_what_it_is_made_from() -> None:
    rows: list[dict[str, Any]] = [
        {"title": "Deep nets for large graphs", "authors": ["Ann Lee", "Bo Xu"], "year": 2020},
        {
            "title": "Large graphs need deep nets",
            "authors": ["Cy Poe"],
            "affiliations": ["MIT"],
            "year": 2021,
        },
    ]
    made = list(filler(rows, 20, seed=1))
    assert made == list(filler(rows, 20, seed=1))
    assert {word for row in made for word in row["title"].split()} <= {
        word for row in rows for word in row["title"].split()
    }
    assert {row["year"] for row in made} == {2020, 2021}


def outcome(spec: CorpusSpec, *, first: float, absent: int, dropped: float = 0.0) -> Outcome:
    return Outcome(
        spec, 1, 5000, 1.0, (0, 100), (absent, 100), {"exact": dropped},
        first={"exact": first}, five={"exact": 1.0}, cases={"exact": 100},
    )  # fmt: skip


def test_of_several_seeds_the_worst_recall_and_the_median_time_count() -> None:
    spec = SPECS["5k"]
    seeds = [outcome(spec, first=value, absent=0) for value in (1.0, 0.98, 0.99)]
    recall = Row("recall", lambda o: o.first["exact"], {spec.name: 0.985})
    assert recall.cell(seeds) == "0.990, worst 0.980 (≥ 0.985) **missed**"
    assert recall.cell(seeds[:1]) == "1.000 (≥ 0.985)"
    timed = Row("ms", lambda o: o.first["exact"] * 100, {spec.name: 99}, "{:.0f}", smaller=True, noisy=True)
    assert timed.cell(seeds) == "99 (≤ 99)"


def test_percentile_is_the_smallest_value_that_enough_values_do_not_exceed() -> None:
    assert percentile(range(1, 101), 0.99) == 99
    assert percentile([3.0], 0.5) == 3.0


def test_the_gate_names_kinds_too_many_of_whose_queries_were_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.search_table.ROWS", ())
    spec = SPECS["5k"]
    assert missed([[outcome(spec, first=1.0, absent=0, dropped=0.04)]]) == []
    assert missed([[outcome(spec, first=1.0, absent=0, dropped=0.06)]]) == [
        "5k real ICLR, seed 1: 6% of “exact” dropped"
    ]
