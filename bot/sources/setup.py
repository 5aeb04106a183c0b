"""The sources and the summaries that the settings switch on, ready to be run by the engine.

Promises: nothing is opened while nothing is switched on; one connection to each host.
Leaves to `bot.engine`: running the jobs, each by itself.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path
from typing import Self

import aiohttp

from bot.knowledge import Knowledge
from bot.settings import Settings
from bot.sources.arxiv import ArxivSource
from bot.sources.folder import NAME as FOLDER
from bot.sources.http import Fetcher, user_agent
from bot.sources.iclr import IclrSource
from bot.sources.importing import Imported, import_files
from bot.sources.listings import ListingSource
from bot.sources.polling import WAKE_EVERY, Poller, Source
from bot.status import program_version
from bot.summaries.endpoint import Endpoint
from bot.summaries.service import NAME as SUMMARIES
from bot.summaries.service import WAKE_EVERY as SUMMARIES_EVERY
from bot.summaries.service import SummaryService
from storage.sources import SourceStore
from storage.summaries import SummaryStore

# Seconds between two wake-ups, a name, and what to do.
Job = tuple[float, str, Callable[[], Awaitable[object]]]


class Background:
    """What runs beside the delivery. Use as an async context manager; `jobs` is empty outside it."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._stack = AsyncExitStack()
        self._jobs: list[Job] = []

    async def __aenter__(self) -> Self:
        settings = self._knowledge.settings
        if is_on(settings):
            connector = aiohttp.TCPConnector(limit_per_host=1)
            session = await self._stack.enter_async_context(
                aiohttp.ClientSession(
                    connector=connector, cookie_jar=aiohttp.DummyCookieJar(), trust_env=True
                )
            )
            self._jobs = [*self._pollers(session), *self._summaries(session)]
        names = (name for _, name, _ in self._jobs)
        await SourceStore(self._knowledge.database).retire([*names, FOLDER])
        return self

    async def __aexit__(self, *_: object) -> None:
        self._jobs = []
        await self._stack.aclose()

    def jobs(self) -> Sequence[Job]:
        """What to run, each by itself."""
        return self._jobs

    def _pollers(self, session: aiohttp.ClientSession) -> list[Job]:
        settings, clock = self._knowledge.settings, self._knowledge.clock
        agent = user_agent(program_version(), settings.contact_email)
        store = SourceStore(self._knowledge.database)
        every = timedelta(minutes=settings.poll_minutes)
        pollers = [
            Poller(source, every=every, store=store, clock=clock, load=self._load)
            for source in self._sources(Fetcher(session, clock=clock, agent=agent))
        ]
        return [(WAKE_EVERY, poller.name, poller.run_if_due) for poller in pollers]

    def _sources(self, fetcher: Fetcher) -> list[Source]:
        settings, clock, papers = self._knowledge.settings, self._knowledge.clock, self._knowledge.papers
        found: list[Source] = [
            ListingSource(url, fetcher=fetcher, known=papers.known_keys) for url in settings.listing_urls
        ]
        if settings.iclr_data_base:
            found.append(IclrSource(settings.iclr_data_base, fetcher=fetcher, clock=clock))
        if settings.arxiv_api_base:
            found.append(
                ArxivSource(
                    settings.arxiv_api_base,
                    fetcher=fetcher,
                    clock=clock,
                    without_abstract=papers.without_abstract,
                )
            )
        return found

    def _summaries(self, session: aiohttp.ClientSession) -> list[Job]:
        settings, clock, database = (
            self._knowledge.settings,
            self._knowledge.clock,
            self._knowledge.database,
        )
        if not settings.llm_base_url:
            return []
        endpoint = Endpoint(
            session,
            base=settings.llm_base_url,
            model=settings.llm_model,
            key=settings.llm_api_key.get_secret_value(),
            clock=clock,
        )
        service = SummaryService(
            endpoint=endpoint,
            loader=self._knowledge.loader,
            papers=self._knowledge.papers,
            store=SummaryStore(database),
            sources=SourceStore(database),
            clock=clock,
            budget=settings.llm_daily_budget,
        )
        return [(SUMMARIES_EVERY, SUMMARIES, service.work)]

    async def _load(self, files: Sequence[Path]) -> Imported:
        return await import_files(self._knowledge.settings.database_path, files)


def is_on(settings: Settings) -> bool:
    """Whether anything that goes out to the network beside Discord is switched on."""
    return bool(
        settings.listing_urls or settings.arxiv_api_base or settings.iclr_data_base or settings.llm_base_url
    )
