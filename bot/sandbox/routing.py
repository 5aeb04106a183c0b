"""How a route of the API is written down.

Promises: plain declarations (`Route`) and answers (`Reply`). Leaves serving them to `rest`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.sandbox.call import Call
from bot.sandbox.ratelimit import ORDINARY, Rate


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: JSON `data`, or 204 when there is none."""

    data: object = None
    status: int = 200


Handler = Callable[[Call], Awaitable[Reply]]


@dataclass(frozen=True, slots=True)
class Route:
    """One route.

    Attributes:
        method: HTTP method.
        path: template below ``/api/v10``, with the parameter names of Discord's OpenAPI description.
        handler: what answers.
        rate: its rate limit.
        open: whether it needs no bot token (interaction tokens stand in the path).
    """

    method: str
    path: str
    handler: Handler
    rate: Rate = ORDINARY
    open: bool = False
