"""What the memory benchmark runs in a process of its own."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.search_memory import documents_of, peak_mb, resident_mb
from bot.search.index import Index
from bot.search.model import Query


def run(corpus: str) -> None:
    """Build, ask 1,000 queries, print the resident size in MB, and its peak."""
    path = Path(corpus)
    index = Index.build(documents_of(path))
    with path.open(encoding="utf-8") as file:
        texts = json.loads(file.readline())
    for text in texts:
        index.search(Query(text), 5)
    print(resident_mb(), peak_mb())
