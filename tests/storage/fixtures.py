"""A real database in a temporary file, for the tests of storage and of what stands on it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.clock import ManualClock
from storage.database import Database
from storage.digests import DigestSettings
from storage.outbox import NewPart

START = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(START)


@pytest_asyncio.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with Database(tmp_path / "herald.db") as opened:
        yield opened


def part(
    number: int = 0,
    whom: str = "channel:7",
    kind: str = "digest",
    what: str = "w",
    **more: Any,  # noqa: ANN401 - the fields of `NewPart`
) -> NewPart:
    """A part to enqueue."""
    fields: dict[str, Any] = {
        "guild_id": 1 if whom.startswith("channel") else None,
        "body": {"content": f"{what} {number}", "embeds": [], "buttons": [], "select": None, "files": []},
    }
    return NewPart(kind=kind, what=what, part=number, whom=whom, **(fields | more))


def digest_settings(**changed: Any) -> DigestSettings:  # noqa: ANN401 - the fields of `DigestSettings`
    """A server's digest at 09:30 UTC."""
    return replace(
        DigestSettings(
            guild_id=1,
            channel_id=7,
            hour=9,
            minute=30,
            timezone="UTC",
            language="en",
            days=frozenset(range(7)),
            tracks="all",
            include=(),
            exclude=(),
            paused=False,
            since_seq=0,
            set_by=99,
            set_at=START,
        ),
        **changed,
    )


async def add_news(database: Database, count: int) -> list[int]:
    """Bare papers that are news, with ids of their own; for tests that don't show them."""
    async with database.transaction() as transaction:
        load = await transaction.insert("INSERT INTO loads (source, started_at) VALUES ('t', 't')")
        ids = []
        for number in range(count):
            paper = await transaction.insert(
                "INSERT INTO papers (title_en, fields, origins, status, added_at, updated_at, changed)"
                " VALUES (?, '{}', '{}', 'accepted', '', '', 0)",
                (f"Paper {number}",),
            )
            await transaction.execute(
                "INSERT INTO news (paper_id, load_id, at) VALUES (?, ?, '')", (paper, load)
            )
            ids.append(paper)
    return ids
