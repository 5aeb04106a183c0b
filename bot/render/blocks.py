"""A paper among others: the compact block of digests and alerts, and the line of lists.

Promises: a block has about `BLOCK` units at most, so that five papers and their headings share a message.
Leaves to others: the order, the headings and the buttons around them.
"""

from __future__ import annotations

from collections.abc import Iterable

import discord

from bot.papers.model import Paper
from bot.render.cutting import cut
from bot.render.graphemes import size
from bot.render.limits import TITLE
from bot.render.papers import (
    AUTHORS_SHOWN,
    authors,
    badge,
    best_address,
    colour,
    institutions,
    links,
    search_address,
    titles,
)
from bot.render.safe import link, literal
from bot.render.summaries import summaries
from bot.render.voice import Voice

# Discord: 6000 units over all embeds of a message, so five full blocks and two headings stay below it.
BLOCK = 1170
# Discord: 2000 units of content, so three blocks stay below it where embeds aren't allowed.
TEXT_BLOCK = 600
_FULL_TITLE = 400
_SECOND = 180
_AUTHORS = 260
_INSTITUTIONS = 240
_REASONS = 1500  # ten reasons of the usual length; an alert that leaves one out isn't trusted
_BADGE = 120
_ORIGINS = 110  # both lines of small print under the summaries
_LEAST_SUMMARIES = 160
_AUTHORS_IN_LINE = 3
LINE = 400  # units of a paper in a list
_MARKS = 10  # small print and the ends of lines


def block(
    voice: Voice, paper: Paper, *, number: int | None = None, reasons: str = "", room: int = BLOCK
) -> discord.Embed:
    """A paper in a digest or an alert.

    Args:
        voice: the languages; the first one's title leads.
        paper: what to show.
        number: put before the title where buttons refer to it.
        reasons: why a subscriber sees it, already harmless; stands under the names.
        room: units for all of it, kept unless the titles alone take more.
    """
    first, second = titles(voice, paper)
    headline = cut(f"{number} · {first}" if number else first, TITLE)
    lean = room < BLOCK
    searched = best_address(paper) is None and not lean
    address = search_address(paper) if searched else best_address(paper)
    embed = discord.Embed(title=headline, url=address, colour=colour(paper))
    embed.set_author(name=cut(badge(voice, paper), _BADGE, markup=False))
    places = institutions_line(voice, paper, _INSTITUTIONS // (2 if lean else 1))
    head = [
        cut(first, _FULL_TITLE) if size(first) > TITLE else None,
        f"**{cut(second, _SECOND)}**" if second else None,
        cut(authors(voice, paper, _AUTHORS_IN_LINE if lean else AUTHORS_SHOWN), _AUTHORS),
        f"-# {places}" if places else None,
        cut(reasons, _REASONS) or None,
    ]
    top = "\n".join(line for line in head if line)
    left = room - _ORIGINS - size(headline) - size(embed.author.name or "") - size(top)
    texts = summaries(voice, paper, max(_LEAST_SUMMARIES, left))
    embed.description = "\n\n".join((top, *texts))
    return embed


def institutions_line(voice: Voice, paper: Paper, room: int) -> str:
    """As many whole institutions as there is room for, and how many more there are; "" without any."""
    names = institutions(voice, paper)
    shown = 1
    while shown < len(names) and size(" · ".join(names[: shown + 1])) <= room:
        shown += 1
    more = f" … {voice.tell(voice.interface[0], 'common.list_more', count=len(names) - shown)}"
    return cut(" · ".join(names[:shown]), room) + (more if len(names) > shown else "")


def search_note(voice: Voice, papers: Iterable[Paper]) -> str:
    """Said once a message, in small print, when some titles in it open a search; "" when none do."""
    if all(best_address(paper) for paper in papers):
        return ""
    return "\n".join(f"-# {line}" for line in voice.sentence("link.title_searches").splitlines())


def heading(text: str) -> discord.Embed:
    """A heading between blocks, as an embed of its own."""
    return discord.Embed(description=f"## {text}")


def line(voice: Voice, paper: Paper, *, title: str | None = None, note: str = "", room: int = LINE) -> str:
    """A paper in a list: its title, the other title, and in small print authors, badge, a note and its address.

    Args:
        voice: the languages; the first one's title leads.
        paper: what to show.
        title: stands for the leading title (to highlight what matched); harmless already.
        note: why the paper is in the list; harmless already.
        room: units for all of it; the titles give way first.
    """
    first, second = titles(voice, paper)
    names = cut(authors(voice, paper, _AUTHORS_IN_LINE), room // 4)
    small = cut(" · ".join(part for part in (names, literal(badge(voice, paper)), note) if part), room // 2)
    opened = next((link(voice.say(f"link.{kind}"), url) for kind, url in links(paper)), "")
    if opened and size(opened) <= room // 3:
        small = f"{small} · {opened}"
    left = room - size(small) - _MARKS
    below = cut(second, left // 3) if second else ""
    above = cut(title or first, left - size(below))
    return "\n".join(part for part in (above, below and f"-# {below}", f"-# {small}") if part)
