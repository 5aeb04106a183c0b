"""Authors: whole names in any order, with initials, with a slip, beside people who share a part of the name."""

from __future__ import annotations

import pytest

from bot.search.index import Index
from bot.search.merge import merge
from bot.search.model import Document, Query
from tests.search.papers import ids

PERSON, PARTS, OTHER, LONG, TITLE, INITIALS = 1, 2, 3, 4, 5, 6

PEOPLE = (
    Document(PERSON, "Sparse Rewards in the Wild", None, ("Yi Zhou", "Ana Lopes"), newest=1),
    Document(PARTS, "Sparse Codes in the Lab", None, ("Yi Wang", "Bo Zhou"), newest=9),
    Document(OTHER, "Dense Retrieval at Sea", None, ("Yan Zhou",), newest=3),
    Document(LONG, "Posteriors of Rivers", None, ("Diederik P. Kingsley",), newest=4),
    Document(TITLE, "Q-Supervised Contrast", None, ("Carla Nunes",), newest=5),
    Document(INITIALS, "Wavelets Revisited", None, ("Qiang Su", "Taesup Moonfield"), newest=6),
)


@pytest.fixture(scope="module", params=["one segment", "several", "merged"])
def people(request: pytest.FixtureRequest) -> Index:
    if request.param == "one segment":
        return Index.build(PEOPLE)
    parts = [Index.prepare(PEOPLE[:2]), Index.prepare(PEOPLE[2:4]), Index.prepare(PEOPLE[4:])]
    return Index(parts) if request.param == "several" else Index([merge(parts)])


@pytest.mark.parametrize("text", ["Yi Zhou", "Zhou Yi", "Zhou, Yi", "yi zhou"])
def test_a_whole_name_is_one_person(people: Index, text: str) -> None:
    # Yi Wang and Bo Zhou wrote a paper together: it has both words, and is newer.
    assert ids(people, text) == [PERSON]


def test_a_name_beside_a_word_of_the_title(people: Index) -> None:
    assert ids(people, "Yi Zhou sparse")[0] == PERSON
    assert ids(people, "sparse Bo Zhou")[0] == PARTS


@pytest.mark.parametrize("text", ["y zhou", "Y. Zhou", "zhou y", "Zhou, Y."])
def test_an_initial_stands_for_every_name_that_begins_so(people: Index, text: str) -> None:
    assert set(ids(people, text)) == {PERSON, OTHER}


def test_a_middle_name_may_be_left_out(people: Index) -> None:
    assert ids(people, "Diederik Kingsley") == [LONG]
    assert ids(people, "Kingsley Diederik") == [LONG]
    assert ids(people, "D. Kingsley") == [LONG]


@pytest.mark.parametrize("text", ["Taesup Moonfeld", "Taesop Moonfield", "Moonfield Taseup", "Qiagn Su"])
def test_a_name_with_a_slip(people: Index, text: str) -> None:
    assert ids(people, text) == [INITIALS]


def test_an_initial_and_a_surname_come_before_a_title_that_begins_alike(people: Index) -> None:
    assert ids(people, "q su")[0] == INITIALS
    assert ids(people, "q supervised")[0] == TITLE
    assert ids(Index.build([*PEOPLE, Document(7, "Zhou Yardsticks", newest=0)]), "zhou y")[0] == 7


def test_nobody_is_found_for_a_name_far_from_all(people: Index) -> None:
    assert ids(people, "Yo Zhuang") == []
    assert ids(people, "Taesup Kingsley") == []


@pytest.mark.parametrize("text", ["taesup moo", "moonf", "moonfield ta", "kingsl"])
def test_a_half_typed_name_is_suggested(people: Index, text: str) -> None:
    hits = people.suggest(text)
    assert [hit.id for hit in hits] in ([INITIALS], [LONG])
    assert all(hit.matched == "author" for hit in hits)


def test_a_name_names_the_field_and_its_words(people: Index) -> None:
    hit = people.search(Query("Zhou, Yi"))[0]
    assert (hit.matched, hit.confidence) == ("author", "found")
    assert set(hit.terms) == {"yi", "zhou"}


def test_a_single_word_may_lack_a_letter_but_not_be_any_word_near_by() -> None:
    # Four words of five letters in 20,000: by chance a text of five letters is near to one of them all the time.
    vowels, consonants = "aeiou", "bcdfghklmnprstvz"
    made = (
        a + b + c + d + e
        for a in consonants
        for b in vowels
        for c in consonants
        for d in vowels
        for e in consonants
    )
    fillers = [Document(n, f"Study {word} paper{n}") for n, word in zip(range(10, 6_000), made, strict=False)]
    index = Index.build([Document(1, "MuFlow: Streams without Banks", newest=1), *fillers])
    assert ids(index, "muflw")[:1] == [1]
    assert ids(index, "mulfow")[:1] == [1]
    assert 1 not in ids(index, "mxflo")
    small = Index.build([Document(1, "MuFlow: Streams without Banks", newest=1)])
    assert ids(small, "muflxw") == [1]


def test_words_in_a_row_whatever_a_slip_is_taken_for() -> None:
    index = Index.build(
        [
            Document(1, "Memory of Man and Machine", newest=1),
            Document(2, "A Distribution Map for Text", newest=2),
            Document(3, "Distributions as Actions", newest=3),
            Document(4, "One Man and a Distribution of Boats", newest=4),
        ]
    )
    assert ids(index, "distribution mpa")[0] == 2
    assert ids(index, "distribution mal")[0] == 2
