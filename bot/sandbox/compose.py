"""From an accepted message body to what the world stores.

Promises: attachments joined with their files, embeds as Discord keeps them. Leaves refusing to `limits`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.sandbox import wire
from bot.sandbox.components import flat, with_files
from bot.sandbox.errors import ApiError
from bot.sandbox.limits import check_message, kept_flags, trimmed
from bot.sandbox.limits_components import TEXT
from bot.sandbox.mentions import Mentions, mentioned
from bot.sandbox.messages import Draft
from bot.sandbox.model import Attachment, Channel, JsonObject, Message, MessageFlag
from bot.sandbox.permissions import Permission

if TYPE_CHECKING:
    from bot.sandbox.world import World

Files = dict[int, Attachment]


def new_message(world: World, channel: Channel, author_id: int, body: JsonObject, files: Files) -> Draft:
    """A checked draft of a new message.

    Raises:
        ApiError: 50035 or 50006.
    """
    check_message(body, len(files))
    attachments = _attachments(body, files, [])
    nonce = body.get("nonce")
    return Draft(
        content=trimmed(body.get("content")),
        embeds=_embeds(world, channel, body.get("embeds"), attachments),
        components=_components(world, channel, body.get("components"), attachments),
        attachments=attachments,
        flags=kept_flags(body),
        nonce=None if nonce is None else str(nonce),
        mentions=_mentions(world, channel, author_id, body),
    )


def _mentions(world: World, channel: Channel, author_id: int, body: JsonObject) -> Mentions:
    texts = [str(body.get("content") or "")]
    texts += [str(part["content"]) for part in flat(body.get("components") or []) if part["type"] == TEXT]
    everyone = bool(world.permissions(channel, author_id) & Permission.MENTION_EVERYONE)
    return mentioned(texts, body.get("allowed_mentions"), may_everyone=everyone)


def edited_message(
    world: World, message: Message, body: JsonObject, files: Files, *, must_show: bool = False
) -> dict[str, object]:
    """The checked changes of an edit.

    Args:
        world: the world.
        message: the message to change.
        body: the JSON body; what it leaves out stays.
        files: new files.
        must_show: whether the body itself has to bring something (a deferred answer gets its content).

    Raises:
        ApiError: 50035, or 50006 when nothing would be left.
    """
    check_message(body, len(files), was_v2=message.is_v2, editing=not must_show)
    channel = world.channels[message.channel_id]
    changes: dict[str, object] = {}
    attachments = message.attachments
    if "attachments" in body or files:
        attachments = changes["attachments"] = _attachments(body, files, message.attachments)
    if "content" in body:
        changes["content"] = trimmed(body["content"])
    if "embeds" in body:
        changes["embeds"] = _embeds(world, channel, body["embeds"], attachments)
    if "components" in body:
        changes["components"] = _components(world, channel, body["components"], attachments)
    if body.get("flags") is not None:
        changes["flags"] = _edited_flags(message, body)
    _refuse_empty(message, changes)
    return changes


def _edited_flags(message: Message, body: JsonObject) -> int:
    # Suppressing embeds can be switched; Components V2 can only be switched on.
    wanted = kept_flags(body)
    kept = message.flags & ~MessageFlag.SUPPRESS_EMBEDS
    return int(kept | (wanted & (MessageFlag.SUPPRESS_EMBEDS | MessageFlag.COMPONENTS_V2)))


def _refuse_empty(message: Message, changes: dict[str, object]) -> None:
    shown = [
        changes.get(name, getattr(message, name))
        for name in ("content", "embeds", "components", "attachments")
    ]
    if not any(shown):
        raise ApiError(400, 50006, "Cannot send an empty message")


def _attachments(body: JsonObject, files: Files, present: list[Attachment]) -> list[Attachment]:
    by_id = {attachment.id: attachment for attachment in present}
    # A list says what stays and what is new; without one everything present stays.
    listed = body.get("attachments")
    if listed is None:
        return [*present, *files.values()]
    kept: list[Attachment] = []
    waiting = dict(files)
    for index, entry in enumerate(listed):
        number = int(entry["id"])
        found = waiting.pop(number, None) or by_id.get(number)
        if found is None:
            complaint = {"code": "ATTACHMENT_NOT_FOUND", "message": f"Attachment data for {number} not found"}
            errors = {"attachments": {str(index): {"_errors": [complaint]}}}
            raise ApiError(400, 50035, "Invalid Form Body", errors)
        found.description = entry.get("description", found.description)
        kept.append(found)
    return [*kept, *waiting.values()]


def _by_name(world: World, channel: Channel, attachments: list[Attachment]) -> dict[str, JsonObject]:
    return {item.filename: wire.attachment(item, channel.id, world.base_url) for item in attachments}


def _components(
    world: World, channel: Channel, value: list[JsonObject] | None, attachments: list[Attachment]
) -> list[JsonObject]:
    return with_files(value or [], _by_name(world, channel, attachments))


def _embeds(
    world: World, channel: Channel, value: list[JsonObject] | None, attachments: list[Attachment]
) -> list[JsonObject]:
    files = _by_name(world, channel, attachments)
    made = []
    for given in value or []:
        embed = {name: part for name, part in given.items() if part not in (None, [], {})}
        embed.setdefault("type", "rich")
        for name in ("image", "thumbnail"):
            address = embed.get(name, {}).get("url", "")
            if address.startswith("attachment://") and address[13:] in files:
                embed[name] = {**embed[name], "url": files[address[13:]]["url"]}
        made.append(embed)
    return made
