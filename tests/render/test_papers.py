"""What every surface says about a paper."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.papers.model import (
    Language,
    Link,
    Origin,
    PaperAffiliation,
    Presentation,
    Status,
    Summary,
    Track,
    Venue,
)
from bot.render.papers import (
    authors,
    badge,
    best_address,
    institutions,
    institutions_as_printed,
    links,
    search_address,
    titles,
)
from bot.render.summaries import summaries
from bot.render.voice import Voice, day, moment
from tests.render.samples import (
    BLOG,
    BOTH,
    CHINESE,
    ENGLISH,
    MAIN,
    ONLY_CHINESE,
    ONLY_ENGLISH,
    ORAL,
    WORKSHOP,
    paper,
)


@pytest.mark.parametrize(
    ("venue", "english", "chinese"),
    [
        (MAIN, "ICLR 2026", "ICLR 2026"),
        (ORAL, "ICLR 2026 · Oral", "ICLR 2026 · 口头报告"),
        (
            WORKSHOP,
            "ICLR 2025 · Workshop on Sparsity in LLMs (SLLM)",
            "ICLR 2025 · 研讨会 · Workshop on Sparsity in LLMs (SLLM)",
        ),
        (replace(WORKSHOP, name="SCSL"), "ICLR 2025 · Workshop · SCSL", "ICLR 2025 · 研讨会 · SCSL"),
        (replace(WORKSHOP, name="ICLR"), "ICLR 2025 · Workshop", "ICLR 2025 · 研讨会"),
        (BLOG, "ICLR 2026 · Blog post or tiny paper · Blogposts", "ICLR 2026 · 博客与短论文 · Blogposts"),
        (
            replace(MAIN, status=Status.SUBMITTED),
            "submitted to ICLR 2026, not decided",
            "已投稿 ICLR 2026，尚无结果",
        ),
        (
            replace(MAIN, status=Status.REJECTED),
            "submitted to ICLR 2026, not accepted",
            "曾投稿 ICLR 2026，未录用",
        ),
        (replace(MAIN, year=None), "ICLR", "ICLR"),
    ],
)
def test_a_badge_says_what_the_text_says(venue: Venue, english: str, chinese: str) -> None:
    assert badge(ENGLISH, paper(venues=(venue,))) == english
    assert badge(CHINESE, paper(venues=(venue,))) == chinese


def test_a_workshop_is_never_shown_as_the_conference() -> None:
    for voice in (ENGLISH, CHINESE, BOTH):
        for name in ("ICLR", "SCSL", "Workshop on X", "", "ICLR 2026"):
            shown = badge(
                voice, paper(venues=(replace(WORKSHOP, name=name, presentation=Presentation.ORAL),))
            )
            assert "orkshop" in shown or "研讨会" in shown


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.ACCEPTED])
@pytest.mark.parametrize("voice", [ENGLISH, CHINESE, BOTH])
def test_what_is_not_accepted_is_not_shown_as_accepted(status: Status, voice: Voice) -> None:
    shown = badge(voice, paper(venues=(replace(ORAL, status=status),)))
    assert shown not in {"ICLR 2026", badge(voice, paper(venues=(ORAL,)))}
    assert "Oral" not in shown


def test_a_paper_without_a_venue_says_so() -> None:
    assert badge(ENGLISH, paper(venues=())) == "no ICLR venue stated"


def test_a_bilingual_badge_says_the_place_once() -> None:
    assert badge(BOTH, paper(venues=(ORAL,))) == "ICLR 2026 · Oral · 口头报告"


def test_of_a_hundred_and_twenty_authors_ten_are_named() -> None:
    shown = authors(ENGLISH, paper(authors=tuple(f"Author {n}" for n in range(120))))
    assert shown.endswith("Author 9 … +110")
    assert authors(ENGLISH, paper(authors=())) == "Authors not listed"
    assert authors(ENGLISH, paper(authors=(" ", "\u200b"))) == "Authors not listed"


@pytest.mark.parametrize("name", ["N/A", "n/a", "-", "1,2", "[]", "null", "None", "", "  ", "–", "3"])
def test_a_placeholder_is_no_institution(name: str) -> None:
    assert institutions(ENGLISH, paper(affiliations=(PaperAffiliation(name, None, None),))) == []


def test_institutions_are_named_once_by_their_organisation() -> None:
    both = (
        PaperAffiliation("Department of Physics, MIT", "物理系", "mit"),
        PaperAffiliation("MIT CSAIL", None, "mit"),
        PaperAffiliation("Yale University", "耶鲁大学", None),
    )
    shown = paper(affiliations=both)
    assert institutions(ENGLISH, shown) == [
        "Massachusetts Institute of Technology (麻省理工学院)",
        "Yale University (耶鲁大学)",
    ]
    assert institutions(ONLY_ENGLISH, shown) == ["Massachusetts Institute of Technology", "Yale University"]
    assert institutions(ONLY_CHINESE, shown) == ["麻省理工学院", "耶鲁大学"]
    printed = institutions_as_printed(ENGLISH, shown)
    assert printed[0].endswith("(Department of Physics, MIT; MIT CSAIL)")
    assert printed[1] == "**Yale University (耶鲁大学)**"


def test_an_organisation_without_a_chinese_name_keeps_its_english_one() -> None:
    shown = paper(affiliations=(PaperAffiliation("NVIDIA Research", "英伟达", "nvidia"),))
    assert institutions(ONLY_CHINESE, shown) == ["NVIDIA"]


def test_titles_lead_in_the_readers_language() -> None:
    english, chinese = "Learning to Reason without External Rewards", "无需外部奖励的学习推理"
    assert titles(ENGLISH, paper()) == (english, chinese)
    assert titles(CHINESE, paper()) == (chinese, english)
    assert titles(ONLY_ENGLISH, paper()) == (english, None)
    assert titles(ONLY_CHINESE, paper()) == (chinese, english)
    assert titles(ONLY_CHINESE, paper(title_zh=None)) == (english, None)
    assert titles(ENGLISH, paper(title_zh=english)) == (english, None)
    assert titles(ENGLISH, paper(7, title_en="\u200b", title_zh=None)) == ("#7", None)


def test_latex_is_read_in_titles() -> None:
    assert (
        titles(ONLY_ENGLISH, paper(title_en=r"$\alpha$-Divergence for L\'evy"))[0] == "α-Divergence for Lévy"
    )


def test_links_are_safe_best_first_and_once() -> None:
    given = (
        Link("code", "https://github.com/x/y_(z)"),
        Link("code", "https://github.com/x/y_(z)"),
        Link("other", "javascript:alert(1)"),
        Link("strange", "https://x.org"),
        Link("openreview", "https://openreview.net/forum?id=a"),
    )
    assert links(paper(links=given)) == [
        ("openreview", "https://openreview.net/forum?id=a"),
        ("arxiv", "https://arxiv.org/abs/2601.01234"),
        ("code", "https://github.com/x/y_%28z%29"),
        ("other", "https://x.org"),
    ]
    assert best_address(paper(links=(), arxiv_id=None)) is None


def test_a_search_address_stays_within_discords_limit() -> None:
    for title in ("word " * 100, "扩散模型" * 100, "a&b=c#d?e", "x" * 600):
        address = search_address(paper(title_en=title))
        assert len(address) <= 512
        assert address.startswith("https://arxiv.org/search/?searchtype=title&query=")
        assert not set(address) & set(" ()<>#")


# --- summaries (field report 28) -------------------------------------------------------------------

EN = Summary(Language.EN, "English text.", Origin.TLDR)
ZH = Summary(Language.ZH, "中文内容。", Origin.TRANSLATION)
PENDING = Summary(Language.EN, "", Origin.PENDING)


def test_both_summaries_carry_their_origin() -> None:
    assert summaries(ENGLISH, paper(summaries=(ZH, EN)), 500) == [
        "English text.\n-# The authors' own summary (TL;DR)",
        "中文内容。\n-# Machine translation",
    ]
    assert summaries(BOTH, paper(summaries=(ZH, EN)), 500)[1] == "中文内容。\n-# 机器翻译"
    assert summaries(CHINESE, paper(summaries=(EN, ZH)), 500)[0] == "中文内容。\n-# 机器翻译"


@pytest.mark.parametrize("origin", [origin for origin in Origin if origin is not Origin.PENDING])
@pytest.mark.parametrize("voice", [ENGLISH, CHINESE, BOTH])
def test_every_origin_has_a_label(origin: Origin, voice: Voice) -> None:
    block = summaries(voice, paper(summaries=(replace(EN, origin=origin), replace(ZH, origin=origin))), 500)
    assert all(text.partition("\n-# ")[2] for text in block)


def test_a_missing_summary_is_marked_as_pending() -> None:
    assert summaries(ENGLISH, paper(summaries=(EN,)), 500)[1] == "-# Chinese summary pending"
    assert summaries(ENGLISH, paper(summaries=(PENDING, ZH)), 500)[0] == "-# English summary pending"
    assert summaries(ENGLISH, paper(summaries=()), 500) == [
        "-# English summary pending",
        "-# Chinese summary pending",
    ]
    assert summaries(ONLY_CHINESE, paper(summaries=()), 500) == ["-# 中文摘要待补"]
    assert summaries(ENGLISH, paper(summaries=(replace(EN, text=" \u200b"), ZH)), 500)[0].startswith("-#")


def test_a_reader_of_one_language_is_shown_the_other_and_told_so() -> None:
    note, text = summaries(ONLY_ENGLISH, paper(summaries=(ZH,)), 500)
    assert note == "-# English summary pending. Shown instead: the summary in the other language."
    assert text.startswith("中文内容。")
    note, text = summaries(ONLY_CHINESE, paper(summaries=(EN,)), 500)
    assert note == "-# 中文摘要待补，先显示另一种语言的摘要。"
    assert text.startswith("English text.")


def test_one_language_shows_one_summary() -> None:
    assert summaries(ONLY_ENGLISH, paper(summaries=(EN, ZH)), 500) == [
        "English text.\n-# The authors' own summary (TL;DR)"
    ]


def test_what_a_short_summary_leaves_goes_to_the_long_one() -> None:
    long = replace(EN, text="word " * 400)
    texts = summaries(ENGLISH, paper(summaries=(long, ZH)), 600)
    assert len(texts[0].partition("\n")[0]) > 550
    assert texts[1].startswith("中文内容。\n")


def test_a_summary_is_harmless() -> None:
    text = summaries(
        ONLY_ENGLISH, paper(summaries=(replace(EN, text="# @everyone\n**x** [a](https://b.c)"),)), 500
    )[0]
    assert text.startswith("\\# \\@\u200beveryone \\*\\*x\\*\\* \\[a\\](https\\://b.c)\n")


# --- dates and moments (field report 41) -----------------------------------------------------------


def test_a_date_is_never_moved_by_a_zone() -> None:
    shown = paper().date
    assert shown is not None
    assert day(shown) == "2026-07-09"


def test_a_moment_is_a_timestamp_of_discord() -> None:
    assert moment(paper().added_at, "R") == "<t:1783641600:R>"
    with pytest.raises(ValueError, match="zone"):
        moment(paper().added_at.replace(tzinfo=None))


def test_track_words_exist_for_every_track() -> None:
    for track in Track:
        assert badge(BOTH, paper(venues=(replace(MAIN, track=track),)))
