"""The sample listing, which ships with the project, as the common input of these tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.papers.listing import parse_listing
from bot.papers.model import Record

SAMPLE = Path(__file__).resolve().parents[2] / "bot" / "sandbox" / "sample"


@pytest.fixture(scope="session")
def sample_text() -> str:
    return (SAMPLE / "listing.txt").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def sample(sample_text: str) -> tuple[Record, ...]:
    return parse_listing(sample_text, name="listing.txt").records
