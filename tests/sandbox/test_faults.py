from __future__ import annotations

import asyncio

import aiohttp
import discord
import pytest

from bot.sandbox.demo import Demo
from bot.sandbox.faults import Action, When
from bot.sandbox.server import Sandbox
from tests.sandbox.wire_client import Rest
from tests.sandbox_fixtures import Bench

POST = "^/channels/[0-9]+/messages$"


def channel_of(bench: Bench) -> discord.TextChannel:
    channel = bench.client.get_channel(bench.demo.general.id)
    assert isinstance(channel, discord.TextChannel)
    return channel


def stored(bench: Bench) -> list[str]:
    return [message.content for message in bench.admin.messages(bench.demo.general)]


@pytest.mark.asyncio
@pytest.mark.parametrize(("when", "kept"), [(When.BEFORE, []), (When.AFTER, ["x"])])
async def test_a_cut_connection_raises_and_may_have_stored_the_message(
    bench: Bench, when: When, kept: list[str]
) -> None:
    bench.sandbox.faults.add(Action.CUT, when=when, method="POST", path=POST)
    with pytest.raises(aiohttp.ClientError):
        await channel_of(bench).send("x", nonce="n")
    assert stored(bench) == kept
    await channel_of(bench).send("x", nonce="n")
    assert stored(bench) == ["x"]


@pytest.mark.asyncio
@pytest.mark.parametrize(("when", "kept"), [(When.BEFORE, []), (When.AFTER, ["x"])])
async def test_503_is_raised_at_once(bench: Bench, when: When, kept: list[str]) -> None:
    fault = bench.sandbox.faults.add(Action.STATUS, when=when, method="POST", path=POST, status=503)
    with pytest.raises(discord.DiscordServerError):
        await channel_of(bench).send("x")
    assert (fault.hits, fault.times, stored(bench)) == (1, 0, kept)


