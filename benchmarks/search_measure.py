"""Asks a search index everything once and keeps what came of it.

Promises: every query is timed once, on an index that lives in a process the size of a bot's, with its objects frozen
for the collector as the bot does before it is ready. Leaves the table to `search_table`.
"""

from __future__ import annotations

import gc
import math
import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

from benchmarks.search_cases import Case, Corpus
from benchmarks.search_corpora import CorpusSpec, load, nonsense
from benchmarks.search_queries import KINDS, make_cases
from bot.search.index import Index
from bot.search.model import Document, Query

_Result = TypeVar("_Result")
APART = {kind.name for kind in KINDS if kind.apart}
TYPISTS = 60  # papers whose title, Chinese title and first author are typed letter by letter
TYPED = 30  # letters of each


@dataclass(slots=True)
class Times:
    """What each call took, in ms: by the clock, and of the processor, which tells the same on a busy machine too."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def take(self, work: Callable[[], _Result]) -> _Result:
        """Time one call."""
        start, cpu = time.perf_counter(), time.thread_time()
        result = work()
        self.wall.append((time.perf_counter() - start) * 1e3)
        self.cpu.append((time.thread_time() - cpu) * 1e3)
        return result


@dataclass(slots=True)
class Outcome:
    """Everything measured on one corpus with one seed."""

    spec: CorpusSpec
    seed: int
    papers: int
    build_s: float
    nonsense: tuple[int, int]  # accepted, of how many
    absent: tuple[int, int]
    dropped: dict[str, float]  # share by kind
    first: dict[str, float] = field(default_factory=dict)  # recall@1 by kind
    five: dict[str, float] = field(default_factory=dict)
    cases: dict[str, int] = field(default_factory=dict)
    misses: list[tuple[Case, list[int]]] = field(default_factory=list)
    queries: Times = field(default_factory=Times)
    keystrokes: Times = field(default_factory=Times)
    shares: dict[str, float] = field(default_factory=dict)  # baselines, memory and event loop

    def macro(self, values: dict[str, float]) -> float:
        """The mean over kinds, those reported apart left out."""
        return statistics.fmean(v for k, v in values.items() if k not in APART)

    def pooled(self, group: str) -> float:
        """Recall@1 over all queries of a group of kinds together."""
        kinds = [k.name for k in KINDS if k.group == group and k.name in self.cases]
        return sum(self.first[k] * self.cases[k] for k in kinds) / sum(self.cases[k] for k in kinds)


def measure(
    spec: CorpusSpec, data: Path, seed: int, per_kind: int
) -> tuple[Outcome, list[Document], list[Case]]:
    """Build, ask everything, count."""
    gc.unfreeze()
    documents, absent = load(spec, data, seed)
    start = time.perf_counter()
    index = Index.build(documents)
    built = time.perf_counter() - start
    cases, tried, dropped = make_cases(Corpus(documents), per_kind, seed)
    # As the bot does before it is ready (`bot.app`): pauses for the benchmark's own objects are no part of a lookup.
    gc.collect()
    gc.freeze()
    outcome = Outcome(
        spec,
        seed,
        len(documents),
        built,
        nonsense=_accepted(index, nonsense(seed)),
        absent=_accepted(index, absent),
        dropped={kind: dropped[kind] / n for kind, n in tried.items()},
    )
    _ask(index, cases, outcome)
    for text in keystrokes(documents, seed):
        outcome.keystrokes.take(partial(index.suggest, text))
    return outcome, documents, cases


def _ask(index: Index, cases: Sequence[Case], outcome: Outcome) -> None:
    first: Counter[str] = Counter()
    five: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for case in cases:
        hits = outcome.queries.take(partial(index.search, Query(case.text), 5))
        ids = [hit.id for hit in hits]
        total[case.kind] += 1
        first[case.kind] += bool(ids) and ids[0] in case.right
        five[case.kind] += any(paper in case.right for paper in ids)
        if not ids or ids[0] not in case.right:
            outcome.misses.append((case, ids))
    outcome.cases = dict(total)
    outcome.first = {kind: first[kind] / n for kind, n in total.items()}
    outcome.five = {kind: five[kind] / n for kind, n in total.items()}


def _accepted(index: Index, texts: Sequence[str]) -> tuple[int, int]:
    return sum(bool(index.search(Query(text), 5)) for text in texts), len(texts)


def keystrokes(documents: Sequence[Document], seed: int) -> Iterator[str]:
    """Titles in both languages and names, from the first letter on."""
    some = random.Random(f"keystrokes/{seed}").sample(documents, min(TYPISTS, len(documents)))
    for paper in some:
        for text in (paper.title_en, paper.title_zh or "", *paper.authors[:1]):
            for end in range(1, min(len(text), TYPED) + 1):
                yield text[:end]


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of the values don't exceed."""
    return sorted(values)[math.ceil(share * len(values)) - 1]
