"""What people ask for, answered with papers, authors and institutions.

Promises: a value chosen from suggestions is exact (`p:12`, `i:mit`, `a:zhang san`), free text is searched; what
isn't certain comes as suggestions. Leaves to `bot.search` and `bot.institutions`: matching; to the cogs: showing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from bot.institutions.directory import Directory
from bot.institutions.model import Match, Organisation, Resolution
from bot.institutions.resolver import Resolver
from bot.papers.model import Paper
from bot.papers.names import author_key, same_author
from bot.search.model import Hit, Query, Sort
from bot.search.service import SearchService
from bot.text import normalise
from storage.papers import PaperStore

PAPER = "p:"
AUTHOR = "a:"
INSTITUTION = "i:"

MOST_HITS = 1000  # more than anybody turns pages
_SPELLINGS = 5
_MARGIN = 5.0  # of 100: a paper that fits less well by this isn't in doubt
_SLICE = 200  # papers read at a time: a few milliseconds of the loop
_AUTHOR_HITS = 60
_LIKE_NAME = 78  # of 100
_LEAST_TYPO = 4  # letters; a shorter text with a typo may be anybody
_TITLE_LIKE = 92  # of 100: a title in a message may have a typo or two
_TITLE_LETTERS = 12  # a shorter English title is a phrase that anybody may write
_TITLE_HAN = 6


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
class Wanted:
    """A search as a person gave it; `institution` and `author` are a chosen suggestion or any text."""

    text: str = ""
    year: int | None = None
    track: str | None = None
    presentation: str | None = None
    institution: str | None = None
    author: str | None = None
    sort: Sort = "score"

    @property
    def filtered(self) -> bool:
        """Whether anything but the text narrows it."""
        return any((self.year, self.track, self.presentation, self.institution, self.author))

    @property
    def empty(self) -> bool:
        """Whether nothing is asked for: no filter, and no text or one of punctuation only."""
        return not self.filtered and not normalise(self.text)


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

    async def find(self, wanted: Wanted, limit: int = MOST_HITS) -> list[Hit]:
        """Hits for a search with its filters, best (or newest) first, without the papers themselves."""
        text = wanted.text if normalise(wanted.text) else ""
        best: dict[int, Hit] = {}
        for name in await self._author_names(wanted.author):
            query = Query(
                text=text,
                year=wanted.year,
                track=wanted.track,
                presentation=wanted.presentation,
                institution=self._institution_name(wanted.institution),
                author=name,
                sort=wanted.sort,
            )
            for hit in await self._search.search(query, limit):
                if hit.id not in best or best[hit.id].score < hit.score:
                    best[hit.id] = hit
        hits = list(best.values())
        if wanted.author is not None:
            # Several spellings of one person were searched; the lists become one.
            hits.sort(key=lambda hit: (0.0 if wanted.sort == "newest" else -hit.score, -hit.id))
        return hits[:limit]

    async def papers(self, hits: Iterable[Hit]) -> list[Found]:
        """The papers of hits, in their order; one that is gone meanwhile is left out."""
        return await self._with_papers(hits)

    async def by_key(self, key: str) -> int | None:
        """The id of the paper with a key (``arxiv:2601.01234``, ``openreview:…``), or None."""
        hits = await self._search.search(Query(text=key), 1)
        return hits[0].id if hits and hits[0].matched in ("arxiv", "openreview") else None

    async def by_title(self, text: str) -> int | None:
        """The id of the paper whose title stands in a text, or None; a title is asked for as nearly all of it."""
        found = await self.search(Query(text=text), 3)
        return next((item.paper.id for item in found if _names_title(text, item.paper)), None)

    async def _author_names(self, author: str | None) -> list[str | None]:
        """The spellings to search for: all printed ones of a known person, else the text itself."""
        if author is None:
            return [None]
        known = await self.author(author)
        return list(known.names[:_SPELLINGS]) if known and known.names else [author.removeprefix(AUTHOR)]

    def _institution_name(self, institution: str | None) -> str | None:
        """The id of the one organisation that is meant, else the text itself: nothing is guessed."""
        if institution is None:
            return None
        found = self.institution(institution).organisation
        return found.id if found else institution.removeprefix(INSTITUTION)

    async def paper(self, value: str) -> FoundPaper:
        """The paper that a chosen suggestion or a typed text means; neither for the id of a paper that is gone."""
        number = value.removeprefix(PAPER)
        if value.startswith(PAPER) and number.isascii() and number.isdigit() and len(number) < 19:
            return FoundPaper(await self._papers.get(int(number)))
        if not normalise(value):
            return FoundPaper(None)
        found = await self.search(Query(text=value), 5)
        if found and found[0].hit.confidence == "found" and not _tied(value, found):
            return FoundPaper(found[0].paper, tuple(found[1:]))
        return FoundPaper(None, tuple(found))

    async def _with_papers(self, hits: Iterable[Hit]) -> list[Found]:
        hits = list(hits)
        papers = await self._papers.many(hit.id for hit in hits)
        return [Found(papers[hit.id], hit) for hit in hits if hit.id in papers]

    async def _ordered(self, ids: Sequence[int]) -> list[Paper]:
        """Papers in the order of their ids here; read in slices, so that thousands don't hold up the loop."""
        found: list[Paper] = []
        for start in range(0, len(ids), _SLICE):
            part = ids[start : start + _SLICE]
            papers = await self._papers.many(part)
            found += [papers[paper] for paper in part if paper in papers]
        return found

    # --- authors ---------------------------------------------------------------------------------

    async def author(self, value: str) -> FoundAuthor | None:
        """An author by a chosen suggestion or a typed name, in any order and spelling of one key."""
        key = value.removeprefix(AUTHOR) if value.startswith(AUTHOR) else author_key(value)
        ids = await self._papers.by_author_key(key)
        if not ids:
            return None
        ordered = tuple(await self._ordered(ids))
        names = dict.fromkeys(name for paper in ordered for name in paper.authors if author_key(name) == key)
        return FoundAuthor(key, tuple(names), ordered)

    async def suggest_authors(self, text: str, limit: int = 25) -> list[str]:
        """Printed names for a half-typed or misspelt name, best first; the newest papers' for nothing."""
        if not normalise(text):
            newest = await self.suggest("", None, limit)
            return list(dict.fromkeys(item.paper.authors[0] for item in newest if item.paper.authors))
        found = [
            *await self.search(Query(author=text), _AUTHOR_HITS),
            *await self.suggest(text, None, _AUTHOR_HITS),
        ]
        best: dict[str, tuple[float, str]] = {}
        for name in dict.fromkeys(name for item in found for name in item.paper.authors):
            likeness = _likeness(text, name)
            if likeness >= _LIKE_NAME:
                best.setdefault(author_key(name), (likeness, name))
        return [name for _, name in sorted(best.values(), key=lambda pair: -pair[0])][:limit]

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

    async def recent_institutions(self, limit: int = 25) -> tuple[Organisation, ...]:
        """Organisations of the newest papers, for somebody who hasn't typed anything yet."""
        newest = await self.suggest("", None, limit)
        ids = dict.fromkeys(
            number
            for item in newest
            for affiliation in item.paper.affiliations
            for number in affiliation.organisations
        )
        found = (self._directory.get(number) for number in ids)
        return tuple(organisation for organisation in found if organisation)[:limit]

    async def papers_of(self, organisation: Organisation, *, children: bool = True) -> list[Paper]:
        """An organisation's papers, newest first."""
        ids = [organisation.id]
        if children:
            ids += [child.id for child in self._directory.children(organisation.id)]
        found = await self._papers.by_organisations(ids)
        return await self._ordered(found)

    async def count(self) -> int:
        """How many papers there are."""
        return await self._papers.count()


