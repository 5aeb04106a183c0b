"""An affiliation string read: which segments are organisations, places, bare departments or something unknown.

Promises: total; a form is found only as a whole segment, as neighbouring segments, or by a rule of `rules`.
Leaves to others: which of several organisations an ambiguous form means, and what to tell (`settling`, `resolver`).
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.institutions import rules
from bot.institutions.directory import Directory, Form
from bot.institutions.keys import HAN, join
from bot.institutions.model import Organisation
from bot.institutions.segments import LONGEST, Segment, clean, split
from bot.institutions.words import ORGANISATION_WORDS, STOPS, TITLES

# "University of California" + "Berkeley", "Texas A&M University" + "College Station"; no name has more parts.
_WIDEST = 3
# Words of a name that is an organisation of its own and would be abbreviated in brackets.
_SCHOOLS = frozenset(
    {"university", "universite", "universitat", "universidad", "universidade", "universita"}
) | frozenset({"institute", "college", "academy", "hochschule", "polytechnic", "hospital"})


@dataclass(slots=True)
class Found:
    """A form found in segments `start` to `end` (exclusive); `choice` is what is left after settling."""

    start: int
    end: int
    form: Form
    name: str  # the key that was found
    segment: str  # as printed
    choice: tuple[Organisation, ...]
    certain: bool


@dataclass(slots=True)
class Reading:
    """The segments of one text and what is known about each."""

    segments: list[Segment]
    found: list[Found]
    places: dict[int, frozenset[str]]
    others: list[int]  # segments that name something unknown
    place_names: list[Found]  # aliases that are places as well ("Princeton")


class Reader:
    """Reads texts against a directory."""

    def __init__(self, directory: Directory) -> None:
        self._directory = directory

    def read(self, text: str) -> Reading | None:
        """The reading of a text; None when nothing in it names anything."""
        if len(text) > LONGEST:
            return None
        segments = split(clean(text))
        if not segments or all(map(rules.nothing, segments)):
            return None
        reading = Reading(segments, [], {}, [], [])
        position = 0
        while position < len(segments):
            position = self._step(reading, position)
        self._locals(reading)
        self._acronyms(reading)
        if not reading.found and not reading.others and len(reading.places) == len(reading.place_names):
            reading.found = reading.place_names
        return reading

    def _step(self, reading: Reading, start: int) -> int:
        """Read the segments from `start` on; return where to go on."""
        segments = reading.segments
        widest = min(len(segments), start + _WIDEST)
        if widest > start + 1 and not self._directory.may_join(segments[start].key, segments[start + 1].key):
            widest = start + 1
        for end in range(widest, start, -1):
            name = (
                join([segment.key for segment in segments[start:end]])
                if end > start + 1
                else segments[start].key
            )
            form = self._directory.find(name)
            if form is None:
                continue
            if end == start + 1 and name in self._directory.places:
                break
            if end > start + 1 and form.imported and self._splits(segments[start:end]):
                continue
            reading.found.append(_found(start, end, name, form, segments))
            return end
        self._classify(reading, start, segments[start])
        return start + 1

    def _splits(self, segments: list[Segment]) -> bool:
        """Whether one of the segments is a shipped name: a dump's longer name must not hide it."""
        forms = [self._directory.find(segment.key) for segment in segments]
        return any(form is not None and not form.imported for form in forms)

    def _classify(self, reading: Reading, position: int, segment: Segment) -> None:
        if (codes := self._directory.places.read(segment.raw, segment.key)) is not None:
            reading.places[position] = codes
            form = self._directory.find(segment.key)
            if form is not None:
                reading.place_names.append(
                    _found(position, position + 1, segment.key, form, reading.segments)
                )
        elif not rules.inside(segment) and not rules.nothing(segment):
            keys = rules.read(segment, self._directory)
            for name in keys:
                form = self._directory.part(segment.key, name)
                reading.found.append(_found(position, position + 1, name, form, reading.segments))
            if not keys:
                reading.others.append(position)

    def _locals(self, reading: Reading) -> None:
        """Read "Institute of Automation" beside "Chinese Academy of Sciences" as that institute."""
        for position, segment in enumerate(reading.segments):
            if not self._directory.is_local(segment.key):
                continue
            for found in reading.found:
                if found.start <= position < found.end:
                    continue
                for owner in found.form.organisations:
                    child = self._directory.within(segment.key, owner.id)
                    if child is not None:
                        found.form, found.choice, found.certain = Form((child,)), (child,), True
                        found.name, found.segment = child.id, segment.raw
                        found.start = min(found.start, position)
                        break

    def _acronyms(self, reading: Reading) -> None:
        """Drop acronyms that belong to the name they stand beside.

        "Hanoi University of Science and Technology (HUST)" is no Huazhong, and whatever stands in brackets behind
        an unknown university is its own short form.
        """
        if len(reading.segments) > 1:
            reading.found = [
                found for found in reading.found if not self._belongs_to_neighbour(reading, found)
            ]

    def _belongs_to_neighbour(self, reading: Reading, found: Found) -> bool:
        segment = reading.segments[found.start]
        if found.start == 0 or found.end - found.start > 1 or not segment.raw.isupper():
            return False
        before = reading.segments[found.start - 1]
        initials = _initials(before)
        if not segment.bracketed:
            return segment.key in initials
        if found.start - 1 in reading.others and is_school(before):
            return True
        # "Key Laboratory of Network Information System Technology (NIST)" leaves out the unit's own words.
        return len(segment.key) > 2 and any(segment.key in letters for letters in initials)


def _found(start: int, end: int, name: str, form: Form, segments: list[Segment]) -> Found:
    first = segments[start]
    printed = first.raw if end == start + 1 else ", ".join([segment.raw for segment in segments[start:end]])
    return Found(start, end, form, name, printed, form.organisations, form.certain)


def like_organisation(segment: Segment) -> bool:
    """Whether a segment that nothing is known about reads as an organisation."""
    return not ORGANISATION_WORDS.isdisjoint(segment.words) or HAN.search(segment.key) is not None


def is_school(segment: Segment) -> bool:
    """Whether a segment is called a university, an institute or the like."""
    return not _SCHOOLS.isdisjoint(segment.words)


def _initials(segment: Segment) -> tuple[str, ...]:
    """The acronyms a name of three words or more may be shortened to."""
    words = [word for word in segment.words if word not in TITLES]
    if len(words) < 3:
        return ()
    return "".join(word[0] for word in words if word not in STOPS), "".join(word[0] for word in words)
