"""Measures deliveries against the sandbox under its real-like limits: how fast they fan out, and whom failures slow.

Run ``python -m benchmarks.delivery [fan-out|isolation] [--gate]``. The sandbox is a process of its own; the memory is
the bot's alone. Figures: time over (requests / 50 a second), 429 answers, peak memory; the p95 delay of the channels
that work, with and without a fifth of the others failing, median of alternating runs.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from bot.api_base import point_rest_at
from bot.app import App
from bot.clock import SystemClock
from bot.delivery.pace import GLOBAL_PER_SECOND
from bot.digest.parts import announce
from bot.knowledge import open_knowledge
from bot.papers.model import Language, Origin, Paper, Status, Summary, Track, Venue
from bot.render.digests import Occasion
from bot.settings import load_settings
from storage.digests import DigestSettings
from storage.outbox import NewPart, OutboxStore
from tests.kill.discord import Discord

ALLOWED_PER_SECOND = 50  # Discord: requests a second in all
RATIO = 1.15
CHANNELS = 2_000
A_GUILD = 100  # channels in one server of the benchmark
FEW = 200
RUNS = 5
FAILURES: tuple[dict[str, Any], ...] = (
    {"action": "code", "code": 50013},
    {"action": "hang", "seconds": 30.0},
    {"action": "status", "status": 503},
    {"action": "rate_limit", "retry_after": 5.0},
)


def paper(number: int) -> Paper:
    """A paper of ordinary size."""
    summary = "We propose a method for sequence models and show that it works. " * 6
    return Paper(
        id=number,
        title_en=f"Sequence Models That Learn When to Listen, Part {number}",
        title_zh="学会何时倾听的序列模型",
        authors=("Ada Lovelace", "Alan Turing", "Wei Zhang"),
        affiliations=(),
        summaries=(
            Summary(Language.EN, summary, Origin.LISTING),
            Summary(Language.ZH, "本文提出一种序列模型方法。" * 8, Origin.LISTING),
        ),
        abstract_en=None,
        abstract_zh=None,
        comments=None,
        journal_ref=None,
        arxiv_id="2601.01234",
        date=None,
        categories=(),
        links=(),
        venues=(Venue("ICLR", 2026, Track.MAIN, None, Status.ACCEPTED),),
        added_at=datetime(2026, 5, 4, tzinfo=UTC),
    )


@asynccontextmanager
async def bot(discord: Discord, folder: Path) -> AsyncIterator[App]:
    """The whole bot, working, on a database of its own."""
    settings = load_settings(
        _env_file=None,
        discord_token=discord.token,
        discord_api_base=discord.api_base,
        database_path=folder / "herald.db",
    )
    point_rest_at(settings.discord_api_base)
    stop = asyncio.Event()
    async with open_knowledge(settings, SystemClock()) as knowledge:
        app = App(knowledge)
        running = asyncio.create_task(app.run(stop))
        started = asyncio.create_task(app.started.wait())
        await asyncio.wait({running, started}, return_when=asyncio.FIRST_COMPLETED)
        try:
            yield app
        finally:
            stop.set()
            started.cancel()
            await running


async def announcement(app: App, channels: dict[int, int]) -> list[NewPart]:
    """One digest of three papers for each channel."""
    made: list[NewPart] = []
    for channel, guild in channels.items():
        voice = await app.voices.channel(guild, "both")
        settings = DigestSettings(
            guild_id=guild,
            channel_id=channel,
            hour=9,
            minute=0,
            timezone="UTC",
            language="both",
            days=frozenset(range(7)),
            tracks="all",
            include=(),
            exclude=(),
            paused=False,
            since_seq=0,
            set_by=Discord.admin,
            set_at=datetime.now(UTC),
        )
        papers = [paper(number) for number in range(3)]
        made += announce(voice, papers, Occasion(date(2026, 5, 4)), f"digest:{guild}", settings).parts
    return made


async def furnish(discord: Discord, count: int) -> dict[int, int]:
    """So many channels (channel → server)."""
    channels: dict[int, int] = {}
    for _ in range((count + A_GUILD - 1) // A_GUILD):
        guild = int((await discord.act("add-guild", name="Server", owner=discord.admin))["id"])
        await discord.act("add-member", guild=guild, user=discord.bot)
        for number in range(min(A_GUILD, count - len(channels))):
            made = await discord.act("add-channel", guild=guild, name=f"c{number}")
            channels[int(made["id"])] = guild
    return channels


async def send(app: App, parts: Sequence[NewPart], wanted: set[str]) -> dict[str, float]:
    """Enqueue and wait until what is wanted has arrived; the seconds that each took, by destination."""
    database, store = app.knowledge.database, OutboxStore(app.knowledge.database)
    delays: dict[str, float] = {}
    began = time.monotonic()
    arrived = app.worker._outcomes.arrived

    async def noted(part: Any, posted: Any) -> None:  # noqa: ANN401 - stands in for a method
        delays[part.whom] = time.monotonic() - began
        await arrived(part, posted)

    app.worker._outcomes.arrived = noted  # type: ignore[method-assign] # a tap on the pipe
    async with database.transaction() as transaction:
        await store.enqueue(transaction, parts, datetime.now(UTC))
    began = time.monotonic()
    app.worker.wake()
    while not wanted <= delays.keys():  # noqa: ASYNC110 - measured, not tested
        await asyncio.sleep(0.01)
    return delays


@dataclass(frozen=True, slots=True)
class FanOut:
    """What the fan-out came to."""

    requests: int
    seconds: float
    limited: int
    memory_mb: float

    @property
    def ratio(self) -> float:
        """Time over what Discord's allowance needs at least."""
        return self.seconds / (self.requests / ALLOWED_PER_SECOND)


