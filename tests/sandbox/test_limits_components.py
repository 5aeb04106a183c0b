from __future__ import annotations

from typing import Any

import pytest

from bot.sandbox.demo import Demo
from bot.sandbox.server import Sandbox
from tests.sandbox.wire_client import Rest

Part = dict[str, Any]
V2 = 1 << 15


def button(name: str = "b", **more: Any) -> Part:  # noqa: ANN401 - JSON
    return {"type": 2, "style": 1, "label": "Go", "custom_id": name, **more}


def row(*parts: Part) -> Part:
    return {"type": 1, "components": list(parts)}


def select(options: int = 2, **more: Any) -> Part:  # noqa: ANN401 - JSON
    listed = [{"label": f"L{number}", "value": f"v{number}"} for number in range(options)]
    return {"type": 3, "custom_id": "s", "options": listed, **more}


def text(content: str = "t") -> Part:
    return {"type": 10, "content": content}


LINK = {"type": 2, "style": 5, "label": "Paper", "url": "https://example.org/"}
FIRST = ("components", 0, "components", 0)

CLASSIC = [
    ([row(button(str(n))) for n in range(6)], ("components",), "BASE_TYPE_MAX_LENGTH"),
    ([row(*(button(str(n)) for n in range(6)))], ("components", 0, "components"), "BASE_TYPE_BAD_LENGTH"),
    ([row()], ("components", 0, "components"), "BASE_TYPE_BAD_LENGTH"),
    ([button()], ("components", 0, "type"), "UNION_TYPE_CHOICES"),
    ([text()], ("components", 0, "type"), "UNION_TYPE_CHOICES"),
    ([row(button("c" * 101))], (*FIRST, "custom_id"), "BASE_TYPE_BAD_LENGTH"),
    ([row(button(""))], (*FIRST, "custom_id"), "BASE_TYPE_REQUIRED"),
    (
        [row(button("a"), button("a"))],
        ("components", 0, "components", 1, "custom_id"),
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    ([row(button(label="l" * 81))], (*FIRST, "label"), "BASE_TYPE_MAX_LENGTH"),
    ([row(button(label=None))], FIRST, "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED"),
    ([row(button(style=7))], (*FIRST, "style"), "BASE_TYPE_CHOICES"),
    ([row({**LINK, "url": "ftp://example.org/"})], (*FIRST, "url"), "URL_TYPE_INVALID_SCHEME"),
    ([row({**LINK, "url": "https://e.org/" + "x" * 512})], (*FIRST, "url"), "BASE_TYPE_MAX_LENGTH"),
    ([row({**LINK, "custom_id": "x"})], FIRST, "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE"),
    ([row(button(), select())], ("components", 0, "components", 1), "COMPONENT_LAYOUT_WIDTH_EXCEEDED"),
    ([row(select(26))], (*FIRST, "options"), "BASE_TYPE_BAD_LENGTH"),
    ([row(select(0))], (*FIRST, "options"), "BASE_TYPE_BAD_LENGTH"),
    ([row(select(2, max_values=3))], (*FIRST, "options"), "BASE_TYPE_BAD_LENGTH"),
    ([row(select(2, placeholder="p" * 151))], (*FIRST, "placeholder"), "BASE_TYPE_MAX_LENGTH"),
    (
        [row(select(options=1) | {"options": [{"label": "l" * 101, "value": "v"}]})],
        (*FIRST, "options", 0, "label"),
        "BASE_TYPE_MAX_LENGTH",
    ),
    (
        [row(select() | {"options": [{"label": "a", "value": "v"}, {"label": "b", "value": "v"}]})],
        (*FIRST, "options", 1, "value"),
        "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
    ),
    ([row({"type": 4, "custom_id": "t", "style": 1, "label": "l"})], (*FIRST, "type"), "UNION_TYPE_CHOICES"),
]


@pytest.mark.asyncio
@pytest.mark.parametrize(("parts", "place", "complaint"), CLASSIC)
async def test_classic_components_beyond_a_limit_are_refused(
    sandbox: Sandbox, demo: Demo, parts: list[Part], place: tuple[str | int, ...], complaint: str
) -> None:
    answer = await Rest(sandbox).send(demo.general.id, content="x", components=parts)
    assert (answer.status, answer.code) == (400, 50035)
    assert answer.complaint(*place) == complaint


@pytest.mark.asyncio
async def test_five_rows_of_five_buttons_and_a_full_select_are_accepted(sandbox: Sandbox, demo: Demo) -> None:
    rows = [row(*(button(f"{line}-{place}") for place in range(5))) for line in range(4)]
    answer = await Rest(sandbox).send(demo.general.id, components=[*rows, row(select(25))])
    assert answer.status == 200
    numbers = [part["id"] for line in answer.data["components"] for part in (line, *line["components"])]
    assert len(set(numbers)) == len(numbers) == 26


CONTAINER = {"type": 17, "components": [text(str(number)) for number in range(20)]}

NEW = [
    ([text("a" * 2001), text("b" * 2000)], ("components",), "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED"),
    ([text("a" * 4001)], ("components", 0, "content"), "BASE_TYPE_BAD_LENGTH"),
    ([text("")], ("components", 0, "content"), "BASE_TYPE_REQUIRED"),
    ([CONTAINER, CONTAINER], ("components",), "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED"),
    ([{"type": 9, "components": [text()]}], ("components", 0, "accessory"), "BASE_TYPE_REQUIRED"),
    (
        [{"type": 9, "components": [text()] * 4, "accessory": button()}],
        ("components", 0, "components"),
        "BASE_TYPE_BAD_LENGTH",
    ),
    (
        [{"type": 17, "components": [CONTAINER]}],
        ("components", 0, "components", 0, "type"),
        "UNION_TYPE_CHOICES",
    ),
    ([button()], ("components", 0, "type"), "UNION_TYPE_CHOICES"),
    (
        [{"type": 13, "file": {"url": "https://e.org/f"}}],
        ("components", 0, "file", "url"),
        "URL_TYPE_INVALID_SCHEME",
    ),
    ([{"type": 12, "items": []}], ("components", 0, "items"), "BASE_TYPE_BAD_LENGTH"),
    ([text() | {"id": 5}, text() | {"id": 5}], ("components", 1, "id"), "COMPONENT_ID_DUPLICATED"),
]


@pytest.mark.asyncio
@pytest.mark.parametrize(("parts", "place", "complaint"), NEW)
async def test_v2_components_beyond_a_limit_are_refused(
    sandbox: Sandbox, demo: Demo, parts: list[Part], place: tuple[str | int, ...], complaint: str
) -> None:
    answer = await Rest(sandbox).send(demo.general.id, flags=V2, components=parts)
    assert (answer.status, answer.code) == (400, 50035)
    assert answer.complaint(*place) == complaint


@pytest.mark.asyncio
@pytest.mark.parametrize("legacy", [{"content": "x"}, {"embeds": [{"title": "t"}]}])
async def test_v2_refuses_content_and_embeds_beside_it(sandbox: Sandbox, demo: Demo, legacy: Part) -> None:
    answer = await Rest(sandbox).send(demo.general.id, flags=V2, components=[text()], **legacy)
    place = next(iter(legacy))
    assert answer.complaint(place) == "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"


@pytest.mark.asyncio
async def test_forty_v2_components_with_4000_characters_are_accepted_and_stay_v2(
    sandbox: Sandbox, demo: Demo
) -> None:
    rest = Rest(sandbox)
    full = [{"type": 17, "components": [text("a" * 100) for _ in range(38)]}, text("b" * 200)]
    sent = await rest.send(demo.general.id, flags=V2, components=full)
    assert sent.status == 200
    path = f"/channels/{demo.general.id}/messages/{sent.data['id']}"
    edited = await rest("PATCH", path, {"content": "legacy"})
    assert edited.complaint("content") == "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
    assert (await rest("PATCH", path, {"components": [text("new")]})).data["flags"] & V2


@pytest.mark.asyncio
async def test_v2_without_components_is_an_empty_message(sandbox: Sandbox, demo: Demo) -> None:
    assert (await Rest(sandbox).send(demo.general.id, flags=V2)).code == 50006
