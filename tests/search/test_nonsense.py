"""What must find nothing: no match is an empty list, not a bad guess."""

from __future__ import annotations

import pytest

from bot.search.index import Index
from bot.search.model import Document
from tests.search.papers import ids


@pytest.mark.parametrize(
    "text",
    [
        "qwertz asdfgh",
        "xkcdvbn",
        "zzzzzzzz",
        "asdf jkl",
        "how do I cook pasta with tomato sauce",
        "the weather in paris tomorrow",
        "best pizza near me",
        "今天晚上吃什么好呢",
        "北京到上海的高铁票",
        "鑫淼焱垚",
        "Attention Is All You Need",
        "Deep Residual Learning for Image Recognition",
        "Proximal Policy Optimization Algorithms",
        "Adam: A Method for Stochastic Optimization",
        "John Smith",
        "Stanford University",
    ],
)
def test_nothing(index: Index, text: str) -> None:
    assert ids(index, text) == []


def test_an_empty_field_never_matches(index: Index) -> None:
    empty = Index.build(())
    assert ids(empty, "anything") == []
    assert ids(empty, "") == []


def test_a_known_word_that_a_paper_lacks_is_no_slip() -> None:
    index = Index.build(
        [
            Document(1, "Adaptive Diffusion for Decisions", institutions=("Aalto University",)),
            Document(2, "Sparse Grids", institutions=("MIT", "Massachusetts Institute of Technology")),
        ]
    )
    assert ids(index, "MIT diffusion") == []
    assert ids(index, "MIT grids") == [2]
    assert ids(index, "Aalto diffusion") == [1]
