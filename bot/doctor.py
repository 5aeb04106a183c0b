"""Checks what a bot needs before it runs: settings, database, sources, token, permissions.

Promises: one finding a check, each a sentence; nothing is sent. Leaves to the operator: mending; to `storage`:
bringing an older database up to date, which every command that opens one does.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import aiohttp

from bot.doctor_discord import PERMISSIONS, Api, ApiError, permissions_in
from bot.settings import DISCORD_API, Settings
from bot.sources.http import shown, user_agent
from bot.status import program_version
from storage.database import Database, verify
from storage.digests import DigestSettings, DigestStore
from storage.errors import StorageError
from storage.papers import PaperStore
from storage.sources import SourceStore

_TIMEOUT = aiohttp.ClientTimeout(total=15)


@dataclass(frozen=True, slots=True)
class Finding:
    """One check's outcome."""

    ok: bool
    text: str


def install_links(application: int) -> tuple[str, str]:
    """The addresses that add the bot to a server, and that install it for a person."""
    base = f"https://discord.com/oauth2/authorize?client_id={application}"
    rights = sum(PERMISSIONS.values())
    return (
        f"{base}&integration_type=0&scope=bot+applications.commands&permissions={rights}",
        f"{base}&integration_type=1&scope=applications.commands",
    )


async def examine(settings: Settings) -> AsyncIterator[Finding]:
    """Run every check; later ones that need an earlier one are left out when that failed."""
    yield Finding(True, "settings: every value can be used")
    digests: list[DigestSettings] = []
    async for finding in _database(settings.database_path, digests):
        yield finding
    yield _folder(settings.listing_dir)
    async for finding in _addresses(settings):
        yield finding
    if not settings.token:
        yield Finding(False, "token: DISCORD_TOKEN is empty (`python -m bot sandbox` needs none)")
        return
    async for finding in _discord(settings, digests):
        yield finding


# --- database -------------------------------------------------------------------------------------------------------


async def _database(path: Path, digests: list[DigestSettings]) -> AsyncIterator[Finding]:
    """The database and what it remembers of the sources; its digests are added to `digests`."""
    if not await asyncio.to_thread(_has_content, path):
        yield _place_for(path)
        return
    try:
        await asyncio.to_thread(verify, path)
        async with Database(path) as database:
            papers = await PaperStore(database).count()
            schema = await database.schema_version()
            sources = await SourceStore(database).all()
            digests += await DigestStore(database).everyone()
    except StorageError as error:
        yield Finding(False, f"database: {error}")
        return
    yield Finding(True, f"database: {path}, schema {schema}")
    yield Finding(
        True, f"papers: {papers:,}" if papers else "papers: none yet; `python -m bot import FILE` loads some"
    )
    for source in sources:
        if source.last_error:
            yield Finding(False, f"source {source.name}: its last run failed: {source.last_error}")


def _has_content(path: Path) -> bool:
    return path.exists() and (not path.is_file() or path.stat().st_size > 0)


def _place_for(path: Path) -> Finding:
    """Whether the first start can create the database."""
    folder = path.parent
    while not folder.exists():
        folder = folder.parent
    if folder.is_dir() and os.access(folder, os.W_OK | os.X_OK):
        return Finding(True, f"database: {path} doesn't exist yet; the first start or import creates it")
    return Finding(False, f"database: {path} can't be created: {folder} is no folder you may write to")


# --- sources --------------------------------------------------------------------------------------------------------


def _folder(folder: Path | None) -> Finding:
    if folder is None:
        return Finding(True, "sources: no LISTING_DIR; listings come by `import`")
    if not folder.is_dir():
        return Finding(False, f"sources: LISTING_DIR {folder} is no folder")
    if not os.access(folder, os.R_OK | os.X_OK):
        return Finding(False, f"sources: LISTING_DIR {folder} can't be read")
    return Finding(True, f"sources: {folder} is watched")


def _configured(settings: Settings) -> Iterator[tuple[str, str, int]]:
    """Setting, address, and the first HTTP status that is a failure: a base alone may well be no page (404)."""
    for url in settings.listing_urls:
        yield "LISTING_URLS", url, 400
    for name in ("arxiv_api_base", "iclr_data_base", "llm_base_url"):
        if url := getattr(settings, name):
            yield name.upper(), url, 500


async def _addresses(settings: Settings) -> AsyncIterator[Finding]:
    headers = {"User-Agent": user_agent(program_version(), settings.contact_email)}
    async with aiohttp.ClientSession(headers=headers, timeout=_TIMEOUT, trust_env=True) as session:
        for name, url, failure in _configured(settings):
            where = f"sources: {name} {shown(url)}"
            try:
                async with session.get(url) as response:
                    said = f"answers {response.status}"
                    yield Finding(response.status < failure, f"{where} {said}")
            except (aiohttp.ClientError, OSError, TimeoutError) as error:
                yield Finding(False, f"{where} can't be reached ({type(error).__name__})")


# --- Discord --------------------------------------------------------------------------------------------------------


async def _discord(settings: Settings, digests: list[DigestSettings]) -> AsyncIterator[Finding]:
    base = settings.discord_api_base or DISCORD_API
    async with aiohttp.ClientSession(timeout=_TIMEOUT) as session:
        api = Api(session, base, settings.token)
        try:
            application = await api.get("/oauth2/applications/@me")
            user = await api.get("/users/@me")
        except ApiError as error:
            hint = "; copy it again from the developer portal" if error.refused else ""
            yield Finding(False, f"token: {error}{hint}")
            return
        yield Finding(True, f"token: application {application['name']} ({application['id']})")
        for what, link in zip(("a server", "yourself"), install_links(int(application["id"])), strict=True):
            yield Finding(True, f"install for {what}: {link}")
        for digest in digests:
            yield await _channel(api, digest, int(user["id"]))


async def _channel(api: Api, digest: DigestSettings, bot: int) -> Finding:
    """Does the bot have in a digest's channel what it needs?"""
    where = f"digest of the server {digest.guild_id} in channel {digest.channel_id}"
    try:
        guild = await api.get(f"/guilds/{digest.guild_id}")
        channel = await api.get(f"/channels/{digest.channel_id}")
        if "thread_metadata" in channel:  # a thread has the permissions of its channel
            channel = await api.get(f"/channels/{channel['parent_id']}")
        member = await api.get(f"/guilds/{digest.guild_id}/members/{bot}")
        rights = permissions_in(guild, channel, member)
    except ApiError as error:
        return Finding(False, f"{where}: {error}")
    missing = [name for name, bit in PERMISSIONS.items() if not rights & bit]
    return Finding(
        not missing, f"{where}: {'missing ' + ', '.join(missing) if missing else 'all permissions'}"
    )
