"""Profiles of authors and institutions, and bars of text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.render import ids
from bot.render.charts import By, bars, stats
from bot.render.graphemes import width
from bot.render.profiles import (
    AuthorProfile,
    InstitutionProfile,
    author_profile,
    choices,
    institution_profile,
)
from bot.render.voice import Voice
from tests.render.discord_rules import faults
from tests.render.markdown import read
from tests.render.samples import (
    CHINESE,
    ENGLISH,
    HOSTILE_TITLES,
    ONLY_ENGLISH,
    VOICES,
    link_targets,
    markdown_of,
    paper,
    said,
)

COUNTS = ((2026, "main", 7), (2025, "main", 3), (2025, "workshop", 2), (None, "other", 1))
PAPERS = [paper(n, title_en=f"Paper number {n}") for n in range(1, 9)]


def test_an_author_has_papers_years_and_company() -> None:
    profile = AuthorProfile(
        "Kun Zhang", "kun zhang", 13, COUNTS, PAPERS, [("Yujia Zheng", 5)], [("mit", 4)], ["Zhang, Kun"]
    )
    message = author_profile(ENGLISH, profile)
    shown = said(message)
    for text in (
        "Kun Zhang",
        "13 papers at ICLR",
        "2026 ",
        "Yujia Zheng (5)",
        "Massachusetts Institute of Technology (麻省理工学院) (4)",
        "Also printed as Zhang, Kun",
        "Paper number 5",
    ):
        assert text in shown
    assert "`6`" not in shown
    assert "several people" not in shown
    assert ids.encode("subscribe", "author", "kun zhang") in message.custom_ids()


def test_a_shared_name_is_called_so() -> None:
    profile = AuthorProfile("Wei Wang", "wang wei", 2, shared=True)
    assert "several people of this name" in said(author_profile(ENGLISH, profile))
    assert "几位同名作者" in said(author_profile(CHINESE, profile))


def test_an_institution_has_counts_by_year_and_track() -> None:
    profile = InstitutionProfile(
        "Tsinghua University", "清华大学", "tsinghua", True, 400, COUNTS, PAPERS, [("mit", 3)], "university", "mit",
        ["nvidia"], ["THU"], "CN",
    )  # fmt: skip
    shown = said(institution_profile(ENGLISH, profile))
    for text in (
        "Tsinghua University (清华大学)",
        "400 papers at ICLR",
        "2025 workshop",
        "University · Country: CN · Part of Massachusetts",
        "Also known as THU",
        "NVIDIA",
        "Often together with",
    ):
        assert text in shown
    assert "directory" not in shown
    assert "2025 研讨会" in said(institution_profile(CHINESE, profile))


def test_an_unknown_institution_says_that_it_is_matched_literally() -> None:
    profile = InstitutionProfile("Some Lab", None, "Some Lab", False, 1)
    assert "exactly this printed name" in said(institution_profile(ENGLISH, profile))


def test_a_name_too_long_for_a_button_has_none() -> None:
    profile = InstitutionProfile("X" * 200, None, "X" * 200, False, 1)
    assert institution_profile(ENGLISH, profile).buttons == ()


def test_several_meanings_are_a_choice() -> None:
    message = choices(ENGLISH, "institution", "UW", [("i:uw", "University of Washington")], ambiguous=True)
    assert "can mean several" in said(message)
    assert message.select is not None
    assert [(o.label, o.value) for o in message.select.options] == [("University of Washington", "i:uw")]
    assert "No author found" in said(choices(ENGLISH, "author", "x_y", []))
    assert r"x\_y" in said(choices(ENGLISH, "author", "x_y", []))


@pytest.mark.parametrize("voice", VOICES)
@pytest.mark.parametrize("text", [*HOSTILE_TITLES, "word " * 300, "字" * 900])
def test_any_profile_fits_and_is_harmless(voice: Voice, text: str) -> None:
    names = [(text, n) for n in range(40)]
    author = AuthorProfile(text, text[:40], 40, COUNTS, PAPERS, names, names, [text] * 40, True)
    place = InstitutionProfile(
        text,
        text,
        text[:40],
        False,
        40,
        COUNTS,
        PAPERS,
        names,
        "university",
        text,
        [text] * 40,
        [text] * 40,
        text,
    )
    for message in (
        author_profile(voice, author),
        institution_profile(voice, place),
        choices(voice, "author", text, [("a", text)]),
    ):
        assert faults(message.payload()) == []
        assert set(read(markdown_of(message)).active) <= {
            "bold",
            "small print",
            "code block",
            "code",
            "masked link",
        }
        assert link_targets(message) <= {"https://openreview.net/forum?id=abc"}


# --- bars ------------------------------------------------------------------------------------------


def test_columns_stand_straight_with_chinese_labels() -> None:
    lines = bars([("清华大学", 120), ("MIT", 7), ("a" * 60, 1)]).splitlines()[1:-1]
    assert len({width(line) for line in lines}) == 1
    assert width(lines[0]) <= 32


@given(st.lists(st.tuples(st.text(max_size=30), st.integers(0, 10**6)), min_size=1, max_size=12))
def test_any_labels_stand_straight(counts: list[tuple[str, int]]) -> None:
    block = bars(counts)
    lines = block.splitlines()[1:-1]
    assert len(lines) == len(counts)
    assert read(block).active == ("code block",)
    assert all(line.endswith(str(count)) for line, (_, count) in zip(lines, counts, strict=True))


def test_the_longest_bar_is_the_largest_count() -> None:
    lines = bars([("a", 80), ("b", 40), ("c", 1), ("d", 0)]).splitlines()[1:-1]
    lengths = [sum(ch == "█" for ch in line) for line in lines]
    assert lengths[0] == 2 * lengths[1]
    assert "▏" in lines[2]
    assert not set(lines[3]) & set("█▏")


@pytest.mark.parametrize("by", ["year", "track", "presentation", "institution", "topic"])
def test_statistics_say_what_was_counted(by: By) -> None:
    shown = said(stats(ENGLISH, by, [("2026", 30), (None, 2)], 32))
    assert f"32 papers by {by}" in shown
    assert "not stated" in shown


def test_statistics_of_many_groups_end_in_others() -> None:
    message = stats(ONLY_ENGLISH, "institution", [(f"Institution {n}", 5) for n in range(60)], 300)
    assert faults(message.payload()) == []
    assert "others" in said(message)
    assert "205" in said(message)
    assert "once for each of its institutions" in said(message)


def test_presentations_are_said_in_words() -> None:
    assert "口头报告" in said(stats(CHINESE, "presentation", [("oral", 1)], 1))
    assert "Nothing to count" in said(stats(ENGLISH, "year", [], 0))
