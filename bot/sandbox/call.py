"""One HTTP request to the API, read and checked.

Promises: the JSON body (also out of a multipart form), the uploaded files, ids out of the path; a body that can't be
read is refused as Discord does. Leaves what it means to the `rest_*` modules.
"""

from __future__ import annotations

import json
import mimetypes
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aiohttp import BodyPartReader, web

from bot.sandbox.errors import ApiError, refusal
from bot.sandbox.limits import FILE_BYTES
from bot.sandbox.model import Application, Attachment, Channel, Guild, JsonObject
from bot.sandbox.permissions import Permission

if TYPE_CHECKING:
    from bot.sandbox.world import World

BODY_BYTES = 26 * 1024 * 1024
_FILE_FIELD = re.compile(r"^files?\[(\d+)\]$|^file$")


@dataclass(slots=True)
class Call:
    """A request.

    Attributes:
        world: the world it acts on.
        request: aiohttp's request.
        body: the JSON body; None when there was none.
        files: uploaded files by their index in the form (``files[0]``).
        caller: the application whose token came with it; None on routes that need none.
    """

    world: World
    request: web.Request
    body: Any = None
    files: dict[int, Attachment] = field(default_factory=dict)
    caller: Application | None = None

    @property
    def app(self) -> Application:
        """The authenticated application.

        Raises:
            ApiError: 401 when there is none.
        """
        if self.caller is None:
            raise refusal(0)
        return self.caller

    @property
    def json(self) -> JsonObject:
        """The body as an object.

        Raises:
            ApiError: 50035 for any other JSON.
        """
        if self.body is None:
            return {}
        if not isinstance(self.body, dict):
            complaint = {
                "code": "MODEL_TYPE_CONVERT",
                "message": "Only dictionaries may be used in a ModelType",
            }
            raise ApiError(400, 50035, "Invalid Form Body", {"_errors": [complaint]})
        return self.body

    def id(self, name: str) -> int:
        """An id of the path.

        Raises:
            ApiError: 50035 when it is no number.
        """
        return _snowflake(name, self.request.match_info[name])

    def query_id(self, name: str) -> int | None:
        """An id of the query, or None."""
        value = self.request.query.get(name)
        return None if value is None else _snowflake(name, value)

    def query_number(self, name: str, default: int, *, least: int, most: int) -> int:
        """A bounded number of the query.

        Raises:
            ApiError: 50035 when it is no number or out of bounds.
        """
        text = self.request.query.get(name, str(default))
        if text.isascii() and text.isdigit() and least <= int(text[:9]) <= most:
            return int(text)
        complaint = {"code": "NUMBER_TYPE_MAX", "message": f"int value should be between {least} and {most}."}
        raise ApiError(400, 50035, "Invalid Form Body", {name: {"_errors": [complaint]}})

    def query_flag(self, name: str) -> bool:
        """A truth of the query ("true" or "1")."""
        return self.request.query.get(name, "").lower() in ("true", "1")

    def channel(self, *, need: int = 0) -> Channel:
        """The channel of the path, seen by the caller and with the given rights.

        Raises:
            ApiError: 10003 unknown, 50001 invisible, 50013 a right is missing.
        """
        found = self.world.channels.get(self.id("channel_id"))
        if found is None or self._is_cut_off(found):
            raise refusal(10003)
        self.require(found, need)
        return found

    def require(self, channel: Channel, need: int) -> None:
        """Check the caller's rights in a channel.

        Raises:
            ApiError: 50001 when it doesn't see the channel, 50013 when a right is missing.
        """
        held = self.world.permissions(channel, self.app.bot_id)
        if not held & Permission.VIEW_CHANNEL:
            raise refusal(50001)
        if held & need != need:
            raise refusal(50013)

    def guild(self) -> Guild:
        """The server of the path, of which the caller's bot is a member.

        Raises:
            ApiError: 10004 when it isn't or there is no such server.
        """
        found = self.world.guilds.get(self.id("guild_id"))
        if found is None or self.app.bot_id not in found.members:
            raise refusal(10004)
        return found

    def _is_cut_off(self, channel: Channel) -> bool:
        guild = self.world.guilds.get(channel.guild_id or 0)
        return guild is not None and guild.unavailable


def snowflake_of(text: str | None) -> int | None:
    """The id that a text is, or None."""
    if text and text.isascii() and text.isdigit() and len(text) <= 20:
        return int(text)
    return None


def _snowflake(name: str, text: str) -> int:
    number = snowflake_of(text)
    if number is not None:
        return number
    complaint = {"code": "NUMBER_TYPE_COERCE", "message": f'Value "{text}" is not snowflake.'}
    raise ApiError(400, 50035, "Invalid Form Body", {name: {"_errors": [complaint]}})


async def read_body(call: Call) -> None:
    """Fill in the body and files of a call.

    Raises:
        ApiError: 50109 for broken JSON, 40005 for a body or file that is too large.
    """
    request = call.request
    if request.content_type.startswith("multipart/"):
        await _read_form(call)
    elif request.can_read_body:
        try:
            raw = await request.read()
        except web.HTTPRequestEntityTooLarge:
            raise refusal(40005) from None
        call.body = _parsed(raw) if raw.strip() else None


def _parsed(raw: bytes) -> Any:  # noqa: ANN401 - JSON of any shape
    try:
        value = json.loads(raw, parse_constant=_no_number)
        if b"\\ud" in raw.lower():
            # Half a surrogate pair is no text: nothing after this point could print it.
            json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise refusal(50109) from None
    return value


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


async def _read_form(call: Call) -> None:
    # aiohttp's own limit doesn't hold for a form that is read part by part.
    total = 0
    async for part in await call.request.multipart():
        if not isinstance(part, BodyPartReader) or part.name is None:
            continue
        data = await _read_part(part, BODY_BYTES - total)
        total += len(data)
        match = _FILE_FIELD.match(part.name)
        if part.name == "payload_json":
            call.body = _parsed(data)
        elif match is not None:
            call.files[int(match[1] or 0)] = _file(call.world, part, data)


async def _read_part(part: BodyPartReader, room: int) -> bytes:
    data = bytearray()
    while chunk := await part.read_chunk(64 * 1024):
        data += chunk
        if len(data) > room:
            raise refusal(40005)
    return bytes(data)


def _file(world: World, part: BodyPartReader, data: bytes) -> Attachment:
    if len(data) > FILE_BYTES:
        raise refusal(40005)
    # Discord stores blanks as underscores; `attachment://` addresses have to name the stored file.
    name = safe_filename(part.filename or "unknown").replace(" ", "_")
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Attachment(world.new_id(), name, data, kind)


def safe_filename(name: str) -> str:
    """A file name as Discord keeps it: no path, no odd characters."""
    return re.sub(r"[^\w.\-()\[\] ]", "_", name.replace("\\", "/").rsplit("/", 1)[-1])[:100] or "unknown"
