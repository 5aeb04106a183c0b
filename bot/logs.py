"""Logging: text for people or JSON for machines, and never a secret.

Promises: one set-up, in `main()`. Leaves to every module: `logging.getLogger(__name__)`.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from pydantic import SecretStr

from bot.settings import Settings


class _Redacting(logging.Formatter):
    """Takes secrets out of every finished line, traces included, whoever wrote it."""

    def __init__(self, formatter: logging.Formatter, secrets: Iterable[str]) -> None:
        super().__init__()
        self._formatter = formatter
        self._secrets = tuple(secrets)

    def format(self, record: logging.LogRecord) -> str:
        line = self._formatter.format(record)
        for secret in self._secrets:
            line = line.replace(secret, "[secret]")
        return line


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def start_logging(settings: Settings) -> None:
    """Send the log to stderr, as the settings want it, without the settings' secrets."""
    handler = logging.StreamHandler(sys.stderr)
    text = logging.Formatter("%(asctime)s %(levelname)-7s %(name)s: %(message)s")
    handler.setFormatter(_Redacting(_Json() if settings.log_format == "json" else text, _secrets(settings)))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.log_level)
    for noisy in ("apscheduler", "discord", "aiohttp.access", "aiosqlite", "asyncio"):
        logging.getLogger(noisy).setLevel(max(root.level, logging.WARNING))


def _secrets(settings: Settings) -> Iterator[str]:
    for name in type(settings).model_fields:
        value = getattr(settings, name)
        if isinstance(value, SecretStr) and (secret := value.get_secret_value().strip()):
            yield secret
