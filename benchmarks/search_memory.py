"""Memory of the index: a process that built it and answered 1,000 queries, minus one that only imported the rest.

Linux only: the resident size is read from /proc. The child reads its documents line by line, so that nothing of the
benchmark itself is counted.
"""

from __future__ import annotations

import gc
import itertools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.search_cases import Case
from bot.search.model import Document

QUERIES = 1000
_IMPORTS = "import discord, aiosqlite, apscheduler.schedulers.asyncio"


def measure(documents: Sequence[Document], cases: Sequence[Case], shares: dict[str, float]) -> None:
    """Add the index's memory in MB to `shares`, now and at its peak; nothing where there is no /proc."""
    if not Path("/proc/self/statm").exists():
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "corpus.jsonl"
        texts = itertools.islice(itertools.cycle([case.text for case in cases]), QUERIES)
        with path.open("w", encoding="utf-8") as file:
            file.write(json.dumps(list(texts)) + "\n")
            file.writelines(json.dumps(asdict(document)) + "\n" for document in documents)
        (before,), (after, peak) = _child(_RESIDENT), _child(_INDEXED.format(path=str(path)))
        shares["memory"], shares["memory peak"] = after - before, peak - before


def _child(code: str) -> list[float]:
    command = [sys.executable, "-c", f"{_IMPORTS}; {code}"]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
    return [float(value) for value in answer.stdout.split()]


_INDEXED = "import benchmarks.search_memory_child as child; child.run({path!r})"
_RESIDENT = (
    "import os; print(int(open('/proc/self/statm').read().split()[1]) * os.sysconf('SC_PAGE_SIZE') / 1e6)"
)


def documents_of(path: Path) -> Iterator[Document]:
    """The documents of a corpus file, one at a time."""
    with path.open(encoding="utf-8") as file:
        next(file)
        for line in file:
            row: dict[str, Any] = json.loads(line)
            values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
            yield Document(**values)


def resident_mb() -> float:
    """This process's resident size."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def peak_mb() -> float:
    """The largest resident size this process ever had."""
    # Not `ru_maxrss`: a child's starts from its parent's.
    rows = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(row.split()[1]) for row in rows if row.startswith("VmHWM:")) * 1024 / 1e6
