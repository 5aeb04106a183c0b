from __future__ import annotations

import asyncio
import io
import json
import signal
import sys
from datetime import timedelta
from pathlib import Path

import aiohttp
import pytest

from bot.clock import ManualClock, SystemClock
from bot.sandbox.demo import Demo, furnish
from bot.sandbox.persist import StateError
from bot.sandbox.ratelimit import INVALID_MOST, Rate
from bot.sandbox.server import LISTING_BYTES, Sandbox
from tests.sandbox.wire_client import Rest

_WIDE = Rate(1000, 1.0)
ROOT = Path(__file__).resolve().parents[2]


# ---- who may talk to it -----------------------------------------------------------------------------------


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:80"},
        {"Host": "127.0.0.1:1"},
        {"Host": "[::1"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
    ],
)
async def test_foreign_hosts_and_origins_are_refused_on_http_and_websocket(
    sandbox: Sandbox, demo: Demo, headers: dict[str, str]
) -> None:
    assert (await Rest(sandbox)("GET", "/users/@me", headers=headers)).status == 403
    async with aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await session.ws_connect(f"{sandbox.url}/gateway?v=10", headers=headers)
        assert refused.value.status == 403


@pytest.mark.asyncio
async def test_its_own_names_are_welcome(sandbox: Sandbox, demo: Demo) -> None:
    for name in ("localhost", "127.0.0.1"):
        headers = {"Host": f"{name}:{sandbox.port}", "Origin": f"http://{name}:{sandbox.port}"}
        assert (await Rest(sandbox)("GET", "/users/@me", headers=headers)).status == 200


def test_it_listens_on_the_loopback_only() -> None:
    with pytest.raises(ValueError, match="loopback"):
        Sandbox(host="0.0.0.0")  # noqa: S104 - refused, that is the point


@pytest.mark.asyncio
async def test_a_body_without_end_is_refused(sandbox: Sandbox, demo: Demo) -> None:
    path = f"/channels/{demo.general.id}/messages"
    answer = await Rest(sandbox)("POST", path, data=io.BytesIO(bytes(27 * 1024 * 1024)))
    assert (answer.status, answer.code) == (413, 40005)


@pytest.mark.asyncio
async def test_a_taken_port_raises(sandbox: Sandbox) -> None:
    second = Sandbox(port=sandbox.port)
    with pytest.raises(OSError, match=str(sandbox.port)):
        await second.start()
    await second.aclose()


@pytest.mark.asyncio
async def test_attachments_are_never_a_page(sandbox: Sandbox, demo: Demo) -> None:
    human = sandbox.human(demo.reader)
    message = human.send(demo.general, "", [human.attach("x.html", b"<script>", "text/html")])
    url = sandbox.world.messages.json(message)["attachments"][0]["url"]
    async with aiohttp.ClientSession() as session, session.get(url) as answer:
        assert answer.headers["Content-Disposition"] == "attachment"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert await answer.read() == b"<script>"
    async with aiohttp.ClientSession() as session, session.get(url[:-1]) as answer:
        assert answer.status == 404


# ---- rate limits ------------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_the_sixth_message_in_five_seconds_is_too_fast(demo: Demo, clock: ManualClock) -> None:
    async with Sandbox(clock=clock) as sandbox:
        demo = furnish(sandbox.world)
        rest = Rest(sandbox)
        answers = [await rest.send(demo.general.id, content="x") for _ in range(6)]
        assert [answer.status for answer in answers] == [200] * 5 + [429]
        assert [answer.headers["X-RateLimit-Remaining"] for answer in answers] == [
            "4",
            "3",
            "2",
            "1",
            "0",
            "0",
        ]
        assert {answer.headers["X-RateLimit-Limit"] for answer in answers} == {"5"}
        assert len({answer.headers["X-RateLimit-Bucket"] for answer in answers}) == 1
        last = answers[-1]
        assert last.data["global"] is False
        assert 0 < last.data["retry_after"] <= 5
        assert int(last.headers["Retry-After"]) >= last.data["retry_after"]
        assert last.headers["X-RateLimit-Scope"] == "user"
        assert (await rest.send(demo.digest.id, content="another bucket")).status == 200
        assert sandbox.limiter.invalid == 1


@pytest.mark.asyncio
async def test_the_fifty_first_request_in_a_second_is_globally_too_fast(clock: ManualClock) -> None:
    async with Sandbox(clock=clock) as sandbox:
        demo = furnish(sandbox.world)
        for _ in range(50):
            sandbox.limiter.ask(str(demo.app.id), "GET /any", "", _WIDE)
        answer = await Rest(sandbox)("GET", "/users/@me")
        assert (answer.status, answer.data["global"]) == (429, True)
        assert answer.headers["X-RateLimit-Global"] == "true"


