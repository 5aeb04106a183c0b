"""The event stream of the page: one WebSocket a page, for one person.

Promises: on connecting the whole state, then every event the person may see, in order; a page that is too slow is cut
off and starts anew. Leaves to the page: reconnecting, and reading the messages of the open channel again.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from aiohttp import WSCloseCode, WSMsgType, web

from bot.sandbox.model import ChannelType, Event, JsonObject, User

if TYPE_CHECKING:
    from bot.sandbox.page_log import RequestLog
    from bot.sandbox.page_state import PageState
    from bot.sandbox.server import Sandbox

_MESSAGES = ("MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE")
_STRUCTURE = ("CHANNEL_", "THREAD_", "GUILD_", "SANDBOX_")
_BACKLOG = 2000
_HEARTBEAT = 25.0
_CLIENT_MESSAGE = 4096
# Stands for the whole state in a page's queue; it is built when its turn comes, so a burst of changes is one state.
_STATE: JsonObject = {"kind": "state"}


class Stream:
    """Serves the WebSockets of all open pages."""

    def __init__(self, sandbox: Sandbox, state: PageState, log: RequestLog) -> None:
        self._world = sandbox.world
        self._state = state
        self._log = log
        self._open: set[web.WebSocketResponse] = set()

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """`GET /page/socket?user=ID`."""
        person = self._state.person(request.query.get("user"))
        socket = web.WebSocketResponse(heartbeat=_HEARTBEAT, max_msg_size=_CLIENT_MESSAGE)
        await socket.prepare(request)
        feed = _Feed(self, person)
        feed.put({"kind": "requests", "data": list(self._log.recent)})
        feed.put(_STATE)
        stops = [self._world.subscribe(feed.hear), self._log.subscribe(feed.hear_request)]
        self._open.add(socket)
        writer = asyncio.create_task(self._write(socket, feed), name="sandbox page writer")
        try:
            async for message in socket:
                if message.type is WSMsgType.ERROR:
                    break
        finally:
            for stop in stops:
                stop()
            self._open.discard(socket)
            writer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await writer
        return socket

    async def _write(self, socket: web.WebSocketResponse, feed: _Feed) -> None:
        # When the socket closes, the reader ends and cancels this task.
        with contextlib.suppress(ConnectionError):
            while not feed.overflown:
                item = await feed.take()
                if item is _STATE:
                    item = {"kind": "state", "data": self._state.snapshot(feed.person)}
                await socket.send_json(item)
            await socket.close(code=WSCloseCode.TRY_AGAIN_LATER, message=b"too slow")

    async def close_all(self, app: web.Application) -> None:
        """Close every page's stream; aiohttp would otherwise wait for them at shutdown."""
        for socket in tuple(self._open):
            await socket.close(code=WSCloseCode.GOING_AWAY, message=b"the sandbox stops")

    def told(self, person: User, event: Event) -> JsonObject | None:
        """What a person's page is told of an event; None for nothing."""
        if event.name in _MESSAGES:
            if self._world.sees(person.id, event):
                return {"kind": "message", "name": event.name, "data": self._state.named(event.data)}
            return self._elsewhere(person, event)
        if event.name.startswith(_STRUCTURE) and self._world.sees(person.id, event):
            return _STATE
        return None

    def _elsewhere(self, person: User, event: Event) -> JsonObject | None:
        """A DM to another persona: only that there is one, so that the page can mark the switch."""
        channel = self._world.channels.get(event.channel_id or 0)
        if event.name != "MESSAGE_CREATE" or channel is None or channel.type is not ChannelType.DM:
            return None
        others = [user_id for user_id in channel.recipients if not self._world.users[user_id].bot]
        return {"kind": "elsewhere", "users": [str(user_id) for user_id in others if user_id != person.id]}


class _Feed:
    """One page's share of the events, waiting to be written."""

    def __init__(self, stream: Stream, person: User) -> None:
        self._stream = stream
        self._state_waits = False
        self.person = person
        self.queue: asyncio.Queue[JsonObject] = asyncio.Queue(_BACKLOG)
        self.overflown = False

    def hear(self, event: Event) -> None:
        told = self._stream.told(self.person, event)
        if told is not None:
            self.put(told)

    def hear_request(self, entry: JsonObject) -> None:
        self.put({"kind": "request", "data": entry})

    def put(self, item: JsonObject) -> None:
        if item is _STATE and self._state_waits:
            return
        try:
            self.queue.put_nowait(item)
        except asyncio.QueueFull:
            self.overflown = True
        else:
            self._state_waits = self._state_waits or item is _STATE

    async def take(self) -> JsonObject:
        item = await self.queue.get()
        if item is _STATE:
            self._state_waits = False
        return item
