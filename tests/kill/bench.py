"""The kill test: digests for many channels and alerts for many people, killed at every point, faults on the way.

`python -m tests.kill.bench --rounds 200 --benches 2` runs it by hand. A round is one day: new papers are loaded, the
bot is started and killed several times, and at the end every part has to stand exactly once in its place.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from bot.clock import ShiftedClock, SystemClock
from bot.knowledge import Knowledge, open_knowledge
from bot.papers.files import parse_bytes
from bot.render.ids import encode
from bot.settings import load_settings
from storage.digests import DigestSettings, DigestStore
from storage.subscriptions import Subscription, SubscriptionStore
from tests.cogs.listings import entry, listing
from tests.kill.discord import Discord, log_path

POINTS = (
    "digest deciding",
    "digest decided",
    "alerts deciding",
    "alerts decided",
    "prepared",
    "begun",
    "answered",
    "marked",
)
DAY = timedelta(days=1)
# Beyond what Discord remembers of nonces, and beyond what the bot counts on.
FORGOTTEN = timedelta(minutes=10)
PATIENCE = 90.0  # real seconds until everything has to have arrived


@dataclass
class Figures:
    """What a run came to."""

    rounds: int = 0
    forgetful: int = 0  # rounds with a restart after the nonces were forgotten
    blind: int = 0  # rounds with channels whose history the bot can't read
    crowded: int = 0  # rounds in which other people wrote between
    kills: Counter[str] = field(default_factory=Counter)
    parts: int = 0
    uncertain: int = 0  # parts that were adopted or sent again after a kill or a fault
    lost: int = 0
    doubled: int = 0
    problems: list[str] = field(default_factory=list)

    def add(self, other: Figures) -> None:
        """Sum two runs."""
        for name in ("rounds", "forgetful", "blind", "crowded", "parts", "uncertain", "lost", "doubled"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.kills += other.kills
        self.problems += other.problems

    def __str__(self) -> str:
        killed = ", ".join(f"{name} {count}" for name, count in sorted(self.kills.items()))
        return (
            f"rounds {self.rounds} (nonces forgotten in {self.forgetful}, history unreadable in {self.blind}, "
            f"others wrote in {self.crowded}), kills {self.kills.total()} ({killed}), parts {self.parts}, "
            f"tried more than once {self.uncertain}, lost {self.lost}, doubled {self.doubled}"
        )


class Bot:
    """Starts and kills the bot's process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._pid = 0

    async def start(self, given: dict[str, Any]) -> None:
        """Start the bot with a configuration; see `tests.kill.bot`."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(given).encode() + b"\n")
        await self._process.stdin.drain()
        self._pid = (await self._said())["pid"]

    async def ended(self, within: float | None = None) -> int:
        """Wait for its end; after so many seconds it is killed. Its exit code, negative for a signal."""
        said = asyncio.ensure_future(self._said())
        done, _ = await asyncio.wait({said}, timeout=within)
        if not done:
            self.signal(signal.SIGKILL)
        return int((await said)["code"])

    def signal(self, number: int) -> None:
        """Send it a signal."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, number)

    async def _said(self) -> dict[str, int]:
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        assert line, "the bot's process server has died"
        return dict(json.loads(line))


