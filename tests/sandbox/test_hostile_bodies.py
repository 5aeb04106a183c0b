"""No body, however odd, may break the sandbox: it is accepted or refused with Discord's code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import aiohttp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.sandbox.demo import APP_ID, Demo
from bot.sandbox.errors import ApiError
from bot.sandbox.interactions import InteractionType
from bot.sandbox.limits import check_message
from bot.sandbox.limits_choices import check_choices
from bot.sandbox.limits_commands import check_command, check_commands
from bot.sandbox.limits_modals import check_modal
from bot.sandbox.permissions import Permission
from bot.sandbox.server import Sandbox
from tests.sandbox.raw_interactions import raw, register
from tests.sandbox.wire_client import Rest

_WORDS = """
    content embeds components attachments flags nonce allowed_mentions message_reference type title description fields
    name value footer author text url image thumbnail color custom_id style label options choices min_values max_values
    placeholder data items media file accessory parse users roles id required autocomplete contexts integration_types
    name_localizations description_localizations default_member_permissions min_length max_length channel_types
    component message applied_tags recipient_id enforce_nonce archived topic
"""
KEYS = _WORDS.split()

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 30),
    st.integers(-(1 << 70), 1 << 70),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=6),
    st.sampled_from(["x" * 2001, "\ud800", "attachment://x", "http://[", "zh-CN", "1", "9" * 30]),
)
json_values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.sampled_from([*KEYS, "zh-CN"]), inner, max_size=6)
    ),
    max_leaves=25,
)
bodies = st.dictionaries(st.sampled_from(KEYS), json_values, max_size=8)

CHECKS: list[Callable[[Any], object]] = [
    check_message,
    check_command,
    lambda body: check_commands([body, body], in_guild=False),
    check_modal,
    lambda body: check_choices(body, 3),
    lambda body: check_choices(body, 10),
    lambda body: check_message({**body, "flags": 1 << 15}),
]


@pytest.mark.parametrize("check", CHECKS)
@settings(max_examples=120, deadline=None)
@given(body=bodies)
def test_a_check_passes_or_refuses(check: Callable[[Any], object], body: dict[str, Any]) -> None:
    try:
        check(body)
    except ApiError as refused:
        assert refused.code in (50035, 50006)  # noqa: PT017 - both outcomes are right


NASTY: list[Any] = [
    None,
    True,
    -1,
    1.5,
    1 << 70,
    "",
    "x",
    "9" * 30,
    "\ud800",
    [],
    [None],
    [[]],
    {},
    {"id": []},
]
FIELDS = {
    "/channels/{general}/messages": [
        *("content", "embeds", "components", "attachments", "flags", "nonce", "allowed_mentions"),
        *("message_reference", "sticker_ids", "tts", "enforce_nonce"),
    ],
    "/channels/{forum}/threads": [
        "name",
        "message",
        "applied_tags",
        "auto_archive_duration",
        "rate_limit_per_user",
    ],
    "/channels/{general}/threads": ["name", "type", "auto_archive_duration"],
    "/users/@me/channels": ["recipient_id"],
    f"/applications/{APP_ID}/commands": [
        "name",
        "description",
        "options",
        "type",
        "contexts",
        "name_localizations",
    ],
}


@pytest.mark.asyncio
@pytest.mark.parametrize("path", FIELDS)
async def test_nothing_posted_breaks_the_server(sandbox: Sandbox, demo: Demo, path: str) -> None:
    async with aiohttp.ClientSession() as session:
        await post_nasty(Rest(sandbox, session=session), demo, path)


async def post_nasty(rest: Rest, demo: Demo, path: str) -> None:
    good = {"content": "x", "name": "thread", "description": "d", "message": {"content": "x"}, "nonce": "n"}
    address = path.format(general=demo.general.id, forum=demo.forum.id)
    for name in FIELDS[path]:
        for value in NASTY:
            for wrapped in (value, [value], {"message_id": value, "users": value, "parse": value}):
                answer = await rest("POST", address, {**good, name: wrapped})
                assert answer.status < 500, (name, wrapped)
    for value in NASTY:
        assert (await rest("POST", address, value)).status < 500


@pytest.mark.asyncio
async def test_no_edit_of_a_channel_breaks_the_server(sandbox: Sandbox, demo: Demo) -> None:
    sandbox.world.set_overwrite(demo.general, demo.bot, allow=Permission.MANAGE_CHANNELS)
    rest = Rest(sandbox)
    for value in NASTY:
        for name in ("name", "topic", "archived", "locked"):
            answer = await rest("PATCH", f"/channels/{demo.general.id}", {name: value})
            assert answer.status < 500, (name, value)
        assert isinstance((await rest("GET", f"/channels/{demo.general.id}")).data["name"], str)


@pytest.mark.asyncio
async def test_nothing_asked_breaks_the_server(sandbox: Sandbox, demo: Demo) -> None:
    async with aiohttp.ClientSession() as session:
        await ask_nasty(Rest(sandbox, session=session), demo)


async def ask_nasty(rest: Rest, demo: Demo) -> None:
    for value in ("", "x", "-1", "9" * 30, "1.5", "²", "%00", "null"):
        for query in ("limit", "before", "after", "around"):
            path = f"/channels/{demo.general.id}/messages?{query}={value}"
            assert (await rest("GET", path)).status < 500
        assert (
            await rest("GET", f"/channels/{demo.forum.id}/threads/archived/public?limit={value}")
        ).status < 500
        assert (await rest("GET", f"/channels/{value}1/messages")).status < 500


@pytest.mark.asyncio
async def test_no_answer_to_an_interaction_breaks_the_server(sandbox: Sandbox, demo: Demo) -> None:
    await register(sandbox)
    odd = [{"flags": "x"}, {"flags": [1]}, {"choices": 5}, {"choices": [5]}, {"components": 5}, {"title": []}]
    for kind in (InteractionType.COMMAND, InteractionType.AUTOCOMPLETE, InteractionType.MODAL):
        made = raw(sandbox, demo, kind)
        for answer in (None, "4", 4, 5, 6, 7, 8, 9):
            for data in (*NASTY, *odd):
                assert (await made.answer(answer, data)).status < 500, (kind, answer, data)
    made = raw(sandbox, demo)
    await made.answer(5)
    for data in (*NASTY, *odd):
        body = data if isinstance(data, dict) else {"content": data}
        assert (await made.original("PATCH", body)).status < 500
        assert (await made.follow(**body)).status < 500
