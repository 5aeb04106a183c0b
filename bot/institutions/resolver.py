"""Which organisation an affiliation string names.

Promises: total; an organisation only for a whole segment (or neighbouring segments) that is exactly one of its
names or aliases; the English text decides and the Chinese one can only settle what is ambiguous.
Leaves to others: the names (`directory`), rules for segments without separators (`rules`), typing (`suggest`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.institutions import rules
from bot.institutions.directory import Directory, Form
from bot.institutions.keys import HAN, is_generic, join, key
from bot.institutions.model import Match, Organisation, Resolution
from bot.institutions.places import contradict
from bot.institutions.segments import LONGEST, Segment, clean, split
from bot.institutions.suggest import Suggester
from bot.institutions.words import ORGANISATION_WORDS, STOPS, TITLES, UNITS

# "University of California" + "Berkeley", "Texas A&M University" + "College Station"; no name has more parts.
_WIDEST = 3
_NONE = Resolution(Match.NONE)
# Words of a name that is an organisation of its own and would be abbreviated in brackets.
_SCHOOLS = frozenset(
    {"university", "universite", "universitat", "universidad", "universidade", "universita"}
) | frozenset({"institute", "college", "academy", "hochschule", "polytechnic", "hospital"})
# First words of general names that only one house in a country bears ("National Institute of Informatics").
_SINGULAR = frozenset(
    {"national", "international", "university", "agency", "central", "north", "electronic", "electronics"}
)
_NOWHERE: tuple[frozenset[str], set[str]] = (frozenset(), set())


@dataclass(slots=True)
class _Found:
    """A form found in segments `start` to `end` (exclusive); `choice` is what is left after settling."""

    start: int
    end: int
    form: Form
    name: str  # the key that was found
    segment: str  # as printed
    choice: tuple[Organisation, ...]
    certain: bool


@dataclass(slots=True)
class _Reading:
    """The segments of one text and what is known about each."""

    segments: list[Segment]
    found: list[_Found]
    places: dict[int, frozenset[str]]
    others: list[int]  # segments that name something unknown
    place_names: list[_Found]  # aliases that are places as well ("Princeton")


class Resolver:
    """Resolves affiliation strings against a directory. Holds no state but the directory and a lazy suggester."""

    def __init__(self, directory: Directory) -> None:
        self.directory = directory
        self._suggester: Suggester | None = None

    def resolve(self, name_en: str, name_zh: str | None = None) -> Resolution:
        """The organisation a text names.

        Of several organisations in one text ("Google and Stanford University") the first certain one; use
        `resolve_all` to get every one. Costs about 30 µs; a text of more than 600 characters names nothing.
        """
        answers = self.resolve_all(name_en, name_zh)
        return next((answer for answer in answers if answer.status is Match.EXACT), answers[0])

    def resolve_all(self, name_en: str, name_zh: str | None = None) -> tuple[Resolution, ...]:
        """Every organisation a text names, in its order; at least one answer (`unknown` or `none`)."""
        reading = self._read(name_en)
        if reading is None:
            # Only a text without any content gives the word to the Chinese one.
            reading = self._read(name_zh) if name_zh else None
            name_zh = None
        if reading is None:
            return (_NONE,)
        self._settle(reading, name_zh)
        answers = [_answer(found) for found in reading.found]
        return tuple(answers) or (_unknown(reading),)

    def lookup(self, query: str) -> Resolution:
        """What a person asks for: a name, alias, acronym or a whole affiliation string.

        Never `none`: what names nothing known is `unknown`, with suggestions by likeness. A form that several
        organisations share is `ambiguous`, with all of them as suggestions.
        """
        form = self.directory.find(key(query)) if len(query) <= LONGEST else None
        if form is not None and form.certain:
            return Resolution(Match.EXACT, form.organisations[0], (), query.strip())
        if form is None:
            answer = self.resolve(query)
            if answer.status in (Match.EXACT, Match.AMBIGUOUS):
                return answer
        shared = form.organisations if form else self.directory.by_acronym(key(query))
        if form is not None or len(shared) > 1:
            return Resolution(Match.AMBIGUOUS, None, shared or self.suggest(query, 5), query.strip())
        return Resolution(Match.UNKNOWN, None, shared or self.suggest(query, 5), query.strip())

    def suggest(self, text: str, limit: int = 25) -> tuple[Organisation, ...]:
        """Organisations for a half-typed text in either language, best first."""
        if self._suggester is None:
            self._suggester = Suggester(self.directory)
        return self._suggester.suggest(text, limit)

    def _read(self, text: str) -> _Reading | None:
        """The reading of a text; None when nothing in it names anything."""
        if len(text) > LONGEST:
            return None
        segments = split(clean(text))
        if not segments or all(map(rules.nothing, segments)):
            return None
        reading = _Reading(segments, [], {}, [], [])
        position = 0
        while position < len(segments):
            position = self._step(reading, position)
        self._locals(reading)
        self._acronyms(reading)
        if not reading.found and not reading.others and len(reading.places) == len(reading.place_names):
            reading.found = reading.place_names
        return reading

    def _step(self, reading: _Reading, start: int) -> int:
        """Read the segments from `start` on; return where to go on."""
        segments = reading.segments
        widest = min(len(segments), start + _WIDEST)
        for end in range(widest, start, -1):
            name = (
                join([segment.key for segment in segments[start:end]])
                if end > start + 1
                else segments[start].key
            )
            form = self.directory.find(name)
            if form is None:
                continue
            if end == start + 1 and name in self.directory.places:
                break
            if end > start + 1 and form.imported and self._splits(segments[start:end]):
                continue
            reading.found.append(_found(start, end, name, form, segments))
            return end
        self._classify(reading, start, segments[start])
        return start + 1

    def _splits(self, segments: list[Segment]) -> bool:
        """Whether one of the segments is a shipped name: a dump's longer name must not hide it."""
        forms = [self.directory.find(segment.key) for segment in segments]
        return any(form is not None and not form.imported for form in forms)

    def _classify(self, reading: _Reading, position: int, segment: Segment) -> None:
        if (codes := self.directory.places.read(segment.raw, segment.key)) is not None:
            reading.places[position] = codes
            form = self.directory.find(segment.key)
            if form is not None:
                reading.place_names.append(
                    _found(position, position + 1, segment.key, form, reading.segments)
                )
        elif not rules.inside(segment) and not rules.nothing(segment):
            keys = rules.read(segment, self.directory)
            for name in keys:
                form = self.directory.part(segment.key, name)
                reading.found.append(_found(position, position + 1, name, form, reading.segments))
            if not keys:
                reading.others.append(position)

    def _locals(self, reading: _Reading) -> None:
        """Read "Institute of Automation" beside "Chinese Academy of Sciences" as that institute."""
        for position, segment in enumerate(reading.segments):
            if not self.directory.is_local(segment.key):
                continue
            for found in reading.found:
                if found.start <= position < found.end:
                    continue
                for owner in found.form.organisations:
                    child = self.directory.within(segment.key, owner.id)
                    if child is not None:
                        found.form, found.choice, found.certain = Form((child,)), (child,), True
                        found.name, found.segment = child.id, segment.raw
                        found.start = min(found.start, position)
                        break

    def _acronyms(self, reading: _Reading) -> None:
        """Drop acronyms that belong to the name they stand beside.

        "Hanoi University of Science and Technology (HUST)" is no Huazhong, and whatever stands in brackets behind
        an unknown university is its own short form.
        """
        if len(reading.segments) > 1:
            reading.found = [
                found for found in reading.found if not self._belongs_to_neighbour(reading, found)
            ]

    def _belongs_to_neighbour(self, reading: _Reading, found: _Found) -> bool:
        segment = reading.segments[found.start]
        if found.start == 0 or found.end - found.start > 1 or not segment.raw.isupper():
            return False
        before = reading.segments[found.start - 1]
        initials = _initials(before)
        if not segment.bracketed:
            return segment.key in initials
        if found.start - 1 in reading.others and _is_school(before):
            return True
        # "Key Laboratory of Network Information System Technology (NIST)" leaves out the unit's own words.
        return len(segment.key) > 2 and any(segment.key in letters for letters in initials)

    def _settle(self, reading: _Reading, name_zh: str | None) -> None:
        kin = self._kin(reading)
        for found in reading.found:
            stated, cities = self._around(reading, found) if reading.places else _NOWHERE
            if found.certain:
                owner = found.choice[0]
                if owner.kind != "company" and contradict(stated, owner.country):
                    found.certain = False
            else:
                related = [candidate for candidate in found.choice if candidate.id in kin]
                if len(related) == 1:
                    found.choice, found.certain = (related[0],), True
                else:
                    self._choose(found, stated, cities, name_zh)
        if len(reading.found) > 1:
            reading.found = _without_repeats(reading.found, self.directory)
        if len(reading.found) > 1 or (reading.found and reading.others):
            reading.found = self._without_common_names(reading)

    def _without_common_names(self, reading: _Reading) -> list[_Found]:
        """Leave out what may be a part of another house beside it, known or unknown.

        "Institute for Advanced Study, Tsinghua University" is not the one in Princeton, and in "Laboratoire X,
        Université de Y" an unknown university may have a laboratory of the name a dump lists elsewhere.
        """
        school = any(_is_school(reading.segments[at]) for at in reading.others)
        named = [item for item in reading.found if item.certain and not _has_common_name(item)]
        out = []
        for item in reading.found:
            if (school or named) and _has_common_name(item):
                kin = {
                    above for owner in item.choice for above in (owner.id, *self.directory.ancestors(owner))
                }
                if not any(other.choice[0].id in kin for other in named):
                    continue
            if school and _is_imported_unit(item):
                continue
            out.append(item)
        return out

    def _kin(self, reading: _Reading) -> set[str]:
        """The children of what is certain: "École Normale Supérieure, PSL University" is the one of PSL."""
        if len(reading.found) < 2 or all(found.certain for found in reading.found):
            return set()
        certain = [found.choice[0].id for found in reading.found if found.certain]
        return {child.id for owner in certain for child in self.directory.children(owner)}

    def _around(self, reading: _Reading, found: _Found) -> tuple[frozenset[str], set[str]]:
        """The countries and place names that belong to a found form: those behind it, else those before it."""
        taken = {at for other in reading.found if other is not found for at in range(other.start, other.end)}
        stops = taken | {at for at in reading.others if _like_organisation(reading.segments[at])}
        for positions in (range(found.end, len(reading.segments)), range(found.start - 1, -1, -1)):
            inside: list[int] = []
            for at in positions:
                if at in stops:
                    break
                if at in reading.places:
                    inside.append(at)
            if inside:
                codes = [reading.places[at] for at in inside if reading.places[at]]
                # "Cambridge, MA, USA": the last place is the widest and the least shared.
                stated = codes[-1] if codes else frozenset[str]()
                return stated, {reading.segments[at].key for at in inside}
        return frozenset(), set()

    def _choose(self, found: _Found, stated: frozenset[str], cities: set[str], name_zh: str | None) -> None:
        """Settle an ambiguous form by city, then country, then the Chinese name; or leave it."""
        candidates = found.form.organisations
        seats = [self.directory.city_keys(candidate) for candidate in candidates]
        by_city = [
            candidate
            for candidate, seat in zip(candidates, seats, strict=True)
            if seat and any(seat == city or city.startswith(seat + " ") for city in cities)
            and not contradict(stated, candidate.country)
        ]  # fmt: skip
        by_country = [candidate for candidate in candidates if candidate.country in stated]
        if stated & (found.form.elsewhere or frozenset()):
            by_country = []
        chosen = by_city if len(by_city) == 1 else by_country
        if len(chosen) != 1 and name_zh:
            chosen = self._supported(candidates, name_zh, stated)
        if len(chosen) == 1:
            found.choice, found.certain = (chosen[0],), True

    def _supported(
        self, candidates: Sequence[Organisation], name_zh: str, stated: frozenset[str]
    ) -> list[Organisation]:
        reading = self._read(name_zh)
        named = {owner.id for found in reading.found for owner in found.choice} if reading else set()
        return [
            candidate
            for candidate in candidates
            if candidate.id in named and not contradict(stated, candidate.country)
        ]


