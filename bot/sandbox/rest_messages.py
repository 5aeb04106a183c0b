"""`/channels/{channel_id}/messages`: posting, reading, editing and deleting.

Promises: who may do it, in the order in which Discord checks it, and the nonce rule. Leaves bodies to `compose`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.sandbox.call import Call
from bot.sandbox.compose import edited_message, new_message
from bot.sandbox.errors import ApiError, refusal
from bot.sandbox.messages import Draft
from bot.sandbox.model import Application, Channel, ChannelType, JsonObject, Message
from bot.sandbox.permissions import Permission, is_postable
from bot.sandbox.ratelimit import Rate
from bot.sandbox.routing import Reply, Route

if TYPE_CHECKING:
    from bot.sandbox.world import World

MESSAGE_CONTENT_INTENT = 1 << 15
REPLY = 19


async def create(call: Call) -> Reply:
    """POST a message.

    Embeds without Embed Links: refused with 50013 when the message has nothing else, silently dropped when it has
    (Discord API docs, issue 2601). Files without Attach Files are refused.
    """
    channel = call.channel()
    body = call.json
    _check_place(call, channel)
    draft = new_message(call.world, channel, call.app.bot_id, body, call.files)
    if not _may_embed(call, channel) and draft.embeds:
        if not (draft.content or draft.components or draft.attachments):
            raise refusal(50013)
        draft.embeds = []
    draft.reference, kind = _reference(call, channel, body)
    if body.get("enforce_nonce") and draft.nonce:
        known = call.world.messages.id_of_nonce(call.app.bot_id, channel.id, draft.nonce)
        if known is not None:
            return Reply(_existing(call.world, channel, known))
    return Reply(_posted(call, channel, draft, kind, enforce=bool(body.get("enforce_nonce"))))


def _existing(world: World, channel: Channel, message_id: int) -> JsonObject:
    found = world.messages.get(channel.id, message_id)
    if found is None:
        raise refusal(10008)
    return world.messages.json(found)


def _posted(call: Call, channel: Channel, draft: Draft, kind: int, *, enforce: bool) -> JsonObject:
    # A message opens an archived thread again, unless it is locked.
    if channel.archived:
        call.world.edit_channel(channel, archived=False)
    app = call.app
    made = call.world.messages.post(channel, app.bot_id, draft, type=kind, application_id=app.id)
    if enforce:
        call.world.messages.remember_nonce(made)
    return call.world.messages.json(made)


def _check_place(call: Call, channel: Channel) -> None:
    if channel.type is ChannelType.DM:
        _check_dm(call, channel)
        return
    if not is_postable(channel):
        call.require(channel, 0)
        raise refusal(50008)
    in_thread = channel.is_thread
    call.require(channel, Permission.SEND_MESSAGES_IN_THREADS if in_thread else Permission.SEND_MESSAGES)
    if call.files:
        call.require(channel, Permission.ATTACH_FILES)
    if channel.locked and not call.world.may(call.app.bot_id, channel, Permission.MANAGE_THREADS):
        raise refusal(50083 if channel.archived else 160005)


def _check_dm(call: Call, channel: Channel) -> None:
    me = call.app.bot_id
    if me not in channel.recipients:
        raise refusal(50001)
    other = call.world.users.get(next(user_id for user_id in channel.recipients if user_id != me))
    if other is None or other.deleted:
        raise refusal(10013)
    # Discord looks for a mutual server before it looks at the person's privacy settings.
    if not call.world.share_a_guild(me, other.id) and call.app.id not in other.installed:
        raise refusal(50278)
    if not other.dm_allowed or other.bot:
        raise refusal(50007)


def _may_embed(call: Call, channel: Channel) -> bool:
    return call.world.may(call.app.bot_id, channel, Permission.EMBED_LINKS)


def _reference(call: Call, channel: Channel, body: JsonObject) -> tuple[JsonObject | None, int]:
    given = body.get("message_reference")
    if not isinstance(given, dict):
        return None, 0
    call.require(channel, Permission.READ_MESSAGE_HISTORY)
    number = int(given.get("message_id") or 0)
    if call.world.messages.get(channel.id, number) is None:
        if given.get("fail_if_not_exists", True) is False:
            return None, 0
        complaint = {"code": "REPLIES_UNKNOWN_MESSAGE", "message": "Unknown message"}
        raise ApiError(400, 50035, "Invalid Form Body", {"message_reference": {"_errors": [complaint]}})
    reference: JsonObject = {"type": 0, "message_id": str(number), "channel_id": str(channel.id)}
    if channel.guild_id is not None:
        reference["guild_id"] = str(channel.guild_id)
    return reference, REPLY


# ---- reading ----------------------------------------------------------------------------------------------


async def history(call: Call) -> Reply:
    """GET messages. Without Read Message History Discord answers an empty list and 200."""
    channel = call.channel()
    limit = call.query_number("limit", 50, least=1, most=100)
    if not call.world.may(call.app.bot_id, channel, Permission.READ_MESSAGE_HISTORY):
        return Reply([])
    found = call.world.messages.history(
        channel.id,
        limit=limit,
        before=call.query_id("before"),
        after=call.query_id("after"),
        around=call.query_id("around"),
    )
    return Reply([as_seen_by(call.world, call.app, channel, message) for message in found])


async def read(call: Call) -> Reply:
    """GET one message."""
    channel = call.channel(need=Permission.READ_MESSAGE_HISTORY)
    return Reply(as_seen_by(call.world, call.app, channel, _message(call, channel)))


def _message(call: Call, channel: Channel) -> Message:
    found = call.world.messages.get(channel.id, call.id("message_id"))
    if found is None or found.ephemeral:
        raise refusal(10008)
    return found


def as_seen_by(world: World, app: Application, channel: Channel, message: Message) -> JsonObject:
    """A message as a bot gets it: without the message content intent, others' messages are empty (except in DMs)."""
    return without_content(app, channel, message.author_id, world.messages.json(message))


