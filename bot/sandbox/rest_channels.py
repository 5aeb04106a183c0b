"""Channels, threads and forum posts.

Promises: the routes a bot needs to read channels and to open, list, close and delete threads, with their rights.
"""

from __future__ import annotations

from bot.sandbox.call import Call
from bot.sandbox.compose import new_message
from bot.sandbox.errors import refusal
from bot.sandbox.form import Form
from bot.sandbox.messages import Draft
from bot.sandbox.model import Channel, ChannelType, JsonObject
from bot.sandbox.permissions import Permission
from bot.sandbox.ratelimit import Rate
from bot.sandbox.routing import Reply, Route

_ARCHIVE_MINUTES = (60, 1440, 4320, 10080)


_EDITABLE = ("name", "topic", "archived", "locked")


async def read(call: Call) -> Reply:
    """GET a channel."""
    return Reply(call.world.channel_json(call.channel(), call.app.bot_id))


async def edit(call: Call) -> Reply:
    """PATCH a channel or thread: name, topic, archived, locked."""
    channel = call.channel()
    body = call.json
    form = Form()
    form.text(("name",), body.get("name"), shortest=1, longest=100)
    form.text(("topic",), body.get("topic"), longest=1024)
    form.truth(("archived",), body.get("archived"))
    form.truth(("locked",), body.get("locked"))
    form.finish()
    own_thread = channel.is_thread and channel.owner_id == call.app.bot_id and not channel.locked
    if not own_thread or "locked" in body:
        call.require(channel, Permission.MANAGE_THREADS if channel.is_thread else Permission.MANAGE_CHANNELS)
    changes = {name: body[name] for name in _EDITABLE if body.get(name) is not None}
    call.world.edit_channel(channel, **changes)
    return Reply(call.world.channel_json(channel, call.app.bot_id))


async def delete(call: Call) -> Reply:
    """DELETE a channel or thread; a DM is only closed."""
    channel = call.channel()
    data = call.world.channel_json(channel, call.app.bot_id)
    if channel.type is not ChannelType.DM:
        call.require(channel, Permission.MANAGE_THREADS if channel.is_thread else Permission.MANAGE_CHANNELS)
        call.world.delete_channel(channel)
    return Reply(data)


# ---- opening threads --------------------------------------------------------------------------------------


async def open_thread(call: Call) -> Reply:
    """POST a thread without a message, or a post in a forum (201, with its starter message)."""
    parent = call.channel()
    if parent.type is ChannelType.FORUM:
        return _open_post(call, parent)
    if parent.type not in (ChannelType.TEXT, ChannelType.ANNOUNCEMENT):
        raise refusal(50024)
    body = call.json
    form = _thread_form(body)
    kinds = (ChannelType.ANNOUNCEMENT_THREAD, ChannelType.PUBLIC_THREAD, ChannelType.PRIVATE_THREAD)
    kind = form.one_of(("type",), body.get("type", int(ChannelType.PRIVATE_THREAD)), kinds)
    form.finish()
    private = kind is ChannelType.PRIVATE_THREAD
    call.require(parent, Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS)
    made = call.world.add_thread(
        parent, body["name"], call.app.bot_id, type=kind or ChannelType.PUBLIC_THREAD
    )
    return Reply(_thread_json(call, made), 201)


async def open_thread_at_message(call: Call) -> Reply:
    """POST a thread that starts from a message; it gets the message's id."""
    parent = call.channel(need=Permission.CREATE_PUBLIC_THREADS)
    message = call.world.messages.get(parent.id, call.id("message_id"))
    if message is None:
        raise refusal(10008)
    if message.id in call.world.channels:
        raise refusal(160004)
    _thread_form(call.json).finish()
    made = call.world.add_thread(parent, call.json["name"], call.app.bot_id, thread_id=message.id)
    return Reply(_thread_json(call, made), 201)


