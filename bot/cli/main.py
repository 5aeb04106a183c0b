"""Arguments of the command line, and which function takes them.

Promises: 0 = done, 1 = something named on stderr is wrong, 2 = wrong usage, 3 and up as `bot.app` says.
Leaves to the other modules of this package: each sub-command. Those are imported when they are called, so that
an import of a listing doesn't pay for the Discord client.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import sys
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path

from bot.logs import start_logging
from bot.settings import Settings, SettingsError, load_settings

Command = Callable[[argparse.Namespace, Settings], Coroutine[None, None, int]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one sub-command; the exit code."""
    given = _parser().parse_args(arguments)
    try:
        settings = load_settings()
    except SettingsError as error:
        return complain(str(error))
    start_logging(settings.log_level, settings.log_format, settings.token)
    try:
        return asyncio.run(_command(given, settings)(given, settings))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has gone, e.g. `| head`
        return 0
    except Exception as error:
        from bot.cli.errors import exit_code

        return exit_code(error)


def complain(text: str, code: int = 1) -> int:
    """One sentence on stderr; the exit code."""
    sys.stderr.write(f"{text}\n")
    return code


# Sub-command → module of this package and function in it.
_COMMANDS = {
    "run": ("running", "run"),
    "sandbox": ("running", "sandbox"),
    "import": ("loading", "import_listings"),
    "parse": ("loading", "parse"),
    "institutions": ("loading", "institutions"),
    "search": ("looking", "search"),
    "institution": ("looking", "institution"),
    "corrections": ("operating", "corrections"),
    "digest": ("operating", "digest"),
    "status": ("operating", "status"),
    "doctor": ("operating", "doctor"),
    "backup": ("operating", "backup"),
    "restore": ("operating", "restore"),
}


def _command(given: argparse.Namespace, settings: Settings) -> Command:
    """The function of a sub-command, imported now."""
    given.command = given.command or ("run" if settings.token else "sandbox")
    module, function = _COMMANDS[given.command]
    command: Command = getattr(importlib.import_module(f"bot.cli.{module}"), function)
    return command


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bot",
        description="ICLR Herald. Without a command: `run` when DISCORD_TOKEN is set, else `sandbox`.",
        allow_abbrev=False,
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


def _add_sandbox(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    sandbox = commands.add_parser("sandbox", help="a local Discord with the bot in it: no token, no network")
    sandbox.add_argument("--port", type=_port, default=8080, help="port on 127.0.0.1 (8080)")
    sandbox.add_argument(
        "--listing", type=Path, action="append", default=[], help="load this instead of the sample"
    )
    sandbox.add_argument("--no-browser", dest="browser", action="store_false", help="don't open a browser")
    sandbox.add_argument("--reset", action="store_true", help="start with an empty sandbox")


def _add_loading(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    load = commands.add_parser("import", help="load listings into the database")
    load.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    load.add_argument("--english", type=Path, metavar="SIDECAR.json", help="English summaries by title")
    load.add_argument("--dry-run", action="store_true", help="say what would change, change nothing")
    load.add_argument("--json", action="store_true", help="the load report as JSON")
    load.add_argument(
        "--source", choices=("listing", "iclr", "arxiv"), help=argparse.SUPPRESS
    )
    parse = commands.add_parser("parse", help="print a listing's records, one JSON a line")
    parse.add_argument("path", type=Path, metavar="PATH")
    institutions = commands.add_parser("institutions", help="the directory of institutions")
    actions = institutions.add_subparsers(dest="action", required=True, metavar="ACTION")
    add = actions.add_parser("import", help="add a ROR dump (.json, .zip, .jsonl.gz)")
    add.add_argument("path", type=Path, metavar="FILE")
    unresolved = actions.add_parser("unresolved", help="affiliations that no organisation was found for")
    unresolved.add_argument("--json", action="store_true")


def _add_looking(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    search = commands.add_parser("search", help="look papers up, as the slash commands do")
    search.add_argument("query", nargs="?", metavar="QUERY")
    search.add_argument("--batch", metavar="FILE.jsonl", help='{"query": …} a line; - is stdin')
    search.add_argument("--limit", type=_limit, default=5)
    search.add_argument("--json", action="store_true")
    institution = commands.add_parser("institution", help="look an institution up")
    institution.add_argument("query", nargs="?", metavar="QUERY", help="name, alias, acronym or affiliation")
    institution.add_argument("--batch", metavar="FILE.jsonl", help='{"query": …} a line; - is stdin')
    institution.add_argument("--json", action="store_true")


def _add_operating(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    digest = commands.add_parser("digest", help="what the next digest would say")
    digest.add_argument("--guild", type=int, metavar="ID", help="one server only")
    digest.add_argument("--now", action="store_true", help="queue it; the running bot sends it")
    status = commands.add_parser("status", help="papers, loads, digests, outbox")
    status.add_argument("--json", action="store_true")
    commands.add_parser("doctor", help="check token, database, permissions and sources")
    corrections = commands.add_parser("corrections", help="readers' reports of wrong data")
    actions = corrections.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("list", help="open reports").add_argument("--json", action="store_true")
    for action in ("accept", "reject"):
        actions.add_parser(action, help=f"{action} a report").add_argument("id", type=int, metavar="ID")
    for name, what in (
        ("backup", "write a consistent copy of the database"),
        ("restore", "bring a copy back"),
    ):
        commands.add_parser(name, help=what).add_argument("file", type=Path, metavar="FILE")


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError(f"{text} is no port (0–65535)")
    return port


def _limit(text: str) -> int:
    limit = int(text)
    if not 1 <= limit <= 1000:
        raise argparse.ArgumentTypeError(f"{text} is no limit (1–1000)")
    return limit
