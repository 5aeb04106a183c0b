"""Standard output and standard error, whatever they are connected to.

Promises: text that the terminal's encoding can't hold is escaped as JSON escapes it, so a line of JSON stays one; a
closed or full output ends the program without a trace. Leaves to the sub-commands: what is written.
"""

from __future__ import annotations

import codecs
import io
import json
import os
import sys

_ESCAPE = "herald.json-escape"


def prepare() -> None:
    """Make both streams take any text; a stream that was closed from outside swallows it."""
    codecs.register_error(_ESCAPE, _escape)
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_ESCAPE)


def abandon_stdout() -> None:
    """Nobody can take the output any more; what is left must not raise again when the interpreter ends."""
    try:
        number = sys.stdout.fileno()
    except (OSError, ValueError):
        return  # a stream of a test, or one that was closed
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)


def complain(text: str, code: int = 1) -> int:
    """One sentence on stderr; the exit code."""
    sys.stderr.write(f"{text}\n")
    return code


def _nowhere() -> io.TextIOWrapper:
    return open(os.devnull, "w", encoding="utf-8")


def _escape(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end
