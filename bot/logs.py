"""Logging: text for people or JSON for machines, and never the token.

Promises: one set-up, in `main()`. Leaves to every module: `logging.getLogger(__name__)`.
"""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime


class _Redacting(logging.Filter):
    """Takes the token out of every line, whoever wrote it."""

    def __init__(self, token: str) -> None:
        super().__init__()
        self._token = token

    def filter(self, record: logging.LogRecord) -> bool:
        if self._token and self._token in record.getMessage():
            record.msg, record.args = record.getMessage().replace(self._token, "[token]"), ()
        return True


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


def start_logging(level: str, style: str, token: str) -> None:
    """Send the log to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(_Redacting(token))
    handler.setFormatter(
        _Json() if style == "json" else logging.Formatter("%(asctime)s %(levelname)-7s %(name)s: %(message)s")
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for noisy in ("apscheduler", "discord", "aiohttp.access"):
        logging.getLogger(noisy).setLevel(max(logging.getLevelName(level), logging.WARNING))
