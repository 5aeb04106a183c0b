from __future__ import annotations

import io
from datetime import timedelta

import aiohttp
import discord
import pytest

from bot.clock import ManualClock
from bot.sandbox.demo import Demo
from bot.sandbox.model import ChannelType
from bot.sandbox.permissions import Permission
from bot.sandbox.server import Sandbox
from bot.sandbox.snowflake import floor_of
from tests.sandbox.wire_client import Rest
from tests.sandbox_fixtures import Bench


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("denied", "status", "code"),
    [(Permission.VIEW_CHANNEL, 403, 50001), (Permission.SEND_MESSAGES, 403, 50013)],
)
async def test_posting_without_a_right_is_refused(
    sandbox: Sandbox, demo: Demo, denied: Permission, status: int, code: int
) -> None:
    sandbox.world.set_overwrite(demo.general, demo.bot, deny=denied)
    answer = await Rest(sandbox).send(demo.general.id, content="x")
    assert (answer.status, answer.code) == (status, code)


@pytest.mark.asyncio
async def test_embeds_need_embed_links_unless_there_is_text_to_keep(sandbox: Sandbox, demo: Demo) -> None:
    sandbox.world.set_overwrite(demo.general, demo.bot, deny=Permission.EMBED_LINKS)
    rest = Rest(sandbox)
    refused = await rest.send(demo.general.id, embeds=[{"title": "t"}])
    assert (refused.status, refused.code) == (403, 50013)
    stripped = await rest.send(demo.general.id, content="text", embeds=[{"title": "t"}])
    assert (stripped.status, stripped.data["embeds"]) == (200, [])


@pytest.mark.asyncio
async def test_files_need_attach_files(bench: Bench) -> None:
    channel = bench.client.get_channel(bench.demo.general.id)
    assert isinstance(channel, discord.TextChannel)
    sent = await channel.send("x", file=discord.File(__file__, filename="test.py"))
    attachment = sent.attachments[0]
    with open(__file__, "rb") as file:  # noqa: ASYNC230 - a small local file in a test
        assert await attachment.read() == file.read()
    bench.sandbox.world.set_overwrite(bench.demo.general, bench.demo.bot, deny=Permission.ATTACH_FILES)
    with pytest.raises(discord.Forbidden) as refused:
        await channel.send("x", file=discord.File(__file__))
    assert refused.value.code == 50013


@pytest.mark.asyncio
async def test_a_file_of_more_than_ten_megabytes_is_refused(sandbox: Sandbox, demo: Demo) -> None:
    form = aiohttp.FormData(quote_fields=False)
    form.add_field("payload_json", '{"content": "x"}')
    form.add_field("files[0]", io.BytesIO(bytes(10 * 1024 * 1024 + 1)), filename="big.bin")
    answer = await Rest(sandbox)("POST", f"/channels/{demo.general.id}/messages", data=form)
    assert (answer.status, answer.code) == (413, 40005)


@pytest.mark.asyncio
async def test_unknown_places_are_unknown(sandbox: Sandbox, demo: Demo) -> None:
    rest = Rest(sandbox)
    assert (await rest.send(1, content="x")).code == 10003
    assert (await rest("GET", f"/channels/{demo.general.id}/messages/1")).code == 10008
    assert (await rest("GET", "/guilds/1")).code == 10004
    assert (await rest("GET", "/users/1")).code == 10013
    assert (await rest("GET", f"/guilds/{demo.guild.id}/members/1")).code == 10013
    assert (await rest("GET", "/no/such/route")).status == 404
    assert (await rest("GET", "/channels/abc")).code == 50035
    assert (await rest.send(demo.forum.id, content="x")).code == 50008


@pytest.mark.asyncio
async def test_without_the_right_token_everything_is_401(sandbox: Sandbox, demo: Demo) -> None:
    for token in (None, "wrong"):
        rest = Rest(sandbox, token)
        for path in ("/users/@me", "/gateway/bot", f"/channels/{demo.general.id}", "/no/such/route"):
            assert (await rest("GET", path)).status == 401
        assert (await rest.send(demo.general.id, content="x")).status == 401
    assert sandbox.limiter.invalid == 10


