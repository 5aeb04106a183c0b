"""How long the event loop stands still while people type and a load comes in.

Promises: the gap beyond a tick of one millisecond, idle, beside a thread that does nothing but count, and busy; in the
same process one after the other. What the counting thread costs, the machine and the interpreter cost.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import threading
import time
from collections.abc import Coroutine, Sequence
from dataclasses import replace
from typing import Any

from benchmarks.search_cases import Case
from bot.search.model import Document, Query
from bot.search.service import SearchService

PEOPLE = 8
LOAD = 5_000
SECONDS = 4.0
_TICK = 0.001


def measure(documents: Sequence[Document], cases: Sequence[Case], shares: dict[str, float]) -> None:
    """Add p99 and maximum of the gap in ms, busy, idle and counting, to `shares`."""
    asyncio.run(_measure(documents, [case.text for case in cases], shares))


async def _measure(documents: Sequence[Document], texts: Sequence[str], shares: dict[str, float]) -> None:
    service = SearchService()
    await service.start(documents)
    load = _load(documents)
    # As the bot does before it is ready (`bot.app`).
    gc.collect()
    gc.freeze()
    try:
        idle = await _gaps(asyncio.sleep(SECONDS))
        counting = await _gaps(_counting())
        busy = await _gaps(_busy(service, load, texts))
    finally:
        await service.aclose()
    shares["idle gap99"], shares["idle gapmax"] = _p99(idle), max(idle)
    shares["counting gap99"], shares["counting gapmax"] = _p99(counting), max(counting)
    shares["gap99"], shares["gapmax"] = _p99(busy), max(busy)


def _load(documents: Sequence[Document]) -> list[Document]:
    """Papers that come in; made beforehand, since making them is no part of what is measured."""
    first = max(document.id for document in documents) + 1
    repeated = itertools.islice(itertools.cycle(documents), LOAD)
    return [replace(document, id=first + n) for n, document in enumerate(repeated)]


async def _counting() -> None:
    stop = threading.Event()

    def count() -> None:
        while not stop.is_set():
            sum(number for number in range(1000))

    thread = asyncio.create_task(asyncio.to_thread(count))
    await asyncio.sleep(SECONDS)
    stop.set()
    await thread


async def _busy(service: SearchService, load: Sequence[Document], texts: Sequence[str]) -> None:
    people = [asyncio.create_task(_person(service, texts[n::PEOPLE], n)) for n in range(PEOPLE)]
    await service.apply(load)
    await asyncio.sleep(SECONDS)
    for person in people:
        person.cancel()
    await asyncio.gather(*people, return_exceptions=True)


async def _person(service: SearchService, texts: Sequence[str], who: int) -> None:
    for text in itertools.cycle(texts):
        await service.search(Query(text))
        for end in range(3, min(len(text), 9)):
            await service.suggest(text[:end], who=who)


async def _gaps(work: Coroutine[Any, Any, None]) -> list[float]:
    task = asyncio.create_task(work)
    gaps = []
    while not task.done():
        start = time.perf_counter()
        await asyncio.sleep(_TICK)
        gaps.append((time.perf_counter() - start - _TICK) * 1e3)
    await task
    return gaps


def _p99(gaps: Sequence[float]) -> float:
    return sorted(gaps)[int(0.99 * len(gaps))]
