"""Records into the database: which paper each one is, what changed, and what is news.

Promises: loading the same records twice changes nothing; the report's numbers add up; a load's news are
complete before anybody decides on them. Leaves to `bot.papers`: parsing and merging; to `storage`: the rows.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable, Sequence
from typing import Any

from bot.clock import Clock
from bot.institutions.model import Match
from bot.institutions.resolver import Resolver
from bot.loading_state import TOLD, Batch, LoadReport, Run, Touched
from bot.overrides import Override, Overrides
from bot.papers.files import SidecarEntry
from bot.papers.identity import title_key
from bot.papers.listing import Parsed
from bot.papers.merge import first_state, is_accepted, merge, with_excerpt
from bot.papers.model import Affiliation, Language, Record, ResolvedAffiliation, Summary
from bot.papers.names import author_key
from bot.recognition import all_keys
from bot.summaries.excerpt import excerpt
from storage.database import Database, Transaction
from storage.loads import LoadStore
from storage.paper_writes import PaperWrite
from storage.papers import PaperStore

__all__ = ["LoadReport", "Loader"]

log = logging.getLogger(__name__)

# A batch is one transaction: large enough to be fast, small enough to keep other writers waiting < 1 s.
BATCH = 500
OVERRIDE = "override"  # the source that wins in `bot.papers.merge`


class Loader:
    """Loads parsed listings; one load at a time (hold `bot.locks.import_lock` around it)."""

    def __init__(
        self, *, database: Database, resolver: Resolver, clock: Clock, overrides: Overrides | None = None
    ) -> None:
        self._database = database
        self._overrides = overrides or Overrides()
        self._papers = PaperStore(database)
        self._loads = LoadStore(database)
        self._resolver = resolver
        self._clock = clock

    async def load(
        self,
        listings: Sequence[tuple[str, Parsed]],
        *,
        source: str | None = None,
        sidecar: Sequence[SidecarEntry] = (),
        report: LoadReport | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> LoadReport:
        """Load parsed files, named, as one load.

        Args:
            listings: the file's name and what was parsed from it.
            source: the kind of source, as `bot.papers.merge` orders them; None is what the content shows.
            sidecar: further summaries, joined by title after the listings.
            report: a report to go on with, e.g. one that knows of unreadable files.
            progress: called with (records done, records in all) after each batch.
        """
        report = report or LoadReport()
        total = sum(len(parsed.records) for _, parsed in listings)
        kinds = {source or parsed.source for _, parsed in listings}
        run = Run(report, {}, source or "sidecar")
        async with self._database.transaction() as transaction:
            await self._loads.finish_abandoned(transaction, self._clock.now())
            name_of_load = "+".join(sorted(kinds)) or run.source
            run.load_id = await self._loads.start(transaction, name_of_load, self._clock.now())
        for name, parsed in listings:
            run.source = source or parsed.source
            report.files.append(name)
            report.add_rejections(parsed.rejected)
            report.warnings += parsed.warnings
            for start in range(0, len(parsed.records), BATCH):
                await self._load_batch(run, name, parsed.records[start : start + BATCH])
                if progress:
                    progress(report.read - len(report.rejected), total)
        if sidecar:
            await self._apply_sidecar(run, sidecar)
        if run.disagreements > TOLD:
            report.warnings.append(f"sources disagree in {run.disagreements - TOLD} further places")
        async with self._database.transaction() as transaction:
            await self._loads.finish(transaction, run.load_id, self._clock.now(), report.to_json())
        return report

    async def _load_batch(self, run: Run, name: str, records: Sequence[Record]) -> None:
        keyed = [(record, all_keys(record)) for record in records]
        async with self._database.transaction() as transaction:
            batch = Batch(self._clock.now(), await self._papers.next_id(transaction))
            known = await self._papers.with_keys(transaction, {key for _, keys in keyed for key in keys})
            ids = {paper for papers in known.values() for paper in papers}
            batch.states = await self._papers.states(transaction, ids)
            batch.by_key = known
            for record, keys in keyed:
                self._take(run, batch, name, record, keys)
            await self._store(run, batch, transaction)
        await asyncio.sleep(0)

    def _take(self, run: Run, batch: Batch, name: str, record: Record, keys: tuple[str, ...]) -> None:
        run.report.read += 1
        paper = batch.find(record, keys)
        if paper is None:
            paper = batch.add(with_excerpt(first_state(record, run.source), excerpt))
            run.report.new += 1
            run.touched[paper] = Touched(name, record.line)
        else:
            self._join(run, batch, name, record, paper)
        self._correct(batch, paper, keys)
        batch.remember(paper, keys)

    def _correct(self, batch: Batch, paper: int, keys: tuple[str, ...]) -> None:
        """What an operator has accepted about a paper wins over every source."""
        before = state = batch.states[paper]
        for record in self._overrides.for_paper(state, keys):
            state = merge(state, record, OVERRIDE).state
        if state != before:
            batch.replace(paper, state)

    def _join(self, run: Run, batch: Batch, name: str, record: Record, paper: int) -> None:
        """A further record of a known paper: an update, no change, or a repetition inside this load."""
        before = batch.states[paper]
        earlier = run.touched.get(paper)
        merged = merge(before, record, run.source, repeated=earlier is not None)
        for conflict in merged.conflicts:
            run.disagree(f"{name}: line {record.line}: paper {paper}: sources disagree on {conflict}")
        state = merged.state
        if state.record.abstract_en != before.record.abstract_en or state.record.summary_en is None:
            state = with_excerpt(state, excerpt)
        changed = state != before
        if changed:
            batch.replace(paper, state)
        if earlier is not None:
            run.report.duplicate.append(
                {
                    "file": name,
                    "line": record.line,
                    "title": record.title_en,
                    "of": f"{earlier.file}:{earlier.line}",
                }
            )
            return
        run.touched[paper] = Touched(name, record.line)
        if changed:
            run.report.updated += 1
        else:
            run.report.unchanged += 1

    async def _store(self, run: Run, batch: Batch, transaction: Transaction) -> None:
        writes = [self._write(batch, paper) for paper in sorted(batch.changed)]
        await self._papers.write(transaction, writes, batch.now)
        await self._papers.add_keys(transaction, batch.keys)
        news = [paper for paper in sorted(batch.changed) if is_accepted(batch.states[paper].venues)]
        await self._loads.add_news(transaction, run.load_id, news, batch.now)

    def _write(self, batch: Batch, paper: int) -> PaperWrite:
        state = batch.states[paper]
        return PaperWrite(
            id=paper,
            state=state,
            author_keys=tuple(author_key(name) for name in state.record.authors),
            affiliations=tuple(self.resolve(item) for item in state.record.institutions),
            new=paper in batch.new,
        )

    def resolve(self, affiliation: Affiliation) -> ResolvedAffiliation:
        """What the resolver says of a printed affiliation, in the shape that is stored."""
        found = self._resolver.resolve_all(affiliation.name_en, affiliation.name_zh)
        denied = self._overrides.denied(affiliation.name_en)
        organisations = tuple(
            item.organisation.id for item in found if item.organisation and item.organisation.id not in denied
        )
        status = Match.EXACT if organisations else Match.UNKNOWN if denied else found[0].status
        return ResolvedAffiliation(affiliation, status, organisations)

    async def add_summary(self, paper: int, summary: Summary) -> bool:
        """Store a summary that was made later, if none as good is known; nothing is announced by it.

        Returns:
            Whether the paper changed.
        """
        name = "summary_en" if summary.language is Language.EN else "summary_zh"
        found: dict[str, Any] = {name: summary.text, f"{name}_origin": summary.origin}
        async with self._database.transaction() as transaction:
            batch = Batch(self._clock.now(), 0)
            batch.states = await self._papers.states(transaction, [paper])
            before = batch.states.get(paper)
            if before is None:
                return False
            after = merge(before, Record(title_en="", **found), summary.origin.value).state
            if after == before:
                return False
            batch.replace(paper, after)
            await self._papers.write(transaction, [self._write(batch, paper)], batch.now)
        return True

    async def correct(self, paper: int, accepted: Override) -> bool:
        """Apply an accepted correction to a stored paper; whether anything changed. Nothing is announced by it."""
        async with self._database.transaction() as transaction:
            batch = Batch(self._clock.now(), 0)
            batch.states = await self._papers.states(transaction, [paper])
            if paper not in batch.states:
                return False
            after = merge(batch.states[paper], accepted.record(), OVERRIDE).state
            if after == batch.states[paper]:
                return False
            batch.replace(paper, after)
            await self._papers.write(transaction, [self._write(batch, paper)], batch.now)
        return True

    async def is_current(self, fingerprint: str) -> bool:
        """Whether stored affiliations were resolved with this directory and these overrides."""
        return await self._papers.directory() == self._fingerprint(fingerprint)

    def _fingerprint(self, directory: str) -> str:
        return f"{directory} {hashlib.sha256(self._overrides.fingerprint().encode()).hexdigest()[:12]}"

    async def resolve_again(self, fingerprint: str) -> int:
        """Resolve every stored affiliation again if the directory isn't the one used last; how many changed."""
        if await self.is_current(fingerprint):
            return 0
        changed = 0
        known = await self._papers.affiliations()
        for start in range(0, len(known), BATCH):
            changed += await self._resolve_batch(known[start : start + BATCH])
        async with self._database.transaction() as transaction:
            await self._papers.set_directory(transaction, self._fingerprint(fingerprint))
        if changed:
            log.info("%d affiliations resolve differently with this directory of institutions", changed)
        return changed

    async def _resolve_batch(self, known: Sequence[ResolvedAffiliation]) -> int:
        found = [self.resolve(item.affiliation) for item in known]
        differing = [new for old, new in zip(known, found, strict=True) if new != old]
        async with self._database.transaction() as transaction:
            await self._papers.replace_affiliations(transaction, differing)
        await asyncio.sleep(0)
        return len(differing)

    async def _apply_sidecar(self, run: Run, entries: Sequence[SidecarEntry]) -> None:
        async with self._database.transaction() as transaction:
            batch = Batch(self._clock.now(), 0)
            for entry in entries:
                papers = await self._papers.with_title(transaction, title_key(entry.title_en))
                if len(papers) != 1:
                    found = "no paper" if not papers else f"{len(papers)} papers"
                    run.report.warnings.append(f"sidecar: {found} with the title “{entry.title_en}”; skipped")
                    continue
                batch.states |= await self._papers.states(transaction, papers)
                merged = merge(batch.states[papers[0]], _sidecar_record(entry), "sidecar").state
                if merged != batch.states[papers[0]]:
                    batch.replace(papers[0], merged)
            await self._store(run, batch, transaction)


def _sidecar_record(entry: SidecarEntry) -> Record:
    return Record(
        title_en="",
        summary_en=entry.summary_en,
        summary_zh=entry.summary_zh,
        summary_en_origin=entry.origin,
        summary_zh_origin=entry.origin,
    )
