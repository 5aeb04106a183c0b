"""What every surface says about a paper: badge, titles, names, links.

Promises: all of it harmless and readable; nothing is shown that isn't there ("N/A", empty lines).
Leaves to others: `summaries`, the arrangement (`cards`, `digests`, `lists`) and the limits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote

from bot.papers.model import Language, Paper, PaperAffiliation, Presentation, Status, Track, Venue
from bot.papers.readable import readable
from bot.render.safe import bare, clean, literal, safe_url
from bot.render.voice import Voice

AUTHORS_SHOWN = 10
LINK_ORDER = ("paper", "openreview", "arxiv", "code", "project", "demo", "other")

_PLACEHOLDER_NAMES = frozenset({"na", "none", "null", "nan", "unknown", "nil", "tbd"})
_STATUS_KEYS = {
    Status.SUBMITTED: "venue.submitted",
    Status.REJECTED: "venue.rejected",
    Status.WITHDRAWN: "venue.withdrawn",
    Status.EARLIER_VERSION: "venue.earlier_version",
    Status.UNKNOWN: "venue.unknown",
}
_COLOURS = {
    Presentation.ORAL: 0xE0A526,
    Presentation.SPOTLIGHT: 0x1F9E89,
    Presentation.POSTER: 0x3B7DD8,
    None: 0x3B7DD8,
}
_WORKSHOP_COLOUR = 0x8E5BC0
_GREY = 0x8A8F98
_SEARCH_ROOM = 400  # units of an encoded title, so that the address stays within Discord's 512


def title(paper: Paper, language: Language) -> str | None:
    """A title in readable, unescaped text; None when there is none in that language."""
    return text_of(paper.title_en if language is Language.EN else paper.title_zh)


def text_of(source: str | None) -> str | None:
    """Foreign text with its LaTeX read, in one visible line; None when nothing visible is left."""
    return (clean(readable(source)) or None) if source else None


def titles(voice: Voice, paper: Paper) -> tuple[str, str | None]:
    """The leading title and the second one, both escaped.

    The second is the other language's, when the voice speaks both; a Chinese leading title is always followed by
    the English one, under which a paper is known and cited.
    """
    wanted = [*voice.papers, *([] if Language.EN in voice.papers else [Language.EN])]
    found = [text for text in (title(paper, language) for language in wanted) if text]
    if not found:
        found = [text_of(paper.title_en) or text_of(paper.title_zh) or f"#{paper.id}"]
    second = found[1] if len(found) > 1 and found[1] != found[0] else None
    return literal(found[0]), literal(second) if second else None


def label(paper: Paper, language: Language = Language.EN) -> str:
    """A title for a surface without markdown: buttons, options, autocomplete choices."""
    return bare(title(paper, language) or text_of(paper.title_en) or f"#{paper.id}")


def badge(voice: Voice, paper: Paper) -> str:
    """Where the paper appeared, in words and without markdown: ``ICLR 2026 · Oral``."""
    return venue_badge(voice, paper.venue) if paper.venue else voice.say("venue.absent")


def venue_badge(voice: Voice, venue: Venue) -> str:
    """One venue in words, without markdown; what isn't accepted says so, a workshop is always called one."""
    parts = [part for language in voice.interface for part in _venue_in(voice, language, venue)]
    return " · ".join(dict.fromkeys(parts))


def _venue_in(voice: Voice, language: Language, venue: Venue) -> list[str]:
    place = _place(voice, language, venue)
    if venue.status in _STATUS_KEYS:
        return [voice.tell(language, _STATUS_KEYS[venue.status], venue=", ".join(place))]
    return (
        [*place, voice.tell(language, f"venue.{venue.presentation.value}")] if venue.presentation else place
    )


def _place(voice: Voice, language: Language, venue: Venue) -> list[str]:
    conference = f"ICLR {venue.year}" if venue.year else "ICLR"
    if venue.track is Track.MAIN:
        return [conference]
    kind, name = voice.tell(language, f"venue.{venue.track.value}"), bare(venue.name, "")
    if name.casefold() in {"", "iclr", "workshop", conference.casefold()}:
        return [conference, kind]
    says_so = language is Language.EN and re.search(r"work-?s?hop", name, re.IGNORECASE)
    return [conference, name] if says_so else [conference, kind, name]


