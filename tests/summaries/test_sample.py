"""Every paper of the sample is bilingual, and says where each language comes from."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.papers.model import Language, Origin
from storage.database import Database
from storage.papers import PaperStore
from tests.herald_fixtures import sample_database

__all__ = ["sample_database"]


@pytest.mark.asyncio
async def test_all_thirty_papers_have_both_languages_with_their_origin(sample_database: Path) -> None:
    async with Database(sample_database) as database:
        papers = await PaperStore(database).many(range(1, 1000))
    assert len(papers) == 30
    for paper in papers.values():
        english, chinese = paper.summary(Language.EN), paper.summary(Language.ZH)
        assert english is not None, paper.title_en
        assert chinese is not None, paper.title_en
        assert english.origin is Origin.PERSON
        assert chinese.origin is Origin.LISTING
        assert english.text.isascii() or any(letter.isascii() for letter in english.text)
        assert any("\u4e00" <= letter <= "\u9fff" for letter in chinese.text)
