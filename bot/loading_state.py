"""A load under way: its report, and the papers that one batch of its records touches.

Promises: the report's numbers add up; a record is given the paper it is, or a new one.
Leaves to `bot.recognition`: who is who; to `bot.loading`: merging and storing.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from bot.papers.listing import Rejection
from bot.papers.model import PaperState, Record
from bot.recognition import is_same

log = logging.getLogger(__name__)

# So many disagreements of sources are named in a report; of the rest the number is told.
TOLD = 200


@dataclass(slots=True)
class LoadReport:
    """What a load did; the stable JSON of `import --json`."""

    files: list[str] = field(default_factory=list)
    read: int = 0
    new: int = 0
    updated: int = 0
    unchanged: int = 0
    duplicate: list[dict[str, Any]] = field(default_factory=list)
    rejected: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)  # files that could not be read

    def add_rejections(self, rejections: Sequence[Rejection]) -> None:
        """Count records that could not be read."""
        self.read += len(rejections)
        self.rejected += [{"file": r.file, "line": r.line, "reason": r.reason} for r in rejections]

    def to_json(self) -> dict[str, Any]:
        """The load report with its stable field names."""
        return {
            "files": self.files,
            "read": self.read,
            "new": self.new,
            "updated": self.updated,
            "unchanged": self.unchanged,
            "duplicate": self.duplicate,
            "rejected": self.rejected,
            "warnings": self.warnings + self.failed,
        }


@dataclass(slots=True)
class Touched:
    """What this load has done to a paper so far: the first record that was it."""

    file: str
    line: int


@dataclass(slots=True)
class Run:
    """One load under way."""

    report: LoadReport
    touched: dict[int, Touched]
    source: str
    load_id: int = 0
    disagreements: int = 0

    def disagree(self, sentence: str) -> None:
        """Sources contradict each other: logged, and told in the report as long as it stays readable."""
        self.disagreements += 1
        if self.disagreements <= TOLD:
            log.warning("%s", sentence)
            self.report.warnings.append(sentence)


@dataclass(slots=True)
class Batch:
    """The papers that one batch of records touches, and what it makes of them."""

    now: datetime
    next_id: int
    states: dict[int, PaperState] = field(default_factory=dict)
    by_key: dict[str, list[int]] = field(default_factory=dict)
    new: set[int] = field(default_factory=set)
    changed: set[int] = field(default_factory=set)
    keys: list[tuple[str, int]] = field(default_factory=list)

    def find(self, record: Record, keys: tuple[str, ...]) -> int | None:
        """The known paper that the record is, or None; of several the oldest, but for a record that names nobody."""
        for key in keys:
            found = [
                paper for paper in self.by_key.get(key, ()) if is_same(record, self.states[paper].record, key)
            ]
            if found and (len(found) == 1 or record.authors):
                return found[0]
        return None

    def add(self, state: PaperState) -> int:
        """A new paper; its id."""
        paper, self.next_id = self.next_id, self.next_id + 1
        self.states[paper] = state
        self.new.add(paper)
        self.changed.add(paper)
        return paper

    def replace(self, paper: int, state: PaperState) -> None:
        """A changed paper."""
        self.states[paper] = state
        self.changed.add(paper)

    def remember(self, paper: int, keys: tuple[str, ...]) -> None:
        """The keys under which the paper was seen now."""
        for key in keys:
            owners = self.by_key.setdefault(key, [])
            if paper not in owners:
                owners.append(paper)
                self.keys.append((key, paper))
