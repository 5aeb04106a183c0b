"""The usual recipes, measured beside the engine on the same queries and machine.

Promises: rapidfuzz `process.extract` with WRatio over pre-normalised titles, and SQLite FTS5 (trigram) with a rerank.
"""

from __future__ import annotations

import math
import random
import sqlite3
import time
from collections.abc import Callable, Sequence

from rapidfuzz import fuzz, process

from benchmarks.search_cases import Case
from benchmarks.search_measure import percentile
from bot.search.model import Document
from bot.text import normalise

SAMPLE = 120  # queries, up to so many papers …
FEW_PAPERS = 60_000
SECONDS = 60.0  # … and beyond, where a scan takes seconds, as many as fit in so long, for each baseline,
LEAST = 40  # but so many at least


def measure(
    documents: Sequence[Document], cases: Sequence[Case], shares: dict[str, float], p99_ms: float
) -> None:
    """Add sample size, recall@1, p99 in ms and the engine's share of it to `shares`, for both baselines."""
    sample = random.Random(0).sample(list(cases), min(SAMPLE, len(cases)))
    seconds = SECONDS if len(documents) > FEW_PAPERS else math.inf
    titles = [normalise(document.title_en) for document in documents]
    ids = [document.id for document in documents]

    def wratio(text: str) -> list[int]:
        found = process.extract(normalise(text), titles, scorer=fuzz.WRatio, processor=None, limit=5)
        return [ids[place] for _, _, place in found]

    for name, ask in (("wratio", wratio), ("fts5", _fts5(titles, ids))):
        asked, recall, p99 = _run(ask, sample, seconds)
        shares[f"{name} queries"] = asked
        shares[f"{name} recall@1"] = recall
        shares[f"{name} p99 ms"] = p99
        shares[name] = p99_ms / p99


def _fts5(titles: list[str], ids: list[int]) -> Callable[[str], list[int]]:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE papers USING fts5(title, tokenize='trigram')")
    database.executemany("INSERT INTO papers(rowid, title) VALUES (?, ?)", enumerate(titles))

    def ask(text: str) -> list[int]:
        normal = normalise(text)
        grams = {normal[i : i + 3].replace('"', "") for i in range(len(normal) - 2)}
        words = " OR ".join(f'"{gram}"' for gram in sorted(grams) if len(gram) == 3)
        if not words:
            return []
        rows = database.execute(
            "SELECT rowid, title FROM papers WHERE papers MATCH ? ORDER BY rank LIMIT 200", (words,)
        ).fetchall()
        rows.sort(key=lambda row: -fuzz.WRatio(normal, row[1]))
        return [ids[row[0]] for row in rows[:5]]

    return ask


def _run(ask: Callable[[str], list[int]], sample: Sequence[Case], seconds: float) -> tuple[int, float, float]:
    """How many of a sample were asked, recall@1 and p99 in ms."""
    times: list[float] = []
    right = 0
    for case in sample:
        if len(times) >= LEAST and sum(times) > seconds * 1e3:
            break
        start = time.perf_counter()
        found = ask(case.text)
        times.append((time.perf_counter() - start) * 1e3)
        right += bool(found) and found[0] in case.right
    return len(times), right / len(times), percentile(times, 0.99)
