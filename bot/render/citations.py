"""How a paper is cited: BibTeX, RIS, CSL-JSON, Markdown.

Promises: a conference paper only where the text says "accepted", everything else as a preprint; foreign text can
neither break the format nor run a command in it. Leaves to others: which papers, and where the text is shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from bot.papers.model import Language, Paper, Presentation, Status, Track, Venue
from bot.papers.names import surname_key
from bot.render import bibtex, ids
from bot.render.graphemes import size
from bot.render.limits import CONTENT, fit
from bot.render.message import Button, File, Message, rows_of
from bot.render.papers import label, links, title
from bot.render.people import Person, person
from bot.render.safe import clean, code, literal
from bot.render.voice import Voice
from bot.text import fold_latin

Format = Literal["bibtex", "ris", "csl-json", "markdown"]
FORMATS: tuple[Format, ...] = ("bibtex", "ris", "csl-json", "markdown")

_FENCES: dict[Format, str] = {"bibtex": "bibtex", "ris": "", "csl-json": "json", "markdown": "md"}
_FILES: dict[Format, str] = {"bibtex": "bib", "ris": "ris", "csl-json": "json", "markdown": "md"}
_CONFERENCE = "International Conference on Learning Representations"
_NOTES = {Presentation.ORAL: "Oral", Presentation.SPOTLIGHT: "Spotlight", Presentation.POSTER: "Poster"}
_TRACKS = {
    Track.MAIN: "Conference paper",
    Track.WORKSHOP: "Workshop paper",
    Track.OTHER: "Blog post or tiny paper",
}
_SMALL_WORDS_LIST = """
a an the on of for in to with and or is are can do does how why what when where from towards toward
"""
_SMALL_WORDS = frozenset(_SMALL_WORDS_LIST.split())


@dataclass(frozen=True, slots=True)
class Facts:
    """What all formats say about a paper. `place` is None for a preprint."""

    key: str
    title: str
    people: tuple[Person, ...]
    year: int | None
    place: str | None
    track: str | None
    note: str | None
    url: str | None
    arxiv_id: str | None
    category: str | None


def cite(voice: Voice, paper: Paper, format_: Format) -> Message:
    """The citation of one paper to copy, with buttons for the other formats; as a file when it is long."""
    text = citation(paper, format_)
    head = f"**{voice.say('cite.title', format=voice.say(_key(format_)))}** · {literal(label(paper))}"
    if venue_cited(paper) is None:
        head = f"{head}\n-# {voice.sentence('cite.not_accepted')}"
    block = f"{head}\n```{_FENCES[format_]}\n{code(text)}\n```"
    buttons = rows_of(*(_switch(voice, paper, other, other == format_) for other in FORMATS))
    if size(block) <= CONTENT:
        return fit(Message(block, buttons=buttons))
    note = f"{head}\n{voice.sentence('cite.in_file')}"
    return fit(Message(note, buttons=buttons, files=(File(f"{facts(paper).key}.{_FILES[format_]}", text),)))


def citation(paper: Paper, format_: Format) -> str:
    """One paper in a format."""
    return bibliography([paper], format_)


def bibliography(papers: Sequence[Paper], format_: Format) -> str:
    """Papers in a format, in order; keys that would be equal get a letter."""
    entries = _with_own_keys([facts(paper) for paper in papers])
    if format_ == "csl-json":
        return json.dumps([_csl(entry) for entry in entries], ensure_ascii=False, indent=2)
    make = {"bibtex": _bibtex, "ris": _ris, "markdown": _markdown}[format_]
    return ("\n" if format_ == "markdown" else "\n\n").join(make(entry) for entry in entries) + "\n"


def file_name(format_: Format) -> str:
    """The name of an exported file."""
    return f"iclr-herald.{_FILES[format_]}"


def venue_cited(paper: Paper) -> Venue | None:
    """The accepted venue a paper is cited by: the main conference before a workshop, the newest edition first."""
    accepted = [venue for venue in paper.venues if venue.status is Status.ACCEPTED]
    return min(accepted, key=lambda venue: venue.track is not Track.MAIN, default=None)


def facts(paper: Paper) -> Facts:
    """What a citation says, in clean text without escapes."""
    venue = venue_cited(paper)
    # A paper under review has no year of publication; the day it was put on arXiv has.
    year = venue.year if venue and venue.year else (paper.date.year if paper.date else None)
    people = tuple(one for one in map(person, paper.authors) if one.sorted_name)
    found = dict(reversed(links(paper)))
    return Facts(
        key=_make_key(paper, year),
        title=title(paper, Language.EN) or label(paper),
        people=people,
        year=year,
        place=_place(venue) if venue else None,
        track=_TRACKS[venue.track] if venue else None,
        note=_NOTES[venue.presentation] if venue and venue.presentation else None,
        url=found.get("openreview") or found.get("arxiv") or found.get("paper"),
        arxiv_id=clean(paper.arxiv_id) if paper.arxiv_id else None,
        category=clean(paper.categories[0]) if paper.categories else None,
    )


def _place(venue: Venue) -> str:
    name = clean(venue.name)
    if venue.track is Track.MAIN or name.casefold() in {"", "iclr"}:
        return _CONFERENCE if venue.track is Track.MAIN else f"ICLR {_TRACKS[venue.track].split()[0]}"
    return name if "ICLR" in name else f"ICLR {venue.year or ''} {_workshop(venue, name)}".replace("  ", " ")


def _workshop(venue: Venue, name: str) -> str:
    says_so = "workshop" in name.casefold() or venue.track is not Track.WORKSHOP
    return name if says_so else f"Workshop {name}"


def _make_key(paper: Paper, year: int | None) -> str:
    """``muller2026sat3dgen``: the first author's family name, the year, the first word of the title that says much."""
    family = _letters(surname_key(paper.authors[0])) if paper.authors else ""
    words = [_letters(word) for word in (title(paper, Language.EN) or "").replace("-", " ").split()]
    telling = next((word for word in words if word and word not in _SMALL_WORDS), "")
    return f"{family}{year or ''}{telling}" if family or telling else f"paper{paper.id}"


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", fold_latin(text).casefold())


