"""Loading: which record is which paper, what a report counts, what becomes news. On a real SQLite file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
import pytest_asyncio

from bot.clock import ManualClock
from bot.institutions.directory import Directory
from bot.institutions.resolver import Resolver
from bot.loading import Loader, LoadReport
from bot.papers.files import SidecarEntry
from bot.papers.listing import Parsed, Rejection
from bot.papers.model import Affiliation, Language, Link, Origin, Paper, Record, Status, Track, Venue
from storage.database import Database
from storage.loads import LoadStore
from storage.papers import PaperStore

ACCEPTED = Venue("ICLR", 2026, Track.MAIN, None, Status.ACCEPTED)


class Desk:
    """A loader on a database, with what tests ask about it."""

    def __init__(self, database: Database) -> None:
        self.database = database
        clock = ManualClock(datetime(2026, 5, 4, tzinfo=UTC))
        self.loader = Loader(database=database, resolver=Resolver(Directory.shipped()), clock=clock)
        self.papers = PaperStore(database)
        self.loads = LoadStore(database)

    async def load(self, *records: Record, source: str = "listing", **more: object) -> LoadReport:
        return await self.loader.load([("a.txt", Parsed(records))], source=source, **more)  # type: ignore[arg-type]

    async def all(self) -> list[Paper]:
        return list((await self.papers.many(range(1, 1000))).values())

    async def news(self) -> list[str]:
        rows = await self.database.all(
            "SELECT title_en FROM news JOIN papers ON papers.id = paper_id ORDER BY seq"
        )
        return [row["title_en"] for row in rows]


@pytest_asyncio.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with Database(tmp_path / "herald.db") as database:
        yield Desk(database)


def record(
    title: str = "Deep Trees", authors: tuple[str, ...] = ("Ann One", "Bob Two"), **more: object
) -> Record:
    values: dict[str, object] = {"title_en": title, "authors": authors, "venue": ACCEPTED}
    return Record(**(values | more))  # type: ignore[arg-type]  # fields by name


def _adds_up(report: LoadReport) -> bool:
    found = report.new + report.updated + report.unchanged + len(report.duplicate) + len(report.rejected)
    return report.read == found


@pytest.mark.asyncio
async def test_twice_is_new_then_unchanged(desk: Desk) -> None:
    records = [record(f"Paper {n}", (f"Author N{n}",)) for n in range(7)]
    first, second = await desk.load(*records), await desk.load(*records)
    assert (first.new, first.read) == (7, 7)
    assert (second.unchanged, second.read, second.new) == (7, 7, 0)
    assert _adds_up(first)
    assert _adds_up(second)


@pytest.mark.asyncio
async def test_a_repetition_inside_a_load_is_named_with_what_it_repeats(desk: Desk) -> None:
    report = await desk.load(replace(record(), line=3), replace(record(), line=9))
    assert report.new == 1
    assert report.duplicate == [{"file": "a.txt", "line": 9, "title": "Deep Trees", "of": "a.txt:3"}]
    assert _adds_up(report)


@pytest.mark.asyncio
async def test_rejected_records_count_as_read(desk: Desk) -> None:
    parsed = Parsed((record(),), (Rejection("a.txt", 12, "no title"),), ("a warning",))
    report = await desk.loader.load([("a.txt", parsed)])
    assert (report.read, report.new) == (2, 1)
    assert report.rejected == [{"file": "a.txt", "line": 12, "reason": "no title"}]
    assert report.warnings == ["a warning"]
    assert _adds_up(report)


@pytest.mark.parametrize(
    "later",
    [
        record(arxiv_id="2601.00001"),
        record("DEEP  TREES!"),
        record("The Deep Tree"),
        record("Deep Trees", ("Ann One", "Bob Two", "Cem Three")),
        record("$\\textbf{Deep}$ Trees"),
    ],
)
@pytest.mark.asyncio
async def test_the_same_paper_in_other_words_stays_one(desk: Desk, later: Record) -> None:
    await desk.load(record())
    report = await desk.load(later)
    assert report.new == 0
    assert len(await desk.all()) == 1


@pytest.mark.parametrize(
    "other",
    [
        record("Deep Trees II"),
        record("Deep Trees for Forests"),
        record("Deep Trees", ("Dora Four", "Emil Five")),
        record("Other Words", ("Ann One", "Bob Two")),
    ],
)
@pytest.mark.asyncio
async def test_another_paper_stays_another(desk: Desk, other: Record) -> None:
    await desk.load(record())
    report = await desk.load(other)
    assert report.new == 1
    assert len(await desk.all()) == 2


@pytest.mark.asyncio
async def test_two_arxiv_ids_are_two_papers_even_with_one_title(desk: Desk) -> None:
    await desk.load(record(arxiv_id="2601.00001"))
    assert (await desk.load(record(arxiv_id="2601.00002"))).new == 1


@pytest.mark.asyncio
async def test_an_id_that_comes_later_joins_and_then_carries_a_new_title(desk: Desk) -> None:
    await desk.load(record())
    await desk.load(record(arxiv_id="2601.00001"))
    report = await desk.load(record("A Wholly New Name", arxiv_id="2601.00001"))
    assert (report.new, report.updated) == (0, 1)
    # The old listing still knows it by its old title, without the id.
    again = await desk.load(record())
    assert again.new == 0
    assert len(await desk.all()) == 1
    assert await desk.news() == [(await desk.all())[0].title_en]


@pytest.mark.asyncio
async def test_namesakes_with_the_same_surname_are_kept_apart(desk: Desk) -> None:
    await desk.load(record("Deep Learning", ("Wei Zhang", "Li Na")))
    report = await desk.load(record("Deep Learning", ("Lei Zhang", "Max Born", "Ida Noddack")))
    assert report.new == 1


@pytest.mark.asyncio
async def test_news_are_accepted_papers_once(desk: Desk) -> None:
    submitted = Venue("ICLR", 2026, Track.MAIN, None, Status.SUBMITTED)
    await desk.load(
        record("In Review", venue=submitted), record("No Venue", ("X Y",), venue=None), record("Accepted")
    )
    assert await desk.news() == ["Accepted"]
    await desk.load(record("In Review", venue=ACCEPTED))
    await desk.load(record("In Review", venue=ACCEPTED, comments="v2"))
    assert await desk.news() == ["Accepted", "In Review"]


@pytest.mark.asyncio
async def test_absence_from_a_later_load_changes_nothing(desk: Desk) -> None:
    await desk.load(record("X", ("A B",)))
    await desk.load(record("Y", ("C D",)))
    await desk.load(record("X", ("A B",)))
    assert len(await desk.all()) == 2
    assert await desk.news() == ["X", "Y"]


@pytest.mark.asyncio
async def test_a_paper_comes_back_as_it_was_stored(desk: Desk) -> None:
    whole = record(
        title_zh="深树",
        institutions=(Affiliation("Tsinghua University", "清华大学"), Affiliation("Unknown Lab")),
        summary_en="English.",
        summary_zh="中文。",
        summary_en_origin=Origin.PERSON,
        abstract_en="Abstract.",
        comments="Accepted at ICLR 2026",
        arxiv_id="2601.00001",
        categories=("cs.LG",),
        links=(Link("code", "https://a.example/x"),),
    )
    await desk.load(whole)
    paper = (await desk.all())[0]
    assert (paper.title_en, paper.title_zh, paper.authors) == ("Deep Trees", "深树", ("Ann One", "Bob Two"))
    assert [item.organisation for item in paper.affiliations] == ["tsinghua-university", None] or (
        paper.affiliations[0].organisation is not None and paper.affiliations[1].organisation is None
    )
    english, chinese = paper.summary(Language.EN), paper.summary(Language.ZH)
    assert english is not None
    assert (english.text, english.origin) == ("English.", Origin.PERSON)
    assert chinese is not None
    assert (chinese.text, chinese.origin) == ("中文。", Origin.LISTING)
    assert paper.venue == ACCEPTED
    assert paper.links == whole.links


@pytest.mark.asyncio
async def test_a_sidecar_fills_in_silently_and_names_what_it_does_not_find(desk: Desk) -> None:
    await desk.load(record())
    entries = (
        SidecarEntry("deep trees", "By hand.", None, Origin.PERSON),
        SidecarEntry("Nobody Knows This", "Text.", None, Origin.PERSON),
    )
    report = await desk.loader.load([], sidecar=entries)
    paper = (await desk.all())[0]
    english = paper.summary(Language.EN)
    assert english is not None
    assert (english.text, english.origin) == ("By hand.", Origin.PERSON)
    assert await desk.news() == ["Deep Trees"]
    assert any("Nobody Knows This" in warning for warning in report.warnings)


@pytest.mark.asyncio
async def test_a_large_load_is_decided_on_only_when_it_is_complete(desk: Desk) -> None:
    seen: list[list[int]] = []

    def note(done: int, _total: int) -> None:
        if done < 1200:
            seen.append([done])

    records = [record(f"Paper number {n}", (f"Surname{n} Given",)) for n in range(1200)]
    report = await desk.load(*records, progress=note)
    assert report.new == 1200
    assert seen, "a large load goes in several batches"
    assert len(await desk.loads.undecided()) == 1
    assert len(await desk.loads.news_of((await desk.loads.undecided())[0])) == 1200


@pytest.mark.asyncio
async def test_a_load_whose_importer_died_is_closed_by_the_next(desk: Desk) -> None:
    async with desk.database.transaction() as transaction:
        dead = await desk.loads.start(transaction, "listing", datetime(2026, 5, 1, tzinfo=UTC))
    assert await desk.loads.undecided() == []
    await desk.load(record())
    assert dead in await desk.loads.undecided()


@pytest.mark.asyncio
async def test_affiliations_are_resolved_again_when_the_directory_changes(desk: Desk) -> None:
    await desk.load(record(institutions=(Affiliation("Tsinghua University"),)))
    assert await desk.loader.resolve_again("one") == 0
    async with desk.database.transaction() as transaction:
        await transaction.execute("DELETE FROM affiliation_organisations")
    before = await desk.papers.newest_change()
    assert await desk.loader.resolve_again("one") == 0, "the same directory: nothing to do"
    assert await desk.loader.resolve_again("two") == 1
    assert (await desk.all())[0].affiliations[0].organisation is not None
    assert await desk.papers.newest_change() > before


# --- sources, excerpts, conflicts ---------------------------------------------------------------------------

ABSTRACT = "Trees are hard. We propose deep trees, which grow without bounds. Experiments show it."


@pytest.mark.asyncio
async def test_an_abstract_gives_an_english_summary_until_a_better_one_comes(desk: Desk) -> None:
    await desk.load(record(abstract_en=ABSTRACT), source="arxiv")

    async def english() -> tuple[str, Origin]:
        summary = (await desk.all())[0].summary(Language.EN)
        assert summary is not None
        return summary.text, summary.origin

    assert await english() == ("We propose deep trees, which grow without bounds.", Origin.EXCERPT)
    assert (await desk.load(record(abstract_en=ABSTRACT), source="arxiv")).unchanged == 1
    await desk.load(record(abstract_en="We propose deeper trees, which reach the sky."), source="arxiv")
    assert await english() == ("We propose deeper trees, which reach the sky.", Origin.EXCERPT)
    tldr = record(summary_en="Trees, but deep.", summary_en_origin=Origin.TLDR)
    await desk.load(tldr, source="iclr")
    assert await english() == ("Trees, but deep.", Origin.TLDR)
    await desk.loader.load([], sidecar=(SidecarEntry("Deep Trees", "By hand.", None, Origin.PERSON),))
    assert await english() == ("By hand.", Origin.PERSON)
    await desk.load(record(summary_en="The listing's own."))
    assert await english() == ("The listing's own.", Origin.LISTING)
    await desk.load(record(abstract_en=ABSTRACT), tldr, source="iclr")
    assert await english() == ("The listing's own.", Origin.LISTING)
    assert await desk.news() == ["Deep Trees"]


@pytest.mark.asyncio
async def test_each_file_is_loaded_as_what_its_content_shows(desk: Desk) -> None:
    arxiv = Parsed((record(abstract_en=ABSTRACT, comments="from arXiv"),), source="arxiv")
    listing = Parsed((record(title_zh="深树", comments="from the listing"),))
    await desk.loader.load([("a.xml", arxiv), ("b.txt", listing)])
    state = (await desk.papers.states(desk.database, [1]))[1]
    assert state.origins["abstract_en"] == "arxiv"
    assert state.origins["title_zh"] == "listing"
    assert state.record.comments == "from the listing"
    last = await desk.loads.last()
    assert last is not None
    assert last.source == "arxiv+listing"


@pytest.mark.asyncio
async def test_a_disagreement_of_sources_is_reported_not_guessed(desk: Desk) -> None:
    rejected = Venue("ICLR", 2026, Track.MAIN, None, Status.REJECTED)
    await desk.load(record())
    report = await desk.load(record(authors=("Ann One", "Eve Six"), venue=rejected), source="iclr")
    told = " ".join(report.warnings)
    assert "sources disagree on authors: Ann One, Bob Two (listing) ≠ Ann One, Eve Six (iclr)" in told
    assert "sources disagree on status: accepted (listing) ≠ rejected (iclr)" in told
    assert (await desk.all())[0].authors == ("Ann One", "Bob Two")
    spelt = await desk.load(record(authors=("A. One", "Bob Two"), venue=None), source="arxiv")
    assert spelt.warnings == []


@pytest.mark.asyncio
async def test_many_disagreements_are_counted_not_all_told(desk: Desk) -> None:
    await desk.load(*(record(f"Paper {n}", (f"Author N{n}", "Bob Two", "Cem Three")) for n in range(230)))
    report = await desk.load(
        *(record(f"Paper {n}", (f"Author N{n}", "Bob Two")) for n in range(230)), source="arxiv"
    )
    assert len(report.warnings) == 201
    assert report.warnings[-1] == "sources disagree in 30 further places"


@pytest.mark.asyncio
async def test_namesakes_are_kept_apart_field_report_130(desk: Desk) -> None:
    first = record("Deep Learning", ("Wei Zhang", "Li Na", "Bo Chen", "Xi Lu"))
    others = record("Deep Learning", ("Wei Zhang", "Max Born", "Ida Noddack", "Otto Hahn"))
    strangers = record("Deep Learning", ("Lise Meitner", "Emmy Noether"))
    await desk.load(first, others, strangers)
    assert len(await desk.all()) == 3
    assert (await desk.load(first, others, strangers)).unchanged == 3


@pytest.mark.parametrize(
    ("title", "authors", "one"),
    [
        ("A Study of Growing Trees in the Dark", (), True),
        ("A Study of Growing Tree in the Dark", (), False),
        ("A Study of Growing Trees in the Dark", ("Ann One", "Eve Six"), True),
        ("A Study of Growing Trees in the Dark", ("Eve Six", "Bob Two", "Cem Three"), False),
    ],
)
@pytest.mark.asyncio
async def test_a_record_that_names_nobody_joins_only_with_little_doubt(
    desk: Desk, title: str, authors: tuple[str, ...], one: bool
) -> None:
    await desk.load(record("A Study of Growing Trees in the Dark"))
    report = await desk.load(record(title, authors), source="arxiv")
    assert (report.new == 0) == one


@pytest.mark.asyncio
async def test_a_record_that_names_nobody_does_not_choose_between_two(desk: Desk) -> None:
    title = "A Study of Growing Trees in the Dark"
    await desk.load(record(title), record(title, ("Lise Meitner", "Emmy Noether")))
    assert (await desk.load(record(title, ()), source="arxiv")).new == 1
    other_year = Venue("ICLR", 2025, Track.MAIN, None, Status.ACCEPTED)
    assert (await desk.load(record("A Poem of Growing Trees in the Dark"))).new == 1
    late = record("A Poem of Growing Trees in the Dark", (), venue=other_year)
    assert (await desk.load(late, source="arxiv")).new == 1


@pytest.mark.asyncio
async def test_another_edition_adds_a_venue_and_no_paper(desk: Desk) -> None:
    workshop = Venue("SPOT", 2025, Track.WORKSHOP, None, Status.ACCEPTED)
    await desk.load(record(venue=workshop))
    report = await desk.load(record())
    assert (report.new, report.updated) == (0, 1)
    assert (await desk.all())[0].venues == (ACCEPTED, workshop)
    assert await desk.news() == ["Deep Trees"]


@pytest.mark.asyncio
async def test_repetitions_that_differ_do_not_change_a_paper_to_and_fro(desk: Desk) -> None:
    both = (
        record(comments="first", title_zh=None),
        record("DEEP TREES", ("Ann One", "Bob Two", "Cem Three"), comments="second", title_zh="深树"),
    )
    await desk.load(*both)
    paper = (await desk.all())[0]
    assert (paper.title_en, paper.comments, paper.title_zh) == ("Deep Trees", "first", "深树")
    again = await desk.load(*both)
    assert (again.updated, again.unchanged, len(again.duplicate)) == (0, 1, 1)
    assert (await desk.load(record(comments="third"))).updated == 1
