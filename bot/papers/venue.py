"""What a paper's comments and journal reference say about ICLR.

Promises: pure; a text that doesn't name ICLR (ICRA doesn't) gives ``None``; what is only submitted, rejected or an
earlier version is never "accepted"; what is said of another venue isn't taken for ICLR's. Sources of the rules:
real comments on arXiv, and iclr.cc (the n-th conference is that of the year 2012 + n).
Leaves to `venue_words`: the words; to `venue_names`: what a workshop is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from bot.papers.model import Presentation, Status, Track, Venue
from bot.papers.venue_names import follows_year, is_workshop_word, precedes, workshop_name
from bot.papers.venue_words import (
    ANY_YEAR,
    EARLIER,
    MENTION,
    NOT_EARLIER,
    ONLY_PRESENTATION,
    ORDINALS,
    OTHER_TRACK,
    OTHER_VENUE,
    PRESENTATION,
    QUICK,
    STATUS,
    VERSION_OF_ELSEWHERE,
    WORKSHOP,
)

_LINK = re.compile(
    r"\$?\\(?:url|href)\s*\{[^{}]*\}(?:\s*\{(?:[^{}]|\{[^{}]*\})*\})?\$?|https?://\S+|\bwww\.\S+|\barxiv:\s*\S+",
    re.IGNORECASE,
)
# The end of a statement: a semicolon, or a full stop before a new sentence; not the one of "Int. Conf.".
_CLAUSE = re.compile(
    r"[;；。\n]+|(?<![\s.][A-Za-z])(?<!\b(?:vs|al|no|pp|eq))(?<!\b(?:conf|intl|proc|dept|univ|repr))(?<!\b(?:int|fig|sec|ref|tab|vol))\.(?:\s+|$)",
    re.IGNORECASE,
)
_COUNT = re.compile(r"\b\d{1,3}(?=\+?\s?(?:pages?|pp|figures?|tables?)\b)", re.IGNORECASE)
_LIMIT = 4_000  # characters; arXiv's comments are far shorter
_MENTIONS = 12  # of one venue in one statement; nobody writes more


def read_venue(comments: str | None, journal_ref: str | None) -> Venue | None:
    """The edition of ICLR that the texts name, or ``None``.

    Args:
        comments: arXiv's comment field; it decides.
        journal_ref: arXiv's journal reference; read when the comments name no ICLR, or only an earlier version, and
            for a year that they leave out.
    """
    stated = _read(comments)
    if stated is not None and stated.status is not Status.EARLIER_VERSION and stated.year is not None:
        return stated
    published = _read(journal_ref)
    if stated is None or (published and stated.status is Status.EARLIER_VERSION):
        return published or stated
    if published and stated.year is None and stated.track is published.track:
        status = published.status if stated.status is Status.UNKNOWN else stated.status
        return replace(stated, year=published.year, status=status)
    return stated


@dataclass(frozen=True, slots=True)
class _Statement:
    """What one mention of ICLR says. `cued`: a word about acceptance belongs to it."""

    venue: Venue
    cued: bool
    has_year: bool

    @property
    def rank(self) -> tuple[int, ...]:
        """Which of several statements is the paper's venue: the largest."""
        venue = self.venue
        order = (
            Status.WITHDRAWN,
            Status.REJECTED,
            Status.UNKNOWN,
            Status.EARLIER_VERSION,
            Status.SUBMITTED,
            Status.ACCEPTED,
        )
        workshop = venue.track is not Track.MAIN
        # "Workshop at ICLR 2026 … ICLR 2026 page": the plain repetition says less than the workshop does.
        plain = not self.cued and not workshop and venue.presentation is None
        return (order.index(venue.status), not plain, venue.year or 0, not workshop)


def _read(text: str | None) -> Venue | None:
    if not text or not QUICK.search(text):
        return None
    # Addresses and counts of pages say nothing here; without them many comments are the same.
    return _read_plain(_COUNT.sub("9", _without_links(text[:_LIMIT])))


def _without_links(text: str) -> str:
    if "://" in text or "\\" in text or "www." in text or "rXiv:" in text or "rxiv:" in text:
        return _LINK.sub(" ⟂ ", text)
    return text


@lru_cache(maxsize=8_192)
def _read_plain(text: str) -> Venue | None:
    if not MENTION.search(text):
        return None
    clauses = [_Clause(part) for part in _split(text)]
    statements = [statement for clause in clauses for statement in clause.statements()]
    if not statements:
        return None
    telling = [item for item in statements if item.has_year or item.cued] or statements
    best = max(telling, key=lambda statement: statement.rank)
    return _with_neighbours(best, telling, clauses)


