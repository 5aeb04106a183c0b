"""The sandbox's own answers have the shapes of Discord's API description."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.sandbox.demo import APP_ID, Demo
from bot.sandbox.server import Sandbox
from tests.openapi import Checker
from tests.sandbox.raw_interactions import raw, register
from tests.sandbox.wire_client import Rest

pytestmark = pytest.mark.shared
BUTTON = {"type": 2, "style": 1, "label": "Go", "custom_id": "go"}
SELECT = {"type": 3, "custom_id": "s", "options": [{"label": "a", "value": "a"}]}
EMBED = {
    "title": "t",
    "description": "d",
    "url": "https://example.org",
    "color": 5,
    "fields": [{"name": "n", "value": "v", "inline": True}],
    "footer": {"text": "f"},
    "author": {"name": "a"},
    "image": {"url": "https://example.org/i.png"},
}
V2 = [
    {
        "type": 17,
        "components": [
            {"type": 10, "content": "text"},
            {"type": 9, "components": [{"type": 10, "content": "t"}], "accessory": BUTTON},
            {"type": 14, "divider": True, "spacing": 1},
            {"type": 1, "components": [SELECT]},
        ],
    }
]


@pytest.fixture(scope="module")
def checker(shared_data: Path) -> Checker:
    return Checker(shared_data / "discord-openapi.json")


class Checked:
    """Sends a request and checks its answer."""

    def __init__(self, sandbox: Sandbox, checker: Checker) -> None:
        self._rest = Rest(sandbox)
        self._checker = checker

    async def __call__(
        self, method: str, template: str, body: object = None, status: int = 200, **ids: object
    ) -> object:
        path = template
        for name, value in ids.items():
            path = path.replace("{" + name + "}", str(value))
        answer = await self._rest(method, path, body)
        assert answer.status == status, answer.data
        assert self._checker.reply_complaints(method, template, status, answer.data) == []
        return answer.data


def number_of(data: object) -> str:
    assert isinstance(data, dict)
    return str(data["id"])


@pytest.mark.asyncio
async def test_reading_routes(sandbox: Sandbox, demo: Demo, checker: Checker) -> None:
    check = Checked(sandbox, checker)
    guild, general, forum = demo.guild.id, demo.general.id, demo.forum.id
    await check("GET", "/gateway")
    await check("GET", "/gateway/bot")
    await check("GET", "/users/@me")
    await check("GET", "/users/@me/guilds")
    await check("GET", "/users/{user_id}", user_id=demo.reader.id)
    await check("GET", "/oauth2/applications/@me")
    await check("GET", "/applications/@me")
    await check("GET", "/guilds/{guild_id}", guild_id=guild)
    await check("GET", "/guilds/{guild_id}/channels", guild_id=guild)
    await check("GET", "/guilds/{guild_id}/roles", guild_id=guild)
    await check("GET", "/guilds/{guild_id}/members/{user_id}", guild_id=guild, user_id=demo.reader.id)
    await check("GET", "/channels/{channel_id}", channel_id=general)
    await check("GET", "/channels/{channel_id}", channel_id=forum)
    await check("POST", "/users/@me/channels", {"recipient_id": str(demo.reader.id)})


@pytest.mark.asyncio
async def test_messages_and_threads(sandbox: Sandbox, demo: Demo, checker: Checker) -> None:
    check = Checked(sandbox, checker)
    general = demo.general.id
    messages, one = "/channels/{channel_id}/messages", "/channels/{channel_id}/messages/{message_id}"
    body = {
        "content": f"hi <@{demo.reader.id}>",
        "embeds": [EMBED],
        "components": [{"type": 1, "components": [BUTTON]}],
    }
    first = number_of(await check("POST", messages, body, channel_id=general))
    await check("POST", messages, {"flags": 1 << 15, "components": V2}, channel_id=general)
    reply = {"content": "re", "message_reference": {"message_id": first}, "nonce": 5, "enforce_nonce": True}
    await check("POST", messages, reply, channel_id=general)
    await check("PATCH", one, {"content": "edited"}, channel_id=general, message_id=first)
    await check("GET", messages, channel_id=general)
    await check("GET", one, channel_id=general, message_id=first)
    post = {"name": "post", "message": {"content": "x", "embeds": [EMBED]}}
    thread = await check("POST", "/channels/{channel_id}/threads", post, 201, channel_id=demo.forum.id)
    await check("GET", "/guilds/{guild_id}/threads/active", guild_id=demo.guild.id)
    await check("PATCH", "/channels/{channel_id}", {"archived": True}, channel_id=number_of(thread))
    await check("GET", "/channels/{channel_id}/threads/archived/public", channel_id=demo.forum.id)
    talk = "/channels/{channel_id}/messages/{message_id}/threads"
    await check("POST", talk, {"name": "talk"}, 201, channel_id=general, message_id=first)


@pytest.mark.asyncio
async def test_commands(sandbox: Sandbox, demo: Demo, checker: Checker) -> None:
    check = Checked(sandbox, checker)
    everywhere = "/applications/{application_id}/commands"
    in_guild = "/applications/{application_id}/guilds/{guild_id}/commands"
    option = {"type": 3, "name": "query", "description": "d", "required": True, "autocomplete": True}
    sub = {"type": 1, "name": "set", "description": "d", "options": [option]}
    slash = {
        "name": "digest",
        "description": "d",
        "options": [sub],
        "default_member_permissions": "32",
        "contexts": [0],
        "integration_types": [0],
        "name_localizations": {"zh-CN": "摘要"},
    }
    menu = {"name": "Find papers", "type": 3}
    await check("PUT", everywhere, [slash, menu], application_id=APP_ID)
    await check("PUT", in_guild, [slash, menu], application_id=APP_ID, guild_id=demo.guild.id)
    await check("GET", everywhere, application_id=APP_ID)
    made = await check("POST", everywhere, {"name": "paper", "description": "d"}, 201, application_id=APP_ID)
    item = everywhere + "/{command_id}"
    await check("GET", item, application_id=APP_ID, command_id=number_of(made))
    await check("PATCH", item, {"description": "e"}, application_id=APP_ID, command_id=number_of(made))


@pytest.mark.asyncio
async def test_interactions(sandbox: Sandbox, demo: Demo, checker: Checker) -> None:
    await register(sandbox)
    made = raw(sandbox, demo)
    callback = "/interactions/{interaction_id}/{interaction_token}/callback"
    path = f"/interactions/{made.made.id}/{made.made.token}/callback?with_response=true"
    answer = await Rest(sandbox, None)("POST", path, {"type": 4, "data": {"content": "x", "flags": 64}})
    assert checker.reply_complaints("POST", callback, 200, answer.data) == []
    for got in (await made.original("GET"), await made.original("PATCH", {"content": "y"})):
        method = "GET" if got.data["content"] == "x" else "PATCH"
        original = "/webhooks/{webhook_id}/{webhook_token}/messages/@original"
        assert checker.reply_complaints(method, original, 200, got.data) == []
    more = await made.follow(content="z", embeds=[EMBED])
    assert checker.reply_complaints("POST", "/webhooks/{webhook_id}/{webhook_token}", 200, more.data) == []