@asynccontextmanager
async def bot_process() -> AsyncIterator[Bot]:
    """The server that forks bots."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.kill.bot", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    try:
        yield Bot(process)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()


class Bench:
    """One sandbox, one bot, one database."""

    def __init__(
        self,
        discord: Discord,
        bot: Bot,
        knowledge: Knowledge,
        clock: ShiftedClock,
        seed: int,
        without: Sequence[str],
    ) -> None:
        self._discord = discord
        self._bot = bot
        self._knowledge = knowledge
        self._clock = clock
        self._random = random.Random(seed)  # noqa: S311 - repeatable, no secret
        self._without = list(without)
        self._offset = timedelta()
        self._channels: dict[int, int] = {}
        self._people: list[int] = []
        self._papers = 0
        self.figures = Figures()

    async def set_up(self, guilds: int, people: int) -> None:
        """Digests for so many channels, due a minute ago; so many people who follow what comes."""
        self._channels, self._people = await self._discord.furnish(guilds, people)
        now = self._clock.now()
        due = now - timedelta(minutes=1)
        database = self._knowledge.database
        async with database.transaction() as transaction:
            for guild, channel in self._channels.items():
                await DigestStore(database).save(
                    transaction,
                    DigestSettings(
                        guild_id=guild,
                        channel_id=channel,
                        hour=due.hour,
                        minute=due.minute,
                        timezone="UTC",
                        language="en",
                        days=frozenset(range(7)),
                        tracks="all",
                        include=(),
                        exclude=(),
                        paused=False,
                        since_seq=0,
                        set_by=self._discord.admin,
                        set_at=now - DAY,
                    ),
                )
            for person in self._people:
                wish = Subscription(0, person, None, None, "keyword", "tidal", "tidal", True, "en", 0, now)
                await SubscriptionStore(database).add(transaction, wish)

    async def round(self) -> None:
        """One day."""
        chance = self._random.random
        blind = self._random.sample(list(self._channels.values()), 3) if chance() < 0.3 else []
        forgetful, crowded = chance() < 0.5, chance() < 0.4
        self.figures.rounds += 1
        self.figures.blind += bool(blind)
        self.figures.crowded += crowded
        await self._load()
        await self._break_things()
        forgot = False
        for number in range(self._random.randint(2, 5)):
            await self._run_and_kill(number)
            if number == 0:
                for channel in blind:
                    await self._discord.let_read(channel, allowed=False)
            if crowded:
                await self._chat()
            if forgetful and (chance() < 0.5 or not forgot):
                await self._forget()
                forgot = True
        self.figures.forgetful += forgot
        await self._finish(blind)
        await self._check()
        await self._sleep_until_tomorrow()

    # --- what happens ----------------------------------------------------------------------------

    async def _load(self) -> None:
        entries = []
        for _ in range(self._random.randint(2, 12)):
            self._papers += 1
            name = f"Tidal Study Number {self._papers} of the Open Sea"
            entries.append(entry(name, authors=f"Ada Lovelace{'x' * (self._papers % 50)}, Alan Turing"))
        parsed = parse_bytes(listing(*entries).encode(), name="day.txt")
        await self._knowledge.loader.load([("day.txt", parsed)])

    async def _break_things(self) -> None:
        """Random faults, each with its seed."""
        await self._discord.ask("DELETE", "/faults")
        posts: dict[str, Any] = {"method": "POST", "path": "/messages$", "times": None}
        for fault in (
            {"action": "cut", "when": "after", "chance": 0.12},
            {"action": "cut", "when": "before", "chance": 0.05},
            {"action": "status", "status": 503, "when": "after", "chance": 0.08},
            {"action": "rate_limit", "retry_after": 0.05, "chance": 0.03},
            {"action": "slow", "seconds": 0.1, "when": "after", "chance": 0.1},
        ):
            await self._discord.ask(
                "POST", "/faults", {**posts, **fault, "seed": self._random.randrange(10**9)}
            )
        reads = {"method": "GET", "path": "/messages$", "times": None, "seed": self._random.randrange(10**9)}
        await self._discord.ask("POST", "/faults", {**reads, "action": "cut", "chance": 0.05})

    def _given(self, point: str | None = None, skip: int = 0) -> dict[str, Any]:
        path = self._knowledge.settings.database_path
        return {
            "api_base": self._discord.api_base,
            "token": self._discord.token,
            "database": str(path),
            "log": log_path(path.parent),
            "offset": self._offset.total_seconds(),
            "point": point,
            "skip": skip,
            "without": self._without,
        }

    async def _run_and_kill(self, number: int) -> None:
        """Kill at a named point, or, also when that isn't reached, at any moment of the first seconds."""
        point, skip = None, 0
        if self._random.random() < 0.7:
            deciding = number == 0 and self._random.random() < 0.6
            point = self._random.choice(POINTS[:4] if deciding else POINTS[4:])
            skip = 0 if "alerts" in point else self._random.randrange((20, 8, 2, 1, 1)[number])
        began = time.monotonic()
        patience = 4.0 if point else self._random.uniform(0.5, 2.5)
        await self._bot.start(self._given(point, skip))
        code = await self._bot.ended(within=patience)
        assert code == -signal.SIGKILL, f"the bot ended by itself with {code}"
        reached = point is not None and time.monotonic() - began < patience
        self.figures.kills[point if point and reached else "any moment"] += 1

    async def _chat(self) -> None:
        for channel in self._random.sample(list(self._channels.values()), 5):
            for number in range(3):
                await self._discord.act(
                    "send", user=self._discord.admin, channel=channel, content=f"so {number}"
                )

    async def _forget(self) -> None:
        """Minutes pass while the bot is down."""
        await self._pass(FORGOTTEN)
        await self._discord.ask("POST", "/nonces/forget")

    async def _pass(self, time_: timedelta) -> None:
        await self._discord.ask("POST", "/clock/advance", {"seconds": time_.total_seconds()})
        self._offset += time_
        self._clock.advance(time_)

    async def _sleep_until_tomorrow(self) -> None:
        await self._pass(DAY * self.figures.rounds - self._offset)

    async def _finish(self, blind: Sequence[int]) -> None:
        """The last start of the day, without a kill: everything arrives, then the bot is stopped."""
        before = self._fence()
        await self._bot.start(self._given())
        while self._fence() == before:  # noqa: ASYNC110 - another process changes it
            await asyncio.sleep(0.05)
        await self._until_quiet()
        await self._discord.ask("DELETE", "/faults")
        for channel in blind:
            await self._discord.let_read(channel, allowed=True)
        await self._until_quiet(held=0)
        self._bot.signal(signal.SIGTERM)
        code = await self._bot.ended(within=10.0)
        assert code == 0, f"SIGTERM ended the bot with {code}"

    async def _until_quiet(self, held: int | None = None) -> None:
        """Wait until nothing is on its way; with `held`, until so many parts wait for somebody."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            states, expected = self._progress()
            on_its_way = states["pending"] + states["sending"]
            if expected and not on_its_way and (held is None or states["held"] == held):
                return
            if expected and held is None and states["held"] and on_its_way <= 3 * states["held"]:
                return  # the rest stands behind what is held
            await asyncio.sleep(0.05)
        self.figures.problems.append(f"round {self.figures.rounds}: not quiet in {PATIENCE:g} s: {states}")

    def _fence(self) -> str | None:
        """Changes whenever a bot begins to send."""
        with contextlib.closing(sqlite3.connect(self._knowledge.settings.database_path)) as connection:
            row = connection.execute("SELECT value FROM meta WHERE key = 'fence'").fetchone()
        return None if row is None else str(row[0])

    def _progress(self) -> tuple[Counter[str], bool]:
        """Parts by state, and whether today's digests and alerts are decided."""
        with contextlib.closing(sqlite3.connect(self._knowledge.settings.database_path)) as connection:
            states = Counter(dict(connection.execute("SELECT state, count(*) FROM outbox GROUP BY state")))
            dates = connection.execute("SELECT count(*) FROM digest_dates").fetchone()[0]
            open_loads = connection.execute("SELECT count(*) FROM loads WHERE decided_at IS NULL").fetchone()[
                0
            ]
        return states, dates >= len(self._channels) * self.figures.rounds and not open_loads

    # --- what came of it -------------------------------------------------------------------------

    async def _check(self) -> None:
        """Every part stands exactly once in its place, and every paper was told to everybody."""
        figures = self.figures
        with contextlib.closing(sqlite3.connect(self._knowledge.settings.database_path)) as connection:
            parts = connection.execute(
                "SELECT whom, mark, state, channel_id, attempts, what FROM outbox"
            ).fetchall()
            told = connection.execute(
                "SELECT kind, count(*) FROM outbox_papers JOIN outbox ON outbox_id = outbox.id"
                " WHERE kind IN ('digest', 'alert') GROUP BY kind"
            ).fetchall()
        figures.parts = len(parts)
        figures.uncertain = sum(attempts > 1 for *_, attempts, _what in parts)
        expected = {"digest": self._papers * len(self._channels), "alert": self._papers * len(self._people)}
        if dict(told) != expected:
            figures.problems.append(f"round {figures.rounds}: told {dict(told)}, expected {expected}")
        places = {whom: channel for whom, _, _, channel, _, _ in parts if channel is not None}
        standing = {whom: await self._discord.marks(channel) for whom, channel in places.items()}
        lost = doubled = 0
        for whom, mark, state, _, _, what in parts:
            count = standing.get(whom, Counter())[encode("part", mark)]
            lost += count == 0
            doubled += max(0, count - 1)
            if count != 1 or state != "sent":
                figures.problems.append(
                    f"round {figures.rounds}: {what} to {whom} is {state}, stands {count} times"
                )
        figures.lost, figures.doubled = lost, doubled


