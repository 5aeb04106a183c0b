"""The excerpt rule: on made-up traps, and on every real abstract at hand."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.summaries.excerpt import LIMIT, excerpt, shortened
from bot.summaries.sentences import sentences


@pytest.fixture(scope="module")
def abstracts(shared_data: Path) -> list[dict[str, Any]]:
    with gzip.open(shared_data / "arxiv-iclr.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _whole(part: str) -> bool:
    """No maths, bracket or citation stands open."""
    if part.replace("\\$", "").count("$") % 2:
        return False
    return all(part.count(left) == part.count(right) for left, right in ("()", "[]", "{}"))


@pytest.mark.shared
def test_every_real_abstract_gives_one_whole_sentence_or_a_clean_cut(abstracts: list[dict[str, Any]]) -> None:
    assert len(abstracts) >= 200
    for paper in abstracts:
        text = " ".join(paper["abstract"].split())
        found = excerpt(paper["abstract"], paper["title"])
        assert found is not None, paper["title"]
        assert len(found) <= LIMIT
        kept = found.removesuffix("…")
        assert kept in text, found
        at = text.index(kept)
        assert at == 0 or text[at - 2] in ".!?\"')”", f"begins inside a sentence: {found}"
        if found.endswith("…"):
            assert not kept.endswith((" ", ",", ";", ":", "e.g.", "i.e.", "et al."))
        else:
            assert found[-1] in ".!?\"')”" or text.endswith(found), found
        if _whole(text):
            assert kept.count("(") - kept.count(")") in (0, -1), found  # "1)" opens nothing
            assert kept.replace("\\$", "").count("$") % 2 == 0, found
        assert not kept.endswith((" e.g.", " et al.", " i.e.", " Fig.", " cf."))


@pytest.mark.shared
def test_most_real_excerpts_speak_of_the_papers_own_work(abstracts: list[dict[str, Any]]) -> None:
    own = ("we ", "this ", "our ", "i ", "paper", "introducing", "proposing")
    found = [(excerpt(paper["abstract"], paper["title"]) or "").lower() for paper in abstracts]
    speaking = sum(any(word in text for word in own) for text in found)
    assert speaking >= 0.95 * len(found)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("We follow Smith et al. (2020). It works.", ["We follow Smith et al. (2020).", "It works."]),
        ("Models, e.g. GPT-4, fail. Others, i.e. ours, don't.", 2),
        ("We gain 3.5 points (p < 0.05). Done.", 2),
        ("See Fig. 3 and Eq. 4 vs. Tab. 5 for more.", 1),
        ("We bound $f(x. Y)$ by $\\epsilon. A$ always. Good.", 2),
        ("We cite [Doe et al. 2019. A book] here. End.", 2),
        ("By J. R. R. Tolkien. Another one.", 2),
        ("Is it fast? Yes! It is.", 3),
        ("Version 2.0 is out. iPhone users rejoice.", 2),
        ("An open ( bracket is a slip. " + "It never closes but the text goes on and on. " * 8, 5),
        ("中文摘要。第二句！Third one.", 3),
        ("", 0),
        ("No full stop at all", 1),
    ],
)
def test_sentences_end_where_they_end(text: str, parts: list[str] | int) -> None:
    found = sentences(text)
    assert found == parts if isinstance(parts, list) else len(found) == parts


@given(st.text(alphabet="aA.(){}[]$ \\e.g12!?\n,;。", max_size=300))
def test_sentences_lose_nothing(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@given(st.text(alphabet="abc ABC.,;:(){}[]$-—…123\\", max_size=700), st.text(max_size=40))
def test_any_text_gives_an_excerpt_within_the_limit_or_none(text: str, title: str) -> None:
    found = excerpt(text, title)
    assert found is None or 0 < len(found) <= LIMIT


WORDS = "which keeps every part of a very long sentence going on and on without ever coming to its end "


def test_a_long_sentence_is_cut_at_a_clause() -> None:
    found = shortened("We propose a method, " + WORDS * 2 + ", as it is measured, " + WORDS * 3 + ".")
    assert found.endswith("as it is measured…")
    assert len(found) <= LIMIT


@pytest.mark.parametrize(
    "hidden",
    [
        "$" + "a, b, c, " * 40 + "$",
        "(" + "see Doe et al., 2019; " * 15 + ")",
        "[" + "12, 13, 14, " * 30 + "]",
    ],
)
def test_no_cut_inside_maths_brackets_or_citations(hidden: str) -> None:
    found = shortened(f"We propose a method that works well in practice, as {hidden} shows.")
    assert found == "We propose a method that works well in practice…"


def test_a_cut_leaves_no_word_that_needs_another() -> None:
    found = shortened("We propose to " + "x" * 200 + " the " + "y" * 200)
    assert found == "We propose to " + "x" * 200 + "…"


def test_a_list_that_breaks_off_after_its_first_item_is_left_out() -> None:
    text = "We introduce Bench, a benchmark that tests models in two ways: (1) Bench has 12 tasks. (2) It is new."
    assert excerpt(text) == "We introduce Bench, a benchmark that tests models in two ways…"


def test_the_title_speaks_for_a_sentence() -> None:
    text = (
        "We introduce a loss for training trees in a stable way over many epochs. "
        "We introduce GrowNet, a network of growing trees for tables."
    )
    assert (
        excerpt(text, "GrowNet: Growing Trees for Tables")
        == "We introduce GrowNet, a network of growing trees for tables."
    )


@pytest.mark.parametrize("abstract", ["", " ", "...", "Short.", "12345 67890 12345 67890 12345."])
def test_nothing_to_take_gives_none(abstract: str) -> None:
    assert excerpt(abstract) is None


def test_code_and_results_are_not_what_a_paper_does() -> None:
    text = (
        "Trees are hard to grow in the dark. Growth is modelled as a walk with restarts in this paper. "
        "Extensive experiments show state-of-the-art results. Our code is available at https://github.com/x/y."
    )
    assert excerpt(text) == "Growth is modelled as a walk with restarts in this paper."
