"""Which subscription meets which paper, and why."""

from __future__ import annotations

import pytest

from bot.alerts.matching import LITERAL, PaperFacts, Subscribers
from bot.papers.model import PaperAffiliation
from bot.papers.names import author_key
from bot.text import normalise
from storage.subscriptions import Kind, Subscription
from tests.digest.test_selection import paper
from tests.storage.fixtures import START

PARENTS = {"microsoft-research-asia": ("microsoft",), "epfl": ()}


def ancestors(organisation: str) -> tuple[str, ...]:
    """The parents of an organisation."""
    return PARENTS.get(organisation, ())


def wish(kind: Kind, value: str, number: int = 1, *, children: bool = True) -> Subscription:
    """A person's subscription."""
    return Subscription(number, number, None, None, kind, value, value, children, "en", 0, START)


PAPER = paper(
    1,
    "State-of-the-Art Tidal Models",
    title_zh="潮汐模型",
    authors=("Wei Zhang", "Greta Öberg"),
    affiliations=(
        PaperAffiliation("Dept. of Tides, EPFL", None, "epfl"),
        PaperAffiliation("Microsoft Research Asia", None, "microsoft-research-asia"),
        PaperAffiliation("Institute of the Sea", None, None),
        PaperAffiliation("EPFL and ETH", None, "epfl", ("eth-zurich",)),
    ),
)
FACTS = PaperFacts(PAPER, ancestors)


@pytest.mark.parametrize(
    ("subscription", "text", "place", "child"),
    [
        (wish("institution", "epfl"), "Dept. of Tides, EPFL", "0", False),
        (wish("institution", "eth-zurich"), "EPFL and ETH", "3", False),
        (wish("institution", "microsoft"), "Microsoft Research Asia", "1", True),
        (
            wish("institution", LITERAL + normalise("institute of the SEA")),
            "Institute of the Sea",
            "2",
            False,
        ),
        (wish("author", author_key("Zhang, Wei")), "Wei Zhang", None, False),
        (wish("author", author_key("Greta Oberg")), "Greta Öberg", None, False),
        (wish("keyword", "tidal state"), "tidal state", None, False),
        (wish("keyword", "潮汐"), "潮汐", None, False),
    ],
    ids=lambda value: getattr(value, "value", None),
)
def test_a_match_says_which_text_it_met(
    subscription: Subscription, text: str, place: str | None, child: bool
) -> None:
    match = FACTS.match(subscription)
    assert match is not None
    assert (match.text, match.place, match.child) == (text, place, child)


@pytest.mark.parametrize(
    "subscription",
    [
        wish("institution", "eth"),
        wish("institution", "microsoft", children=False),
        wish("institution", LITERAL + "sea"),
        wish("institution", LITERAL + "epfl"),
        wish("author", author_key("Wei Zhao")),
        wish("keyword", "tide"),
        wish("keyword", "tidal ocean"),
        wish("keyword", ""),
        wish("keyword", "？"),
    ],
    ids=lambda one: f"{one.kind} {one.value}",
)
def test_near_is_no_match(subscription: Subscription) -> None:
    assert FACTS.match(subscription) is None
    assert Subscribers([subscription]).matches(FACTS) == []


def test_the_arrangement_finds_what_one_by_one_would_find() -> None:
    wanted: list[tuple[Kind, str]] = [
        ("keyword", "tidal"),
        ("institution", "epfl"),
        ("author", author_key("Wei Zhang")),
        ("keyword", "tidal"),
        ("institution", "microsoft"),
        ("keyword", "ocean"),
        ("institution", "mit"),
        ("author", "nobody"),
    ]
    wishes = [wish(kind, value, number) for number, (kind, value) in enumerate(wanted)]
    found = [match.subscription.id for match in Subscribers(wishes).matches(FACTS)]
    assert found == [one.id for one in wishes if FACTS.match(one) is not None] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("printed", ["", "-", "[]", "()" * 400, "，。"])
def test_124_an_affiliation_without_a_name_matches_nothing(printed: str) -> None:
    facts = PaperFacts(paper(2, affiliations=(PaperAffiliation(printed, None, None),)), ancestors)
    assert facts.match(wish("institution", LITERAL)) is None
    assert facts.match(wish("institution", LITERAL + printed)) is None
