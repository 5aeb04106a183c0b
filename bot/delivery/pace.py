"""How fast the bot may talk to Discord on its own initiative.

Promises: at most Discord's global allowance; DM channels opened slowly; a stop when Discord has refused so much
that it would ban the address. Leaves to discord.py: the buckets of single routes.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from datetime import timedelta

import aiohttp

# Discord: 50 requests a second in all, counted when they come in: some jitter on the way has to fit.
GLOBAL_PER_SECOND = 46
OPEN_DM_EVERY = timedelta(seconds=1)
INVALID_LIMIT = 5_000  # Discord bans an address at 10,000 answers of 401, 403 or 429 in ten minutes
INVALID_WINDOW = timedelta(minutes=10)

_LATENESS = 1.0  # seconds that a late waiter may catch up, within the allowance


class Pacer:
    """Gives out turns: evenly spread, and never more than a second's worth within one second.

    The loop may be busy and wake many waiters late and at once; Discord counts when requests come, so it is the
    turns really taken that are counted. Times are the loop's monotonic seconds.
    """

    def __init__(self, per_second: float) -> None:
        self._interval = 1 / per_second
        self._taken: deque[float] = deque(maxlen=max(1, int(per_second)))
        self._next = 0.0
        self._lock = asyncio.Lock()

    async def turn(self) -> None:
        """Wait for this caller's turn; callers are served in the order they came."""
        async with self._lock:
            loop = asyncio.get_running_loop()
            at = max(self._next, loop.time() - _LATENESS)
            if len(self._taken) == self._taken.maxlen and self._interval < 1:
                at = max(at, self._taken[0] + 1.0)
            while (wait := max(at, self._next) - loop.time()) > 0:  # noqa: ASYNC110 - a pause may move it meanwhile
                await asyncio.sleep(wait)
            self._next = max(at, self._next) + self._interval
            self._taken.append(loop.time())

    def pause(self, seconds: float) -> None:
        """Give out no turn for a while."""
        self._next = max(self._next, asyncio.get_running_loop().time() + seconds)

    def hold(self, seconds: float) -> None:
        """Give out no turn for a while, and later ones at half the rate."""
        self._interval *= 2
        self.pause(seconds)

    def heed(self, trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
        """Pause whenever Discord says that all of the bot is too fast.

        discord.py lets requests wait then, and lets them all go at the same moment: they must not pile up.
        """

        async def on_end(
            _session: aiohttp.ClientSession, _context: object, end: aiohttp.TraceRequestEndParams
        ) -> None:
            headers = end.response.headers
            if end.response.status == 429 and headers.get("X-RateLimit-Global"):
                self.pause(_seconds(headers.get("Retry-After")))

        trace.on_request_end.append(on_end)
        return trace


def _seconds(text: str | None) -> float:
    try:
        return min(float(text or 1.0), 60.0)
    except ValueError:
        return 1.0


class InvalidRequests:
    """Counts answers of 401, 403 and 429, those that discord.py retries by itself included."""

    def __init__(self, monotonic: Callable[[], float], limit: int = INVALID_LIMIT) -> None:
        self._monotonic = monotonic
        self._limit = limit
        self._times: deque[float] = deque()
        self._until = 0.0

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
            if self.count >= self._limit:
                self.stop(INVALID_WINDOW)

    def stop(self, duration: timedelta) -> None:
        """Let everything the bot sends by itself wait."""
        self._until = max(self._until, self._monotonic() + duration.total_seconds())

    @property
    def count(self) -> int:
        """How many there were in the last ten minutes."""
        old = self._monotonic() - INVALID_WINDOW.total_seconds()
        while self._times and self._times[0] < old:
            self._times.popleft()
        return len(self._times)

    @property
    def exhausted(self) -> bool:
        """Whether everything the bot sends by itself must wait: until a whole window has passed."""
        return self._monotonic() < self._until
