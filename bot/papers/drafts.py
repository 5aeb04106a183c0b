"""From the lines of one paper to its record.

Promises: never raises; each line becomes part of a field, or is handed back as not understood; a record that
can't be trusted is rejected with line and reason. Leaves to `grouping`: which lines are one paper's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date

from bot.papers.affiliations import split_affiliations
from bot.papers.authors import split_authors
from bot.papers.dates import parse_date
from bot.papers.headers import TITLE_LIMIT, is_chinese
from bot.papers.identity import canonical_arxiv_id
from bot.papers.labels import Kind, Line, is_category, read_meta
from bot.papers.links import find_links
from bot.papers.model import Record
from bot.papers.readable import stray_macros
from bot.papers.venue import read_venue

_SILENT = frozenset({Kind.NAVIGATION, Kind.DETAILS})
_ABSTRACTS = frozenset({Kind.ABSTRACT_EN, Kind.ABSTRACT_ZH})
_SENTENCES = frozenset({Kind.SUMMARY_EN, Kind.SUMMARY_ZH})
_ENDS = tuple("。.!！?？…”’\"')）】」")
_GOES_ON = re.compile(r"(?:[,;:(&–-]|\b(?:and|at|by|for|in|of|on|the|to|with))$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Rejection:
    """A record that could not be read: where it stands and why."""

    file: str
    line: int
    reason: str


@dataclass(slots=True)
class Draft:
    """The lines of one paper. Without title and `headless_at`: lines that belong to no paper."""

    title: Line | None = None
    title_zh: Line | None = None
    authors: Line | None = None
    lines: list[Line] = field(default_factory=list)
    headless_at: int = 0  # the line of a record that has no English title

    def has(self, kind: Kind) -> bool:
        """Whether a line of this kind is among the draft's."""
        return any(line.kind is kind for line in self.lines)

    @property
    def has_header(self) -> bool:
        """Whether a paper begins here at all."""
        return self.title is not None or self.headless_at > 0 or self.has(Kind.TITLE)


@dataclass(slots=True)
class Built:
    """A draft's record or rejection (``None`` when it is no paper), and what there is to say about it."""

    record: Record | Rejection | None
    warnings: list[tuple[int, str]]
    unknown: list[Line]


class _BrokenError(Exception):
    """The record can't be trusted; the message is the reason."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


@dataclass(slots=True)
class _Fields:
    """The values of a draft's labels, and the number of the line each one stands on."""

    values: dict[Kind, str] = field(default_factory=dict)
    numbers: dict[Kind, int] = field(default_factory=dict)
    meta: list[Line] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    unknown: list[Line] = field(default_factory=list)
    warnings: list[tuple[int, str]] = field(default_factory=list)
    open: Kind | None = None  # the label that a plain line may still belong to
    block: bool = False  # whether the open label stood alone on its line

    def get(self, kind: Kind) -> str | None:
        return self.values.get(kind) or None


def build(draft: Draft, file: str) -> Built:
    """Read a draft's lines.

    Args:
        draft: the lines of one paper.
        file: the file's name, for a rejection.
    """
    fields = _Fields()
    if not draft.has_header:
        stray = [line for line in draft.lines if line.kind not in _SILENT]
        return Built(None, [], stray)
    for line in draft.lines:
        _take(fields, line)
    record: Record | Rejection
    try:
        record = _record(draft, fields)
    except _BrokenError as error:
        record = Rejection(file, error.line, str(error))
    return Built(record, fields.warnings, fields.unknown)


# --- lines to fields --------------------------------------------------------------------------------------


def _take(fields: _Fields, line: Line) -> None:
    kind = line.kind
    if kind is Kind.TEXT:
        _take_text(fields, line)
    elif kind in _SILENT:
        fields.open = None
    elif kind is Kind.META:
        fields.meta.append(line)
        fields.open = None
    elif kind is Kind.LINK:
        fields.links.append(line.value)
        fields.open, fields.block = (None, False) if line.value else (kind, True)
    else:
        _take_label(fields, line)


def _take_label(fields: _Fields, line: Line) -> None:
    kind = line.kind
    value = line.value
    if value.endswith((" 纠错", " 糾錯")):
        value = value[:-3].rstrip()
    if fields.values.get(kind):
        if value != fields.values[kind]:
            fields.warnings.append((line.number, f"a second “{kind.value}” was left out"))
        fields.open = None
        return
    fields.values[kind] = value
    fields.numbers[kind] = line.number
    fields.open, fields.block = kind, not value


def _take_text(fields: _Fields, line: Line) -> None:
    kind = fields.open
    if kind is Kind.LINK:
        fields.links.append(line.text)
        fields.open = None
    elif kind is None or not _continues(fields, kind, line.text):
        fields.unknown.append(line)
        fields.open = None
    else:
        value = fields.values[kind]
        fields.values[kind] = f"{value}{_joint(kind, value)}{line.text}" if value else line.text


