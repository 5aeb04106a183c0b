"""Ids of buttons come back from anybody."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.render import ids


@given(st.sampled_from(sorted(ids.KINDS)), st.lists(st.text(max_size=12), max_size=3))
def test_what_is_encoded_reads_back(kind: str, arguments: list[str]) -> None:
    try:
        custom_id = ids.encode(kind, *arguments)
    except ValueError:
        return
    assert ids.decode(custom_id) == (kind, tuple(arguments))
    assert len(custom_id.encode("utf-16-le")) // 2 <= 100


@given(st.text(max_size=120))
def test_any_text_reads_as_none_or_as_what_encode_makes(custom_id: str) -> None:
    read = ids.decode(custom_id)
    assert read is None or ids.encode(read[0], *read[1]) == custom_id


@pytest.mark.parametrize(
    "custom_id",
    [
        None,
        7,
        "",
        "ih",
        "ih:",
        "ih:card",
        "ih:card:1:2",
        "ih:nothing:1",
        "xx:card:1",
        "ih:card:%3A",
        "ih:card:%zz",
        "ih:card:" + "1" * 100,
        "IH:card:1",
    ],
)
def test_what_is_no_id_of_ours_reads_as_none(custom_id: object) -> None:
    assert ids.decode(custom_id) is None


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [("card", ("x" * 100,)), ("card", ()), ("nothing", ("1",)), ("card", ("\ud800",))],
)
def test_an_id_that_cannot_be_made_raises(kind: str, arguments: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"custom_id|button"):
        ids.encode(kind, *arguments)


@pytest.mark.parametrize(
    ("argument", "expected"),
    [("12", 12), ("0", None), ("-1", None), ("", None), ("١٢", None), ("9" * 30, None), ("1.0", None)],
)
def test_a_number_is_read_strictly(argument: str, expected: int | None) -> None:
    assert ids.number(argument) == expected
