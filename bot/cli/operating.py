"""What an operator asks for: status, digests, corrections and doctor.

Promises: nothing here sends to Discord; `digest --now` only queues for the running bot.
Leaves to `bot.status` and the services: the facts.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from bot.app import App
from bot.cli.errors import InputError
from bot.clock import SystemClock
from bot.digest.service import DigestService
from bot.doctor import examine
from bot.knowledge import Knowledge, open_knowledge
from bot.settings import Settings
from bot.status import StatusService, iso
from storage.digests import DigestSettings, DigestStore
from storage.people import PeopleStore


def counted(number: int, what: str) -> str:
    """“1 paper”, “2 papers”."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _say(line: str = "") -> None:
    sys.stdout.write(line + "\n")


async def status(given: argparse.Namespace, settings: Settings) -> int:
    """`status [--json]`."""
    async with open_knowledge(settings, SystemClock(), index=False) as knowledge:
        service = StatusService(
            database=knowledge.database, clock=knowledge.clock, digests=App.digest_service(knowledge)
        )
        report = await service.report()
        open_reports = len(await PeopleStore(knowledge.database).corrections("open"))
    if given.json:
        _say(json.dumps(report, ensure_ascii=False))
    else:
        _print_status(report, open_reports)
    return 0


def _print_status(report: dict[str, Any], open_reports: int) -> None:
    tracks = ", ".join(f"{count} {track}" for track, count in report["papers"]["by_track"].items())
    _say(f"ICLR Herald {report['version']}, database schema {report['schema']}")
    _say(f"papers: {report['papers']['total']}{f' ({tracks})' if tracks else ''}")
    load = report["last_load"]
    counts = f"{load['at']}, {load['new']} new, {load['updated']} updated" if load else "none yet"
    _say(f"last load: {counts}")
    for source in report["sources"]:
        _say(
            f"source {source['name']}: last success {source['last_success'] or 'never'}; "
            f"last error {source['last_error'] or 'none'}"
        )
    for guild in report["guilds"]:
        _say(
            f"server {guild['id']}: channel {guild['channel']}, next {guild['next_run'] or 'paused'}, "
            f"last {guild['last_digest'] or 'never'}"
        )
        for held in guild["held"]:
            _say(f"  held since {held['since']}: {held['what']} part {held['part']}: {held['reason']}")
    _say("outbox: " + ", ".join(f"{count} {state}" for state, count in report["outbox"].items()))
    _say(f"subscriptions: {report['subscriptions']}; open reports: {open_reports}")
    _say(f"last error: {report['last_error'] or 'none'}")


async def digest(given: argparse.Namespace, settings: Settings) -> int:
    """`digest [--guild ID] [--now]`."""
    async with open_knowledge(settings, SystemClock(), index=False) as knowledge:
        service = App.digest_service(knowledge)
        for chosen in await _digests(knowledge, given.guild):
            await (_queue(service, chosen) if given.now else _preview(service, chosen))
    return 0


async def _digests(knowledge: Knowledge, guild: int | None) -> list[DigestSettings]:
    known = await DigestStore(knowledge.database).everyone()
    if guild is not None:
        known = [settings for settings in known if settings.guild_id == guild]
    if not known:
        where = f"The server {guild} has no digest" if guild is not None else "No server has a digest"
        raise InputError(f"{where} yet: an admin sets one up with `/digest set` in Discord.")
    return known


async def _queue(service: DigestService, settings: DigestSettings) -> None:
    decision = await service.post_now(settings)
    if not decision.papers:
        _say(f"server {settings.guild_id}: nothing new to post")
        return
    papers, messages = counted(decision.papers, "paper"), counted(decision.parts, "message")
    _say(f"server {settings.guild_id}: {papers} in {messages} queued; the running bot sends them")


async def _preview(service: DigestService, settings: DigestSettings) -> None:
    messages = await service.preview(settings)
    _say(
        f"server {settings.guild_id}, channel {settings.channel_id}, next {iso(await service.next_run(settings))}"
    )
    for message in messages:
        _say(message.plain().content or "")
    if not messages:
        _say("Nothing new; an empty day posts nothing.")


async def doctor(_given: argparse.Namespace, settings: Settings) -> int:
    """`doctor`: one line a check; 1 if anything is wrong."""
    wrong = False
    async for finding in examine(settings):
        _say(f"{'ok   ' if finding.ok else 'WRONG'} {finding.text}")
        wrong = wrong or not finding.ok
    return 1 if wrong else 0
