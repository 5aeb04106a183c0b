"""Listings at an address (`LISTING_URLS`): text or HTML, page after page until one brings nothing new.

Promises: the first page is asked for only if it has changed; at most `PAGES` pages a run, all of them one load.
Leaves to `http`: manners; to `bot.papers`: reading.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from yarl import URL

from bot.papers.identity import keys_of
from bot.papers.model import Link, Record
from bot.sources.http import Fetched, Fetcher, FetchError, Limits, MissingError, Validators, shown
from bot.sources.polling import Harvest

PAGES = 20
_LONGEST_LINE = 1 << 24  # bytes of one record as JSON
LIMITS = Limits(size=32 * 1024 * 1024, seconds=120)
ACCEPT = (
    "text/*",
    "application/xhtml+xml",
    "application/json",
    "application/xml",
    "application/octet-stream",
)
# Of a page so many papers are looked at; one that holds more isn't a page of many, and is taken to bring news.
LOOKED_AT = 1_000
PAUSE = 1.0  # seconds between two pages of one site

Known = Callable[[Sequence[str]], Awaitable[set[str]]]
Pages = Callable[[Path], Awaitable[list[Record]]]
Sleep = Callable[[float], Awaitable[None]]


class ListingSource:
    """One address of `LISTING_URLS`."""

    def __init__(
        self,
        url: str,
        *,
        fetcher: Fetcher,
        known: Known,
        read: Pages | None = None,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._url = URL(url)
        self.name = _name(self._url)
        self._fetcher = fetcher
        self._known = known
        self._read = read or read_in_child
        self._sleep = sleep

    async def collect(self, state: dict[str, Any], folder: Path) -> Harvest:
        """The first page if it changed, and the following ones as long as they bring papers nobody knew."""
        harvest = Harvest(state=state)
        known = Validators(state.get("etag"), state.get("last_modified"))
        first = await self._fetcher.get(
            self._url, folder / "page-1", accept=ACCEPT, limits=LIMITS, known=known
        )
        if not first.changed or first.digest == state.get("digest"):
            return harvest
        harvest.files.append(first.file)
        harvest.state = {
            "etag": first.validators.etag,
            "last_modified": first.validators.last_modified,
            "digest": first.digest,
        }
        await self._further(first, folder, harvest, int(state.get("unfinished", 0)))
        return harvest

    async def _further(self, first: Fetched, folder: Path, harvest: Harvest, unfinished: int) -> None:
        """The pages after the first, each only if the one before it brought news.

        Args:
            first: the first page.
            folder: where the pages go.
            harvest: what the run brings.
            unfinished: the page at which the last run broke off; those before it bring no news any more.
        """
        seen = {first.digest}
        records, number = await self._read(first.file), _number(self._url)
        while len(harvest.files) < PAGES and (number < unfinished or await self._any_new(records)):
            await self._sleep(PAUSE)
            number += 1
            try:
                page = await self._page(number, folder)
            except MissingError:
                return  # the last page was the one before
            except FetchError as error:
                # What came so far is loaded; the next run asks for the first page again and goes on from here.
                harvest.problems.append(error)
                harvest.state = {"unfinished": number}
                return
            # A site that answers any page with its last (or first) one would be asked for ever.
            if page.digest in seen:
                return
            seen.add(page.digest)
            records = await self._read(page.file)
            if not records:
                return  # a page without papers lies behind the end
            harvest.files.append(page.file)

    async def _page(self, number: int, folder: Path) -> Fetched:
        url = self._url.update_query(page=str(number))
        return await self._fetcher.get(url, folder / f"page-{number}", accept=ACCEPT, limits=LIMITS)

    async def _any_new(self, records: Sequence[Record]) -> bool:
        """Whether a paper isn't in the database under any of its keys."""
        if len(records) >= LOOKED_AT:
            return True
        keys = [keys_of(record) for record in records]
        known = await self._known([key for own in keys for key in own])
        return any(not known.intersection(own) for own in keys)


def _name(url: URL) -> str:
    """A name without the query, which may hold a secret, and yet one for each address."""
    mark = f" #{hashlib.sha256(str(url).encode()).hexdigest()[:6]}" if url.query_string else ""
    return f"url {shown(url)}{mark}"


def _number(url: URL) -> int:
    text = url.query.get("page", "")
    return int(text) if text.isascii() and text.isdecimal() else 1


async def read_in_child(file: Path) -> list[Record]:
    """The first records of a page, as far as they say who they are; parsed in a process of its own (`parse`).

    A page that can't be read has none: the load says why.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "bot", "parse", str(file)),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=_LONGEST_LINE,
    )
    try:
        return await _first_records(process.stdout)
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        await process.wait()


async def _first_records(output: asyncio.StreamReader | None) -> list[Record]:
    found: list[Record] = []
    while output is not None and len(found) < LOOKED_AT and (line := await output.readline()):
        found.append(_record(json.loads(line)))
        await asyncio.sleep(0)  # lines that are there already would be read without a break
    return found


def _record(item: dict[str, Any]) -> Record:
    return Record(
        title_en=item["title_en"],
        authors=tuple(item["authors"]),
        arxiv_id=item["arxiv_id"],
        links=tuple(Link(link["kind"], link["url"]) for link in item["links"]),
    )
