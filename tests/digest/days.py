"""Running a schedule over many days with a made-up clock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from bot.digest.schedule import due_run, moment_of, next_moment

EVERY_DAY = frozenset(range(7))
TIMES = ((0, 0), (0, 30), (1, 30), (2, 30), (9, 0), (23, 30))


@dataclass
class Ledger:
    """What a server's digest has used up."""

    zone: ZoneInfo
    hour: int
    minute: int
    set_at: datetime
    days: frozenset[int] = EVERY_DAY
    ran: list[tuple[date, datetime]] = field(default_factory=list)
    labelled: list[date] = field(default_factory=list)

    @property
    def last(self) -> date | None:
        """The last date used up."""
        return self.ran[-1][0] if self.ran else None

    def tick(self, now: datetime) -> bool:
        """One wake-up; whether a digest was due."""
        run = due_run(
            now,
            hour=self.hour,
            minute=self.minute,
            zone=self.zone,
            days=self.days,
            last=self.last,
            since=self.set_at,
        )
        if run is None:
            return False
        self.ran.append((run.local_date, now))
        if run.since is not None:
            self.labelled.append(run.local_date)
        return True

    def following(self, now: datetime) -> datetime:
        """When the next digest is due."""
        return next_moment(
            now, hour=self.hour, minute=self.minute, zone=self.zone, days=self.days, last=self.last
        )


def walk(ledger: Ledger, until: datetime) -> None:
    """Wake a second before, at, and a second after every moment that is announced as the next."""
    now = ledger.set_at
    while (following := ledger.following(now)) < until:
        for offset in (-1, 0, 1):
            ledger.tick(following + timedelta(seconds=offset))
        now = following


def every(start: datetime, until: datetime, step: timedelta) -> Iterator[datetime]:
    """Moments at a steady distance."""
    while start < until:
        yield start
        start += step


def existing_dates(zone: ZoneInfo, start: date, until: date) -> Iterable[date]:
    """The local dates that a zone has, told by its midnights and noons alone."""
    day = start
    while day < until:
        local = {
            (datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(hours=hour))
            .astimezone(zone)
            .date()
            for hour in range(-14, 39, 6)
        }
        if day in local:
            yield day
        day += timedelta(days=1)


def wrong(ledger: Ledger, expected: Iterable[date]) -> tuple[list[date], list[date]]:
    """Dates missed, and dates that ran more than once."""
    ran = Counter(day for day, _ in ledger.ran)
    return sorted(set(expected) - set(ran)), sorted(day for day, times in ran.items() if times > 1)


def is_at_its_moment(ledger: Ledger) -> bool:
    """Whether every digest ran at its own moment."""
    return all(moment_of(day, ledger.hour, ledger.minute, ledger.zone) == at for day, at in ledger.ran)