def _with_own_keys(entries: list[Facts]) -> list[Facts]:
    seen: dict[str, int] = {}
    own = []
    for entry in entries:
        count = seen[entry.key] = seen.get(entry.key, 0) + 1
        own.append(entry if count == 1 else replace(entry, key=f"{entry.key}{_suffix(count)}"))
    return own


def _suffix(count: int) -> str:
    """`b` for the second paper of a key, c for the third …; numbers when the letters run out."""
    return chr(ord("a") + count - 1) if count <= 26 else f"_{count}"


def _bibtex(entry: Facts) -> str:
    fields = {
        "title": bibtex.title(entry.title),
        "author": " and ".join(map(bibtex.author, entry.people)),
        "booktitle": bibtex.escape(entry.place or ""),
        "year": str(entry.year or ""),
        "track": bibtex.escape(entry.track or ""),
        "note": bibtex.escape(entry.note or ""),
        "eprint": bibtex.escape(entry.arxiv_id or ""),
        "archiveprefix": "arXiv" if entry.arxiv_id else "",
        "primaryclass": bibtex.escape(entry.category or "") if entry.arxiv_id else "",
        "url": entry.url or "",
    }
    kind = "inproceedings" if entry.place else "misc"
    lines = [f"  {name:<13} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{kind}{{{entry.key},", *lines, "}"])


def _ris(entry: Facts) -> str:
    lines: list[tuple[str, str | None]] = [
        # RIS: CPAPER is a conference paper, UNPB what isn't published.
        ("TY", "CPAPER" if entry.place else "UNPB"),
        ("ID", entry.key),
        ("TI", entry.title),
        *(("AU", one.sorted_name) for one in entry.people),
        ("PY", str(entry.year) if entry.year else None),
        ("T2", entry.place),
        ("M3", entry.track or "Preprint"),
        ("N1", entry.note),
        ("AN", f"arXiv:{entry.arxiv_id}" if entry.arxiv_id else None),
        ("UR", entry.url),
    ]
    return "\n".join([*(f"{tag}  - {clean(value)}" for tag, value in lines if value), "ER  - "])


def _csl(entry: Facts) -> dict[str, Any]:
    """An item of CSL 1.0.2: https://docs.citationstyles.org/en/stable/specification.html#appendix-iii-types."""
    item: dict[str, Any] = {
        "id": entry.key,
        "type": "paper-conference" if entry.place else "article",
        "title": entry.title,
        "author": [_csl_name(one) for one in entry.people],
        "issued": {"date-parts": [[entry.year]]} if entry.year else None,
        "container-title": entry.place,
        "genre": entry.track or "Preprint",
        "note": entry.note,
        "number": f"arXiv:{entry.arxiv_id}" if entry.arxiv_id else None,
        "publisher": "arXiv" if entry.arxiv_id and not entry.place else None,
        "URL": entry.url,
    }
    return {name: value for name, value in item.items() if value}


def _csl_name(one: Person) -> dict[str, str]:
    if one.whole:
        return {"literal": one.whole}
    parts = {
        "family": one.family,
        "given": one.given,
        "non-dropping-particle": one.particle,
        "suffix": one.suffix,
    }
    return {name: value for name, value in parts.items() if value}


def _markdown(entry: Facts) -> str:
    names = [
        one.whole or f"{one.given} {one.particle} {one.family}".replace("  ", " ") for one in entry.people
    ]
    who = ", ".join(names[:3]) + (" et al." if len(names) > 3 else "")
    where = " ".join(
        part for part in (entry.place or "Preprint", f"({entry.note})" if entry.note else "") if part
    )
    when = f" ({entry.year})" if entry.year else ""
    link = f" <{entry.url}>" if entry.url else ""
    return f"- {_plain(who)}{when}. *{_plain(entry.title)}*. {_plain(where)}.{link}"


def _plain(text: str) -> str:
    """Text in anybody's Markdown: every mark of CommonMark stands behind a backslash."""
    return re.sub(r"([\\`*_\[\]<>~|])", r"\\\1", text)


def _key(format_: Format) -> str:
    return f"cite.{format_.replace('-', '_')}"


def _switch(voice: Voice, paper: Paper, format_: Format, chosen: bool) -> Button:
    label_ = voice.say(_key(format_))
    return Button(
        label_, "primary" if chosen else "secondary", ids.encode("cite", paper.id, format_), disabled=chosen
    )