def _found(start: int, end: int, name: str, form: Form, segments: list[Segment]) -> _Found:
    first = segments[start]
    printed = first.raw if end == start + 1 else ", ".join([segment.raw for segment in segments[start:end]])
    return _Found(start, end, form, name, printed, form.organisations, form.certain)


def _answer(found: _Found) -> Resolution:
    if found.certain:
        return Resolution(Match.EXACT, found.choice[0], (), found.segment)
    return Resolution(Match.AMBIGUOUS, None, found.choice, found.segment)


def _unknown(reading: _Reading) -> Resolution:
    printed = [reading.segments[at] for at in reading.others]
    if not printed:
        return _NONE
    best = next((segment for segment in printed if _like_organisation(segment)), printed[0])
    return Resolution(Match.UNKNOWN, None, (), best.raw)


def _like_organisation(segment: Segment) -> bool:
    return any(word in ORGANISATION_WORDS for word in segment.words) or HAN.search(segment.key) is not None


def _has_common_name(item: _Found) -> bool:
    """Whether a name is made of general words that another house may use for a part of itself."""
    return item.name.partition(" ")[0] not in _SINGULAR and is_generic(item.name)


def _is_school(segment: Segment) -> bool:
    return not _SCHOOLS.isdisjoint(segment.words)


