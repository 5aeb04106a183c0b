"""Arguments of the command line, and which function takes them.

Promises: 0 = done, 1 = something named on stderr is wrong, 2 = wrong usage, 3 and up as `bot.app` says.
Leaves to the other modules of this package: each sub-command. Those are imported when they are called, so that
an import of a listing doesn't pay for the Discord client.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from bot.cli import streams
from bot.cli.streams import complain
from bot.logs import start_logging
from bot.settings import Settings, SettingsError, load_settings

Command = Callable[[argparse.Namespace, Settings], Coroutine[None, None, int]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one sub-command; the exit code."""
    streams.prepare()
    given = _parser().parse_args(arguments)
    try:
        settings = load_settings()
    except SettingsError as error:
        return complain(str(error))
    except (UnicodeDecodeError, OSError) as error:
        return complain(f".env in {Path.cwd()} can't be read: {error}.")
    start_logging(settings)
    return _run(given, settings)


def _run(given: argparse.Namespace, settings: Settings) -> int:
    try:
        command = _command(given, settings)
        with contextlib.nullcontext() if command.__name__ in _DRAINING else _interruptible():
            code = asyncio.run(command(given, settings))
        sys.stdout.flush()
    except KeyboardInterrupt:
        return complain("Interrupted; what was done so far is kept.", 130)
    except BrokenPipeError:
        streams.abandon_stdout()  # the reader of our output has gone, e.g. `| head`
        return 0
    except Exception as error:
        from bot.cli.errors import exit_code

        return exit_code(error, settings.database_path)
    return code


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Ctrl+C stops at once.

    asyncio's own handler only asks the running task to stop, which a long parse doesn't notice until it is done.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


# These two end by themselves on a signal, after draining.
_DRAINING = ("run", "sandbox")

# Sub-command → module of this package and function in it.
_COMMANDS = {
    "run": ("running", "run"),
    "sandbox": ("trying", "sandbox"),
    "import": ("loading", "import_listings"),
    "parse": ("loading", "parse"),
    "institutions": ("loading", "institutions"),
    "search": ("looking", "search"),
    "institution": ("looking", "institution"),
    "corrections": ("correcting", "corrections"),
    "digest": ("operating", "digest"),
    "status": ("operating", "status"),
    "doctor": ("operating", "doctor"),
    "backup": ("copying", "backup"),
    "restore": ("copying", "restore"),
}


def _command(given: argparse.Namespace, settings: Settings) -> Command:
    """The function of a sub-command, imported now."""
    given.command = given.command or ("run" if settings.token else "sandbox")
    module, function = _COMMANDS[given.command]
    command: Command = getattr(importlib.import_module(f"bot.cli.{module}"), function)
    return command


