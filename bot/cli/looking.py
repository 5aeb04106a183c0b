"""`search` and `institution`: the same engines as the slash commands.

Promises: no match is an empty list, not a bad guess. Leaves to `bot.lookups`: the answers.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Iterator
from typing import Any

from bot.cli.errors import UsageError
from bot.clock import SystemClock
from bot.institutions.directory import Directory
from bot.institutions.model import Organisation
from bot.institutions.resolver import Resolver
from bot.institutions.shipped import open_directory
from bot.knowledge import Knowledge, open_knowledge
from bot.lookups import Found
from bot.search.model import Query
from bot.settings import Settings

__all__ = ["institution", "search"]


async def search(given: argparse.Namespace, settings: Settings) -> int:
    """`search QUERY [--limit 5] [--json]` and `search --batch FILE.jsonl`."""
    _one_of(given)
    async with open_knowledge(settings, SystemClock()) as knowledge:
        if not await knowledge.lookups.count():
            sys.stderr.write(
                f"The database {settings.database_path} holds no papers yet: `python -m bot import FILE` loads some.\n"
            )
        if given.batch is None:
            found = await _search(knowledge, given.query, given.limit)
            _print_found(given.query, found, as_json=given.json)
            return 0
        for query in _batch(given.batch):
            start = time.perf_counter()
            found = await _search(knowledge, query, given.limit)
            elapsed = (time.perf_counter() - start) * 1000
            _line({"query": query, "results": _results(found), "ms": round(elapsed, 2)})
    return 0


async def _search(knowledge: Knowledge, text: str, limit: int) -> list[Found]:
    found = await knowledge.lookups.search(Query(text=text), limit)
    return [item for item in found if item.hit.confidence == "found"]


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


def _print_found(query: str, found: list[Found], *, as_json: bool) -> None:
    if as_json:
        _line({"query": query, "results": _results(found)})
        return
    for rank, item in enumerate(found, 1):
        chinese = f"\n   {item.paper.title_zh}" if item.paper.title_zh else ""
        sys.stdout.write(
            f"{rank}. {item.paper.title_en}{chinese}\n   {item.hit.matched}, {item.hit.score:.0f} of 100\n"
        )
    if not found:
        sys.stdout.write("Nothing found.\n")


async def institution(given: argparse.Namespace, settings: Settings) -> int:
    """`institution QUERY [--json]` and `institution --batch FILE.jsonl`."""
    _one_of(given)
    directory = await asyncio.to_thread(open_directory, settings.database_path)
    resolver = Resolver(directory)
    queries = [given.query] if given.batch is None else _batch(given.batch)
    for query in queries:
        answer = _institution(resolver, directory, query)
        if given.json or given.batch is not None:
            _line(answer)
        else:
            _print_institution(answer)
    return 0


def _institution(resolver: Resolver, directory: Directory, query: str) -> dict[str, Any]:
    found = resolver.lookup(query)
    return {
        "query": query,
        "status": found.status.value,
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


def _one_of(given: argparse.Namespace) -> None:
    if (given.query is None) == (given.batch is None):
        raise UsageError(f"{given.command} takes either a QUERY or --batch FILE.jsonl.")


def _batch(name: str) -> Iterator[str]:
    """The queries of a file of `{"query": …}` lines; a bad line is an error that names it."""
    handle = sys.stdin if name == "-" else open(name, encoding="utf-8")  # noqa: SIM115 - stdin must stay open
    try:
        for number, line in enumerate(handle, 1):
            if line.strip():
                yield _query_of(line, name, number)
    finally:
        if handle is not sys.stdin:
            handle.close()


def _query_of(line: str, name: str, number: int) -> str:
    try:
        query = json.loads(line)["query"]
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f'{name}, line {number}: not of the form {{"query": "…"}}.') from error
    if not isinstance(query, str):
        raise UsageError(f"{name}, line {number}: the query is no text.")
    return query


def _line(item: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(item, ensure_ascii=False) + "\n")
    sys.stdout.flush()
