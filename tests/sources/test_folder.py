"""The watched folder, look by look: no clock passes but the one the test moves."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest
import pytest_asyncio

from bot.clock import ManualClock
from bot.sources.folder import EVERY, LOOKS, RETRY, FolderSource
from bot.sources.importing import Imported, ImportFailedError
from storage.database import Database
from storage.sources import SourceStore
from tests.sources.site import START, counts


@dataclass
class Folder:
    """A watched folder whose loads are only noted."""

    path: Path
    store: SourceStore
    clock: ManualClock = field(default_factory=lambda: ManualClock(START))
    loads: list[tuple[str, str | None]] = field(default_factory=list)
    outcome: Imported | Exception = field(default_factory=lambda: Imported(counts(read=1, new=1), True))
    source: FolderSource | None = None

    async def load(self, files: list[Path], sidecar: Path | None) -> Imported:
        self.loads += [(file.name, sidecar.name if sidecar else None) for file in files]
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome

    def restart(self) -> None:
        self.source = FolderSource(self.path, store=self.store, clock=self.clock, load=self.load)

    async def look(self, times: int = LOOKS) -> list[tuple[str, str | None]]:
        """Look so often; what was loaded meanwhile."""
        assert self.source is not None
        before = len(self.loads)
        for _ in range(times):
            await self.source.look()
        return self.loads[before:]

    def put(self, name: str, text: str = "AI总结 x") -> Path:
        file = self.path / name
        file.write_text(text, "utf-8")
        return file

    async def error(self) -> str | None:
        state = await self.store.get("folder")
        return state.last_error if state else None


@pytest_asyncio.fixture
async def folder(tmp_path: Path) -> AsyncIterator[Folder]:
    path = tmp_path / "listings"
    path.mkdir()
    async with Database(tmp_path / "herald.db") as database:
        found = Folder(path, SourceStore(database))
        found.restart()
        yield found


def test_a_complete_file_is_taken_well_within_five_seconds() -> None:
    assert EVERY * LOOKS <= 2.5


@pytest.mark.asyncio
async def test_a_complete_file_is_loaded_once(folder: Folder) -> None:
    folder.put("a.txt")
    assert await folder.look() == [("a.txt", None)]
    assert await folder.look(10) == []
    state = await folder.store.get("folder")
    assert state is not None
    assert state.last_success == START
    assert state.counts == {"read": 1, "new": 1, "updated": 0}


@pytest.mark.asyncio
async def test_a_file_that_still_grows_waits(folder: Folder) -> None:
    text = ""
    for _ in range(8):
        text += "AI总结 x\n"
        folder.put("a.txt", text)
        assert await folder.look(LOOKS - 1) == []
    assert await folder.look() == [("a.txt", None)]


@pytest.mark.asyncio
async def test_a_file_is_remembered_by_content_not_by_time(folder: Folder) -> None:
    folder.put("a.txt", "one")
    await folder.look()
    folder.put("a.txt", "one")
    assert await folder.look() == [], "saved again without a change"
    folder.restart()
    assert await folder.look() == [], "a restart"
    folder.put("a.txt", "two")
    assert await folder.look() == [("a.txt", None)]


@pytest.mark.asyncio
async def test_a_sidecar_that_comes_later_is_loaded_with_its_listing(folder: Folder) -> None:
    folder.put("a.txt")
    folder.put("b.txt")
    assert await folder.look() == [("a.txt", None), ("b.txt", None)]
    folder.put("a.en.json", "[]")
    assert await folder.look() == [("a.txt", "a.en.json")]
    folder.put("a.en.json", "[{}]")
    assert await folder.look() == [("a.txt", "a.en.json")]
    assert await folder.look() == []


@pytest.mark.asyncio
async def test_a_half_written_sidecar_is_not_taken_with_a_complete_listing(folder: Folder) -> None:
    folder.put("a.txt")
    await folder.look(1)
    for step in range(LOOKS - 1):
        folder.put("a.en.json", "[" * (step + 1))
        await folder.look(1)
    assert folder.loads == [("a.txt", None)]
    assert await folder.look() == [("a.txt", "a.en.json")]


@pytest.mark.asyncio
async def test_a_sidecar_before_its_listing_waits_for_it(folder: Folder) -> None:
    folder.put("a.en.json", "[]")
    assert await folder.look() == []
    folder.put("a.txt")
    assert await folder.look() == [("a.txt", "a.en.json")]


@pytest.mark.asyncio
async def test_other_files_are_left_alone(folder: Folder) -> None:
    for name in (".a.txt", "~a.txt", "a.txt.part", "a.pdf", "b.swp"):
        folder.put(name)
    (folder.path / "folder.txt").mkdir()
    assert await folder.look() == []
    for name in ("A.TXT", "b.html", "c.xml", "iclr-2026-orals-posters.json"):
        folder.put(name)
    assert {name for name, _ in await folder.look()} == {
        "A.TXT",
        "b.html",
        "c.xml",
        "iclr-2026-orals-posters.json",
    }


@pytest.mark.asyncio
async def test_a_rejected_file_is_named_once_and_stops_no_other(
    folder: Folder, caplog: pytest.LogCaptureFixture
) -> None:
    folder.put("bad.txt", "nonsense")
    folder.outcome = Imported(counts(), False, ("bad.txt: no paper found",))
    assert await folder.look(10) == [("bad.txt", None)]
    assert await folder.error() == "bad.txt: no paper found"
    folder.restart()
    assert await folder.look() == []
    assert caplog.text.count("no paper found") == 1
    folder.outcome = Imported(counts(read=1), True)
    folder.put("good.txt")
    assert await folder.look() == [("good.txt", None)]
    assert await folder.error() is None
    folder.put("bad.txt", "AI总结 mended")
    assert await folder.look() == [("bad.txt", None)]


@pytest.mark.asyncio
async def test_after_an_importer_that_died_the_file_is_tried_again(folder: Folder) -> None:
    folder.put("a.txt")
    folder.outcome = ImportFailedError("Killed")
    assert len(await folder.look()) == 1
    assert await folder.error() == "a.txt: Killed"
    assert await folder.look(5) == [], "not at once"
    folder.outcome = Imported(counts(read=1), True)
    folder.clock.advance(RETRY)
    assert await folder.look(1) == [("a.txt", None)]
    folder.clock.advance(timedelta(days=1))
    assert await folder.look() == []


@pytest.mark.asyncio
async def test_a_folder_that_is_gone_is_told_once(folder: Folder, caplog: pytest.LogCaptureFixture) -> None:
    folder.path.rmdir()
    await folder.look(5)
    assert "can't be read: No such file or directory" in str(await folder.error())
    assert caplog.text.count("can't be read") == 1
    folder.path.mkdir()
    folder.put("a.txt")
    assert await folder.look() == [("a.txt", None)]


@pytest.mark.asyncio
async def test_a_file_that_goes_away_is_forgotten(folder: Folder) -> None:
    file = folder.put("a.txt")
    await folder.look(1)
    file.unlink()
    assert await folder.look() == []
