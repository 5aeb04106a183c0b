"""The made-up collection, indexed once."""

from __future__ import annotations

import pytest

from bot.search.index import Index
from tests.search.papers import PAPERS


@pytest.fixture(scope="session")
def index() -> Index:
    return Index.build(PAPERS)
