"""How the bot is doing, for the command line and `/status`.

Promises: the stable JSON of `status --json`; times ISO 8601 UTC. Leaves to the cogs: who may see what.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from bot.clock import Clock
from bot.digest.service import DigestService
from storage.database import Database
from storage.digests import DigestSettings, DigestStore
from storage.identity import rival_seen
from storage.loads import LoadStore
from storage.outbox import OutboxStore, Part
from storage.papers import PaperStore
from storage.sources import SourceStore
from storage.subscriptions import SubscriptionStore

RIVAL_TOLD = timedelta(days=1)


def program_version() -> str:
    """The version of this program; a checkout that isn't installed says what its pyproject says."""
    try:
        return version("iclr-herald")
    except PackageNotFoundError:
        return "0.1.0"


def iso(moment: datetime | None) -> str | None:
    """A moment as the command line prints it."""
    return None if moment is None else moment.isoformat(timespec="seconds").replace("+00:00", "Z")


class StatusService:
    """Collects the state from the stores."""

    def __init__(self, *, database: Database, clock: Clock, digests: DigestService) -> None:
        self._database = database
        self._clock = clock
        self._digest_service = digests
        self.papers = PaperStore(database)
        self.loads = LoadStore(database)
        self.digests = DigestStore(database)
        self.outbox = OutboxStore(database)
        self.sources = SourceStore(database)
        self.subscriptions = SubscriptionStore(database)

    async def report(self) -> dict[str, Any]:
        """Everything, with the stable field names of `status --json`."""
        last = await self.loads.last()
        return {
            "version": program_version(),
            "schema": await self._database.schema_version(),
            "papers": {
                "total": await self.papers.count(),
                "by_track": await self.papers.count_by_track(),
            },
            "last_load": None
            if last is None
            else {"at": iso(last.finished_at), "source": last.source, **_counts(last.report)},
            "sources": [
                {
                    "name": source.name,
                    "last_success": iso(source.last_success),
                    "last_error": source.last_error,
                    "next_run": iso(source.next_run),
                    "counts": source.counts,
                }
                for source in await self.sources.all()
            ],
            "guilds": [await self._guild(settings) for settings in await self.digests.everyone()],
            "outbox": await self.outbox.counts(),
            "subscriptions": await self.subscriptions.count(),
            "last_error": await self._last_error(),
        }

    async def rival(self) -> datetime | None:
        """When somebody else answered a command of this bot, if that is recent: a second process has its token."""
        seen = await rival_seen(self._database)
        return seen if seen is not None and self._clock.now() - seen < RIVAL_TOLD else None

    async def _last_error(self) -> str | None:
        """What the operator should see first: a second process with the same token makes all else a riddle."""
        if (seen := await self.rival()) is not None:
            return f"Somebody else answered a command of this bot at {iso(seen)}: does a second process use its token?"
        return await self.outbox.last_error()

    async def _guild(self, settings: DigestSettings) -> dict[str, Any]:
        last = await self.digests.last_date(settings.guild_id, self._clock.now())
        next_run = None if settings.paused else await self._digest_service.next_run(settings)
        return {
            "id": str(settings.guild_id),
            "channel": str(settings.channel_id),
            "language": settings.language,
            "next_run": iso(next_run),
            "last_digest": iso(last.decided_at) if last else None,
            "held": [held_line(part) for part in await self.outbox.held_of_guild(settings.guild_id)],
        }


def held_line(part: Part) -> dict[str, Any]:
    """A held part as the command line prints it."""
    return {"what": part.what, "part": part.part, "reason": part.last_error, "since": iso(part.created_at)}


def _counts(report: dict[str, Any]) -> dict[str, Any]:
    found = {name: report.get(name, 0) for name in ("read", "new", "updated", "unchanged")}
    return found | {name: len(report.get(name, ())) for name in ("duplicate", "rejected", "warnings")}
