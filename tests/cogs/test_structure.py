"""Structural tests: what every command, button and select must have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.locales import Catalogue
from bot.papers.model import Language
from bot.render.help import SECTIONS
from bot.render.ids import KINDS
from bot.sandbox.model import Command
from tests.herald_fixtures import Herald

ROOT = Path(__file__).resolve().parents[2]
SUB_COMMAND, SUB_COMMAND_GROUP = 1, 2
EVERYWHERE, SERVERS = [0, 1, 2], [0]
SERVER_ONLY = {"digest", "import"}


def _commands(herald: Herald, kind: int = 1) -> list[Command]:
    registered = herald.sandbox.world.commands.scope(herald.demo.app.id, None)
    return [command for command in registered if command.type == kind]


def _described(data: dict[str, Any], path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The command and everything in it that has a description."""
    yield path, data
    for option in data.get("options", ()):
        yield from _described(option, f"{path} {option['name']}")


def _leaves(data: dict[str, Any], path: str) -> Iterator[str]:
    below = [
        option for option in data.get("options", ()) if option["type"] in (SUB_COMMAND, SUB_COMMAND_GROUP)
    ]
    if not below:
        yield path
    for option in below:
        yield from _leaves(option, f"{path} {option['name']}")


@pytest.mark.asyncio
async def test_everything_has_a_description_in_three_languages(herald: Herald) -> None:
    catalogue = Catalogue.shipped()
    keys = catalogue.keys(Language.EN)
    texts = {catalogue.text(Language.EN, key) for key in keys if key.startswith("commands.")}
    seen = [pair for command in _commands(herald) for pair in _described(command.data, command.name)]
    assert len(seen) > 40
    for path, data in seen:
        assert data["description"] in texts, f"{path}: the description is in no catalogue"
        assert set(data.get("description_localizations") or {}) == {"zh-CN", "zh-TW"}, path
        for choice in data.get("choices", ()):
            assert set(choice.get("name_localizations") or {}) == {"zh-CN", "zh-TW"}, (path, choice["name"])


@pytest.mark.asyncio
async def test_contexts_and_installs_are_stated_at_the_top(herald: Herald) -> None:
    for command in [*_commands(herald), *_commands(herald, 3)]:
        only_servers = command.name in SERVER_ONLY
        assert command.data["contexts"] == (SERVERS if only_servers else EVERYWHERE), command.name
        assert command.data["integration_types"] == ([0] if only_servers else [0, 1]), command.name


@pytest.mark.asyncio
async def test_the_message_menu_has_its_name_in_three_languages(herald: Herald) -> None:
    (menu,) = _commands(herald, 3)
    assert menu.name == "Find papers here"
    assert set(menu.data["name_localizations"]) == {"zh-CN", "zh-TW"}


@pytest.mark.asyncio
async def test_every_command_stands_in_the_help(herald: Herald) -> None:
    helped = {name.replace("_", " ") for names in SECTIONS.values() for name in names}
    real = {leaf for command in _commands(herald) for leaf in _leaves(command.data, command.name)}
    assert helped == real
    answer = await herald.admin.command(herald.general, "help")
    for leaf in real:
        assert f"</{leaf}:" in answer.text, leaf


@pytest.mark.asyncio
async def test_every_kind_of_button_that_is_made_has_a_handler(herald: Herald) -> None:
    made = {
        kind
        for folder in ("bot", "cogs")
        for file in (ROOT / folder).rglob("*.py")
        for kind in re.findall(r"encode\(\s*\"(\w+)\"", file.read_text(encoding="utf-8"))
        if kind in KINDS
    }
    assert len(made) > 15
    handled = herald.app.clicks.kinds
    assert made <= handled
    assert handled <= set(KINDS)


@pytest.mark.asyncio
async def test_ids_from_anybody_are_refused_with_a_sentence(herald: Herald) -> None:
    outcome = await herald.reader.command(herald.general, "paper", {"query": "logquant"})
    assert outcome.message is not None
    row = outcome.message.components[-1]["components"]
    forged = ["nonsense", "ih:save:0", "ih:save:99999", "ih:page:x:-1", "ih:cite:abc", "ih:more:nobody"]
    forged += [
        "ih:notplace:1:99",
        "ih:inst:no-such-place",
        "ih:author:nobody at all",
        "ih:part:x",
        "ih:settings:x",
    ]
    for custom_id in forged:
        row[0]["custom_id"] = custom_id
        answer = await herald.reader.click(outcome.message, custom_id)
        assert answer.message is not None, custom_id
        assert answer.message.seen_only_by == herald.reader.user.id, custom_id
        assert answer.text, custom_id
        assert "Something went wrong" not in answer.text, (custom_id, answer.text)
