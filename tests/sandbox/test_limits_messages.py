from __future__ import annotations

from typing import Any

import pytest

from bot.sandbox.demo import Demo
from bot.sandbox.server import Sandbox
from tests.sandbox.wire_client import Rest


def field(size: int = 5) -> dict[str, Any]:
    return {"name": "n" * size, "value": "v"}


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("body", "place", "complaint"),
    [
        ({"content": "x" * 2001}, ("content",), "BASE_TYPE_MAX_LENGTH"),
        ({"content": "😀" * 1001}, ("content",), "BASE_TYPE_MAX_LENGTH"),
        ({"content": 5}, ("content",), "STRING_TYPE_CONVERT"),
        ({"content": "x", "nonce": "n" * 26}, ("nonce",), "BASE_TYPE_MAX_LENGTH"),
        ({"content": "x", "flags": "4"}, ("flags",), "NUMBER_TYPE_COERCE"),
        ({"embeds": [{"title": "t"}] * 11}, ("embeds",), "BASE_TYPE_MAX_LENGTH"),
        ({"embeds": [{"title": "t" * 257}]}, ("embeds", 0, "title"), "BASE_TYPE_MAX_LENGTH"),
        ({"embeds": [{"description": "d" * 4097}]}, ("embeds", 0, "description"), "BASE_TYPE_MAX_LENGTH"),
        ({"embeds": [{"fields": [field()] * 26}]}, ("embeds", 0, "fields"), "BASE_TYPE_MAX_LENGTH"),
        ({"embeds": [{"fields": [field(257)]}]}, ("embeds", 0, "fields", 0, "name"), "BASE_TYPE_MAX_LENGTH"),
        (
            {"embeds": [{"fields": [{"name": "n", "value": "v" * 1025}]}]},
            ("embeds", 0, "fields", 0, "value"),
            "BASE_TYPE_MAX_LENGTH",
        ),
        (
            {"embeds": [{"fields": [{"name": "n", "value": ""}]}]},
            ("embeds", 0, "fields", 0, "value"),
            "BASE_TYPE_REQUIRED",
        ),
        (
            {"embeds": [{"footer": {"text": "f" * 2049}}]},
            ("embeds", 0, "footer", "text"),
            "BASE_TYPE_MAX_LENGTH",
        ),
        (
            {"embeds": [{"author": {"name": "a" * 257}}]},
            ("embeds", 0, "author", "name"),
            "BASE_TYPE_MAX_LENGTH",
        ),
        ({"embeds": [{"title": "t", "url": "no address"}]}, ("embeds", 0, "url"), "URL_TYPE_INVALID_SCHEME"),
        ({"embeds": [{"title": "t", "color": 1 << 24}]}, ("embeds", 0, "color"), "NUMBER_TYPE_MAX"),
        (
            {"embeds": [{"title": "t", "timestamp": "noon"}]},
            ("embeds", 0, "timestamp"),
            "DATE_TIME_TYPE_PARSE",
        ),
        ({"embeds": [{"color": 1}]}, ("embeds", 0, "description"), "BASE_TYPE_REQUIRED"),
        ({"embeds": [{"description": "d" * 3001}] * 2}, ("embeds", 1), "MAX_EMBED_SIZE_EXCEEDED"),
        (
            {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
            ("allowed_mentions",),
            "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
        ),
        ({"content": "x", "attachments": [{"id": "7"}]}, ("attachments", 0), "ATTACHMENT_NOT_FOUND"),
    ],
)
async def test_a_body_beyond_a_limit_is_refused_with_the_place_named(
    sandbox: Sandbox, demo: Demo, body: dict[str, Any], place: tuple[str | int, ...], complaint: str
) -> None:
    answer = await Rest(sandbox).send(demo.general.id, **body)
    assert (answer.status, answer.code) == (400, 50035)
    assert answer.complaint(*place) == complaint
    assert sandbox.world.messages.all_in(demo.general.id) == []


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "body",
    [
        {"content": "x" * 2000},
        {"content": "😀" * 1000},
        {"embeds": [{"title": "t" * 256, "description": "d" * 4096, "footer": {"text": "f" * 1648}}]},
        {"embeds": [{"fields": [field()] * 25}]},
        {"embeds": [{"title": "t"}] * 10},
    ],
)
async def test_a_body_at_the_limit_is_accepted(sandbox: Sandbox, demo: Demo, body: dict[str, Any]) -> None:
    assert (await Rest(sandbox).send(demo.general.id, **body)).status == 200


@pytest.mark.asyncio
@pytest.mark.parametrize("content", [None, "", "   ", "\u200b\n\u200b"])
async def test_an_empty_message_is_refused(sandbox: Sandbox, demo: Demo, content: str | None) -> None:
    answer = await Rest(sandbox).send(demo.general.id, content=content)
    assert (answer.status, answer.code) == (400, 50006)


@pytest.mark.asyncio
async def test_broken_json_and_a_list_are_refused(sandbox: Sandbox, demo: Demo) -> None:
    rest = Rest(sandbox)
    path = f"/channels/{demo.general.id}/messages"
    broken = await rest("POST", path, data=b"{", headers={"Content-Type": "application/json"})
    assert (broken.status, broken.code) == (400, 50109)
    listed = await rest("POST", path, [])
    assert (listed.status, listed.code) == (400, 50035)


@pytest.mark.asyncio
async def test_the_text_is_kept_without_its_blank_edges(sandbox: Sandbox, demo: Demo) -> None:
    answer = await Rest(sandbox).send(demo.general.id, content="  hello\u200b ")
    assert answer.data["content"] == "hello"


@pytest.mark.asyncio
async def test_an_edit_to_nothing_is_refused(sandbox: Sandbox, demo: Demo) -> None:
    rest = Rest(sandbox)
    sent = await rest.send(demo.general.id, content="hello")
    path = f"/channels/{demo.general.id}/messages/{sent.data['id']}"
    answer = await rest("PATCH", path, {"content": ""})
    assert (answer.status, answer.code) == (400, 50006)
    assert (await rest("PATCH", path, {"content": "x" * 2001})).complaint("content") == "BASE_TYPE_MAX_LENGTH"
