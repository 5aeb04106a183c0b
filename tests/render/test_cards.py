"""The card of a paper."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.papers.model import Language, Origin, PaperAffiliation, Summary
from bot.render import ids
from bot.render.cards import card
from bot.render.voice import Voice
from tests.render.discord_rules import faults
from tests.render.markdown import read
from tests.render.samples import (
    BOTH,
    CHINESE,
    ENGLISH,
    HOSTILE_TITLES,
    VOICES,
    WORKSHOP,
    markdown_of,
    paper,
    said,
)


def test_a_card_shows_everything() -> None:
    shown = said(card(ENGLISH, paper()))
    for text in (
        "Learning to Reason without External Rewards",
        "无需外部奖励的学习推理",
        "Xuandong Zhao, Zhewei Kang, Dawn Song",
        "Tsinghua University (清华大学)",
        "Department of Computer Science, Tsinghua University",
        "Yale University (耶鲁大学)",
        "ICLR 2026",
        "Proposes Intuitor",
        "Summary written by a person",
        "本文提出Intuitor方法",
        "Summary from the listing",
        "arXiv:2601.01234 · 2026-07-09 · cs.LG",
    ):
        assert text in shown


def test_links_are_buttons() -> None:
    urls = [button.url for row in card(ENGLISH, paper()).buttons for button in row if button.url]
    assert urls == [
        "https://openreview.net/forum?id=abc",
        "https://arxiv.org/pdf/2601.01234",
        "https://arxiv.org/abs/2601.01234",
        "https://github.com/x/y_%28z%29",
    ]


def test_a_paper_without_links_offers_a_search() -> None:
    first = card(ENGLISH, paper(links=(), arxiv_id=None)).buttons[0][0]
    assert first.label == "Find on arXiv"
    assert first.url is not None
    assert first.url.startswith("https://arxiv.org/search/")


def test_saved_papers_can_be_removed() -> None:
    assert ids.encode("save", 1) in card(ENGLISH, paper()).custom_ids()
    assert ids.encode("unsave", 1) in card(ENGLISH, paper(), saved=True).custom_ids()


def test_a_chinese_card_speaks_chinese() -> None:
    shown = said(card(CHINESE, paper()))
    for text in ("作者", "机构", "摘要来自论文列表", "人工撰写的摘要", "收藏", "引用", "纠错"):
        assert text in shown


def test_earlier_venues_are_named() -> None:
    shown = said(card(ENGLISH, paper(venues=(paper().venues[0], WORKSHOP))))
    assert "Also: ICLR 2025 · Workshop on Sparsity in LLMs (SLLM)" in shown


@pytest.mark.parametrize("voice", VOICES)
@pytest.mark.parametrize("title", HOSTILE_TITLES)
def test_a_hostile_paper_is_shown_literally(voice: Voice, title: str) -> None:
    hostile = paper(
        title_en=title,
        title_zh=title,
        authors=(title, title),
        affiliations=(PaperAffiliation(title, title, None),),
        summaries=(Summary(Language.EN, title, Origin.MODEL), Summary(Language.ZH, title, Origin.MODEL)),
        categories=(title,),
    )
    message = card(voice, hostile)
    assert faults(message.payload()) == []
    assert set(read(markdown_of(message)).active) <= {"bold", "small print", "list"}
    assert "@everyone" not in said(message).replace("\u200b", "\0")


@pytest.mark.parametrize("voice", VOICES)
def test_a_huge_paper_fits(voice: Voice) -> None:
    huge = paper(
        title_en="word " * 60,
        title_zh="字" * 260,
        authors=tuple(f"Firstname{n} Middle Lastname" for n in range(120)),
        affiliations=tuple(
            PaperAffiliation(f"University of {'Long ' * 30}{n}", f"大学{n}", None) for n in range(300)
        ),
        summaries=(
            Summary(Language.EN, "**word** " * 700, Origin.TLDR),
            Summary(Language.ZH, "字" * 6000, Origin.LISTING),
        ),
        venues=paper().venues + (replace(WORKSHOP, name="Workshop " * 40),) * 20,
        categories=("cs.LG",) * 50,
    )
    message = card(voice, huge)
    assert faults(message.payload()) == []
    assert "… +110" in said(message)
    assert message.embeds[0].title is not None
    assert message.embeds[0].title.endswith("…")


def test_a_title_that_is_cut_stands_whole_in_the_body() -> None:
    title = " ".join(f"word{n}" for n in range(50))
    message = card(ENGLISH, paper(title_en=title))
    assert len(title) > 256
    assert f"Full title: {title}" in (message.embeds[0].description or "")


def test_a_bare_paper_has_no_empty_line() -> None:
    bare = paper(
        title_zh=None,
        authors=(),
        affiliations=(),
        summaries=(),
        arxiv_id=None,
        date=None,
        categories=(),
        links=(),
        venues=(),
    )
    for voice in (ENGLISH, BOTH):
        message = card(voice, bare)
        assert faults(message.payload()) == []
        assert "None" not in said(message)
        assert "N/A" not in said(message)
        assert "\n\n\n" not in (message.embeds[0].description or "")