def _open_post(call: Call, forum: Channel) -> Reply:
    # Discord asks for Send Messages in the forum; there is no nonce here, so a repeated request posts twice.
    call.require(forum, Permission.SEND_MESSAGES)
    body = call.json
    form = _thread_form(body)
    starter = form.record(("message",), body.get("message"))
    tags = form.items(("applied_tags",), body.get("applied_tags"), most=5)
    for index, tag in enumerate(tags):
        form.snowflake(("applied_tags", index), tag, required=True)
    form.finish()
    if call.files:
        call.require(forum, Permission.ATTACH_FILES)
    draft = new_message(call.world, forum, call.app.bot_id, starter or {}, call.files)
    if draft.embeds and not call.world.may(call.app.bot_id, forum, Permission.EMBED_LINKS):
        draft = _without_embeds(draft)
    made = call.world.add_thread(
        forum, body["name"], call.app.bot_id, applied_tags=[int(tag) for tag in tags]
    )
    message = call.world.messages.post(made, call.app.bot_id, draft, id=made.id, application_id=call.app.id)
    return Reply(_thread_json(call, made) | {"message": call.world.messages.json(message)}, 201)


def _without_embeds(draft: Draft) -> Draft:
    if not (draft.content or draft.components or draft.attachments):
        raise refusal(50013)
    draft.embeds = []
    return draft


def _thread_form(body: JsonObject) -> Form:
    form = Form()
    form.text(("name",), body.get("name"), shortest=1, longest=100, required=True)
    minutes = body.get("auto_archive_duration")
    form.one_of(("auto_archive_duration",), minutes, _ARCHIVE_MINUTES, required=False)
    form.whole(("rate_limit_per_user",), body.get("rate_limit_per_user"), least=0, most=21600)
    return form


# ---- listing threads --------------------------------------------------------------------------------------


async def active_threads(call: Call) -> Reply:
    """GET a server's threads that aren't archived and that the bot sees."""
    guild = call.guild()
    open_ = [c for c in call.world.channels_of(guild) if c.is_thread and not c.archived]
    seen = [thread for thread in open_ if call.world.can_view(call.app.bot_id, thread)]
    return Reply(_listing(call, seen))


async def archived_threads(call: Call) -> Reply:
    """GET a channel's archived public threads, newest first, 50 a page (`before`, `limit`)."""
    parent = call.channel(need=Permission.READ_MESSAGE_HISTORY)
    found = [
        thread
        for thread in call.world.channels.values()
        if thread.parent_id == parent.id and thread.archived and thread.type is not ChannelType.PRIVATE_THREAD
    ]
    before = call.request.query.get("before")
    newest_first = sorted(found, key=_archived_at, reverse=True)
    if before:
        newest_first = [thread for thread in newest_first if _archived_at(thread) < before]
    limit = call.query_number("limit", 50, least=2, most=100)
    page = newest_first[:limit]
    return Reply(_listing(call, page) | {"has_more": len(newest_first) > limit})


def _archived_at(thread: Channel) -> str:
    return thread.archived_at.isoformat() if thread.archived_at else ""


async def join_thread(call: Call) -> Reply:
    """PUT oneself into a thread."""
    call.channel().thread_members.add(call.app.bot_id)
    return Reply()


def _listing(call: Call, threads: list[Channel]) -> JsonObject:
    me = call.app.bot_id
    joined = [thread for thread in threads if me in thread.thread_members]
    members = [_thread_member(call, thread) for thread in joined]
    shown = [_thread_json(call, thread) for thread in threads]
    return {"threads": shown, "members": members, "has_more": False}


def _thread_member(call: Call, thread: Channel) -> JsonObject:
    joined_at = (thread.archived_at or call.world.clock.now()).isoformat()
    return {"id": str(thread.id), "user_id": str(call.app.bot_id), "join_timestamp": joined_at, "flags": 0}


def _thread_json(call: Call, thread: Channel) -> JsonObject:
    data = call.world.channel_json(thread, call.app.bot_id)
    if call.app.bot_id in thread.thread_members:
        data["member"] = _thread_member(call, thread)
    return data


_CHANNEL = "/channels/{channel_id}"

ROUTES = [
    Route("GET", _CHANNEL, read),
    Route("PATCH", _CHANNEL, edit, Rate(5, 5.0)),
    Route("DELETE", _CHANNEL, delete),
    Route("POST", _CHANNEL + "/threads", open_thread, Rate(50, 300.0)),
    Route("POST", _CHANNEL + "/messages/{message_id}/threads", open_thread_at_message, Rate(50, 300.0)),
    Route("GET", _CHANNEL + "/threads/archived/public", archived_threads),
    Route("PUT", _CHANNEL + "/thread-members/@me", join_thread),
    Route("GET", "/guilds/{guild_id}/threads/active", active_threads),
]
