"""`corrections`: readers' reports of wrong data, and what an operator makes of them.

Promises: an accepted report is applied at once and kept in the overrides file, so that reloads don't undo it; one
that says nothing a program can carry out is kept there as a note. Leaves to `bot.overrides`: the file.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from typing import Any

from bot.cli.errors import InputError
from bot.cli.loading import open_importer
from bot.clock import SystemClock
from bot.overrides import Override, add_override, overrides_path, read_setting
from bot.papers.model import Paper
from bot.settings import Settings
from bot.status import iso
from bot.text import is_cjk, tokens
from storage.database import Database
from storage.papers import PaperStore
from storage.people import Correction, PeopleStore

# Kinds of report whose text is the new value: field for an English text, field for a Chinese one.
_TEXTS = {"summary": ("summary_en", "summary_zh"), "title_fault": ("title_en", "title_zh")}


async def corrections(given: argparse.Namespace, settings: Settings) -> int:
    """`corrections list`, `accept ID [--set FIELD=VALUE]…`, `reject ID`."""
    async with Database(settings.database_path) as database:
        people, papers = PeopleStore(database), PaperStore(database)
        if given.action == "list":
            await _list(people, papers, as_json=given.json)
            return 0
        report = await people.correction(given.id)
        if report is None or report.state != "open":
            raise InputError(f"There is no open report {given.id}; `corrections list` shows those there are.")
        if given.action == "accept":
            await _accept(report, await papers.get(report.paper_id), given.set, settings)
        await people.decide_correction(given.id, f"{given.action}ed", SystemClock().now())
    _say(f"Report {given.id} is {given.action}ed.")
    return 0


async def _accept(report: Correction, paper: Paper | None, wanted: list[str], settings: Settings) -> None:
    """Write what a report means into the overrides and apply it.

    Raises:
        InputError: the paper is gone.
        OverridesError: a `--set` can't be read, or the file can't.
    """
    if paper is None:
        raise InputError(f"The paper of report {report.id} is gone; reject the report.")
    values = dict(read_setting(text) for text in wanted) or _own_values(report)
    denied = (report.data or {}).get("organisations", []) if not values else []
    known: dict[str, Any] = {"title_en": paper.title_en, "authors": paper.authors, "arxiv_id": paper.arxiv_id}
    new = [Override(**known, values=values, correction=report.id)] if values else []
    affiliation = str((report.data or {}).get("affiliation", ""))
    new += [
        Override(**known, not_affiliation=affiliation, not_organisation=str(item), correction=report.id)
        for item in denied
    ]
    for override in new:
        await asyncio.to_thread(add_override, settings.database_path, override)
    if not new:
        note = Override(**known, correction=report.id, note=report.detail)
        await asyncio.to_thread(add_override, settings.database_path, note)
        sys.stderr.write(
            f"The report doesn't say by itself what to set; fill in “set” of its entry in "
            f"{overrides_path(settings.database_path)}, or accept such reports with --set FIELD=VALUE.\n"
        )
        return
    # Opening it resolves affiliations again where an override says what they are not.
    async with open_importer(settings.database_path) as importer:
        for override in new:
            if override.values:
                await importer.loader.correct(paper.id, override)


def _own_values(report: Correction) -> dict[str, Any]:
    """The field that a report's own text replaces: a summary or a title, in the language of the text."""
    fields = _TEXTS.get(report.kind)
    if fields is None:
        return {}
    chinese = any(is_cjk(word) for word in tokens(report.detail))
    return {fields[chinese]: report.detail}


async def _list(people: PeopleStore, papers: PaperStore, *, as_json: bool) -> None:
    for report in await people.corrections("open"):
        paper = await papers.get(report.paper_id)
        title = paper.title_en if paper else f"paper {report.paper_id}"
        if as_json:
            item = {"id": report.id, "paper": title, "kind": report.kind, "detail": report.detail}
            _say(json.dumps(item | {"at": iso(report.created_at)}, ensure_ascii=False))
        else:
            _say(f"{report.id}: {report.kind}: {title}\n    {report.detail}")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
