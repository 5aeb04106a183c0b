"""The clock every service is given; services never call `now()` themselves.

Promises: aware UTC. Leaves to the edge: time zones (`bot.digest.schedule`) and display.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Anything that tells the time in aware UTC."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""
        ...


class SystemClock:
    """The machine's wall clock."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""
        return datetime.now(UTC)


class ShiftedClock:
    """A clock that can be moved: the sandbox's "skip to the digest hour", and clock jumps in tests."""

    def __init__(self, base: Clock, offset: timedelta = timedelta()) -> None:
        self._base = base
        self._offset = offset

    def now(self) -> datetime:
        """The base clock's moment plus everything it was advanced by."""
        return self._base.now() + self._offset

    def advance(self, by: timedelta) -> None:
        """Move the clock; a negative `by` sets it back."""
        self._offset += by


class ManualClock:
    """A clock that stands still until it is moved; for tests."""

    def __init__(self, start: datetime) -> None:
        self._now = start.astimezone(UTC)

    def now(self) -> datetime:
        """The moment it was set to."""
        return self._now

    def set(self, moment: datetime) -> None:
        """Jump to a moment (aware)."""
        self._now = moment.astimezone(UTC)

    def advance(self, by: timedelta) -> None:
        """Move the clock; a negative `by` sets it back."""
        self._now += by
