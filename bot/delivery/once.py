"""Requests that must not be repeated behind our back.

Creating a forum post takes no nonce, and discord.py repeats a request by itself after most answers of 5xx and some
broken connections, so one announcement could open five posts.
Promises: such an answer is raised at once. Leaves to `worker`: looking for the post before trying again.
"""

from __future__ import annotations

import re

import aiohttp

_WITHOUT_NONCE = re.compile(r"/channels/\d+/threads$")


class NotRepeatedError(aiohttp.ClientError):
    """The answer was lost or a 5xx; whether the request took effect is unknown."""


def forbid_repeats(trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
    """Make a client's trace raise where discord.py would repeat the creation of a post."""

    async def on_end(
        _session: aiohttp.ClientSession, _context: object, end: aiohttp.TraceRequestEndParams
    ) -> None:
        if end.response.status >= 500 and _concerns(end.method, end.url.path):
            end.response.close()
            raise NotRepeatedError(f"answered with {end.response.status}")

    async def on_exception(
        _session: aiohttp.ClientSession, _context: object, broken: aiohttp.TraceRequestExceptionParams
    ) -> None:
        if isinstance(broken.exception, OSError) and _concerns(broken.method, broken.url.path):
            raise NotRepeatedError(type(broken.exception).__name__) from broken.exception

    trace.on_request_end.append(on_end)
    trace.on_request_exception.append(on_exception)
    return trace


def _concerns(method: str, path: str) -> bool:
    return method == "POST" and _WITHOUT_NONCE.search(path) is not None
