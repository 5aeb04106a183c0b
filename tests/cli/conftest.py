"""The command line in the test's own process, or as a process where signals, pipes or rights matter."""

from __future__ import annotations

import asyncio
import ctypes
import json
import logging
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.cli.main import main
from bot.settings import Settings
from storage.database import Database
from storage.digests import DigestStore
from tests.herald_fixtures import SAMPLE, SIDECAR, sample_database
from tests.storage.fixtures import digest_settings

__all__ = ["SAMPLE", "SIDECAR", "Cli", "Outcome", "Start", "sample_database"]

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60  # seconds until a test gives up on a process
Start = Callable[..., "subprocess.Popen[str]"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # noqa: ANN401 - any JSON
        """The output as one JSON value."""
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        """The output as one JSON value a line."""
        return [json.loads(line) for line in self.out.splitlines()]

    def said(self, *words: str, code: int = 1) -> None:
        """It failed with this exit code and one sentence on stderr that has these words in it."""
        assert self.code == code, (self.code, self.err)
        for word in words:
            assert word in self.err
        assert "Traceback" not in self.err
        assert "This is a bug" not in self.err


class Cli:
    """Runs commands on one database."""

    def __init__(self, database: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.database = database
        self._capsys = capsys

    def __call__(self, *arguments: str | Path) -> Outcome:
        """Run a command in this process."""
        self._capsys.readouterr()
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as stop:  # argparse's way out
            code = int(stop.code or 0)
        captured = self._capsys.readouterr()
        return Outcome(code, captured.out, captured.err)


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """No test sees the machine's settings or `.env`; the log goes back to pytest afterwards."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_PATH", str(tmp_path / "data" / "herald.db"))
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Cli:
    """The command line, no database yet."""
    return Cli(tmp_path / "data" / "herald.db", capsys)


@pytest.fixture
def loaded(cli: Cli, sample_database: Path) -> Cli:
    """The command line, the sample listing loaded."""
    cli.database.parent.mkdir()
    shutil.copyfile(sample_database, cli.database)
    return cli


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start `python -m MODULE ARGUMENTS…` as a process; what still runs at the end is killed."""
    running: list[subprocess.Popen[str]] = []

    def begin(
        module: str, *arguments: str | Path, stdin: int = subprocess.DEVNULL, **environment: str
    ) -> subprocess.Popen[str]:
        process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            [sys.executable, "-m", module, *map(str, arguments)],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            preexec_fn=_bound_by_rights,
        )
        running.append(process)
        return process

    yield begin
    for process in running:
        if process.poll() is None:
            process.kill()
        process.communicate()


def set_digest(cli: Cli, guild: int = 7, channel: int = 8) -> None:
    """A digest of a server for which everything loaded is news."""

    async def write() -> None:
        async with Database(cli.database) as database, database.transaction() as transaction:
            wanted = digest_settings(guild_id=guild, channel_id=channel, language="both", since_seq=0)
            await DigestStore(database).save(transaction, wanted)

    asyncio.run(write())


def end(process: subprocess.Popen[str], number: signal.Signals | None = None) -> Outcome:
    """Send a signal, if any, and wait for the process to end."""
    if number is not None:
        process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    return Outcome(process.returncode, out, err)


def _bound_by_rights() -> None:
    """Let the rights of files bind the child even where the tests run as root (Linux: capabilities(7))."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    drop, override, search = 24, 1, 2  # PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
    for capability in (override, search):
        ctypes.CDLL(None).prctl(drop, capability, 0, 0, 0)