class _Parser(argparse.ArgumentParser):
    """Options are spelt out: a shortened one would change its meaning when a longer one is added."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - argparse passes its own on
        super().__init__(**settings | {"allow_abbrev": False})


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m bot",
        description="ICLR Herald. Without a command: `run` when DISCORD_TOKEN is set, else `sandbox`.",
    )
    parser.set_defaults(
        port=8080, listing=[], browser=True, reset=False, command=None
    )  # for `sandbox` as the default
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands.add_parser("run", help="the bot on Discord")
    _add_sandbox(commands)
    _add_loading(commands)
    _add_looking(commands)
    _add_operating(commands)
    return parser


def _add_sandbox(commands: argparse._SubParsersAction[_Parser]) -> None:
    sandbox = commands.add_parser("sandbox", help="a local Discord with the bot in it: no token, no network")
    sandbox.add_argument("--port", type=_port, default=8080, help="port on 127.0.0.1 (8080)")
    sandbox.add_argument(
        "--listing", type=Path, action="append", default=[], help="load this instead of the sample"
    )
    sandbox.add_argument("--no-browser", dest="browser", action="store_false", help="don't open a browser")
    sandbox.add_argument("--reset", action="store_true", help="start with an empty sandbox")


def _add_loading(commands: argparse._SubParsersAction[_Parser]) -> None:
    load = commands.add_parser("import", help="load listings into the database")
    load.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    load.add_argument("--english", type=Path, metavar="SIDECAR.json", help="English summaries by title")
    load.add_argument("--dry-run", action="store_true", help="say what would change, change nothing")
    load.add_argument("--json", action="store_true", help="the load report as JSON")
    load.add_argument("--source", choices=("listing", "iclr", "arxiv"), help=argparse.SUPPRESS)
    parse = commands.add_parser("parse", help="print a listing's records, one JSON a line")
    parse.add_argument("path", type=Path, metavar="PATH")
    institutions = commands.add_parser("institutions", help="the directory of institutions")
    actions = institutions.add_subparsers(dest="action", required=True, metavar="ACTION")
    add = actions.add_parser("import", help="add a ROR dump (.json, .zip, .jsonl.gz)")
    add.add_argument("path", type=Path, metavar="FILE")
    unresolved = actions.add_parser("unresolved", help="affiliations that no organisation was found for")
    unresolved.add_argument("--json", action="store_true", help="as a JSON list")


def _add_looking(commands: argparse._SubParsersAction[_Parser]) -> None:
    search = commands.add_parser("search", help="look papers up, as the slash commands do")
    search.add_argument("query", nargs="?", type=_text, metavar="QUERY")
    search.add_argument("--batch", metavar="FILE.jsonl", help='{"query": …} a line; - is stdin')
    search.add_argument("--limit", type=_limit, default=5, help="at most so many results (5)")
    search.add_argument("--json", action="store_true", help="the results as one line of JSON")
    institution = commands.add_parser("institution", help="look an institution up")
    institution.add_argument(
        "query", nargs="?", type=_text, metavar="QUERY", help="name, alias, acronym or affiliation"
    )
    institution.add_argument("--batch", metavar="FILE.jsonl", help='{"query": …} a line; - is stdin')
    institution.add_argument("--json", action="store_true", help="the answer as one line of JSON")


def _add_operating(commands: argparse._SubParsersAction[_Parser]) -> None:
    digest = commands.add_parser("digest", help="what the next digest would say")
    digest.add_argument("--guild", type=_id, metavar="ID", help="one server only")
    digest.add_argument("--now", action="store_true", help="queue it; the running bot sends it")
    status = commands.add_parser("status", help="papers, loads, digests, outbox")
    status.add_argument("--json", action="store_true", help="as one JSON object")
    commands.add_parser("doctor", help="check token, database, permissions and sources")
    corrections = commands.add_parser("corrections", help="readers' reports of wrong data")
    actions = corrections.add_subparsers(dest="action", required=True, metavar="ACTION")
    listed = actions.add_parser("list", help="open reports")
    listed.add_argument("--json", action="store_true", help="one JSON object a line")
    for action in ("accept", "reject"):
        decide = actions.add_parser(action, help=f"{action} a report")
        decide.add_argument("id", type=_id, metavar="ID")
        if action == "accept":
            decide.add_argument(
                "--set",
                action="append",
                default=[],
                metavar="FIELD=VALUE",
                help="what is right, e.g. title_zh=…",
            )
    for name, what in (
        ("backup", "write a consistent copy of the database"),
        ("restore", "bring a copy back"),
    ):
        commands.add_parser(name, help=what).add_argument("file", type=Path, metavar="FILE")


def _number(text: str, least: int, most: int, what: str) -> int:
    if not (text.isascii() and text.isdecimal() and least <= int(text[:20]) <= most):
        raise argparse.ArgumentTypeError(f"{text!r} is no {what} ({least} to {most})")
    return int(text)


def _port(text: str) -> int:
    return _number(text, 0, 65535, "port")


def _limit(text: str) -> int:
    return _number(text, 1, 1000, "limit")


def _id(text: str) -> int:
    return _number(text, 1, (1 << 63) - 1, "id")


def _text(argument: str) -> str:
    """An argument as UTF-8, which is what it is even where the locale says something else."""
    return os.fsencode(argument).decode("utf-8", errors="surrogateescape")
