"""A modal filled in by a person.

Promises: required inputs, lengths and choices are checked as Discord's client does; the result is the `data` of a
modal submit. Leaves sending to `human`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.sandbox.form import units
from bot.sandbox.limits import ClientRefusal
from bot.sandbox.limits_components import LABEL, ROW, TEXT_INPUT
from bot.sandbox.model import JsonObject
from bot.sandbox.outcome import Modal


def filled_form(modal: Modal, values: Mapping[str, Any]) -> JsonObject:
    """The `data` of a modal submit.

    Raises:
        ClientRefusal: an unknown input, a required one left empty, or a value out of its bounds.
    """
    known = {part["custom_id"] for part in modal.fields()}
    for name in values:
        if name not in known:
            raise ClientRefusal(f"There is no input {name!r} in this form.")
    parts = [_top(part, values) for part in modal.components]
    return {"custom_id": modal.custom_id, "components": parts}


def _top(part: JsonObject, values: Mapping[str, Any]) -> JsonObject:
    shell = {"type": part["type"], "id": part["id"]}
    if part["type"] == ROW:
        return shell | {"components": [_filled(child, values) for child in part["components"]]}
    if part["type"] == LABEL:
        return shell | {"component": _filled(part["component"], values)}
    return shell


def _filled(part: JsonObject, values: Mapping[str, Any]) -> JsonObject:
    shell = {"type": part["type"], "id": part["id"], "custom_id": part["custom_id"]}
    given = values.get(part["custom_id"])
    if part["type"] == TEXT_INPUT:
        text = str(part.get("value") or "") if given is None else str(given)
        _check_text(part, text)
        return shell | {"value": text}
    chosen = [given] if isinstance(given, str) else list(given or [])
    _check_choice(part, chosen)
    return shell | {"values": chosen}


def _check_text(part: JsonObject, text: str) -> None:
    name = part["custom_id"]
    if not text:
        if part.get("required") is not False:
            raise ClientRefusal(f"The input {name!r} is required.")
        return
    least, most = part.get("min_length") or 0, part.get("max_length") or 4000
    if not least <= units(text) <= most:
        raise ClientRefusal(f"The input {name!r} takes {least} to {most} characters.")


def _check_choice(part: JsonObject, chosen: list[Any]) -> None:
    name = part["custom_id"]
    required = part.get("required") is not False
    least = part.get("min_values")
    least = (1 if least is None else least) if required else 0
    if not least <= len(chosen) <= (part.get("max_values") or 1):
        raise ClientRefusal(f"The input {name!r} takes {least} to {part.get('max_values') or 1} values.")
    known = [option["value"] for option in part.get("options") or []]
    for value in chosen:
        if known and value not in known:
            raise ClientRefusal(f"{value!r} is no option of {name!r}.")
