"""What people ask for, answered with papers, authors and institutions.

Promises: a value chosen from suggestions is exact (`p:12`, `i:mit`, `a:zhang san`), free text is searched; what
isn't certain comes as suggestions. Leaves to `bot.search` and `bot.institutions`: matching; to the cogs: showing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rapidfuzz import fuzz

from bot.institutions.directory import Directory
from bot.institutions.model import Match, Organisation, Resolution
from bot.institutions.resolver import Resolver
from bot.papers.model import Paper
from bot.papers.names import author_key, same_author
from bot.search.model import Hit, Query
from bot.search.service import SearchService
from bot.text import normalise
from storage.papers import PaperStore

PAPER = "p:"
AUTHOR = "a:"
INSTITUTION = "i:"


@dataclass(frozen=True, slots=True)
class Found:
    """A paper and how it was found."""

    paper: Paper
    hit: Hit


@dataclass(frozen=True, slots=True)
class FoundPaper:
    """The one paper that was meant, or what may have been meant."""

    paper: Paper | None
    suggestions: tuple[Found, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundAuthor:
    """An author by key: every printed spelling, and the papers, newest first."""

    key: str
    names: tuple[str, ...]
    papers: tuple[Paper, ...]


class Lookups:
    """Answers questions; knows nothing of Discord."""

    def __init__(
        self, *, papers: PaperStore, search: SearchService, resolver: Resolver, directory: Directory
    ) -> None:
        self._papers = papers
        self._search = search
        self._resolver = resolver
        self._directory = directory

    # --- papers ----------------------------------------------------------------------------------

    async def search(self, query: Query, limit: int = 100) -> list[Found]:
        """Papers for a query with filters, best first."""
        return await self._with_papers(await self._search.search(query, limit))

    async def suggest(self, text: str, who: int | None, limit: int = 25) -> list[Found]:
        """Papers for a half-typed text; [] when the person has typed on meanwhile."""
        return await self._with_papers(await self._search.suggest(text, who=who, limit=limit))

    async def paper(self, value: str) -> FoundPaper:
        """The paper that a chosen suggestion or a typed text means."""
        number = value.removeprefix(PAPER)
        if value.startswith(PAPER) and number.isascii() and number.isdigit() and len(number) < 19:
            paper = await self._papers.get(int(number))
            if paper is not None:
                return FoundPaper(paper)
        found = await self.search(Query(text=value), 5)
        if found and found[0].hit.confidence == "found" and not _tied(found):
            return FoundPaper(found[0].paper, tuple(found[1:]))
        return FoundPaper(None, tuple(found))

    async def _with_papers(self, hits: Iterable[Hit]) -> list[Found]:
        hits = list(hits)
        papers = await self._papers.many(hit.id for hit in hits)
        return [Found(papers[hit.id], hit) for hit in hits if hit.id in papers]

    # --- authors ---------------------------------------------------------------------------------

    async def author(self, value: str) -> FoundAuthor | None:
        """An author by a chosen suggestion or a typed name, in any order and spelling of one key."""
        key = value.removeprefix(AUTHOR) if value.startswith(AUTHOR) else author_key(value)
        ids = await self._papers.by_author_key(key)
        if not ids:
            return None
        papers = await self._papers.many(ids)
        ordered = tuple(papers[paper] for paper in ids if paper in papers)
        names = dict.fromkeys(name for paper in ordered for name in paper.authors if author_key(name) == key)
        return FoundAuthor(key, tuple(names), ordered)

    async def suggest_authors(self, text: str, limit: int = 25) -> list[str]:
        """Printed names for a half-typed or misspelt name, best first."""
        if not text.strip():
            return []
        found = await self.search(Query(author=text), 60)
        names: dict[str, str] = {}
        for item in found:
            for name in _likeliest(item.paper.authors, text):
                names.setdefault(author_key(name), name)
        return list(names.values())[:limit]

    # --- institutions ----------------------------------------------------------------------------

    def institution(self, value: str) -> Resolution:
        """An organisation by a chosen suggestion, or what a typed name, alias or affiliation means."""
        if value.startswith(INSTITUTION):
            organisation = self._directory.get(value.removeprefix(INSTITUTION))
            if organisation is not None:
                return Resolution(Match.EXACT, organisation, (), organisation.name_en)
        return self._resolver.lookup(value)

    def suggest_institutions(self, text: str, limit: int = 25) -> tuple[Organisation, ...]:
        """Organisations for a half-typed name in either language, best first."""
        return self._resolver.suggest(text, limit)

    async def papers_of(self, organisation: Organisation, *, children: bool = True) -> list[Paper]:
        """An organisation's papers, newest first."""
        ids = [organisation.id]
        if children:
            ids += [child.id for child in self._directory.children(organisation.id)]
        found = await self._papers.by_organisations(ids)
        papers = await self._papers.many(found)
        return [papers[paper] for paper in found if paper in papers]

    async def count(self) -> int:
        """How many papers there are."""
        return await self._papers.count()


def _tied(found: list[Found]) -> bool:
    """Whether two different papers fit equally well, e.g. namesakes: then a person chooses (field report 130)."""
    if len(found) < 2 or found[1].hit.confidence != "found":
        return False
    same_title = found[0].paper.title_en.casefold() == found[1].paper.title_en.casefold()
    return same_title and found[1].hit.score >= found[0].hit.score - 0.01


def _likeliest(authors: tuple[str, ...], text: str) -> list[str]:
    """The authors of a found paper that the text may mean: the same person by name, else any likely spelling."""
    exact = [name for name in authors if same_author(name, text)]
    if exact:
        return exact
    wanted = normalise(text)
    partly = [name for name in authors if fuzz.partial_token_set_ratio(wanted, normalise(name)) >= 90]
    near = max(authors, key=lambda name: fuzz.token_sort_ratio(wanted, normalise(name)), default=None)
    return partly or ([near] if near is not None else [])
