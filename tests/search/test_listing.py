"""The user's own listing: each of its papers by every kind of query, and nothing for titles it doesn't have."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.search_cases import Corpus
from benchmarks.search_corpora import SPECS, load, nonsense
from benchmarks.search_queries import make_cases
from bot.search.index import Index
from bot.search.model import Document, Query

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def listing(shared_data: Path) -> tuple[list[Document], list[str]]:
    return load(SPECS["30"], shared_data, seed=11)


@pytest.fixture(scope="module")
def index(listing: tuple[list[Document], list[str]]) -> Index:
    return Index.build(listing[0])


def test_every_kind_of_query_finds_its_paper_first(
    index: Index, listing: tuple[list[Document], list[str]]
) -> None:
    cases, _, _ = make_cases(Corpus(listing[0]), per_kind=30, seed=11)
    assert len({case.kind for case in cases}) >= 30
    wrong = []
    for case in cases:
        hits = index.search(Query(case.text), 1)
        if not hits or hits[0].id not in case.right:
            wrong.append(f"[{case.kind}] {case.text}")
    # A slip in two letters of a short word can leave nothing to go by; one in a hundred may be lost so.
    assert len(wrong) <= len(cases) // 100, wrong


def test_nothing_is_found_where_nothing_is(index: Index, listing: tuple[list[Document], list[str]]) -> None:
    assert [text for text in nonsense(11) if index.search(Query(text))] == []
    assert len(listing[1]) == 150
    assert [text for text in listing[1] if index.search(Query(text))] == []


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("logquant", "LogQuant"),
        ("log quant", "LogQuant"),
        ("adadiffuser", "Ada-Diffuser"),
        ("LogQuant 量化", "LogQuant"),
        ("LLM 拒绝", "Can LLMs Refuse"),
        ("大语言模型能否拒绝", "Can LLMs Refuse"),
        ("Mixture-of-Experts dense", "Mixture-of-Experts"),
    ],
)
def test_queries_of_the_issue(
    index: Index, listing: tuple[list[Document], list[str]], text: str, start: str
) -> None:
    titles = {document.id: document.title_en for document in listing[0]}
    assert titles[index.search(Query(text), 1)[0].id].startswith(start)
