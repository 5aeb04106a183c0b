from __future__ import annotations

from dataclasses import replace

import pytest

from bot.papers.model import PaperAffiliation
from bot.reports import affiliation_at
from tests.test_similar import BASE

PAPER = replace(
    BASE,
    affiliations=(
        PaperAffiliation("Dept. X, ETH Zurich", None, "eth-zurich", ("epfl",)),
        PaperAffiliation("Unknown Place", None, None),
    ),
)


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("eth-zurich", "Dept. X, ETH Zurich"),
        ("epfl", "Dept. X, ETH Zurich"),
        ("0", "Dept. X, ETH Zurich"),
        ("1", "Unknown Place"),
    ],
)
def test_a_place_is_an_organisation_or_the_number_of_an_affiliation(place: str, name: str) -> None:
    found = affiliation_at(PAPER, place)
    assert found is not None
    assert found.name_en == name


@pytest.mark.parametrize("place", ["", "2", "-1", "99999999999999999999", "nowhere", "²"])
def test_anything_else_is_no_place(place: str) -> None:
    assert affiliation_at(PAPER, place) is None
