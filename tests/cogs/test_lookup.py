"""`/paper`, `/search`, the message menu, and the buttons of lists."""

from __future__ import annotations

import pytest

from bot.lookups import Lookups
from bot.sandbox.human import Human
from bot.sandbox.outcome import Outcome, Seen
from bot.search.model import Hit
from bot.search.service import SearchBusyError
from tests.cogs.listings import entry, listing
from tests.herald_fixtures import Herald, buttons, options

LOGQUANT = "LogQuant: Log-Distributed 2-Bit Quantization of KV Cache with Superior Accuracy Preservation"


async def _open(person: Human, outcome: Outcome, place: int = 0) -> Outcome:
    assert outcome.message is not None
    custom_id, choices = options(outcome.message)
    return await person.select(outcome.message, custom_id, [choices[place]["value"]])


@pytest.mark.asyncio
async def test_a_chosen_suggestion_leads_to_the_card(herald: Herald) -> None:
    (first, *_) = await herald.reader.autocomplete(herald.general, "paper", "query", "logq")
    card = await herald.reader.command(herald.general, "paper", {"query": str(first.value)})
    assert card.message is not None
    assert card.message.seen_only_by is None
    assert LOGQUANT in card.text
    assert "2位KV缓存量化技术" in card.text


@pytest.mark.asyncio
async def test_free_text_with_a_typo_leads_to_the_card(herald: Herald) -> None:
    card = await herald.reader.command(herald.general, "paper", {"query": "LogQuamt log distributed"})
    assert LOGQUANT in card.text


@pytest.mark.asyncio
async def test_a_chinese_reader_sees_chinese_first(herald: Herald) -> None:
    (first, *_) = await herald.chinese.autocomplete(herald.general, "paper", "query", "logq")
    assert "缓存量化" in first.name
    card = await herald.chinese.command(herald.general, "paper", {"query": str(first.value)})
    assert card.text.index("缓存量化技术") < card.text.index(LOGQUANT)
    assert "机构" in card.text


@pytest.mark.asyncio
async def test_several_that_fit_are_asked_back_privately(herald: Herald) -> None:
    asked = await herald.reader.command(herald.general, "paper", {"query": "mixture"})
    assert asked.message is not None
    assert asked.message.seen_only_by == herald.reader.user.id
    assert len(options(asked.message)[1]) >= 2
    assert "Mixture" in (await _open(herald.reader, asked)).text


@pytest.mark.asyncio
async def test_namesakes_are_asked_back(herald: Herald) -> None:
    await herald.load(
        listing(
            entry("On the Shape of Penguins", authors="Ada Lovelace"),
            entry(
                "On the Shape of Penguins", authors="Grace Hopper", institutions="Yale University（耶鲁大学）"
            ),
        )
    )
    asked = await herald.reader.command(herald.general, "paper", {"query": "On the Shape of Penguins"})
    assert asked.message is not None
    assert len(options(asked.message)[1]) == 2


@pytest.mark.parametrize(
    "text", ["zxqv wkjh plmk", "p:999999", "completely unrelated sentence about soup recipes"]
)
@pytest.mark.asyncio
async def test_nothing_found_is_said_privately(herald: Herald, text: str) -> None:
    answer = await herald.reader.command(herald.general, "paper", {"query": text})
    assert answer.message is not None
    assert answer.message.seen_only_by == herald.reader.user.id
    assert answer.text.startswith(("Nothing found", "This paper is no longer"))


@pytest.mark.parametrize("text", ["?", "？", "+", "😀", "…", "@"])
@pytest.mark.asyncio
async def test_a_query_without_content_is_asked_for(herald: Herald, text: str) -> None:
    for command in ("paper", "search"):
        answer = await herald.reader.command(herald.general, command, {"query": text})
        assert answer.text.startswith("Type something to search for"), (command, text)


