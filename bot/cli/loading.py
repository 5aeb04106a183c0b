"""`import`, `parse` and `institutions`: data in, and what came of it.

Promises: files that can be read are loaded even when another can't; `--dry-run` leaves the database alone.
Leaves to `bot.loading` and `bot.papers`: the work. No Discord client is imported here.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.clock import SystemClock
from bot.institutions.directory import Directory
from bot.institutions.resolver import Resolver
from bot.institutions.ror import RorError, read_ror
from bot.institutions.shipped import fingerprint, open_directory, ror_path
from bot.loading import Loader, LoadReport
from bot.locks import file_lock, import_lock
from bot.overrides import read_overrides
from bot.papers.files import ListingError, SidecarEntry, read_listing, read_sidecar
from bot.papers.listing import Parsed
from bot.settings import Settings
from storage.database import Database
from storage.papers import PaperStore


@dataclass(frozen=True, slots=True)
class Importer:
    """A database that is held for loading, and what loads into it."""

    database: Database
    loader: Loader


@asynccontextmanager
async def open_importer(path: Path) -> AsyncIterator[Importer]:
    """Open a database for loading, once no other importer works on it; affiliations are brought up to date."""
    async with file_lock(import_lock(path), wait=True), Database(path) as database:
        directory = await asyncio.to_thread(open_directory, path)
        overrides = await asyncio.to_thread(read_overrides, path)
        loader = Loader(
            database=database, resolver=Resolver(directory), clock=SystemClock(), overrides=overrides
        )
        await loader.resolve_again(await asyncio.to_thread(fingerprint, directory))
        yield Importer(database, loader)


async def import_listings(given: argparse.Namespace, settings: Settings) -> int:
    """`import PATH… [--english SIDECAR.json] [--dry-run] [--json]`."""
    report = LoadReport()
    parsed = _read_all(given.paths, report)
    sidecar = _read_sidecar(given.english, report)
    if parsed or sidecar:
        with tempfile.TemporaryDirectory(prefix="iclr-herald-") as scratch:
            path = _copy(settings.database_path, Path(scratch)) if given.dry_run else settings.database_path
            async with open_importer(path) as importer:
                await importer.loader.load(
                    parsed, source=given.source, sidecar=sidecar, report=report, progress=_progress()
                )
    if given.json:
        sys.stdout.write(json.dumps(report.to_json(), ensure_ascii=False) + "\n")
    else:
        _print_report(report, dry_run=given.dry_run)
    return 1 if report.failed else 0


async def load_into(settings: Settings, paths: list[Path], english: Path | None) -> LoadReport:
    """Load files into the settings' database, for the sandbox.

    Raises:
        ListingError: one of the files can't be read.
    """
    parsed = [(path.name, read_listing(path)) for path in paths]
    sidecar = read_sidecar(english) if english else ()
    async with open_importer(settings.database_path) as importer:
        return await importer.loader.load(parsed, sidecar=sidecar)


def _read_all(paths: list[Path], report: LoadReport) -> list[tuple[str, Parsed]]:
    parsed = []
    for path in paths:
        try:
            parsed.append((str(path), read_listing(path)))
        except ListingError as error:
            report.failed.append(str(error))
            sys.stderr.write(f"{error}\n")
    return parsed


def _read_sidecar(path: Path | None, report: LoadReport) -> tuple[SidecarEntry, ...]:
    if path is None:
        return ()
    try:
        return read_sidecar(path)
    except ListingError as error:
        report.failed.append(str(error))
        sys.stderr.write(f"{error}\n")
        return ()


def _copy(database: Path, folder: Path) -> Path:
    """A copy to try a load on, with what the write-ahead log still holds."""
    for suffix in ("", "-wal"):
        source = database.with_name(database.name + suffix)
        if source.exists():
            shutil.copyfile(source, folder / source.name)
    ror = ror_path(database)
    if ror.exists():
        shutil.copyfile(ror, ror_path(folder / database.name))
    return folder / database.name


def _progress() -> Callable[[int, int], None] | None:
    """A bar on stderr for long loads, when somebody is looking."""
    if not sys.stderr.isatty():
        return None

    def show(done: int, total: int) -> None:
        if total < 1000:
            return
        filled = 30 * done // max(total, 1)
        end = "\n" if done >= total else ""
        sys.stderr.write(f"\r[{'#' * filled}{'.' * (30 - filled)}] {done:,} of {total:,} papers{end}")
        sys.stderr.flush()

    return show


def _print_report(report: LoadReport, *, dry_run: bool) -> None:
    would = "would be " if dry_run else ""
    lines = [
        f"{report.read} records read: {report.new} {would}new, {report.updated} {would}updated, "
        f"{report.unchanged} unchanged, {len(report.duplicate)} duplicate, {len(report.rejected)} rejected."
    ]
    lines += [f"duplicate: {d['file']}:{d['line']} “{d['title']}” is {d['of']}" for d in report.duplicate]
    lines += [f"rejected: {r['file']}:{r['line']}: {r['reason']}" for r in report.rejected]
    lines += [f"warning: {warning}" for warning in report.warnings]
    sys.stdout.write("\n".join(lines) + "\n")


async def parse(given: argparse.Namespace, _settings: Settings) -> int:
    """`parse PATH`: one JSON record a line, no database touched."""
    parsed = read_listing(given.path)
    for record in parsed.records:
        sys.stdout.write(json.dumps(record.to_json(), ensure_ascii=False) + "\n")
    for rejection in parsed.rejected:
        sys.stderr.write(f"rejected: {rejection.file}:{rejection.line}: {rejection.reason}\n")
    for warning in parsed.warnings:
        sys.stderr.write(f"warning: {warning}\n")
    return 0


async def institutions(given: argparse.Namespace, settings: Settings) -> int:
    """`institutions import FILE` and `institutions unresolved [--json]`."""
    if given.action == "unresolved":
        return await _unresolved(given, settings)
    added = await asyncio.to_thread(_keep_ror, given.path, settings.database_path)
    async with open_importer(settings.database_path):
        pass  # opening resolves every stored affiliation again with the larger directory
    sys.stdout.write(f"{added:,} organisations are known now.\n")
    return 0


def _keep_ror(source: Path, database: Path) -> int:
    """Check a dump and keep it beside the database; how many organisations are known with it."""
    if next(read_ror(source), None) is None:
        raise RorError(f"{source}: no organisation in it")
    known = len(Directory.shipped().with_ror(source))
    target = ror_path(database, source)
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(target.name + ".part")
    shutil.copyfile(source, partial)
    for old in target.parent.glob(ror_path(database).stem + ".*"):
        if old != partial:
            old.unlink()
    partial.replace(target)
    return known


async def _unresolved(given: argparse.Namespace, settings: Settings) -> int:
    async with Database(settings.database_path) as database:
        rows = await PaperStore(database).unresolved()
    if given.json:
        items = [
            {"name_en": english, "name_zh": chinese or None, "status": status, "papers": papers}
            for english, chinese, status, papers in rows
        ]
        sys.stdout.write(json.dumps(items, ensure_ascii=False) + "\n")
        return 0
    for english, chinese, status, papers in rows:
        sys.stdout.write(f"{papers:5} {status:9} {english}{f' ({chinese})' if chinese else ''}\n")
    return 0
