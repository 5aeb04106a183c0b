"""The composition root: opens things in order, hands them to each other, closes them in reverse.

Promises: nothing is built at import; whatever fails on the way, what was opened is closed.
Leaves to the parts: everything they do.
"""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import aiohttp
import discord

from bot.alerts.service import AlertService
from bot.api_base import point_gateway
from bot.checkpoint import Checkpoint, nothing
from bot.clicks import Clicks
from bot.client import Herald
from bot.command_sync import sync_commands
from bot.delivery.once import forbid_repeats
from bot.delivery.pace import GLOBAL_PER_SECOND, InvalidRequests, Pacer
from bot.delivery.setup import build_worker
from bot.delivery.trouble import Troubles
from bot.digest.service import DigestService
from bot.engine import Engine
from bot.knowledge import Knowledge
from bot.life import ServerLife
from bot.locales import Catalogue
from bot.locks import LockedError, file_lock, run_lock
from bot.settings import Settings
from bot.sources.folder import FolderSource
from bot.sources.importing import Imported, import_files
from bot.sources.setup import Background
from bot.status import StatusService
from bot.voices import Voices
from cogs import Services, load_cogs
from storage.identity import claim_application
from storage.people import PeopleStore
from storage.sources import SourceStore

log = logging.getLogger(__name__)


class StartError(Exception):
    """The bot can't start; the text says why. `code` is the exit code."""

    def __init__(self, text: str, code: int) -> None:
        super().__init__(text)
        self.code = code


BAD_TOKEN = 3
ALREADY_RUNNING = 4
NO_CONNECTION = 5
BROKEN_COG = 6
REFUSAL = (
    "Discord refuses the token: copy it again from the developer portal (Bot → Reset Token) into "
    "DISCORD_TOKEN."
)
BAD_TOKEN_CLOSE = 4004  # Discord: close code "authentication failed"

CLOSING = 1.0  # seconds for the gateway to close, of the ten in which a stopped process has to end


def voices_for(knowledge: Knowledge) -> Voices:
    """The voices of a database's people and servers."""
    people = PeopleStore(knowledge.database)
    return Voices(catalogue=Catalogue.shipped(), people=people, directory=knowledge.directory)


