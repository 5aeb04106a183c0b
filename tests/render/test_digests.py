"""A digest, as it is posted."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from bot.papers.model import Language, Origin, Paper, PaperAffiliation, Summary
from bot.render import ids
from bot.render.digests import MOST_PAPERS, Occasion, digest
from bot.render.message import Message
from bot.render.voice import Voice
from tests.render.discord_rules import faults
from tests.render.markdown import read
from tests.render.samples import (
    BLOG,
    BOTH,
    ENGLISH,
    HOSTILE_TITLES,
    MAIN,
    ONLY_CHINESE,
    ONLY_ENGLISH,
    WORKSHOP,
    markdown_of,
    paper,
    said,
)

DAY = Occasion(date(2026, 7, 9))


def many(count: int) -> list[Paper]:
    return [
        paper(n, title_en=f"Paper number {n} has a title", venues=((MAIN, WORKSHOP, MAIN, BLOG)[n % 4],))
        for n in range(1, count + 1)
    ]


def big(number: int) -> Paper:
    """As large as a paper gets: 300-character titles, 120 authors, summaries of 6,000 characters."""
    return paper(
        number,
        title_en=f"{number} " + "word " * 60,
        title_zh="字" * 260,
        authors=tuple(f"Firstname{n} Lastname" for n in range(120)),
        affiliations=tuple(
            PaperAffiliation(f"University of {'Long ' * 20}{n}", "大学" * 40, None) for n in range(30)
        ),
        summaries=(
            Summary(Language.EN, "word " * 1200, Origin.TLDR),
            Summary(Language.ZH, "字" * 6000, Origin.LISTING),
        ),
    )


def test_an_empty_day_has_no_parts() -> None:
    assert digest(BOTH, [], DAY) == []


def test_a_digest_shows_both_languages_of_every_paper() -> None:
    parts = digest(BOTH, many(30), DAY)
    text = "\n".join(said(part.message) for part in parts)
    assert text.count("Proposes Intuitor") == 30
    assert text.count("本文提出Intuitor方法") == 30
    assert text.count("无需外部奖励的学习推理") == 30
    assert text.count("Xuandong Zhao, Zhewei Kang, Dawn Song") == 30
    assert text.count("Tsinghua University (清华大学)") == 30
    for n in range(1, 31):
        assert text.count(f"Paper number {n} has a title") == 1


def test_parts_say_which_papers_they_show() -> None:
    parts = digest(BOTH, many(30), DAY)
    shown = [number for part in parts for number in part.papers]
    assert sorted(shown) == list(range(1, 31))
    for part in parts:
        text = said(part.message)
        assert [n for n in part.papers if f"Paper number {n} has a title" in text] == list(part.papers)


def test_main_papers_and_workshops_stand_under_their_own_heading() -> None:
    text = "\n".join(said(part.message) for part in digest(ENGLISH, many(12), DAY))
    places = [
        text.index(f"## {name}") for name in ("Main conference", "Workshops", "Blog posts and tiny papers")
    ]
    assert places == sorted(places)
    for n, one in enumerate(many(12), 1):
        at = text.index(f"Paper number {n} has a title")
        section = sum(place < at for place in places)
        assert section == {"main": 1, "workshop": 2, "other": 3}[one.venues[0].track.value]


def test_a_heading_never_stands_last_in_a_message() -> None:
    for count in range(1, 31):
        for part in digest(BOTH, many(count), DAY):
            assert not (part.message.embeds[-1].description or "").startswith("## ")


def test_sixty_papers_are_thirty_and_a_button() -> None:
    more = ids.encode("more", "k1")
    parts = digest(ENGLISH, many(60), DAY, more_id=more)
    assert sum(len(part.papers) for part in parts) == MOST_PAPERS
    assert "60 new papers" in said(parts[0].message)
    assert "and 30 more papers" in said(parts[-1].message)
    assert [more in part.message.custom_ids() for part in parts] == [False] * (len(parts) - 1) + [True]


@pytest.mark.parametrize("voice", [BOTH, ONLY_ENGLISH, ONLY_CHINESE])
@pytest.mark.parametrize("embeds", [True, False])
def test_every_part_is_within_discords_limits_and_carries_its_mark(voice: Voice, embeds: bool) -> None:
    for papers in (many(60), [big(n) for n in range(1, 41)]):
        parts = digest(
            voice,
            papers,
            replace(DAY, since=date(2026, 7, 6), by_request=True, backfill=True, preview=True),
            more_id=ids.encode("more", "k"),
            part_id=lambda n: ids.encode("part", f"key{n}"),
            embeds=embeds,
        )
        for number, part in enumerate(parts):
            assert faults(part.message.payload()) == []
            assert part.message.custom_ids()[0] == ids.encode("part", f"key{number}")
            assert Message.from_json(part.message.to_json()) == part.message
            plain = part.message.plain()
            assert faults(plain.payload()) == []
            assert plain.custom_ids() == part.message.custom_ids()
        assert sorted(n for part in parts for n in part.papers) == sorted(
            {n for part in parts for n in part.papers}
        )
        assert sum(len(part.papers) for part in parts) == MOST_PAPERS


def test_thirty_of_the_largest_papers_are_about_six_messages() -> None:
    assert len(digest(BOTH, [big(n) for n in range(1, 31)], DAY)) <= 8
    assert len(digest(BOTH, many(30), DAY)) <= 4


def test_text_parts_have_no_embeds_and_lose_no_paper() -> None:
    parts = digest(BOTH, many(30), DAY, embeds=False)
    text = "\n".join(said(part.message) for part in parts)
    assert all(part.message.embeds == () for part in parts)
    for n in range(1, 31):
        assert text.count(f"Paper number {n} has a title") == 1


def test_a_catch_up_says_since_when() -> None:
    first = digest(BOTH, many(2), replace(DAY, since=date(2026, 7, 6)))[0].message.content or ""
    assert first.splitlines()[0] == "# ICLR digest · ICLR 论文速递 · 2026-07-09"
    assert "Catch-up: everything new since 2026-07-06" in first
    assert "补发：2026-07-06 以来的全部新论文" in first


def test_later_parts_say_where_they_belong() -> None:
    parts = digest(ENGLISH, many(30), DAY)
    for number, part in enumerate(parts[1:], 2):
        assert part.message.content == f"**ICLR digest · 2026-07-09** · part {number} of {len(parts)}"


def test_one_language_has_no_summary_of_the_other() -> None:
    english = "\n".join(said(part.message) for part in digest(ONLY_ENGLISH, many(3), DAY))
    chinese = "\n".join(said(part.message) for part in digest(ONLY_CHINESE, many(3), DAY))
    assert "本文" not in english
    assert "摘要" not in english
    assert "Proposes" not in chinese
    assert "Workshops" not in chinese


def test_a_missing_summary_does_not_stop_a_digest() -> None:
    papers = [
        paper(1, summaries=()),
        paper(2, summaries=paper().summaries[:1]),
        paper(3, summaries=paper().summaries[1:]),
    ]
    text = "\n".join(said(part.message) for part in digest(BOTH, papers, DAY))
    assert text.count("English summary pending") == 2
    assert text.count("中文摘要待补") == 2


@pytest.mark.parametrize("embeds", [True, False])
@pytest.mark.parametrize("title", HOSTILE_TITLES)
def test_a_hostile_title_is_shown_literally(title: str, embeds: bool) -> None:
    hostile = paper(
        title_en=title,
        title_zh=title,
        authors=(title,),
        affiliations=(PaperAffiliation(title, title, None),),
        summaries=(Summary(Language.EN, title, Origin.MODEL), Summary(Language.ZH, title, Origin.MODEL)),
        venues=(replace(WORKSHOP, name=title),),
    )
    for part in digest(BOTH, [hostile], DAY, embeds=embeds):
        active = set(read(markdown_of(part.message)).active)
        assert active <= {"heading", "bold", "small print", "address in brackets"}


def test_the_title_opens_the_paper_or_says_that_it_searches() -> None:
    linked = digest(ENGLISH, [paper()], DAY)[0].message
    assert linked.embeds[1].url == "https://openreview.net/forum?id=abc"
    assert "search" not in said(linked)
    unlinked = digest(ENGLISH, [paper(links=(), arxiv_id=None)] * 3, DAY)[0].message
    assert (unlinked.embeds[1].url or "").startswith("https://arxiv.org/search/")
    assert said(unlinked).count("open a search on arXiv") == 1
