"""`run`: the bot on Discord, until a signal says stop.

Promises: SIGTERM and SIGINT drain and end with 0, also while it is still starting.
Leaves to `bot.app`: the bot; to `trying`: the sandbox.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import signal
from collections.abc import Awaitable, Callable, Iterator

from bot.api_base import point_rest_at
from bot.app import App, only_bot
from bot.cli.errors import UsageError
from bot.clock import Clock, SystemClock
from bot.doctor import install_links
from bot.knowledge import open_knowledge
from bot.settings import Settings

log = logging.getLogger(__name__)

# The bot itself drains for 10 s at most; a start that hangs (a login, say) has nothing to drain.
_DRAIN, _GIVE_UP_START = 15.0, 1.0
Greeting = Callable[[App], Awaitable[None]]


async def run(_given: argparse.Namespace, settings: Settings) -> int:
    """`run`: the bot on Discord."""
    if not settings.token:
        raise UsageError(
            "DISCORD_TOKEN is empty: put the bot's token into .env, or try everything without one with "
            "`python -m bot sandbox`."
        )
    stop = asyncio.Event()
    with signals(stop):
        async with only_bot(settings):
            await live(settings, SystemClock(), stop, _greet)
    return 0


async def live(
    settings: Settings, clock: Clock, stop: asyncio.Event, greeting: Greeting | None = None
) -> None:
    """The bot from database to drain; hold `bot.app.only_bot` around it.

    Args:
        settings: of the bot.
        clock: of the bot.
        stop: ends it.
        greeting: what to say once it works.

    Raises:
        StartError, StorageError: each a sentence for the operator.
    """
    started = asyncio.Event()
    bot = asyncio.create_task(_bot(settings, clock, stop, started, greeting), name="bot")
    asked = asyncio.create_task(stop.wait(), name="asked to stop")
    try:
        await asyncio.wait({bot, asked}, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait({bot}, timeout=_DRAIN if started.is_set() else _GIVE_UP_START)
    finally:
        asked.cancel()
        bot.cancel()
        await asyncio.gather(bot, asked, return_exceptions=True)
    if not bot.cancelled():
        bot.result()


async def _bot(
    settings: Settings,
    clock: Clock,
    stop: asyncio.Event,
    started: asyncio.Event,
    greeting: Greeting | None,
) -> None:
    point_rest_at(settings.discord_api_base)
    async with open_knowledge(settings, clock) as knowledge:
        app = App(knowledge)
        greeter = asyncio.create_task(_once_started(app, started, greeting), name="greeting")
        try:
            await app.run(stop)
        finally:
            greeter.cancel()
            (outcome,) = await asyncio.gather(greeter, return_exceptions=True)
            if isinstance(outcome, Exception):
                log.error("the greeting failed", exc_info=outcome)


async def _once_started(app: App, started: asyncio.Event, greeting: Greeting | None) -> None:
    await app.started.wait()
    started.set()
    if greeting is not None:
        await greeting(app)


async def _greet(app: App) -> None:
    """What an operator needs at the first start: where to install the bot, and that it knows nothing yet."""
    application = app.client.application_id
    if application is not None:
        server, person = install_links(application)
        log.info("to add the bot to a server: %s", server)
        log.info("to install it for yourself: %s", person)
    if not await app.knowledge.papers.count():
        database = app.knowledge.settings.database_path
        log.warning("the database %s holds no papers yet: `python -m bot import FILE` loads some", database)


@contextlib.contextmanager
def signals(stop: asyncio.Event) -> Iterator[None]:
    """SIGTERM and SIGINT set `stop` while the block runs."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    try:
        yield
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)
