"""The arXiv API: papers whose comment or journal reference names ICLR, and what is missing of known ones.

Promises: one request at a time and three seconds between two, also across runs; nothing is asked twice within a
day; newest updates first, only as far back as the last complete run. Source of the manners and of the query:
https://info.arxiv.org/help/api/tou.html and https://info.arxiv.org/help/api/user-manual.html.
Leaves to `bot.papers.atom`: reading.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from yarl import URL

from bot.clock import Clock
from bot.sources.http import Fetcher, FetchError, Limits, shown
from bot.sources.polling import Harvest

EVERY = 3.0  # seconds between two requests, as arXiv's terms of use ask
PAGE = 200  # entries a request
PAGES = 50  # a year and run at most
BATCH = 100  # ids a request
BATCHES = 5  # a run
YEARS = 3  # calendar years of first submission: an edition's papers are from the two years before it
DAY = timedelta(days=1)
# An id that arXiv doesn't know today is asked for again after this.
MONTH = timedelta(days=30)
# Comments are changed while pages are being read: the last day before the last run is looked at again.
OVERLAP = timedelta(days=1)
LIMITS = Limits(size=16 * 1024 * 1024, seconds=90)
ACCEPT = ("application/atom+xml", "application/xml", "text/xml", "text/plain")

_UPDATED = re.compile(rb"<(?:\w+:)?updated>\s*([^<\s]{10,40})\s*</")
_ENTRY = re.compile(rb"<(?:\w+:)?entry[\s>]")
_TOTAL = re.compile(rb"totalResults[^>]*>\s*(\d{1,9})\s*<")
_WHOLE = re.compile(rb"</(?:\w+:)?feed>\s*$")
_ID = re.compile(rb"arxiv\.org/abs/([\w.\-/]+?)(?:v\d+)?\s*</")

WithoutAbstract = Callable[[int], Awaitable[list[str]]]
Sleep = Callable[[float], Awaitable[None]]


class ArxivSource:
    """The query interface below `ARXIV_API_BASE`."""

    name = "arxiv"

    def __init__(
        self,
        base: str,
        *,
        fetcher: Fetcher,
        clock: Clock,
        without_abstract: WithoutAbstract,
        sleep: Sleep = asyncio.sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._url = query_url(base)
        self._fetcher = fetcher
        self._clock = clock
        self._without_abstract = without_abstract
        self._sleep = sleep
        self._monotonic = monotonic
        self._free_at = 0.0

    async def collect(self, state: dict[str, Any], folder: Path) -> Harvest:
        """New and changed papers year by year, newest year first, then abstracts of known ids."""
        run = _Run(Harvest(state=state), folder, self._clock.now())
        try:
            year = run.now.year
            for submitted in range(year, year - YEARS, -1):
                await self._year(run, submitted)
            await self._complete(run)
        except FetchError as error:
            run.harvest.problems.append(error)
        run.forget_old()
        return run.harvest

    async def _year(self, run: _Run, year: int) -> None:
        """The papers first submitted in a year, as far back as they were changed since the last complete run."""
        done = run.moment("years", str(year))
        if done is not None and run.now - done < DAY:
            return
        since = done - OVERLAP if done else None
        for page in range(PAGES):
            asked = f"{year}/{page}"
            if run.asked_today(asked):
                continue  # a run that broke off brought it
            body = await self._ask(run, _search(year, page * PAGE))
            if not _ENTRY.search(body) and _total(body) > page * PAGE:
                raise FetchError(f"arXiv sends an empty page of {_total(body)} results")
            run.note("asked", asked)
            if _is_last(body, page, since):
                break
        run.note("years", str(year))
        run.drop("asked", f"{year}/")

    async def _complete(self, run: _Run) -> None:
        """Abstracts, comments and dates of papers that some listing knows by their id only."""
        wanted = [
            one
            for one in await self._without_abstract(BATCH * BATCHES * 4)
            if not run.within("missing", one, MONTH)
        ]
        for start in range(0, min(len(wanted), BATCH * BATCHES), BATCH):
            batch = wanted[start : start + BATCH]
            body = await self._ask(run, {"id_list": ",".join(batch), "max_results": str(len(batch))})
            found = {match[1].decode() for match in _ID.finditer(body)}
            for one in batch:
                if one not in found:
                    run.note("missing", one)

    async def _ask(self, run: _Run, query: dict[str, str]) -> bytes:
        """One request when its turn has come."""
        pause = self._free_at - self._monotonic()
        if pause > 0:
            await self._sleep(pause)
        file = run.folder / f"arxiv-{len(run.harvest.files) + 1}.xml"
        try:
            await self._fetcher.get(self._url.with_query(query), file, accept=ACCEPT, limits=LIMITS)
        finally:
            self._free_at = self._monotonic() + EVERY
        body = await asyncio.to_thread(file.read_bytes)
        if not _WHOLE.search(body, max(0, len(body) - 200)):
            raise FetchError(f"{shown(self._url)}: the reply isn't a whole Atom feed")
        run.harvest.files.append(file)
        return body


class _Run:
    """One run, and the moments it remembers: `years` done, pages `asked`, ids `missing`."""

    def __init__(self, harvest: Harvest, folder: Path, now: datetime) -> None:
        self.harvest = harvest
        self.folder = folder
        self.now = now

    def moment(self, kind: str, key: str) -> datetime | None:
        """When something was noted, or None; a moment in the future is none (the clock was set back)."""
        text = self.harvest.state.get(kind, {}).get(key)
        moment = datetime.fromisoformat(text) if text else None
        return moment if moment and moment <= self.now else None

    def within(self, kind: str, key: str, span: timedelta) -> bool:
        moment = self.moment(kind, key)
        return moment is not None and self.now - moment < span

    def asked_today(self, key: str) -> bool:
        return self.within("asked", key, DAY)

    def note(self, kind: str, key: str) -> None:
        self.harvest.state.setdefault(kind, {})[key] = self.now.isoformat()

    def drop(self, kind: str, prefix: str) -> None:
        kept = self.harvest.state.get(kind, {})
        self.harvest.state[kind] = {key: text for key, text in kept.items() if not key.startswith(prefix)}

    def forget_old(self) -> None:
        for kind, span in (("asked", DAY), ("missing", MONTH)):
            kept = self.harvest.state.get(kind, {})
            self.harvest.state[kind] = {
                key: text for key, text in kept.items() if self.within(kind, key, span)
            }


def query_url(base: str) -> URL:
    """`https://export.arxiv.org/api` and the host alone both mean its `/api/query`."""
    url = URL(base)
    path = url.path.rstrip("/")
    if path.endswith("/query"):
        return url.with_path(path)
    return url.with_path(f"{path or '/api'}/query")


def _search(year: int, start: int) -> dict[str, str]:
    return {
        "search_query": f"(co:ICLR OR jr:ICLR) AND submittedDate:[{year}01010000 TO {year}12312359]",
        "sortBy": "lastUpdatedDate",
        "sortOrder": "descending",
        "start": str(start),
        "max_results": str(PAGE),
    }


def _is_last(body: bytes, page: int, since: datetime | None) -> bool:
    """Whether a page ends the results, or reaches what was seen the last time."""
    first = _ENTRY.search(body)
    if first is None or _total(body) <= (page + 1) * PAGE:
        return True
    moments = [_moment(match[1]) for match in _UPDATED.finditer(body, first.start())]
    known = [moment for moment in moments if moment is not None]
    return since is not None and bool(known) and min(known) < since


def _total(body: bytes) -> int:
    """How many results there are in all; 0 where the reply doesn't tell."""
    found = _TOTAL.search(body)
    return int(found[1]) if found else 0


def _moment(text: bytes) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text.decode("ascii"))
    except ValueError:
        return None
    return moment if moment.tzinfo else None
