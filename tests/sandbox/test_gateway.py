from __future__ import annotations

import asyncio
import json
import zlib
from typing import Any

import aiohttp
import discord
import pytest

from bot.sandbox.demo import TOKEN, Demo
from bot.sandbox.permissions import Permission
from bot.sandbox.server import Sandbox
from tests.sandbox.wire_client import Rest
from tests.sandbox_fixtures import Bench, Client, connected


class Wire:
    """A gateway connection by hand."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket

    async def take(self) -> dict[str, Any]:
        return dict(json.loads(await self.socket.receive_str(timeout=5)))

    async def until(self, name: str) -> dict[str, Any]:
        while (frame := await self.take()).get("t") != name:
            pass
        return frame

    async def identify(self, **more: object) -> None:
        data = {"token": TOKEN, "intents": 1, "properties": {}, **more}
        await self.socket.send_json({"op": 2, "d": data})

    async def closed_with(self) -> int | None:
        while (await self.socket.receive(timeout=5)).type != aiohttp.WSMsgType.CLOSE:
            pass
        return self.socket.close_code


async def dial(session: aiohttp.ClientSession, sandbox: Sandbox, query: str = "v=10&encoding=json") -> Wire:
    wire = Wire(await session.ws_connect(f"{sandbox.url}/gateway?{query}", max_msg_size=0))
    hello = await wire.take()
    assert hello["op"] == 10
    assert hello["d"]["heartbeat_interval"] == 41250
    return wire


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ({"op": 2, "d": {"token": "wrong", "intents": 1}}, 4004),
        ({"op": 2, "d": {"token": TOKEN, "intents": 1 << 40}}, 4013),
        ({"op": 2, "d": {"token": TOKEN}}, 4013),
        ({"op": 2, "d": {"token": TOKEN, "intents": 1 << 15}}, 4014),
        ({"op": 2, "d": {"token": TOKEN, "intents": 1 << 1}}, 4014),
        ({"op": 2, "d": {"token": TOKEN, "intents": 1, "shard": [2, 2]}}, 4010),
        ({"op": 2, "d": None}, 4002),
        ({"op": 3, "d": {}}, 4003),
        ({"op": 2, "d": {"pad": "x" * 5000}}, 4002),
    ],
)
async def test_a_wrong_first_frame_closes_with_discords_code(
    sandbox: Sandbox, demo: Demo, frame: dict[str, Any], code: int
) -> None:
    async with aiohttp.ClientSession() as session:
        wire = await dial(session, sandbox)
        await wire.socket.send_json(frame)
        assert await wire.closed_with() == code


@pytest.mark.asyncio
async def test_after_identify_a_second_one_and_unknown_opcodes_close(sandbox: Sandbox, demo: Demo) -> None:
    async with aiohttp.ClientSession() as session:
        for frame, code in (({"op": 2, "d": {}}, 4005), ({"op": 99, "d": None}, 4001)):
            wire = await dial(session, sandbox)
            await wire.identify()
            await wire.until("READY")
            await wire.socket.send_json(frame)
            assert await wire.closed_with() == code
        wire = await dial(session, sandbox)
        await wire.socket.send_str("{")
        assert await wire.closed_with() == 4002
        wire = await dial(session, sandbox, "v=9&encoding=json")
        assert await wire.closed_with() == 4012


@pytest.mark.asyncio
async def test_a_flood_of_frames_closes_with_4008(sandbox: Sandbox, demo: Demo) -> None:
    async with aiohttp.ClientSession() as session:
        wire = await dial(session, sandbox)
        for _ in range(121):
            await wire.socket.send_json({"op": 1, "d": None})
        assert await wire.closed_with() == 4008


@pytest.mark.asyncio
async def test_heartbeats_are_acknowledged_and_frames_compressed_as_asked(
    sandbox: Sandbox, demo: Demo
) -> None:
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{sandbox.url}/gateway?v=10&encoding=json&compress=zlib-stream") as socket,
    ):
        unpack = zlib.decompressobj()
        hello = json.loads(unpack.decompress(await socket.receive_bytes()))
        assert hello["op"] == 10
        await socket.send_json({"op": 1, "d": None})
        assert json.loads(unpack.decompress(await socket.receive_bytes())) == {"op": 11}


@pytest.mark.asyncio
async def test_a_wrong_token_is_a_login_failure(sandbox: Sandbox, demo: Demo) -> None:
    with pytest.raises(discord.LoginFailure):
        async with connected(sandbox, Client(), token="wrong"):
            pass


@pytest.mark.asyncio
async def test_privileged_intents_must_be_switched_on(sandbox: Sandbox, demo: Demo) -> None:
    intents = discord.Intents(guilds=True, message_content=True)
    with pytest.raises(discord.PrivilegedIntentsRequired):
        async with connected(sandbox, Client(intents=intents)):
            pass
    demo.app.privileged_intents = 1 << 15
    async with connected(sandbox, Client(intents=intents)) as client:
        assert client.is_ready()


@pytest.mark.asyncio
async def test_a_dropped_connection_resumes_and_misses_nothing(bench: Bench) -> None:
    bench.sandbox.gateway.drop()
    # What happens while nobody listens is replayed after the resume.
    bench.sandbox.world.add_channel(bench.demo.guild, "while-away")
    await bench.client.until("resumed")
    assert discord.utils.get(bench.client.get_all_channels(), name="while-away") is not None
    assert (bench.sandbox.gateway.identifies, bench.sandbox.gateway.resumes) == (1, 1)


@pytest.mark.asyncio
async def test_reconnect_resumes_and_an_invalid_session_identifies_anew(bench: Bench) -> None:
    gateway = bench.sandbox.gateway
    gateway.reconnect()
    await bench.client.until("resumed")
    gateway.invalidate(resumable=True)
    await bench.client.until("resumed")
    assert gateway.identifies == 1
    gateway.invalidate()
    await bench.client.until("ready")
    assert gateway.identifies == 2


@pytest.mark.asyncio
async def test_a_resume_of_a_forgotten_session_is_invalid_and_ready_fires_again(bench: Bench) -> None:
    gateway = bench.sandbox.gateway
    gateway.drop()
    gateway.forget_sessions()
    await bench.client.until("ready")
    assert gateway.identifies == 2


@pytest.mark.asyncio
async def test_resume_by_hand_replays_after_the_given_number(sandbox: Sandbox, demo: Demo) -> None:
    async with aiohttp.ClientSession() as session:
        wire = await dial(session, sandbox)
        await wire.identify()
        ready = await wire.until("READY")
        create = await wire.until("GUILD_CREATE")
        assert [guild["unavailable"] for guild in ready["d"]["guilds"]] == [True]
        sandbox.gateway.drop()
        await asyncio.sleep(0)
        sandbox.world.add_channel(demo.guild, "new")
        wire = await dial(session, sandbox)
        data = {"token": TOKEN, "session_id": ready["d"]["session_id"], "seq": create["s"]}
        await wire.socket.send_json({"op": 6, "d": data})
        assert [(await wire.take())["t"] for _ in range(2)] == ["CHANNEL_CREATE", "RESUMED"]
        other = await dial(session, sandbox)
        await other.socket.send_json({"op": 6, "d": {**data, "seq": 999}})
        assert await other.take() == {"op": 9, "d": False}


@pytest.mark.asyncio
async def test_a_goodbye_ends_the_session(bench: Bench) -> None:
    app_id = bench.demo.app.id
    assert bench.sandbox.bot_online(app_id)
    told: list[bool] = []
    gone = asyncio.Event()

    def listen(event: Any) -> None:  # noqa: ANN401 - an Event
        if event.name == "SANDBOX_BOT":
            told.append(event.data["online"])
            gone.set()

    bench.sandbox.world.subscribe(listen)
    await bench.client.close()
    await asyncio.wait_for(gone.wait(), 5)
    assert told == [False]
    assert not bench.sandbox.bot_online(app_id)


@pytest.mark.asyncio
async def test_two_shards_share_the_servers(sandbox: Sandbox, demo: Demo) -> None:
    for number in range(6):
        guild = sandbox.world.add_guild(f"g{number}", owner=demo.admin, guild_id=(1_000_000 + number) << 22)
        sandbox.world.add_member(guild, demo.bot)
    sandbox.world.shards = 2
    async with connected(sandbox, Client()) as client:
        assert client.shard_count == 2
        assert sorted(shard.id for shard in client.shards.values()) == [0, 1]
        assert len(client.guilds) == 7
        assert {guild.shard_id for guild in client.guilds} == {0, 1}
        assert sandbox.gateway.identifies == 2


@pytest.mark.asyncio
async def test_two_processes_with_one_token_both_hear_and_only_one_answers(
    sandbox: Sandbox, demo: Demo
) -> None:
    codes: asyncio.Queue[int] = asyncio.Queue()

    def bot() -> Client:
        client = Client()

        @client.tree.command(description="d")
        async def paper(interaction: discord.Interaction) -> None:
            try:
                await interaction.response.send_message("x")
            except discord.HTTPException as error:
                codes.put_nowait(error.code)
            else:
                codes.put_nowait(0)

        return client

    async with connected(sandbox, bot()) as first, connected(sandbox, bot()):
        await first.tree.sync()
        await sandbox.human(demo.reader).command(demo.general, "paper")
        assert sorted([await asyncio.wait_for(codes.get(), 5) for _ in range(2)]) == [0, 40060]
    assert len(sandbox.human(demo.reader).messages(demo.general)) == 1


# ---- servers come and go ----------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_an_outage_is_no_removal(bench: Bench) -> None:
    bench.sandbox.world.outage(bench.demo.guild)
    (guild,) = await bench.client.until("guild_unavailable")
    assert isinstance(guild, discord.Guild)
    assert guild.unavailable
    refused = await Rest(bench.sandbox).send(bench.demo.general.id, content="x")
    assert refused.status == 503
    bench.sandbox.world.restore(bench.demo.guild)
    await bench.client.until("guild_available")
    assert (await Rest(bench.sandbox).send(bench.demo.general.id, content="x")).status == 200


@pytest.mark.asyncio
async def test_a_server_in_an_outage_at_the_start_stays_unavailable(sandbox: Sandbox, demo: Demo) -> None:
    sandbox.world.outage(demo.guild)
    async with connected(sandbox, Client()) as client:
        assert [guild.unavailable for guild in client.guilds] == [True]
        sandbox.world.restore(demo.guild)
        await client.until("guild_available")


@pytest.mark.asyncio
async def test_kicked_and_invited_again(bench: Bench) -> None:
    world = bench.sandbox.world
    world.remove_member(bench.demo.guild, bench.demo.bot)
    await bench.client.until("guild_remove")
    refused = await Rest(bench.sandbox).send(bench.demo.general.id, content="x")
    assert refused.code == 50001
    world.add_member(bench.demo.guild, bench.demo.bot)
    await bench.client.until("guild_join")


@pytest.mark.asyncio
async def test_rights_and_channels_that_change_are_told_also_when_hidden(bench: Bench) -> None:
    world, demo = bench.sandbox.world, bench.demo
    world.set_overwrite(demo.digest, demo.bot, deny=Permission.VIEW_CHANNEL)
    _, after = await bench.client.until("guild_channel_update")
    assert isinstance(after, discord.TextChannel)
    assert not after.permissions_for(after.guild.me).view_channel
    role = next(role for role in demo.guild.roles.values() if role.name == "ICLR Herald")
    world.edit_role(demo.guild, role, permissions=0)
    await bench.client.until("guild_role_update")
    world.delete_channel(demo.digest)
    (gone,) = await bench.client.until("guild_channel_delete")
    assert isinstance(gone, discord.TextChannel)
    assert gone.id == demo.digest.id


@pytest.mark.asyncio
async def test_messages_are_told_by_intent_and_without_content(sandbox: Sandbox, demo: Demo) -> None:
    human = sandbox.human(demo.reader)
    intents = discord.Intents(guilds=True, guild_messages=True, dm_messages=True)
    async with connected(sandbox, Client(intents=intents)) as client:
        human.send(demo.general, "secret")
        (message,) = await client.until("message")
        assert isinstance(message, discord.Message)
        assert message.content == ""
        human.send(human.open_dm(demo.bot), "open")
        (message,) = await client.until("message")
        assert isinstance(message, discord.Message)
        assert message.content == "open"
        sandbox.human(demo.admin).send(demo.staff, "hidden")
        human.send(demo.general, "last")
        (message,) = await client.until("message")
        assert isinstance(message, discord.Message)
        assert message.channel.id == demo.general.id


@pytest.mark.asyncio
async def test_members_are_sent_on_request(bench: Bench) -> None:
    guild = bench.client.get_guild(bench.demo.guild.id)
    assert guild is not None
    found = await guild.query_members(user_ids=[bench.demo.reader.id, 5])
    assert [member.id for member in found] == [bench.demo.reader.id]
    assert len(await guild.query_members("ad")) == 1
