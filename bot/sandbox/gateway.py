"""Discord's gateway: sessions of bots and the events they get.

Promises: hello, identify, ready, heartbeat, resume with replay, invalid session, reconnect, and Discord's close codes;
events filtered by intents, shard and what the bot may see. Leaves the frames of one socket to `gateway_socket`.
"""

from __future__ import annotations

import secrets
import time
from typing import TYPE_CHECKING

from aiohttp import web

from bot.sandbox import wire
from bot.sandbox.gateway_session import Session, shard_of
from bot.sandbox.gateway_socket import Close, GatewayCloseError, Socket
from bot.sandbox.model import Application, ChannelType, Event, JsonObject
from bot.sandbox.rest_messages import without_content
from bot.sandbox.rest_meta import gateway_url

if TYPE_CHECKING:
    from bot.sandbox.world import World

GUILDS, GUILD_MEMBERS, GUILD_MESSAGES, DIRECT_MESSAGES = 1 << 0, 1 << 1, 1 << 9, 1 << 12
GUILD_PRESENCES, MESSAGE_CONTENT = 1 << 8, 1 << 15
PRIVILEGED = GUILD_MEMBERS | GUILD_PRESENCES | MESSAGE_CONTENT
KNOWN_INTENTS = (1 << 26) - 1
HEARTBEAT_SECONDS = 41.25
SESSION_SECONDS = 120.0
HEARTBEAT, IDENTIFY, PRESENCE, VOICE, RESUME, RECONNECT, MEMBERS, INVALID, HELLO, ACK = (
    1,
    2,
    3,
    4,
    6,
    7,
    8,
    9,
    10,
    11,
)


