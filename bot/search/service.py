"""The index behind an asyncio face: lookups on one thread, building on another, neither on the event loop.

Promises: a bounded queue; only a person's newest keystroke costs work; a load is searchable as soon as `apply`
returns. Leaves to others: where documents come from (`storage`), and what people read.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from bot.search.index import Index
from bot.search.merge import merge
from bot.search.model import Document, Hit, Query

QUEUE_BOUND = 64
_T = TypeVar("_T")

# A busy thread makes the event loop wait for a whole switch interval, 5 ms as Python sets it.
_SWITCH_INTERVAL = 0.001


class SearchBusyError(RuntimeError):
    """Too many lookups are waiting; the person may try again in a moment."""


class SearchClosedError(RuntimeError):
    """The service has been closed or was never started."""


@dataclass(slots=True)
class _Job:
    work: Callable[[], list[Hit]]
    answer: asyncio.Future[list[Hit]]


class SearchService:
    """Lookups for many people at once. Start it inside a running event loop, close it there too."""

    def __init__(self, *, bound: int = QUEUE_BOUND) -> None:
        """Prepare a service that lets `bound` lookups wait."""
        self._index = Index()
        self._bound = bound
        self._queue: asyncio.Queue[_Job] = asyncio.Queue()
        self._newest: dict[int | str, asyncio.Future[list[Hit]]] = {}
        self._lookups: ThreadPoolExecutor | None = None
        self._building: ThreadPoolExecutor | None = None
        self._runner: asyncio.Task[None] | None = None
        self._changing = asyncio.Lock()
        self._interval = sys.getswitchinterval()

    @property
    def waiting(self) -> int:
        """How many lookups wait or run."""
        return self._queue.qsize()

    def __len__(self) -> int:
        return len(self._index)

    async def start(self, documents: Iterable[Document] = ()) -> None:
        """Build the index and begin to answer."""
        self._lookups = ThreadPoolExecutor(1, "search")
        self._building = ThreadPoolExecutor(1, "search-build")
        sys.setswitchinterval(min(self._interval, _SWITCH_INTERVAL))
        self._index = await _in(self._building, lambda: Index.build(documents))
        self._runner = asyncio.create_task(self._run(), name="search lookups")

    async def aclose(self) -> None:
        """Answer what waits with nothing and stop both threads; may be called twice."""
        if self._runner is not None:
            self._runner.cancel()
            await asyncio.gather(self._runner, return_exceptions=True)
            self._runner = None
        while not self._queue.empty():
            _answer(self._queue.get_nowait().answer, [])
        for pool in (self._lookups, self._building):
            if pool is not None:
                await asyncio.to_thread(pool.shutdown)
        self._lookups = self._building = None
        sys.setswitchinterval(self._interval)

    async def search(self, query: Query, limit: int = 5, *, who: int | str | None = None) -> list[Hit]:
        """The papers meant, best first.

        Raises:
            SearchBusyError: `bound` lookups are waiting already.
            SearchClosedError: The service isn't running.
        """
        if self.waiting >= self._bound:
            raise SearchBusyError(f"{self._bound} lookups are waiting")
        return await self._ask(lambda: self._index.search(query, limit))

    async def suggest(self, text: str, *, who: int | str | None = None, limit: int = 25) -> list[Hit]:
        """Papers for a half-typed text. A person's earlier keystroke is answered with nothing at once.

        Raises:
            SearchClosedError: The service isn't running.
        """
        if who is not None and (earlier := self._newest.get(who)) is not None:
            _answer(earlier, [])
        if self.waiting >= self._bound:
            return []
        answer = self._submit(lambda: self._index.suggest(text, limit))
        if who is None:
            return await answer
        self._newest[who] = answer
        try:
            return await answer
        finally:
            if self._newest.get(who) is answer:
                del self._newest[who]

    async def apply(self, documents: Iterable[Document], removed: Collection[int] = ()) -> None:
        """Add or replace papers and take others out, while lookups go on."""
        building, lookups = self._pools()
        async with self._changing:
            segment = await _in(building, lambda: Index.prepare(documents))
            await _in(lookups, lambda: self._index.adopt(segment, removed))
            while crowded := self._index.crowded():
                merged = await _in(building, partial(merge, crowded))
                await _in(lookups, partial(self._index.swap, crowded, merged))

    async def _ask(self, work: Callable[[], list[Hit]]) -> list[Hit]:
        return await self._submit(work)

    def _submit(self, work: Callable[[], list[Hit]]) -> asyncio.Future[list[Hit]]:
        self._pools()
        answer: asyncio.Future[list[Hit]] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(_Job(work, answer))
        return answer

    async def _run(self) -> None:
        while True:
            job = await self._queue.get()
            # Answered already: a stale keystroke, or a caller who has gone.
            if job.answer.done():
                continue
            try:
                _answer(job.answer, await _in(self._pools()[1], job.work))
            except Exception as error:
                if not job.answer.done():
                    job.answer.set_exception(error)

    def _pools(self) -> tuple[ThreadPoolExecutor, ThreadPoolExecutor]:
        if self._building is None or self._lookups is None or self._runner is None:
            raise SearchClosedError("the search service isn't running")
        return self._building, self._lookups


async def _in(pool: ThreadPoolExecutor, work: Callable[[], _T]) -> _T:
    return await asyncio.get_running_loop().run_in_executor(pool, work)


def _answer(future: asyncio.Future[list[Hit]], hits: list[Hit]) -> None:
    if not future.done():
        future.set_result(hits)
