"""Which subscription matches which paper, and by which of its words: pure decisions.

Promises: an institution matches by its organisation, never by a part of a word; every match says why.
Leaves to `service`: whom it is told to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bot.papers.model import Paper
from bot.papers.names import author_key
from bot.text import normalise
from bot.wording import Wording
from storage.subscriptions import Subscription

LITERAL = "name:"  # a subscription to an institution that no table knows: its printed name


@dataclass(frozen=True, slots=True)
class Match:
    """A subscription met a paper.

    Attributes:
        subscription: which.
        paper: which.
        text: the words of the paper that matched, as it prints them.
        place: the affiliation's number in the paper as text, for institutions.
        child: matched through an organisation that belongs to the followed one.
    """

    subscription: Subscription
    paper: Paper
    text: str
    place: str | None = None
    child: bool = False


class PaperFacts:
    """A new paper, prepared once for many subscriptions."""

    def __init__(self, paper: Paper, ancestors: Callable[[str], Iterable[str]]) -> None:
        """`ancestors` gives the ids of an organisation's parents, nearest first."""
        self.paper = paper
        self._wording = Wording.of(paper)
        self._authors = {author_key(name): name for name in paper.authors}
        self._own: dict[str, int] = {}  # organisation or literal name → the affiliation's number
        self._inherited: dict[str, int] = {}
        for number, affiliation in enumerate(paper.affiliations):
            if affiliation.organisation is None and (name := normalise(affiliation.name_en)):
                self._own.setdefault(LITERAL + name, number)
            for organisation in affiliation.organisations:
                self._own.setdefault(organisation, number)
                for parent in ancestors(organisation):
                    self._inherited.setdefault(parent, number)

    def wanted_by(self) -> set[tuple[str, str]]:
        """Kind and value of every institution and author subscription that may match."""
        places = {("institution", value) for value in (*self._own, *self._inherited)}
        return places | {("author", key) for key in self._authors}

    def mentions(self, topic: str) -> bool:
        """Whether every word of a topic stands in the paper."""
        return self._wording.has_all(topic)

    def match(self, subscription: Subscription) -> Match | None:
        """The match with a subscription, or None."""
        match subscription.kind:
            case "institution":
                return self._institution(subscription)
            case "author":
                name = self._authors.get(subscription.value)
                return None if name is None else Match(subscription, self.paper, name)
            case _:
                found = self.mentions(subscription.value)
                return Match(subscription, self.paper, subscription.value) if found else None

    def _institution(self, subscription: Subscription) -> Match | None:
        number = self._own.get(subscription.value)
        child = number is None
        if number is None and subscription.children:
            number = self._inherited.get(subscription.value)
        if number is None:
            return None
        text = self.paper.affiliations[number].name_en
        return Match(subscription, self.paper, text, str(number), child)


class Subscribers:
    """All live subscriptions, arranged so that a paper meets only those it may match.

    Institutions and authors are found by what the paper names; topics are tried one by one, each text once.
    """

    def __init__(self, subscriptions: Iterable[Subscription]) -> None:
        self._by_value: dict[tuple[str, str], list[Subscription]] = {}
        self._topics: dict[str, list[Subscription]] = {}
        for one in subscriptions:
            if one.kind == "keyword":
                self._topics.setdefault(one.value, []).append(one)
            else:
                self._by_value.setdefault((one.kind, one.value), []).append(one)

    def matches(self, facts: PaperFacts) -> list[Match]:
        """Every subscription that matches a paper, in the order in which they were made."""
        near = [one for key in facts.wanted_by() for one in self._by_value.get(key, ())]
        near += [one for topic, all_ in self._topics.items() if facts.mentions(topic) for one in all_]
        found = [match for one in near if (match := facts.match(one)) is not None]
        return sorted(found, key=lambda match: match.subscription.id)
