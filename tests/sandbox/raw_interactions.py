"""Interactions whose answers are sent by hand, without a bot."""

from __future__ import annotations

from typing import Any

from bot.sandbox.demo import APP_ID, Demo
from bot.sandbox.interactions import Interaction, InteractionType
from bot.sandbox.model import Channel
from bot.sandbox.payloads import send_interaction
from bot.sandbox.server import Sandbox
from tests.sandbox.wire_client import Answer, Rest

Body = dict[str, Any]


class Raw:
    """An interaction whose answers are sent by hand."""

    def __init__(self, sandbox: Sandbox, made: Interaction) -> None:
        self.made = made
        self._rest = Rest(sandbox, None)

    async def answer(self, kind: object, data: object = None) -> Answer:
        body = {"type": kind} | ({} if data is None else {"data": data})
        return await self._rest("POST", f"/interactions/{self.made.id}/{self.made.token}/callback", body)

    async def follow(self, **body: object) -> Answer:
        return await self._rest("POST", f"/webhooks/{APP_ID}/{self.made.token}", body)

    async def original(self, method: str, body: Body | None = None) -> Answer:
        return await self._rest(method, f"/webhooks/{APP_ID}/{self.made.token}/messages/@original", body)


async def register(sandbox: Sandbox, **more: object) -> None:
    query = {"type": 3, "name": "query", "description": "d", "autocomplete": True}
    command = {"name": "paper", "description": "d", "options": [query], **more}
    answer = await Rest(sandbox)("PUT", f"/applications/{APP_ID}/commands", [command])
    assert answer.status == 200


def raw(
    sandbox: Sandbox,
    demo: Demo,
    kind: InteractionType = InteractionType.COMMAND,
    channel: Channel | None = None,
) -> Raw:
    command = sandbox.world.commands.everything()[0]
    focused = {"type": 3, "name": "query", "value": "x", "focused": True}
    data = {"id": str(command.id), "name": "paper", "type": 1, "options": [focused]}
    place = channel or demo.general
    made = send_interaction(sandbox.world, kind, demo.reader, place, data, command=command)
    return Raw(sandbox, made)
