"""The asyncio face: stale keystrokes, the bound, loads beside lookups, closing."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from bot.search.index import Index
from bot.search.model import Document, Hit, Query
from bot.search.service import SearchBusyError, SearchClosedError, SearchService
from tests.search import papers as p
from tests.search.papers import PAPERS


@asynccontextmanager
async def running(bound: int = 64) -> AsyncIterator[SearchService]:
    service = SearchService(bound=bound)
    await service.start(PAPERS)
    try:
        yield service
    finally:
        await service.aclose()


class Gate:
    """Holds the lookup thread until it is opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.entered = threading.Event()
        self._open = threading.Event()
        self.texts: list[str] = []
        search = Index.search

        def gated(index: Index, query: Query, limit: int = 5) -> list[Hit]:
            self.texts.append(query.text)
            self.entered.set()
            assert self._open.wait(10)
            return search(index, query, limit)

        monkeypatch.setattr(Index, "search", gated)

    def open(self) -> None:
        self._open.set()


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    held = Gate(monkeypatch)
    yield held
    held.open()


@pytest.mark.asyncio
async def test_answers() -> None:
    async with running() as service:
        assert [hit.id for hit in await service.search(Query("logquant"))] == [p.LOGQUANT]
        assert [hit.id for hit in await service.suggest("adadif", who=1)] == [p.ADA]
        assert len(service) == len(PAPERS)


@pytest.mark.asyncio
async def test_only_the_newest_keystroke_of_a_person_is_searched(gate: Gate) -> None:
    async with running() as service:
        first = asyncio.create_task(service.suggest("log", who=1))
        await asyncio.to_thread(gate.entered.wait, 10)
        stale = asyncio.create_task(service.suggest("logq", who=1))
        await asyncio.sleep(0)
        other = asyncio.create_task(service.suggest("ada", who=2))
        newest = asyncio.create_task(service.suggest("logquant", who=1))
        # Both earlier ones are answered while the thread is still busy with the first.
        assert await first == []
        assert await stale == []
        assert not newest.done()
        gate.open()
        assert [hit.id for hit in await newest] == [p.LOGQUANT]
        assert [hit.id for hit in await other] == [p.ADA]
        assert gate.texts == ["log", "ada", "logquant"]


@pytest.mark.asyncio
async def test_a_search_outdates_the_keystroke_before_it(gate: Gate) -> None:
    async with running() as service:
        typed = asyncio.create_task(service.suggest("log", who=1))
        await asyncio.to_thread(gate.entered.wait, 10)
        asked = asyncio.create_task(service.search(Query("world models"), who=1))
        assert await typed == []
        gate.open()
        assert [hit.id for hit in await asked] == [p.WORLD]


@pytest.mark.asyncio
async def test_the_queue_is_bounded(gate: Gate) -> None:
    async with running(bound=2) as service:
        tasks = [asyncio.create_task(service.search(Query("world models")))]
        await asyncio.to_thread(gate.entered.wait, 10)
        tasks += [asyncio.create_task(service.search(Query("logquant"))) for _ in range(2)]
        await asyncio.sleep(0)
        assert service.waiting == 2
        with pytest.raises(SearchBusyError, match="2 lookups are waiting"):
            await service.search(Query("one too many"))
        assert await service.suggest("log", who=9) == []
        gate.open()
        assert [len(await task) for task in tasks] == [1, 1, 1]


@pytest.mark.asyncio
async def test_a_caller_who_left_costs_nothing(gate: Gate) -> None:
    async with running() as service:
        held = asyncio.create_task(service.search(Query("world models")))
        await asyncio.to_thread(gate.entered.wait, 10)
        left = asyncio.create_task(service.search(Query("never looked up")))
        await asyncio.sleep(0)
        left.cancel()
        gate.open()
        await held
        assert await service.search(Query("logquant"))
        assert "never looked up" not in gate.texts


@pytest.mark.asyncio
async def test_an_error_reaches_the_one_who_asked_and_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    search = Index.search

    def broken(index: Index, query: Query, limit: int = 5) -> list[Hit]:
        if query.text == "break":
            raise ZeroDivisionError
        return search(index, query, limit)

    monkeypatch.setattr(Index, "search", broken)
    async with running() as service:
        with pytest.raises(ZeroDivisionError):
            await service.search(Query("break"))
        assert await service.search(Query("logquant"))


@pytest.mark.asyncio
async def test_a_load_is_searchable_when_apply_returns() -> None:
    async with running() as service:
        await service.apply([Document(500, "Octopus Locomotion")], removed=[p.LOGQUANT])
        assert [hit.id for hit in await service.search(Query("octopus"))] == [500]
        assert await service.search(Query("logquant")) == []
        assert len(service) == len(PAPERS)


@pytest.mark.asyncio
async def test_a_load_goes_on_beside_a_lookup_that_takes_long(gate: Gate) -> None:
    taken = threading.Event()

    def documents() -> Iterator[Document]:
        yield Document(500, "Octopus Locomotion")
        yield Document(501, "Octopus Perception")
        taken.set()

    async with running() as service:
        held = asyncio.create_task(service.search(Query("world models")))
        await asyncio.to_thread(gate.entered.wait, 10)
        load = asyncio.create_task(service.apply(documents()))
        assert await asyncio.to_thread(taken.wait, 10)
        assert not held.done()
        gate.open()
        await load
        assert len(await service.search(Query("octopus"))) == 2


@pytest.mark.asyncio
async def test_loads_at_once_are_all_kept() -> None:
    async with running() as service:
        await asyncio.gather(
            *(service.apply([Document(500 + n, f"Unheard subject{n:02}")]) for n in range(20))
        )
        assert len(service) == len(PAPERS) + 20
        assert [h.id for h in await service.search(Query("subject13"))] == [513]


@pytest.mark.asyncio
async def test_closing_answers_what_waits(gate: Gate) -> None:
    service = SearchService()
    await service.start(PAPERS)
    held = asyncio.create_task(service.search(Query("world models")))
    await asyncio.to_thread(gate.entered.wait, 10)
    waiting = asyncio.create_task(service.search(Query("logquant")))
    await asyncio.sleep(0)
    closing = asyncio.create_task(service.aclose())
    assert await held == []
    assert await waiting == []
    gate.open()
    await closing
    await service.aclose()
    with pytest.raises(SearchClosedError):
        await service.search(Query("logquant"))
    with pytest.raises(SearchClosedError):
        await service.apply([])


@pytest.mark.asyncio
async def test_closing_restores_the_switch_interval_and_ends_the_threads() -> None:
    before, threads = sys.getswitchinterval(), threading.active_count()
    async with running():
        assert sys.getswitchinterval() <= before
    assert sys.getswitchinterval() == before
    assert not [t for t in threading.enumerate() if t.name.startswith("search")]
    assert threading.active_count() >= threads


@pytest.mark.asyncio
async def test_documents_that_raise_close_the_service_again() -> None:
    def documents() -> Iterator[Document]:
        yield PAPERS[0]
        raise OSError("the disk is gone")

    service = SearchService()
    with pytest.raises(OSError, match="the disk is gone"):
        await service.start(documents())
    with pytest.raises(SearchClosedError):
        await service.search(Query("logquant"))


@pytest.mark.asyncio
async def test_not_started_is_closed() -> None:
    with pytest.raises(SearchClosedError):
        await SearchService().search(Query("logquant"))
