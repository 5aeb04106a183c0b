"""How fast the bot may talk to Discord on its own initiative.

Promises: at most Discord's global allowance, spread evenly; DM channels opened slowly; a stop when Discord has
refused so much that it would ban the address. Leaves to discord.py: the buckets of single routes.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from datetime import timedelta

import aiohttp

GLOBAL_PER_SECOND = 48  # Discord: 50 requests a second in all; two are left for answers to people
OPEN_DM_EVERY = timedelta(seconds=1)
INVALID_LIMIT = 5_000  # Discord bans an address at 10,000 answers of 401, 403 or 429 in ten minutes
INVALID_WINDOW = timedelta(minutes=10)


class Pacer:
    """Gives out turns at a steady rate. Times are the loop's monotonic seconds."""

    def __init__(self, interval: float) -> None:
        self._interval = interval
        self._next = 0.0

    async def turn(self) -> None:
        """Wait for this caller's turn; callers are served in the order they came."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        self._next = max(self._next, now - self._interval)
        wait = self._next - now
        self._next += self._interval
        if wait > 0:
            await asyncio.sleep(wait)


class InvalidRequests:
    """Counts answers of 401, 403 and 429, those that discord.py retries by itself included."""

    def __init__(self, monotonic: Callable[[], float], limit: int = INVALID_LIMIT) -> None:
        self._monotonic = monotonic
        self._limit = limit
        self._times: deque[float] = deque()

    def trace(self) -> aiohttp.TraceConfig:
        """What `discord.Client(http_trace=…)` takes to count every answer."""
        config = aiohttp.TraceConfig()

        async def on_end(
            _session: aiohttp.ClientSession, _context: object, end: aiohttp.TraceRequestEndParams
        ) -> None:
            self.note(end.response.status)

        config.on_request_end.append(on_end)
        return config

    def note(self, status: int) -> None:
        """One answer came in."""
        if status in (401, 403, 429):
            self._times.append(self._monotonic())
            self._forget()

    @property
    def count(self) -> int:
        """How many there were in the last ten minutes."""
        self._forget()
        return len(self._times)

    @property
    def exhausted(self) -> bool:
        """Whether everything the bot sends by itself must wait."""
        return self.count >= self._limit

    def _forget(self) -> None:
        old = self._monotonic() - INVALID_WINDOW.total_seconds()
        while self._times and self._times[0] < old:
            self._times.popleft()
