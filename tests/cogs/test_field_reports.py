"""Section E of the field reports: interactions, autocomplete, registration; each test named after what it protects."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest

from bot.lookups import Lookups
from bot.sandbox.human import Human
from bot.sandbox.limits import ClientRefusal
from bot.sandbox.model import Command
from bot.sandbox.outcome import Outcome, Seen, text_of
from tests.cogs.listings import entry, listing
from tests.herald_fixtures import Herald, buttons

SLOW = 0.02  # seconds until a test's bot defers, instead of 1.5


class Gate:
    """Holds every search until it is opened, as an overloaded machine would."""

    def __init__(self) -> None:
        self.waiting = asyncio.Event()
        self.opened = asyncio.Event()

    def around(self, search: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def held(*arguments: object, **named: object) -> object:
            self.waiting.set()
            await self.opened.wait()
            return await search(*arguments, **named)

        return held


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    made = Gate()
    monkeypatch.setattr(Lookups, "find", made.around(Lookups.find))
    return made


async def _settled(herald: Herald, outcome: Outcome) -> str:
    """The text of an answer once it is no longer "thinking"."""
    message = outcome.message
    assert message is not None
    await herald.until(lambda: bool(text_of(message)))
    return text_of(message)


@pytest.mark.asyncio
async def test_69_a_slow_search_is_deferred_and_answered_later(
    herald: Herald, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.surface.DEFER_AFTER", SLOW)
    outcome = await herald.reader.command(herald.general, "search", {"query": "diffusion"}, wait=False)
    assert outcome.seen is Seen.THINKING
    gate.opened.set()
    assert "Ada-Diffuser" in await _settled(herald, outcome)
    assert len(herald.posted(herald.general)) == 1


@pytest.mark.asyncio
async def test_70_ten_searches_at_once_are_all_answered(herald: Herald) -> None:
    people = (herald.reader, herald.chinese, herald.admin)
    outcomes = await asyncio.gather(
        *(
            people[number % 3].command(herald.general, "search", {"query": "learning graphs diffusion"})
            for number in range(10)
        )
    )
    assert [outcome.seen for outcome in outcomes] == [Seen.MESSAGE] * 10


@pytest.mark.asyncio
async def test_70_an_expired_interaction_is_logged_quietly_and_not_answered_twice(
    herald: Herald, gate: Gate, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("cogs.surface.DEFER_AFTER", 60.0)
    caplog.set_level(logging.INFO)
    asked = asyncio.create_task(herald.reader.command(herald.general, "search", {"query": "diffusion"}))
    await gate.waiting.wait()
    herald.clock.advance(timedelta(seconds=4))
    outcome = await asked
    assert outcome.seen is Seen.FAILED
    heard = Heard("expired")
    logger = logging.getLogger("bot.failures")
    logger.addHandler(heard)
    try:
        gate.opened.set()
        async with asyncio.timeout(5):
            await heard.event.wait()
    finally:
        logger.removeHandler(heard)
    assert herald.posted(herald.general) == []
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


class Heard(logging.Handler):
    """Sets an event at a log line with a text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text
        self.event = asyncio.Event()

    def emit(self, record: logging.LogRecord) -> None:
        if self._text in record.getMessage():
            self.event.set()


@pytest.mark.asyncio
async def test_71_a_single_letter_gives_at_most_25_choices_best_first(herald: Herald) -> None:
    for text in ("a", "", "the"):
        found = await herald.reader.autocomplete(herald.general, "paper", "query", text)
        assert len(found) <= 25
    best = await herald.reader.autocomplete(herald.general, "paper", "query", "logquant")
    assert best[0].name.startswith("LogQuant: Log-Distributed")


@pytest.mark.asyncio
async def test_72_choices_are_never_blank_never_too_long_and_told_apart(herald: Herald) -> None:
    start = "Zebra Striping of Very Large Language Models in the Wild and on the Open Savannah After Dark: "
    long_one = start + "A Study of Contrast, Camouflage and the Limits of What a Lion Can See"
    long_two = start + "Why Herds Confuse Their Predators and What This Says About Attention"
    await herald.load(
        listing(
            entry(long_one),
            entry(long_two, authors="Grace Hopper"),
            entry("Zebra Twins", zh="", authors="Ada Lovelace"),
            entry("Zebra Twins", zh="", authors="Grace Hopper", institutions=""),
        )
    )
    for person in (herald.reader, herald.chinese):
        found = await person.autocomplete(herald.general, "paper", "query", "zebra")
        names = [choice.name for choice in found]
        assert len(found) == 4
        assert len(set(names)) == 4
        assert all(name.strip() and len(name.encode("utf-16-le")) <= 200 for name in names)
        assert all(str(choice.value).startswith("p:") and len(str(choice.value)) <= 100 for choice in found)
    english = [c.name for c in await herald.reader.autocomplete(herald.general, "paper", "query", "zebra")]
    assert any("A Study of Contrast" in name for name in english)
    assert any("Why Herds Confuse" in name for name in english)


@pytest.mark.asyncio
async def test_72_a_typed_space_shows_the_newest_papers(herald: Herald) -> None:
    await herald.load(listing(entry("Brand New Paper About Otters")))
    for text in ("", " ", "　"):
        found = await herald.reader.autocomplete(herald.general, "paper", "query", text)
        assert found[0].name.startswith("Brand New Paper About Otters"), repr(text)


