"""The whole bot, connected to a sandbox, inside the test's own process.

Import the fixtures you need (`from tests.herald_fixtures import herald, sample_database`). The bot starts with the
sample listing loaded; `Herald.restart` starts it again on the same database, `Herald.load` brings further papers.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.app import App, only_bot
from bot.clock import ManualClock
from bot.knowledge import open_knowledge
from bot.loading import LoadReport
from bot.papers.files import parse_bytes, read_listing, read_sidecar
from bot.sandbox.demo import TOKEN, Demo, furnish
from bot.sandbox.human import Human
from bot.sandbox.model import Channel, Message, User
from bot.sandbox.outcome import parts_of, text_of
from bot.sandbox.server import Sandbox
from bot.settings import Settings, load_settings
from tests.sandbox_fixtures import pointed_at

START = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
PATIENCE = 10.0  # real seconds until a test gives up on the bot
_FOLDER = Path(__file__).resolve().parents[1] / "bot" / "sandbox" / "sample"
SAMPLE = _FOLDER / "listing.txt"
SIDECAR = _FOLDER / "listing.en.json"


@dataclass
class Herald:
    """The bot and its Discord. `app` is the running bot; it changes with `restart`."""

    sandbox: Sandbox
    demo: Demo
    clock: ManualClock
    settings: Settings
    running: App | None = None
    _stop: asyncio.Event = field(default_factory=asyncio.Event)
    _task: asyncio.Task[None] | None = None

    # --- life ------------------------------------------------------------------------------------

    @property
    def app(self) -> App:
        """The running bot."""
        assert self.running is not None, "the bot isn't running"
        return self.running

    async def start(self, **changed: object) -> App:
        """Start the bot, with changed settings if any, and wait until it works."""
        self.settings = self.settings.model_copy(update=changed)
        self._stop = asyncio.Event()
        built: asyncio.Future[App] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._live(self._stop, built), name="herald")
        await self._or_its_error(built)
        self.running = built.result()
        await self._or_its_error(self.running.started.wait())
        return self.running

    async def stop(self) -> None:
        """Stop the bot as SIGTERM does; safe to call twice.

        Raises:
            Exception: whatever ended the bot, if it ended by itself.
        """
        task, self._task, self.running = self._task, None, None
        self._stop.set()
        if task is not None:
            async with asyncio.timeout(PATIENCE):
                await task

    async def restart(self, **changed: object) -> App:
        """Stop and start on the same database."""
        await self.stop()
        return await self.start(**changed)

    async def _live(self, stop: asyncio.Event, built: asyncio.Future[App]) -> None:
        async with only_bot(self.settings), open_knowledge(self.settings, self.clock) as knowledge:
            app = App(knowledge)
            # discord.py waits this long after the last server before it says "ready"; the sandbox tells all at once.
            app.client._connection.guild_ready_timeout = 0.02
            built.set_result(app)
            await app.run(stop)

    async def _or_its_error(self, wanted: Any) -> None:  # noqa: ANN401 - a coroutine or a future
        """Wait for something that the bot does; if the bot ends instead, raise what ended it."""
        assert self._task is not None
        waiting = asyncio.ensure_future(wanted)
        async with asyncio.timeout(PATIENCE):
            await asyncio.wait({waiting, self._task}, return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            waiting.cancel()
            self._task.result()
            raise AssertionError("the bot ended before it was ready")

    # --- people and places -----------------------------------------------------------------------

    def human(self, user: User) -> Human:
        """A person at their Discord client."""
        return self.sandbox.human(user)

    @property
    def reader(self) -> Human:
        """Somebody without special rights, whose Discord speaks English."""
        return self.human(self.demo.reader)

    @property
    def chinese(self) -> Human:
        """Somebody without special rights, whose Discord speaks Simplified Chinese."""
        return self.human(self.demo.chinese_reader)

    @property
    def admin(self) -> Human:
        """The owner of the server, who operates the bot too."""
        return self.human(self.demo.admin)

    @property
    def general(self) -> Channel:
        """An ordinary channel."""
        return self.demo.general

    def dm(self, human: Human) -> Channel:
        """The DM between a person and the bot."""
        return human.open_dm(self.demo.bot)

    # --- what happens by itself ------------------------------------------------------------------

    async def load(self, *listings: str | bytes, english: Path | None = None) -> LoadReport:
        """Load listings as a command-line import does, then let the bot notice and deliver."""
        parsed = [
            (f"listing-{number}.txt", parse_bytes(_bytes(text), name=f"listing-{number}.txt"))
            for number, text in enumerate(listings, 1)
        ]
        sidecar = read_sidecar(english) if english else ()
        report = await self.app.knowledge.loader.load(parsed, sidecar=sidecar)
        await self.settle()
        return report

    async def paper_id(self, title: str) -> int:
        """The id of the paper whose English title starts so."""
        database = self.app.knowledge.database
        found = await database.value("SELECT id FROM papers WHERE title_en LIKE ? || '%'", (title,))
        assert found is not None, f"no paper is called {title}"
        return int(found)

    async def settle(self) -> None:
        """Let the bot notice what changed, decide what is due by its clock, and send it."""
        await self.app.engine.notice_changes()
        await self.app.engine.decide_digests()
        async with asyncio.timeout(PATIENCE):
            await self.app.worker.idle()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for something to become true in the sandbox's world; looked at after each of its events."""
        changed = asyncio.Event()
        forget = self.sandbox.world.subscribe(lambda _: changed.set())
        try:
            async with asyncio.timeout(PATIENCE):
                while not condition():
                    await changed.wait()
                    changed.clear()
        finally:
            forget()

    def posted(self, channel: Channel) -> list[Message]:
        """What the bot itself has posted into a channel for everybody, oldest first."""
        found = self.sandbox.world.messages.visible_to(self.demo.admin.id, channel, 500)
        return [one for one in found if one.author_id == self.demo.bot.id and one.seen_only_by is None]

    def direct(self, human: Human) -> list[str]:
        """The texts of the bot's DMs to a person, oldest first."""
        return [text_of(one) for one in human.messages(self.dm(human)) if one.author_id == self.demo.bot.id]


