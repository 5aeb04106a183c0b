"""Hostile and broken affiliations: no organisation out of nothing, no exception."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.institutions.directory import Directory
from bot.institutions.model import Match
from bot.institutions.resolver import Resolver

RESOLVER = Resolver(Directory.shipped())
NAMES = st.sampled_from(sorted({name for row in Directory.shipped() for name in row.names()}))
GLUE = st.sampled_from(
    [", ", " and ", " & ", "; ", " (", ") ", "/", " at ", " of ", "，", "†", " - ", " ", "1", "\n", "{", "@"]
)


@pytest.mark.parametrize(
    "text",
    [
        "(((",
        ")(",
        "[unbalanced (brackets",
        "{{{{@}}}}",
        "🤖🎓✨",
        "👩‍🔬",
        "\u202egnihton",
        "مرحبا بالعالم",
        "x" * 2000,
        "Stanford University, " * 100,
        "\x00\x01",
        "\ud83c",
        "Department of Computer Science",
        "School of Engineering and Applied Sciences",
        "Graduate Group in Applied Mathematics and Computational Science",
        "Independent Researcher",
        "PhD Student",
        "CIFAR AI Chair",
        "Senior Research Scientist",
        "London, United Kingdom",
        "Cambridge, MA 02139, USA",
        "计算机系",
        "计算机科学与技术学院",
        "Paper under double-blind review",
    ],
)
def test_a_text_that_names_nothing_gives_no_organisation(text: str) -> None:
    assert [answer.organisation for answer in RESOLVER.resolve_all(text)] == [None]
    assert RESOLVER.lookup(text).organisation is None


def test_a_text_of_2000_characters_is_none_and_not_unknown() -> None:
    assert RESOLVER.resolve("MIT " * 500).status is Match.NONE


def test_three_hundred_affiliations_in_one_text_are_cut_off() -> None:
    assert RESOLVER.resolve(", ".join(["Stanford University"] * 300)).status is Match.NONE


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=700), st.none() | st.text(max_size=100))
def test_no_text_raises(name_en: str, name_zh: str | None) -> None:
    for answer in RESOLVER.resolve_all(name_en, name_zh):
        assert (answer.organisation is not None) == (answer.status is Match.EXACT)
    assert RESOLVER.lookup(name_en).status is not Match.NONE
    assert len(RESOLVER.suggest(name_en, 5)) <= 5


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(NAMES, GLUE), min_size=1, max_size=6))
def test_names_put_together_at_random_never_raise_and_repeat_no_organisation(
    parts: list[tuple[str, str]],
) -> None:
    text = "".join(name + glue for name, glue in parts)
    found = [answer.organisation.id for answer in RESOLVER.resolve_all(text) if answer.organisation]
    assert len(found) == len(set(found))


@settings(max_examples=200, deadline=None)
@given(NAMES, st.sampled_from(["", " ", "  ", ".", ",", "\n", "†", "*", " ‡"]))
def test_a_name_of_the_table_is_never_another_organisation(name: str, tail: str) -> None:
    owners = {row.id for row in Directory.shipped() if name in row.names()}
    for answer in RESOLVER.resolve_all(name + tail):
        assert answer.organisation is None or answer.organisation.id in owners