def without_content(app: Application, channel: Channel, author_id: int, data: JsonObject) -> JsonObject:
    """The payload of a message, emptied when the application may not read it."""
    own = author_id == app.bot_id or channel.type is ChannelType.DM
    mentioned = any(user["id"] == str(app.bot_id) for user in data["mentions"])
    if own or mentioned or app.privileged_intents & MESSAGE_CONTENT_INTENT:
        return data
    return data | {"content": "", "embeds": [], "attachments": [], "components": []}


# ---- changing ---------------------------------------------------------------------------------------------


async def edit(call: Call) -> Reply:
    """PATCH an own message."""
    channel = call.channel()
    message = _message(call, channel)
    if message.author_id != call.app.bot_id:
        raise refusal(50005)
    if channel.archived:
        raise refusal(50083)
    if call.files:
        call.require(channel, Permission.ATTACH_FILES)
    body = call.json
    if body.get("embeds") and not _may_embed(call, channel):
        body = {**body, "embeds": []}
    changes = edited_message(call.world, message, body, call.files)
    call.world.messages.edit(message, edited_at=call.world.clock.now(), **changes)
    return Reply(call.world.messages.json(message))


async def delete(call: Call) -> Reply:
    """DELETE a message: an own one, or any with Manage Messages."""
    channel = call.channel()
    message = _message(call, channel)
    if message.author_id != call.app.bot_id:
        if channel.type is ChannelType.DM:
            raise refusal(50003)
        call.require(channel, Permission.MANAGE_MESSAGES)
    call.world.messages.delete(message)
    return Reply()


async def typing(call: Call) -> Reply:
    """POST the typing indicator."""
    channel = call.channel()
    if channel.type is not ChannelType.DM:
        in_thread = channel.is_thread
        call.require(channel, Permission.SEND_MESSAGES_IN_THREADS if in_thread else Permission.SEND_MESSAGES)
    return Reply()


_COLLECTION = "/channels/{channel_id}/messages"
_ITEM = "/channels/{channel_id}/messages/{message_id}"

ROUTES = [
    Route("POST", _COLLECTION, create, Rate(5, 5.0)),
    Route("GET", _COLLECTION, history),
    Route("GET", _ITEM, read),
    Route("PATCH", _ITEM, edit, Rate(5, 5.0)),
    Route("DELETE", _ITEM, delete, Rate(5, 1.0)),
    Route("POST", "/channels/{channel_id}/typing", typing),
]
