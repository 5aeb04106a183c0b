"""One paper, whole: the card that `/paper` answers with.

Promises: both titles, authors, institutions, badge, both summaries with their origin, links as buttons.
Leaves to others: finding the paper, and whether the reader has saved it.
"""

from __future__ import annotations

import discord

from bot.papers.model import Paper
from bot.render import ids
from bot.render.cutting import cut
from bot.render.graphemes import size
from bot.render.limits import DESCRIPTION, TITLE, fit
from bot.render.message import Button, Message, rows_of
from bot.render.papers import (
    authors,
    badge,
    best_address,
    colour,
    institutions_as_printed,
    links,
    search_address,
    titles,
    venue_badge,
)
from bot.render.safe import bare, literal, safe_url
from bot.render.summaries import summaries
from bot.render.voice import Voice, day

_LINK_BUTTONS = 5
_AUTHORS_ROOM = 700
_INSTITUTIONS_SHOWN = 12
_INSTITUTIONS_ROOM = 1100
_SUMMARIES_ROOM = 1700


def card(voice: Voice, paper: Paper, *, saved: bool = False) -> Message:
    """The card of a paper.

    Args:
        voice: who reads it; its first language leads.
        paper: what to show.
        saved: whether it stands in the reader's library, which turns "Save" into "Remove".
    """
    return fit(Message(embeds=(card_embed(voice, paper),), buttons=card_buttons(voice, paper, saved=saved)))


def card_embed(voice: Voice, paper: Paper) -> discord.Embed:
    """The card without its buttons."""
    first, second = titles(voice, paper)
    embed = discord.Embed(title=first, url=best_address(paper), colour=colour(paper))
    embed.set_author(name=badge(voice, paper))
    top = [_full_title(voice, first), f"**{second}**" if second else None]
    middle = [
        f"**{voice.say('card.authors')}** {cut(authors(voice, paper), _AUTHORS_ROOM)}",
        _institutions(voice, paper),
        _other_venues(voice, paper),
    ]
    parts = ["\n".join(line for line in block if line) for block in (top, middle)]
    used = sum(size(part) + 2 for part in parts)
    room = min(_SUMMARIES_ROOM, DESCRIPTION - used - 300)
    parts += summaries(voice, paper, room)
    embed.description = "\n\n".join(part for part in parts if part)
    if footer := _footer(paper):
        embed.set_footer(text=footer)
    return embed


def card_buttons(voice: Voice, paper: Paper, *, saved: bool = False) -> tuple[tuple[Button, ...], ...]:
    """A row of links, and a row of what can be done with the paper."""
    opened = [Button(voice.say(f"link.{kind}"), "link", url=url) for kind, url in links(paper)]
    if pdf := _pdf(paper):
        opened.insert(1, Button(voice.say("link.pdf"), "link", url=pdf))
    if not opened:
        opened = [Button(voice.say("link.search"), "link", url=search_address(paper))]
    keep = "unsave" if saved else "save"
    acts = rows_of(
        Button(voice.say(f"button.{keep}"), "primary", ids.encode(keep, paper.id)),
        Button(voice.say("button.similar"), custom_id=ids.encode("similar", paper.id)),
        Button(voice.say("button.cite"), custom_id=ids.encode("cite", paper.id)),
        Button(voice.say("button.report"), custom_id=ids.encode("report", paper.id)),
    )
    return (tuple(opened[:_LINK_BUTTONS]), *acts)


def _full_title(voice: Voice, title: str) -> str | None:
    """The whole title in the body when the embed's own title has to be cut."""
    return f"{voice.say('card.full_title')}: {title}" if size(title) > TITLE else None


def _institutions(voice: Voice, paper: Paper) -> str:
    names = institutions_as_printed(voice, paper)
    if not names:
        return voice.say("card.institutions_absent")
    more = len(names) - _INSTITUTIONS_SHOWN
    shown = cut("\n".join(f"- {name}" for name in names[:_INSTITUTIONS_SHOWN]), _INSTITUTIONS_ROOM)
    rest = f"\n- {voice.tell(voice.interface[0], 'common.list_more', count=more)}" if more > 0 else ""
    return f"**{voice.say('card.institutions')}**\n{shown}{rest}"


def _other_venues(voice: Voice, paper: Paper) -> str | None:
    others = [literal(venue_badge(voice, venue)) for venue in paper.venues[1:4]]
    return f"-# {voice.say('venue.also', venues='; '.join(others))}" if others else None


def _footer(paper: Paper) -> str | None:
    parts = [
        f"arXiv:{paper.arxiv_id}" if paper.arxiv_id else None,
        day(paper.date) if paper.date else None,
        ", ".join(paper.categories[:6]) or None,
    ]
    return bare(" · ".join(part for part in parts if part), "") or None


def _pdf(paper: Paper) -> str | None:
    return safe_url(f"https://arxiv.org/pdf/{paper.arxiv_id}") if paper.arxiv_id else None