def _continues(fields: _Fields, kind: Kind, text: str) -> bool:
    """Whether a plain line below a label's value goes on with it."""
    value = fields.values[kind]
    if fields.block and (not value or kind in _ABSTRACTS):
        return True
    if kind is Kind.INSTITUTIONS and fields.block:
        return "；" not in value or value.endswith("；")
    if kind in _SENTENCES:
        return not value.endswith(_ENDS) and is_chinese(text) == is_chinese(value)
    if kind in _ABSTRACTS:
        return not value.endswith(_ENDS)
    return bool(_GOES_ON.search(value)) or value.count("(") > value.count(")")


def _joint(kind: Kind, value: str) -> str:
    if kind is Kind.INSTITUTIONS:
        return "" if value.endswith("；") else "；"
    if kind in _ABSTRACTS:
        return "\n"
    return "" if is_chinese(value) else " "


# --- fields to a record -----------------------------------------------------------------------------------


def _record(draft: Draft, fields: _Fields) -> Record:
    title, line = _title(draft, fields)
    title_zh = draft.title_zh.text if draft.title_zh else fields.get(Kind.TITLE_ZH)
    printed = draft.authors.text if draft.authors else fields.get(Kind.AUTHORS)
    if not (fields.values or fields.meta):
        raise _BrokenError(line, "nothing but a title and authors: no summary and no other field")
    people = split_authors(printed or "")
    if not people.authors:
        fields.warnings.append((line, f"no authors: “{title[:80]}”"))
    if not (fields.get(Kind.SUMMARY_ZH) or fields.get(Kind.SUMMARY_EN)):
        fields.warnings.append((line, f"no summary: “{title[:80]}”"))
    arxiv_id, day, categories = _meta(fields)
    institutions, notes = split_affiliations(fields.values.get(Kind.INSTITUTIONS, ""))
    if fields.values.get(Kind.INSTITUTIONS):
        fields.warnings += [(fields.numbers[Kind.INSTITUTIONS], note) for note in notes]
    for macro in stray_macros(title):
        fields.warnings.append((line, f"the title has the macro {macro}"))
    comments, journal_ref = fields.get(Kind.COMMENTS), fields.get(Kind.JOURNAL_REF)
    return Record(
        title_en=title,
        title_zh=title_zh,
        authors=people.authors,
        collaboration=people.collaboration,
        institutions=institutions,
        summary_en=fields.get(Kind.SUMMARY_EN),
        summary_zh=fields.get(Kind.SUMMARY_ZH),
        abstract_en=fields.get(Kind.ABSTRACT_EN),
        abstract_zh=fields.get(Kind.ABSTRACT_ZH),
        comments=comments,
        journal_ref=journal_ref,
        arxiv_id=arxiv_id,
        date=day,
        categories=categories,
        links=find_links(" ; ".join(filter(None, (comments, journal_ref, *fields.links)))),
        venue=read_venue(comments, journal_ref),
        line=line,
    )


def _title(draft: Draft, fields: _Fields) -> tuple[str, int]:
    line = draft.title.number if draft.title else fields.numbers.get(Kind.TITLE, draft.headless_at)
    title = draft.title.text if draft.title else fields.get(Kind.TITLE)
    if not title or not any(map(str.isalpha, title)):
        raise _BrokenError(line, "no English title above the summary")
    if len(title) > TITLE_LIMIT:
        raise _BrokenError(line, f"a title of {len(title)} characters")
    return title, line


def _meta(fields: _Fields) -> tuple[str | None, date | None, tuple[str, ...]]:
    """The arXiv id, date and categories from the meta line and from labels of their own."""
    arxiv_id, categories, dates = "", tuple[str, ...](), list[tuple[int, str]]()
    for line in fields.meta:
        found, date_text, subjects = read_meta(line.text)
        arxiv_id = arxiv_id or found
        categories = categories or subjects
        if date_text:
            dates.append((line.number, date_text))
    if label := fields.get(Kind.DATE):
        dates.append((fields.numbers[Kind.DATE], label))
    for text in (fields.get(Kind.ARXIV), *fields.links):
        arxiv_id = arxiv_id or canonical_arxiv_id(text or "") or ""
    if not categories and (listed := fields.get(Kind.CATEGORIES)):
        words = re.findall(r"[A-Za-z-]+(?:\.[A-Za-z-]+)?", listed)
        categories = tuple(dict.fromkeys(filter(is_category, words)))
    day = None
    for number, text in dates:
        day = parse_date(text)
        if day is None:
            raise _BrokenError(number, f"the date “{text[:60]}” can't be read")
    return arxiv_id or None, day, categories
