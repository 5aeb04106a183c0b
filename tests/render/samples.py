"""Papers and voices for the tests of rendering."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any, cast

from bot.locales import Catalogue
from bot.papers.model import (
    Language,
    Link,
    Origin,
    Paper,
    PaperAffiliation,
    Presentation,
    Status,
    Summary,
    Track,
    Venue,
)
from bot.render.message import Message
from bot.render.voice import Voice

CATALOGUE = Catalogue.shipped()
NAMES: dict[str, tuple[str, str | None]] = {
    "tsinghua": ("Tsinghua University", "清华大学"),
    "mit": ("Massachusetts Institute of Technology", "麻省理工学院"),
    "nvidia": ("NVIDIA", None),
}


def names(organisation: str) -> tuple[str, str | None]:
    return NAMES.get(organisation, (organisation, None))


ENGLISH = Voice.for_reader(CATALOGUE, Language.EN, names=names)
CHINESE = Voice.for_reader(CATALOGUE, Language.ZH, names=names)
ONLY_ENGLISH = Voice.for_channel(CATALOGUE, "en", names=names)
ONLY_CHINESE = Voice.for_channel(CATALOGUE, "zh", names=names)
BOTH = Voice.for_channel(CATALOGUE, "both", names=names)
VOICES = (ENGLISH, CHINESE, ONLY_ENGLISH, ONLY_CHINESE, BOTH)

MAIN = Venue("ICLR", 2026, Track.MAIN, None, Status.ACCEPTED)
ORAL = replace(MAIN, presentation=Presentation.ORAL)
WORKSHOP = Venue("Workshop on Sparsity in LLMs (SLLM)", 2025, Track.WORKSHOP, None, Status.ACCEPTED)
BLOG = Venue("Blogposts", 2026, Track.OTHER, None, Status.ACCEPTED)
HOSTILE_TITLES = (
    "A*-Search: f_1 vs f_2 __and__ **more** ~~less~~ ||spoiler||",
    "[Re] Reproducibility Study](https://evil.example)",
    "@everyone <@&123> <@1> ＠everyone",
    "# Title",
    "1. Title",
    "`code` ```block```",
    "🤗 Transformers: https://evil.example",
    "&amp;lt; stays <t:1:f> </paper:1>",
    "\u202eelpmaxe\u202c\u200b",
)


def paper(number: int = 1, /, **changes: object) -> Paper:
    base = Paper(
        id=number,
        title_en="Learning to Reason without External Rewards",
        title_zh="无需外部奖励的学习推理",
        authors=("Xuandong Zhao", "Zhewei Kang", "Dawn Song"),
        affiliations=(
            PaperAffiliation(
                "Department of Computer Science, Tsinghua University", "清华大学计算机系", "tsinghua"
            ),
            PaperAffiliation("Yale University", "耶鲁大学", None),
        ),
        summaries=(
            Summary(
                Language.EN, "Proposes Intuitor, a method that learns from intrinsic feedback.", Origin.PERSON
            ),
            Summary(Language.ZH, "本文提出Intuitor方法，通过内在反馈学习。", Origin.LISTING),
        ),
        abstract_en=None,
        abstract_zh=None,
        comments="ICLR 2026",
        journal_ref=None,
        arxiv_id="2601.01234",
        date=date(2026, 7, 9),
        categories=("cs.LG",),
        links=(
            Link("openreview", "https://openreview.net/forum?id=abc"),
            Link("code", "https://github.com/x/y_(z)"),
        ),
        venues=(MAIN,),
        added_at=datetime(2026, 7, 10, tzinfo=UTC),
    )
    return replace(base, **cast("dict[str, Any]", changes))


def said(message: Message) -> str:
    """All text of a message, its buttons' labels included."""
    texts: list[str | None] = [message.content]
    for embed in message.embeds:
        texts += [embed.author.name, embed.title, embed.description]
        texts += [text for field in embed.fields for text in (field.name, field.value)]
        texts.append(embed.footer.text)
    texts += [button.label for row in message.buttons for button in row]
    if message.select:
        texts.append(message.select.placeholder)
        texts += [text for option in message.select.options for text in (option.label, option.description)]
    return "\n".join(text for text in texts if text)


def link_targets(message: Message) -> set[str]:
    """Where the masked links of a message lead."""
    return set(re.findall(r"(?<!\\)\]\(<?([^>)]*)", markdown_of(message)))


def markdown_of(message: Message) -> str:
    """The text of a message that Discord reads as markdown."""
    texts: list[str | None] = [message.content]
    for embed in message.embeds:
        texts += [embed.title, embed.description]
        texts += [text for field in embed.fields for text in (field.name, field.value)]
    return "\n".join(text for text in texts if text)
