"""When a source runs, and what becomes of a failure.

Promises: each source by itself; its next run is in the database, so that a restart asks nobody twice; a server that
wants peace gets it; what was fetched before a failure is loaded all the same, as one load.
Leaves to the sources: what to fetch; to `importing`: the load.
"""

from __future__ import annotations

import asyncio
import copy
import json
import logging
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

from bot.clock import Clock
from bot.sources.http import LONGEST_WAIT, BusyError, FetchError
from bot.sources.importing import Imported, ImportFailedError
from storage.sources import SourceStore

log = logging.getLogger(__name__)

WAKE_EVERY = 5.0  # seconds between two looks at the clock
FIRST_PAUSE = timedelta(minutes=2)  # after a failure; doubled with each further one, up to the usual interval

Load = Callable[[Sequence[Path]], Awaitable[Imported]]


@dataclass(slots=True)
class Harvest:
    """What one run brings. `state` is the source's memory, kept only as far as the load went well."""

    files: list[Path] = field(default_factory=list)
    state: dict[str, Any] = field(default_factory=dict)
    problems: list[FetchError] = field(default_factory=list)

    @property
    def wait(self) -> timedelta | None:
        """The longest time that a server asked to be left alone for."""
        waits = [problem.wait for problem in self.problems if isinstance(problem, BusyError) and problem.wait]
        return max(waits, default=None)


class Source(Protocol):
    """One place that papers come from."""

    name: str

    async def collect(self, state: dict[str, Any], folder: Path) -> Harvest:
        """Fetch what is new since `state` into files in `folder`; failures are told, not raised."""
        ...


class Poller:
    """Runs one source whenever it is due."""

    def __init__(
        self, source: Source, *, every: timedelta, store: SourceStore, clock: Clock, load: Load
    ) -> None:
        self.name = source.name
        self._source = source
        self._every = every
        self._store = store
        self._clock = clock
        self._load = load
        self._turn = asyncio.Lock()

    async def run_if_due(self) -> bool:
        """Run the source if its time has come; whether it ran."""
        async with self._turn:
            return await self._run_if_due()

    async def _run_if_due(self) -> bool:
        known = await self._store.get(self.name)
        memory = _read(known.state if known else None)
        now = self._clock.now()
        due = known.next_run if known else None
        if due is not None and now < due and self._still_holds(due, now, memory):
            return False
        await self.run(memory, now)
        return True

    def _still_holds(self, due: datetime, now: datetime, memory: dict[str, Any]) -> bool:
        """Whether a plan is worth waiting for: not one from before the clock was set back or the interval changed."""
        if memory.get("failures"):
            return due <= now + max(self._every, LONGEST_WAIT)
        return due <= now + self._every and memory.get("every") == self._every.total_seconds()

    async def run(self, memory: dict[str, Any], now: datetime) -> None:
        """Run the source now."""
        failures = int(memory.get("failures", 0))
        problem: str | None = None
        harvest = Harvest()
        with tempfile.TemporaryDirectory(prefix="iclr-herald-") as folder:
            try:
                harvest = await self._source.collect(copy.deepcopy(memory.get("source", {})), Path(folder))
                memory |= await self._take(harvest)
                problem = "; ".join(str(one) for one in harvest.problems) or None
            except (FetchError, ImportFailedError) as error:
                problem = str(error)
                harvest.problems += [error] if isinstance(error, FetchError) else []
            except Exception as error:
                log.exception("source %s failed", self.name)
                problem = f"{type(error).__name__} (see the log)"
        memory |= {"failures": failures + 1 if problem else 0, "every": self._every.total_seconds()}
        next_run = now + self._pause(memory["failures"], harvest.wait)
        state = json.dumps(memory, ensure_ascii=False)
        if problem:
            log.warning("source %s: %s", self.name, problem)
            await self._store.failure(self.name, problem, self._clock.now(), next_run, state)
        else:
            await self._store.success(self.name, self._clock.now(), next_run, state)

    async def _take(self, harvest: Harvest) -> dict[str, Any]:
        """Load what was fetched; what to remember of it."""
        if not harvest.files:
            return {"source": harvest.state}
        imported = await self._load(harvest.files)
        counts = {name: int(imported.report[name]) for name in ("read", "new", "updated")}
        log.info("source %s: %d read, %d new, %d updated", self.name, *counts.values())
        if imported.complete:
            return {"source": harvest.state, "counts": counts}
        # Asked again as if it had never come: a page that can't be read is no page that hasn't changed.
        harvest.problems += [FetchError(text) for text in imported.problems]
        return {"counts": counts}

    def _pause(self, failures: int, wait: timedelta | None) -> timedelta:
        if not failures:
            return self._every
        doubled: timedelta = FIRST_PAUSE * (1 << min(failures - 1, 16))
        pause = min(doubled, self._every)
        return max(pause, wait or pause)


def _read(state: str | None) -> dict[str, Any]:
    try:
        loaded: object = json.loads(state or "{}")
    except ValueError:
        return {}
    return loaded if isinstance(loaded, dict) else {}
