"""Measures a large load: papers a second into SQLite, peak memory, and what a running bot's lookups feel of it.

Run ``python -m benchmarks.loading [--papers 40869] [--gate]``. The papers are the real ICLR papers of
``../shared/data`` (or ``--data``) put in the form of a listing; many of them name no authors.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.search_corpora import DATA
from bot.clock import SystemClock
from bot.engine import WATCH_EVERY
from bot.knowledge import Knowledge, open_knowledge
from bot.search.model import Query
from bot.settings import load_settings

PAPERS_A_SECOND = 2_000
MEMORY_MB = 400
LOOKUP_MS = 100
EVERY = 0.02  # seconds between two lookups
_STATUS = {"Reject": "Rejected from", "Desk Reject": "Rejected from", "Withdraw": "Withdrawn from"}
_QUERIES = (
    "diffusion models",
    "graph neural network",
    "reinforcment lerning",
    "log qunat",
    "adversarial robustness",
    "attention",
    "variational autoencoder",
    "第100篇论文",
)


@dataclass
class Outcome:
    """What one import came to."""

    report: dict[str, Any]
    wall_s: float
    cpu_s: float
    peak_mb: float


@dataclass
class Watched:
    """What a bot that runs beside an import notices."""

    lookups_ms: list[float] = field(default_factory=list)
    stalls_ms: list[float] = field(default_factory=list)
    searchable_s: float = 0.0  # from the import's start until every paper is in the index


def papers(data: Path, count: int) -> list[dict[str, Any]]:
    """The real ICLR papers, oldest first."""
    with gzip.open(data / "papers-real.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = (json.loads(line) for line in lines)
        return [row for row in rows if row["venue"] == "ICLR"][:count]


def listing(rows: Sequence[dict[str, Any]]) -> str:
    """Papers in the form of the listing; summaries and Chinese titles are made up."""
    lines = ["ICLR", ""]
    for number, row in enumerate(rows):
        lines += [row["title"], "", f"第{number}篇论文的中文标题", ""]
        if row.get("authors"):
            lines += [", ".join(row["authors"]), ""]
        if row.get("affiliations"):
            lines += [f"机构 * {' ； '.join(row['affiliations'])} 纠错", ""]
        said = _STATUS.get(row.get("status") or "", "Published at")
        lines += [f"AI总结 本文提出第{number}种新方法，并在多个基准上验证了它的有效性。", ""]
        lines += [f"Comments {said} ICLR {row['year']}", ""]
    return "\n".join(lines)


async def run_import(database: Path, file: Path) -> Outcome:
    """`python -m bot import` in a process of its own."""
    started = time.perf_counter()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "import", "--json", str(file)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={**os.environ, "DATABASE_PATH": str(database)},
    )
    assert process.stdout is not None
    peak = asyncio.create_task(_peak(process.pid))
    before = os.times()
    out = await process.stdout.read()
    await process.wait()
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Outcome(json.loads(out), time.perf_counter() - started, cpu, await peak)


async def _peak(pid: int) -> float:
    """The largest resident size of a process while it lives, in MB; 0 where there is no /proc."""
    found = 0.0
    status = Path(f"/proc/{pid}/status")
    while True:
        try:
            text = await asyncio.to_thread(status.read_text, "ascii")
        except OSError:
            return found
        line = next((line for line in text.splitlines() if line.startswith("VmHWM")), None)
        if line is None:
            return found  # it has ended
        found = int(line.split()[1]) / 1024
        await asyncio.sleep(0.05)


async def watch(knowledge: Knowledge, file: Path, total: int) -> tuple[Outcome, Watched]:
    """Import beside a running bot that follows the database, as its engine does, and answers lookups."""
    watched = Watched()
    done = asyncio.Event()
    helpers = [
        asyncio.create_task(_follow(knowledge, done)),
        asyncio.create_task(_ask(knowledge, watched, done)),
        asyncio.create_task(_feel(watched, done)),
    ]
    started = time.perf_counter()
    outcome = await run_import(knowledge.settings.database_path, file)
    stored = outcome.report["new"]
    await asyncio.wait_for(_searchable(knowledge, stored), 600)
    watched.searchable_s = time.perf_counter() - started
    done.set()
    await asyncio.gather(*helpers)
    assert outcome.report["read"] == total
    return outcome, watched


async def _searchable(knowledge: Knowledge, papers: int) -> None:
    while len(knowledge.search) < papers:  # noqa: ASYNC110 - the index tells nobody
        await asyncio.sleep(0.01)


async def _follow(knowledge: Knowledge, done: asyncio.Event) -> None:
    seen = None
    while not done.is_set():
        version = await knowledge.database.version()
        if version != seen:
            await knowledge.indexer.refresh()
            seen = version
        await asyncio.sleep(WATCH_EVERY)


async def _ask(knowledge: Knowledge, watched: Watched, done: asyncio.Event) -> None:
    number = 0
    while not done.is_set():
        started = time.perf_counter()
        text = _QUERIES[number % len(_QUERIES)]
        if number % 2:
            await knowledge.lookups.search(Query(text), limit=5)
        else:
            await knowledge.lookups.suggest(text, who=None)
        watched.lookups_ms.append((time.perf_counter() - started) * 1000)
        number += 1
        await asyncio.sleep(EVERY)


async def _feel(watched: Watched, done: asyncio.Event) -> None:
    """How late the event loop wakes up."""
    while not done.is_set():
        started = time.perf_counter()
        await asyncio.sleep(0.005)
        watched.stalls_ms.append((time.perf_counter() - started - 0.005) * 1000)


def _percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def _spread(values: Sequence[float]) -> str:
    return (
        f"{len(values):,}×: median {statistics.median(values):.1f} ms, p99 {_percentile(values, 0.99):.1f} ms, "
        f"max {max(values):.1f} ms"
    )


async def measure(data: Path, count: int, folder: Path) -> bool:
    """Print the table; whether every target is met."""
    rows = await asyncio.to_thread(papers, data, count)
    file = folder / "listing.txt"
    await asyncio.to_thread(file.write_text, listing(rows), "utf-8")
    alone = await run_import(folder / "alone.db", file)
    again = await run_import(folder / "alone.db", file)
    settings = load_settings(_env_file=None, database_path=folder / "beside.db")
    async with open_knowledge(settings, SystemClock()) as knowledge:
        beside, watched = await watch(knowledge, file, len(rows))
    _print(len(rows), alone, again, beside, watched)
    return (
        len(rows) / alone.wall_s >= PAPERS_A_SECOND
        and max(alone.peak_mb, beside.peak_mb) <= MEMORY_MB
        and _percentile(watched.lookups_ms, 0.99) < LOOKUP_MS
    )


def _print(total: int, alone: Outcome, again: Outcome, beside: Outcome, watched: Watched) -> None:
    for name, outcome in (("import", alone), ("the same again", again), ("beside a running bot", beside)):
        report = outcome.report
        print(
            f"{name:21} {total / outcome.wall_s:7,.0f} papers/s  wall {outcome.wall_s:5.1f} s  "
            f"CPU {outcome.cpu_s:5.1f} s ({total / outcome.cpu_s:,.0f} papers/s)  peak {outcome.peak_mb:4.0f} MB  "
            f"{report['new']:,} new, {report['updated']:,} updated, {report['unchanged']:,} unchanged, "
            f"{len(report['duplicate'])} duplicate, {len(report['rejected'])} rejected"
        )
    print(
        f"searchable in {watched.searchable_s:.1f} s ({total / watched.searchable_s:,.0f} papers/s); "
        f"lookups during the load {_spread(watched.lookups_ms)}; event loop late by {_spread(watched.stalls_ms)}"
    )
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def main() -> int:
    """Measure, and with ``--gate`` fail when a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.loading")
    parser.add_argument("--papers", type=int, default=1_000_000)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--gate", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="iclr-herald-") as folder:
        met = asyncio.run(measure(given.data, given.papers, Path(folder)))
    return 1 if given.gate and not met else 0


if __name__ == "__main__":
    sys.exit(main())
