"""What `doctor` asks Discord, and how Discord computes permissions.

Promises: an answer is an object of the API, or one `ApiError` that says where and why. Leaves to `doctor`: the checks.
"""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp

from bot.status import program_version

# View Channel, Send Messages, Send Messages in Threads, Embed Links, Attach Files, Read Message History.
PERMISSIONS = {
    "View Channel": 1 << 10,
    "Send Messages": 1 << 11,
    "Embed Links": 1 << 14,
    "Attach Files": 1 << 15,
    "Read Message History": 1 << 16,
    "Send Messages in Threads": 1 << 38,
}
_ADMINISTRATOR = 1 << 3
_TRIES, _LONGEST_WAIT = 3, 30.0


class ApiError(Exception):
    """No object came; `refused` says that the token isn't accepted."""

    def __init__(self, text: str, *, refused: bool = False) -> None:
        super().__init__(text)
        self.refused = refused


class Api:
    """Reads single objects of Discord's API."""

    def __init__(self, session: aiohttp.ClientSession, base: str, token: str) -> None:
        self._session = session
        self._base = base
        self._headers = {
            "Authorization": f"Bot {token}",
            "User-Agent": f"DiscordBot (iclr-herald, {program_version()})",
        }

    async def get(self, path: str) -> dict[str, Any]:
        """One object.

        Raises:
            ApiError: it isn't there, not for this bot, or Discord can't be asked.
        """
        try:
            return await self._get(path)
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise ApiError(f"{self._base} can't be reached ({type(error).__name__})") from error
        except ValueError as error:
            raise ApiError(f"{self._base} answers {path} with something else than Discord's JSON") from error

    async def _get(self, path: str) -> dict[str, Any]:
        for _ in range(_TRIES):
            async with self._session.get(self._base + path, headers=self._headers) as response:
                if response.status == 429:
                    await asyncio.sleep(min(float(response.headers.get("Retry-After", "1")), _LONGEST_WAIT))
                    continue
                _expect_good(response.status, self._base, path)
                answer = await response.json(content_type=None)
                if not isinstance(answer, dict) or ("id" not in answer and "user" not in answer):
                    raise ValueError("no object of the API")
                return answer
        raise ApiError(f"{self._base} asks to be left alone (429); try again later")


def _expect_good(status: int, base: str, path: str) -> None:
    if status == 401:
        raise ApiError("Discord refuses it", refused=True)
    if status in (403, 404):
        raise ApiError(f"{path} can't be seen ({status})")
    if status >= 400:
        raise ApiError(f"{base} answers {path} with {status}")


def permissions_in(guild: dict[str, Any], channel: dict[str, Any], member: dict[str, Any]) -> int:
    """A member's permissions in a channel, as https://discord.com/developers/docs/topics/permissions computes them."""
    roles = {guild["id"], *member["roles"]}
    rights = 0
    for role in guild["roles"]:
        if role["id"] in roles:
            rights |= int(role["permissions"])
    if rights & _ADMINISTRATOR:
        return (1 << 53) - 1
    overwrites = {item["id"]: item for item in channel.get("permission_overwrites", ())}
    own = str(member["user"]["id"])
    for ids in ((guild["id"],), member["roles"], (own,)):
        found = [overwrites[item] for item in ids if item in overwrites]
        for item in found:
            rights &= ~int(item["deny"])
        for item in found:
            rights |= int(item["allow"])
    return rights
