"""Discord's errors as discord.py raises them."""

from __future__ import annotations

from dataclasses import dataclass, field

import discord


@dataclass
class Response:
    """What discord.py's exceptions look at of an HTTP answer."""

    status: int
    reason: str = "x"
    headers: dict[str, str] = field(default_factory=dict)


def refused(status: int, code: int = 0, **headers: str) -> discord.HTTPException:
    """An error of Discord."""
    kind: type[discord.HTTPException] = {403: discord.Forbidden, 404: discord.NotFound}.get(
        status, discord.HTTPException
    )
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return kind(Response(status, headers=named), {"code": code, "message": "no"})
