"""Whom a message pings.

Promises: Discord's rule ("Allowed Mentions Object"): what the text mentions, as far as `allowed_mentions` lets it;
left out it lets everything, and @everyone needs the right to it. Embeds never ping.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from bot.sandbox.model import JsonObject

_USER = re.compile(r"<@!?(\d{1,20})>")
_ROLE = re.compile(r"<@&(\d{1,20})>")
_EVERYONE = re.compile(r"@(everyone|here)\b")
EVERYTHING: JsonObject = {"parse": ["users", "roles", "everyone"]}


@dataclass(frozen=True, slots=True)
class Mentions:
    """The users and roles that are pinged, and whether everyone is."""

    users: list[int] = field(default_factory=list)
    roles: list[int] = field(default_factory=list)
    everyone: bool = False


def mentioned(texts: Iterable[str], allowed: JsonObject | None, *, may_everyone: bool) -> Mentions:
    """Read the mentions out of a message's texts.

    Args:
        texts: content and text displays.
        allowed: the body's `allowed_mentions`, already checked; None when it was left out.
        may_everyone: whether the author holds Mention Everyone there.
    """
    rules = EVERYTHING if allowed is None else allowed
    parse = rules.get("parse") or []
    text = "\n".join(texts)
    users = _numbers(_USER, text)
    roles = _numbers(_ROLE, text)
    everyone = may_everyone and "everyone" in parse and bool(_EVERYONE.search(text))
    return Mentions(
        [n for n in users if "users" in parse or n in _listed(rules, "users")],
        [n for n in roles if "roles" in parse or n in _listed(rules, "roles")],
        everyone,
    )


def _numbers(pattern: re.Pattern[str], text: str) -> list[int]:
    return list(dict.fromkeys(int(found) for found in pattern.findall(text)))


def _listed(rules: JsonObject, name: str) -> set[int]:
    return {int(number) for number in rules.get(name) or []}
