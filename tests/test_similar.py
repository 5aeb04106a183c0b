from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from bot.papers.model import Paper, PaperAffiliation
from bot.similar import rank, title_terms

BASE = Paper(
    id=1,
    title_en="Diffusion Models for Otter Behaviour",
    title_zh=None,
    authors=("Ada Lovelace",),
    affiliations=(),
    summaries=(),
    abstract_en=None,
    abstract_zh=None,
    comments=None,
    journal_ref=None,
    arxiv_id=None,
    date=None,
    categories=(),
    links=(),
    venues=(),
    added_at=datetime(2026, 1, 1, tzinfo=UTC),
)
RARITY = {"otter": 1.0, "behaviour": 0.7, "diffusion": 0.3}


def _paper(number: int, title: str, authors: tuple[str, ...] = ("Alan Turing",), place: str = "") -> Paper:
    places = (PaperAffiliation(place, None, place),) if place else ()
    return replace(BASE, id=number, title_en=title, authors=authors, affiliations=places)


def test_rarer_shared_words_come_first() -> None:
    others = [_paper(2, "Diffusion of Otter News"), _paper(3, "Otter Behaviour"), _paper(4, "Otter Songs")]
    assert rank(BASE, others, RARITY) == [3, 2, 4]


def test_common_words_alone_make_nothing_similar() -> None:
    assert rank(BASE, [_paper(2, "Diffusion Models"), _paper(3, "Something Else")], RARITY) == []


def test_a_shared_author_makes_papers_similar_a_shared_institution_only_decides() -> None:
    base = replace(BASE, affiliations=(PaperAffiliation("x", None, "eth"),))
    others = [
        _paper(2, "Unrelated", ("Lovelace, Ada",)),
        _paper(3, "Nothing", place="eth"),
        _paper(4, "Otter Songs"),
        _paper(5, "Otter Dances", place="eth"),
    ]
    assert rank(base, others, RARITY) == [5, 2, 4]


def test_a_word_of_the_abstract_counts_half() -> None:
    other = replace(_paper(2, "Unrelated"), abstract_en="We watch otter behaviour.")
    assert rank(BASE, [other], RARITY) == [2]
    assert rank(BASE, [replace(other, abstract_en="We watch diffusion.")], RARITY) == []


def test_a_shared_pair_counts_more_than_its_words_apart() -> None:
    rarity = {**RARITY, "otter behaviour": 1.2}
    assert rank(BASE, [_paper(2, "Behaviour of an Otter"), _paper(3, "Otter Behaviour")], rarity) == [3, 2]


def test_a_long_title_takes_more_than_one_shared_word() -> None:
    rarity = dict.fromkeys(("diffusion", "otter", "behaviour", "a1", "a2", "a3"), 1.0)
    assert rank(BASE, [_paper(2, "Otter Songs"), _paper(3, "Otter Diffusion")], rarity) == [3]


def test_words_that_any_title_has_are_left_out() -> None:
    found = title_terms(_paper(1, "On the Learning of Sleepy Otters with Models for an A"))
    assert found == ["sleepy", "otters", "sleepy otters"]
