"""`run` and `sandbox` as processes: signals, exit codes, and what they tell at the start."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing

import pytest

from bot.settings import load_settings
from tests.cli.conftest import PATIENCE, SAMPLE, Cli, Start, end, set_digest

TOKEN = "right.token.here"


@pytest.fixture
def discord(start: Start) -> Iterator[str]:
    """The base address of a sandbox's API in a process of its own."""
    process = start("bot.sandbox", "--token", TOKEN)
    assert process.stdout is not None
    yield json.loads(process.stdout.readline())["api_base"]
    end(process, signal.SIGTERM)


def until(process: subprocess.Popen[str], words: str) -> str:
    """Read stderr until a line has these words; everything read."""
    assert process.stderr is not None
    read = ""
    for line in process.stderr:
        read += line
        if words in line:
            return read
    raise AssertionError(f"the process ended without saying {words!r}: {read}")


def test_first_run(discord: str, start: Start, cli: Cli) -> None:
    """It tells both install links and that it knows no papers, keeps others away, and ends with 0."""
    settings = {"DISCORD_TOKEN": TOKEN, "DISCORD_API_BASE": discord}
    bot = start("bot", **settings)  # no command: `run`, since there is a token
    said = until(bot, "holds no papers yet")
    assert "scope=bot+applications.commands&permissions=274878024704" in said
    assert "integration_type=1&scope=applications.commands" in said
    assert "python -m bot import FILE" in said
    assert TOKEN not in said
    second = end(start("bot", "run", **settings))
    second.said(str(cli.database), "Another bot", code=4)
    end(start("bot", "restore", SAMPLE)).said(str(cli.database), "stop it first", code=4)
    done = end(bot, signal.SIGTERM)
    assert done.code == 0, done.err
    assert "Traceback" not in done.err


def test_a_token_that_discord_refuses(discord: str, start: Start, cli: Cli) -> None:
    settings = {"DISCORD_TOKEN": "wrong.token.here", "DISCORD_API_BASE": discord}
    refused = end(start("bot", "run", **settings))
    refused.said("token", "developer portal", code=3)
    assert "wrong.token.here" not in refused.err
    doctor = end(start("bot", "doctor", **settings))
    assert doctor.code == 1
    assert "WRONG token: Discord refuses it" in doctor.out


def test_a_server_that_cannot_be_reached(start: Start) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        base = f"http://127.0.0.1:{server.getsockname()[1]}/api/v10"
    settings = {"DISCORD_TOKEN": TOKEN, "DISCORD_API_BASE": base}
    end(start("bot", "run", **settings)).said(base, "can't be reached", code=5)


def test_a_start_that_hangs_ends_on_a_signal(start: Start) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        server.settimeout(PATIENCE)
        base = f"http://127.0.0.1:{server.getsockname()[1]}/api/v10"
        bot = start("bot", "run", DISCORD_TOKEN=TOKEN, DISCORD_API_BASE=base)
        connection, _ = server.accept()  # it logs in now, and is never answered
        with closing(connection):
            done = end(bot, signal.SIGTERM)
    assert (done.code, done.err) == (0, "")


def test_doctor_of_a_working_bot(discord: str, start: Start, loaded: Cli) -> None:
    from bot.sandbox.demo import DIGEST_ID, GUILD_ID, STAFF_ID

    settings = {"DISCORD_TOKEN": TOKEN, "DISCORD_API_BASE": discord}
    set_digest(loaded, GUILD_ID, DIGEST_ID)
    good = end(start("bot", "doctor", **settings))
    assert good.code == 0, good.out
    assert all(line.startswith("ok ") for line in good.out.splitlines())
    for words in ("database", "papers: ", "token: application", "install for a server", "all permissions"):
        assert words in good.out
    set_digest(loaded, GUILD_ID, STAFF_ID)  # where the bot may not look
    bad = end(start("bot", "doctor", **settings))
    assert bad.code == 1
    assert "missing View Channel" in bad.out or "can't be seen" in bad.out


def test_doctor_of_an_empty_place(cli: Cli) -> None:
    done = cli("doctor")
    assert done.code == 1  # no token
    assert "doesn't exist yet" in done.out
    assert "WRONG token: DISCORD_TOKEN is empty" in done.out
    assert not cli.database.parent.exists()


def test_doctor_of_sources(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LISTING_DIR", "nowhere")
    monkeypatch.setenv("LISTING_URLS", "http://user:secret@127.0.0.1:1/list?key=secret")
    said = cli("doctor").out
    assert "WRONG sources: LISTING_DIR nowhere is no folder" in said
    assert "WRONG sources: LISTING_URLS http://127.0.0.1:1/list can't be reached" in said
    assert "secret" not in said


def test_the_sandbox_keeps_to_itself(start: Start, loaded: Cli) -> None:
    before = loaded.database.read_bytes()
    sandbox = start("bot", "sandbox", "--port", "0", "--no-browser", DISCORD_TOKEN="a.real.token")
    until(sandbox, "ready as")
    folder = loaded.database.with_name("sandbox")
    assert (folder / "herald.db").exists()
    end(start("bot", "sandbox", "--reset", "--port", "0")).said(str(folder), code=4)
    assert (folder / "herald.db").exists()
    done = end(sandbox, signal.SIGINT)
    assert done.code == 0, done.err
    assert "http://127.0.0.1:" in done.out
    assert loaded.database.read_bytes() == before
    assert not loaded.database.with_name("herald.db.run-lock").exists()


def test_no_sandbox_where_it_cannot_be(cli: Cli, start: Start) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port = server.getsockname()[1]
        cli("sandbox", "--port", str(port)).said(str(port), "taken")
    cli("sandbox", "--port", "0", "--listing", "nowhere.txt").said("nowhere.txt")
    state = cli.database.with_name("sandbox") / "discord.json"
    state.write_text("{", "utf-8")
    cli("sandbox", "--port", "0").said(str(state), "--reset")


def test_the_sandbox_takes_no_setting_that_reaches_outside() -> None:
    from bot.cli.trying import sandbox_settings
    from bot.sandbox.demo import TOKEN as SANDBOX_TOKEN

    settings = load_settings(
        _env_file=None,
        discord_token="a.real.token",
        discord_api_base="https://discord.example/api/v10",
        listing_urls="https://site.example/list",
        arxiv_api_base="https://arxiv.example/api",
        llm_base_url="https://llm.example/v1",
        llm_model="m",
        log_level="WARNING",
        database_path="somewhere/sandbox",
    )
    own = sandbox_settings(settings)
    assert own.token == SANDBOX_TOKEN
    assert own.log_level == "WARNING"
    assert own.database_path != settings.database_path
    assert own.database_path.parent.parent == settings.database_path.parent
    assert own.database_path.parent != settings.database_path
    assert not any((own.discord_api_base, own.listing_urls, own.arxiv_api_base, own.llm_base_url))


def test_interrupting_a_command(start: Start, loaded: Cli) -> None:
    """Ctrl+C ends at once with a sentence, whatever the command is waiting for."""
    command = start("bot", "search", "--batch", "-", stdin=subprocess.PIPE)
    assert command.stdin is not None
    assert command.stdout is not None
    command.stdin.write('{"query": "logquant"}\n')
    command.stdin.flush()
    assert json.loads(command.stdout.readline())["results"]
    command.send_signal(signal.SIGINT)
    assert command.wait(timeout=PATIENCE) == 130
    assert "Interrupted" in (said := end(command).err)
    assert "Traceback" not in said
