"""Measures paper search: what it finds, what it rightly does not find, how fast, in how much memory.

Run ``python -m benchmarks.search [--sizes 30,5k] [--seeds 1,2,3]`` for the table of the README, ``--gate`` to fail
when a row misses its target. Corpora come from ``../shared/data`` or ``--data``. Baselines run beside it on the same
machine. Targets of the size 1m are wishes: the gate passes over them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks import search_baselines, search_loop, search_memory
from benchmarks.search_corpora import DATA, SPECS, CorpusSpec
from benchmarks.search_measure import Outcome, measure, percentile
from benchmarks.search_table import by_kind, missed, misses, table


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data", type=Path, default=DATA, help="folder with papers-real.jsonl.gz and the listing"
    )
    parser.add_argument("--sizes", default="30,5k,50k,150k", help="which corpora, of " + ",".join(SPECS))
    seeds = parser.add_mutually_exclusive_group()
    seeds.add_argument("--seed", type=int, default=1)
    seeds.add_argument("--seeds", help="several, such as 1,2,3: means, the worst recalls, the median times")
    parser.add_argument("--per-kind", type=int, default=100)
    parser.add_argument("--gate", action="store_true", help="exit 1 when a target is missed")
    parser.add_argument("--quick", action="store_true", help="no baselines, memory or event loop")
    parser.add_argument("--misses", type=int, default=0, help="print so many misses of each kind")
    return parser.parse_args(arguments)


def _one(spec: CorpusSpec, seed: int, options: argparse.Namespace) -> Outcome:
    outcome, documents, cases = measure(spec, options.data, seed, options.per_kind)
    if options.misses:
        print("\n".join([f"{spec.name}, seed {seed}:", *misses(outcome, documents, options.misses)]))
    if not options.quick:
        p99 = percentile(outcome.queries.wall, 0.99)
        search_baselines.measure(documents, cases, outcome.shares, p99)
        search_memory.measure(documents, cases, outcome.shares)
        search_loop.measure(documents, cases, outcome.shares)
    # Shown at once: a run over several seeds takes long.
    print(
        f"{spec.name}, seed {seed}: {outcome.papers} papers built in {outcome.build_s:.2f} s; "
        f"{sum(outcome.cases.values())} queries, {len(outcome.keystrokes.wall)} keystrokes; "
        f"nonsense accepted {outcome.nonsense}, absent {outcome.absent};",
        {k: round(v, 4) for k, v in outcome.shares.items()},
        flush=True,
    )
    return outcome


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; 1 when ``--gate`` finds a missed target."""
    options = _arguments(arguments)
    seeds = [int(seed) for seed in options.seeds.split(",")] if options.seeds else [options.seed]
    corpora = [[_one(SPECS[size], seed, options) for seed in seeds] for size in options.sizes.split(",")]
    complaints = missed(corpora)
    print("\n".join(["", *table(corpora), "", *by_kind(corpora), "", *(complaints or ["every target met"])]))
    return 1 if options.gate and complaints else 0


if __name__ == "__main__":
    sys.exit(main())
