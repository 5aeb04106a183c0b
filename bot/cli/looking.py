"""`search` and `institution`: the same engines as the slash commands.

Promises: no match is an empty list, not a bad guess. Leaves to `bot.lookups`: the answers.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from bot.cli.batch import open_queries
from bot.cli.errors import UsageError
from bot.clock import SystemClock
from bot.institutions.directory import Directory
from bot.institutions.model import Match, Organisation
from bot.institutions.resolver import Resolver
from bot.institutions.shipped import open_directory
from bot.knowledge import Knowledge, open_knowledge
from bot.lookups import Found
from bot.search.model import Query
from bot.settings import Settings

__all__ = ["institution", "search"]


async def search(given: argparse.Namespace, settings: Settings) -> int:
    """`search QUERY [--limit 5] [--json]` and `search --batch FILE.jsonl`."""
    with _queries(given) as queries:
        async with open_knowledge(settings, SystemClock()) as knowledge:
            if not await knowledge.lookups.count():
                sys.stderr.write(
                    f"The database {settings.database_path} holds no papers yet: "
                    "`python -m bot import FILE` loads some.\n"
                )
            for query in queries:
                start = time.perf_counter()
                found = await _search(knowledge, query, given.limit)
                elapsed = (time.perf_counter() - start) * 1000
                if given.json or given.batch is not None:
                    _line({"query": query, "results": _results(found), "ms": round(elapsed, 2)})
                else:
                    _print_found(found)
    return 0


async def _search(knowledge: Knowledge, text: str, limit: int) -> list[Found]:
    if not text.strip():
        return []  # the newest papers are an offer to who types; whoever asks for nothing gets nothing
    return await knowledge.lookups.search(Query(text=text), limit)


def _results(found: list[Found]) -> list[dict[str, Any]]:
    return [
        {
            "rank": rank,
            "score": round(item.hit.score, 1),
            "id": item.paper.id,
            "title_en": item.paper.title_en,
            "title_zh": item.paper.title_zh,
            "matched": item.hit.matched,
        }
        for rank, item in enumerate(found, 1)
    ]


def _print_found(found: list[Found]) -> None:
    if found and all(item.hit.confidence == "maybe" for item in found):
        sys.stdout.write("Nothing certain. Did you mean:\n")
    for rank, item in enumerate(found, 1):
        chinese = f"\n   {item.paper.title_zh}" if item.paper.title_zh else ""
        sys.stdout.write(
            f"{rank}. {item.paper.title_en}{chinese}\n   {item.hit.matched}, {item.hit.score:.0f} of 100\n"
        )
    if not found:
        sys.stdout.write("Nothing found.\n")


async def institution(given: argparse.Namespace, settings: Settings) -> int:
    """`institution QUERY [--json]` and `institution --batch FILE.jsonl`."""
    with _queries(given) as queries:
        directory = await asyncio.to_thread(open_directory, settings.database_path)
        resolver = Resolver(directory)
        for query in queries:
            start = time.perf_counter()
            answer = _institution(resolver, directory, query)
            elapsed = (time.perf_counter() - start) * 1000
            if given.batch is not None:
                _line(answer | {"ms": round(elapsed, 2)})
            elif given.json:
                _line(answer)
            else:
                _print_institution(answer)
    return 0


def _institution(resolver: Resolver, directory: Directory, query: str) -> dict[str, Any]:
    found = resolver.lookup(query)
    status = Match.UNKNOWN if found.status is Match.NONE else found.status
    return {
        "query": query,
        "status": status.value,
        "institution": _organisation(found.organisation, directory) if found.organisation else None,
        "suggestions": [_organisation(item, directory) for item in found.suggestions],
    }


def _organisation(organisation: Organisation, directory: Directory) -> dict[str, str | None]:
    return organisation.to_json(directory.get(organisation.parent) if organisation.parent else None)


def _print_institution(answer: dict[str, Any]) -> None:
    if answer["institution"]:
        sys.stdout.write(f"{_named(answer['institution'])}\n")
        return
    sys.stdout.write(f"{answer['status']}: “{answer['query']}”\n")
    for suggestion in answer["suggestions"]:
        sys.stdout.write(f"  {_named(suggestion)}\n")


def _named(item: dict[str, Any]) -> str:
    parts = [item["name_en"], item["name_zh"], item["parent"] and f"part of {item['parent']}"]
    parts.append(item["ror"] and f"https://ror.org/{item['ror']}")
    return " · ".join(part for part in parts if part)


def _queries(given: argparse.Namespace) -> AbstractContextManager[Iterable[str]]:
    """The one query, or those of the batch; the batch is opened before any work is done for it."""
    if (given.query is None) == (given.batch is None):
        raise UsageError(f"{given.command} takes either a QUERY or --batch FILE.jsonl.")
    if given.batch is not None:
        return open_queries(given.batch)
    return nullcontext([given.query])


def _line(item: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(item, ensure_ascii=False) + "\n")
    sys.stdout.flush()
