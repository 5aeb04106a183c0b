"""A loopback web server that speaks whatever a test wants, and a desk to run sources at."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web
from aiohttp.test_utils import TestServer
from yarl import URL

from bot.clock import ManualClock
from bot.sources.http import Fetcher, user_agent
from bot.sources.importing import Imported
from bot.sources.polling import Poller, Source
from storage.database import Database
from storage.sources import SourceState, SourceStore

START = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass
class Asked:
    """One request as the server saw it."""

    path: str
    query: dict[str, str]
    headers: dict[str, str]


@dataclass
class Site:
    """The server. `answer` decides on every request; `asked` has them in order."""

    url: URL = field(default_factory=URL)
    answer: Answer | None = None
    asked: list[Asked] = field(default_factory=list)
    gone: asyncio.Event = field(default_factory=asyncio.Event)  # set when the test is over

    async def handle(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(Asked(request.path, dict(request.query), dict(request.headers)))
        assert self.answer is not None
        return await self.answer(request)

    def says(self, body: str | bytes, kind: str = "text/plain", **headers: str) -> None:
        """The same answer to every request."""

        async def answer(_: web.Request) -> web.StreamResponse:
            data = body.encode() if isinstance(body, str) else body
            return web.Response(body=data, headers={"Content-Type": kind, **headers})

        self.answer = answer

    def fails(self, status: int, **headers: str) -> None:
        async def answer(_: web.Request) -> web.StreamResponse:
            return web.Response(status=status, headers=headers)

        self.answer = answer

    async def hang(self, _: web.Request) -> web.StreamResponse:
        """Never answer (as long as the test runs)."""
        await self.gone.wait()
        return web.Response()


async def cut_short(request: web.Request) -> web.StreamResponse:
    """Promise more than is sent, then hang up."""
    response = web.StreamResponse(headers={"Content-Length": "1000", "Content-Type": "text/plain"})
    await response.prepare(request)
    await response.write(b"AI")
    assert request.transport is not None
    request.transport.close()
    return response


@contextlib.asynccontextmanager
async def running_site() -> AsyncIterator[Site]:
    site = Site()
    app = web.Application()
    app.router.add_route("*", "/{tail:.*}", site.handle)
    server = TestServer(app, host="127.0.0.1")
    await server.start_server()
    site.url = server.make_url("/")
    try:
        yield site
    finally:
        site.gone.set()
        await server.close()


@dataclass
class Desk:
    """A site, a fetcher, a database, a clock that stands still, and a load that notes what it was given."""

    site: Site
    fetcher: Fetcher
    database: Database
    clock: ManualClock
    folder: Path
    loads: list[list[bytes]] = field(default_factory=list)
    outcome: Imported | Exception = field(default_factory=lambda: Imported(counts(), True))

    async def load(self, files: Sequence[Path]) -> Imported:
        self.loads.append(_contents(files))
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome

    def poller(self, source: Source, minutes: int = 60) -> Poller:
        store = SourceStore(self.database)
        return Poller(source, every=timedelta(minutes=minutes), store=store, clock=self.clock, load=self.load)

    async def state(self, name: str) -> SourceState:
        state = await SourceStore(self.database).get(name)
        assert state is not None
        return state


def _contents(files: Sequence[Path]) -> list[bytes]:
    return [file.read_bytes() for file in files]


def counts(**found: int) -> dict[str, Any]:
    return {"files": [], "read": 0, "new": 0, "updated": 0, "warnings": []} | found


@contextlib.asynccontextmanager
async def open_desk(folder: Path) -> AsyncIterator[Desk]:
    clock = ManualClock(START)
    connector = aiohttp.TCPConnector(limit_per_host=1)
    async with (
        running_site() as site,
        Database(folder / "herald.db") as database,
        aiohttp.ClientSession(connector=connector) as session,
    ):
        fetcher = Fetcher(session, clock=clock, agent=user_agent("1.0", "ops@example.org"))
        (folder / "fetched").mkdir()
        yield Desk(site, fetcher, database, clock, folder / "fetched")
