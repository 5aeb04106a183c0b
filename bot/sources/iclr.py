"""The conference's yearly list (iclr.cc): abstracts, institutions and decisions of all main papers.

Promises: this year's edition and the last one, each asked for only if it has changed; a year that isn't published
yet is no failure. Source: `<base>/iclr-<year>-orals-posters.json`, as the conference's own pages load it.
Leaves to `bot.papers.iclr_json`: reading.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from yarl import URL

from bot.clock import Clock
from bot.sources.http import Fetcher, FetchError, Limits, MissingError, Validators
from bot.sources.polling import Harvest

# A year of some 5,000 papers with abstracts is 20 to 40 MB.
LIMITS = Limits(size=96 * 1024 * 1024, seconds=300)
ACCEPT = ("application/json", "text/json", "text/plain", "application/octet-stream")
FOLDER = "/static/virtual/data"


class IclrSource:
    """The yearly lists below `ICLR_DATA_BASE`."""

    name = "iclr.cc"

    def __init__(self, base: str, *, fetcher: Fetcher, clock: Clock) -> None:
        self._base = base
        self._fetcher = fetcher
        self._clock = clock

    async def collect(self, state: dict[str, Any], folder: Path) -> Harvest:
        """The lists that changed since."""
        harvest = Harvest(state=dict(state))
        missing: list[FetchError] = []
        years = self._years()
        for year in years:
            try:
                await self._year(year, folder, harvest)
            except MissingError as error:
                missing.append(error)
            except FetchError as error:
                harvest.problems.append(error)
        if len(missing) == len(years):
            harvest.problems.append(missing[-1])
        return harvest

    def _years(self) -> tuple[int, ...]:
        """From autumn on the next edition's list may be out; the last one is still corrected."""
        now = self._clock.now()
        newest = now.year + 1 if now.month >= 10 else now.year
        return newest, newest - 1

    async def _year(self, year: int, folder: Path, harvest: Harvest) -> None:
        url = list_url(self._base, year)
        known = Validators(**harvest.state.get(str(year), {}))
        fetched = await self._fetcher.get(url, folder / url.name, accept=ACCEPT, limits=LIMITS, known=known)
        if fetched.changed:
            harvest.files.append(fetched.file)
            harvest.state[str(year)] = asdict(fetched.validators)


def list_url(base: str, year: int) -> URL:
    """A year's list; the host alone means its usual folder."""
    url = URL(base)
    return (url if url.path.strip("/") else url.with_path(FOLDER)) / f"iclr-{year}-orals-posters.json"
