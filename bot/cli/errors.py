"""Expected errors of the command line as one sentence, unexpected ones with their trace.

Promises: the operator sees what and where; a bug is never dressed up as a message.
"""

from __future__ import annotations

import logging

from bot.institutions.ror import RorError
from bot.papers.files import ListingError
from storage.errors import StorageError

log = logging.getLogger(__name__)


def exit_code(error: Exception) -> int:
    """Say what went wrong; the exit code."""
    from bot.cli.main import complain

    code = getattr(error, "code", None)
    if type(error).__name__ == "StartError" and isinstance(code, int):
        return complain(str(error), code)
    if isinstance(error, (StorageError, ListingError, RorError, UsageError)):
        return complain(str(error), 2 if isinstance(error, UsageError) else 1)
    log.error("This is a bug; please report it with the lines below.", exc_info=error)
    return 70  # EX_SOFTWARE of sysexits.h


class UsageError(Exception):
    """The command was called with arguments that don't go together."""
