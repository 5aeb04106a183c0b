"""Readers' reports of wrong data.

Promises: a report is kept once and changes nothing by itself; a person can't flood the list.
Leaves to the operator (`corrections` on the command line): what becomes of it.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from bot.clock import Clock
from bot.failures import RefusalError
from bot.papers.model import Paper, PaperAffiliation
from storage.people import PeopleStore

KINDS = ("institution", "author", "title_fault", "summary", "venue", "link", "other")
DETAIL = 1000  # characters that are kept
A_DAY = 20  # reports of one person


class Reports:
    """Records reports."""

    def __init__(self, *, people: PeopleStore, clock: Clock) -> None:
        self._people = people
        self._clock = clock

    async def record(
        self, paper: Paper, user_id: int, kind: str, detail: str, data: dict[str, Any] | None = None
    ) -> int:
        """Keep a report; its number.

        Args:
            paper: what it is about.
            user_id: who reports.
            kind: one of `KINDS`; anything else counts as "other".
            detail: what it should say.
            data: the same for a program, where a button said it.

        Raises:
            RefusalError: the same was reported by this person before, or too much today.
        """
        kind = kind if kind in KINDS else "other"
        detail = " ".join(detail.split())[:DETAIL]
        now = self._clock.now()
        own = [one for one in await self._people.corrections() if one.user_id == user_id]
        if any((one.paper_id, one.kind, one.detail) == (paper.id, kind, detail) for one in own):
            raise RefusalError("report.duplicate")
        if sum(one.created_at > now - timedelta(days=1) for one in own) >= A_DAY:
            raise RefusalError("report.limit")
        return await self._people.report(paper.id, user_id, kind, detail, now, data)


def affiliation_at(paper: Paper, place: str) -> PaperAffiliation | None:
    """The affiliation that "not this place" refers to: by the organisation it was read as, or by its number."""
    for affiliation in paper.affiliations:
        if place in affiliation.organisations:
            return affiliation
    if place.isascii() and place.isdigit() and int(place[:6]) < len(paper.affiliations):
        return paper.affiliations[int(place[:6])]
    return None