@pytest.mark.asyncio
async def test_a_query_is_repeated_harmlessly_and_short(herald: Herald) -> None:
    hostile = "@everyone **bold** [x](https://evil.example) " + "qqqq " * 300
    answer = await herald.reader.command(herald.general, "search", {"query": hostile})
    assert len(answer.text) < 400
    assert "**bold**" not in answer.text
    assert answer.message is not None
    assert not answer.message.mention_everyone


@pytest.mark.asyncio
async def test_filters_work_with_and_without_a_query(herald: Herald) -> None:
    async def found(**given: object) -> str:
        return (await herald.reader.command(herald.general, "search", given)).text

    assert "of 3" in await found(year=2025)
    assert "Filters: year 2025 · track: Workshop" in await found(year=2025, track="workshop")
    assert "Deep Learning Alternatives" in await found(query="kolmogorov", year=2025)
    assert "No paper matches all" in await found(query="kolmogorov", year=2026)
    assert "Learning to Reason" in await found(author="Zhao, Xuandong")
    assert "Learning to Reason" in await found(institution="UC Berkeley")


@pytest.mark.asyncio
async def test_newest_first_orders_by_when_papers_came(herald: Herald) -> None:
    outcome = await herald.reader.command(herald.general, "search", {"query": "learning", "sort": "newest"})
    assert outcome.message is not None
    ids = [int(option["value"].removeprefix("p:")) for option in options(outcome.message)[1]]
    assert len(ids) >= 4
    assert ids == sorted(ids, reverse=True)


@pytest.mark.asyncio
async def test_the_filters_suggest_institutions_and_authors(herald: Herald) -> None:
    (place, *_) = await herald.reader.autocomplete(herald.general, "search", "institution", "berkel")
    (person, *_) = await herald.reader.autocomplete(herald.general, "search", "author", "xuand")
    assert str(place.value).startswith("i:")
    assert str(person.value).startswith("a:")
    given = {"institution": str(place.value), "author": str(person.value)}
    answer = await herald.reader.command(herald.general, "search", given)
    assert "Learning to Reason" in answer.text
    assert "i:" not in answer.text
    assert "a:" not in answer.text.split("Learning")[0]


@pytest.mark.asyncio
async def test_an_unknown_institution_filter_suggests_and_never_guesses(herald: Herald) -> None:
    answer = await herald.reader.command(herald.general, "search", {"institution": "ETH Zuricj"})
    assert "No paper matches all" in answer.text
    assert "ETH Zurich" in answer.text


@pytest.mark.parametrize("year", [1999, 2012, 2150])
@pytest.mark.asyncio
async def test_a_year_without_iclr_is_refused(herald: Herald, year: int) -> None:
    answer = await herald.reader.command(herald.general, "search", {"year": year})
    assert answer.text == f"“{year}” is no year of ICLR. The first was 2013."


@pytest.mark.asyncio
async def test_somebody_else_turns_a_public_page_privately(herald: Herald) -> None:
    outcome = await herald.reader.command(herald.general, "search", {"year": 2026})
    assert outcome.message is not None
    before = outcome.text
    other = await herald.chinese.click(outcome.message, buttons(outcome.message)["Next"])
    assert other.message is not None
    assert other.message.id != outcome.message.id
    assert other.message.seen_only_by == herald.chinese.user.id
    assert "11" in other.text
    assert outcome.text == before
    # In the private copy the pages turn in place.
    again = await herald.chinese.click(other.message, list(buttons(other.message).values())[-1])
    assert again.seen is Seen.UPDATE
    assert again.message is other.message


@pytest.mark.asyncio
async def test_opening_from_a_public_list_answers_the_one_who_chose(herald: Herald) -> None:
    outcome = await herald.reader.command(herald.general, "search", {"query": "diffusion"})
    card = await _open(herald.chinese, outcome)
    assert card.message is not None
    assert card.message.seen_only_by == herald.chinese.user.id
    assert "机构" in card.text


@pytest.mark.asyncio
async def test_lookups_work_in_a_dm(herald: Herald) -> None:
    channel = herald.dm(herald.reader)
    outcome = await herald.reader.command(channel, "search", {"year": 2026})
    assert outcome.message is not None
    turned = await herald.reader.click(outcome.message, buttons(outcome.message)["Next"])
    assert turned.seen is Seen.UPDATE
    assert "11–20" in turned.text