async def fan_out(count: int) -> FanOut:
    """One message into each of so many channels."""
    with tempfile.TemporaryDirectory() as folder:
        async with Discord() as discord:
            channels = await furnish(discord, count)
            async with bot(discord, Path(folder)) as app:
                parts = await announcement(app, channels)
                before = await discord.ask("GET", "/traffic")
                delays = await send(app, parts, {part.whom for part in parts})
                after = await discord.ask("GET", "/traffic")
    limited = sum(times for answer, times in after["answers"].items() if answer.endswith(" 429"))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return FanOut(after["requests"] - before["requests"], max(delays.values()), limited, memory)


async def one_run(
    discord: Discord, channels: dict[int, int], failing: Sequence[int], *, broken: bool
) -> float:
    """The p95 delay of the channels that work, while the others, if `broken`, fail in four ways."""
    await discord.ask("DELETE", "/faults")
    for number, channel in enumerate(failing if broken else ()):
        fault = {**FAILURES[number % len(FAILURES)], "method": "POST", "path": "/messages$", "times": None}
        await discord.ask("POST", "/faults", {**fault, "channel_id": channel})
    with tempfile.TemporaryDirectory() as folder:
        async with bot(discord, Path(folder)) as app:
            parts = await announcement(app, channels)
            working = {f"channel:{channel}" for channel in channels.keys() - set(failing)}
            delays = await send(app, parts, working)
            await discord.ask("DELETE", "/faults")
    return statistics.quantiles(sorted(delays[whom] for whom in working), n=20)[-1]


async def isolation(count: int, runs: int) -> tuple[list[float], list[float]]:
    """p95 delays of the working four fifths: without failures, and with a fifth failing."""
    healthy, troubled = [], []
    async with Discord() as discord:
        channels = await furnish(discord, count)
        failing = list(channels)[::5]  # among the others in the order of service
        for _ in range(runs):
            healthy.append(await one_run(discord, channels, failing, broken=False))
            troubled.append(await one_run(discord, channels, failing, broken=True))
    return healthy, troubled


def _tell_fan_out(found: FanOut, count: int) -> bool:
    sys.stdout.write(
        f"fan-out: {count} channels, {found.requests} requests in {found.seconds:.1f} s, "
        f"ratio to 50/s {found.ratio:.3f} (pace {GLOBAL_PER_SECOND}/s), 429 answers {found.limited}, "
        f"peak memory {found.memory_mb:.0f} MB\n"
    )
    return found.ratio <= RATIO and found.limited == 0


def _tell_isolation(healthy: list[float], troubled: list[float]) -> bool:
    ratio = statistics.median(troubled) / statistics.median(healthy)
    runs = " ".join(f"{a:.2f}/{b:.2f}" for a, b in zip(healthy, troubled, strict=True))
    sys.stdout.write(
        f"isolation: p95 delay {statistics.median(healthy):.2f} s without failures, "
        f"{statistics.median(troubled):.2f} s with a fifth failing, ratio {ratio:.3f}; runs {runs}\n"
    )
    return ratio <= RATIO


def main() -> int:
    """Measure; with `--gate`, fail beyond the bounds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", choices=["fan-out", "isolation", "all"], default="all")
    parser.add_argument("--channels", type=int, default=CHANNELS)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--gate", action="store_true")
    given = parser.parse_args()
    good = True
    with contextlib.suppress(KeyboardInterrupt):
        if given.what in ("fan-out", "all"):
            good &= _tell_fan_out(asyncio.run(fan_out(given.channels)), given.channels)
        if given.what in ("isolation", "all"):
            good &= _tell_isolation(*asyncio.run(isolation(FEW, given.runs)))
    return 0 if good or not given.gate else 1


if __name__ == "__main__":
    sys.exit(main())
