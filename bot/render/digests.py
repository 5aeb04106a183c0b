"""What a digest says: a header, headings by track, one block a paper, packed into few messages.

Promises: at most 30 papers, then "and N more"; main papers and workshops never under one heading.
Leaves to others: which papers (`bot.digest`), when, and how it is sent once (`bot.delivery`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

import discord

from bot.papers.model import Paper, Track
from bot.render.blocks import BLOCK, TEXT_BLOCK, block, heading, search_note
from bot.render.fallback import embed_text
from bot.render.graphemes import size
from bot.render.limits import fit, pages, text_pages
from bot.render.message import Button, Message, marked, rows_of
from bot.render.voice import Voice, day

MOST_PAPERS = 30  # design: a digest holds at most 30 papers, about six messages

_HEADINGS = {
    Track.MAIN: "digest.heading_main",
    Track.WORKSHOP: "digest.heading_workshop",
    Track.OTHER: "digest.heading_other",
}


@dataclass(frozen=True, slots=True)
class Part:
    """One message of a digest and the papers it shows, in order."""

    message: Message
    papers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Occasion:
    """Why and for which day a digest is posted.

    Attributes:
        on: the local date that it is for.
        since: the first missed day of a catch-up; None for an ordinary digest.
        by_request: posted by `/digest now`.
        backfill: the first digest, with papers from before it was set up.
        preview: shown to an admin only.
    """

    on: date
    since: date | None = None
    by_request: bool = False
    backfill: bool = False
    preview: bool = False


def digest(
    voice: Voice,
    papers: Sequence[Paper],
    occasion: Occasion,
    *,
    more_id: str | None = None,
    part_id: Callable[[int], str] | None = None,
    embeds: bool = True,
) -> list[Part]:
    """The parts of a digest, in the order in which they are posted; no papers, no parts.

    Args:
        voice: the channel's languages.
        papers: all that belong in it, newest first; the first 30 by heading are shown.
        occasion: its date and labels.
        more_id: custom_id of the button that opens what isn't shown; without it the number alone is told.
        part_id: the outbox mark for a part, counted from 0; it is put on that part's button.
        embeds: False for a channel without Embed Links: the same in text.
    """
    shown = in_order(papers)[:MOST_PAPERS]
    rest = len(papers) - len(shown)
    blocks = _blocks(voice, shown, BLOCK if embeds else TEXT_BLOCK)
    texts = [] if embeds else ["\n".join(map(embed_text, block)) for block in blocks]
    # Room for the longest header that a message can get; its two numbers have no more than two digits.
    room = 2 + max(size(_header(voice, occasion, len(papers), part, 99, rest)) for part in (0, 98))
    groups = pages(blocks) if embeds else text_pages(texts, room)
    parts = []
    for index, group in enumerate(groups):
        content = _header(voice, occasion, len(papers), index, len(groups), rest)
        if embeds:
            message = _with_embeds(voice, content, group, shown, blocks)
        else:
            message = Message("\n\n".join([content, *(texts[number] for number in group)]))
        more = _more(voice, rest, more_id) if index == len(groups) - 1 else None
        message = replace(message, buttons=rows_of(more))
        if part_id:
            message = marked(message, part_id(index), voice.say("button.details"))
        parts.append(Part(fit(message), tuple(shown[number].id for number in group)))
    return parts


def _with_embeds(
    voice: Voice,
    content: str,
    group: Sequence[int],
    papers: Sequence[Paper],
    blocks: list[list[discord.Embed]],
) -> Message:
    note = search_note(voice, [papers[number] for number in group])
    embeds = tuple(embed for number in group for embed in blocks[number])
    return Message(f"{content}\n{note}" if note else content, embeds)


def in_order(papers: Sequence[Paper]) -> list[Paper]:
    """Main papers first, then workshops, then the rest; within each the given order."""
    return [paper for track in _HEADINGS for paper in papers if _track(paper) is track]


def _blocks(voice: Voice, papers: Sequence[Paper], room: int) -> list[list[discord.Embed]]:
    """Each paper's embed; the first of a track together with the track's heading."""
    blocks = []
    before: Track | None = None
    for paper in papers:
        track = _track(paper)
        top = [] if track is before else [heading(voice.say(_HEADINGS[track]))]
        blocks.append([*top, block(voice, paper, room=room)])
        before = track
    return blocks


def _track(paper: Paper) -> Track:
    return paper.venue.track if paper.venue else Track.OTHER


def _header(voice: Voice, occasion: Occasion, total: int, index: int, parts: int, rest: int) -> str:
    """What stands above a part: title and labels above the first, what isn't shown above the last."""
    title = f"{voice.say('digest.header')} · {day(occasion.on)}"
    if index:
        lines = [f"**{title}** · {voice.say('digest.part', part=index + 1, parts=parts)}"]
    else:
        lines = [f"# {title}", voice.say("digest.count", count=total), *_labels(voice, occasion)]
    if rest and index == parts - 1:
        lines.append(voice.sentence("digest.capped", count=rest))
    return "\n".join(lines)


def _labels(voice: Voice, occasion: Occasion) -> list[str]:
    """In small print, what is unusual about this digest."""
    labels = [
        voice.sentence("digest.preview") if occasion.preview else None,
        voice.sentence("digest.catch_up", date=day(occasion.since)) if occasion.since else None,
        voice.sentence("digest.backfill") if occasion.backfill else None,
        voice.sentence("digest.by_request") if occasion.by_request else None,
    ]
    return [f"-# {line}" for label in labels if label for line in label.splitlines()]


def _more(voice: Voice, rest: int, more_id: str | None) -> Button | None:
    return Button(voice.say("digest.more", count=rest), "primary", more_id) if rest and more_id else None
