"""Autocomplete: prefix, inner words and typos in either language, best first."""

from __future__ import annotations

import pytest

from bot.institutions.directory import Directory
from bot.institutions.model import Organisation
from bot.institutions.resolver import Resolver


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("stanf", "stanford-university"),
        ("stanfrod", "stanford-university"),
        ("carnegie melon", "carnegie-mellon-university"),
        ("tsing", "tsinghua-university"),
        ("清华", "tsinghua-university"),
        ("清華", "tsinghua-university"),
        ("香港科技", "the-hong-kong-university-of-science-and-technology"),
        ("mit", "massachusetts-institute-of-technology"),
        ("eth", "eth-zurich"),
        ("nus", "national-university-of-singapore"),
        ("deepm", "google-deepmind"),
        ("阿里", "alibaba-group"),
        ("达摩", "alibaba-damo-academy"),
        ("zürich", "eth-zurich"),
        ("harvrd univ", "harvard-university"),
    ],
)
def test_the_best_suggestion_comes_first(resolver: Resolver, typed: str, first: str) -> None:
    found = [row.id for row in resolver.suggest(typed)]
    assert first in found[:3] if typed == "zürich" else found[0] == first


def test_an_ambiguous_short_form_offers_its_owners_first(resolver: Resolver) -> None:
    assert {row.id for row in resolver.suggest("UCL", 2)} == {"university-college-london", "uclouvain"}


def test_short_texts_match_only_from_the_start_of_a_word() -> None:
    rows = [Organisation("venus", "Venus Labs"), Organisation("nus", "National University", aliases=("NUS",))]
    assert [row.id for row in Resolver(Directory(rows)).suggest("nus")] == ["nus"]


@pytest.mark.parametrize("typed", ["", "   ", "?", "😀", "…"])
def test_text_without_content_suggests_nothing(resolver: Resolver, typed: str) -> None:
    assert resolver.suggest(typed) == ()


@pytest.mark.parametrize("limit", [0, 1, 25])
def test_the_limit_holds_and_nothing_comes_twice(resolver: Resolver, limit: int) -> None:
    found = resolver.suggest("a", limit)
    assert len(found) == limit
    assert len({row.id for row in found}) == limit
