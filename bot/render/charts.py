"""Counts as bars of text: the answer to `/stats`, and the years of a profile.

Promises: columns stand straight in Discord's monospaced blocks, Chinese included, on a telephone too.
Leaves to `storage`: counting.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import discord

from bot.render.cutting import cut
from bot.render.graphemes import clusters, width
from bot.render.limits import fit
from bot.render.message import Message
from bot.render.safe import bare, code
from bot.render.voice import Voice

By = Literal["year", "track", "presentation", "institution", "topic"]

_COLUMNS = 32  # what a narrow telephone shows of a line without wrapping it
_LABEL = 20
_BAR = 10
_EIGHTHS = " ▏▎▍▌▋▊▉"
_ROWS = 20
_COLOUR = 0x3B7DD8
_NOTES = {"institution": "stats.note_institution", "topic": "stats.note_topic"}


def stats(voice: Voice, by: By, counts: Sequence[tuple[str | None, int]], total: int) -> Message:
    """How many papers there are by something.

    Args:
        voice: who reads it.
        by: what was counted by.
        counts: the groups and their sizes, in the order of showing; the group None is what isn't stated. Tracks
            and presentations are their values, everything else is foreign text.
        total: papers in all.
    """
    if not total or not counts:
        return fit(Message(voice.sentence("stats.nothing")))
    named = [(_label(voice, by, group), count) for group, count in counts]
    if len(named) > _ROWS:
        rest = sum(count for _, count in named[_ROWS - 1 :])
        named = named[: _ROWS - 1]
        others = (voice.say("stats.others"), rest)
    else:
        others = None
    heading = voice.say("stats.title", count=total, by=voice.say(f"stats.by_{by}"))
    embed = discord.Embed(title=heading, description=bars(named, others), colour=_COLOUR)
    if by in _NOTES:
        embed.set_footer(text=voice.say(_NOTES[by]))
    return fit(Message(embeds=(embed,)))


def bars(counts: Sequence[tuple[str, int]], others: tuple[str, int] | None = None) -> str:
    """A code block with a line for each: label, bar, number. Labels are foreign text and cut to 20 columns.

    Args:
        counts: the groups and their sizes.
        others: all further groups together; told as a number, since its bar would dwarf the rest.
    """
    if not counts:
        return ""
    most = max(count for _, count in counts) or 1
    rows = [(label, count, count / most) for label, count in counts]
    rows += [(*others, 0.0)] if others else []
    labels = [_in_columns(bare(label), _LABEL) for label, _, _ in rows]
    column = max(width(label) for label in labels)
    digits = max(len(str(count)) for _, count, _ in rows)
    room = min(_BAR, _COLUMNS - column - digits - 2)
    lines = [
        f"{label}{' ' * (column - width(label))} {_bar(share, room)} {count:>{digits}}"
        for label, (_, count, share) in zip(labels, rows, strict=True)
    ]
    return f"```\n{code(chr(10).join(lines))}\n```"


def _label(voice: Voice, by: By, group: str | None) -> str:
    if group is None:
        return voice.say("stats.not_stated")
    key = f"venue.{group}"
    return voice.say(key) if by in {"track", "presentation"} and voice.catalogue.has(key) else group


def _bar(share: float, room: int) -> str:
    eighths = max(1, round(share * room * 8)) if share > 0 else 0
    full, rest = divmod(eighths, 8)
    return ("█" * full + _EIGHTHS[rest]).ljust(room)[:room]


def _in_columns(label: str, most: int) -> str:
    """The label, cut to a number of columns instead of characters."""
    if width(label) <= most:
        return label
    taken = 0
    for number, cluster in enumerate(clusters(label)):
        taken += width(cluster)
        if taken > most - 1:
            kept = list(clusters(label))[:number]
            return "".join(kept).rstrip() + "…"
    return cut(label, most, markup=False)