class App:
    """The running bot: everything that lives from login to shutdown."""

    def __init__(self, knowledge: Knowledge, checkpoint: Checkpoint = nothing) -> None:
        self.knowledge = knowledge
        database, clock = knowledge.database, knowledge.clock
        self.people = PeopleStore(database)
        self.voices = Voices(catalogue=Catalogue.shipped(), people=self.people, directory=knowledge.directory)
        self.clicks = Clicks()
        self.started = asyncio.Event()  # set once everything runs
        loop = asyncio.get_running_loop()
        self.invalid = InvalidRequests(loop.time)
        pace = Pacer(GLOBAL_PER_SECOND)
        trace = pace.heed(forbid_repeats(self.invalid.trace()))
        self.client = Herald(voices=self.voices, clicks=self.clicks, http_trace=trace)
        self.digests = self.digest_service(knowledge, checkpoint)
        self.alerts = AlertService(
            database=database,
            clock=clock,
            voices=self.voices,
            directory=knowledge.directory,
            checkpoint=checkpoint,
        )
        troubles = Troubles(database=database, clock=clock, voices=self.voices)
        self.worker = build_worker(
            client=self.client,
            database=database,
            clock=clock,
            invalid=self.invalid,
            pace=pace,
            troubles=troubles,
            checkpoint=checkpoint,
        )
        self.life = ServerLife(
            client=self.client,
            database=database,
            clock=clock,
            voices=self.voices,
            wake_outbox=self.worker.wake,
        )
        self.background = Background(knowledge)
        self.engine = Engine(
            database=database,
            clock=clock,
            indexer=knowledge.indexer,
            digests=self.digests,
            alerts=self.alerts,
            worker=self.worker,
            troubles=troubles,
            folder=self._folder(),
            background=self.background.jobs,
        )
        self.status = StatusService(database=database, clock=clock, digests=self.digests)
        self.client.attach(prepare=self._prepare, life=self.life)

    @staticmethod
    def digest_service(knowledge: Knowledge, checkpoint: Checkpoint = nothing) -> DigestService:
        """What decides digests, for the bot and the command line."""
        return DigestService(
            database=knowledge.database,
            clock=knowledge.clock,
            voices=voices_for(knowledge),
            checkpoint=checkpoint,
        )

    def _folder(self) -> FolderSource | None:
        folder = self.knowledge.settings.listing_dir
        if folder is None:
            return None
        store = SourceStore(self.knowledge.database)
        return FolderSource(folder, store=store, clock=self.knowledge.clock, load=self.load_files)

    async def load_files(self, files: list[Path], sidecar: Path | None) -> Imported:
        """Load files in a process of their own."""
        return await import_files(self.knowledge.settings.database_path, files, sidecar)

    async def _prepare(self) -> None:
        """After the login, before the gateway."""
        settings, database = self.knowledge.settings, self.knowledge.database
        application = self.client.application_id
        if application is None:  # pragma: no cover - set by the login
            raise StartError("Discord told no application id at login.", NO_CONNECTION)
        await claim_application(database, application)
        await point_gateway(self.client, settings.discord_api_base)
        # The first suggestion builds what suggestions need; better now, off the loop, than for a person.
        await asyncio.to_thread(self.knowledge.resolver.suggest, "a", 1)
        # What was built until now stays: the collector needn't walk it again, which would hold up the loop.
        gc.collect()
        gc.freeze()
        try:
            await load_cogs(self.client, self.services())
        except Exception as error:
            raise StartError(f"A part of the bot can't be loaded: {error}", BROKEN_COG) from error
        try:
            await sync_commands(self.client.tree, database, application, settings.dev_guild_id)
        except discord.HTTPException as error:
            raise StartError(f"Discord refuses the commands: {error}", BROKEN_COG) from error

    def services(self) -> Services:
        """What the cogs are given."""
        knowledge = self.knowledge
        return Services(
            settings=knowledge.settings,
            clock=knowledge.clock,
            database=knowledge.database,
            papers=knowledge.papers,
            people=self.people,
            directory=knowledge.directory,
            resolver=knowledge.resolver,
            lookups=knowledge.lookups,
            voices=self.voices,
            clicks=self.clicks,
            digests=self.digests,
            alerts=self.alerts,
            status=self.status,
            wake_outbox=self.worker.wake,
            load_files=self.load_files,
        )

    async def run(self, stop: asyncio.Event) -> None:
        """Connect, work until `stop` is set, drain.

        Raises:
            StartError: the token is refused, Discord can't be reached, or another process took over.
        """
        async with self.client, self.background:
            await self._login()
            connection: asyncio.Task[None] = asyncio.create_task(self._connect(), name="gateway")
            ready: asyncio.Task[None] = asyncio.create_task(self._work(), name="work")
            stopped = asyncio.create_task(stop.wait(), name="stop")
            lost = asyncio.create_task(self._lease_lost(), name="lease")
            try:
                await asyncio.wait({connection, ready, stopped, lost}, return_when=asyncio.FIRST_COMPLETED)
                if ready.done() and ready.exception() is None:
                    await asyncio.wait({connection, stopped, lost}, return_when=asyncio.FIRST_COMPLETED)
                for task in (connection, ready, lost):
                    if task.done():
                        await task
            finally:
                await self.engine.stop()
                await self._disconnect()
                for running in (connection, ready, stopped, lost):
                    running.cancel()
                ended, _ = await asyncio.wait((connection, ready, stopped, lost), timeout=CLOSING)
                await asyncio.gather(*ended, return_exceptions=True)

    async def _disconnect(self) -> None:
        """Close the client first: discord.py swallows a cancellation that meets it while it reconnects."""
        try:
            async with asyncio.timeout(CLOSING):
                await self.client.close()
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            log.warning("the connection to Discord wasn't closed properly: %s", type(error).__name__)

    async def _lease_lost(self) -> None:
        await self.worker.lost.wait()
        raise StartError(
            f"Another process has taken over the database {self.knowledge.settings.database_path}.",
            ALREADY_RUNNING,
        )

    async def _login(self) -> None:
        try:
            await self.client.login(self.knowledge.settings.token)
        except discord.LoginFailure as error:
            raise StartError(REFUSAL, BAD_TOKEN) from error
        except (aiohttp.ClientError, OSError, discord.HTTPException) as error:
            where = self.knowledge.settings.discord_api_base or "Discord"
            why = (
                f"it answered {error.status}"
                if isinstance(error, discord.HTTPException)
                else type(error).__name__
            )
            raise StartError(f"{where} can't be reached: {why}.", NO_CONNECTION) from error

    async def _connect(self) -> None:
        """Stay on the gateway; a token that was reset meanwhile is said as at the login."""
        try:
            await self.client.connect()
        except discord.ConnectionClosed as error:
            if error.code != BAD_TOKEN_CLOSE:
                raise
            raise StartError(REFUSAL, BAD_TOKEN) from error

    async def _work(self) -> None:
        await self.client.wait_until_ready()
        await self.engine.start()
        self.started.set()


@asynccontextmanager
async def only_bot(settings: Settings) -> AsyncIterator[None]:
    """Hold the lock that keeps a second bot off this database.

    Raises:
        StartError: another process runs the bot on it.
    """
    async with AsyncExitStack() as stack:
        try:
            await stack.enter_async_context(file_lock(run_lock(settings.database_path), wait=False))
        except LockedError as error:
            raise StartError(
                f"Another bot runs on the database {settings.database_path}; stop it first.", ALREADY_RUNNING
            ) from error
        yield
