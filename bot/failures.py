"""What a person is told when something can't be done.

Promises: an expected refusal is a text of the catalogue; everything else is logged under a short id and shown
as one sentence with that id. Exception text never reaches Discord (rule 8 of the design).
"""

from __future__ import annotations

import logging
import secrets
from datetime import datetime, timedelta
from typing import Any

import discord
from discord import app_commands

from bot.search.service import SearchBusyError, SearchClosedError

log = logging.getLogger(__name__)

EXPIRED = 10062  # Discord: the interaction is unknown, i.e. more than three seconds or fifteen minutes old
ANSWERED = 40060  # Discord: the interaction has been acknowledged already


class RefusalError(Exception):
    """Something expected that can't be done; `key` is a text of the catalogue with its values."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.key = key
        self.values = values


def incident(error: BaseException, where: str) -> str:
    """Log an unexpected error with its trace; the short id under which it stands."""
    number = secrets.token_hex(3)
    log.error("[%s] %s failed: %s", number, where, type(error).__name__, exc_info=error)
    return number


def explain(error: BaseException, where: str) -> tuple[str, dict[str, Any]] | None:
    """The catalogue text for an error, or None when there is nobody left to tell."""
    if (
        isinstance(error, (app_commands.CommandInvokeError, app_commands.TransformerError))
        and error.__cause__
    ):
        return explain(error.__cause__, where)
    match error:
        case RefusalError():
            return error.key, error.values
        case SearchBusyError() | SearchClosedError():
            return "error.busy", {}
        case app_commands.CommandOnCooldown():
            return "error.cooldown", {"when": discord.utils.format_dt(_after(error.retry_after), "R")}
        case app_commands.NoPrivateMessage():
            return "error.server_only", {}
        case app_commands.CheckFailure():
            return "error.not_allowed", {}
        case app_commands.CommandNotFound() | app_commands.CommandSignatureMismatch():
            return "error.unknown_command", {}
        case discord.HTTPException() if error.code == EXPIRED:
            log.info("%s: the interaction had expired", where)
            return None
        case discord.HTTPException() if error.code == ANSWERED:
            log.warning(
                "%s: somebody else answered this interaction; does a second process use this token?", where
            )
            return None
        case _:
            return "error.internal", {"id": incident(error, where)}


def _after(seconds: float) -> datetime:
    return discord.utils.utcnow() + timedelta(seconds=seconds)
