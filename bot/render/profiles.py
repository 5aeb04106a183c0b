"""What is known about an author or an institution: counts, newest papers, who they work with.

Promises: nothing is claimed that the papers don't say; a name that several people share is called so.
Leaves to others: counting (`storage`), deciding who or what was meant (`bot.institutions`, `bot.papers.names`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import discord

from bot.papers.model import Paper
from bot.render import ids
from bot.render.blocks import line
from bot.render.charts import bars
from bot.render.cutting import cut
from bot.render.limits import echo, fit
from bot.render.lists import open_select
from bot.render.message import Button, Message, Option, Select, rows_of
from bot.render.papers import both_names
from bot.render.safe import bare, literal
from bot.render.voice import Voice

NEWEST_SHOWN = 5
_NAMES_SHOWN = 8
_COLOUR = 0x1F9E89

# (year or None, track) → papers
Counts = Sequence[tuple[int | None, str, int]]


@dataclass(frozen=True, slots=True)
class AuthorProfile:
    """An author as the papers show them.

    Attributes:
        name: the commonest spelling.
        key: the author's key, for the button that follows them.
        total: their papers.
        counts: by year and track.
        newest: their papers, newest first; the first five are shown.
        coauthors: names and common papers, most first.
        institutions: organisation ids (or printed names) and papers, most first.
        spellings: other printed forms of the name.
        shared: the papers look like those of several people.
    """

    name: str
    key: str
    total: int
    counts: Counts = ()
    newest: Sequence[Paper] = ()
    coauthors: Sequence[tuple[str, int]] = ()
    institutions: Sequence[tuple[str, int]] = ()
    spellings: Sequence[str] = ()
    shared: bool = False


@dataclass(frozen=True, slots=True)
class InstitutionProfile:
    """An institution as the papers and the directory show it.

    Attributes:
        name_en: the canonical English name, or the printed one where it is in no directory.
        name_zh: the Chinese one.
        place: the organisation's id, or the printed name; for the button that follows it.
        known: whether it is in the directory.
        total: papers with it, those of its children left out.
        counts: by year and track.
        newest: its papers, newest first; the first five are shown.
        together: ids (or printed names) of other institutions on its papers, and how many, most first.
        kind: university | company | institute.
        parent: the organisation it belongs to, by id.
        children: those that belong to it, by id.
        aliases: other names.
        country: as the directory says it.
    """

    name_en: str
    name_zh: str | None
    place: str
    known: bool
    total: int
    counts: Counts = ()
    newest: Sequence[Paper] = ()
    together: Sequence[tuple[str, int]] = ()
    kind: str | None = None
    parent: str | None = None
    children: Sequence[str] = ()
    aliases: Sequence[str] = ()
    country: str | None = None


def author_profile(voice: Voice, profile: AuthorProfile) -> Message:
    """The page of an author."""
    sections = [
        voice.say("author.papers", count=profile.total),
        f"-# {voice.say('author.spellings', names=_joined(profile.spellings))}" if profile.spellings else "",
        f"⚠️ {voice.sentence('author.shared')}" if profile.shared else "",
        _years(voice, profile.counts),
        _counted(voice, "author.institutions", [(_place(voice, i), n) for i, n in profile.institutions]),
        _counted(voice, "author.coauthors", [(literal(name), n) for name, n in profile.coauthors]),
        _newest(voice, "author.newest", profile.newest),
    ]
    return _page(
        voice, literal(profile.name), sections, profile.newest, _follow(voice, "author", profile.key)
    )


def institution_profile(voice: Voice, profile: InstitutionProfile) -> Message:
    """The page of an institution."""
    what = [
        voice.say(f"kind.{profile.kind}")
        if profile.kind and voice.catalogue.has(f"kind.{profile.kind}")
        else "",
        voice.say("institution.country", name=literal(profile.country)) if profile.country else "",
        voice.say("institution.parent", name=_place(voice, profile.parent)) if profile.parent else "",
    ]
    children = [_place(voice, child) for child in profile.children]
    sections = [
        "\n".join(
            text
            for text in (
                voice.say("institution.papers", count=profile.total),
                "-# " + " · ".join(part for part in what if part) if any(what) else "",
                f"-# {voice.say('institution.aliases', names=_joined(profile.aliases))}"
                if profile.aliases
                else "",
            )
            if text
        ),
        "" if profile.known else f"-# {voice.sentence('institution.literal')}",
        _years(voice, profile.counts, tracks=True),
        _counted(voice, "institution.together", [(_place(voice, i), n) for i, n in profile.together]),
        f"**{voice.say('institution.children')}** {_some(children)}" if children else "",
        _newest(voice, "institution.newest", profile.newest),
    ]
    heading = both_names(voice, profile.name_en, profile.name_zh)
    return _page(voice, heading, sections, profile.newest, _follow(voice, "institution", profile.place))


def choices(
    voice: Voice,
    kind: Literal["author", "institution"],
    query: str,
    options: Sequence[tuple[str, str]],
    *,
    ambiguous: bool = False,
) -> Message:
    """Which one was meant? A select of (value, name), or that nothing was found when there is none.

    Args:
        voice: who reads it.
        kind: what was looked up.
        query: what was typed.
        options: the value that comes back (at most 100 units) and the name to show (foreign text), best first.
        ambiguous: all of them go by this name, rather than having a near one.
    """
    shown = literal(echo(query))
    if not options:
        return fit(Message(voice.sentence(f"{kind}.nothing", query=shown)))
    key = "institution.ambiguous" if ambiguous and kind == "institution" else f"{kind}.did_you_mean"
    select = Select(
        ids.encode("choose", "", kind),
        tuple(Option(bare(name), value) for value, name in options),
        voice.say("button.choose_select"),
    )
    return fit(Message(voice.sentence(key, query=shown), select=select))


def _page(
    voice: Voice, heading: str, sections: Sequence[str], papers: Sequence[Paper], follow: Button | None
) -> Message:
    text = "\n\n".join(section for section in sections if section)
    embed = discord.Embed(title=heading, description=text, colour=_COLOUR)
    select = open_select(voice, papers[:NEWEST_SHOWN], where="profile")
    return fit(Message(embeds=(embed,), buttons=rows_of(follow), select=select))


def _follow(voice: Voice, kind: str, what: str) -> Button | None:
    """The button that follows; none where its id would be longer than Discord takes."""
    try:
        return Button(voice.say("button.subscribe"), "primary", ids.encode("subscribe", kind, what))
    except ValueError:
        return None


def _years(voice: Voice, counts: Counts, *, tracks: bool = False) -> str:
    """Bars by year; with `tracks`, main papers and workshops apart."""
    if not counts:
        return ""
    rows: dict[str, int] = {}
    for year, track, count in sorted(counts, key=lambda row: (-(row[0] or 0), row[1])):
        name = str(year) if year else voice.say("stats.not_stated")
        if tracks:
            name = f"{name} {voice.say(f'stats.track_{track}')}"
        rows[name] = rows.get(name, 0) + count
    key = "institution.years" if tracks else "author.years"
    return f"**{voice.say(key)}**\n{bars(list(rows.items())[:12])}"


def _counted(voice: Voice, key: str, rows: Sequence[tuple[str, int]]) -> str:
    """Names (harmless already) and numbers after a label; "" without any."""
    return f"**{voice.say(key)}** {_some([f'{name} ({count})' for name, count in rows])}" if rows else ""


def _some(names: Sequence[str]) -> str:
    more = len(names) - _NAMES_SHOWN
    return cut(" · ".join(names[:_NAMES_SHOWN]), 700) + (f" … +{more}" if more > 0 else "")


def _joined(names: Sequence[str]) -> str:
    return _some([literal(name) for name in names])


def _newest(voice: Voice, key: str, papers: Sequence[Paper]) -> str:
    if not papers:
        return ""
    lines = [f"`{number}` {line(voice, paper)}" for number, paper in enumerate(papers[:NEWEST_SHOWN], 1)]
    return "\n\n".join([f"**{voice.say(key)}**", *lines])


def _place(voice: Voice, place: str) -> str:
    return both_names(voice, *voice.names(place))
