"""Pipes, encodings and closed streams."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import PATIENCE, ROOT, SAMPLE, Cli, Start, end


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"LC_ALL": "C"},
    ],
    ids=lambda environment: " ".join(environment.values()),
)
def test_chinese_in_any_encoding(loaded: Cli, start: Start, environment: dict[str, str]) -> None:
    done = end(start("bot", "search", "知识感知", "--json", **environment))
    assert done.code == 0, done.err
    answer = json.loads(done.out)
    assert answer["query"] == "知识感知"
    assert "知识感知" in answer["results"][0]["title_zh"]


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """Run a line of shell in which $BOT is the command line."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "BOT": f"{sys.executable} -m bot"}
    return subprocess.run(  # noqa: S603 - pipes and redirections are what is tested
        ["bash", "-c", line],  # noqa: S607
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )


def test_a_reader_that_leaves_early(tmp_path: Path) -> None:
    listing = tmp_path / "long.txt"  # longer than a pipe holds
    listing.write_text("\n\n".join([SAMPLE.read_text("utf-8")] * 20), "utf-8")
    done = shell(f"$BOT parse {listing} | head -1 | wc -l; echo ${{PIPESTATUS[0]}}")
    assert done.stdout.split() == ["1", "0"]
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("redirection", "code", "said"),
    [(">/dev/full", 1, "The output can't be written"), (">&-", 0, ""), ("2>&- >/dev/null", 0, "")],
)
def test_outputs_that_take_nothing(redirection: str, code: int, said: str) -> None:
    done = shell(f"$BOT parse {SAMPLE} {redirection}")
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_progress_bar_for_a_person_only(tmp_path: Path, start: Start) -> None:
    listing = tmp_path / "many.txt"
    one = (
        "Paper number {0} about nothing else\n作者：Ann Author{0}\nAI总结：第{0}篇。\nComments: ICLR 2026\n\n"
    )
    listing.write_text("".join(one.format(number) for number in range(1200)), "utf-8")
    piped = end(start("bot", "import", listing))
    assert (piped.code, piped.err) == (0, "")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, "-m", "bot", "import", str(listing)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    )
    os.close(theirs)
    assert process.wait(timeout=PATIENCE) == 0
    shown = os.read(ours, 65536).decode()
    os.close(ours)
    assert "[##############################] 1,200 of 1,200 papers" in shown
