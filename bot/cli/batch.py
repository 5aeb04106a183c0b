"""Files of `{"query": …}` lines, for `search --batch` and `institution --batch`.

Promises: one line is read at a time, also from a pipe; what can't be read is named with file and line.
Leaves to `looking`: the answers.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from bot.cli.errors import InputError

LINE_LIMIT = 1024 * 1024  # bytes; no query is as long, and a file without line ends must not fill the memory


@contextmanager
def open_queries(name: str) -> Iterator[Iterator[str]]:
    """The queries of a file, or of stdin for `-`.

    Raises:
        InputError: the file can't be opened; while iterating: a line can't be read.
    """
    if name == "-":
        if sys.stdin is None:
            raise InputError("stdin is closed; there is nothing to read the queries from.")
        yield _read(sys.stdin.buffer, "stdin")
        return
    with _open(name) as file:
        yield _read(file, name)


def _open(name: str) -> BinaryIO:
    try:
        return open(name, "rb")
    except OSError as error:
        raise InputError(f"{name}: {error.strerror}.") from error


def _read(file: BinaryIO, name: str) -> Iterator[str]:
    number = 0
    while line := _next_line(file, name):
        number += 1
        if len(line) > LINE_LIMIT:
            raise InputError(f"{name}, line {number}: longer than {LINE_LIMIT // 1024} KiB.")
        try:
            text = line.decode("utf-8").removeprefix("\ufeff").strip()
        except UnicodeDecodeError as error:
            raise InputError(f"{name}, line {number}: no UTF-8 text.") from error
        if text:
            yield _query(text, name, number)


def _next_line(file: BinaryIO, name: str) -> bytes:
    try:
        return file.readline(LINE_LIMIT + 1)
    except OSError as error:
        raise InputError(f"{name}: {error.strerror}.") from error


def _query(line: str, name: str, number: int) -> str:
    try:
        query = json.loads(line)["query"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f'{name}, line {number}: not of the form {{"query": "…"}}.') from error
    if not isinstance(query, str):
        raise InputError(f"{name}, line {number}: the query is no text.")
    return query
