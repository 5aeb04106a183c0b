"""Slash commands and what Discord has of them.

Promises: one GET a scope at start, a PUT only when something differs, and the other scope empty, so that no
command ever stands twice. Leaves to the cogs: the commands.
"""

from __future__ import annotations

import logging
from typing import Any

import discord
from discord import app_commands
from discord.http import Route

from storage.database import Database

log = logging.getLogger(__name__)

_KEYS = (
    "type", "name", "name_localizations", "description", "description_localizations", "options", "choices",
    "required", "autocomplete", "channel_types", "min_value", "max_value", "min_length", "max_length",
    "value", "default_member_permissions", "integration_types", "contexts", "nsfw",
)  # fmt: skip
_PLAIN_DEFAULTS: tuple[Any, ...] = (None, False, "", [], {})


async def sync_commands(
    tree: app_commands.CommandTree[Any], database: Database, application_id: int, dev_guild: int | None
) -> None:
    """Bring Discord's list of commands up to date in the wanted scope and clear the other.

    Args:
        tree: the commands.
        database: remembers which development server was used last.
        application_id: the bot's application.
        dev_guild: the only server to have the commands, or None for everywhere.
    """
    http = tree.client.http
    # Without a type discord.py gives the slash commands and the menus.
    payload = [await _translated(tree, command) for command in tree.get_commands()]
    former = await _former_guild(database, dev_guild)
    if dev_guild is None:
        await _bring_up(
            await _registered(http, application_id, None),
            payload,
            "everywhere",
            lambda body: http.bulk_upsert_global_commands(application_id, payload=body),
        )
    else:
        await _bring_up(
            await _registered(http, application_id, dev_guild),
            payload,
            f"in the server {dev_guild} only",
            lambda body: http.bulk_upsert_guild_commands(application_id, dev_guild, payload=body),
        )
        await _bring_up(
            await _registered(http, application_id, None),
            [],
            "everywhere",
            lambda body: http.bulk_upsert_global_commands(application_id, payload=body),
        )
    if former is not None and former != dev_guild:
        await _clear_former(http, application_id, former)


async def _registered(http: Any, application_id: int, guild: int | None) -> Any:  # noqa: ANN401 - discord.py's HTTP client and JSON
    """What Discord has of a scope. discord.py's own call leaves out the translations, so all would always differ."""
    scope = "" if guild is None else "/guilds/{guild_id}"
    path = f"/applications/{{application_id}}{scope}/commands"
    route = Route("GET", path, application_id=application_id, guild_id=guild)
    return await http.request(route, params={"with_localizations": "true"})


async def _translated(tree: app_commands.CommandTree[Any], command: Any) -> dict[str, Any]:  # noqa: ANN401 - command, group or menu
    if tree.translator is None:
        return dict(command.to_dict(tree))
    return dict(await command.get_translated_payload(tree, tree.translator))


async def _bring_up(there: Any, wanted: list[dict[str, Any]], scope: str, put: Any) -> None:  # noqa: ANN401 - discord.py's JSON types
    if _canonical(there) == _canonical(wanted):
        log.info("commands %s: %d, up to date", scope, len(wanted))
        return
    await put(wanted)
    log.info("commands %s: %d registered (there were %d)", scope, len(wanted), len(there))


async def _clear_former(http: Any, application_id: int, guild: int) -> None:  # noqa: ANN401 - discord.py's HTTP client
    try:
        if await _registered(http, application_id, guild):
            await http.bulk_upsert_guild_commands(application_id, guild, payload=[])
            log.info("commands in the former development server %d: cleared", guild)
    except discord.HTTPException as error:
        log.warning("commands in the former development server %d can't be cleared: %s", guild, error)


async def _former_guild(database: Database, dev_guild: int | None) -> int | None:
    former = await database.value("SELECT value FROM meta WHERE key = 'dev_guild'")
    async with database.transaction() as transaction:
        if dev_guild is None:
            await transaction.execute("DELETE FROM meta WHERE key = 'dev_guild'")
        else:
            await transaction.execute(
                "INSERT OR REPLACE INTO meta (key, value) VALUES ('dev_guild', ?)", (str(dev_guild),)
            )
    return None if former is None else int(former)


def _canonical(commands: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - JSON
    """Commands with only what a program sets, in an order of their own, so that Discord's extras don't count."""
    found = [_trim(command) for command in commands]
    return sorted(found, key=lambda command: (command.get("type", 1), command["name"]))


def _trim(item: dict[str, Any]) -> dict[str, Any]:
    kept = {}
    for key in _KEYS:
        value = item.get(key)
        if key == "type" and value == 1 and "options" not in item:
            continue  # Discord leaves out or fills in the default type of a command
        if key in ("options", "choices") and value:
            value = [_trim(part) for part in value]
        elif key in ("integration_types", "contexts", "channel_types") and value:
            value = sorted(value)
        elif key == "default_member_permissions" and value is not None:
            value = str(value)
        if value not in _PLAIN_DEFAULTS or (key == "default_member_permissions" and value == "0"):
            kept[key] = value
    return kept
