"""`run` and `sandbox`: the bot, until a signal says stop.

Promises: SIGTERM and SIGINT drain and end with 0; the sandbox never touches `DATABASE_PATH` or uses `DISCORD_TOKEN`.
Leaves to `bot.app`: the bot; to `bot.sandbox`: the local Discord.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import shutil
import signal
import sys
import webbrowser
from collections.abc import Iterator
from datetime import timedelta
from importlib import resources
from pathlib import Path

from pydantic import SecretStr

from bot.app import App, run_bot
from bot.cli.errors import UsageError
from bot.cli.loading import load_into
from bot.clock import ShiftedClock, SystemClock
from bot.knowledge import open_knowledge
from bot.sandbox import page
from bot.sandbox.demo import TOKEN, furnish
from bot.sandbox.server import Sandbox
from bot.settings import Settings
from storage.database import Database
from storage.digests import DigestStore
from storage.papers import PaperStore

log = logging.getLogger(__name__)

SAMPLE = ("listing.txt", "listing.en.json")


async def run(_given: argparse.Namespace, settings: Settings) -> int:
    """`run`: the bot on Discord."""
    if not settings.token:
        raise UsageError(
            "DISCORD_TOKEN is empty: put the bot's token into .env, or try everything without one with "
            "`python -m bot sandbox`."
        )
    stop = asyncio.Event()
    with _signals(stop):
        await run_bot(settings, SystemClock(), stop)
    return 0


async def sandbox(given: argparse.Namespace, settings: Settings) -> int:
    """`sandbox`: a local Discord, its page, and the bot in it."""
    folder = settings.database_path.parent / "sandbox"
    if given.reset:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
    listings = folder / "listings"
    listings.mkdir(parents=True, exist_ok=True)
    clock = ShiftedClock(SystemClock())
    server = Sandbox(port=given.port, clock=clock, listing_dir=listings, state_path=folder / "discord.json")
    demo = furnish(server.world)
    own = settings.model_copy(
        update={
            "database_path": folder / "herald.db",
            "listing_dir": listings,
            "discord_token": SecretStr(TOKEN),
            "dev_guild_id": None,
            "owner_ids": frozenset({demo.admin.id}),
            # A try-out needs no network and troubles nobody.
            "listing_urls": (),
            "arxiv_api_base": "",
            "iclr_data_base": "",
            "llm_base_url": "",
        }
    )
    await _load_sample(own, given.listing)
    stop = asyncio.Event()
    hooks = page.Hooks(skip_to_digest=_Skipper(server, own, clock).skip)
    page.add_routes(server.app, server, hooks)
    try:
        await server.start()
    except OSError as error:
        raise UsageError(f"Port {given.port} on 127.0.0.1 is taken; choose another with --port.") from error
    try:
        with _signals(stop):
            announcer = asyncio.create_task(_announce(server, browser=given.browser))
            own = own.model_copy(update={"discord_api_base": server.api_base})
            try:
                await run_bot(own, clock, stop)
            finally:
                announcer.cancel()
    finally:
        await server.aclose()
    return 0


async def _load_sample(settings: Settings, listings: list[Path]) -> None:
    """Fill an empty sandbox with the sample, or load what was asked for."""
    if listings:
        await load_into(settings, listings, None)
        return
    async with Database(settings.database_path) as database:
        empty = await PaperStore(database).count() == 0
    if empty:
        with contextlib.ExitStack() as stack:
            sample = resources.files("bot.sandbox") / "sample"
            listing, english = (stack.enter_context(resources.as_file(sample / name)) for name in SAMPLE)
            await load_into(settings, [listing], english)


async def _announce(server: Sandbox, *, browser: bool) -> None:
    """Say where the page is once the bot is there."""
    online = asyncio.Event()
    stop = server.world.subscribe(
        lambda event: online.set() if event.name == "SANDBOX_BOT" and event.data["online"] else None
    )
    try:
        await online.wait()
    finally:
        stop()
    sys.stdout.write(f"\nICLR Herald is running in its sandbox: {server.url}\nStop it with Ctrl+C.\n\n")
    sys.stdout.flush()
    if browser and sys.stdout.isatty():
        await asyncio.to_thread(webbrowser.open, server.url)


class _Skipper:
    """Moves the sandbox's clock to the next digest hour."""

    def __init__(self, server: Sandbox, settings: Settings, clock: ShiftedClock) -> None:
        self._server = server
        self._settings = settings
        self._clock = clock

    async def skip(self) -> str:
        """Go to just after the next digest's moment; a sentence on it.

        Raises:
            ValueError: no channel has a digest.
        """
        async with open_knowledge(self._settings, self._clock, index=False) as knowledge:
            service = App.digest_service(knowledge)
            active = await DigestStore(knowledge.database).active()
            moments = [(await service.next_run(settings), settings) for settings in active]
            if not moments:
                raise ValueError("No channel has a digest yet. Set one up with /digest set.")
            moment, settings = min(moments, key=lambda pair: pair[0])
            waiting = len((await service.pending(settings)).wanted)
        self._server.skip(moment - self._clock.now() + timedelta(seconds=1))
        name = self._server.world.channels[settings.channel_id].name
        what = f"{waiting} papers are on their way to #{name}" if waiting else f"nothing new for #{name}"
        return f"The clock is now {moment:%Y-%m-%d %H:%M} UTC: {what}."


@contextlib.contextmanager
def _signals(stop: asyncio.Event) -> Iterator[None]:
    """SIGTERM and SIGINT set `stop` while the block runs."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    try:
        yield
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)
