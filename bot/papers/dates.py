"""Dates as listings write them.

Promises: a calendar date or ``None``, never a guess: ``03/04/2026`` is refused, since it has two readings.
Leaves to others: time zones (a date is never shifted) and what to do about a date that cannot be read.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, date, datetime

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_YEAR_FIRST = re.compile(r"(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*[日号]?")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})")
_DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?[\s.,/-]*([a-z]{3,9})\.?[\s.,/-]*(\d{4})")
_MONTH_FIRST = re.compile(r"([a-z]{3,9})\.?\s*(\d{1,2})(?:st|nd|rd|th)?\s*,?\s*(\d{4})")
_YEAR_LAST = re.compile(r"(\d{1,2})\s*([-/.])\s*(\d{1,2})\s*\2\s*(\d{4})")
_EPOCH = re.compile(r"\d{10}(?:\d{3})?")
# What may stand around a date: a weekday before it, a time of day and a zone after it.
_BEFORE = re.compile(
    r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+|(?:submitted|updated|published)(?:\s+on)?:?\s+)"
)
_AFTER = re.compile(
    r"\s*(?:[(,]?\s*(?:周|星期)[一二三四五六日天]\)?)?"
    r"(?:(?:\s*,?\s*|t)\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s*(?:z|utc|gmt|cst|[+-]\d{2}:?\d{2})?)?"
)


def parse_date(text: str) -> date | None:
    """The calendar date that a text is, or ``None`` when it isn't one or has two readings.

    Reads ``2026-6-30``, ``2026/07/15``, ``2026.7.15``, ``2026年7月15日``, ``20260715``, ``15 Jul 2026``,
    ``July 15, 2026``, ``Wed, 15 Jul 2026 08:00:00 GMT``, ISO 8601 with a time, full-width digits, and seconds
    or milliseconds since 1970. A time of day is left out without shifting the date.
    """
    text = unicodedata.normalize("NFKC", text).strip().lower()[:80]
    if _EPOCH.fullmatch(text):
        return datetime.fromtimestamp(int(text[:10]), UTC).date()
    if before := _BEFORE.match(text):
        text = text[before.end() :]
    for pattern, order in _SHAPES:
        match = pattern.match(text)
        if match and _AFTER.fullmatch(text, match.end()):
            return order(match)
    return None


def _calendar(year: str, month: str | int, day: str) -> date | None:
    try:
        found = date(int(year), int(month), int(day))
    except ValueError:
        return None
    return found if 1900 <= found.year <= 2100 else None


def _year_first(match: re.Match[str]) -> date | None:
    return _calendar(match[1], match[2], match[3])


def _day_first(match: re.Match[str]) -> date | None:
    return _named(match[3], match[2], match[1])


def _month_first(match: re.Match[str]) -> date | None:
    return _named(match[3], match[1], match[2])


def _named(year: str, month: str, day: str) -> date | None:
    if month[:3] not in _MONTHS:
        return None
    return _calendar(year, _MONTHS.index(month[:3]) + 1, day)


def _year_last(match: re.Match[str]) -> date | None:
    first, second = int(match[1]), int(match[3])
    if match[2] == "." or (first > 12 and second <= 12):
        return _calendar(match[4], match[3], match[1])
    if second > 12 or first == second:
        return _calendar(match[4], match[1], match[3])
    return None


_SHAPES = (
    (_YEAR_FIRST, _year_first),
    (_COMPACT, _year_first),
    (_DAY_FIRST, _day_first),
    (_MONTH_FIRST, _month_first),
    (_YEAR_LAST, _year_last),
)
