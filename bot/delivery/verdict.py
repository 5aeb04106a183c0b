"""What an error of Discord means for the part that met it: pure decisions.

Promises: every exception a send can raise has one verdict; what may have been stored is called uncertain.
Leaves to `worker`: acting on it. The codes are Discord's JSON error codes.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum

import aiohttp
import discord

# Where a destination exists but may not be written to: somebody has to change something. The values are
# texts of the catalogue under `reason`.
_HELD = {
    50001: "no_access",
    50013: "no_permission",
    10003: "channel_gone",
    50083: "thread_locked",
    160005: "thread_locked",
    50024: "channel_kind",
    50008: "channel_kind",
}
_CLOSED_DM = {50007: "dm_closed", 50278: "no_mutual_server"}
_NO_PERSON = frozenset({50033, 10013})
_DELETED = 10008  # the message that answers to the nonce was stored and then deleted
_TOO_FAST = 40003  # direct messages opened too fast

SLOW_DOWN = timedelta(seconds=90)


class Verdict(Enum):
    """What to do with a part."""

    AGAIN = "again"
    HOLD = "hold"
    CLOSED_DM = "closed-dm"
    NO_PERSON = "no-person"
    REOPEN_DM = "reopen-dm"
    RENDER_AGAIN = "render-again"
    STORED = "stored"  # it was there; somebody deleted it


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with its reason.

    Attributes:
        verdict: what to do.
        key: the text of the catalogue under `reason` that says why, for people.
        detail: what the log and the operator see besides.
        uncertain: whether this attempt may have been stored.
        wait: Discord's own word on when to come back.
        permissions: keys of the catalogue under `permission` of what is missing.
    """

    verdict: Verdict
    key: str
    detail: str = ""
    uncertain: bool = False
    wait: timedelta | None = None
    permissions: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The key and the detail, as the outbox keeps it."""
        return " ".join((self.key, *self.permissions, self.detail)).strip()


def judge(error: BaseException, *, direct: bool) -> Judgement:
    """What an exception of a send means.

    Args:
        error: what discord.py or the connection raised.
        direct: whether the destination is a person's DM channel.
    """
    if isinstance(error, discord.RateLimited):
        return Judgement(Verdict.AGAIN, "rate_limited", wait=timedelta(seconds=error.retry_after))
    if isinstance(error, discord.HTTPException):
        return _judge_answer(error, direct)
    if isinstance(error, aiohttp.ClientConnectorError):
        return Judgement(Verdict.AGAIN, "retrying", "not connected")  # the request never left
    if isinstance(error, (aiohttp.ClientError, asyncio.TimeoutError, OSError)):
        return Judgement(Verdict.AGAIN, "retrying", type(error).__name__, uncertain=True)
    if isinstance(error, (ValueError, TypeError)):
        return Judgement(Verdict.RENDER_AGAIN, "refused", type(error).__name__)
    return Judgement(Verdict.AGAIN, "retrying", type(error).__name__, uncertain=True)


def _judge_answer(error: discord.HTTPException, direct: bool) -> Judgement:
    status, code = error.status, error.code
    detail = f"{status}/{code}"
    if status == 429:
        return Judgement(Verdict.AGAIN, "rate_limited", detail, wait=_retry_after(error))
    if status >= 500:
        return Judgement(Verdict.AGAIN, "retrying", detail, uncertain=True)
    if status == 401:
        return Judgement(Verdict.AGAIN, "unauthorised", detail)
    if code == _TOO_FAST:
        return Judgement(Verdict.AGAIN, "rate_limited", detail, wait=SLOW_DOWN)
    if code in _CLOSED_DM:
        return Judgement(Verdict.CLOSED_DM, _CLOSED_DM[code], detail)
    if code in _NO_PERSON:
        return Judgement(Verdict.NO_PERSON, "no_person", detail)
    if code == _DELETED:
        return Judgement(Verdict.STORED, "deleted", detail)
    if direct and code in (50001, 10003):
        return Judgement(Verdict.REOPEN_DM, "no_access", detail)
    if code in _HELD or status in (403, 404):
        return Judgement(Verdict.HOLD, _HELD.get(code, "no_access"), detail)
    return Judgement(Verdict.RENDER_AGAIN, "refused", detail)


def _retry_after(error: discord.HTTPException) -> timedelta:
    """Seconds from the header of a 429, which may lack a body in JSON."""
    raw = error.response.headers.get("Retry-After", "5")
    try:
        return timedelta(seconds=min(float(raw), 3600.0))
    except ValueError:
        return timedelta(seconds=5)
