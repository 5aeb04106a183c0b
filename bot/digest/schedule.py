"""When a digest is due: pure arithmetic on local dates.

Promises: exactly one moment per local date that exists, whatever the zone's clock does; the ledger's last date
decides, not the trigger. Leaves to `bot.digest.service`: what a digest holds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

# Later than this after its moment a digest is labelled as caught up.
LATE = timedelta(minutes=30)
_DAY = timedelta(days=1)
_SECOND = timedelta(seconds=1)
# Any set of weekdays has a date among the last eight, the present one included.
_WINDOW = 8


@dataclass(frozen=True, slots=True)
class DueRun:
    """A digest that is due now.

    Attributes:
        local_date: the date that it uses up.
        moment: when it was due.
        since: the first missed date that it stands for as well, or, when it is merely late, its own; None for
            an ordinary digest. A digest with it is labelled as caught up.
    """

    local_date: date
    moment: datetime
    since: date | None


def moment_of(day: date, hour: int, minute: int, zone: ZoneInfo) -> datetime | None:
    """The UTC moment of a local date's digest, or None for a date that the zone doesn't have.

    A time inside a repeated hour means its first occurrence; inside a missing hour, the end of the gap.
    """
    moment = _resolve(day, time(hour, minute), zone)
    if (
        moment.astimezone(zone).date() != day
        and _resolve(day, time(0, 0), zone).astimezone(zone).date() != day
    ):
        return None  # Apia, 2011-12-30
    return moment


def _resolve(day: date, wall: time, zone: ZoneInfo) -> datetime:
    local = datetime.combine(day, wall, tzinfo=zone)
    moment = local.astimezone(UTC)
    if moment.astimezone(zone).replace(tzinfo=None) == local.replace(tzinfo=None):
        return moment
    # In a gap fold=0 reads the offset before it and fold=1 the one after: the jump lies between the two.
    low, high = local.replace(fold=1).astimezone(UTC), moment
    after = high.astimezone(zone).utcoffset()
    while high - low > _SECOND:
        middle = low + (high - low) / 2
        if middle.astimezone(zone).utcoffset() == after:
            high = middle
        else:
            low = middle
    return (
        high.replace(microsecond=0) if high.microsecond < 500_000 else high.replace(microsecond=0) + _SECOND
    )


def due_run(
    now: datetime,
    *,
    hour: int,
    minute: int,
    zone: ZoneInfo,
    days: Collection[int],
    last: date | None,
    since: datetime,
) -> DueRun | None:
    """The digest that is due at `now`, or None.

    Args:
        now: aware.
        hour: local hour.
        minute: local minute.
        zone: the IANA zone.
        days: weekdays, 0 = Monday.
        last: the last local date that was used up.
        since: when the digest was set; earlier moments are no concern of it.
    """
    today = now.astimezone(zone).date() + _DAY  # a gap's end may lie on the date after

    def due(day: date) -> datetime | None:
        moment = moment_of(day, hour, minute, zone) if day.weekday() in days else None
        return moment if moment is not None and since < moment <= now else None

    for back in range(_WINDOW + 1):
        day = today - back * _DAY
        if last is not None and day <= last:
            return None
        if moment := due(day):
            first = _first_due(due, after=last, since=since.astimezone(zone).date(), until=day)
            return DueRun(day, moment, first if first < day or now - moment > LATE else None)
    return None


def _first_due(
    due: Callable[[date], datetime | None], *, after: date | None, since: date, until: date
) -> date:
    """The first date that was missed, however long ago."""
    day = max(since, after + _DAY) if after is not None else since
    while day < until and due(day) is None:
        day += _DAY
    return min(day, until)


def next_moment(
    now: datetime,
    *,
    hour: int,
    minute: int,
    zone: ZoneInfo,
    days: Collection[int],
    last: date | None,
) -> datetime:
    """When the next digest after `now` is due."""
    day = now.astimezone(zone).date() - _DAY
    for _ in range(2 * _WINDOW):
        moment = moment_of(day, hour, minute, zone) if day.weekday() in days else None
        if moment is not None and moment > now and (last is None or day > last):
            return moment
        day += _DAY
    return now + _WINDOW * _DAY  # pragma: no cover - any set of weekdays has a date within two weeks
