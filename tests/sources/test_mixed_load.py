"""Who is who in a mixed load of three sources: no paper joined to another, hardly one told twice."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.clock import ManualClock
from bot.institutions.directory import Directory
from bot.institutions.resolver import Resolver
from bot.loading import Loader, LoadReport
from bot.papers.files import parse_bytes
from storage.database import Database
from storage.papers import PaperStore
from tests.sources.mixed import Mixed, mix

_NUMBER = re.compile(r"第(\d+)篇|paper (\d+)\.|/poster/(\d+)|forum(\d{6})")


@pytest.fixture(scope="module")
def mixed(shared_data: Path) -> Mixed:
    return mix(shared_data)


class Tally:
    """Which told papers ended up in which stored one."""

    def __init__(self) -> None:
        self.stored: dict[int, set[int]] = {}

    @property
    def wrong(self) -> list[int]:
        """Stored papers that are several."""
        return [paper for paper, told in self.stored.items() if len(told) > 1]

    @property
    def missed(self) -> int:
        """How many stored papers there are too many."""
        homes: dict[int, int] = defaultdict(int)
        for told in self.stored.values():
            for number in told:
                homes[number] += 1
        return sum(count - 1 for count in homes.values())


async def load(folder: Path, mixed: Mixed, order: str) -> tuple[Tally, LoadReport]:
    payloads = {"l": mixed.listing, "a": mixed.atom, "i": mixed.yearly}
    clock = ManualClock(datetime(2026, 5, 4, tzinfo=UTC))
    async with Database(folder / f"{order}.db") as database:
        loader = Loader(database=database, resolver=Resolver(Directory.shipped()), clock=clock)
        report = await loader.load([(kind, parse_bytes(payloads[kind], name=kind)) for kind in order])
        papers = await PaperStore(database).many(range(1, 10_000))
        keys = await database.all("SELECT key, paper_id FROM paper_keys WHERE key LIKE 'arxiv:%'")
    told_of = {f"arxiv:{arxiv_id}": number for number, arxiv_id in mixed.ids.items()}
    tally = Tally()
    for paper in papers.values():
        said = " ".join(
            filter(None, (paper.title_zh, paper.abstract_en, *(link.url for link in paper.links)))
        )
        found = {int(next(filter(None, match.groups()))) for match in _NUMBER.finditer(said)}
        tally.stored[paper.id] = found
    for row in keys:
        tally.stored[row["paper_id"]].add(told_of[row["key"]])
    return tally, report


@pytest.mark.shared
@pytest.mark.parametrize("order", ["lai", "ali", "ial"])
@pytest.mark.asyncio
async def test_no_wrong_merge_and_at_most_one_percent_missed(
    tmp_path: Path, mixed: Mixed, order: str
) -> None:
    tally, report = await load(tmp_path, mixed, order)
    told = {telling.paper for telling in mixed.tellings}
    assert len(told) >= 500
    assert report.read == len(mixed.tellings) - mixed.twice_in_yearly
    assert report.rejected == []
    assert set(itertools.chain.from_iterable(tally.stored.values())) == told
    assert tally.wrong == []
    assert tally.missed <= len(told) / 100, f"{tally.missed} of {len(told)} stored twice"
    again, second = await load(tmp_path, mixed, order)
    assert second.new == 0, "the same again changes nothing"
    assert again.stored == tally.stored


@pytest.mark.shared
def test_the_mixture_is_hard_enough(mixed: Mixed) -> None:
    ways: dict[int, set[str]] = defaultdict(set)
    for telling in mixed.tellings:
        ways[telling.paper].add(telling.title)
    several = [titles for titles in ways.values() if len(titles) > 1]
    assert len(several) >= 500, "papers told with different titles"
    assert len(mixed.tellings) > len(ways) * 1.5
