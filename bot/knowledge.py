"""What the command line and the bot share: the database, the institutions and the search index.

Promises: opened in order, closed in reverse, whatever fails on the way. No Discord client is imported here.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from bot.clock import Clock
from bot.indexing import Indexer
from bot.institutions.directory import Directory
from bot.institutions.resolver import Resolver
from bot.institutions.shipped import fingerprint, open_directory
from bot.loading import Loader
from bot.locks import file_lock, import_lock
from bot.lookups import Lookups
from bot.overrides import read_overrides
from bot.search.service import SearchService
from bot.settings import Settings
from storage.database import Database
from storage.papers import PaperStore


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What the command line and the bot share: the database, the institutions and the search index."""

    settings: Settings
    clock: Clock
    database: Database
    directory: Directory
    resolver: Resolver
    papers: PaperStore
    search: SearchService
    indexer: Indexer
    loader: Loader
    lookups: Lookups


@asynccontextmanager
async def open_knowledge(settings: Settings, clock: Clock, *, index: bool = True) -> AsyncIterator[Knowledge]:
    """Open the database and, unless `index` is false, fill the search index.

    Raises:
        StorageError: the database can't be used.
    """
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(Database(settings.database_path))
        directory = await asyncio.to_thread(open_directory, settings.database_path)
        resolver = Resolver(directory)
        overrides = await asyncio.to_thread(read_overrides, settings.database_path)
        loader = Loader(database=database, resolver=resolver, clock=clock, overrides=overrides)
        await _resolve_again(database, loader, directory)
        papers = PaperStore(database)
        search = SearchService()
        stack.push_async_callback(search.aclose)
        indexer = Indexer(papers=papers, search=search, directory=directory)
        if index:
            await indexer.fill()
        yield Knowledge(
            settings=settings,
            clock=clock,
            database=database,
            directory=directory,
            resolver=resolver,
            papers=papers,
            search=search,
            indexer=indexer,
            loader=loader,
            lookups=Lookups(papers=papers, search=search, resolver=resolver, directory=directory),
        )


async def _resolve_again(database: Database, loader: Loader, directory: Directory) -> None:
    """After an upgrade of the directory: stored affiliations are resolved again before anybody asks."""
    print_of_it = await asyncio.to_thread(fingerprint, directory)
    if not await loader.is_current(print_of_it):
        async with file_lock(import_lock(database.path), wait=True):
            await loader.resolve_again(print_of_it)
