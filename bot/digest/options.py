"""What an admin types into `/digest set`, read: pure functions.

Promises: whatever can't be understood is refused with a sentence that says how to write it.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache
from zoneinfo import available_timezones

from bot.failures import RefusalError
from bot.render.limits import echo
from bot.render.safe import literal

EVERY_DAY = frozenset(range(7))
WEEKDAYS = frozenset(range(5))
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MOST_WORDS = 20

_TIME = re.compile(r"([01]?\d|2[0-3])[:：.h]([0-5]\d)", re.IGNORECASE)
_NAMED_DAYS = {
    "every day": EVERY_DAY,
    "everyday": EVERY_DAY,
    "daily": EVERY_DAY,
    "all": EVERY_DAY,
    "每天": EVERY_DAY,
    "weekdays": WEEKDAYS,
    "工作日": WEEKDAYS,
    "weekends": frozenset({5, 6}),
    "周末": frozenset({5, 6}),
}
_CHINESE_DAYS = {
    f"{prefix}{sign}": day for prefix in ("周", "星期") for day, sign in enumerate("一二三四五六日")
}


def read_time(text: str) -> tuple[int, int]:
    """Hour and minute of `09:00`, `9:00` or `18：30`.

    Raises:
        RefusalError: no time of day.
    """
    match = _TIME.fullmatch(text.strip())
    if match is None:
        raise RefusalError("error.bad_time", text=_short(text))
    return int(match[1]), int(match[2])


def read_zone(text: str) -> str:
    """The IANA name of a time zone, in its proper spelling.

    Raises:
        RefusalError: unknown; the nearest names are offered.
    """
    wanted = text.strip().replace(" ", "_").casefold()
    proper = _zones().get(wanted)
    if proper is not None:
        return proper
    near = suggest_zones(text, 3) or [
        _zones()[name] for name in get_close_matches(wanted, _zones(), n=3, cutoff=0.6)
    ]
    if near:
        raise RefusalError(
            "error.bad_zone", text=_short(text), suggestions=", ".join(f"`{name}`" for name in near)
        )
    raise RefusalError("error.bad_zone_none", text=_short(text))


def suggest_zones(text: str, limit: int = 25) -> list[str]:
    """Zones whose name holds the text, those whose city starts with it first; some common ones for nothing."""
    wanted = text.strip().replace(" ", "_").casefold()
    if not wanted:
        return list(_COMMON)[:limit]
    found = [name for key, name in _zones().items() if wanted in key]
    return sorted(found, key=lambda name: _zone_order(name, wanted))[:limit]


_COMMON = (
    "Asia/Shanghai", "Asia/Taipei", "Asia/Hong_Kong", "Asia/Singapore", "Asia/Tokyo", "Asia/Seoul",
    "Asia/Kolkata", "Europe/London", "Europe/Paris", "Europe/Berlin", "Europe/Zurich", "America/New_York",
    "America/Chicago", "America/Denver", "America/Los_Angeles", "America/Toronto", "America/Sao_Paulo",
    "Australia/Sydney", "UTC",
)  # fmt: skip


def _zone_order(name: str, wanted: str) -> tuple[bool, bool, str]:
    city = name.rpartition("/")[2].casefold()
    return (not city.startswith(wanted), "/" not in name or name.startswith("Etc/"), name)


@cache
def _zones() -> dict[str, str]:
    """Every zone by its folded name."""
    return {name.casefold(): name for name in sorted(available_timezones()) if name != "localtime"}


def read_days(text: str | None) -> frozenset[int]:
    """Weekdays (0 = Monday) of `every day`, `weekdays` or `mon,thu`; every day for nothing.

    Raises:
        RefusalError: something else.
    """
    if text is None or not text.strip():
        return EVERY_DAY
    wanted = text.strip().casefold()
    if wanted in _NAMED_DAYS:
        return _NAMED_DAYS[wanted]
    days = [_day(part) for part in re.split(r"[,，、;\s]+", wanted) if part]
    if not days or None in days:
        raise RefusalError("error.bad_days", text=_short(text))
    return frozenset(day for day in days if day is not None)


def _day(part: str) -> int | None:
    if part in _CHINESE_DAYS:
        return _CHINESE_DAYS[part]
    return next((day for day, name in enumerate(DAYS) if len(part) >= 3 and part.startswith(name)), None)


def read_words(text: str | None) -> tuple[str, ...]:
    """Words and phrases between commas, each once.

    Raises:
        RefusalError: more than twenty.
    """
    parts = (" ".join(part.split()) for part in re.split(r"[,，、;；]", text or ""))
    words = tuple(dict.fromkeys(part for part in parts if part))
    if len(words) > MOST_WORDS:
        raise RefusalError("error.bad_words", limit=MOST_WORDS)
    return words


def _short(text: str) -> str:
    """Foreign text for a sentence about it: bounded and harmless."""
    return literal(echo(text))