def _tied(text: str, found: list[Found]) -> bool:
    """Whether another paper fits about as well; then a person chooses (field report 130: namesakes)."""
    others = [item for item in found[1:] if item.hit.confidence == "found"]
    if not others:
        return False
    wanted = normalise(text)
    exact = [item for item in found if wanted in (normalise(item.paper.title_en), _chinese(item.paper))]
    if exact:
        return len(exact) > 1
    return others[0].hit.score >= found[0].hit.score - _MARGIN


def _chinese(paper: Paper) -> str:
    return normalise(paper.title_zh or "")


def _names_title(text: str, paper: Paper) -> bool:
    """Whether one of a paper's titles stands in a text as a whole."""
    said = normalise(text)
    for title, fewest in ((paper.title_en, _TITLE_LETTERS), (paper.title_zh or "", _TITLE_HAN)):
        wanted = normalise(title)
        long_enough = fewest <= len(wanted) <= len(said) * 1.05
        if long_enough and fuzz.partial_ratio(wanted, said) >= _TITLE_LIKE:
            return True
    return False


def _likeness(text: str, name: str) -> float:
    """How likely a half-typed text means a printed name, 0 to 100."""
    if same_author(text, name):
        return 100.0
    typed, words = normalise(text).split(), normalise(name).split()
    whole, spelt = "".join(typed), "".join(words)
    if spelt.startswith(whole):
        return 98.0  # Han names, and given names typed in one
    if all(any(word.startswith(part) for word in words) for part in typed):
        return 95.0
    best = fuzz.token_sort_ratio(" ".join(typed), " ".join(words))
    if len(whole) >= _LEAST_TYPO:
        best = max(best, 0.95 * max(fuzz.ratio(whole, word) for word in words or [""]))
    return best
