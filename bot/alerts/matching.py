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
            if affiliation.organisation is None:
                self._own.setdefault(LITERAL + normalise(affiliation.name_en), number)
            for organisation in affiliation.organisations:
                self._own.setdefault(organisation, number)
                for parent in ancestors(organisation):
                    self._inherited.setdefault(parent, number)

    def match(self, subscription: Subscription) -> Match | None:
        """The match with a subscription, or None."""
        match subscription.kind:
            case "institution":
                return self._institution(subscription)
            case "author":
                name = self._authors.get(subscription.value)
                return None if name is None else Match(subscription, self.paper, name)
            case _:
                found = self._wording.has_all(subscription.value)
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
