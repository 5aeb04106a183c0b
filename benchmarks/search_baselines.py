"""The usual recipes, measured beside the engine on the same queries and machine.

Promises: rapidfuzz `process.extract` with WRatio over pre-normalised titles, and SQLite FTS5 (trigram) with a rerank.
"""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Callable, Sequence

from rapidfuzz import fuzz, process

from benchmarks.search_cases import Case
from bot.search.model import Document
from bot.text import normalise

SAMPLE = 30  # a scan takes up to seconds


def measure(
    documents: Sequence[Document], cases: Sequence[Case], shares: dict[str, float], p99_ms: float
) -> None:
    """Add recall@1, p99 and the engine's share of it to `shares`, for both baselines."""
    sample = random.Random(0).sample(list(cases), min(SAMPLE, len(cases)))
    titles = [normalise(document.title_en) for document in documents]
    ids = [document.id for document in documents]

    def wratio(text: str) -> list[int]:
        found = process.extract(normalise(text), titles, scorer=fuzz.WRatio, processor=None, limit=5)
        return [ids[place] for _, _, place in found]

    for name, ask in (("wratio", wratio), ("fts5", _fts5(titles, ids))):
        recall, p99 = _run(ask, sample)
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


def _run(ask: Callable[[str], list[int]], sample: Sequence[Case]) -> tuple[float, float]:
    times, right = [], 0
    for case in sample:
        start = time.perf_counter()
        found = ask(case.text)
        times.append((time.perf_counter() - start) * 1e3)
        right += bool(found) and found[0] in case.right
    return right / len(sample), sorted(times)[int(0.99 * len(times))]
