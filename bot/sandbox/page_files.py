"""Files that a person gives the page: uploads for a command's option, and listings for the watched folder.

Promises: bounded in size and number, safe names (`Sandbox.drop_listing`), a sentence when a file can't be taken.
Leaves what becomes of them to the bot.
"""

from __future__ import annotations

import asyncio
import mimetypes
from collections import OrderedDict
from importlib.resources import files
from typing import TYPE_CHECKING

from aiohttp import hdrs, web

from bot.sandbox.limits import FILE_BYTES
from bot.sandbox.model import Attachment, JsonObject, User
from bot.sandbox.server import LISTING_BYTES

if TYPE_CHECKING:
    from bot.sandbox.page_state import PageState
    from bot.sandbox.server import Sandbox

_KEPT_UPLOADS = 8
_SAMPLE = files("bot.sandbox") / "sample"


class Files:
    """Takes files."""

    def __init__(self, sandbox: Sandbox, state: PageState) -> None:
        self._sandbox = sandbox
        self._state = state
        self._uploads: OrderedDict[str, tuple[int, Attachment]] = OrderedDict()

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Add the routes."""
        router.add_post("/page/upload", self._upload)
        router.add_post("/page/listing", self._drop_listing)

    def uploaded(self, person: User, handle: str) -> Attachment | None:
        """A person's upload by its id; None when there is none, or it is another person's."""
        owner, upload = self._uploads.get(handle, (0, None))
        return upload if owner == person.id else None

    async def _upload(self, request: web.Request) -> web.Response:
        """A file for an attachment option, `?user=…&name=…`; the answer's `id` stands for it in `/page/command`."""
        person = self._state.person(request.query.get("user"))
        name = request.query.get("name") or "file"
        data = await _file_of(request, FILE_BYTES)
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        made = self._sandbox.human(person).attach(name, data, kind)
        self._uploads[str(made.id)] = (person.id, made)
        while len(self._uploads) > _KEPT_UPLOADS:
            self._uploads.popitem(last=False)
        return web.json_response({"id": str(made.id), "name": made.filename, "size": len(data)})

    async def _drop_listing(self, request: web.Request) -> web.Response:
        """A listing for the watched folder, `?name=…`, the file as the body."""
        data = await _file_of(request, LISTING_BYTES)
        try:
            name = await self._drop(request.query.get("name") or "listing.txt", data)
        except ValueError as error:
            return refused(str(error), 422)
        except OSError as error:
            return refused(unwritable(error), 500)
        return web.json_response({"name": name})

    async def drop_tomorrow(self) -> JsonObject:
        """Put the second sample listing into the watched folder.

        Raises:
            ValueError: no folder is watched.
            OSError: it can't be written.
        """
        # The summaries first: so they are there when the listing is noticed.
        for name in ("tomorrow.en.json", "tomorrow.txt"):
            await self._drop(name, (_SAMPLE / name).read_bytes())
        return {"name": "tomorrow.txt"}

    async def _drop(self, name: str, data: bytes) -> str:
        return (await asyncio.to_thread(self._sandbox.drop_listing, name, data)).name


def unwritable(error: OSError) -> str:
    """What is said when the watched folder takes no file."""
    return f"The listing can't be written into the watched folder: {error.strerror or error}"


def refused(sentence: str, status: int = 400) -> web.Response:
    """A refusal as the page shows it."""
    return web.json_response({"error": sentence}, status=status)


async def read_bounded(request: web.Request, most: int) -> bytes:
    """The body, at most `most` bytes.

    Raises:
        HTTPRequestEntityTooLarge: it is longer.
    """
    data = bytearray()
    async for chunk in request.content.iter_chunked(1 << 16):
        data += chunk
        if len(data) > most:
            raise web.HTTPRequestEntityTooLarge(
                max_size=most, actual_size=len(data), text=f"The file is larger than {most >> 20} MB."
            )
    return bytes(data)


async def _file_of(request: web.Request, most: int) -> bytes:
    # This type is none a foreign page's form can send without asking first.
    if request.headers.get(hdrs.CONTENT_TYPE) != "application/octet-stream":
        raise web.HTTPUnsupportedMediaType(text="The page sends files as application/octet-stream.")
    return await read_bounded(request, most)
