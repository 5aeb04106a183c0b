"""Keeps the search index in step with the database.

Promises: after `refresh` every committed paper can be found. Leaves to `bot.search`: the index itself.
"""

from __future__ import annotations

import asyncio

from bot.institutions.directory import Directory
from bot.papers.identity import openreview_id
from bot.papers.model import Paper
from bot.search.model import Document
from bot.search.service import SearchService
from storage.papers import PaperStore

PAGE = 250  # papers read and turned into documents at a time: a few milliseconds of the loop


class Indexer:
    """Feeds the search service from the paper store."""

    def __init__(self, *, papers: PaperStore, search: SearchService, directory: Directory) -> None:
        self._papers = papers
        self._search = search
        self._directory = directory
        self._changed = 0
        self._turn = asyncio.Lock()

    async def fill(self) -> int:
        """Build the index from everything there is; how many papers."""
        async with self._turn:
            documents, self._changed = await self._documents_since(0)
            await self._search.start(documents)
            return len(documents)

    async def refresh(self) -> int:
        """Take over what was committed since; how many papers."""
        async with self._turn:
            documents, self._changed = await self._documents_since(self._changed)
            if documents:
                await self._search.apply(documents)
            return len(documents)

    async def _documents_since(self, changed: int) -> tuple[list[Document], int]:
        newest = await self._papers.newest_change()
        documents: list[Document] = []
        after = 0
        while True:
            papers = await self._papers.changed_since(changed, PAGE, after)
            if not papers:
                return documents, newest
            documents += [self.document(paper) for paper in papers]
            after = papers[-1].id
            await asyncio.sleep(0)

    def document(self, paper: Paper) -> Document:
        """A stored paper as the index sees it."""
        organisations, names = self._organisations(paper)
        venue = paper.venue
        return Document(
            id=paper.id,
            title_en=paper.title_en,
            title_zh=paper.title_zh,
            authors=paper.authors,
            institutions=names,
            year=venue.year if venue else None,
            track=venue.track.value if venue else None,
            presentation=venue.presentation.value if venue and venue.presentation else None,
            keys=_keys(paper),
            newest=paper.id,
            organisations=organisations,
        )

    def _organisations(self, paper: Paper) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Ids with their parents', and every name a person may type for one of them."""
        ids: dict[str, None] = {}
        names: dict[str, None] = {}
        for affiliation in paper.affiliations:
            names[affiliation.name_en] = None
            for identifier in affiliation.organisations:
                organisation = self._directory.get(identifier)
                if organisation is None:
                    continue
                ids[identifier] = None
                names |= dict.fromkeys(organisation.names())
                ids |= dict.fromkeys(self._directory.ancestors(organisation))
        return tuple(ids), tuple(names)


def _keys(paper: Paper) -> tuple[str, ...]:
    keys = [f"arxiv:{paper.arxiv_id}"] if paper.arxiv_id else []
    forums = (openreview_id(link.url) for link in paper.links)
    return (*keys, *(f"openreview:{forum}" for forum in forums if forum))
