"""Section I of the field reports: what went wrong with institutions elsewhere, one test a row."""

from __future__ import annotations

import pytest

from bot.institutions.directory import Directory
from bot.institutions.model import Match
from bot.institutions.resolver import Resolver


@pytest.mark.parametrize(
    ("text", "suggested"),
    [
        ("Brno University", "brno-university-of-technology"),
        ("Unversity of Washintgon", "university-of-washington"),
        ("Tsinghau University", "tsinghua-university"),
        ("北京理工大", "beijing-institute-of-technology"),
    ],
)
def test_row_113_fuzzy_suggests_and_never_decides(resolver: Resolver, text: str, suggested: str) -> None:
    assert resolver.resolve(text).organisation is None
    answer = resolver.lookup(text)
    assert answer.status is Match.UNKNOWN
    assert suggested in [organisation.id for organisation in answer.suggestions]


def test_row_114_neighbours_are_separate_and_parents_explicit(
    directory: Directory, resolver: Resolver
) -> None:
    texts = [
        "MPI for Informatics",
        "MPI for Intelligent Systems",
        "中国科学院",
        "中国科学院大学",
        "Université Paris-XII",
    ]
    found = [resolver.resolve(text).organisation for text in texts]
    assert None not in found
    assert len({organisation.id for organisation in found if organisation}) == len(texts)
    institute = directory.get("max-planck-institute-for-informatics")
    assert institute is not None
    assert institute.parent == "max-planck-society"
    assert resolver.resolve("University of Paris").status is Match.AMBIGUOUS


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("TU München", "Technical University of Munich"),
        ("Université de Montréal", "University of Montreal"),
        ("清华大学", "Tsinghua"),
        ("ETH Zürich", "ETH Zurich"),
        ("École Normale Supérieure de Lyon", "ENS Lyon"),
        ("Universität Freiburg", "University of Freiburg"),
    ],
)
def test_row_116_names_in_other_languages_are_the_same_house(
    resolver: Resolver, one: str, other: str
) -> None:
    first, second = resolver.resolve(one).organisation, resolver.resolve(other).organisation
    assert first is not None
    assert first == second


def test_row_117_variants_roll_up_and_the_unknown_stays_as_printed(resolver: Resolver) -> None:
    for text in ("UPenn", "Univ. Penn", "University of Pennsylvania"):
        organisation = resolver.resolve(text).organisation
        assert organisation is not None
        assert organisation.id == "university-of-pennsylvania"
    medical = resolver.resolve("Harvard Medical School").organisation
    assert medical is not None
    assert medical.id == "harvard-university"
    unknown = resolver.resolve("YaiYai Ltd")
    assert (unknown.status, unknown.segment) == (Match.UNKNOWN, "YaiYai Ltd")


@pytest.mark.parametrize("form", ["UW", "MSU", "CAS", "NTU", "UCL", "USC", "NEU", "UM", "uw", "U.C.L."])
def test_row_118_ambiguous_short_forms_are_chosen_never_guessed(resolver: Resolver, form: str) -> None:
    for answer in (resolver.resolve(form), resolver.lookup(form)):
        assert answer.status is Match.AMBIGUOUS
        assert answer.organisation is None
        assert len(answer.suggestions) >= 2


@pytest.mark.parametrize("query", ["mit", "m.i.t.", "MIT", "M. I. T.", "麻省理工"])
def test_row_119_mit_in_every_spelling(resolver: Resolver, query: str) -> None:
    answer = resolver.lookup(query)
    assert answer.organisation is not None
    assert answer.organisation.id == "massachusetts-institute-of-technology"
    assert resolver.suggest(query)[0].id == "massachusetts-institute-of-technology"


@pytest.mark.parametrize(
    "text", ["Venus Labs", "Ethiopia", "Ethiopian Academy", "sfsu.edu", "Bonus GmbH", "Summit"]
)
def test_row_121_a_name_inside_another_word_is_no_match(resolver: Resolver, text: str) -> None:
    assert [answer.organisation for answer in resolver.resolve_all(text)] == [None]


@pytest.mark.parametrize(
    "side_text",
    [
        "ORCID: 0000-0002-1825-0097",
        "https://orcid.org/0000-0002-1825-0097",
        "someone@google.com",
        "{ann,bob}@microsoft.com",
        "work done at Google",
        "(work done while interning at Google)",
        "This work was done during an internship at Microsoft Research",
        "(equal contribution)",
        "*Equal contribution",
        "now at Google",
        "currently at Meta AI",
        "on leave from Google",
        "corresponding author",
    ],
)
def test_row_122_side_text_is_no_institution(resolver: Resolver, side_text: str) -> None:
    assert resolver.resolve(side_text).status is Match.NONE
    found = resolver.resolve_all(f"Department of Statistics, Yale University, {side_text}")
    assert [answer.organisation.id for answer in found if answer.organisation] == ["yale-university"]


@pytest.mark.parametrize("cell", ["1,2", "[]", "null", "N/A", "-", "n/a", "1", "a,b", "None", "{}", "*", "—"])
def test_row_124_numbers_and_placeholders_are_no_institution(resolver: Resolver, cell: str) -> None:
    assert [answer.status for answer in resolver.resolve_all(cell)] == [Match.NONE]
    assert resolver.lookup(cell).organisation is None


@pytest.mark.parametrize("cell", ["", "   ", "\n", "　"])
def test_row_125_an_empty_cell_is_none(resolver: Resolver, cell: str) -> None:
    assert resolver.resolve(cell).status is Match.NONE
    assert resolver.resolve(cell, "").status is Match.NONE
