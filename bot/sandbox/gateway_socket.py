"""One WebSocket of the gateway.

Promises: frames go out in order, compressed as asked (``zlib-stream``; anything else as plain text); what comes in is
bounded in size and number, with Discord's close codes. Leaves the conversation to `gateway`.
"""

from __future__ import annotations

import asyncio
import json
import time
import zlib
from collections import deque
from enum import IntEnum

from aiohttp import WSCloseCode, WSMsgType, web

from bot.sandbox.model import JsonObject

MOST_BYTES = 4096
MOST_A_MINUTE = 120


class Close(IntEnum):
    """Discord's gateway close codes."""

    GOING_AWAY = int(WSCloseCode.GOING_AWAY)
    UNKNOWN_OPCODE = 4001
    DECODE_ERROR = 4002
    NOT_AUTHENTICATED = 4003
    AUTHENTICATION_FAILED = 4004
    ALREADY_AUTHENTICATED = 4005
    RATE_LIMITED = 4008
    TIMED_OUT = 4009
    INVALID_SHARD = 4010
    INVALID_VERSION = 4012
    INVALID_INTENTS = 4013
    DISALLOWED_INTENTS = 4014


class GatewayCloseError(Exception):
    """The connection has to be closed with a code."""

    def __init__(self, code: Close) -> None:
        super().__init__(code.name)
        self.code = code


class Socket:
    """A connection with its queue of frames to send."""

    def __init__(self, request: web.Request) -> None:
        self._request = request
        self.response = web.WebSocketResponse(compress=False, max_msg_size=1 << 16)
        self._queue: asyncio.Queue[JsonObject | None] = asyncio.Queue()
        self._writer: asyncio.Task[None] | None = None
        self._received: deque[float] = deque()
        compressed = request.query.get("compress") == "zlib-stream"
        self._zlib = zlib.compressobj() if compressed else None
        self._aborted = False

    async def open(self) -> None:
        """Shake hands and start sending."""
        await self.response.prepare(self._request)
        self._writer = asyncio.create_task(self._write(), name="sandbox gateway writer")

    @property
    def client_said_goodbye(self) -> bool:
        """Whether the client closed with 1000 or 1001, which ends its session."""
        return not self._aborted and self.response.close_code in (1000, 1001)

    def send(self, frame: JsonObject) -> None:
        """Queue a frame."""
        self._queue.put_nowait(frame)

    async def _write(self) -> None:
        while (frame := await self._queue.get()) is not None:
            text = json.dumps(frame)
            try:
                await self._write_text(text)
            except ConnectionError:
                return

    async def _write_text(self, text: str) -> None:
        if self._zlib is None:
            await self.response.send_str(text)
        else:
            data = self._zlib.compress(text.encode())
            await self.response.send_bytes(data + self._zlib.flush(zlib.Z_SYNC_FLUSH))

    async def receive(self, patience: float) -> JsonObject | None:
        """The next frame; None when the connection ended.

        Raises:
            GatewayCloseError: silence for longer than `patience` seconds, a flood, or a frame that can't be read.
        """
        if self._request.query.get("v", "10") != "10":
            raise GatewayCloseError(Close.INVALID_VERSION)
        try:
            message = await self.response.receive(timeout=patience)
        except TimeoutError:
            raise GatewayCloseError(Close.TIMED_OUT) from None
        if message.type is not WSMsgType.TEXT:
            return None
        self._count()
        if len(message.data.encode()) > MOST_BYTES:
            raise GatewayCloseError(Close.DECODE_ERROR)
        return _parsed(message.data)

    def _count(self) -> None:
        now = time.monotonic()
        self._received.append(now)
        while self._received[0] < now - 60:
            self._received.popleft()
        if len(self._received) > MOST_A_MINUTE:
            raise GatewayCloseError(Close.RATE_LIMITED)

    def abort(self) -> None:
        """Cut the connection without a closing handshake."""
        self._aborted = True
        if self._request.transport is not None:
            self._request.transport.abort()

    async def close(self, code: int) -> None:
        """Close with a code."""
        self._aborted = True
        self.send_last()
        if self._writer is not None:
            await asyncio.wait([self._writer], timeout=1)
        await self.response.close(code=code)

    def send_last(self) -> None:
        """End the queue after what is in it."""
        self._queue.put_nowait(None)

    async def finish(self) -> None:
        """Stop sending."""
        if self._writer is not None:
            self._writer.cancel()
            await asyncio.gather(self._writer, return_exceptions=True)


def _parsed(text: str) -> JsonObject:
    try:
        frame = json.loads(text)
    except ValueError:
        raise GatewayCloseError(Close.DECODE_ERROR) from None
    if not isinstance(frame, dict):
        raise GatewayCloseError(Close.DECODE_ERROR)
    return frame
