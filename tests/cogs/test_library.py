"""`/library`, and saving from cards."""

from __future__ import annotations

import json

import pytest

from bot.sandbox.outcome import Outcome, Seen
from tests.herald_fixtures import Herald, buttons

FORM = {"kind": ["institution"], "detail": "The second institution is EPFL"}


async def _card(herald: Herald, title: str = "LogQuant") -> Outcome:
    number = await herald.paper_id(title)
    return await herald.reader.command(herald.general, "paper", {"query": f"p:{number}"})


async def _press(herald: Herald, outcome: Outcome, label: str) -> Outcome:
    assert outcome.message is not None
    return await herald.reader.click(outcome.message, buttons(outcome.message)[label])


@pytest.mark.asyncio
async def test_saving_from_a_public_card_is_told_to_the_one_who_saves(herald: Herald) -> None:
    card = await _card(herald)
    saved = await _press(herald, card, "Save")
    assert saved.text.startswith("Saved: LogQuant")
    assert saved.message is not None
    assert saved.message.seen_only_by == herald.reader.user.id
    assert "Save" in buttons(card.message) if card.message else False
    assert (await _press(herald, card, "Save")).text.startswith("Already in your library")


@pytest.mark.asyncio
async def test_a_private_card_shows_by_its_button_whether_it_is_saved(herald: Herald) -> None:
    channel = herald.dm(herald.reader)
    card = await herald.reader.command(channel, "paper", {"query": "LogQuant"})
    saved = await _press(herald, card, "Save")
    assert saved.seen is Seen.UPDATE
    assert saved.message is card.message
    removed = await _press(herald, saved, "Remove from library")
    assert removed.message is card.message
    assert card.message is not None
    assert "Save" in buttons(card.message)
    empty = await herald.reader.command(channel, "library list")
    assert empty.text.startswith("Your library is empty")


@pytest.mark.asyncio
async def test_a_library_is_its_owners_alone(herald: Herald) -> None:
    for title in ("LogQuant", "Quotient-Space"):
        number = await herald.paper_id(title)
        await herald.reader.command(herald.general, "library save", {"paper": f"p:{number}"})
    mine = await herald.reader.command(herald.general, "library list")
    assert mine.message is not None
    assert mine.message.seen_only_by == herald.reader.user.id
    assert mine.text.index("Quotient-Space") < mine.text.index("LogQuant")
    theirs = await herald.chinese.command(herald.general, "library list")
    assert "LogQuant" not in theirs.text


@pytest.mark.asyncio
async def test_a_long_library_turns_its_pages_after_a_restart(herald: Herald) -> None:
    papers = await herald.app.knowledge.papers.newest(14)
    for paper in papers:
        await herald.app.people.save_paper(herald.reader.user.id, paper, herald.clock.now())
    mine = await herald.reader.command(herald.general, "library list")
    await herald.restart()
    turned = await _press(herald, mine, "Next")
    assert turned.seen is Seen.UPDATE
    assert "11–14 of 14" in turned.text


@pytest.mark.asyncio
async def test_a_library_is_exported_as_a_file(herald: Herald) -> None:
    for title in ("LogQuant", "Quotient-Space"):
        number = await herald.paper_id(title)
        await herald.reader.command(herald.general, "library save", {"paper": f"p:{number}"})
    answer = await herald.reader.command(herald.general, "library export", {"format": "csl-json"})
    assert answer.text == "2 papers as CSL-JSON."
    assert answer.message is not None
    (file,) = answer.message.attachments
    assert [item["title"].split()[0] for item in json.loads(file.data)] == ["Quotient-Space", "LogQuant:"]


@pytest.mark.asyncio
async def test_a_library_has_a_limit(herald: Herald, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cogs.library.LIBRARY", 1)
    await herald.reader.command(herald.general, "library save", {"paper": "LogQuant"})
    refused = await herald.reader.command(
        herald.general, "library save", {"paper": "Quotient-Space Diffusion Models"}
    )
    assert refused.text == "Your library holds 1 papers, which is the most. Remove one first."
