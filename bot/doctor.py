"""Checks what a bot needs before it runs: settings, database, token, permissions, sources.

Promises: one finding a check, each a sentence; nothing is written or sent. Leaves to the operator: mending.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import aiohttp

from bot.settings import DISCORD_API, Settings
from storage.database import Database
from storage.digests import DigestStore
from storage.errors import StorageError
from storage.papers import PaperStore

# View Channel, Send Messages, Send Messages in Threads, Embed Links, Attach Files, Read Message History.
PERMISSIONS = {
    "View Channel": 1 << 10,
    "Send Messages": 1 << 11,
    "Embed Links": 1 << 14,
    "Attach Files": 1 << 15,
    "Read Message History": 1 << 16,
    "Send Messages in Threads": 1 << 38,
}
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
    async for finding in _database(settings):
        yield finding
    yield _folder(settings)
    if not settings.token:
        yield Finding(False, "token: DISCORD_TOKEN is empty (`python -m bot sandbox` needs none)")
        return
    async for finding in _discord(settings):
        yield finding


async def _database(settings: Settings) -> AsyncIterator[Finding]:
    try:
        async with Database(settings.database_path) as database:
            papers = await PaperStore(database).count()
            schema = await database.schema_version()
    except StorageError as error:
        yield Finding(False, f"database: {error}")
        return
    yield Finding(True, f"database: {settings.database_path}, schema {schema}")
    hint = "" if papers else "; `python -m bot import FILE` loads some"
    yield Finding(papers > 0, f"papers: {papers}{hint}")


def _folder(settings: Settings) -> Finding:
    folder = settings.listing_dir
    if folder is None:
        return Finding(True, "sources: no LISTING_DIR; listings come by `import` only")
    if not folder.is_dir():
        return Finding(False, f"sources: LISTING_DIR {folder} is no folder")
    return Finding(True, f"sources: {folder} is watched")


async def _discord(settings: Settings) -> AsyncIterator[Finding]:
    base = settings.discord_api_base or DISCORD_API
    headers = {"Authorization": f"Bot {settings.token}", "User-Agent": "DiscordBot (iclr-herald, 0.1)"}
    async with aiohttp.ClientSession(headers=headers, timeout=_TIMEOUT) as session:
        try:
            application = await _get(session, f"{base}/oauth2/applications/@me")
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            yield Finding(False, f"token: {base} can't be reached ({type(error).__name__})")
            return
        if application is None:
            yield Finding(False, "token: Discord refuses it; copy it again from the developer portal")
            return
        yield Finding(True, f"token: application {application['name']} ({application['id']})")
        for what, link in zip(("a server", "yourself"), install_links(int(application["id"])), strict=True):
            yield Finding(True, f"install for {what}: {link}")
        async for finding in _channels(settings, session, base, int(application["id"])):
            yield finding


async def _channels(
    settings: Settings, session: aiohttp.ClientSession, base: str, application: int
) -> AsyncIterator[Finding]:
    """For every digest: does the bot have in its channel what it needs?"""
    try:
        async with Database(settings.database_path) as database:
            digests = await DigestStore(database).everyone()
    except StorageError:
        return  # told by the check of the database
    for digest in digests:
        where = f"digest of the server {digest.guild_id} in channel {digest.channel_id}"
        guild = await _get(session, f"{base}/guilds/{digest.guild_id}")
        channel = await _get(session, f"{base}/channels/{digest.channel_id}")
        member = await _get(session, f"{base}/guilds/{digest.guild_id}/members/{application}")
        if guild is None or channel is None or member is None:
            yield Finding(False, f"{where}: the server or the channel can't be seen")
            continue
        rights = permissions_in(guild, channel, member)
        missing = [name for name, bit in PERMISSIONS.items() if not rights & bit]
        yield Finding(
            not missing, f"{where}: {'missing ' + ', '.join(missing) if missing else 'all permissions'}"
        )


def permissions_in(guild: dict[str, Any], channel: dict[str, Any], member: dict[str, Any]) -> int:
    """A member's permissions in a channel, as https://discord.com/developers/docs/topics/permissions computes them."""
    roles = {guild["id"], *member["roles"]}
    rights = 0
    for role in guild["roles"]:
        if role["id"] in roles:
            rights |= int(role["permissions"])
    if rights & 1 << 3:  # Administrator
        return (1 << 53) - 1
    overwrites = {item["id"]: item for item in channel.get("permission_overwrites", ())}
    own = str(member["user"]["id"])
    for ids in ((guild["id"],), member["roles"], (own,)):
        found = [overwrites[item] for item in ids if item in overwrites]
        for item in found:
            rights &= ~int(item["deny"])
        for item in found:
            rights |= int(item["allow"])
    return rights


async def _get(session: aiohttp.ClientSession, url: str) -> dict[str, Any] | None:
    """One object of the API; None when it is refused or unknown."""
    async with session.get(url) as response:
        if response.status in (401, 403, 404):
            return None
        response.raise_for_status()
        return dict(await response.json(content_type=None))
