"""Pages of papers: search results, similar papers, a library, the rest of a digest.

Promises: at most ten papers a page, where one stands among how many, why each is there, and a way to open it.
Leaves to others: finding them, and keeping what Previous and Next need (`token`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import discord

from bot.papers.model import Language, Paper
from bot.render import ids
from bot.render.blocks import LINE, line
from bot.render.highlight import highlight
from bot.render.limits import DESCRIPTION, echo, fit
from bot.render.message import Button, Message, Option, Select, rows_of
from bot.render.papers import badge, label, title, titles
from bot.render.safe import bare, literal
from bot.render.voice import Voice

PAGE = 10
_COLOUR = 0x3B7DD8
_NOTES = 700  # units for what stands above the rows: that nothing is certain, and the filters
_EXACT, _STRONG = 97, 85  # scores of 100 from which on a hit is called exact, very close


@dataclass(frozen=True, slots=True)
class Row:
    """One paper of a page.

    Attributes:
        paper: the paper.
        score: 0–100, shown as a word; None where nothing was matched.
        matched: the field that matched (title, author, institution …), None where nothing was.
        confidence: what the search engine says.
        terms: the words of the normal form that the paper shares with the query, in bold like the query's own.
    """

    paper: Paper
    score: float | None = None
    matched: str | None = None
    confidence: Literal["found", "maybe"] = "found"
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Filters:
    """The filters of a search as the reader gave them; `institution` and `author` may be any text."""

    year: int | None = None
    track: str | None = None
    presentation: str | None = None
    institution: str | None = None
    author: str | None = None


def search_page(
    voice: Voice,
    rows: Sequence[Row],
    *,
    query: str,
    total: int,
    offset: int,
    token: str,
    filters: Filters | None = None,
) -> Message:
    """A page of results, or the sentence that nothing was found.

    Args:
        voice: who reads it.
        rows: the papers of this page, best first; the first ten are shown.
        query: what was typed.
        total: how many papers there are on all pages.
        offset: how many stand on the pages before.
        token: names the search in the buttons of its pages.
        filters: what the reader filtered by.
    """
    said = _filters(voice, filters or Filters())
    if not rows:
        return nothing_found(voice, query, filtered=bool(said))
    shown = literal(echo(query))
    unsure = all(row.confidence == "maybe" for row in rows)
    heading = voice.say("search.title", query=shown) if shown else voice.say("search.title_all")
    notes = [voice.sentence("search.did_you_mean", query=shown) if unsure and shown else None, said]
    page = paper_page(voice, rows, heading=heading, total=total, offset=offset, token=token, query=query)
    embed = page.embeds[0]
    embed.description = "\n\n".join([*(note for note in notes if note), embed.description or ""])
    return fit(page)


def paper_page(
    voice: Voice, rows: Sequence[Row], *, heading: str, total: int, offset: int, token: str, query: str = ""
) -> Message:
    """A page of any papers under a heading that is harmless already; arguments as for `search_page`."""
    rows = rows[:PAGE]
    room = min(LINE, (DESCRIPTION - _NOTES) // max(1, len(rows)) - 2)
    lines = [_row(voice, row, offset + number, query, room) for number, row in enumerate(rows, 1)]
    embed = discord.Embed(title=heading, description="\n\n".join(lines), colour=_COLOUR)
    last = offset + len(rows)
    embed.set_footer(text=voice.say("search.position", first=offset + 1, last=last, total=max(total, last)))
    return fit(
        Message(
            embeds=(embed,),
            buttons=_turns(voice, total=total, offset=offset, token=token),
            select=open_select(voice, [row.paper for row in rows], where=token, first=offset + 1),
        )
    )


def open_select(voice: Voice, papers: Sequence[Paper], *, where: str = "", first: int = 1) -> Select | None:
    """A select that opens one of the papers; its values are ``p:<id>``. None without papers."""
    options = tuple(
        Option(f"{number}. {_label(voice, paper)}", f"p:{paper.id}", bare(badge(voice, paper)))
        for number, paper in enumerate(papers, first)
    )
    return Select(ids.encode("open", where), options, voice.say("button.open_select")) if options else None


def nothing_found(voice: Voice, query: str, *, filtered: bool = False) -> Message:
    """Nothing matched: said plainly, with what to try; an empty query is asked for instead."""
    shown = literal(echo(query))
    if not shown and not filtered:
        return fit(Message(voice.sentence("search.empty_query")))
    hint = voice.sentence("search.nothing_filters" if filtered else "search.nothing_hint")
    return fit(Message("\n".join([voice.sentence("search.nothing", query=shown), hint]) if shown else hint))


def confidence_key(score: float, confidence: str) -> str:
    """The catalogue's key for how sure a hit is, in words instead of a number."""
    if confidence == "maybe":
        return "confidence.maybe"
    return f"confidence.{'exact' if score >= _EXACT else 'strong' if score >= _STRONG else 'good'}"


def _row(voice: Voice, row: Row, number: int, query: str, room: int) -> str:
    first, _ = titles(voice, row.paper)
    leading = title(row.paper, voice.papers[0]) or title(row.paper, Language.EN)
    wanted = " ".join((query, *row.terms))
    shown = highlight(leading, wanted) if leading and query and _in_title(row) else first
    return line(voice, row.paper, title=f"`{number}` {shown}", note=_why(voice, row), room=room)


def _in_title(row: Row) -> bool:
    return row.matched is None or row.matched.startswith(("title", "mixed", "pinyin"))


def _why(voice: Voice, row: Row) -> str:
    if row.score is None or row.matched is None:
        return ""
    key = f"matched.{row.matched}"
    field = voice.say(key if voice.catalogue.has(key) else "matched.mixed")
    sure = voice.say(confidence_key(row.score, row.confidence))
    return f"{voice.say('search.matched', field=field)} ({sure})"


def _label(voice: Voice, paper: Paper) -> str:
    return label(paper, voice.papers[0])


def _turns(voice: Voice, *, total: int, offset: int, token: str) -> tuple[tuple[Button, ...], ...]:
    """Previous and Next, when there is more than a page; the one that leads nowhere is switched off."""
    if total <= PAGE:
        return ()
    before, after = max(0, offset - PAGE), offset + PAGE
    return rows_of(
        _turn(voice.say("button.previous"), token, before, offset > 0),
        _turn(voice.say("button.next"), token, after, after < total),
    )


def _turn(label: str, token: str, offset: int, leads: bool) -> Button:
    return Button(label, custom_id=ids.encode("page", token, offset), disabled=not leads)


def _filters(voice: Voice, filters: Filters) -> str:
    said = [
        voice.say("search.filter_year", value=filters.year) if filters.year else None,
        *(_choice(voice, kind, getattr(filters, kind)) for kind in ("track", "presentation")),
        *(_named(voice, kind, getattr(filters, kind)) for kind in ("institution", "author")),
    ]
    given = [one for one in said if one]
    return f"-# {voice.say('search.filters', filters=' · '.join(given))}" if given else ""


def _choice(voice: Voice, kind: str, value: str | None) -> str | None:
    key = f"venue.{value}"
    return (
        voice.say(f"search.filter_{kind}", value=voice.say(key))
        if value and voice.catalogue.has(key)
        else None
    )


def _named(voice: Voice, kind: str, value: str | None) -> str | None:
    return voice.say(f"search.filter_{kind}", value=literal(echo(value))) if value else None
