"""Components as Discord gives them back: numbered, with defaults filled in and files resolved.

Promises: what comes in is never changed; the copies carry an `id` each. Leaves refusing to `limits_components`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bot.sandbox.model import JsonObject

_SELECT: JsonObject = {"min_values": 1, "max_values": 1}
_DEFAULTS: dict[int, JsonObject] = {
    **dict.fromkeys((3, 5, 6, 7, 8), _SELECT),
    11: {"description": None, "spoiler": False},
    13: {"spoiler": False},
    14: {"spacing": 1, "divider": True},
    17: {"accent_color": None, "spoiler": False},
}
_NESTED = ("accessory", "component")
_SCHEME = "attachment://"


def flat(components: list[JsonObject]) -> list[JsonObject]:
    """Every component, nested ones included, in reading order."""
    found: list[JsonObject] = []
    for part in components:
        children = list(part.get("components") or [])
        children += [part[slot] for slot in _NESTED if isinstance(part.get(slot), dict)]
        found += [part, *flat(children)]
    return found


def numbered(components: list[JsonObject]) -> list[JsonObject]:
    """The components with an `id` each, counting from 1, given ones kept, and Discord's defaults."""
    taken = {part["id"] for part in flat(components) if part.get("id")}
    following = iter(number for number in range(1, 10_000) if number not in taken)
    return [_number(part, following) for part in components]


def _number(part: JsonObject, following: Iterator[int]) -> JsonObject:
    defaults = _DEFAULTS.get(part["type"], {})
    result = {**defaults, **part, "id": part.get("id") or next(following)}
    if isinstance(part.get("components"), list):
        result["components"] = [_number(child, following) for child in part["components"]]
    for slot in _NESTED:
        if isinstance(part.get(slot), dict):
            result[slot] = _number(part[slot], following)
    return result


def with_files(components: list[JsonObject], files: Mapping[str, JsonObject]) -> list[JsonObject]:
    """The components with ``attachment://name`` replaced by the address of the file of that name.

    Args:
        components: as sent.
        files: attachment objects by file name.
    """
    return [_resolved(part, files) for part in components]


def _resolved(part: JsonObject, files: Mapping[str, JsonObject]) -> JsonObject:
    result = dict(part)
    for slot in ("media", "file"):
        if isinstance(part.get(slot), dict):
            result[slot] = _media(part[slot], files)
    if part.get("type") == 13 and isinstance(part.get("file"), dict):
        found = files.get(str(part["file"].get("url", "")).removeprefix(_SCHEME), {})
        result |= {"name": found.get("filename", ""), "size": found.get("size", 0)}
    for slot in ("components", "items"):
        if isinstance(part.get(slot), list):
            result[slot] = [_resolved(child, files) for child in part[slot]]
    if isinstance(part.get("items"), list):
        result["items"] = [{"description": None, "spoiler": False, **item} for item in result["items"]]
    if isinstance(part.get("accessory"), dict):
        result["accessory"] = _resolved(part["accessory"], files)
    return result


def _media(media: Mapping[str, Any], files: Mapping[str, JsonObject]) -> JsonObject:
    url = str(media.get("url", ""))
    found = files.get(url.removeprefix(_SCHEME)) if url.startswith(_SCHEME) else None
    address = found["url"] if found else url
    return {"id": found["id"] if found else "0", "url": address, "proxy_url": address}
