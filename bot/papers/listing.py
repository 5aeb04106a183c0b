"""A parsed listing in text form, read record by record.

Promises: never raises; a record is anchored on its summary label; every line ends in a field, is known
navigation, or is reported with its number; a broken record is rejected and the rest still loads.
Leaves to `files`: bytes and encodings; to `grouping`: which line is whose; to `drafts`: a record's fields.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from bot.papers.clean import clean_lines
from bot.papers.drafts import Built, Rejection, build
from bot.papers.grouping import read_drafts
from bot.papers.labels import Line
from bot.papers.model import Record

__all__ = ["Collected", "Parsed", "Rejection", "parse_lines", "parse_listing"]

# So many unknown lines are named one by one; of the rest the number is told.
_NAMED_UNKNOWN = 200


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a listing holds. `len(records) + len(rejected)` is the number of records read.

    `source` is the kind of source the content shows, as `bot.papers.merge` orders them.
    """

    records: tuple[Record, ...] = ()
    rejected: tuple[Rejection, ...] = ()
    warnings: tuple[str, ...] = ()
    source: str = "listing"


def parse_listing(text: str, *, name: str) -> Parsed:
    """Read every record of a listing.

    Args:
        text: the listing, decoded; any line breaks, entities not yet decoded.
        name: the file's name, for rejections and warnings.
    """
    notes: list[tuple[int, str]] = []
    return parse_lines(clean_lines(text, notes), name=name, notes=notes)


def parse_lines(lines: Iterable[str], *, name: str, notes: list[tuple[int, str]] | None = None) -> Parsed:
    """The same for lines that are clean already (`bot.papers.clean`); blank ones are ``""``.

    Args:
        lines: the n-th item is line n.
        name: the file's name.
        notes: (line number, sentence) of what was noticed while cleaning; read at the end.
    """
    collected = Collected(name)
    for draft in read_drafts(lines):
        collected.add(build(draft, name))
    # The notes grow while the lines are read.
    return collected.parsed(notes if notes is not None else [])


@dataclass(slots=True)
class Collected:
    """Gathers what the drafts of one file came to."""

    name: str
    records: list[Record] = field(default_factory=list)
    rejected: list[Rejection] = field(default_factory=list)
    warnings: list[tuple[int, str]] = field(default_factory=list)
    unknown: list[Line] = field(default_factory=list)
    unnamed: int = 0

    def add(self, built: Built) -> None:
        """Take in one draft's result."""
        if isinstance(built.record, Record):
            self.records.append(built.record)
        elif built.record is not None:
            self.rejected.append(built.record)
        self.warnings += built.warnings
        room = _NAMED_UNKNOWN - len(self.unknown)
        self.unknown += built.unknown[:room]
        self.unnamed += max(0, len(built.unknown) - room)

    def parsed(self, notes: list[tuple[int, str]]) -> Parsed:
        """Everything so far, the warnings in the order of their lines.

        Args:
            notes: (line number, sentence) from outside the drafts.
        """
        unknown = [(line.number, f"not understood: “{_short(line.text)}”") for line in self.unknown]
        sentences = [
            f"{self.name}: line {number}: {sentence}"
            for number, sentence in sorted([*_bounded(notes), *_bounded(self.warnings), *unknown])
        ]
        if self.unnamed:
            sentences.append(f"{self.name}: {self.unnamed} further lines were not understood")
        return Parsed(tuple(self.records), tuple(self.rejected), tuple(sentences))


def _bounded(notes: list[tuple[int, str]]) -> list[tuple[int, str]]:
    if len(notes) <= 1_000:
        return notes
    return [*notes[:1_000], (notes[1_000][0], f"and {len(notes) - 1_000} further warnings of this kind")]


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:79]}…"