@asynccontextmanager
async def bench(
    folder: Path, seed: int, *, without: Sequence[str] = (), guilds: int = 20, people: int = 30
) -> AsyncIterator[Bench]:
    """A furnished bench in a folder."""
    clock = ShiftedClock(SystemClock())
    settings = load_settings(_env_file=None, database_path=folder / "herald.db")
    async with (
        Discord() as discord,
        bot_process() as bot,
        open_knowledge(settings, clock, index=False) as knowledge,
    ):
        made = Bench(discord, bot, knowledge, clock, seed, without)
        await made.set_up(guilds, people)
        yield made


async def run(rounds: int, seed: int, *, without: Sequence[str] = (), until_wrong: bool = False) -> Figures:
    """So many rounds on a bench of its own."""
    folder = Path(tempfile.mkdtemp(prefix="herald-kill-"))
    async with bench(folder, seed, without=without) as made:
        for _ in range(rounds):
            await made.round()
            if until_wrong and made.figures.doubled:
                break
    if not made.figures.problems:
        shutil.rmtree(folder)
    return made.figures


async def _main(given: argparse.Namespace) -> Figures:
    each = given.rounds // given.benches
    runs = await asyncio.gather(
        *(run(each, given.seed + number, without=given.without) for number in range(given.benches))
    )
    total = Figures()
    for one in runs:
        total.add(one)
    return total


def main() -> int:
    """Run by hand."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--benches", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--without", nargs="*", default=[], choices=["look-up", "nonce"])
    began = time.monotonic()
    figures = asyncio.run(_main(parser.parse_args()))
    sys.stdout.write(f"{figures}, {time.monotonic() - began:.0f} s\n")
    for problem in figures.problems[:20]:
        sys.stdout.write(f"  {problem}\n")
    return 1 if figures.problems else 0


if __name__ == "__main__":
    sys.exit(main())