def _initials(segment: Segment) -> tuple[str, ...]:
    """The acronyms a name of three words or more may be shortened to."""
    words = [word for word in segment.words if word not in TITLES]
    if len(words) < 3:
        return ()
    return "".join(word[0] for word in words if word not in STOPS), "".join(word[0] for word in words)


def _without_repeats(found: list[_Found], directory: Directory) -> list[_Found]:
    """Each organisation once; no parent beside its child; no ambiguous form that another part explains."""
    certain = [item.choice[0] for item in found if item.certain]
    shipped = {owner.id for owner in certain if not owner.imported}
    above = {ancestor for owner in certain if not owner.imported for ancestor in directory.ancestors(owner)}
    known = above | {owner.id for owner in certain}
    out: list[_Found] = []
    seen: set[str] = set()
    for item in found:
        if item.certain:
            owner = item.choice[0]
            if (
                owner.id in above
                or owner.id in seen
                or (owner.imported and shipped and _is_unit(item, shipped, directory))
            ):
                continue
            seen.add(owner.id)
        elif any(candidate.id in known for candidate in item.form.organisations):
            continue
        out.append(item)
    # What the shipped table resolves stays the answer when a dump is added.
    return sorted(out, key=lambda item: item.certain and item.choice[0].imported) if shipped else out


def _is_unit(item: _Found, shipped: set[str], directory: Directory) -> bool:
    """Whether a dump's entry is a part of a shipped organisation beside it, or is called like any institute."""
    return _is_imported_unit(item) or not shipped.isdisjoint(directory.ancestors(item.choice[0]))


def _is_imported_unit(item: _Found) -> bool:
    owner = item.choice[0]
    return item.certain and owner.imported and item.name.partition(" ")[0] in UNITS
