"""A bare HTTP client of the API, for what discord.py would never send."""

from __future__ import annotations

import contextlib
import io
import json
from dataclasses import dataclass
from typing import Any

import aiohttp

from bot.sandbox.demo import TOKEN
from bot.sandbox.server import Sandbox

Json = Any


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    data: Json
    headers: dict[str, str]

    @property
    def code(self) -> int:
        """Discord's error code."""
        return int(self.data["code"])

    def complaint(self, *path: str | int) -> str:
        """The first complaint's code at a place of the body."""
        node = self.data["errors"]
        for step in path:
            node = node[str(step)]
        return str(node["_errors"][0]["code"])


class Rest:
    """Sends one request at a time."""

    def __init__(
        self, sandbox: Sandbox, token: str | None = TOKEN, session: aiohttp.ClientSession | None = None
    ) -> None:
        self._session = session
        self._sandbox = sandbox
        self._token = token

    async def __call__(
        self,
        method: str,
        path: str,
        body: Json = None,
        *,
        data: aiohttp.FormData | io.BytesIO | bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        sent = {} if self._token is None else {"Authorization": f"Bot {self._token}"}
        sent |= headers or {}
        url = self._sandbox.api_base + path
        async with contextlib.AsyncExitStack() as stack:
            session = self._session
            if session is None:
                session = await stack.enter_async_context(aiohttp.ClientSession())
            response = await stack.enter_async_context(
                session.request(method, url, json=body, data=data, headers=sent)
            )
            text = await response.text()
            parsed = json.loads(text) if response.headers.get("Content-Type") == "application/json" else text
            return Answer(response.status, parsed, dict(response.headers))

    async def send(self, channel_id: int, **body: Json) -> Answer:
        """POST a message."""
        return await self("POST", f"/channels/{channel_id}/messages", body)
