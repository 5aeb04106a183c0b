"""The thin Discord surface: parse options, call a service, render, reply.

Promises: every cog gets its services by constructor. Leaves to `bot`: everything else.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bot.alerts.service import AlertService
from bot.clicks import Clicks
from bot.clock import Clock
from bot.digest.service import DigestService
from bot.institutions.directory import Directory
from bot.institutions.resolver import Resolver
from bot.lookups import Lookups
from bot.settings import Settings
from bot.sources.importing import Imported
from bot.status import StatusService
from bot.voices import Voices
from storage.database import Database
from storage.papers import PaperStore
from storage.people import PeopleStore

if TYPE_CHECKING:
    from discord.ext import commands


@dataclass(frozen=True, slots=True)
class Services:
    """What a cog may use."""

    settings: Settings
    clock: Clock
    database: Database
    papers: PaperStore
    people: PeopleStore
    directory: Directory
    resolver: Resolver
    lookups: Lookups
    voices: Voices
    clicks: Clicks
    digests: DigestService
    alerts: AlertService
    status: StatusService
    wake_outbox: Callable[[], None]
    load_files: Callable[[list[Path], Path | None], Awaitable[Imported]]


async def load_cogs(bot: commands.AutoShardedBot, services: Services) -> None:
    """Build every cog and add it to the bot.

    Raises:
        Exception: whatever a cog raises; a bot without one of its parts doesn't start.
    """
    from cogs.digest import DigestCog
    from cogs.library import LibraryCog
    from cogs.lookup import LookupCog
    from cogs.profiles import ProfileCog
    from cogs.reading import ReadingCog
    from cogs.service import ServiceCog
    from cogs.subscriptions import SubscriptionCog

    for cog in (
        DigestCog(services),
        LibraryCog(services),
        LookupCog(services, bot.tree),
        ProfileCog(services),
        ReadingCog(services),
        ServiceCog(services),
        SubscriptionCog(services),
    ):
        await bot.add_cog(cog)
