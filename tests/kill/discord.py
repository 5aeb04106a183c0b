"""The sandbox as a process of its own, and the acts a kill test needs of it."""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Self

import aiohttp

from bot.sandbox.control import HEADER, PREFIX
from bot.sandbox.demo import ADMIN_ID, APP_ID, TOKEN

SECRET = "kill"
READ_MESSAGE_HISTORY = 1 << 16


class Discord:
    """A running sandbox process."""

    token = TOKEN
    admin = ADMIN_ID
    bot = APP_ID

    def __init__(self) -> None:
        self.api_base = ""
        self._url = ""
        self._process: asyncio.subprocess.Process | None = None
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot.sandbox", "--control-token", SECRET, stdout=asyncio.subprocess.PIPE
        )
        assert self._process.stdout is not None
        told = json.loads(await self._process.stdout.readline())
        self.api_base, self._url = told["api_base"], told["url"]
        self._session = aiohttp.ClientSession(headers={HEADER: SECRET})
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._session is not None:
            await self._session.close()
        if self._process is not None:
            self._process.terminate()
            await self._process.wait()

    async def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:  # noqa: ANN401 - JSON
        """One request of the control endpoint."""
        assert self._session is not None
        async with self._session.request(method, self._url + PREFIX + path, json=body or {}) as answer:
            data = await answer.json()
            assert answer.status == 200, data
            return data

    async def act(self, name: str, /, **body: object) -> dict[str, Any]:
        """One act; ids come back as text."""
        return dict(await self.ask("POST", f"/acts/{name}", body))

    async def furnish(self, guilds: int, people: int) -> tuple[dict[int, int], list[int]]:
        """Servers with the bot and one channel each (server → channel), and people who share the first."""
        channels: dict[int, int] = {}
        for number in range(guilds):
            guild = int((await self.act("add-guild", name=f"Server {number}", owner=ADMIN_ID))["id"])
            await self.act("add-member", guild=guild, user=APP_ID)
            channels[guild] = int((await self.act("add-channel", guild=guild, name="digest"))["id"])
        users = []
        for number in range(people):
            user = int((await self.act("add-user", name=f"person{number}"))["id"])
            await self.act("add-member", guild=next(iter(channels)), user=user)
            users.append(user)
        return channels, users

    async def let_read(self, channel: int, allowed: bool) -> None:
        """Give or take the bot's right to read a channel's history."""
        deny = 0 if allowed else READ_MESSAGE_HISTORY
        await self.act("set-overwrite", channel=channel, target=APP_ID, allow=0, deny=deny)

    async def marks(self, channel: int) -> Counter[str]:
        """How often each mark of the bot's own messages stands in a channel."""
        found: Counter[str] = Counter()
        for message in await self.ask("GET", f"/channels/{channel}/messages"):
            if int(message["author"]["id"]) == APP_ID:
                buttons = [part for row in message["components"] for part in row["components"]]
                found.update(part["custom_id"] for part in buttons if "ih:part:" in part.get("custom_id", ""))
        return found


def log_path(folder: Path) -> str:
    """Where the killed processes write their logs."""
    return str(folder / "bot.log")
