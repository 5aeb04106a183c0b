"""What admins read about their server's digest: its settings, what waits, what was delivered.

Promises: nothing but what was decided; times as Discord shows them. Leaves to `storage`: the facts.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.render.safe import literal
from bot.render.voice import Voice, moment

_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


@dataclass(frozen=True, slots=True)
class Schedule:
    """A server's digest as it is set. `next` is None while it is paused."""

    channel_id: int
    hour: int
    minute: int
    timezone: str
    language: str
    days: Collection[int]
    tracks: str
    include: Sequence[str]
    exclude: Sequence[str]
    next: datetime | None


@dataclass(frozen=True, slots=True)
class LogLine:
    """One delivery of the log. `reason` is a text of the catalogue under `reason` with the names of permissions."""

    channel: str
    when: datetime
    state: str
    parts: int
    reason: str | None = None
    next_try: datetime | None = None


def mention(channel_id: int) -> str:
    """A channel as Discord shows it."""
    return f"<#{channel_id}>"


def was_set(voice: Voice, schedule: Schedule, backfill: int) -> str:
    """The answer to `/digest set`."""
    lines = [
        voice.sentence(
            "digest_admin.set",
            channel=mention(schedule.channel_id),
            days=days(voice, schedule.days),
            time=_time(schedule),
            zone=schedule.timezone,
            language=voice.say(f"language.{schedule.language}"),
            next=_next(voice, schedule),
        ),
        *_filters(voice, schedule),
        voice.sentence("digest_admin.set_backfill", count=backfill)
        if backfill
        else voice.sentence("digest_admin.set_no_backfill"),
    ]
    return "\n".join(lines)


def shown(voice: Voice, schedule: Schedule, *, paused: bool, held: str | None, pending: int) -> list[str]:
    """The settings, a line each."""
    lines = [
        voice.say("digest_admin.show_channel", channel=mention(schedule.channel_id)),
        voice.say(
            "digest_admin.show_when",
            days=days(voice, schedule.days),
            time=_time(schedule),
            zone=schedule.timezone,
        ),
        voice.say("digest_admin.show_language", language=voice.say(f"language.{schedule.language}")),
        *_filters(voice, schedule),
        voice.sentence("digest_admin.show_paused")
        if paused
        else voice.say("digest_admin.show_next", next=_next(voice, schedule)),
        voice.say("digest_admin.show_pending", count=pending),
    ]
    if held is not None:
        lines.append(voice.say("digest_admin.show_held", reason=reason(voice, held)))
    return lines


def log_line(voice: Voice, line: LogLine) -> str:
    """One delivery in a sentence."""
    when, why = moment(line.when), reason(voice, line.reason) if line.reason else ""
    if line.state == "sent":
        return voice.say("digest_admin.log_sent", when=when, channel=line.channel, count=line.parts)
    if line.state in ("failed", "cancelled"):
        return voice.say("digest_admin.log_failed", when=when, channel=line.channel, reason=why)
    text = voice.say("digest_admin.log_waiting", when=when, channel=line.channel, reason=why)
    if line.next_try is not None and line.state == "pending":
        text = f"{text} {voice.say('digest_admin.log_next', when=moment(line.next_try, 'R'))}"
    return text


def reason(voice: Voice, stored: str) -> str:
    """A reason as the outbox keeps it (a key, the names of permissions, details for the operator), for people."""
    key, *rest = stored.split()
    permissions = [
        voice.say(f"permission.{name}") for name in rest if voice.catalogue.has(f"permission.{name}")
    ]
    if not voice.catalogue.has(f"reason.{key}"):
        return literal(key)
    return voice.say(f"reason.{key}", permissions=", ".join(permissions))


def days(voice: Voice, chosen: Collection[int]) -> str:
    """Weekdays in words."""
    if len(chosen) == len(_NAMES):
        return voice.say("days.every")
    if set(chosen) == set(range(5)):
        return voice.say("days.weekdays")
    return voice.say("days.some", days=", ".join(voice.say(f"days.{_NAMES[day]}") for day in sorted(chosen)))


def _time(schedule: Schedule) -> str:
    return f"{schedule.hour:02}:{schedule.minute:02}"


def _next(voice: Voice, schedule: Schedule) -> str:
    if schedule.next is None:
        return voice.say("common.never")
    return f"{moment(schedule.next)} ({moment(schedule.next, 'R')})"


def _filters(voice: Voice, schedule: Schedule) -> list[str]:
    lines = []
    if schedule.tracks != "all":
        lines.append(voice.say("digest_admin.tracks", tracks=voice.say(f"tracks.{schedule.tracks}")))
    for key in ("include", "exclude"):
        words = getattr(schedule, key)
        if words:
            lines.append(voice.say(f"digest_admin.{key}", words=", ".join(literal(word) for word in words)))
    return lines
