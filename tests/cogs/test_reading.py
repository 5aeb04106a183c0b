"""`/similar`, `/cite`, `/random`, `/report`, and their buttons."""

from __future__ import annotations

import pytest

from bot.sandbox.outcome import Outcome, Seen
from tests.cogs.listings import entry, listing
from tests.herald_fixtures import Herald, buttons

FORM = {"kind": ["institution"], "detail": "The second institution is EPFL"}


async def _card(herald: Herald, title: str = "LogQuant") -> Outcome:
    number = await herald.paper_id(title)
    return await herald.reader.command(herald.general, "paper", {"query": f"p:{number}"})


async def _press(herald: Herald, outcome: Outcome, label: str) -> Outcome:
    assert outcome.message is not None
    return await herald.reader.click(outcome.message, buttons(outcome.message)[label])


@pytest.mark.asyncio
async def test_similar_papers_share_rare_words(herald: Herald) -> None:
    answer = await herald.reader.command(
        herald.general, "similar", {"paper": "Quotient-Space Diffusion Models"}
    )
    assert answer.text.startswith("Similar to “Quotient-Space Diffusion Models”")
    assert "Ada-Diffuser" in answer.text


@pytest.mark.asyncio
async def test_without_anything_in_common_nothing_is_similar(herald: Herald) -> None:
    await herald.load(listing(entry("Xylophone Yoghurt", authors="Nobody Known", institutions="")))
    answer = await herald.reader.command(herald.general, "similar", {"paper": "Xylophone Yoghurt"})
    assert answer.text == "No similar paper found."
    assert answer.message is not None
    assert answer.message.seen_only_by == herald.reader.user.id


@pytest.mark.parametrize(
    ("format_", "start"),
    [("bibtex", "@inproceedings{"), ("ris", "TY  - CPAPER"), ("csl-json", "["), ("markdown", "- Han Chen")],
)
@pytest.mark.asyncio
async def test_a_paper_is_cited_in_every_format(herald: Herald, format_: str, start: str) -> None:
    given = {"paper": "LogQuant", "format": format_}
    answer = await herald.reader.command(herald.general, "cite", given)
    assert answer.message is not None
    assert answer.message.seen_only_by == herald.reader.user.id
    assert answer.text.split("```")[1].split("\n", 1)[1].startswith(start)


@pytest.mark.asyncio
async def test_other_formats_replace_the_citation(herald: Herald) -> None:
    first = await _press(herald, await _card(herald), "Cite")
    assert "@inproceedings{" in first.text
    second = await _press(herald, first, "RIS")
    assert second.seen is Seen.UPDATE
    assert second.message is first.message
    assert "TY  - CPAPER" in second.text


@pytest.mark.asyncio
async def test_another_random_paper_comes_in_its_place(herald: Herald) -> None:
    first = await herald.reader.command(herald.general, "random")
    assert first.message is not None
    again = await _press(herald, first, "Another one")
    assert again.seen is Seen.UPDATE
    other = await herald.chinese.click(first.message, buttons(first.message)["Another one"])
    assert other.message is not None
    assert other.message.seen_only_by == herald.chinese.user.id


@pytest.mark.asyncio
async def test_a_report_is_recorded_once(herald: Herald) -> None:
    card = await _card(herald)
    opened = await _press(herald, card, "Report a mistake")
    assert opened.modal is not None
    thanks = await herald.reader.submit_modal(opened.modal, FORM)
    assert thanks.text == "Thank you. Your report is number 1; the operator checks it."
    (kept,) = await herald.app.people.corrections("open")
    assert (kept.kind, kept.detail, kept.user_id) == ("institution", FORM["detail"], herald.reader.user.id)
    command = await herald.reader.command(herald.general, "report", {"paper": "LogQuant"})
    assert command.modal is not None
    again = await herald.reader.submit_modal(command.modal, FORM)
    assert again.text == "You have already reported this. Thank you."
    assert len(await herald.app.people.corrections()) == 1


@pytest.mark.asyncio
async def test_a_form_that_was_open_during_a_restart_still_arrives(herald: Herald) -> None:
    opened = await _press(herald, await _card(herald), "Report a mistake")
    await herald.restart()
    assert opened.modal is not None
    thanks = await herald.reader.submit_modal(opened.modal, FORM)
    assert thanks.text.startswith("Thank you.")


@pytest.mark.asyncio
async def test_reports_of_one_person_are_bounded(herald: Herald, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.reports.A_DAY", 2)
    answers = []
    for number in range(3):
        opened = await herald.reader.command(herald.general, "report", {"paper": "LogQuant"})
        assert opened.modal is not None
        sent = await herald.reader.submit_modal(opened.modal, {**FORM, "detail": f"mistake {number}"})
        answers.append(sent.text[:20])
    assert answers == ["Thank you. Your repo", "Thank you. Your repo", "You have sent many r"]


@pytest.mark.asyncio
async def test_a_report_of_something_unclear_asks_back(herald: Herald) -> None:
    asked = await herald.reader.command(herald.general, "report", {"paper": "mixture"})
    assert asked.modal is None
    assert "Papers for “mixture”" in asked.text


@pytest.mark.asyncio
async def test_not_this_place_is_recorded_for_the_operator(herald: Herald) -> None:
    await herald.reader.command(herald.general, "subscribe institution", {"name": "ETH Zurich"})
    await herald.load(listing(entry("Otters Sort Stones", institutions="ETH Zurich（苏黎世联邦理工学院）")))
    alert = next(m for m in herald.reader.messages(herald.dm(herald.reader)) if "Otters" in str(m.embeds))
    answer = await herald.reader.click(alert, buttons(alert)["Not ETH Zurich"])
    assert answer.text.startswith("Thank you. “ETH Zurich” is on the operator's list as *not ETH Zurich*")
    (kept,) = await herald.app.people.corrections("open")
    assert kept.kind == "institution"
