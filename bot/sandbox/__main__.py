"""`python -m bot.sandbox`: the bare server as its own process, for kill tests and for trying a bot by hand."""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
from datetime import timedelta
from pathlib import Path

from bot.clock import ShiftedClock, SystemClock
from bot.sandbox.demo import TOKEN, furnish
from bot.sandbox.persist import StateError
from bot.sandbox.server import Sandbox


def _arguments(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bot.sandbox", description="A local Discord on the loopback."
    )
    parser.add_argument("--port", type=int, default=0, help="0 takes any free port")
    parser.add_argument("--state", type=Path, help="keep the world in this file")
    parser.add_argument("--control-token", help="open /sandbox/control/ to who sends this secret")
    parser.add_argument("--no-rate-limits", action="store_true", help="grant every request at once")
    parser.add_argument(
        "--nonce-seconds", type=float, default=300.0, help="how long an enforced nonce is remembered"
    )
    parser.add_argument("--token", default=TOKEN, help="the demo bot's token")
    return parser.parse_args(argv)


async def _serve(arguments: argparse.Namespace) -> None:
    sandbox = Sandbox(
        port=arguments.port,
        clock=ShiftedClock(SystemClock()),
        state_path=arguments.state,
        control_token=arguments.control_token,
        rate_limits=not arguments.no_rate_limits,
        nonce_window=timedelta(seconds=arguments.nonce_seconds),
    )
    demo = furnish(sandbox.world, token=arguments.token)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with sandbox:
        address = {"api_base": sandbox.api_base, "url": sandbox.url, "guild": str(demo.guild.id)}
        sys.stdout.write(json.dumps(address) + "\n")
        sys.stdout.flush()
        await stop.wait()


def main(argv: list[str] | None = None) -> int:
    """Run until a signal; the first line on stdout says where it listens, as JSON."""
    try:
        asyncio.run(_serve(_arguments(argv)))
    except (StateError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