@pytest.mark.asyncio
async def test_73_options_with_suggestions_have_no_length_limits(herald: Herald) -> None:
    options = [option for command in _registered(herald) for option in _options(command.data)]
    suggesting = [option for option in options if option.get("autocomplete")]
    assert len(suggesting) >= 10
    for option in suggesting:
        assert "max_length" not in option, option["name"]
        assert "min_length" not in option, option["name"]


@pytest.mark.asyncio
async def test_75_commands_stand_in_one_scope_only(idle_herald: Herald) -> None:
    guild = idle_herald.demo.guild.id
    registry, app = idle_herald.sandbox.world.commands, idle_herald.demo.app.id
    for setting, in_guild in ((None, False), (guild, True), (None, False)):
        await idle_herald.start(dev_guild_id=setting)
        here, everywhere = registry.scope(app, guild), registry.scope(app, None)
        assert bool(here) is in_guild
        assert bool(everywhere) is not in_guild
        names = [(command.type, command.name) for command in here + everywhere]
        assert len(names) == len(set(names))
        await idle_herald.stop()


@pytest.mark.asyncio
async def test_76_the_log_says_what_was_registered_and_a_second_start_registers_nothing(
    idle_herald: Herald, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "bot.command_sync")
    await idle_herald.start()
    first = [record.getMessage() for record in caplog.records if record.name == "bot.command_sync"]
    assert any("registered" in line and "everywhere" in line for line in first)
    caplog.clear()
    before = {command.id: command.version for command in _registered(idle_herald)}
    await idle_herald.restart()
    assert any("up to date" in record.getMessage() for record in caplog.records)
    assert {command.id: command.version for command in _registered(idle_herald)} == before


@pytest.mark.asyncio
async def test_77_page_buttons_work_after_minutes_and_after_a_restart(herald: Herald) -> None:
    outcome = await herald.reader.command(herald.general, "search", {"year": 2026})
    assert outcome.message is not None
    herald.clock.advance(timedelta(hours=3))
    turned = await _click(herald.reader, outcome, "Next")
    assert turned.seen is Seen.UPDATE
    assert "11–20 of" in turned.text
    await herald.restart()
    turned = await _click(herald.reader, outcome, "Next")
    assert turned.seen is Seen.UPDATE
    assert "21–" in turned.text
    back = await _click(herald.reader, outcome, "Previous")
    assert "11–20 of" in back.text


@pytest.mark.asyncio
async def test_77_a_list_that_is_no_longer_kept_says_so(herald: Herald) -> None:
    outcome = await herald.reader.command(herald.general, "search", {"year": 2026})
    herald.clock.advance(timedelta(days=40))
    # The next list that is kept throws the old ones away.
    await herald.chinese.command(herald.general, "search", {"year": 2026})
    turned = await _click(herald.reader, outcome, "Next")
    assert turned.text == "This list is no longer kept. Please search again."
    assert turned.message is not None
    assert turned.message.seen_only_by == herald.reader.user.id


@pytest.mark.asyncio
async def test_78_a_slow_page_turn_is_acknowledged_and_then_shown(
    herald: Herald, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome = await herald.reader.command(herald.general, "search", {"year": 2026})
    monkeypatch.setattr("cogs.surface.DEFER_AFTER", SLOW)
    gate = Gate()
    monkeypatch.setattr(Lookups, "find", gate.around(Lookups.find))
    assert outcome.message is not None
    turned = await herald.reader.click(outcome.message, buttons(outcome.message)["Next"], wait=False)
    assert turned.seen in (Seen.UPDATE, Seen.THINKING)
    gate.opened.set()
    message = outcome.message
    await herald.until(lambda: "11–20 of" in text_of(message))


@pytest.mark.asyncio
async def test_69_an_error_after_a_deferral_ends_the_thinking(
    herald: Herald, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.surface.DEFER_AFTER", SLOW)
    outcome = await herald.reader.command(herald.general, "search", {"query": "diffusion"}, wait=False)
    assert outcome.seen is Seen.THINKING

    async def broken(*_: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(Lookups, "papers", broken)
    gate.opened.set()
    text = await _settled(herald, outcome)
    assert text.startswith("Something went wrong on my side.")
    assert "secret" not in text


async def _click(person: Human, outcome: Outcome, label: str) -> Outcome:
    assert outcome.message is not None
    return await person.click(outcome.message, buttons(outcome.message)[label])


def _registered(herald: Herald) -> list[Command]:
    return herald.sandbox.world.commands.scope(herald.demo.app.id, None)


def _options(data: dict[str, Any]) -> list[dict[str, Any]]:
    found = []
    for option in data.get("options", ()):
        found += [option, *_options(option)]
    return found


@pytest.mark.asyncio
async def test_the_last_page_has_no_way_on(herald: Herald) -> None:
    outcome = await herald.reader.command(herald.general, "search", {"year": 2026})
    await _click(herald.reader, outcome, "Next")
    await _click(herald.reader, outcome, "Next")
    assert outcome.message is not None
    assert list(buttons(outcome.message)) == ["Previous"]
    with pytest.raises(ClientRefusal):
        await herald.reader.click(outcome.message, "ih:page:forged:0")
