"""Lists of papers that can be turned, after a restart too.

Promises: a list's state stands in the database under the token that its buttons carry; a page is rendered anew in
the language of whoever turns it. Leaves to `bot.render.lists`: the look; to the cogs: who may turn what.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bot.clock import Clock
from bot.failures import RefusalError
from bot.lookups import AUTHOR, INSTITUTION, Lookups, Wanted
from bot.papers.model import Language, Paper
from bot.render.lists import PAGE, Filters, Row, nothing_found, paper_page, search_page
from bot.render.message import Message
from bot.render.papers import titles
from bot.render.safe import literal
from bot.render.voice import Voice
from bot.text import normalise
from storage.papers import PaperStore
from storage.people import PeopleStore

MOST_KEPT = 500  # papers of one list
LIBRARY = "library"  # the token of everybody's own library, of which nothing needs to be kept


@dataclass(frozen=True, slots=True)
class Listed:
    """A list of given papers under a heading of the catalogue.

    Attributes:
        heading: a key of the catalogue.
        papers: ids in their order.
        about: the paper whose title the heading takes, if it takes one.
        name: a foreign name that the heading takes, if it takes one.
    """

    heading: str
    papers: tuple[int, ...]
    about: int = 0
    name: str = ""


class Pages:
    """Makes lists and turns their pages."""

    def __init__(self, *, lookups: Lookups, papers: PaperStore, people: PeopleStore, clock: Clock) -> None:
        self._lookups = lookups
        self._papers = papers
        self._people = people
        self._clock = clock

    async def search(self, voice: Voice, wanted: Wanted) -> tuple[Message, bool]:
        """The first page of a search, and whether it found anything for certain."""
        return await self._search(voice, wanted, 0, None)

    async def listed(self, voice: Voice, listed: Listed) -> Message:
        """The first page of given papers; at least one of them must exist."""
        return await self._listed(voice, listed, 0, None)

    async def library(self, voice: Voice, who: int, offset: int = 0) -> Message | None:
        """A page of what a person has saved, the last one first; None when that is nothing."""
        ids = await self._people.library(who)
        listed = Listed("library.title", tuple(ids))
        return await self._listed(voice, listed, offset, LIBRARY) if ids else None

    async def turn(self, voice: Voice, token: str, offset: int, who: int) -> Message:
        """A page of a list that was shown before.

        Args:
            voice: who turns it.
            token: names the list.
            offset: of the first row.
            who: the person's id.

        Raises:
            RefusalError: the list is no longer kept.
        """
        if token == LIBRARY:
            own = await self.library(voice, who, offset)
            return own or Message(voice.sentence("library.none"))
        state = await self._people.page(token)
        match state:
            case {"list": "search", "wanted": dict(wanted)}:
                message, _ = await self._search(voice, Wanted(**wanted), offset, token)
                return message
            case {"list": "papers", "listed": dict(listed)}:
                known = Listed(**{**listed, "papers": tuple(listed["papers"])})
                return await self._listed(voice, known, offset, token)
            case _:
                raise RefusalError("error.session_expired")

    async def _search(
        self, voice: Voice, wanted: Wanted, offset: int, token: str | None
    ) -> tuple[Message, bool]:
        hits = await self._lookups.find(wanted)
        offset = _first(offset, len(hits))
        found = await self._lookups.papers(hits[offset : offset + PAGE])
        if not found:
            return await self._nothing(voice, wanted), False
        # A page of filters alone says nothing of how its papers matched.
        plain = not normalise(wanted.text)
        rows = [
            Row(item.paper)
            if plain
            else Row(item.paper, item.hit.score, item.hit.matched, item.hit.confidence)
            for item in found
        ]
        kept = token or await self._keep(len(hits), {"list": "search", "wanted": asdict(wanted)})
        message = search_page(
            voice,
            rows,
            query="" if plain else wanted.text,
            total=len(hits),
            offset=offset,
            token=kept,
            filters=await self._filters(voice, wanted),
        )
        return message, any(hit.confidence == "found" for hit in hits)

    async def _nothing(self, voice: Voice, wanted: Wanted) -> Message:
        """Nothing found; for an institution that isn't known, the ones that may have been meant."""
        query = wanted.text if normalise(wanted.text) else ""
        message = nothing_found(voice, query, filtered=wanted.filtered)
        if wanted.institution is None:
            return message
        resolution = self._lookups.institution(wanted.institution)
        if resolution.organisation is not None or not resolution.suggestions:
            return message
        asked = voice.sentence("institution.did_you_mean", query=literal(wanted.institution[:100]))
        names = [f"- {literal(self._name(voice, found.id))}" for found in resolution.suggestions[:5]]
        return Message("\n".join([message.content or "", asked, *names]))

    async def _filters(self, voice: Voice, wanted: Wanted) -> Filters:
        institution, author = wanted.institution, wanted.author
        if institution is not None:
            found = self._lookups.institution(institution).organisation
            institution = self._name(voice, found.id) if found else institution.removeprefix(INSTITUTION)
        if author is not None:
            person = await self._lookups.author(author)
            author = person.names[0] if person and person.names else author.removeprefix(AUTHOR)
        return Filters(wanted.year, wanted.track, wanted.presentation, institution, author)

    def _name(self, voice: Voice, organisation: str) -> str:
        english, chinese = voice.names(organisation)
        return chinese if chinese and voice.papers[0] is not Language.EN else english

    async def _listed(self, voice: Voice, listed: Listed, offset: int, token: str | None) -> Message:
        ids = listed.papers[:MOST_KEPT]
        offset = _first(offset, len(ids))
        papers = await self._papers.many(ids[offset : offset + PAGE])
        rows = [Row(papers[number]) for number in ids[offset : offset + PAGE] if number in papers]
        if not rows:
            raise RefusalError("error.paper_gone")
        kept = token or await self._keep(len(ids), {"list": "papers", "listed": asdict(listed)})
        heading = await self._heading(voice, listed)
        return paper_page(voice, rows, heading=heading, total=len(ids), offset=offset, token=kept)

    async def _heading(self, voice: Voice, listed: Listed) -> str:
        about = await self._papers.get(listed.about) if listed.about else None
        title = titles(voice, about)[0] if about else ""
        return voice.say(listed.heading, title=title, name=literal(listed.name), count=len(listed.papers))

    async def _keep(self, total: int, state: dict[str, Any]) -> str:
        """A token, when there is more than a page."""
        return await self._people.keep_page(state, self._clock.now()) if total > PAGE else ""


def _first(offset: int, total: int) -> int:
    """The first row of the page nearest to an offset from anybody; a list may have shrunk meanwhile."""
    last = max(0, total - 1) // PAGE * PAGE
    return min(max(0, offset) // PAGE * PAGE, last)


def ids_of(papers: Sequence[Paper]) -> tuple[int, ...]:
    """The ids of papers, in their order."""
    return tuple(paper.id for paper in papers)
