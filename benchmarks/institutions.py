"""Measures the institution resolver: how much it resolves, how fast, in how much memory.

Run ``python -m benchmarks.institutions [--data DIR]`` for the figures of docs/institutions.md, ``--unresolved 200``
to list what it does not know, ``--sample 300 --seed 1`` for resolved mentions to read, ``--gate`` to fail when a
target is missed. The affiliations come from `papers-real.jsonl.gz` in ``../shared/data`` or ``--data``.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from bot.institutions import table
from bot.institutions.directory import Directory
from bot.institutions.model import Match, Resolution
from bot.institutions.resolver import Resolver

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SHARE = 0.75  # of the mentions that name an organisation
SPEED = 20_000  # distinct strings a second on one core, the ROR subset loaded
ROUNDS = 5


def mentions(path: Path) -> Counter[str]:
    """Every affiliation string with the number of papers that print it."""
    counts: Counter[str] = Counter()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            counts.update(json.loads(line).get("affiliations") or ())
    return counts


def strings_per_second(resolver: Resolver, texts: list[str]) -> float:
    """The best of some rounds over distinct strings, in processor time; there is no cache to warm."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for text in texts:
            resolver.resolve(text)
        best = min(best, time.process_time() - start)
    return len(texts) / best


def megabytes(build: Callable[[], object]) -> tuple[float, float]:
    """What `build` keeps allocated in megabytes, and the seconds it takes without being watched."""
    start = time.perf_counter()
    build()
    seconds = time.perf_counter() - start
    tracemalloc.start()
    kept = build()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del kept
    return size / 1e6, seconds


def shares(answers: dict[str, Resolution], counts: Counter[str]) -> Counter[Match]:
    """Mentions by status."""
    total: Counter[Match] = Counter()
    for text, answer in answers.items():
        total[answer.status] += counts[text]
    return total


def sample(
    answers: dict[str, Resolution], counts: Counter[str], size: int, seed: int
) -> Iterator[tuple[str, Resolution]]:
    """Random resolved mentions, each paper's mention equally likely, distinct texts, in the order drawn."""
    texts = sorted(text for text, answer in answers.items() if answer.status is Match.EXACT)
    drawn = random.Random(seed).choices(texts, weights=[counts[text] for text in texts], k=size * 3)
    for text in list(dict.fromkeys(drawn))[:size]:
        yield text, answers[text]


def report(args: argparse.Namespace) -> bool:
    """Print the figures; return whether the targets are met."""
    counts = mentions(args.data / "papers-real.jsonl.gz")
    texts = list(counts)
    plain = Directory.shipped()
    dump = args.data / "ror-subset.jsonl.gz"
    print(f"{counts.total():,} mentions, {len(texts):,} distinct; {len(plain):,} shipped organisations")
    met = True
    for name, directory in (("shipped table", plain), ("with ROR subset", plain.with_ror(dump))):
        resolver = Resolver(directory)
        total = shares({text: resolver.resolve(text) for text in texts}, counts)
        share = total[Match.EXACT] / (counts.total() - total[Match.NONE])
        speed = strings_per_second(resolver, texts)
        parts = ", ".join(f"{status.value} {total[status]:,}" for status in Match)
        print(
            f"{name}: {share:.1%} of the mentions that name an organisation ({parts}); {speed:,.0f} strings/s"
        )
        met = met and share >= SHARE and speed >= SPEED
    for name, build in (
        ("shipped table", lambda: Directory(*table.shipped())),
        ("with ROR subset", lambda: Directory(*table.shipped()).with_ror(dump)),
    ):
        size, seconds = megabytes(build)
        print(f"{name}: {size:.1f} MB, loaded in {seconds:.2f} s")
    return met


def main() -> int:
    """Parse the command line and print what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--unresolved", type=int, default=0)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gate", action="store_true")
    args = parser.parse_args()
    if not (args.unresolved or args.sample):
        met = report(args)
        return 0 if met or not args.gate else 1
    counts = mentions(args.data / "papers-real.jsonl.gz")
    resolver = Resolver(Directory.shipped())
    answers = {text: resolver.resolve(text) for text in counts}
    unknown = Counter(
        {text: counts[text] for text, answer in answers.items() if answer.status is Match.UNKNOWN}
    )
    for text, count in unknown.most_common(args.unresolved):
        print(f"{count}\t{text}")
    for text, _ in sample(answers, counts, args.sample, args.seed):
        found = [answer.organisation.name_en for answer in resolver.resolve_all(text) if answer.organisation]
        print(f"{text}\t{'; '.join(found)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
