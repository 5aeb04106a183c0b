"""The bot as a process that is killed: `python -m tests.kill.bot`, driven by JSON lines on stdin.

Each line is a configuration. The process forks: the child is the whole bot of `bot.app` with a clock that is moved
and a checkpoint that kills it; the parent, which has imported everything already, tells its pid and how it ended.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

from discord.abc import Messageable

from bot.api_base import point_rest_at
from bot.app import App, only_bot
from bot.clock import ShiftedClock, SystemClock
from bot.delivery import outcome, post, setup
from bot.delivery.post import DiscordPost, Posted
from bot.knowledge import open_knowledge
from bot.settings import Settings, load_settings


class Killer:
    """Ends this process with SIGKILL when it comes to a named point for the `skip`+1st time."""

    def __init__(self, point: str | None, skip: int) -> None:
        self._point = point
        self._skip = skip

    def __call__(self, name: str) -> None:
        """A checkpoint of the pipeline."""
        if name != self._point:
            return
        if self._skip == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        self._skip -= 1


def _settings(given: dict[str, Any]) -> Settings:
    return load_settings(
        _env_file=None,
        discord_token=given["token"],
        discord_api_base=given["api_base"],
        database_path=Path(given["database"]),
    )


def _hurry() -> None:
    """Retries and the opening of DMs happen in tenths of a second instead of seconds."""
    outcome.FIRST_DELAY = timedelta(seconds=0.1)
    outcome.LONGEST_DELAY = timedelta(seconds=1)
    vars(setup)["OPEN_DM_EVERY"] = timedelta(seconds=0.02)


def _switch_off(what: str) -> None:
    """Break the protocol, to show that the test would notice."""
    if what == "look-up":
        DiscordPost._is_doubtful = staticmethod(lambda *_: False)  # type: ignore[method-assign, assignment] # on purpose
    if what == "nonce":

        async def send(channel: Messageable, channel_id: int, kwargs: dict[str, Any], nonce: str) -> Posted:
            del nonce
            return Posted(channel_id, (await channel.send(**kwargs)).id, adopted=False)

        post._send = send


async def _live(given: dict[str, Any]) -> None:
    settings = _settings(given)
    clock = ShiftedClock(SystemClock(), timedelta(seconds=given["offset"]))
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    point_rest_at(settings.discord_api_base)
    async with only_bot(settings), open_knowledge(settings, clock) as knowledge:
        app = App(knowledge, Killer(given["point"], given["skip"]))
        app.client._connection.guild_ready_timeout = 0.1
        await app.run(stop)


def _child(given: dict[str, Any]) -> int:
    logging.basicConfig(
        filename=given["log"], level=logging.INFO, format="%(process)d %(asctime)s %(message)s"
    )
    _hurry()
    for what in given["without"]:
        _switch_off(what)
    asyncio.run(_live(given))
    return 0


def main() -> None:
    """Serve configurations until stdin ends."""
    for line in sys.stdin:
        given = json.loads(line)
        pid = os.fork()
        if pid == 0:
            code = 99
            try:
                code = _child(given)
            except BaseException:
                logging.exception("the bot ended")
            os._exit(code)
        _say({"pid": pid})
        _, status = os.waitpid(pid, 0)
        _say({"code": os.waitstatus_to_exitcode(status)})


def _say(what: dict[str, int]) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
