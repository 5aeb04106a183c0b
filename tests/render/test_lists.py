"""Pages of papers and the words of a search."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.render import ids
from bot.render.highlight import highlight
from bot.render.lists import (
    PAGE,
    Filters,
    Row,
    nothing_found,
    open_select,
    paper_page,
    search_page,
)
from bot.render.safe import clean
from bot.render.voice import Voice
from tests.render.discord_rules import faults
from tests.render.markdown import read
from tests.render.samples import (
    CHINESE,
    ENGLISH,
    HOSTILE_TITLES,
    VOICES,
    link_targets,
    markdown_of,
    paper,
    said,
)


def rows(count: int, **changes: object) -> list[Row]:
    return [
        Row(paper(n, title_en=f"Paper number {n}", **changes), 90.0, "title") for n in range(1, count + 1)
    ]


def test_a_page_says_where_it_stands() -> None:
    message = search_page(ENGLISH, rows(10), query="paper", total=37, offset=10, token="t1")
    shown = said(message)
    assert "11–20 of 37" in shown
    assert "`11` **Paper** number 1" in shown
    assert "第 11–20 篇，共 37 篇" in said(
        search_page(CHINESE, rows(10), query="x", total=37, offset=10, token="t1")
    )
    assert [b.custom_id for row in message.buttons for b in row] == [
        ids.encode("page", "t1", 0),
        ids.encode("page", "t1", 20),
    ]


def test_the_ends_lead_nowhere() -> None:
    first = search_page(ENGLISH, rows(10), query="x", total=37, offset=0, token="t").buttons[0]
    last = search_page(ENGLISH, rows(7), query="x", total=37, offset=30, token="t").buttons[0]
    assert [button.disabled for button in first] == [True, False]
    assert [button.disabled for button in last] == [False, True]
    assert search_page(ENGLISH, rows(3), query="x", total=3, offset=0, token="t").buttons == ()


def test_no_page_has_more_than_ten() -> None:
    message = search_page(ENGLISH, rows(30), query="x", total=30, offset=0, token="t")
    assert message.select is not None
    assert [option.value for option in message.select.options] == [f"p:{n}" for n in range(1, PAGE + 1)]


@pytest.mark.parametrize(
    ("score", "confidence", "word"),
    [(100, "found", "exact"), (90, "found", "very close"), (60, "found", "close"), (99, "maybe", "perhaps")],
)
def test_the_score_is_a_word_and_the_field_is_named(score: float, confidence: str, word: str) -> None:
    row = Row(paper(), score, "author", confidence)  # type: ignore[arg-type] # parametrised text
    shown = said(search_page(ENGLISH, [row], query="zhao", total=1, offset=0, token="t"))
    assert f"matched: author ({word})" in shown
    assert str(score) not in shown.replace("2601.01234", "")


def test_an_unknown_field_is_still_said_in_words() -> None:
    row = Row(paper(), 50.0, "something new")
    assert "matched: several fields" in said(
        search_page(ENGLISH, [row], query="x", total=1, offset=0, token="t")
    )


def test_uncertain_results_ask_back() -> None:
    unsure = [Row(paper(), 50.0, "title", "maybe")]
    assert "Did you mean one of these?" in said(
        search_page(ENGLISH, unsure, query="xyz", total=1, offset=0, token="t")
    )
    sure = [Row(paper(), 95.0, "title")]
    assert "Did you mean" not in said(search_page(ENGLISH, sure, query="xyz", total=1, offset=0, token="t"))


def test_filters_are_said() -> None:
    filters = Filters(2026, "workshop", "oral", "MIT *", "A_B")
    shown = said(search_page(ENGLISH, rows(1), query="", total=1, offset=0, token="t", filters=filters))
    assert (
        r"Filters: year 2026 · track: Workshop · presentation: Oral · institution: MIT \* · author: A\_B"
        in shown
    )


@pytest.mark.parametrize("query", ["", " ", "\u200b"])
def test_an_empty_query_is_asked_for(query: str) -> None:
    assert "Type something to search" in said(nothing_found(ENGLISH, query))


def test_nothing_found_says_so_and_what_to_try() -> None:
    shown = said(nothing_found(ENGLISH, "**x** " + "y" * 1990))
    assert shown.startswith(r"Nothing found for “\*\*x\*\* yyy")
    assert len(shown) < 400
    assert "filters" in said(nothing_found(ENGLISH, "x", filtered=True))


@pytest.mark.parametrize("voice", VOICES)
def test_any_page_fits(voice: Voice) -> None:
    huge = [
        Row(paper(n, title_en="*word* " * 60, title_zh="字" * 260, authors=("A" * 300,) * 9), 90.0, "title")
        for n in range(1, 11)
    ]
    message = search_page(voice, huge, query="*word* " * 300, total=500, offset=0, token="t" * 20)
    assert faults(message.payload()) == []
    text = message.embeds[0].description or ""
    assert [n for n in range(1, 11) if f"`{n}` " in text] == list(range(1, 11))
    assert text.count("ICLR 2026") == 10


@pytest.mark.parametrize("title", HOSTILE_TITLES)
@pytest.mark.parametrize("query", ["", "title everyone evil code 1"])
def test_hostile_titles_and_queries_are_literal(title: str, query: str) -> None:
    row = [Row(paper(title_en=title, title_zh=title), 90.0, "title")]
    message = search_page(ENGLISH, row, query=query or title, total=1, offset=0, token="t")
    assert set(read(markdown_of(message)).active) <= {"bold", "small print", "code", "masked link"}
    assert link_targets(message) == {"https://openreview.net/forum?id=abc"}


def test_any_papers_can_stand_under_a_heading() -> None:
    shown = said(paper_page(ENGLISH, [Row(paper())], heading="Your library", total=1, offset=0, token="lib"))
    assert shown.startswith("Your library\n`1` Learning to Reason")
    assert "matched" not in shown


def test_no_papers_have_no_select() -> None:
    assert open_select(ENGLISH, []) is None


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("Diffusion Models Beat GANs", "diffusion gan", "**Diffusion** Models Beat **GANs**"),
        ("Diffusion Models", "difusion", "**Diffusion** Models"),
        ("Étude de Müller", "etude muller", "**Étude** de **Müller**"),
        ("GPT-4 and GPT-3", "gpt-4", "**GPT**-**4** and **GPT**-3"),
        ("大语言模型的拒绝", "语言模型", "大**语言模型**的拒绝"),
        ("A_B **c**", "b", r"A\_**B** \*\*c\*\*"),
        ("Reasoning", "re", "Reasoning"),
        ("On RL", "rl", "On **RL**"),
        ("nothing here", "", "nothing here"),
    ],
)
def test_matching_words_are_bold(text: str, query: str, expected: str) -> None:
    assert highlight(text, query) == expected


@given(st.text(max_size=40), st.text(max_size=20))
def test_a_highlight_changes_nothing_but_the_bold(text: str, query: str) -> None:
    shown = read(highlight(text, query))
    assert set(shown.active) <= {"bold"}
    assert shown.seen.replace("\u200b", "") == clean(text)


def test_the_words_that_the_search_engine_found_are_bold_too() -> None:
    row = Row(paper(title_en="Diffusion in 3D"), 90.0, "title", terms=("diffusion",))
    assert "**Diffusion** in 3D" in said(
        search_page(ENGLISH, [row], query="kuosan", total=1, offset=0, token="t")
    )


def test_a_row_links_to_the_paper() -> None:
    shown = said(search_page(ENGLISH, rows(1), query="x", total=1, offset=0, token="t"))
    assert "[OpenReview](<https://openreview.net/forum?id=abc>)" in shown
