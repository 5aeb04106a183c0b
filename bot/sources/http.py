"""Fetching one address politely, into a file.

Promises: bounded size and time; redirects only on the same host; what the server said about changes is asked back
(ETag, Last-Modified); every failure is one sentence without query or credentials. Leaves to the sources: what to ask.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import IO

import aiohttp
from yarl import URL

from bot.clock import Clock

REDIRECTS = 3
# A server's wish to be left alone is followed up to here.
LONGEST_WAIT = timedelta(days=1)
_CHUNK = 1 << 16
_GONE = (404, 410)
_BUSY = (429, 503)


class FetchError(Exception):
    """Nothing usable came; the text says from where and why."""


class MissingError(FetchError):
    """The server has no such page (404, 410)."""


class BusyError(FetchError):
    """The server asks to be left alone (429, 503).

    Attributes:
        wait: for how long, where it says so.
    """

    def __init__(self, text: str, wait: timedelta | None) -> None:
        super().__init__(text)
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Validators:
    """What a server said by which to ask whether a page has changed."""

    etag: str | None = None
    last_modified: str | None = None

    def headers(self) -> dict[str, str]:
        """The conditional headers (RFC 9110, 13.1)."""
        found = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in found.items() if value}


@dataclass(frozen=True, slots=True)
class Fetched:
    """One page in a file; `changed` is False (and the file absent) when the server says it is as before."""

    file: Path
    changed: bool
    validators: Validators
    digest: str
    size: int


@dataclass(frozen=True, slots=True)
class Limits:
    """What one page may cost: bytes after decompression, seconds in all."""

    size: int = 32 * 1024 * 1024
    seconds: float = 120.0


def user_agent(version: str, contact: str) -> str:
    """Who asks, and whom to write to about it."""
    return f"iclr-herald/{version} ({f'mailto:{contact}' if contact else 'a Discord bot'})"


def shown(url: URL | str) -> str:
    """An address fit to be shown: no query, no credentials, no fragment."""
    return str(URL(url).with_query(None).with_fragment(None).with_user(None))


class Fetcher:
    """Fetches with one session, which its owner opens and closes."""

    def __init__(self, session: aiohttp.ClientSession, *, clock: Clock, agent: str) -> None:
        self._session = session
        self._clock = clock
        self._agent = agent

    async def get(
        self,
        url: URL,
        file: Path,
        *,
        accept: Sequence[str],
        limits: Limits,
        known: Validators | None = None,
    ) -> Fetched:
        """Fetch a page into a file.

        Args:
            url: http or https.
            file: where to write the body; it must not exist.
            accept: the content types that are taken; a server that names none is believed.
            limits: how much of it, and for how long.
            known: what the server said the last time.

        Raises:
            MissingError, BusyError, FetchError: as their names say.
        """
        headers = {"User-Agent": self._agent, "Accept": ", ".join((*accept, "*/*;q=0.1"))}
        headers |= known.headers() if known else {}
        try:
            async with asyncio.timeout(limits.seconds):
                return await self._follow(url, file, headers, accept, limits)
        except TimeoutError:
            raise FetchError(f"{shown(url)} took longer than {limits.seconds:g} seconds") from None
        except aiohttp.ClientPayloadError:
            raise FetchError(f"{shown(url)}: the answer ended early or is damaged") from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise FetchError(f"{shown(url)} can't be reached ({_reason(error)})") from None

    async def _follow(
        self, url: URL, file: Path, headers: Mapping[str, str], accept: Sequence[str], limits: Limits
    ) -> Fetched:
        for _ in range(REDIRECTS + 1):
            async with self._session.get(url, headers=headers, allow_redirects=False) as response:
                if response.status not in (301, 302, 303, 307, 308):
                    return await self._take(response, file, accept, limits)
                url = _target(url, response.headers.get("Location", ""))
        raise FetchError(f"{shown(url)} redirects more than {REDIRECTS} times")

    async def _take(
        self, response: aiohttp.ClientResponse, file: Path, accept: Sequence[str], limits: Limits
    ) -> Fetched:
        where = shown(response.url)
        if response.status == 304:
            return Fetched(file, False, Validators(), "", 0)
        if response.status in _GONE:
            raise MissingError(f"{where} doesn't exist ({response.status})")
        if response.status in _BUSY:
            wait = retry_after(response.headers.get("Retry-After"), self._clock.now())
            raise BusyError(f"{where} is busy ({response.status})", wait)
        if response.status != 200:
            raise FetchError(f"{where} answers {response.status}")
        kind = response.content_type if "Content-Type" in response.headers else ""
        if kind and not any(
            kind == item or (item.endswith("/*") and kind.startswith(item[:-1])) for item in accept
        ):
            raise FetchError(f"{where} sends {kind[:80]}, not {' or '.join(accept)}")
        if (response.content_length or 0) > limits.size:
            raise FetchError(f"{where} is larger than {limits.size >> 20} MiB")
        digest, size = await _save(response, file, limits.size, where)
        validators = Validators(
            _header(response, "ETag"),
            _header(response, "Last-Modified"),
        )
        return Fetched(file, True, validators, digest, size)


async def _save(response: aiohttp.ClientResponse, file: Path, limit: int, where: str) -> tuple[str, int]:
    """Write the body, decompressed, piece by piece; its digest and size."""
    total, size = hashlib.sha256(), 0
    handle: IO[bytes] = await asyncio.to_thread(file.open, "xb")
    try:
        async for piece in response.content.iter_chunked(_CHUNK):
            size += len(piece)
            if size > limit:
                raise FetchError(f"{where} is larger than {limit >> 20} MiB")
            total.update(piece)
            await asyncio.to_thread(handle.write, piece)
    finally:
        await asyncio.to_thread(handle.close)
    return total.hexdigest(), size


def _target(url: URL, location: str) -> URL:
    """Where a redirect leads, if it stays on the host and doesn't fall back to plain http."""
    try:
        target = url.join(URL(location))
    except ValueError:
        target = URL()
    same = (target.host, target.scheme) == (url.host, url.scheme) and target.port == url.port
    upgraded = target.host == url.host and (url.scheme, target.scheme) == ("http", "https")
    if not location or not (same or upgraded):
        raise FetchError(f"{shown(url)} redirects to another host ({(target.host or location)[:80]})")
    return target


def retry_after(value: str | None, now: datetime) -> timedelta | None:
    """How long a `Retry-After` header asks to wait (RFC 9110, 10.2.3: seconds or a date); None without one."""
    if value is None:
        return None
    value = value.strip()
    if value.isdecimal() and value.isascii():
        return min(timedelta(seconds=int(value[:9])), LONGEST_WAIT)
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(timedelta(), min(moment - now, LONGEST_WAIT))


def _header(response: aiohttp.ClientResponse, name: str) -> str | None:
    value = response.headers.get(name)
    return value if value and len(value) <= 500 else None


def _reason(error: Exception) -> str:
    if isinstance(error, aiohttp.ClientConnectorError):
        return error.os_error.strerror or type(error).__name__
    return getattr(error, "strerror", None) or type(error).__name__