def _split(text: str) -> Iterator[str]:
    start = 0
    for match in _CLAUSE.finditer(text):
        # A semicolon or full stop inside brackets doesn't end the statement.
        if (
            text.count("(", start, match.start()) > text.count(")", start, match.start())
            and ")" in text[match.end() :]
        ):
            continue
        yield text[start : match.start()]
        start = match.end()
    yield text[start:]


def _with_neighbours(best: _Statement, telling: list[_Statement], clauses: list[_Clause]) -> Venue:
    """Add what stands in clauses without a venue of their own: "ICLR 2026. Oral.", "Under review. ICLR 2026"."""
    venue = best.venue
    same = [
        item.venue for item in telling if (item.venue.year, item.venue.track) == (venue.year, venue.track)
    ]
    presentation = venue.presentation or next((item.presentation for item in same if item.presentation), None)
    status = venue.status
    for clause in clauses:
        if clause.venues:
            continue
        if presentation is None and ONLY_PRESENTATION.fullmatch(clause.text):
            presentation = _presentation_in(clause.text)
        if not best.cued and status is Status.ACCEPTED and not VERSION_OF_ELSEWHERE.search(clause.text):
            cue = _first_status(clause.text)
            if cue in (Status.SUBMITTED, Status.REJECTED, Status.WITHDRAWN):
                status = cue
    return replace(venue, presentation=presentation, status=status)


def _presentation_in(text: str) -> Presentation | None:
    return next((Presentation(name) for name, pattern in PRESENTATION if pattern.search(text)), None)


def _first_status(text: str) -> Status | None:
    return next((Status(name) for name, pattern in STATUS if pattern.search(text)), None)


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    mention: re.Match[str] | None  # None for another venue