@pytest.mark.asyncio
async def test_bodies_are_json_without_a_charset_and_come_via_a_proxy(sandbox: Sandbox, demo: Demo) -> None:
    answer = await Rest(sandbox)("GET", "/users/@me")
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["Via"] == "1.1 google"


# ---- nonces -----------------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_an_enforced_nonce_gives_the_message_that_is_there(bench: Bench, clock: ManualClock) -> None:
    channel = bench.client.get_channel(bench.demo.general.id)
    assert isinstance(channel, discord.TextChannel)
    first = await channel.send("one", nonce="n1")
    clock.advance(timedelta(minutes=4))
    again = await channel.send("two", nonce="n1")
    assert (again.id, again.content) == (first.id, "one")
    assert (await channel.send("three", nonce="n2")).id != first.id
    assert len(bench.admin.messages(bench.demo.general)) == 2


@pytest.mark.asyncio
async def test_a_nonce_is_forgotten_after_its_window_or_on_demand(
    sandbox: Sandbox, demo: Demo, clock: ManualClock
) -> None:
    rest = Rest(sandbox)
    body = {"content": "x", "nonce": "n", "enforce_nonce": True}
    first = await rest.send(demo.general.id, **body)
    clock.advance(timedelta(minutes=5, seconds=1))
    second = await rest.send(demo.general.id, **body)
    assert second.data["id"] != first.data["id"]
    sandbox.world.messages.forget_nonces()
    assert (await rest.send(demo.general.id, **body)).data["id"] != second.data["id"]


@pytest.mark.asyncio
async def test_a_nonce_binds_author_and_channel_and_only_when_enforced(sandbox: Sandbox, demo: Demo) -> None:
    rest = Rest(sandbox)
    body = {"content": "x", "nonce": "n", "enforce_nonce": True}
    ids = {
        (await rest.send(demo.general.id, **body)).data["id"],
        (await rest.send(demo.digest.id, **body)).data["id"],
        (await rest.send(demo.general.id, content="x", nonce="n")).data["id"],
    }
    assert len(ids) == 3


@pytest.mark.asyncio
async def test_the_nonce_of_a_deleted_message_answers_10008(sandbox: Sandbox, demo: Demo) -> None:
    rest = Rest(sandbox)
    body = {"content": "x", "nonce": "n", "enforce_nonce": True}
    sent = await rest.send(demo.general.id, **body)
    assert (await rest("DELETE", f"/channels/{demo.general.id}/messages/{sent.data['id']}")).status == 204
    answer = await rest.send(demo.general.id, **body)
    assert (answer.status, answer.code) == (404, 10008)


# ---- history ----------------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_history_pages_before_after_and_around(sandbox: Sandbox, demo: Demo) -> None:
    rest = Rest(sandbox)
    ids = [(await rest.send(demo.general.id, content=str(n))).data["id"] for n in range(10)]
    path = f"/channels/{demo.general.id}/messages"

    async def page(query: str) -> list[str]:
        return [message["id"] for message in (await rest("GET", f"{path}?{query}")).data]

    assert await page("limit=3") == ids[9:6:-1]
    assert await page(f"limit=3&before={ids[5]}") == ids[4:1:-1]
    assert await page(f"limit=3&after={ids[5]}") == ids[8:5:-1]
    assert await page(f"limit=3&around={ids[5]}") == ids[6:3:-1]
    assert await page("after=0&limit=100") == ids[::-1]
    assert (await rest("GET", f"{path}?limit=101")).code == 50035


@pytest.mark.asyncio
async def test_history_from_a_moment_is_found_by_its_snowflake(bench: Bench, clock: ManualClock) -> None:
    channel = bench.client.get_channel(bench.demo.general.id)
    assert isinstance(channel, discord.TextChannel)
    await channel.send("before")
    clock.advance(timedelta(seconds=90))
    since = clock.now() - timedelta(seconds=60)
    await channel.send("after")
    found = [message.content async for message in channel.history(after=discord.Object(floor_of(since)))]
    assert found == ["after"]