@pytest.mark.asyncio
async def test_a_502_before_acceptance_is_retried_by_the_client(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_wait(monkeypatch)
    bench.sandbox.faults.add(Action.STATUS, method="POST", path=POST, status=502, times=2)
    await channel_of(bench).send("x", nonce="n")
    assert stored(bench) == ["x"]


@pytest.mark.asyncio
async def test_a_5xx_after_acceptance_of_an_answer_ends_as_40060(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_wait(monkeypatch)
    refused: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    @bench.client.tree.command(description="d")
    async def paper(interaction: discord.Interaction) -> None:
        try:
            await interaction.response.send_message("x")
        except discord.HTTPException as error:
            refused.set_result(error.code)

    await bench.client.tree.sync()
    bench.sandbox.faults.add(Action.STATUS, when=When.AFTER, path="/callback$", status=500)
    outcome = await bench.reader.command(bench.demo.general, "paper")
    assert outcome.text == "x"
    assert await asyncio.wait_for(refused, 5) == 40060


def no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """discord.py's back-off between its own retries takes no time."""
    real = asyncio.sleep

    async def quick(_: float, result: object = None) -> object:
        await real(0)
        return result

    monkeypatch.setattr("discord.http.asyncio.sleep", quick)


@pytest.mark.asyncio
async def test_429_without_via_raises_and_with_via_is_waited_out(bench: Bench) -> None:
    faults = bench.sandbox.faults
    faults.add(Action.RATE_LIMIT, method="POST", path=POST, via=False)
    with pytest.raises(discord.HTTPException) as raised:
        await channel_of(bench).send("x")
    assert raised.value.status == 429
    faults.add(Action.RATE_LIMIT, method="POST", path=POST, retry_after=0.01)
    await channel_of(bench).send("y")
    assert stored(bench) == ["y"]
    assert bench.sandbox.limiter.invalid == 2


@pytest.mark.asyncio
@pytest.mark.parametrize("code", [50013, 50001, 50007, 50278, 10003, 10013, 50033, 40003])
async def test_any_of_discords_errors_can_be_scripted(sandbox: Sandbox, demo: Demo, code: int) -> None:
    sandbox.faults.add(Action.CODE, path=POST, code=code)
    answer = await Rest(sandbox).send(demo.general.id, content="x")
    assert answer.code == code
    assert (await Rest(sandbox).send(demo.general.id, content="x")).status == 200


@pytest.mark.asyncio
async def test_a_hang_lasts_until_it_is_released(bench: Bench) -> None:
    kept = asyncio.Event()
    bench.sandbox.world.subscribe(lambda event: kept.set() if event.name == "MESSAGE_CREATE" else None)
    fault = bench.sandbox.faults.add(Action.HANG, when=When.AFTER, method="POST", path=POST)
    sending = asyncio.create_task(channel_of(bench).send("x"))
    await asyncio.wait_for(kept.wait(), 5)
    assert not sending.done()
    fault.release()
    with pytest.raises(aiohttp.ClientError):
        await sending
    slow = bench.sandbox.faults.add(Action.SLOW, method="POST", path=POST)
    sending = asyncio.create_task(channel_of(bench).send("y"))
    await asyncio.wait_for(slow.until_hit(), 5)
    slow.release()
    assert (await sending).content == "y"


@pytest.mark.asyncio
async def test_faults_are_bound_to_channels_counts_and_chance(sandbox: Sandbox, demo: Demo) -> None:
    rest = Rest(sandbox)
    sandbox.faults.add(Action.STATUS, channel_id=demo.digest.id, status=503, times=None, skip=1)
    assert (await rest.send(demo.general.id, content="x")).status == 200
    assert [(await rest.send(demo.digest.id, content="x")).status for _ in range(3)] == [200, 503, 503]
    sandbox.faults.clear()
    rolls = []
    for _ in range(2):
        fault = sandbox.faults.add(Action.STATUS, path=POST, status=500, times=None, chance=0.5, seed=7)
        rolls.append([(await rest.send(demo.general.id, content="x")).status for _ in range(20)])
        sandbox.faults.remove(fault)
    assert rolls[0] == rolls[1]
    assert {200, 500} == set(rolls[0])


def test_a_fault_that_makes_no_sense_is_refused(sandbox: Sandbox) -> None:
    faults = sandbox.faults
    with pytest.raises(ValueError, match="999999"):
        faults.add(Action.CODE, code=999999)
    with pytest.raises(ValueError, match="unknown field"):
        faults.add_json({"action": "cut", "whenever": 1})
    with pytest.raises(ValueError, match="explode"):
        faults.add_json({"action": "explode"})


@pytest.mark.asyncio
async def test_another_process_scripts_faults_over_http(sandbox: Sandbox, demo: Demo) -> None:
    base = f"{sandbox.url}/sandbox/control"
    async with aiohttp.ClientSession() as session:
        async with session.post(f"{base}/faults", json={"action": "cut"}) as refused:
            assert refused.status == 401
        session.headers["X-Sandbox-Control"] = "control"
        fault = {"action": "code", "code": 50013, "method": "POST", "channel_id": str(demo.general.id)}
        async with session.post(f"{base}/faults", json=fault) as answer:
            number = (await answer.json())["id"]
        assert (await Rest(sandbox).send(demo.general.id, content="x")).code == 50013
        async with session.get(f"{base}/faults/{number}") as answer:
            assert await answer.json() == {"hits": 1, "times": 0}
        async with session.post(f"{base}/faults", json={"action": "explode"}) as answer:
            assert answer.status == 400
            assert "explode" in (await answer.json())["error"]
        act = {"user": str(demo.reader.id), "channel": str(demo.general.id), "content": "hi"}
        async with session.post(f"{base}/acts/send", json=act) as answer:
            assert answer.status == 200
        async with session.get(f"{base}/channels/{demo.general.id}/messages") as answer:
            assert [message["content"] for message in await answer.json()] == ["hi"]
        async with session.post(f"{base}/acts/nonsense", json={}) as answer:
            assert answer.status == 400
        async with session.post(f"{base}/clock/advance", json={"seconds": 60}) as answer:
            assert (await answer.json())["now"] == "2026-05-04T09:01:00.000000+00:00"
        async with session.get(f"{base}/world") as answer:
            assert (await answer.json())["applications"] == {str(demo.app.id): False}
        async with session.get(f"{base}/traffic") as answer:
            assert (await answer.json())["answers"] == {"POST /channels/{channel_id}/messages 403": 1}
