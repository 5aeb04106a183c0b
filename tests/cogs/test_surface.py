"""Suggestions as Discord takes them."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.render.graphemes import size
from cogs.surface import choices

names = st.text(max_size=160) | st.text(alphabet="ab 漢😀", min_size=90, max_size=130)


@settings(max_examples=30, deadline=None)  # the example holds 60 long texts
@given(st.lists(st.tuples(names, st.text(max_size=120)), max_size=60))
def test_72_whatever_comes_in_discord_takes_what_goes_out(pairs: list[tuple[str, str]]) -> None:
    made = choices(pairs)
    assert len(made) <= 25
    assert len({choice.name for choice in made}) == len(made)
    assert len({choice.value for choice in made}) == len(made)
    for choice in made:
        assert choice.name.strip()
        assert size(choice.name) <= 100
        assert 1 <= len(choice.value) <= 100


def test_the_order_is_kept_and_a_value_stands_once() -> None:
    made = choices([("b", "2"), ("a", "1"), ("b again", "2"), ("  ", "3"), ("c", "")])
    assert [(choice.name, choice.value) for choice in made] == [("b", "2"), ("a", "1")]


def test_equal_names_get_numbers() -> None:
    assert [choice.name for choice in choices([("same", "1"), ("same", "2"), ("same", "3")])] == [
        "same",
        "same (2)",
        "same (3)",
    ]


def test_long_names_that_begin_alike_keep_what_differs() -> None:
    start = (
        "A very long beginning that many papers of one series share, word for word, up to here and beyond: "
    )
    one, two = (choice.name for choice in choices([(start + "apples", "1"), (start + "pears", "2")]))
    assert "apples" in one
    assert "pears" in two
    assert one.startswith("A very long beginning")


def test_a_lone_long_name_is_cut_at_its_end() -> None:
    (only,) = choices([("word " * 40, "1")])
    assert only.name.startswith("word word")
    assert only.name.endswith("…")
