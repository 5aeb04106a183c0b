"""One statement of a comment: which venues it names, and what it says of ICLR.

Promises: a word about acceptance, a workshop or a presentation goes to the venue that it belongs to, never to all
of them. Leaves to `venue`: several statements together; to `venue_names`: what a workshop is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from bot.papers.model import Presentation, Status, Track, Venue
from bot.papers.venue_names import follows_year, is_workshop_word, precedes, workshop_name
from bot.papers.venue_words import (
    ANY_YEAR,
    EARLIER,
    MENTION,
    NOT_EARLIER,
    ORDINALS,
    OTHER_TRACK,
    OTHER_VENUE,
    PRESENTATION,
    STATUS,
    WORKSHOP,
)

_MENTIONS = 12  # of one venue in one statement; nobody writes more


@dataclass(frozen=True, slots=True)
class Statement:
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


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    mention: re.Match[str] | None  # None for another venue


class Clause:
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

    def statements(self) -> Iterator[Statement]:
        """What each mention of ICLR in the clause says."""
        for index, span in enumerate(self.venues):
            if span.mention is not None:
                yield self._statement(index, span, span.mention)

    def _statement(self, index: int, span: _Span, mention: re.Match[str]) -> Statement:
        before, after = self._around(index)
        track, name = self._track(index, before, after, mention)
        status, cued = self._status(index, before, after)
        year = _year(mention, before if len(self.venues) == 1 else "", after)
        if status is Status.ACCEPTED and not cued and track is Track.WORKSHOP and year is None:
            # "ICLR Workshop Version": no year, no verb.
            status = Status.UNKNOWN
        venue = Venue(name, year, track, self._presentation(index), status)
        return Statement(venue, cued, year is not None)

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
