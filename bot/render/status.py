"""What `/status` says: to a reader, to an admin of the server, to the operator.

Promises: each sees their part only; addresses without query or credentials; times as Discord shows them.
Leaves to others: the facts (`bot.status`), who is who (the cogs).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from urllib.parse import urlsplit

import discord

from bot.render.cutting import cut
from bot.render.digest_admin import mention, reason
from bot.render.limits import fit
from bot.render.message import Message
from bot.render.safe import literal
from bot.render.voice import Voice, moment

Role = Literal["reader", "admin", "operator"]

_COLOUR = 0x8A8F98
_LINES = 10
_ADDRESS = re.compile(r"\b[A-Za-z][A-Za-z0-9+.\-]*://[^\s<>\"')]+")


@dataclass(frozen=True, slots=True)
class DigestState:
    """This server's digest. `next` is None while it is paused."""

    channel_id: int
    next: datetime | None
    last: datetime | None


@dataclass(frozen=True, slots=True)
class Stuck:
    """What waits or has failed for a channel; `reason` as the outbox keeps it."""

    channel_id: int
    reason: str
    since: datetime


@dataclass(frozen=True, slots=True)
class Source:
    """How a source is doing; `counts` has new and updated papers of its last load."""

    name: str
    last_success: datetime | None
    last_error: str | None
    last_error_at: datetime | None
    next_run: datetime | None
    counts: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class State:
    """All that `/status` may say; what a role doesn't see isn't shown, whatever stands here.

    `load_counts` has new, updated and unchanged; `last_error` is its short id and when; `outbox` counts by state.
    """

    version: str
    papers: int
    by_track: Mapping[str, int]
    last_load: datetime | None
    load_counts: Mapping[str, int] | None = None
    digest: DigestState | None = None
    in_server: bool = False
    held: Sequence[Stuck] = ()
    failed: Sequence[Stuck] = ()
    started: datetime | None = None
    schema: int = 0
    sources: Sequence[Source] = ()
    outbox: Mapping[str, int] | None = None
    subscriptions: int = 0
    guilds: int = 0
    corrections: int = 0
    last_error: tuple[str, datetime] | None = None
    rival: datetime | None = None  # when somebody else answered a command of this bot


def status(voice: Voice, state: State, role: Role) -> Message:
    """The answer for a role; an admin sees what a reader sees and more, the operator everything."""
    embed = discord.Embed(title=voice.say("status.version", version=literal(state.version)), colour=_COLOUR)
    sections = ["\n".join(_for_all(voice, state))]
    if role != "reader" and state.in_server:
        sections.append("\n".join(_stuck_here(voice, state)))
    if role == "operator":
        sections += ["\n".join(_operation(voice, state)), "\n".join(_sources(voice, state.sources))]
    embed.description = "\n\n".join(section for section in sections if section)
    return fit(Message(embeds=(embed,)))


def without_secrets(text: str) -> str:
    """A text with every address in it cut to scheme, host and path: no user name, no query, no fragment."""
    return _ADDRESS.sub(lambda match: _bare_address(match.group()), text)


def _bare_address(address: str) -> str:
    try:
        parts = urlsplit(address)
    except ValueError:
        return "…"
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _for_all(voice: Voice, state: State) -> list[str]:
    tracks = [
        voice.say("status.by_track", count=count, track=voice.say(f"stats.track_{track}"))
        for track, count in state.by_track.items()
        if count and voice.catalogue.has(f"stats.track_{track}")
    ]
    papers = voice.say("status.papers", count=state.papers)
    lines = [f"{papers} ({', '.join(tracks)})" if tracks else papers, _last_load(voice, state)]
    if state.digest is not None:
        following = moment(state.digest.next, "R") if state.digest.next else voice.say("common.never")
        lines.append(
            voice.say("status.digest_here", channel=mention(state.digest.channel_id), next=following)
        )
        last = moment(state.digest.last) if state.digest.last else voice.say("common.never")
        lines.append(voice.say("status.last_digest", when=last))
    elif state.in_server:
        lines.append(voice.say("status.digest_none"))
    return lines


def _last_load(voice: Voice, state: State) -> str:
    if state.last_load is None:
        return voice.say("status.last_load_none")
    text = voice.say("status.last_load", when=moment(state.last_load))
    if state.load_counts is None:
        return text
    counts = {name: state.load_counts.get(name, 0) for name in ("new", "updated", "unchanged")}
    return f"{text} ({voice.say('status.last_load_counts', **counts)})"


def _stuck_here(voice: Voice, state: State) -> list[str]:
    lines = []
    for key, stuck in (("status.held_here", state.held), ("status.failed_here", state.failed)):
        if stuck:
            lines += [f"**{voice.say(key)}**", *(_stuck(voice, one) for one in stuck[:_LINES])]
    return lines or [voice.say("status.nothing_held")]


def _stuck(voice: Voice, one: Stuck) -> str:
    why = reason(voice, one.reason)
    return voice.say(
        "status.held_line", channel=mention(one.channel_id), reason=why, when=moment(one.since, "R")
    )


def _operation(voice: Voice, state: State) -> list[str]:
    names = ("pending", "sending", "sent", "held", "failed", "cancelled")
    counts = {name: (state.outbox or {}).get(name, 0) for name in names}
    size = [
        voice.say("status.guilds", count=state.guilds),
        voice.say("status.subscriptions", count=state.subscriptions),
        voice.say("status.schema", schema=state.schema),
    ]
    lines = [
        voice.say("status.started", when=moment(state.started, "R")) if state.started else "",
        " · ".join(size),
        f"**{voice.say('status.outbox')}** {voice.say('status.outbox_counts', **counts)}",
        voice.say("status.corrections", count=state.corrections) if state.corrections else "",
        voice.sentence("status.rival", when=moment(state.rival)) if state.rival else "",
        _last_error(voice, state),
    ]
    return [line for line in lines if line]


def _last_error(voice: Voice, state: State) -> str:
    if state.last_error is None:
        return voice.say("status.last_error_none")
    number, when = state.last_error
    return voice.say("status.last_error", id=f"`{number}`", when=moment(when))


def _sources(voice: Voice, sources: Sequence[Source]) -> list[str]:
    return (
        [f"**{voice.say('status.sources')}**", *(_source(voice, source) for source in sources)]
        if sources
        else []
    )


def _source(voice: Voice, source: Source) -> str:
    name = literal(without_secrets(source.name))
    following = moment(source.next_run, "R") if source.next_run else voice.say("common.never")
    if source.last_error is not None:
        when = moment(source.last_error_at, "R") if source.last_error_at else voice.say("common.unknown")
        why = cut(literal(without_secrets(source.last_error)), 200)
        return voice.say("status.source_failed", name=name, when=when, reason=why)
    last = moment(source.last_success, "R") if source.last_success else voice.say("common.never")
    text = voice.say("status.source_ok", name=name, last=last, next=following)
    if source.counts is None:
        return text
    counts = {what: source.counts.get(what, 0) for what in ("new", "updated")}
    return f"{text} ({voice.say('status.source_counts', **counts)})"
