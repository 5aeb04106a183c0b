"""The bot as processes of its own: one a database, an orderly end on SIGTERM, a take-over after a kill."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio

from bot.locks import LockedError, file_lock, run_lock
from bot.sandbox.demo import TOKEN
from bot.sandbox.faults import Action, When
from storage.database import Database
from storage.outbox import NewPart, OutboxStore
from tests.herald_fixtures import Herald

ALREADY_RUNNING = 4
START = 30.0  # seconds for a process to import everything on a busy machine
END = 10.0  # seconds that a stopped process may take

HOLD = """
import asyncio, sys
from pathlib import Path
from bot.locks import file_lock, run_lock

async def main():
    async with file_lock(run_lock(Path(sys.argv[1])), wait=False):
        print("held", flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


class Running:
    """A `python -m bot run` on the fixture's sandbox and database."""

    def __init__(self, herald: Herald, process: asyncio.subprocess.Process) -> None:
        self.herald = herald
        self.process = process

    async def online(self) -> None:
        """Wait until it works, which it says by telling where it can be installed."""
        assert self.process.stderr is not None
        async with asyncio.timeout(START):
            while b"to install it" not in await self.process.stderr.readline():
                assert self.process.returncode is None

    async def ended(self, within: float) -> int:
        """Its exit code."""
        async with asyncio.timeout(within):
            return await self.process.wait()


@asynccontextmanager
async def running(herald: Herald) -> AsyncIterator[Running]:
    """Start the bot; what is left of it at the end is killed."""
    settings = {
        "DISCORD_TOKEN": TOKEN,
        "DISCORD_API_BASE": herald.settings.discord_api_base,
        "DATABASE_PATH": str(herald.settings.database_path),
        "LOG_FORMAT": "text",
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        "run",
        env={**os.environ, **settings},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield Running(herald, process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@pytest_asyncio.fixture
async def bot(idle_herald: Herald) -> AsyncIterator[Running]:
    async with running(idle_herald) as started:
        await started.online()
        yield started


async def notice(database: Database, herald: Herald) -> None:
    """Something for the running bot to send, written by another process."""
    body: dict[str, object] = {"content": "tides", "embeds": [], "buttons": [], "select": None, "files": []}
    part = NewPart("notice", "tides", 0, f"channel:{herald.demo.digest.id}", None, body)
    async with database.transaction() as transaction:
        await OutboxStore(database).enqueue(transaction, [part], herald.clock.now())


@pytest.mark.asyncio
async def test_sigterm_lets_the_send_in_flight_end_marks_it_and_exits_with_zero(bot: Running) -> None:
    herald = bot.herald
    slow = herald.sandbox.faults.add(Action.SLOW, when=When.AFTER, method="POST", path="/messages$")
    async with Database(herald.settings.database_path) as database:
        await notice(database, herald)
        async with asyncio.timeout(10):
            await slow.until_hit()
        bot.process.send_signal(signal.SIGTERM)
        await asyncio.sleep(0.2)
        assert bot.process.returncode is None
        slow.release()
        assert await bot.ended(END) == 0
        assert await OutboxStore(database).state_of("tides") == "sent"
    assert len(herald.posted(herald.demo.digest)) == 1


@pytest.mark.asyncio
async def test_sigterm_ends_within_ten_seconds_whatever_hangs(bot: Running) -> None:
    herald = bot.herald
    hang = herald.sandbox.faults.add(Action.HANG, when=When.AFTER, method="POST", path="/messages$")
    async with Database(herald.settings.database_path) as database:
        await notice(database, herald)
        async with asyncio.timeout(10):
            await hang.until_hit()
        bot.process.send_signal(signal.SIGTERM)
        assert await bot.ended(END) == 0
        assert await OutboxStore(database).state_of("tides") == "sending"


@pytest.mark.asyncio
async def test_a_second_process_ends_with_a_sentence_and_its_own_code(bot: Running) -> None:
    async with running(bot.herald) as second:
        _, told = await second.process.communicate()
        assert second.process.returncode == ALREADY_RUNNING
    lines = told.decode().strip().splitlines()
    assert len(lines) == 1
    assert "Another bot" in lines[0]
    assert str(bot.herald.settings.database_path) in lines[0]
    assert bot.process.returncode is None


@pytest.mark.asyncio
async def test_after_a_kill_another_process_takes_over_with_what_was_in_flight(bot: Running) -> None:
    herald = bot.herald
    hang = herald.sandbox.faults.add(Action.HANG, when=When.AFTER, method="POST", path="/messages$")
    async with Database(herald.settings.database_path) as database:
        await notice(database, herald)
        async with asyncio.timeout(10):
            await hang.until_hit()
        bot.process.kill()
        await bot.process.wait()
        herald.sandbox.faults.clear()
        async with running(herald) as successor, asyncio.timeout(START):
            while await OutboxStore(database).state_of("tides") != "sent":  # noqa: ASYNC110 - see above
                await asyncio.sleep(0.05)
            assert successor.process.returncode is None
    assert len(herald.posted(herald.demo.digest)) == 1


@pytest.mark.asyncio
async def test_a_kill_frees_the_lock_at_once(tmp_path: Path) -> None:
    path = tmp_path / "herald.db"
    holder = await asyncio.create_subprocess_exec(
        sys.executable, "-c", HOLD, str(path), stdout=asyncio.subprocess.PIPE
    )
    assert holder.stdout is not None
    assert await holder.stdout.readline() == b"held\n"
    with pytest.raises(LockedError, match=str(holder.pid)):
        await _take(path, wait=False)
    waiting = asyncio.create_task(_take(path, wait=True))
    await asyncio.sleep(0)
    holder.kill()
    async with asyncio.timeout(2):
        await waiting
    await holder.wait()


async def _take(path: Path, *, wait: bool) -> None:
    async with file_lock(run_lock(path), wait=wait):
        return
