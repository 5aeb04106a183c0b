"""The table of the search benchmark, what its gate looks at, and recall by kind.

Promises: of several seeds the table shows the mean and the worst of recalls and false positives, and the median of
times and sizes; the gate looks at the worst and the median.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.search_corpora import SPECS
from benchmarks.search_measure import Outcome, percentile
from benchmarks.search_queries import KINDS
from bot.search.model import Document

MOST_DROPPED = 0.05  # share of the queries of a kind


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table: its value, the targets by corpus, and whether smaller is better.

    `noisy` rows are times and sizes: the median of several seeds counts, and not the worst.
    """

    name: str
    value: Callable[[Outcome], float | None]
    targets: dict[str, float]
    shown: str = "{:.3f}"
    smaller: bool = False
    noisy: bool = False

    def values(self, outcomes: Sequence[Outcome]) -> list[float]:
        """What was measured, a value a seed."""
        return [value for outcome in outcomes if (value := self.value(outcome)) is not None]

    def judged(self, values: Sequence[float]) -> float:
        """The value that the gate looks at."""
        if self.noisy:
            return statistics.median(values)
        return max(values) if self.smaller else min(values)

    def met(self, value: float, target: float) -> bool:
        """Whether a value is good enough."""
        return value <= target if self.smaller else value >= target

    def cell(self, outcomes: Sequence[Outcome]) -> str:
        """What the table shows for a corpus."""
        values = self.values(outcomes)
        if not values:
            return "–"
        judged = self.judged(values)
        shown = self.shown.format(judged)
        if len(values) > 1 and not self.noisy:
            shown = f"{self.shown.format(statistics.fmean(values))}, worst {shown}"
        target = self.targets.get(outcomes[0].spec.name)
        if target is None:
            return shown
        sign = "≤" if self.smaller else "≥"
        missed = "" if self.met(judged, target) else " **missed**"
        return f"{shown} ({sign} {self.shown.format(target)}){missed}"


def _targets(*values: float | None) -> dict[str, float]:
    return {spec.name: v for spec, v in zip(SPECS.values(), values, strict=True) if v is not None}


def _timed(
    name: str, value: Callable[[Outcome], float | None], *targets: float | None, shown: str = "{:.2f}"
) -> Row:
    return Row(name, value, _targets(*targets) if targets else {}, shown, smaller=True, noisy=True)


ROWS = (
    Row("macro recall@1", lambda o: o.macro(o.first), _targets(1.0, 0.986, 0.983, 0.975, 0.96)),
    Row("macro recall@5", lambda o: o.macro(o.five), _targets(1.0, 0.997, 0.995, 0.99, None)),
    Row("typo kinds pooled, recall@1", lambda o: o.pooled("typo"), _targets(1.0, 0.985, 0.975, 0.965, None)),
    Row("plain kinds pooled, recall@1", lambda o: o.pooled("plain"), _targets(1.0, 0.998, 0.995, 0.99, None)),
    Row(
        "nonsense accepted",
        lambda o: o.nonsense[0],
        _targets(0, 0, 0, 0, None),
        "{:.3g}",
        smaller=True,
    ),
    Row(
        "absent real titles accepted",
        lambda o: o.absent[0] / max(1, o.absent[1]),
        _targets(0, 0.02, 0.03, 0.03, None),
        "{:.1%}",
        smaller=True,
    ),
    _timed("p50, ms", lambda o: percentile(o.queries.wall, 0.5), None, 1.3, 2, 3, None),
    _timed("p99, ms", lambda o: percentile(o.queries.wall, 0.99), None, 5, 6.5, 12, 45),
    _timed("p50, ms of processor", lambda o: percentile(o.queries.cpu, 0.5)),
    _timed("p99, ms of processor", lambda o: percentile(o.queries.cpu, 0.99)),
    _timed(
        "p99 ÷ WRatio's p99",
        lambda o: o.shares.get("wratio"),
        *(None, 1 / 20, 1 / 80, 1 / 120, None),
        shown="{:.4f}",
    ),
    _timed("keystroke p99, ms", lambda o: percentile(o.keystrokes.wall, 0.99), None, 2, 4, None, None),
    _timed("keystroke p99, ms of processor", lambda o: percentile(o.keystrokes.cpu, 0.99)),
    _timed("memory, MB", lambda o: o.shares.get("memory"), 45, 65, 140, 350, 1300, shown="{:.0f}"),
    _timed("loop gap p99, ms", lambda o: o.shares.get("gap99"), 5, 5, 5, 10, None, shown="{:.1f}"),
    _timed("loop gap max, ms", lambda o: o.shares.get("gapmax"), 20, 20, 20, 30, None, shown="{:.1f}"),
)


