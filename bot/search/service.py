"""The index behind an asyncio face: lookups on one thread, building on another, neither on the event loop.

Promises: a bounded queue; only a person's newest keystroke costs work; a load is searchable as soon as `apply`
returns. Leaves to others: where documents come from (`storage`), and what people read.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from bot.search.index import Index
from bot.search.merge import merge
from bot.search.model import Document, Hit, Query

QUEUE_BOUND = 64
_T = TypeVar("_T")

# A busy thread makes the event loop wait for a whole switch interval, 5 ms as Python sets it.
_SWITCH_INTERVAL = 0.0002

# Three threads that want the interpreter lock make the event loop wait several times as long as two. While lookups
# go on, a load waits so many seconds before every paper; the lookup that it waits for is mostly done by then.
_PATIENCE = 0.001


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
        self._quiet = threading.Event()
        self._quiet.set()
        self._interval = sys.getswitchinterval()

    @property
    def waiting(self) -> int:
        """How many lookups wait or run."""
        return self._queue.qsize()

    def __len__(self) -> int:
        return len(self._index)

    async def start(self, documents: Iterable[Document] = ()) -> None:
        """Build the index and begin to answer; what `documents` raises closes the service again."""
        self._lookups = ThreadPoolExecutor(1, "search")
        self._building = ThreadPoolExecutor(1, "search-build")
        sys.setswitchinterval(min(self._interval, _SWITCH_INTERVAL))
        try:
            self._index = await _in(self._building, lambda: Index.build(documents))
        except BaseException:
            await self.aclose()
            raise
        self._runner = asyncio.create_task(self._run(), name="search lookups")

    async def aclose(self) -> None:
        """Let a load finish, answer what waits with nothing and stop both threads; may be called twice."""
        runner, self._runner = self._runner, None
        self._quiet.set()
        if runner is not None:
            runner.cancel()
            await asyncio.gather(runner, return_exceptions=True)
        while not self._queue.empty():
            _answer(self._queue.get_nowait().answer, [])
        async with self._changing:
            # The building thread first: it may have work for the other one still.
            pools = [pool for pool in (self._building, self._lookups) if pool is not None]
            self._lookups = self._building = None
            for pool in pools:
                await asyncio.to_thread(pool.shutdown)
        sys.setswitchinterval(self._interval)

    async def search(self, query: Query, limit: int = 5, *, who: int | str | None = None) -> list[Hit]:
        """The papers meant, best first. It outdates a keystroke of the same person.

        Raises:
            SearchBusyError: `bound` lookups are waiting already.
            SearchClosedError: The service isn't running.
        """
        self._outdate(who)
        if self.waiting >= self._bound:
            raise SearchBusyError(f"{self._bound} lookups are waiting")
        return await self._submit(lambda: self._index.search(query, limit))

    async def suggest(self, text: str, *, who: int | str | None = None, limit: int = 25) -> list[Hit]:
        """Papers for a half-typed text. A person's earlier keystroke is answered with nothing at once.

        With too many lookups waiting the answer is nothing too: the next keystroke asks again.

        Raises:
            SearchClosedError: The service isn't running.
        """
        self._outdate(who)
        if self.waiting >= self._bound:
            self._pools()
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
        """Add or replace papers and take others out, while lookups go on.

        Raises:
            SearchClosedError: The service isn't running.
        """
        async with self._changing:
            building, lookups = self._pools()
            await _in(building, lambda: self._load(lookups, documents, removed))

    def _load(
        self, lookups: ThreadPoolExecutor, documents: Iterable[Document], removed: Collection[int]
    ) -> None:
        """On the building thread, which lets go of what is replaced: to free it takes milliseconds too."""
        index = self._index
        segment = index.prepare(self._between_lookups(documents))
        lookups.submit(index.adopt, segment, removed).result()
        while crowded := index.crowded():
            lookups.submit(index.swap, crowded, merge(crowded)).result()

    def _between_lookups(self, documents: Iterable[Document]) -> Iterator[Document]:
        for document in documents:
            self._quiet.wait(_PATIENCE)
            yield document

    def _outdate(self, who: int | str | None) -> None:
        if who is not None and (earlier := self._newest.get(who)) is not None:
            _answer(earlier, [])

    def _submit(self, work: Callable[[], list[Hit]]) -> asyncio.Future[list[Hit]]:
        self._pools()
        answer: asyncio.Future[list[Hit]] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(_Job(work, answer))
        return answer

    async def _run(self) -> None:
        while True:
            if self._queue.empty():
                self._quiet.set()
            job = await self._queue.get()
            self._quiet.clear()
            # Answered already: a stale keystroke, or a caller who has gone.
            if job.answer.done():
                continue
            try:
                hits = await _in(self._pools()[1], job.work)
            except asyncio.CancelledError:
                _answer(job.answer, [])
                raise
            except Exception as error:  # belongs to the one who asked; the others are still answered
                if not job.answer.done():
                    job.answer.set_exception(error)
            else:
                _answer(job.answer, hits)

    def _pools(self) -> tuple[ThreadPoolExecutor, ThreadPoolExecutor]:
        if self._building is None or self._lookups is None or self._runner is None:
            raise SearchClosedError("the search service isn't running")
        return self._building, self._lookups


async def _in(pool: ThreadPoolExecutor, work: Callable[[], _T]) -> _T:
    return await asyncio.get_running_loop().run_in_executor(pool, work)


def _answer(future: asyncio.Future[list[Hit]], hits: list[Hit]) -> None:
    if not future.done():
        future.set_result(hits)