def colour(paper: Paper) -> int:
    """The colour of a card's edge: by presentation for the main track, one for workshops, grey for the rest."""
    venue = paper.venue
    if venue is None or venue.status is not Status.ACCEPTED:
        return _GREY
    return _COLOURS[venue.presentation] if venue.track is Track.MAIN else _WORKSHOP_COLOUR


def authors(voice: Voice, paper: Paper, most: int = AUTHORS_SHOWN) -> str:
    """The first authors, escaped, and how many more there are; a sentence when none are listed."""
    names = [name for name in (literal(readable(author)) for author in paper.authors) if name]
    if not names:
        return voice.say("card.authors_absent")
    more = f" … {voice.tell(voice.interface[0], 'common.list_more', count=len(names) - most)}"
    return ", ".join(names[:most]) + (more if len(names) > most else "")


def institutions(voice: Voice, paper: Paper) -> list[str]:
    """Each institution once, by its display name in the voice's languages, escaped; placeholders left out."""
    return list(dict.fromkeys(_display(voice, affiliation) for affiliation in named(paper)))


def institutions_as_printed(voice: Voice, paper: Paper) -> list[str]:
    """Each institution with the names as printed behind its display name, where they say more."""
    printed: dict[str, list[str]] = {}
    for affiliation in named(paper):
        lines = printed.setdefault(_display(voice, affiliation), [])
        shown = literal(readable(affiliation.name_en))
        if affiliation.organisation is not None and shown not in lines:
            lines.append(shown)
    return [
        _with_printed(name, [line for line in lines if line not in name]) for name, lines in printed.items()
    ]


def _with_printed(name: str, printed: list[str]) -> str:
    return f"**{name}** ({'; '.join(printed)})" if printed else f"**{name}**"


def named(paper: Paper) -> Iterator[PaperAffiliation]:
    """The affiliations that name anything: no "N/A", no dash, no number."""
    return (a for a in paper.affiliations if is_name(a.name_en) or a.organisation is not None)


def is_name(text: str) -> bool:
    """Whether a printed institution is a name and no placeholder."""
    letters = "".join(ch for ch in clean(text) if ch.isalpha())
    return len(letters) > 1 and letters.casefold() not in _PLACEHOLDER_NAMES


def _display(voice: Voice, affiliation: PaperAffiliation) -> str:
    english, chinese = affiliation.name_en, affiliation.name_zh
    if affiliation.organisation is not None:
        english, chinese = voice.names(affiliation.organisation)
    return both_names(voice, english, chinese)


def both_names(voice: Voice, english: str, chinese: str | None) -> str:
    """An organisation's names in the voice's languages, escaped: ``Tsinghua University (清华大学)``."""
    by_language = {Language.EN: text_of(english), Language.ZH: text_of(chinese)}
    shown = [name for name in (by_language[language] for language in voice.papers) if name]
    first, *others = [literal(name) for name in dict.fromkeys(shown)] or [literal(readable(english))]
    return f"{first} ({others[0]})" if others else first


def links(paper: Paper) -> list[tuple[str, str]]:
    """The kinds and safe addresses of a paper's links, best first, each address once."""
    given = [(link.kind if link.kind in LINK_ORDER else "other", link.url) for link in paper.links]
    if paper.arxiv_id and not any(kind == "arxiv" for kind, _ in given):
        given.append(("arxiv", f"https://arxiv.org/abs/{paper.arxiv_id}"))
    kinds: dict[str, str] = {}
    for kind, url in sorted(given, key=lambda pair: LINK_ORDER.index(pair[0])):
        if address := safe_url(url):
            kinds.setdefault(address, kind)
    return [(kind, address) for address, kind in kinds.items()]


def best_address(paper: Paper) -> str | None:
    """The address under a paper's title."""
    return next((address for _, address in links(paper)), None)


def search_address(paper: Paper) -> str:
    """Where to look for a paper that came without any address: arXiv's search for its English title."""
    words = ""
    for word in (title(paper, Language.EN) or "").split():
        longer = f"{words}+{quote(word, safe='')}" if words else quote(word, safe="")
        if len(longer) > _SEARCH_ROOM:
            break
        words = longer
    return f"https://arxiv.org/search/?searchtype=title&query={words}"