class Gateway:
    """All sessions of one world."""

    def __init__(self, world: World, *, heartbeat_seconds: float = HEARTBEAT_SECONDS) -> None:
        self._world = world
        self._heartbeat = heartbeat_seconds
        self._sessions: dict[str, Session] = {}
        self._sockets: set[Socket] = set()
        self._stop = world.subscribe(self._on_event)
        self.identifies = 0
        self.resumes = 0

    # ---- for tests and the page ---------------------------------------------------------------------------

    def online(self, app_id: int) -> bool:
        """Whether a bot is connected."""
        return any(session.app.id == app_id for session in self._connected())

    def drop(self) -> None:
        """Cut every connection without a word; sessions can be resumed."""
        for session in self._connected():
            if session.socket is not None:
                session.socket.abort()

    def reconnect(self) -> None:
        """Ask every client to reconnect and resume (op 7)."""
        for session in self._connected():
            if session.socket is not None:
                session.socket.send({"op": RECONNECT, "d": None})

    def invalidate(self, *, resumable: bool = False) -> None:
        """Tell every client that its session is invalid (op 9); not resumable ones are forgotten."""
        for session in self._connected():
            if session.socket is not None:
                session.socket.send({"op": INVALID, "d": resumable})
            if not resumable:
                self._forget(session)

    def forget_sessions(self) -> None:
        """Forget every session, so that a resume is answered with op 9; connections stay."""
        self._sessions.clear()

    def _connected(self) -> list[Session]:
        return [session for session in self._sessions.values() if session.socket is not None]

    async def aclose(self) -> None:
        """Close every connection (1001) and stop listening."""
        self._stop()
        for socket in tuple(self._sockets):
            await socket.close(Close.GOING_AWAY)

    # ---- a connection -------------------------------------------------------------------------------------

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """The WebSocket endpoint."""
        socket = Socket(request)
        await socket.open()
        self._sockets.add(socket)
        socket.send({"op": HELLO, "d": {"heartbeat_interval": int(self._heartbeat * 1000)}})
        try:
            await self._converse(socket)
        except GatewayCloseError as closing:
            await socket.close(closing.code)
        finally:
            self._sockets.discard(socket)
            self._lost(socket)
            await socket.finish()
        return socket.response

    async def _converse(self, socket: Socket) -> None:
        session: Session | None = None
        while (frame := await socket.receive(self._heartbeat * 2)) is not None:
            op, data = frame.get("op"), frame.get("d")
            if op == HEARTBEAT:
                socket.send({"op": ACK})
            elif op in (IDENTIFY, RESUME):
                if session is not None:
                    raise GatewayCloseError(Close.ALREADY_AUTHENTICATED)
                session = self._identify(socket, data) if op == IDENTIFY else self._resume(socket, data)
            elif session is None:
                raise GatewayCloseError(Close.NOT_AUTHENTICATED)
            elif op == MEMBERS and isinstance(data, dict):
                self._send_members(session, data)
            elif op not in (PRESENCE, VOICE):
                raise GatewayCloseError(Close.UNKNOWN_OPCODE)

    def _lost(self, socket: Socket) -> None:
        for session in tuple(self._sessions.values()):
            if session.socket is socket:
                session.socket = None
                session.lost_at = time.monotonic()
                if socket.client_said_goodbye:
                    self._sessions.pop(session.id, None)
                self._tell_online(session.app)

    def _forget(self, session: Session) -> None:
        self._sessions.pop(session.id, None)
        self._tell_online(session.app)

    def _tell_online(self, app: Application) -> None:
        data = {"application_id": str(app.id), "online": self.online(app.id)}
        self._world.events.emit("SANDBOX_BOT", data)

    # ---- identify and resume ------------------------------------------------------------------------------

    def _identify(self, socket: Socket, data: object) -> Session:
        if not isinstance(data, dict):
            raise GatewayCloseError(Close.DECODE_ERROR)
        app = self._world.application_of_token(str(data.get("token", "")).removeprefix("Bot "))
        if app is None:
            raise GatewayCloseError(Close.AUTHENTICATION_FAILED)
        intents = data.get("intents")
        if not isinstance(intents, int) or intents & ~KNOWN_INTENTS or intents < 0:
            raise GatewayCloseError(Close.INVALID_INTENTS)
        if intents & PRIVILEGED & ~app.privileged_intents:
            raise GatewayCloseError(Close.DISALLOWED_INTENTS)
        self._expire()
        session = Session(secrets.token_hex(16), app, intents, shard_of(data.get("shard")), socket=socket)
        self._sessions[session.id] = session
        self.identifies += 1
        self._greet(session)
        self._tell_online(app)
        return session

    def _expire(self) -> None:
        # A killed bot never says goodbye; what it left behind must not pile up over a long test.
        limit = time.monotonic() - SESSION_SECONDS
        for session in tuple(self._sessions.values()):
            if session.socket is None and session.lost_at < limit:
                del self._sessions[session.id]

    def _greet(self, session: Session) -> None:
        world, app = self._world, session.app
        mine = [guild for guild in world.guilds_of(app.bot_id) if self._on_shard(session, guild.id)]
        session.dispatch(
            "READY",
            {
                "v": 10,
                "user": wire.user(world.users[app.bot_id])
                | {"verified": True, "mfa_enabled": True, "email": None},
                "guilds": [{"id": str(guild.id), "unavailable": True} for guild in mine],
                "private_channels": [],
                "session_id": session.id,
                "session_type": "normal",
                "resume_gateway_url": gateway_url(world.base_url),
                "shard": list(session.shard),
                "application": {"id": str(app.id), "flags": 0},
                "_trace": [],
            },
        )
        for guild in mine:
            if not guild.unavailable and session.intents & GUILDS:
                session.dispatch("GUILD_CREATE", world.guild_create(guild, app.bot_id))

    def _resume(self, socket: Socket, data: object) -> Session | None:
        if not isinstance(data, dict):
            raise GatewayCloseError(Close.DECODE_ERROR)
        session = self._sessions.get(str(data.get("session_id")))
        sequence = data.get("seq")
        token = str(data.get("token", "")).removeprefix("Bot ")
        if session is not None and token != session.app.token:
            raise GatewayCloseError(Close.AUTHENTICATION_FAILED)
        if session is None or not isinstance(sequence, int) or not session.can_replay(sequence):
            socket.send({"op": INVALID, "d": False})
            return None
        # The old connection may be half dead; two of them would share one sequence.
        if session.socket is not None:
            session.socket.abort()
        session.socket = socket
        self.resumes += 1
        for number, frame in tuple(session.sent):
            if number > sequence:
                socket.send(frame)
        session.dispatch("RESUMED", {"_trace": []})
        self._tell_online(session.app)
        return session

    def _send_members(self, session: Session, data: JsonObject) -> None:
        guild = self._world.guilds.get(int(data.get("guild_id") or 0))
        if guild is None or session.app.bot_id not in guild.members:
            return
        wanted = {int(number) for number in data.get("user_ids") or []}
        query = str(data.get("query") or "").lower()
        people = [self._world.users[user_id] for user_id in guild.members]
        found = [p for p in people if (p.id in wanted if wanted else p.name.lower().startswith(query))]
        chunk: JsonObject = {
            "guild_id": str(guild.id),
            "members": [wire.member(guild.members[person.id], person) for person in found],
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": [str(number) for number in wanted - set(guild.members)],
        }
        if data.get("nonce"):
            chunk["nonce"] = data["nonce"]
        session.dispatch("GUILD_MEMBERS_CHUNK", chunk)

    # ---- events -------------------------------------------------------------------------------------------

    def _on_event(self, event: Event) -> None:
        if event.name.startswith("SANDBOX_"):
            return
        for session in tuple(self._sessions.values()):
            if self._is_for(session, event):
                session.dispatch(event.name, self._payload(session, event))

    def _is_for(self, session: Session, event: Event) -> bool:
        guild_id = event.guild_id or int(event.data.get("guild_id") or 0)
        if not self._on_shard(session, guild_id) or not self._world.sees(session.app.bot_id, event):
            return False
        needed = self._needed_intent(event)
        # A bot is told of its own roles whatever its intents.
        if event.name == "GUILD_MEMBER_UPDATE" and event.data["user"]["id"] == str(session.app.bot_id):
            return True
        return needed == 0 or bool(session.intents & needed)

    def _needed_intent(self, event: Event) -> int:
        if event.name == "INTERACTION_CREATE":
            return 0
        if event.name.startswith("MESSAGE_"):
            return GUILD_MESSAGES if "guild_id" in event.data else DIRECT_MESSAGES
        return GUILD_MEMBERS if event.name.startswith("GUILD_MEMBER") else GUILDS

    def _payload(self, session: Session, event: Event) -> JsonObject:
        if event.name not in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
            return event.data
        channel = self._world.channels[event.channel_id or 0]
        author = int(event.data["author"]["id"])
        if event.user_id is not None or channel.type is ChannelType.DM:
            return event.data
        return without_content(session.app, channel, author, event.data)

    def _on_shard(self, session: Session, guild_id: int) -> bool:
        number, count = session.shard
        return (guild_id >> 22) % count == number
