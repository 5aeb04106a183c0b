"""The page's inspector: the bot's last requests to the API and what they were answered.

Promises: the newest requests, tokens cut out. Leaves showing them to the page's script.
"""

from __future__ import annotations

import itertools
import json
import re
from collections import deque
from collections.abc import Callable

from aiohttp import web

from bot.sandbox.model import JsonObject

_API = "/api/v10/"
_KEPT = 200
# Interaction tokens are long; ids have at most 20 digits.
_TOKEN = re.compile(r"(?<=/)[A-Za-z0-9_\-]{40,}(?=/|$)")

Listener = Callable[[JsonObject], None]


class RequestLog:
    """Remembers the last requests of bots and tells whoever listens."""

    def __init__(self) -> None:
        self.recent: deque[JsonObject] = deque(maxlen=_KEPT)
        self._listeners: list[Listener] = []
        self._numbers = itertools.count(1)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Hear every request from now on; call what is returned to stop."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def note(self, request: web.Request, response: web.StreamResponse) -> None:
        """Take down one answered request; an aiohttp `on_response_prepare` signal handler."""
        if not request.path.startswith(_API):
            return
        code, message = _refusal(response)
        entry: JsonObject = {
            "number": next(self._numbers),
            "method": request.method,
            "path": _TOKEN.sub("…", request.path.removeprefix(_API[:-1])),
            "status": response.status,
            "code": code,
            "message": message,
            "remaining": response.headers.get("X-RateLimit-Remaining"),
            "limit": response.headers.get("X-RateLimit-Limit"),
        }
        self.recent.append(entry)
        for listener in tuple(self._listeners):
            listener(entry)


def _refusal(response: web.StreamResponse) -> tuple[int | None, str | None]:
    """Discord's error code and sentence in the body of a refused request; (None, None) when there are none."""
    if (
        response.status < 400
        or not isinstance(response, web.Response)
        or not isinstance(response.body, bytes)
    ):
        return None, None
    try:
        body = json.loads(response.body)
    except ValueError:
        return None, response.body[:200].decode(errors="replace")
    if not isinstance(body, dict):
        return None, None
    sentence = str(body.get("message", ""))
    if errors := body.get("errors"):
        sentence += f": {json.dumps(errors, ensure_ascii=False)[:400]}"
    return body.get("code"), sentence
