"""Cuts: within the limit, at a good place, nothing in pieces."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.render.cutting import cut, even
from bot.render.graphemes import clusters, size, width
from bot.render.safe import literal
from tests.render.discord_rules import units
from tests.render.markdown import read

FAMILY = "👨\u200d👩\u200d👧\u200d👦"


def test_text_that_fits_is_left_alone() -> None:
    assert cut("**bold** text", 13) == "**bold** text"


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("one two three", 10, "one two…"),
        ("one two three", 8, "one two…"),
        ("extraordinarily", 6, "extra…"),
        ("扩散模型的加速采样", 5, "扩散模型…"),
        ("LogQuant 扩散模型", 11, "LogQuant 扩…"),
        ("ends. Then", 7, "ends.…"),
    ],
)
def test_a_cut_is_at_a_word_or_a_character(text: str, limit: int, expected: str) -> None:
    assert cut(text, limit) == expected


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("**long bold text here**", 14, "**long bold…**"),
        ("a **b** c **long bold** d", 17, "a **b** c…"),
        ("`code span that is long`", 12, "`code span…`"),
        ("||spoiler that is long||", 14, "||spoiler…||"),
        ("***both of them are on***", 16, "***both of…***"),
        ("```\nline one\nline two\n```", 18, "```\nline one…\n```"),
        ("see [label](<https://x.org>) end", 20, "see…"),
        ("at <t:1700000000:f> sharp", 10, "at…"),
        ("2 * 3 is no markup at all", 14, "2 * 3 is no…"),
        ("snake_case_words are long", 20, "snake_case_words…"),
        (r"a\*b\*c", 4, r"a\*…"),
        (r"a\*b\*c", 3, "a…"),
        (r"*aa\*bb cc*", 7, r"*aa\*…*"),
    ],
)
def test_open_markup_is_closed_or_dropped(text: str, limit: int, expected: str) -> None:
    assert cut(text, limit) == expected


@pytest.mark.parametrize("limit", range(1, 14))
def test_no_character_is_cut_in_pieces(limit: int) -> None:
    for whole in (FAMILY, "🇨🇳", "e\u0301", "❤\ufe0f", "👍🏽", "한", "\r\n"):
        shortened = cut(whole * 20, limit, markup=False)
        assert units(shortened) <= limit
        assert set(clusters(shortened)) <= {whole, "…"}


@given(st.text(max_size=120), st.integers(0, 60))
def test_any_text_fits_after_the_cut(text: str, limit: int) -> None:
    for markup in (True, False):
        assert units(cut(text, limit, markup=markup)) <= limit or cut(text, limit, markup=markup) == text
        assert cut(text, max(limit, size(text)), markup=markup) == text


@given(st.text(alphabet=st.sampled_from("*_`~|[]()<>\\ ab\n"), max_size=60), st.integers(1, 50))
def test_a_cut_literal_stays_literal(text: str, limit: int) -> None:
    assert read(cut(literal(text), limit)).active == ()


MARKED_UP = st.sampled_from(["**bold** ", "`code` ", "||x|| ", "word ", "__u__ ", "**a `b` c** "])


@given(st.lists(MARKED_UP, max_size=12), st.integers(1, 60))
def test_a_cut_leaves_no_delimiter_open(parts: list[str], limit: int) -> None:
    shortened = cut("".join(parts), limit)
    assert not re.search(r"[*`|_]", read(shortened).seen)


@given(st.text(max_size=60))
def test_clusters_are_the_text(text: str) -> None:
    assert "".join(clusters(text)) == text


@given(st.text(max_size=60))
def test_size_is_the_stricter_count(text: str) -> None:
    assert size(text) == units(text) >= len(text)


def test_width_counts_columns() -> None:
    assert width("ab清华e\u0301") == 7


@given(st.lists(st.integers(0, 50), max_size=8), st.integers(0, 200))
def test_room_is_shared_evenly_and_never_overdrawn(wanted: list[int], room: int) -> None:
    shares = even(wanted, room)
    assert sum(shares) <= room
    assert all(share <= want for share, want in zip(shares, wanted, strict=True))
    if sum(wanted) <= room:
        assert shares == wanted
