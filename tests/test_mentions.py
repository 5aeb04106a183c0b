from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.mentions import LETTERS, PHRASES, read


@pytest.mark.parametrize(
    "text",
    [
        "see https://arxiv.org/abs/2601.01234v3!",
        "(http://arxiv.org/pdf/2601.01234.pdf)",
        "[paper](https://arxiv.org/html/2601.01234)",
        "<https://www.arxiv.org/abs/2601.01234?utm=x>,",
        "arXiv:2601.01234 is nice",
        "2601.01234",
        "https://doi.org/10.48550/arXiv.2601.01234",
    ],
)
def test_arxiv_ids_are_read_from_any_form(text: str) -> None:
    assert read(text).keys == ("arxiv:2601.01234",)


def test_openreview_links_are_read() -> None:
    assert read("x https://openreview.net/forum?id=AbC-123_x&noteId=zzz y").keys == ("openreview:AbC-123_x",)


def test_each_key_stands_once_in_the_order_of_the_message() -> None:
    text = "https://arxiv.org/abs/2602.00002 https://arxiv.org/abs/2601.00001 arxiv.org/pdf/2602.00002v2"
    assert read(text).keys == ("arxiv:2602.00002", "arxiv:2601.00001")


@pytest.mark.parametrize(
    "text", ["version 1.2.3", "costs 2601.99 EUR", "https://example.org/2601", "2699.01234"]
)
def test_other_numbers_are_no_ids(text: str) -> None:
    assert read(text).keys == ()


def test_quoted_text_and_lines_are_phrases_without_their_bullets() -> None:
    text = "1. **Deep Otters**: a study\n> - 《量子水獭的注意力》 推荐\nshort"
    assert read(text).phrases == (
        "Deep Otters",
        "量子水獭的注意力",
        "Deep Otters : a study",
        "《量子水獭的注意力》 推荐",
    )


@given(st.text(max_size=4000))
def test_any_message_gives_few_and_short_phrases(text: str) -> None:
    found = read(text)
    assert len(found.phrases) <= PHRASES
    assert all(0 < len(phrase) <= LETTERS for phrase in found.phrases)
