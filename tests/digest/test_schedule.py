"""Exactly one digest a local date, whatever the zone's clock, the trigger or the admin does."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.digest.schedule import DueRun, due_run, moment_of, next_moment
from tests.digest.days import EVERY_DAY, TIMES, Ledger, every, existing_dates, is_at_its_moment, walk, wrong

# One zone of each kind: both hemispheres, half hours, no change, midnight changes, Ramadan, two-hour changes.
SAMPLE = (
    "America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Shanghai", "Asia/Kolkata", "Africa/Casablanca",
    "America/Santiago", "Africa/Cairo", "Asia/Beirut", "Pacific/Chatham", "Antarctica/Troll", "America/St_Johns",
    "America/Havana", "Pacific/Apia", "Pacific/Kiritimati", "Etc/GMT+12", "UTC",
)  # fmt: skip


def utc(*parts: int) -> datetime:
    """A moment."""
    return datetime(*parts, tzinfo=UTC)  # type: ignore[arg-type, misc] # year, month, day …


@pytest.mark.parametrize("name", SAMPLE)
def test_every_local_date_of_a_year_has_one_digest(name: str) -> None:
    zone = ZoneInfo(name)
    for hour, minute in TIMES:
        ledger = Ledger(zone, hour, minute, utc(2026, 1, 1))
        walk(ledger, utc(2027, 1, 3))
        expected = list(existing_dates(zone, date(2026, 1, 3), date(2027, 1, 1)))
        assert wrong(ledger, expected) == ([], []), (hour, minute)
        assert is_at_its_moment(ledger)


@pytest.mark.parametrize(
    ("name", "day", "hour", "minute", "moment"),
    [
        # 29: the day after spring-forward is not skipped
        ("America/New_York", date(2026, 3, 9), 0, 30, utc(2026, 3, 9, 4, 30)),
        ("Europe/Berlin", date(2026, 3, 30), 0, 0, utc(2026, 3, 29, 22, 0)),
        # 30: the repeated hour means its first occurrence, the missing hour the end of the gap
        ("America/New_York", date(2026, 11, 1), 1, 30, utc(2026, 11, 1, 5, 30)),
        ("Europe/Berlin", date(2026, 10, 25), 2, 30, utc(2026, 10, 25, 0, 30)),
        ("Europe/Berlin", date(2026, 3, 29), 2, 30, utc(2026, 3, 29, 1, 0)),
        ("Africa/Cairo", date(2026, 4, 24), 0, 30, utc(2026, 4, 23, 22, 0)),
        ("Australia/Lord_Howe", date(2026, 10, 4), 2, 15, utc(2026, 10, 3, 15, 30)),
        ("Australia/Lord_Howe", date(2026, 4, 5), 1, 45, utc(2026, 4, 4, 14, 45)),
        ("Antarctica/Troll", date(2026, 3, 29), 2, 0, utc(2026, 3, 29, 1, 0)),
    ],
)
def test_29_30_moments_around_clock_changes(
    name: str, day: date, hour: int, minute: int, moment: datetime
) -> None:
    assert moment_of(day, hour, minute, ZoneInfo(name)) == moment


@pytest.mark.parametrize(
    "name", ["America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Antarctica/Troll"]
)
@pytest.mark.parametrize(("hour", "minute"), TIMES)
def test_30_a_wake_up_every_minute_around_changes_posts_once_a_date(
    name: str, hour: int, minute: int
) -> None:
    zone = ZoneInfo(name)
    for start, until in ((utc(2026, 3, 6), utc(2026, 4, 8)), (utc(2026, 10, 2), utc(2026, 11, 3))):
        ledger = Ledger(zone, hour, minute, start)
        for now in every(start, until, timedelta(minutes=7)):
            ledger.tick(now)
        expected = list(
            existing_dates(zone, start.date() + timedelta(days=1), until.date() - timedelta(days=1))
        )
        assert wrong(ledger, expected) == ([], [])
        assert ledger.labelled == []


@pytest.mark.parametrize(("hour", "minute"), TIMES)
def test_a_date_that_apia_skipped_is_not_missed(hour: int, minute: int) -> None:
    zone = ZoneInfo("Pacific/Apia")
    assert moment_of(date(2011, 12, 30), hour, minute, zone) is None
    ledger = Ledger(zone, hour, minute, utc(2011, 12, 25))
    for now in every(utc(2011, 12, 25), utc(2012, 1, 4), timedelta(minutes=5)):
        ledger.tick(now)
    ran = [day for day, _ in ledger.ran]
    assert date(2011, 12, 30) not in ran
    assert ran[-5:] == sorted(ran[-5:])
    assert {date(2011, 12, 29), date(2011, 12, 31), date(2012, 1, 1)} <= set(ran)
    assert len(ran) == len(set(ran))
    assert ledger.labelled == []


def test_31_a_late_start_runs_once() -> None:
    """Field report 31: the process starts at 09:10 instead of 09:00."""
    ledger = Ledger(ZoneInfo("UTC"), 9, 0, utc(2026, 5, 4, 8))
    assert [ledger.tick(utc(2026, 5, 4, 9, minute)) for minute in (10, 10, 11, 40)] == [
        True,
        False,
        False,
        False,
    ]
    assert ledger.labelled == []


def test_32_several_missed_days_are_one_labelled_run() -> None:
    """Field report 32: off for three days."""
    ledger = Ledger(
        ZoneInfo("Asia/Shanghai"), 9, 0, utc(2026, 5, 1), ran=[(date(2026, 5, 2), utc(2026, 5, 2, 1))]
    )
    run = due_run(
        utc(2026, 5, 6, 3),
        hour=9,
        minute=0,
        zone=ledger.zone,
        days=EVERY_DAY,
        last=ledger.last,
        since=ledger.set_at,
    )
    assert run == DueRun(date(2026, 5, 6), utc(2026, 5, 6, 1), date(2026, 5, 3))
    assert ledger.tick(utc(2026, 5, 6, 3))
    assert not ledger.tick(utc(2026, 5, 6, 3, 1))


def test_the_label_knows_the_first_missed_date_however_long_ago() -> None:
    run = due_run(
        utc(2026, 6, 1, 12),
        hour=9,
        minute=0,
        zone=ZoneInfo("UTC"),
        days={0, 3},
        last=date(2026, 4, 2),
        since=utc(2026, 1, 1),
    )
    assert run == DueRun(date(2026, 6, 1), utc(2026, 6, 1, 9), date(2026, 4, 6))


def test_one_missed_run_is_labelled_after_half_an_hour() -> None:
    for minutes, since in ((29, None), (31, date(2026, 5, 4))):
        run = due_run(
            utc(2026, 5, 4, 9, minutes),
            hour=9,
            minute=0,
            zone=ZoneInfo("UTC"),
            days=EVERY_DAY,
            last=date(2026, 5, 3),
            since=utc(2026, 5, 1),
        )
        assert run is not None
        assert run.since == since


def test_35_a_zone_far_from_utc_runs_once_a_day() -> None:
    """Field report 35: daily 07:00 in Shanghai on a host in UTC, the clock between 23:00 and 00:00."""
    ledger = Ledger(ZoneInfo("Asia/Shanghai"), 7, 0, utc(2026, 5, 3, 12))
    for now in every(utc(2026, 5, 3, 22), utc(2026, 5, 5, 22), timedelta(seconds=30)):
        ledger.tick(now)
    assert [day for day, _ in ledger.ran] == [date(2026, 5, 4), date(2026, 5, 5)]


def test_weekdays_are_local_ones() -> None:
    ledger = Ledger(ZoneInfo("Pacific/Kiritimati"), 6, 0, utc(2026, 5, 3), days=frozenset({0, 3}))
    walk(ledger, utc(2026, 6, 1))
    assert {day.weekday() for day, _ in ledger.ran} == {0, 3}
    assert len(ledger.ran) == 9


def test_what_was_due_before_the_digest_was_set_is_no_concern_of_it() -> None:
    ledger = Ledger(ZoneInfo("UTC"), 9, 0, utc(2026, 5, 4, 9, 30))
    assert not ledger.tick(utc(2026, 5, 4, 9, 31))
    assert ledger.following(utc(2026, 5, 4, 9, 31)) == utc(2026, 5, 5, 9)


@pytest.mark.parametrize("days", [frozenset({day}) for day in range(7)])
def test_the_next_moment_of_any_weekday_is_found(days: frozenset[int]) -> None:
    zone = ZoneInfo("Europe/Berlin")
    found = next_moment(utc(2026, 3, 27, 12), hour=2, minute=30, zone=zone, days=days, last=None)
    assert found.astimezone(zone).weekday() in days
    assert timedelta() < found - utc(2026, 3, 27, 12) <= timedelta(days=8)


def test_a_zone_change_gives_no_second_digest_on_a_date() -> None:
    ledger = Ledger(ZoneInfo("Asia/Shanghai"), 9, 0, utc(2026, 5, 1))
    assert ledger.tick(utc(2026, 5, 4, 1))
    ledger.zone, ledger.set_at = ZoneInfo("America/Los_Angeles"), utc(2026, 5, 4, 2)
    for now in every(utc(2026, 5, 4, 2), utc(2026, 5, 6), timedelta(minutes=10)):
        ledger.tick(now)
    assert [day for day, _ in ledger.ran] == [date(2026, 5, 4), date(2026, 5, 5)]
