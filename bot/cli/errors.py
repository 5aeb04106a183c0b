"""Expected errors of the command line as one sentence, unexpected ones with their trace.

Promises: the operator sees what and where; a bug is never dressed up as a message.
Leaves to the places that raise: the sentence.
"""

from __future__ import annotations

import errno
import logging
import sqlite3
from pathlib import Path

from bot.cli.streams import abandon_stdout, complain
from bot.institutions.ror import RorError
from bot.overrides import OverridesError
from bot.papers.files import ListingError
from storage.database import explain, is_environment
from storage.errors import StorageError

log = logging.getLogger(__name__)

USAGE, BUG = 2, 70  # 70 is EX_SOFTWARE of sysexits.h
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


class UsageError(Exception):
    """The command was called with arguments that don't go together."""


class InputError(Exception):
    """Something that the command was pointed at can't be used: a file, a line, an id, a port."""


def exit_code(error: Exception, database: Path) -> int:
    """Say what went wrong; the exit code.

    Args:
        error: what ended the command.
        database: the database it worked on, to name it where SQLite doesn't.
    """
    code = getattr(error, "code", None)
    # By its name: importing `bot.app` for its type would load the Discord client for every mistyped path.
    if type(error).__name__ == "StartError" and isinstance(code, int):
        return complain(str(error), code)
    if isinstance(error, UsageError):
        return complain(str(error), USAGE)
    if isinstance(error, StorageError | ListingError | RorError | OverridesError | InputError):
        return complain(str(error))
    if isinstance(error, sqlite3.Error) and is_environment(error):
        return complain(str(explain(database, error)))
    if isinstance(error, OSError) and (sentence := _of_system(error)):
        return complain(sentence)
    log.error("This is a bug; please report it with the lines below.", exc_info=error)
    return BUG


def _of_system(error: OSError) -> str | None:
    """What the operating system refused, or None where it doesn't say on which file."""
    if error.filename is not None:
        return f"{error.filename}: {error.strerror}."
    if error.errno in _NO_ROOM:
        abandon_stdout()
        return f"The output can't be written: {error.strerror}."
    return None