class _Clause:
    """One statement of a comment, with the venues that it names."""

    def __init__(self, text: str) -> None:
        self.text = text
        mentions = [
            _Span(match.start(), match.end(), match) for match in islice(MENTION.finditer(text), _MENTIONS)
        ]
        others = [
            _Span(match.start(), match.end(), None)
            for match in islice(OTHER_VENUE.finditer(text), 2 * _MENTIONS)
        ]
        # "ICLR ML4RS 2026": what follows ICLR at once is part of its own statement.
        apart = [
            other
            for other in others
            if not any(
                -1 <= other.start - span.end <= 1 or (span.start < other.end and other.start < span.end)
                for span in mentions
            )
        ]
        self.venues = sorted([*mentions, *apart], key=lambda span: span.start)

    def statements(self) -> Iterator[_Statement]:
        """What each mention of ICLR in the clause says."""
        for index, span in enumerate(self.venues):
            if span.mention is not None:
                yield self._statement(index, span, span.mention)

    def _statement(self, index: int, span: _Span, mention: re.Match[str]) -> _Statement:
        before, after = self._around(index)
        track, name = self._track(index, before, after, mention)
        status, cued = self._status(index, before, after)
        year = _year(mention, before if len(self.venues) == 1 else "", after)
        if status is Status.ACCEPTED and not cued and track is Track.WORKSHOP and year is None:
            # "ICLR Workshop Version": no year, no verb.
            status = Status.UNKNOWN
        venue = Venue(name, year, track, self._presentation(index), status)
        return _Statement(venue, cued, year is not None)

    def _around(self, index: int) -> tuple[str, str]:
        """The text on either side of a venue, up to the next venue."""
        start = self.venues[index - 1].end if index else 0
        end = self.venues[index + 1].start if index + 1 < len(self.venues) else len(self.text)
        return self.text[start : self.venues[index].start], self.text[self.venues[index].end : end]

    def _owner(self, start: int, end: int) -> int:
        """The venue that a word belongs to: the next one if nothing but a few words leads there, else the last."""
        following = next((i for i, venue in enumerate(self.venues) if venue.start >= end), None)
        previous = next((i for i in range(len(self.venues) - 1, -1, -1) if self.venues[i].end <= start), None)
        if following is None or previous is None:
            return following if previous is None and following is not None else previous or 0
        between = self.text[end : self.venues[following].start]
        return following if _LEADS_ON.search(between) else previous

    def _track(self, index: int, before: str, after: str, mention: re.Match[str]) -> tuple[Track, str]:
        alone = len(self.venues) == 1
        words = [match for match in WORKSHOP.finditer(self.text) if is_workshop_word(match[0])]
        if re.search(r"ICLR-?W(?![A-Za-z])", mention[0], re.IGNORECASE):
            return Track.WORKSHOP, workshop_name(self.text, mention, before, after)
        mine = [match for match in words if alone or self._owner_of_workshop(match) == index]
        if mine:
            return Track.WORKSHOP, workshop_name(self.text, mention, before, after)
        named = follows_year(mention, after) or precedes(before)
        other = [
            match for match in OTHER_TRACK.finditer(self.text) if alone or self._owner(*match.span()) == index
        ]
        if named and not (other and not follows_year(mention, after)):
            return Track.WORKSHOP, named
        return (Track.OTHER if other else Track.MAIN), "ICLR"

    def _owner_of_workshop(self, word: re.Match[str]) -> int:
        """Whose workshop it is: the venue just before the word, unless "… Workshop on X at ICLR" leads on."""
        previous = next(
            (i for i in range(len(self.venues) - 1, -1, -1) if self.venues[i].end <= word.start()), None
        )
        following = next((i for i, venue in enumerate(self.venues) if venue.start >= word.end()), None)
        if previous is None or following is None:
            return following if previous is None and following is not None else previous or 0
        between = self.text[word.end() : self.venues[following].start]
        apart = re.search(r"\band\b|&|[,/]", between, re.IGNORECASE)
        leads = re.search(r"(?:\bat|@|\bof|\bin|\bwith)\s*(?:the\s*)?$", between, re.IGNORECASE)
        gap = self.text[self.venues[previous].end : word.start()]
        if leads and not (apart and len(gap) < 3):
            return following
        return previous if len(gap) < 40 or apart else following

    def _status(self, index: int, before: str, after: str) -> tuple[Status, bool]:
        """What is said of one venue, and whether a word says it or only the bare mention."""
        if EARLIER.search(before + " ⟂ " + after[:80]) and not NOT_EARLIER.search(before):
            return self._earlier(before)
        said = {
            Status(name)
            for name, pattern in STATUS
            for match in pattern.finditer(self.text)
            if self._owner(*match.span()) == index or self._shares(index, match)
        }
        for status in (Status.WITHDRAWN, Status.REJECTED, Status.ACCEPTED, Status.SUBMITTED, Status.UNKNOWN):
            if status in said:
                return status, True
        return Status.ACCEPTED, False

    def _earlier(self, before: str) -> tuple[Status, bool]:
        submitted = dict(STATUS)["submitted"]
        # "Workshop version submitted to ICLR" is no version that was ever presented.
        if (cues := list(submitted.finditer(before))) and not dict(STATUS)["accepted"].search(
            before, cues[-1].end()
        ):
            return Status.SUBMITTED, True
        if not before.strip() or re.fullmatch(r"\W*(?:workshop|conference)?\W*", before, re.IGNORECASE):
            return Status.UNKNOWN, False
        return Status.EARLIER_VERSION, True

    def _shares(self, index: int, word: re.Match[str]) -> bool:
        """Whether a word about the venue before is said of this one too: "Submitted to ICML and ICLR"."""
        if index == 0 or self._owner(*word.span()) != index - 1 or word.start() >= self.venues[index - 1].end:
            return False
        between = self.text[self.venues[index - 1].end : self.venues[index].start]
        return bool(
            re.fullmatch(r"\s*(?:20\d\d\s*)?(?:and|&|,|/|or|\+)\s*(?:the\s+)?", between, re.IGNORECASE)
        )

    def _presentation(self, index: int) -> Presentation | None:
        for name, pattern in PRESENTATION:
            if any(self._owner(*match.span()) == index for match in pattern.finditer(self.text)):
                return Presentation(name)
        return None


_LEADS_ON = re.compile(
    r"^\s*(?:[\w’'-]+\s+){0,8}?(?:at|in|to|by|for|on|of|from|with|@)\s+(?:[\w’'&:-]+\s+){0,12}$|^\s*(?:the\s+)?$|@\s*$",
    re.IGNORECASE,
)


def _year(mention: re.Match[str], before: str, after: str) -> int | None:
    """The venue's year: beside the name, by its ordinal, or else the only one in the statement."""
    if digits := re.search(r"\d+\s*$", mention["after"] or ""):
        number = int(digits[0])
        return number if number > 2000 else 2000 + number
    if mention["before"]:
        return int(mention["before"])
    ordinal = mention["ordinal"] or mention["ordinal2"]
    if ordinal:
        count = ORDINALS.get(ordinal.lower()) or int(re.sub(r"\D", "", ordinal) or 0)
        if 1 <= count <= 40:
            return 2012 + count
    years = ANY_YEAR.findall(after) or ANY_YEAR.findall(before)
    return int(years[0]) if years else None
