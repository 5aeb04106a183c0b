"""What Discord refuses in a message.

Promises: content, embeds, files and flags within the limits of Discord's reference ("Create Message", "Embed Limits"),
else `ApiError` 50035 or 50006. Leaves components to `limits_components` and rights to `rest_messages`.
"""

from __future__ import annotations

import re

from bot.sandbox.errors import refusal
from bot.sandbox.form import Form, Path, items_of, record_of, units
from bot.sandbox.limits_components import check_components
from bot.sandbox.model import JsonObject, MessageFlag

CONTENT = 2000
EMBEDS = 10
EMBED_TOTAL = 6000
FILES = 10
FILE_BYTES = 10 * 1024 * 1024
NONCE = 25

# Discord trims white space and zero-width characters around a message, so a text of nothing else is empty.
_BLANK_EDGES = re.compile(r"^[\s\u200b\u200c\u200d\u2060\ufeff]+|[\s\u200b\u200c\u200d\u2060\ufeff]+$")

_SETTABLE_FLAGS = int(
    MessageFlag.SUPPRESS_EMBEDS
    | MessageFlag.EPHEMERAL
    | MessageFlag.SUPPRESS_NOTIFICATIONS
    | MessageFlag.COMPONENTS_V2
)


class ClientRefusal(Exception):  # noqa: N818 - what the client does is refuse, not fail
    """What Discord's client wouldn't even send; the text is the sentence it shows."""


def trimmed(content: str | None) -> str:
    """Message text as Discord stores it."""
    return _BLANK_EDGES.sub("", content or "")


def is_blank(text: str) -> bool:
    """Whether Discord would show nothing of a text."""
    return not trimmed(text)


def check_message(body: JsonObject, files: int = 0, *, was_v2: bool = False, editing: bool = False) -> None:
    """Refuse a message body that Discord would refuse.

    Args:
        body: the JSON body (of a message, an answer to an interaction, a follow-up, an edit).
        files: how many files came with it.
        was_v2: whether the edited message already has the Components V2 flag.
        editing: an edit may leave everything out.

    Raises:
        ApiError: 50035 with the tree of errors, or 50006 for a message with nothing in it.
    """
    form = Form()
    flags = form.whole(("flags",), body.get("flags"), least=0, most=(1 << 31) - 1) or 0
    is_v2 = was_v2 or bool(flags & MessageFlag.COMPONENTS_V2)
    form.text(("content",), body.get("content"), longest=CONTENT)
    _check_nonce(form, body)
    check_embeds(form, ("embeds",), body.get("embeds"))
    check_components(form, ("components",), body.get("components"), is_v2=is_v2)
    _check_attachments(form, body, files)
    _check_mentions(form, body.get("allowed_mentions"))
    _check_reference(form, body.get("message_reference"))
    if is_v2:
        _refuse_legacy_fields(form, body)
    form.finish()
    if not editing and is_empty(body, files, is_v2=is_v2):
        raise refusal(50006)


def is_empty(body: JsonObject, files: int, *, is_v2: bool) -> bool:
    """Whether a message would show nothing."""
    if is_v2:
        return not body.get("components")
    shown = (
        trimmed(body.get("content")),
        body.get("embeds"),
        body.get("components"),
        body.get("attachments"),
    )
    return not any(shown) and not files


def kept_flags(body: JsonObject) -> int:
    """The flags of a body that a sender may set; Discord ignores the others."""
    return int(body.get("flags") or 0) & _SETTABLE_FLAGS


def _refuse_legacy_fields(form: Form, body: JsonObject) -> None:
    for name in ("content", "embeds", "poll", "sticker_ids"):
        if body.get(name):
            form.fail(
                (name,),
                "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                f"The '{name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
            )


def _check_nonce(form: Form, body: JsonObject) -> None:
    nonce = body.get("nonce")
    if nonce is not None and not isinstance(nonce, int):
        form.text(("nonce",), nonce, longest=NONCE)
    elif isinstance(nonce, bool):
        form.fail(("nonce",), "UNION_TYPE_CHOICES", "Value must be an integer or a string.")
    form.truth(("enforce_nonce",), body.get("enforce_nonce"))
    form.truth(("tts",), body.get("tts"))