@pytest.mark.asyncio
async def test_ten_thousand_invalid_requests_ban_the_address(sandbox: Sandbox, demo: Demo) -> None:
    for _ in range(INVALID_MOST - 1):
        sandbox.limiter.note_invalid()
    assert (await Rest(sandbox)("GET", "/users/@me")).status == 200
    assert (await Rest(sandbox, "wrong")("GET", "/users/@me")).status == 401
    banned = await Rest(sandbox)("GET", "/users/@me")
    assert banned.status == 429
    assert "Via" not in banned.headers


# ---- what stays -------------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_the_world_survives_a_restart(tmp_path: Path, clock: ManualClock) -> None:
    path = tmp_path / "state" / "world.json"
    async with Sandbox(clock=clock, state_path=path, rate_limits=False) as sandbox:
        demo = furnish(sandbox.world)
        rest = Rest(sandbox)
        sent = await rest.send(demo.general.id, content="kept", embeds=[{"title": "t"}])
        command = {"name": "paper", "description": "d"}
        made = await rest("PUT", f"/applications/{demo.app.id}/commands", [command])
        sandbox.human(demo.reader).send_dm_allowed(False)
        post = {"name": "Digest", "message": {"content": "x"}}
        await rest("POST", f"/channels/{demo.forum.id}/threads", post)
    assert path.stat().st_mode & 0o077 == 0
    async with Sandbox(clock=clock, state_path=path, rate_limits=False) as sandbox:
        demo = furnish(sandbox.world)
        rest = Rest(sandbox)
        assert not demo.reader.dm_allowed
        history = await rest("GET", f"/channels/{demo.general.id}/messages")
        assert history.data == [sent.data]
        commands = await rest("GET", f"/applications/{demo.app.id}/commands?with_localizations=1")
        assert commands.data == made.data
        active = await rest("GET", f"/guilds/{demo.guild.id}/threads/active")
        assert [thread["name"] for thread in active.data["threads"]] == ["Digest"]
        again = await rest.send(demo.general.id, content="new id")
        assert again.data["id"] != sent.data["id"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"version": 99}', '{"version": 1}', '{"version": 1, "sequence": 0, "users": 5}']
)
def test_a_damaged_state_file_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "world.json"
    path.write_text(text)
    with pytest.raises(StateError, match=r"world\.json"):
        Sandbox(state_path=path)


@pytest.mark.asyncio
async def test_the_clock_is_skipped_when_it_can_be(sandbox: Sandbox, clock: ManualClock) -> None:
    before = clock.now()
    sandbox.skip(timedelta(hours=3))
    assert clock.now() - before == timedelta(hours=3)
    assert sandbox.world.events.recent[-1].name == "SANDBOX_CLOCK"
    with pytest.raises(ValueError, match="clock"):
        Sandbox(clock=SystemClock()).skip(timedelta(hours=1))


def test_a_dropped_listing_is_complete_and_stays_in_its_folder(tmp_path: Path) -> None:
    sandbox = Sandbox(listing_dir=tmp_path / "in")
    target = sandbox.drop_listing("../../ICLR 2026.txt", "论文".encode())
    assert target == tmp_path / "in" / "ICLR 2026.txt"
    assert target.read_text(encoding="utf-8") == "论文"
    assert [path.name for path in (tmp_path / "in").iterdir()] == ["ICLR 2026.txt"]
    with pytest.raises(ValueError, match="larger"):
        sandbox.drop_listing("big.txt", bytes(LISTING_BYTES + 1))
    with pytest.raises(ValueError, match="folder"):
        Sandbox().drop_listing("x.txt", b"")


@pytest.mark.asyncio
async def test_it_runs_as_its_own_process_and_saves_at_the_end(tmp_path: Path) -> None:
    state = tmp_path / "world.json"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot.sandbox", "--state", str(state), stdout=asyncio.subprocess.PIPE, cwd=ROOT
    )
    assert process.stdout is not None
    address = json.loads(await asyncio.wait_for(process.stdout.readline(), 30))
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"{address['api_base']}/gateway") as answer,
    ):
        assert (await answer.json())["url"] == address["url"].replace("http", "ws") + "/gateway"
    process.send_signal(signal.SIGTERM)
    assert await asyncio.wait_for(process.wait(), 30) == 0
    assert json.loads(state.read_text())["guilds"][0]["name"] == "Paper Club"
