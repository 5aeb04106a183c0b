"""Wrong usage and bad settings: a sentence, an exit code, nothing done."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import SAMPLE, Cli

WRONG = [
    ["nonsense"],
    ["--nonsense"],
    ["search", "a", "--nonsense"],
    ["search", "a", "--lim", "3"],
    ["search", "a", "--limit", "0"],
    ["search", "a", "--limit", "many"],
    ["search", "a", "--limit", "1_0"],
    ["search", "a", "--limit", "9" * 5000],
    ["search"],
    ["search", "a", "--batch", "b"],
    ["institution"],
    ["institution", "a", "--batch", "b"],
    ["import"],
    ["import", str(SAMPLE), "--dry"],
    ["parse"],
    ["parse", "a", "b"],
    ["sandbox", "--port", "x"],
    ["sandbox", "--port", "65536"],
    ["digest", "--guild", "x"],
    ["corrections"],
    ["corrections", "accept"],
    ["corrections", "accept", "-1"],
    ["corrections", "accept", "9223372036854775808"],
    ["institutions"],
    ["backup"],
    ["restore"],
    ["run"],
]


@pytest.mark.parametrize("arguments", WRONG, ids=lambda arguments: " ".join(arguments)[:40])
def test_wrong_usage(cli: Cli, arguments: list[str]) -> None:
    done = cli(*arguments)
    done.said(code=2)
    assert done.err.strip()
    assert "invalid _" not in done.err  # the name of one of our functions
    assert done.out == ""
    assert not cli.database.exists()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("DEFAULT_TIMEZONE", "Mars/Olympus", "no IANA time zone"),
        ("LOG_LEVEL", "LOUD", "LOG_LEVEL"),
        ("OWNER_IDS", "me", "OWNER_IDS"),
        ("DISCORD_API_BASE", "http://discord.example/api", "unencrypted"),
        ("POLL_MINUTES", "0", "POLL_MINUTES"),
    ],
)
def test_a_bad_setting_is_named(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str
) -> None:
    monkeypatch.setenv(name, value)
    cli("status").said(name, said)
    assert not cli.database.exists()
    assert cli("--help").code == 0  # help doesn't need good settings


@pytest.mark.parametrize(
    "content", [b"LOG_LEVEL=LOUD\n", b"\xef\xbb\xbfLOG_LEVEL=LOUD\r\n"], ids=["plain", "BOM"]
)
def test_settings_come_from_the_dotenv_file(cli: Cli, tmp_path: Path, content: bytes) -> None:
    (tmp_path / ".env").write_bytes(content)
    cli("status").said("LOG_LEVEL")


def test_the_environment_goes_before_the_dotenv_file(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text("LOG_LEVEL=LOUD\n", "utf-8")
    monkeypatch.setenv("LOG_LEVEL", "INFO")
    assert cli("status").code == 0


def test_a_dotenv_file_that_is_no_text(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"DISCORD_TOKEN=\xff\xfe")
    cli("status").said(".env")


def test_help_of_every_command(cli: Cli) -> None:
    for command in ("run", "sandbox", "import", "parse", "search", "institution", "digest", "restore"):
        done = cli(command, "--help")
        assert done.code == 0
        assert command in done.out
