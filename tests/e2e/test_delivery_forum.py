"""Digests into a forum: a post is opened once, its later parts follow inside it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.sandbox.faults import Action, When
from bot.sandbox.model import Channel, Message
from bot.sandbox.outcome import Outcome, text_of
from bot.sandbox.permissions import Permission
from tests.e2e.delivering import Delivery, allow, deny, eventually, papers, parts, set_digest, states, wait
from tests.herald_fixtures import Herald

MANY = 14  # papers that need more than one part
HOUR = timedelta(hours=1, seconds=5)


def threads(herald: Herald) -> list[Channel]:
    """The posts of the forum."""
    return [one for one in herald.sandbox.world.channels.values() if one.parent_id == herald.demo.forum.id]


def requests(herald: Herald, path: str) -> int:
    """How many requests of a kind came."""
    return sum(one.method == "POST" and one.template.endswith(path) for one in herald.sandbox.api.exchanges)


async def go(herald: Herald, count: int = 1) -> None:
    """A digest of so many papers sets out for the forum."""
    await set_digest(herald, herald.demo.forum)
    await herald.load(papers(count))
    await wait(herald, HOUR)


def shown(outcome: Outcome) -> Message:
    """The message that a command was answered with."""
    assert outcome.message is not None
    return outcome.message


async def all_sent(herald: Herald) -> bool:
    """Whether every part of the digest stands."""
    return set(await states(herald)) == {"sent"}


@pytest.mark.asyncio
async def test_the_first_part_opens_a_post_and_the_others_follow_in_it(herald: Herald) -> None:
    await go(herald, MANY)
    (thread,) = threads(herald)
    assert "2026-05-04" in thread.name
    assert not thread.name.startswith("#")
    posted = herald.sandbox.world.messages.all_in(thread.id)
    assert len(posted) == len(await parts(herald, "digest")) >= 2
    assert "Tidal Networks" in text_of(posted[0])
    assert await states(herald) == ["sent"] * len(posted)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "fault",
    [
        {"action": Action.CUT},
        {"action": Action.STATUS, "status": 502},
        {"action": Action.STATUS, "status": 503},
    ],
    ids=["cut", "502", "503"],
)
@pytest.mark.parametrize("archived", [False, True])
async def test_a_post_whose_answer_was_lost_is_found_again(
    herald: Herald, fault: dict[str, Any], archived: bool
) -> None:
    herald.sandbox.faults.add(when=When.AFTER, method="POST", path="/threads$", **fault)
    await go(herald, MANY)
    assert len(threads(herald)) == 1
    if archived:
        herald.sandbox.world.edit_channel(threads(herald)[0], archived=True)
    herald.sandbox.world.messages.forget_nonces()
    await wait(herald, timedelta(seconds=30))
    assert requests(herald, "/threads") == 1  # it gets the time to come
    await wait(herald, timedelta(minutes=2))
    assert len(threads(herald)) == 1
    assert requests(herald, "/threads") == 1
    assert set(await states(herald)) == {"sent"}
    posted = herald.sandbox.world.messages.all_in(threads(herald)[0].id)
    assert len(posted) == len(await parts(herald, "digest"))


@pytest.mark.asyncio
async def test_a_post_that_never_came_is_opened_once_more(herald: Herald) -> None:
    herald.sandbox.faults.add(Action.CUT, method="POST", path="/threads$")
    await go(herald)
    await wait(herald, timedelta(minutes=2))
    assert len(threads(herald)) == 1
    assert await states(herald) == ["sent"]


@pytest.mark.asyncio
async def test_without_the_right_to_read_an_uncertain_post_is_held(herald: Herald) -> None:
    herald.sandbox.faults.add(Action.CUT, when=When.AFTER, method="POST", path="/threads$")
    await go(herald)
    forum = herald.demo.forum
    await deny(herald, forum, Permission.READ_MESSAGE_HISTORY, "read_message_history")
    await wait(herald, timedelta(minutes=2))
    assert await states(herald) == ["held"]
    await allow(herald, forum, "read_message_history")
    await eventually(lambda: all_sent(herald))
    assert len(threads(herald)) == 1


@pytest.mark.asyncio
async def test_a_locked_post_holds_the_rest_until_it_is_unlocked(herald: Herald) -> None:
    herald.sandbox.faults.add(Action.STATUS, status=503, method="POST", path="/messages$")
    await go(herald, MANY)
    (thread,) = threads(herald)
    herald.sandbox.world.edit_channel(thread, locked=True)
    await wait(herald, timedelta(seconds=30))
    assert (await states(herald))[:2] == ["sent", "held"]
    assert (await parts(herald, "digest"))[1].last_error == "thread_locked 400/160005"
    herald.sandbox.world.edit_channel(thread, locked=False)
    await eventually(lambda: all_sent(herald))
    assert set(await states(herald)) == {"sent"}


@pytest.mark.asyncio
async def test_the_rest_of_a_deleted_post_is_dropped_and_the_next_digest_comes(herald: Herald) -> None:
    herald.sandbox.faults.add(Action.STATUS, status=503, method="POST", path="/messages$")
    await go(herald, MANY)
    herald.sandbox.world.delete_channel(threads(herald)[0])
    await wait(herald, timedelta(seconds=30))
    assert (await states(herald))[0] == "sent"
    assert set((await states(herald))[1:]) == {"cancelled"}
    await herald.load(papers(1, start=50))
    await wait(herald, timedelta(days=1))
    assert (await states(herald))[-1] == "sent"
    assert len(threads(herald)) == 1


@pytest.mark.asyncio
async def test_an_admin_sets_a_forum_and_is_told_what_is_missing(herald: Herald) -> None:
    forum = herald.demo.forum
    await deny(herald, forum, Permission.SEND_MESSAGES_IN_THREADS, "send_messages_in_threads")
    options: dict[str, object] = {"channel": forum, "time": "10:00", "timezone": "UTC"}
    refused = await herald.admin.command(herald.general, "digest set", options)
    assert "Send Messages in Threads" in text_of(shown(refused))
    await allow(herald, forum, "send_messages_in_threads")
    accepted = await herald.admin.command(herald.general, "digest set", options)
    assert f"<#{forum.id}>" in text_of(shown(accepted))


@pytest.mark.asyncio
async def test_a_thread_as_a_digests_channel_may_be_archived(herald: Herald) -> None:
    world = herald.sandbox.world
    thread = world.add_thread(herald.demo.digest, "papers", herald.demo.admin.id)
    await eventually(lambda: herald.app.client.get_channel(thread.id) is not None)
    await set_digest(herald, thread)
    world.edit_channel(thread, archived=True)
    await eventually(lambda: herald.app.client.get_channel(thread.id) is None)
    delivery = Delivery(herald, "digest", thread)
    herald.sandbox.faults.add(Action.CUT, when=When.AFTER, method="POST", path="/messages$")
    await herald.load(papers(1))
    await wait(herald, HOUR)
    world.messages.forget_nonces()
    world.edit_channel(thread, archived=True)
    await wait(herald, timedelta(minutes=10))
    assert (await states(herald), len(delivery.stored), delivery.sends) == (["sent"], 1, 1)