def table(corpora: Sequence[Sequence[Outcome]]) -> list[str]:
    """The rows as Markdown, a column a corpus; a value that misses its target is marked."""
    rows = [
        f"| {row.name} | " + " | ".join(row.cell(outcomes) for outcomes in corpora) + " |" for row in ROWS
    ]
    return [*_head("", corpora), *rows]


def by_kind(corpora: Sequence[Sequence[Outcome]]) -> list[str]:
    """Recall@1 / recall@5 of every kind over all seeds, with the largest share of queries dropped."""
    lines = _head("kind", corpora)
    for kind in KINDS:
        cells = [_kind_cell(kind.name, outcomes) for outcomes in corpora]
        lines.append(f"| {kind.name}{' (apart)' if kind.apart else ''} | " + " | ".join(cells) + " |")
    return lines


def _head(first: str, corpora: Sequence[Sequence[Outcome]]) -> list[str]:
    names = " | ".join(outcomes[0].spec.name for outcomes in corpora)
    return [f"| {first} | {names} |", "|---" * (len(corpora) + 1) + "|"]


def _kind_cell(kind: str, outcomes: Sequence[Outcome]) -> str:
    some = [o for o in outcomes if kind in o.cases]
    if not some:
        return "–"
    count = sum(o.cases[kind] for o in some)
    first = sum(o.first[kind] * o.cases[kind] for o in some) / count
    five = sum(o.five[kind] * o.cases[kind] for o in some) / count
    return f"{first:.3f} / {five:.3f} (n={count}, dropped {max(o.dropped[kind] for o in some):.0%})"


def missed(corpora: Sequence[Sequence[Outcome]]) -> list[str]:
    """What the gate complains about: targets, and kinds too many of whose queries were dropped."""
    complaints = []
    for outcomes in corpora:
        spec = outcomes[0].spec
        for row in ROWS if spec.gated else ():
            values, target = row.values(outcomes), row.targets.get(spec.name)
            if values and target is not None and not row.met(judged := row.judged(values), target):
                complaints.append(f"{spec.name}: {row.name} is {row.shown.format(judged)}")
        complaints += [
            f"{spec.name}, seed {o.seed}: {share:.0%} of “{kind}” dropped"
            for o in outcomes
            for kind, share in o.dropped.items()
            if share > MOST_DROPPED
        ]
    return complaints


def misses(outcome: Outcome, documents: Sequence[Document], limit: int) -> list[str]:
    """Queries whose first answer is wrong, at most `limit` of each kind."""
    lines = []
    seen: dict[str, int] = defaultdict(int)
    for case, ids in outcome.misses:
        seen[case.kind] += 1
        if seen[case.kind] <= limit:
            wanted = documents[min(case.right)]
            got = repr(documents[ids[0]].title_en) if ids else "nothing"
            place = (
                ids.index(right) + 1 if (right := next((i for i in ids if i in case.right), None)) else "–"
            )
            lines.append(
                f"  [{case.kind}] {case.text!r} → {got}; wanted {wanted.title_en!r} / {wanted.title_zh!r}"
                f" and {len(case.right) - 1} more, at {place}"
            )
    return lines
