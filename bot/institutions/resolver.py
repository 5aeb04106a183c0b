"""Which organisation an affiliation string names.

Promises: total; an organisation only for a whole segment (or neighbouring segments) that is exactly one of its
names or aliases; the English text decides and the Chinese one can only settle what is ambiguous.
Leaves to others: reading (`reading`), settling (`settling`), the names (`directory`), typing (`suggest`).
"""

from __future__ import annotations

from bot.institutions.directory import Directory
from bot.institutions.keys import key
from bot.institutions.model import Match, Organisation, Resolution
from bot.institutions.reading import Found, Reader, Reading, like_organisation
from bot.institutions.segments import LONGEST
from bot.institutions.settling import settle
from bot.institutions.suggest import Suggester

_NONE = Resolution(Match.NONE)


class Resolver:
    """Resolves affiliation strings against a directory. Holds no state but the directory and a lazy suggester."""

    def __init__(self, directory: Directory) -> None:
        self.directory = directory
        self._reader = Reader(directory)
        self._suggester: Suggester | None = None

    def resolve(self, name_en: str, name_zh: str | None = None) -> Resolution:
        """The organisation a text names.

        Of several organisations in one text ("Google and Stanford University") the first certain one; use
        `resolve_all` to get every one. Costs about 30 µs; a text of more than 600 characters names nothing.
        """
        answers = self.resolve_all(name_en, name_zh)
        for answer in answers:
            if answer.organisation is not None:
                return answer
        return answers[0]

    def resolve_all(self, name_en: str, name_zh: str | None = None) -> tuple[Resolution, ...]:
        """Every organisation a text names, in its order; at least one answer (`unknown` or `none`)."""
        reading = self._reader.read(name_en)
        if reading is None:
            # Only a text without any content gives the word to the Chinese one.
            reading = self._reader.read(name_zh) if name_zh else None
            name_zh = None
        if reading is None:
            return (_NONE,)
        chinese = None
        if name_zh and not all(found.certain for found in reading.found):
            chinese = self._reader.read(name_zh)
        settle(reading, self.directory, chinese)
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


def _answer(found: Found) -> Resolution:
    if found.certain:
        return Resolution(Match.EXACT, found.choice[0], (), found.segment)
    return Resolution(Match.AMBIGUOUS, None, found.choice, found.segment)


def _unknown(reading: Reading) -> Resolution:
    printed = [reading.segments[at] for at in reading.others]
    if not printed:
        return _NONE
    best = next((segment for segment in printed if like_organisation(segment)), printed[0])
    return Resolution(Match.UNKNOWN, None, (), best.raw)