@pytest.mark.asyncio
async def test_history_without_the_right_is_an_empty_list(sandbox: Sandbox, demo: Demo) -> None:
    rest = Rest(sandbox)
    await rest.send(demo.general.id, content="x")
    sandbox.world.set_overwrite(demo.general, demo.bot, deny=Permission.READ_MESSAGE_HISTORY)
    answer = await rest("GET", f"/channels/{demo.general.id}/messages")
    assert (answer.status, answer.data) == (200, [])


@pytest.mark.asyncio
async def test_a_bot_reads_its_own_messages_but_not_others_without_the_content_intent(
    sandbox: Sandbox, demo: Demo
) -> None:
    rest = Rest(sandbox)
    await rest.send(demo.general.id, content="mine")
    sandbox.human(demo.reader).send(demo.general, "theirs")
    sandbox.human(demo.reader).send(demo.general, f"to <@{demo.bot.id}>")
    answer = await rest("GET", f"/channels/{demo.general.id}/messages")
    assert [message["content"] for message in answer.data] == [f"to <@{demo.bot.id}>", "", "mine"]
    demo.app.privileged_intents = 1 << 15
    answer = await rest("GET", f"/channels/{demo.general.id}/messages")
    assert answer.data[1]["content"] == "theirs"


@pytest.mark.asyncio
async def test_only_own_messages_can_be_edited_and_others_only_be_managed_away(
    sandbox: Sandbox, demo: Demo
) -> None:
    rest = Rest(sandbox)
    theirs = sandbox.human(demo.reader).send(demo.general, "theirs")
    path = f"/channels/{demo.general.id}/messages/{theirs.id}"
    assert (await rest("PATCH", path, {"content": "x"})).code == 50005
    assert (await rest("DELETE", path)).code == 50013
    sandbox.world.set_overwrite(demo.general, demo.bot, allow=Permission.MANAGE_MESSAGES)
    assert (await rest("DELETE", path)).status == 204


@pytest.mark.asyncio
async def test_a_reply_needs_its_message(sandbox: Sandbox, demo: Demo) -> None:
    rest = Rest(sandbox)
    missing = await rest.send(demo.general.id, content="x", message_reference={"message_id": "1"})
    assert missing.complaint("message_reference") == "REPLIES_UNKNOWN_MESSAGE"
    sent = await rest.send(demo.general.id, content="x")
    reply = await rest.send(demo.general.id, content="y", message_reference={"message_id": sent.data["id"]})
    assert (reply.data["type"], reply.data["referenced_message"]["content"]) == (19, "x")


# ---- direct messages --------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_a_dm_opens_always_but_sending_into_closed_ones_is_50007(bench: Bench) -> None:
    user = await bench.client.fetch_user(bench.demo.reader.id)
    await user.send("hello")
    bench.reader.send_dm_allowed(False)
    assert (await user.create_dm()).id
    with pytest.raises(discord.Forbidden) as refused:
        await user.send("again")
    assert refused.value.code == 50007
    assert [message.content for message in bench.reader.messages(bench.reader.dms()[0])] == ["hello"]


@pytest.mark.asyncio
async def test_a_dm_to_someone_without_a_mutual_server_is_50278(sandbox: Sandbox, demo: Demo) -> None:
    rest = Rest(sandbox)
    stranger = sandbox.world.add_user("stranger")
    opened = await rest("POST", "/users/@me/channels", {"recipient_id": str(stranger.id)})
    assert opened.status == 200
    refused = await rest.send(int(opened.data["id"]), content="x")
    assert (refused.status, refused.code) == (403, 50278)
    sandbox.world.install_for_user(stranger, demo.app)
    assert (await rest.send(int(opened.data["id"]), content="x")).status == 200


@pytest.mark.asyncio
@pytest.mark.parametrize(("recipient", "code"), [("1", 50033), (None, 50035), ("x", 50035)])
async def test_a_dm_to_nobody_is_refused(
    sandbox: Sandbox, demo: Demo, recipient: str | None, code: int
) -> None:
    answer = await Rest(sandbox)("POST", "/users/@me/channels", {"recipient_id": recipient})
    assert answer.code == code


