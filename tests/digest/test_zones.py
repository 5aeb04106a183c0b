"""Every zone there is, two years, six times of day. `make soak` runs it whole and says how long it took."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest

from tests.digest.days import TIMES, Ledger, existing_dates, is_at_its_moment, walk, wrong

START, END = datetime(2025, 12, 30, tzinfo=UTC), datetime(2028, 1, 3, tzinfo=UTC)
FIRST, LAST = date(2026, 1, 1), date(2028, 1, 1)


def offsets(zone: ZoneInfo) -> tuple[tuple[datetime, timedelta | None], ...]:
    """A zone's clock over the two years: each offset with the quarter of an hour from which it holds."""
    found: list[tuple[datetime, timedelta | None]] = []
    moment = START - timedelta(days=2)
    while moment < END + timedelta(days=2):
        day_later = moment + timedelta(days=1)
        if not found or _offset(day_later, zone) != found[-1][1] or _offset(moment, zone) != found[-1][1]:
            for quarter in range(96):
                at = moment + quarter * timedelta(minutes=15)
                if not found or _offset(at, zone) != found[-1][1]:
                    found.append((at, _offset(at, zone)))
        moment = day_later
    return tuple(found)


def _offset(moment: datetime, zone: ZoneInfo) -> timedelta | None:
    return moment.astimezone(zone).utcoffset()


def by_clock(names: list[str]) -> dict[tuple[object, ...], list[str]]:
    """Zones whose clocks show the same at every moment of the two years, together: one run speaks for all."""
    groups: dict[tuple[object, ...], list[str]] = {}
    for name in names:
        groups.setdefault(offsets(ZoneInfo(name)), []).append(name)
    return groups


@pytest.mark.slow
def test_no_zone_misses_or_doubles_a_date() -> None:
    began = time.monotonic()
    names = sorted(available_timezones())
    groups = by_clock(names)
    digests, missed, doubled = 0, [], []
    for alike in groups.values():
        zone = ZoneInfo(alike[0])
        expected = list(existing_dates(zone, FIRST, LAST))
        for hour, minute in TIMES:
            ledger = Ledger(zone, hour, minute, START)
            walk(ledger, END)
            assert is_at_its_moment(ledger), (alike, hour, minute)
            lost, twice = wrong(ledger, expected)
            missed += [(alike, hour, minute, day) for day in lost]
            doubled += [(alike, hour, minute, day) for day in twice]
            digests += len(ledger.ran) * len(alike)
    seconds = time.monotonic() - began
    print(f"{len(names)} zones ({len(groups)} clocks), {digests} digests, {seconds:.0f} s")  # noqa: T201 - the figure
    assert (missed, doubled) == ([], [])
    assert len(names) >= 590


def test_zones_are_told_apart_by_their_clocks() -> None:
    groups = by_clock(
        ["Asia/Shanghai", "PRC", "Europe/Berlin", "Europe/Paris", "Australia/Lord_Howe", "Africa/Casablanca"]
    )
    assert sorted(sorted(alike) for alike in groups.values()) == [
        ["Africa/Casablanca"],
        ["Asia/Shanghai", "PRC"],
        ["Australia/Lord_Howe"],
        ["Europe/Berlin", "Europe/Paris"],
    ]
