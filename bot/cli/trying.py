"""`sandbox`: a local Discord, its page, and the bot in it.

Promises: it keeps everything in a folder beside `DATABASE_PATH`, never touches that file, and uses neither
`DISCORD_TOKEN` nor the network. Leaves to `bot.sandbox`: the local Discord; to `running`: the bot.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import errno
import shutil
import sys
import webbrowser
from dataclasses import replace
from datetime import timedelta
from importlib import resources
from pathlib import Path

from pydantic import SecretStr

from bot.app import App, only_bot
from bot.cli.errors import InputError
from bot.cli.loading import load_into
from bot.cli.running import live, signals
from bot.clock import ShiftedClock, SystemClock
from bot.knowledge import open_knowledge
from bot.locks import run_lock
from bot.sandbox import page
from bot.sandbox.demo import ADMIN_ID, TOKEN, furnish
from bot.sandbox.persist import StateError
from bot.sandbox.server import Sandbox
from bot.settings import Settings
from bot.text import is_cjk, tokens
from storage.database import Database
from storage.digests import DigestStore
from storage.papers import PaperStore

SAMPLE = ("listing.txt", "listing.en.json")
# What a try-out takes over from the operator's settings; all else keeps its default, so that nothing of theirs is
# touched, no network is needed and no source is asked.
_KEPT = frozenset({"default_timezone", "log_level", "log_format"})


async def sandbox(given: argparse.Namespace, settings: Settings) -> int:
    """`sandbox [--port 8080] [--listing FILE]… [--no-browser] [--reset]`."""
    own = sandbox_settings(settings)
    stop = asyncio.Event()
    with signals(stop):
        async with only_bot(own):
            if given.reset:
                await asyncio.to_thread(_empty, own.database_path)
            await _load(own, given.listing)
            await _serve(given, own, stop)
    return 0


def sandbox_settings(settings: Settings) -> Settings:
    """The settings of the sandbox's bot: a database of its own beside the operator's, a token that opens nothing."""
    beside = settings.database_path
    folder = beside.with_name("sandbox" if beside.name != "sandbox" else "sandbox.try-out")
    defaults = {name: field.default for name, field in Settings.model_fields.items() if name not in _KEPT}
    own = {
        "database_path": folder / "herald.db",
        "listing_dir": folder / "listings",
        "discord_token": SecretStr(TOKEN),
        "owner_ids": frozenset({ADMIN_ID}),
    }
    return settings.model_copy(update=defaults | own)


def _empty(database: Path) -> None:
    """Forget an earlier try-out; its lock stays, since this process holds it."""
    for entry in database.parent.iterdir():
        if entry == run_lock(database):
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()


async def _load(settings: Settings, listings: list[Path]) -> None:
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


async def _serve(given: argparse.Namespace, settings: Settings, stop: asyncio.Event) -> None:
    clock = ShiftedClock(SystemClock())
    server = _open(given.port, clock, settings)
    examples = await _examples(settings.database_path) if given.listing else page.Examples()
    hooks = page.Hooks(skip_to_digest=_Skipper(server, settings, clock).skip, examples=examples)
    page.add_routes(server.app, server, hooks)
    try:
        await server.start()
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        why = "is taken" if taken else f"can't be used ({error.strerror})"
        raise InputError(f"Port {given.port} on 127.0.0.1 {why}; choose another with --port.") from error
    announcer = asyncio.create_task(_announce(server, browser=given.browser))
    try:
        await live(settings.model_copy(update={"discord_api_base": server.api_base}), clock, stop)
    finally:
        announcer.cancel()
        await asyncio.gather(announcer, return_exceptions=True)
        await server.aclose()


async def _examples(path: Path) -> page.Examples:
    """What the tour types about a listing of one's own: a title with a slip, and a piece of a Chinese title."""
    async with Database(path) as database:
        store = PaperStore(database)
        papers = (await store.many(await store.newest(200))).values()
    found = page.Examples()
    for paper in papers:
        words = [word for word in tokens(paper.title_en) if word.isascii()][:4]
        longest = max(words, key=len, default="")
        if len(longest) > 5:
            slip = f"{longest[:2]}{longest[3]}{longest[2]}{longest[4:]}"
            typo = " ".join(slip if word == longest else word for word in words)
            found = replace(found, typo=typo)
            break
    chinese = next(
        (run for p in papers for run in tokens(p.title_zh or "") if is_cjk(run) and len(run) > 3), None
    )
    return replace(found, chinese=chinese[:6]) if chinese else found


def _open(port: int, clock: ShiftedClock, settings: Settings) -> Sandbox:
    folder = settings.database_path.parent
    (folder / "listings").mkdir(parents=True, exist_ok=True)
    try:
        server = Sandbox(
            port=port, clock=clock, listing_dir=settings.listing_dir, state_path=folder / "discord.json"
        )
    except StateError as error:
        raise InputError(f"{error}.") from error
    furnish(server.world)
    return server


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