@pytest.mark.asyncio
async def test_a_deleted_account_is_an_unknown_user(sandbox: Sandbox, demo: Demo) -> None:
    rest = Rest(sandbox)
    opened = await rest("POST", "/users/@me/channels", {"recipient_id": str(demo.reader.id)})
    sandbox.world.delete_user(demo.reader)
    assert (await rest.send(int(opened.data["id"]), content="x")).code == 10013
    again = await rest("POST", "/users/@me/channels", {"recipient_id": str(demo.reader.id)})
    assert again.code == 50033


@pytest.mark.asyncio
async def test_a_foreign_dm_is_missing_access(sandbox: Sandbox, demo: Demo) -> None:
    dm = sandbox.world.open_dm(demo.reader.id, demo.admin.id)
    assert (await Rest(sandbox).send(dm.id, content="x")).code == 50001


# ---- threads and forums -----------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_a_forum_post_takes_no_nonce_and_is_listed_while_active_and_archived(bench: Bench) -> None:
    forum = bench.client.get_channel(bench.demo.forum.id)
    assert isinstance(forum, discord.ForumChannel)
    for _ in range(2):
        await forum.create_thread(name="Digest", content="part 1")
    active = await forum.guild.active_threads()
    assert [thread.name for thread in active] == ["Digest", "Digest"]
    starter = await active[0].fetch_message(active[0].id)
    assert starter.content == "part 1"
    await active[0].edit(archived=True)
    assert [thread.id async for thread in forum.archived_threads()] == [active[0].id]
    await active[0].send("part 2")
    assert len(await forum.guild.active_threads()) == 2


@pytest.mark.asyncio
async def test_a_locked_thread_and_a_missing_right_are_refused(sandbox: Sandbox, demo: Demo) -> None:
    rest = Rest(sandbox)
    post = await rest(
        "POST", f"/channels/{demo.forum.id}/threads", {"name": "D", "message": {"content": "x"}}
    )
    assert post.status == 201
    thread = sandbox.world.channels[int(post.data["id"])]
    sandbox.world.edit_channel(thread, locked=True)
    assert (await rest.send(thread.id, content="x")).code == 160005
    sandbox.world.edit_channel(thread, archived=True)
    assert (await rest.send(thread.id, content="x")).code == 50083
    sandbox.world.set_overwrite(demo.forum, demo.bot, deny=Permission.SEND_MESSAGES)
    refused = await rest(
        "POST", f"/channels/{demo.forum.id}/threads", {"name": "D", "message": {"content": "x"}}
    )
    assert refused.code == 50013


@pytest.mark.asyncio
async def test_a_forum_post_needs_a_name_and_a_message(sandbox: Sandbox, demo: Demo) -> None:
    rest = Rest(sandbox)
    path = f"/channels/{demo.forum.id}/threads"
    assert (await rest("POST", path, {"message": {"content": "x"}})).complaint("name") == "BASE_TYPE_REQUIRED"
    assert (await rest("POST", path, {"name": "n" * 101, "message": {"content": "x"}})).code == 50035
    assert (await rest("POST", path, {"name": "n", "message": {}})).code == 50006
    assert (await rest("POST", path, {"name": "n"})).complaint("message") == "MODEL_TYPE_CONVERT"


@pytest.mark.asyncio
async def test_threads_of_a_text_channel(sandbox: Sandbox, demo: Demo) -> None:
    rest = Rest(sandbox)
    sent = await rest.send(demo.general.id, content="x")
    path = f"/channels/{demo.general.id}/messages/{sent.data['id']}/threads"
    made = await rest("POST", path, {"name": "talk"})
    assert (made.status, made.data["id"], made.data["type"]) == (
        201,
        sent.data["id"],
        ChannelType.PUBLIC_THREAD,
    )
    assert (await rest("POST", path, {"name": "talk"})).code == 160004
    assert (await rest.send(int(made.data["id"]), content="in it")).status == 200
    sandbox.world.set_overwrite(demo.general, demo.bot, deny=Permission.SEND_MESSAGES_IN_THREADS)
    assert (await rest.send(int(made.data["id"]), content="in it")).code == 50013
    sandbox.world.delete_channel(demo.general)
    assert (await rest.send(int(made.data["id"]), content="in it")).code == 10003
