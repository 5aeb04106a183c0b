"""A sandbox and a real discord.py client on it, for any test module.

Import the fixtures you need (`from tests.sandbox_fixtures import demo, sandbox`) or use `connected`.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import discord
import discord.http
import pytest
import pytest_asyncio
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket

from bot.clock import ManualClock
from bot.sandbox.demo import TOKEN, Demo, furnish
from bot.sandbox.human import Human
from bot.sandbox.server import Sandbox

START = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
PATIENCE = 15.0


@contextlib.contextmanager
def pointed_at(sandbox: Sandbox) -> Iterator[None]:
    """discord.py talks to the sandbox within this block, and to nobody else's address after it."""
    base, gateway = discord.http.Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    discord.http.Route.BASE = sandbox.api_base
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(sandbox.url.replace("http", "ws", 1) + "/gateway")
    try:
        yield
    finally:
        discord.http.Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = base, gateway


class Client(discord.AutoShardedClient):
    """An unmodified client with a command tree and events that tests wait for."""

    def __init__(self, *, intents: discord.Intents | None = None, shards: int | None = None) -> None:
        super().__init__(
            intents=intents or discord.Intents(guilds=True),
            guild_ready_timeout=0.05,
            shard_count=shards,
            max_messages=None,
        )
        self.tree = app_commands.CommandTree(self)
        self.seen: asyncio.Queue[tuple[str, tuple[object, ...]]] = asyncio.Queue()

    def dispatch(self, event: str, /, *args: object, **kwargs: object) -> None:
        """Note every event before it goes its way."""
        self.seen.put_nowait((event, args))
        super().dispatch(event, *args, **kwargs)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Identify at once; the five seconds that Discord asks for between shards are no matter here."""

    async def until(self, event: str) -> tuple[object, ...]:
        """Wait for the next event of a name and return its arguments."""
        async with asyncio.timeout(PATIENCE):
            while True:
                name, args = await self.seen.get()
                if name == event:
                    return args


@contextlib.asynccontextmanager
async def connected(sandbox: Sandbox, client: Client, token: str = TOKEN) -> AsyncIterator[Client]:
    """The client logged in and ready; closed at the end."""
    with pointed_at(sandbox):
        async with client:
            await client.login(token)
            task = asyncio.create_task(client.connect(), name="client")
            ready = asyncio.create_task(client.until("ready"), name="ready")
            await asyncio.wait({task, ready}, return_when=asyncio.FIRST_COMPLETED)
            try:
                if task.done():
                    ready.cancel()
                    await task
                yield client
            finally:
                await client.close()
                await asyncio.gather(task, ready, return_exceptions=True)


@dataclass(frozen=True, slots=True)
class Bench:
    """Everything a test of commands needs."""

    sandbox: Sandbox
    demo: Demo
    client: Client
    clock: ManualClock

    @property
    def reader(self) -> Human:
        """A person without special rights."""
        return self.sandbox.human(self.demo.reader)

    @property
    def admin(self) -> Human:
        """The owner of the server."""
        return self.sandbox.human(self.demo.admin)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(START)


@pytest_asyncio.fixture
async def sandbox(clock: ManualClock) -> AsyncIterator[Sandbox]:
    async with Sandbox(clock=clock, rate_limits=False, control_token="control") as running:
        yield running


@pytest.fixture
def demo(sandbox: Sandbox) -> Demo:
    return furnish(sandbox.world)


@pytest_asyncio.fixture
async def bench(sandbox: Sandbox, demo: Demo, clock: ManualClock) -> AsyncIterator[Bench]:
    async with connected(sandbox, Client()) as client:
        yield Bench(sandbox, demo, client, clock)
