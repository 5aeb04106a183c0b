"""What an error of Discord means for the part that met it: pure decisions.

Promises: every exception a send can raise has one verdict; what may have been stored is called uncertain.
Leaves to `worker`: acting on it. The codes are Discord's JSON error codes.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
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
    40067: "tag_required",
}
_CLOSED_DM = {50007: "dm_closed", 50278: "no_mutual_server"}
_NO_PERSON = frozenset({50033, 10013})
_DELETED = 10008  # the message that answers to the nonce was stored and then deleted
_TOO_FAST = 40003  # direct messages opened too fast

SLOW_DOWN = timedelta(seconds=90)
UNAUTHORISED = timedelta(minutes=5)
LOOK_AGAIN = timedelta(seconds=30)


class Verdict(Enum):
    """What to do with a part."""

    AGAIN = "again"
    HOLD = "hold"
    CLOSED_DM = "closed-dm"
    NO_PERSON = "no-person"
    REOPEN_DM = "reopen-dm"
    RENDER_AGAIN = "render-again"
    GONE = "gone"  # it was there, or its thread was; somebody deleted it


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


class NoHistoryError(Exception):
    """An uncertain part can't be looked for: Read Message History is missing."""


class EmptyHistoryError(Exception):
    """The history is empty where it can't be, so its right may just have been taken away."""


class NotAllowedError(Exception):
    """The cache already says that the bot may not write there."""

    def __init__(self, permission: str) -> None:
        """`permission` is discord.py's name of what is missing."""
        super().__init__(permission)
        self.permission = permission


class UnsettledError(Exception):
    """A forum post was asked for a moment ago; it has to have come, or not, before it is looked for."""

    def __init__(self, wait: timedelta) -> None:
        super().__init__()
        self.wait = wait


class ThreadGoneError(Exception):
    """The forum post that an announcement goes on in has been deleted."""


def judge(error: BaseException, *, direct: bool) -> Judgement:
    """What an exception of a send means.

    Args:
        error: what discord.py or the connection raised.
        direct: whether the destination is a person's DM channel.
    """
    if isinstance(error, discord.RateLimited):
        return Judgement(Verdict.AGAIN, "rate_limited", wait=_bounded(error.retry_after))
    if isinstance(error, discord.HTTPException):
        return _judge_answer(error, direct)
    if isinstance(error, aiohttp.ClientConnectorError):
        return Judgement(Verdict.AGAIN, "retrying", "not connected")  # the request never left
    if isinstance(error, (aiohttp.ClientError, asyncio.TimeoutError, OSError)):
        return Judgement(Verdict.AGAIN, "retrying", type(error).__name__, uncertain=True)
    if isinstance(error, (ValueError, TypeError)):
        return Judgement(Verdict.RENDER_AGAIN, "refused", type(error).__name__, uncertain=True)
    return Judgement(Verdict.AGAIN, "retrying", type(error).__name__, uncertain=True)


def judge_unsent(error: BaseException, *, direct: bool) -> Judgement:
    """What an exception before the send means: nothing was stored by this attempt."""
    match error:
        case NoHistoryError():
            return Judgement(Verdict.HOLD, "uncertain", permissions=("read_message_history",))
        case NotAllowedError():
            return Judgement(Verdict.HOLD, "missing_permission", permissions=(error.permission,))
        case EmptyHistoryError():
            return Judgement(Verdict.AGAIN, "retrying", EMPTY, wait=LOOK_AGAIN)
        case UnsettledError():
            return Judgement(Verdict.AGAIN, "retrying", "not settled yet", wait=error.wait)
        case ThreadGoneError():
            return Judgement(Verdict.GONE, "deleted")
        case _:
            return replace(judge(error, direct=direct), uncertain=False)


EMPTY = "empty history"  # how the outbox remembers an `EmptyHistoryError`


def _judge_answer(error: discord.HTTPException, direct: bool) -> Judgement:
    status, code = error.status, error.code
    detail = f"{status}/{code}"
    if status == 429:
        return Judgement(Verdict.AGAIN, "rate_limited", detail, wait=_retry_after(error))
    if status >= 500:
        return Judgement(Verdict.AGAIN, "retrying", detail, uncertain=True)
    if status == 401:
        return Judgement(Verdict.AGAIN, "unauthorised", detail, wait=UNAUTHORISED)
    if status in (403, 404) and code == 0:
        # Discord's own refusals have a code; this is a page of something that stands before it.
        return Judgement(Verdict.AGAIN, "retrying", detail)
    if code == _TOO_FAST:
        return Judgement(Verdict.AGAIN, "rate_limited", detail, wait=SLOW_DOWN)
    if code in _CLOSED_DM:
        return Judgement(Verdict.CLOSED_DM, _CLOSED_DM[code], detail)
    if code in _NO_PERSON:
        return Judgement(Verdict.NO_PERSON, "no_person", detail)
    if code == _DELETED:
        return Judgement(Verdict.GONE, "deleted", detail)
    if direct and code in (50001, 10003):
        return Judgement(Verdict.REOPEN_DM, "no_access", detail)
    if direct and status in (403, 404):
        return Judgement(Verdict.CLOSED_DM, "dm_closed", detail)
    if code in _HELD or status in (403, 404):
        return Judgement(Verdict.HOLD, _HELD.get(code, "no_access"), detail)
    return Judgement(Verdict.RENDER_AGAIN, "refused", detail)


def too_fast(judgement: Judgement) -> bool:
    """Whether DM channels were opened too fast, which concerns all people and not only this one."""
    return judgement.detail.endswith(f"/{_TOO_FAST}")


def _retry_after(error: discord.HTTPException) -> timedelta:
    """Seconds from the header of a 429, which may lack a body in JSON."""
    raw = error.response.headers.get("Retry-After", "5")
    try:
        return _bounded(float(raw))
    except ValueError:
        return timedelta(seconds=5)


def _bounded(seconds: float) -> timedelta:
    """Discord's wait, below the one that the outbox takes for a clock that was set back."""
    return timedelta(seconds=min(max(seconds, 0.0), 3000.0))
