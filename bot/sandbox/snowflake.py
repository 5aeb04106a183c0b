"""Discord's ids, made from the injected clock.

Promises: unique within one world, ordered by the clock. Leaves keeping them to `world`.
Source: Discord's reference, "Snowflakes" (milliseconds since 2015 in the upper 42 bits).
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from bot.clock import Clock

EPOCH = datetime(2015, 1, 1, tzinfo=UTC)
_SEQUENCE_BITS = 22
_SEQUENCE_SPAN = 1 << _SEQUENCE_BITS


def moment_of(snowflake: int) -> datetime:
    """When an id was made, aware, to the millisecond."""
    return EPOCH + timedelta(milliseconds=snowflake >> _SEQUENCE_BITS)


def floor_of(moment: datetime) -> int:
    """The smallest id of a moment (aware)."""
    return int((moment - EPOCH) / timedelta(milliseconds=1)) << _SEQUENCE_BITS


class SnowflakeMaker:
    """Hands out ids; `sequence` is kept with the world, so that a restart under a standing clock makes none twice."""

    def __init__(self, clock: Clock, sequence: int = 0) -> None:
        self._clock = clock
        self.sequence = sequence

    def __call__(self) -> int:
        """A new id of the present moment."""
        # One counter over all milliseconds keeps ids apart under a clock that stands still or is set back.
        self.sequence = (self.sequence + 1) % _SEQUENCE_SPAN
        return floor_of(self._clock.now()) | self.sequence