def _check_attachments(form: Form, body: JsonObject, files: int) -> None:
    listed = form.items(("attachments",), body.get("attachments"), most=FILES)
    if files > FILES:
        form.fail(("files",), "BASE_TYPE_MAX_LENGTH", f"Must be {FILES} or fewer in length.")
    for index, item in enumerate(listed):
        entry = form.record(("attachments", index), item)
        if entry is not None:
            form.snowflake(("attachments", index, "id"), entry.get("id"), required=True)
            form.text(("attachments", index, "filename"), entry.get("filename"), longest=1024)
            form.text(("attachments", index, "description"), entry.get("description"), longest=1024)


def _check_mentions(form: Form, value: object) -> None:
    if value is None:
        return
    mentions = form.record(("allowed_mentions",), value)
    if mentions is None:
        return
    parse = form.items(("allowed_mentions", "parse"), mentions.get("parse"), most=3)
    for index, kind in enumerate(parse):
        form.one_of(("allowed_mentions", "parse", index), kind, ("users", "roles", "everyone"))
    for name in ("users", "roles"):
        listed = form.items(("allowed_mentions", name), mentions.get(name), most=100)
        for index, number in enumerate(listed):
            form.snowflake(("allowed_mentions", name, index), number, required=True)
        if listed and name in parse:
            message = f'parse:["{name}"] and {name}: [ids...] are mutually exclusive.'
            form.fail(("allowed_mentions",), "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", message)


def _check_reference(form: Form, value: object) -> None:
    if value is None:
        return
    reference = form.record(("message_reference",), value)
    if reference is not None:
        form.snowflake(("message_reference", "message_id"), reference.get("message_id"), required=True)


# ---- embeds -----------------------------------------------------------------------------------------------


def check_embeds(form: Form, path: Path, value: object) -> None:
    """Complain about embeds: each field's length, 25 fields, 10 embeds, 6000 characters over all of them."""
    embeds = form.items(path, value, most=EMBEDS)
    total = 0
    for index, item in enumerate(embeds):
        embed = form.record((*path, index), item)
        if embed is not None:
            _check_embed(form, (*path, index), embed)
            total += embed_length(embed)
    if total > EMBED_TOTAL:
        message = f"Embed size exceeds maximum size of {EMBED_TOTAL}"
        form.fail((*path, len(embeds) - 1), "MAX_EMBED_SIZE_EXCEEDED", message)


def embed_length(embed: JsonObject) -> int:
    """The characters of an embed that count towards 6000."""
    texts = [embed.get("title"), embed.get("description")]
    texts += [record_of(embed.get("author")).get("name"), record_of(embed.get("footer")).get("text")]
    for part in map(record_of, items_of(embed.get("fields"))):
        texts += [part.get("name"), part.get("value")]
    return sum(units(text) for text in texts if isinstance(text, str))


def _check_embed(form: Form, path: Path, embed: JsonObject) -> None:
    form.text((*path, "title"), embed.get("title"), longest=256)
    form.text((*path, "description"), embed.get("description"), longest=4096)
    form.whole((*path, "color"), embed.get("color"), least=0, most=0xFFFFFF)
    form.url((*path, "url"), embed.get("url"), ("http", "https"))
    form.moment((*path, "timestamp"), embed.get("timestamp"))
    for name, key, longest in (("footer", "text", 2048), ("author", "name", 256)):
        if isinstance(part := embed.get(name), dict):
            form.text((*path, name, key), part.get(key), longest=longest, required=True)
            form.url((*path, name, "icon_url"), part.get("icon_url"), ("http", "https", "attachment"))
    if isinstance(author := embed.get("author"), dict):
        form.url((*path, "author", "url"), author.get("url"), ("http", "https"))
    for name in ("image", "thumbnail"):
        if isinstance(part := embed.get(name), dict):
            form.url((*path, name, "url"), part.get("url"), ("http", "https", "attachment"))
    _check_fields(form, (*path, "fields"), embed.get("fields"))
    shown = ("title", "description", "fields", "image", "thumbnail", "footer", "author")
    if not any(embed.get(name) for name in shown):
        form.fail((*path, "description"), "BASE_TYPE_REQUIRED", "This field is required")


def _check_fields(form: Form, path: Path, value: object) -> None:
    for index, item in enumerate(form.items(path, value, most=25)):
        part = form.record((*path, index), item)
        if part is not None:
            form.text((*path, index, "name"), part.get("name"), longest=256, required=True)
            form.text((*path, index, "value"), part.get("value"), longest=1024, required=True)