def buttons(message: Message) -> dict[str, str]:
    """The labels of a message's buttons that can be clicked, with their ids."""
    return {
        part["label"]: part["custom_id"]
        for part in parts_of(message)
        if part["type"] == 2 and "custom_id" in part and not part.get("disabled")
    }


def options(message: Message) -> tuple[str, list[dict[str, Any]]]:
    """The id and the options of a message's select."""
    menu = next(part for part in parts_of(message) if part["type"] == 3)
    return menu["custom_id"], menu["options"]


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


@pytest.fixture(scope="session")
def sample_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the sample listing loaded; copy it, don't use it."""
    path = tmp_path_factory.mktemp("sample") / "herald.db"
    asyncio.run(_fill(path))
    return path


async def _fill(path: Path) -> None:
    settings = _settings(database_path=path)
    async with open_knowledge(settings, ManualClock(START), index=False) as knowledge:
        parsed: Sequence[Any] = [(SAMPLE.name, read_listing(SAMPLE))]
        report = await knowledge.loader.load(parsed, sidecar=read_sidecar(SIDECAR))
        # Decided on before anybody follows anything, as after a first start.
        async with knowledge.database.transaction() as transaction:
            await transaction.execute("UPDATE loads SET decided_at = finished_at")
        assert report.new >= 30, report.to_json()


def _settings(**values: object) -> Settings:
    return load_settings(_env_file=None, **values)


@pytest_asyncio.fixture
async def idle_herald(tmp_path: Path, sample_database: Path) -> AsyncIterator[Herald]:
    """The bot with the sample loaded and its Discord, not started yet."""
    database = tmp_path / "herald.db"
    shutil.copyfile(sample_database, database)
    async with running_sandbox() as (sandbox, demo, clock):
        herald = Herald(sandbox, demo, clock, settings_for(sandbox, demo, database))
        try:
            yield herald
        finally:
            await herald.stop()


@pytest_asyncio.fixture
async def herald(idle_herald: Herald) -> Herald:
    """The bot, running, with the sample listing loaded."""
    await idle_herald.start()
    return idle_herald


@pytest_asyncio.fixture
async def empty_herald(tmp_path: Path) -> AsyncIterator[Herald]:
    """The bot, running, with an empty database."""
    async with running_sandbox() as (sandbox, demo, clock):
        herald = Herald(sandbox, demo, clock, settings_for(sandbox, demo, tmp_path / "herald.db"))
        try:
            await herald.start()
            yield herald
        finally:
            await herald.stop()


@contextlib.asynccontextmanager
async def running_sandbox() -> AsyncIterator[tuple[Sandbox, Demo, ManualClock]]:
    """A furnished sandbox with a clock that stands still, at which discord.py is pointed."""
    clock = ManualClock(START)
    async with Sandbox(clock=clock, rate_limits=False, control_token="control") as sandbox:
        with pointed_at(sandbox):
            yield sandbox, furnish(sandbox.world), clock


def settings_for(sandbox: Sandbox, demo: Demo, database: Path) -> Settings:
    """Settings of a bot on a sandbox; the admin is its operator."""
    return _settings(
        discord_token=TOKEN,
        discord_api_base=sandbox.api_base,
        database_path=database,
        owner_ids=frozenset({demo.admin.id}),
    )
