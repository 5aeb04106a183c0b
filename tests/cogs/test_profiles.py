"""`/author`, `/institution`, `/stats`."""

from __future__ import annotations

import pytest

from tests.cogs.listings import entry, listing
from tests.herald_fixtures import Herald, options


@pytest.mark.parametrize("name", ["Xuandong Zhao", "zhao xuandong", "Zhao, Xuandong", "a:xuandong zhao"])
@pytest.mark.asyncio
async def test_an_author_is_found_in_any_order(herald: Herald, name: str) -> None:
    answer = await herald.reader.command(herald.general, "author", {"name": name})
    assert answer.text.startswith("Xuandong Zhao\n1 paper at ICLR")
    assert "Dawn Song (1)" in answer.text
    assert "Learning to Reason without External Rewards" in answer.text


@pytest.mark.asyncio
async def test_accents_may_be_left_out(herald: Herald) -> None:
    answer = await herald.reader.command(herald.general, "author", {"name": "ernst roell"})
    assert answer.text.startswith("Ernst Röell")


@pytest.mark.asyncio
async def test_a_misspelt_author_is_suggested_and_opens_by_choice(herald: Herald) -> None:
    asked = await herald.reader.command(herald.general, "author", {"name": "Xuandong Zhoa"})
    assert asked.message is not None
    assert asked.message.seen_only_by == herald.reader.user.id
    custom_id, choices = options(asked.message)
    assert choices[0]["label"] == "Xuandong Zhao"
    profile = await herald.reader.select(asked.message, custom_id, [choices[0]["value"]])
    assert profile.text.startswith("Xuandong Zhao\n1 paper")


@pytest.mark.asyncio
async def test_an_unknown_author_is_said_to_be_unknown(herald: Herald) -> None:
    answer = await herald.reader.command(herald.general, "author", {"name": "Qwertz Asdfgh"})
    assert answer.text == "No author found for “Qwertz Asdfgh”."


@pytest.mark.asyncio
async def test_papers_of_several_people_with_one_name_are_marked(herald: Herald) -> None:
    await herald.load(
        listing(
            entry("Otters and Sorting", authors="Wei Wang, Ada Lovelace"),
            entry(
                "Volcano Music", authors="Wei Wang, Grace Hopper", institutions="Yale University（耶鲁大学）"
            ),
        )
    )
    answer = await herald.reader.command(herald.general, "author", {"name": "Wei Wang"})
    assert "2 papers at ICLR" in answer.text
    assert "may be by several people" in answer.text


@pytest.mark.parametrize("name", ["ETH Zurich", "苏黎世联邦理工学院", "ETH", "i:eth-zurich", "eth zürich"])
@pytest.mark.asyncio
async def test_an_institution_is_found_by_any_of_its_names(herald: Herald, name: str) -> None:
    answer = await herald.reader.command(herald.general, "institution", {"name": name})
    assert answer.text.startswith("ETH Zurich (苏黎世联邦理工学院)"), answer.text
    assert "papers at ICLR" in answer.text


@pytest.mark.parametrize("name", ["UW", "CAS", "MSU"])
@pytest.mark.asyncio
async def test_118_an_ambiguous_short_form_is_asked_back(herald: Herald, name: str) -> None:
    asked = await herald.reader.command(herald.general, "institution", {"name": name})
    assert asked.text == f"“{name}” can mean several institutions. Which one?"
    assert asked.message is not None
    assert asked.message.seen_only_by == herald.reader.user.id
    custom_id, choices = options(asked.message)
    assert len(choices) >= 2
    profile = await herald.reader.select(asked.message, custom_id, [choices[0]["value"]])
    assert "at ICLR" in profile.text


@pytest.mark.asyncio
async def test_a_misspelt_institution_is_only_suggested(herald: Herald) -> None:
    asked = await herald.reader.command(herald.general, "institution", {"name": "Tsinghau University"})
    assert asked.text.startswith("No institution is called “Tsinghau University”. Did you mean one of these?")
    assert asked.message is not None
    assert options(asked.message)[1][0]["value"] == "i:tsinghua-university"


@pytest.mark.asyncio
async def test_a_printed_name_in_no_directory_has_a_profile_too(herald: Herald) -> None:
    name = "Institute of Imaginary Otters"
    await herald.load(listing(entry("Otters Sort Stones", institutions=f"{name}（虚构水獭研究所）")))
    answer = await herald.reader.command(herald.general, "institution", {"name": name})
    assert answer.text.startswith(name)
    assert "Otters Sort Stones" in answer.text
    assert "exactly this printed name" in answer.text


@pytest.mark.parametrize("by", ["year", "track", "presentation", "institution", "topic"])
@pytest.mark.asyncio
async def test_stats_count_every_paper(herald: Herald, by: str) -> None:
    total = await herald.app.knowledge.lookups.count()
    answer = await herald.reader.command(herald.general, "stats", {"by": by})
    assert answer.text.startswith(f"{total} papers by {by}")


@pytest.mark.asyncio
async def test_stats_by_year_add_up(herald: Herald) -> None:
    answer = await herald.reader.command(herald.general, "stats", {"by": "year"})
    rows = [line.split() for line in answer.text.splitlines() if line[:2] == "20"]
    assert {row[0]: int(row[-1]) for row in rows} == {"2026": 27, "2025": 3}


@pytest.mark.asyncio
async def test_a_chinese_reader_gets_chinese_names(herald: Herald) -> None:
    answer = await herald.chinese.command(herald.general, "stats", {"by": "institution"})
    assert "浙江大学" in answer.text
    suggested = await herald.chinese.autocomplete(herald.general, "institution", "name", "浙江")
    assert suggested[0].name.startswith("浙江大学 (Zhejiang University)")