@pytest.mark.asyncio
async def test_an_empty_collection_says_so_and_tells_the_operator_the_command(empty_herald: Herald) -> None:
    herald = empty_herald
    for command, given in (
        ("paper", {"query": "x"}),
        ("search", {"query": "x"}),
        ("search", {}),
        ("author", {"name": "x"}),
        ("institution", {"name": "MIT"}),
        ("similar", {"paper": "x"}),
        ("cite", {"paper": "x"}),
        ("random", {}),
        ("stats", {"by": "year"}),
        ("report", {"paper": "x"}),
        ("library save", {"paper": "x"}),
    ):
        reader = await herald.reader.command(herald.general, command, given)
        assert reader.text.startswith("No papers are loaded yet"), command
        assert "python -m bot import" not in reader.text
        operator = await herald.admin.command(herald.general, command, given)
        assert "python -m bot import FILE" in operator.text, command


@pytest.mark.asyncio
async def test_the_menu_finds_titles_and_links_in_a_message(herald: Herald) -> None:
    await herald.load(
        listing(
            entry(
                "Otters Sort Stones by Attention",
                comments="Accepted at ICLR 2026. https://openreview.net/forum?id=Otter12345",
            )
        )
    )
    message = herald.admin.send(
        herald.general,
        f"1. {LOGQUANT}\n- “重新思考超越余弦相似度的大型语言模型层相关性”\n"
        "https://arxiv.org/abs/2612.99999v2 and <https://openreview.net/forum?id=Otter12345&noteId=x>",
    )
    answer = await herald.reader.message_menu(message, "Find papers here")
    assert answer.message is not None
    assert answer.message.seen_only_by == herald.reader.user.id
    labels = [option["label"] for option in options(answer.message)[1]]
    assert len(labels) >= 2
    assert any("LogQuant" in label for label in labels)
    assert any("Rethinking Layer Relevance" in label for label in labels)
    assert "1 link to a paper that isn't in the collection" in answer.text


@pytest.mark.asyncio
async def test_the_menu_takes_no_chat_for_a_title(herald: Herald) -> None:
    for text in (
        "good morning everyone",
        "learning",
        "diffusion models are nice",
        "lunch at 12?",
        "👍👍👍👍👍👍👍",
    ):
        message = herald.admin.send(herald.general, text)
        answer = await herald.reader.message_menu(message, "Find papers here")
        assert answer.text == "This message names no paper that I know.", text


@pytest.mark.asyncio
async def test_a_lone_paper_of_a_message_is_shown_as_a_card(herald: Herald) -> None:
    message = herald.admin.send(herald.general, f"Have you read “{LOGQUANT}”?")
    answer = await herald.reader.message_menu(message, "Find papers here")
    assert "4Paradigm" in answer.text


@pytest.mark.asyncio
async def test_what_is_only_likely_is_asked_back_privately(
    herald: Herald, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = await herald.paper_id("LogQuant")

    async def likely(*_: object) -> list[Hit]:
        return [Hit(number, 61.0, "title", "maybe")]

    monkeypatch.setattr(Lookups, "find", likely)
    answer = await herald.reader.command(herald.general, "search", {"query": "lagquent"})
    assert "Nothing certain for “lagquent”. Did you mean one of these?" in answer.text
    assert answer.message is not None
    assert answer.message.seen_only_by == herald.reader.user.id


@pytest.mark.asyncio
async def test_an_overloaded_search_says_so(herald: Herald, monkeypatch: pytest.MonkeyPatch) -> None:
    async def busy(*_: object) -> list[Hit]:
        raise SearchBusyError("64 lookups are waiting")

    monkeypatch.setattr(Lookups, "find", busy)
    answer = await herald.reader.command(herald.general, "search", {"query": "diffusion"})
    assert answer.text == "Too much is being asked of me right now. Please try again in a few seconds."
