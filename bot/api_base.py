"""Where Discord is: discord.com, or another Discord-compatible server.

Promises: with a base given, REST, the gateway and so the token go to that server only.
Leaves to `settings`: that the base is safe. discord.py keeps both addresses in class attributes, so this is
the one place that sets them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

if TYPE_CHECKING:
    import discord

_OFFICIAL_REST = Route.BASE
_OFFICIAL_GATEWAY = DiscordWebSocket.DEFAULT_GATEWAY


def point_rest_at(base: str) -> None:
    """Send REST calls to a base with its version path; an empty one is discord.com."""
    Route.BASE = base or _OFFICIAL_REST
    DiscordWebSocket.DEFAULT_GATEWAY = _OFFICIAL_GATEWAY


async def point_gateway(client: discord.Client, base: str) -> None:
    """Take the gateway's address from the server itself.

    discord.py asks for it once, but falls back to the official address after an invalidated session.
    """
    if base:
        _, url, _ = await client.http.get_bot_gateway()
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(url)
