"""Keeping a world in a JSON file.

Promises: written atomically (a new file renamed over the old one), readable only by its owner; people, servers,
channels, messages and commands survive. Nonces, interactions and ephemeral messages don't.
"""

from __future__ import annotations

import base64
import copy
import dataclasses
import json
import os
from datetime import datetime
from pathlib import Path
from typing import Any

from bot.sandbox.model import (
    Application,
    Attachment,
    Channel,
    ChannelType,
    Command,
    Guild,
    JsonObject,
    Member,
    Message,
    Overwrite,
    Role,
    User,
)
from bot.sandbox.world import World

VERSION = 1


class StateError(Exception):
    """A state file that can't be read; the text says which and why."""


def snapshot(world: World) -> JsonObject:
    """The world as plain data; quick, so that it can be taken on the event loop.

    Messages are the bulk and are only copied; `write` takes them apart in its thread. Their parts are replaced on an
    edit, never changed in place, so the copies stay what they are.
    """
    return {
        "version": VERSION,
        "sequence": world.new_id.sequence,
        "users": [dataclasses.asdict(user) for user in world.users.values()],
        "applications": [dataclasses.asdict(app) for app in world.applications.values()],
        "guilds": [dataclasses.asdict(guild) for guild in world.guilds.values()],
        "channels": [dataclasses.asdict(channel) for channel in world.channels.values()],
        "messages": [copy.copy(m) for m in world.messages.everything() if not m.ephemeral and not m.loading],
        "commands": [dataclasses.asdict(command) for command in world.commands.everything()],
    }


def write(path: Path, data: JsonObject) -> None:
    """Write a snapshot atomically."""
    text = json.dumps(data, default=_plain, ensure_ascii=False)
    beside = path.with_name(path.name + ".new")
    path.parent.mkdir(parents=True, exist_ok=True)
    # Private messages and a token stand in it: only the owner may read, from the first byte on.
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass") as file:
        file.write(text)
        file.flush()
        # Without it a power cut after the rename may leave an empty file under the good name.
        os.fsync(file.fileno())
    beside.replace(path)


def _plain(value: object) -> Any:  # noqa: ANN401 - the signature of json's hook
    if isinstance(value, Message):
        return dataclasses.asdict(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, set):
        return sorted(value)
    raise TypeError(f"a {type(value).__name__} can't be kept")


def read(path: Path, world: World) -> None:
    """Fill a fresh world from a file.

    Raises:
        StateError: the file is damaged or of another version.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8", errors="surrogatepass"))
        if data["version"] != VERSION:
            raise StateError(f"{path} was written by another version of the sandbox; start it with --reset")
        _fill(world, data)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise StateError(
            f"{path} can't be read as the sandbox's state ({error}); start it with --reset"
        ) from error


def _fill(world: World, data: JsonObject) -> None:
    world.new_id.sequence = data["sequence"]
    for item in data["users"]:
        world.users[item["id"]] = User(**{**item, "installed": set(item["installed"])})
    for item in data["applications"]:
        world.applications[item["id"]] = Application(**item)
    for item in data["guilds"]:
        world.guilds[item["id"]] = _guild(item)
    for item in data["channels"]:
        world.channels[item["id"]] = _channel(item)
    for item in data["messages"]:
        world.messages.store(_message(item))
    for item in data["commands"]:
        world.commands.restore(Command(**item))


def _guild(item: JsonObject) -> Guild:
    roles = {int(key): Role(**role) for key, role in item["roles"].items()}
    members = {int(key): _member(member) for key, member in item["members"].items()}
    return Guild(**{**item, "roles": roles, "members": members, "commands_for": set(item["commands_for"])})


def _member(item: JsonObject) -> Member:
    return Member(**{**item, "joined_at": datetime.fromisoformat(item["joined_at"])})


def _channel(item: JsonObject) -> Channel:
    return Channel(
        **{
            **item,
            "type": ChannelType(item["type"]),
            "overwrites": {int(key): Overwrite(**value) for key, value in item["overwrites"].items()},
            "recipients": tuple(item["recipients"]),
            "archived_at": _moment(item["archived_at"]),
            "thread_members": set(item["thread_members"]),
        }
    )


def _message(item: JsonObject) -> Message:
    files = [Attachment(**{**part, "data": base64.b64decode(part["data"])}) for part in item["attachments"]]
    created, edited = datetime.fromisoformat(item["created_at"]), _moment(item["edited_at"])
    return Message(**{**item, "attachments": files, "created_at": created, "edited_at": edited})


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
