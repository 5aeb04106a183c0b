"""Serving `/api/v10`: tokens, rate limits, faults and errors around the `rest_*` handlers.

Promises: every answer as Discord gives it (JSON without a charset, X-RateLimit-* and Via headers, its error bodies),
and a record of every request for tests. Leaves what a route does to its handler.
"""

from __future__ import annotations

import json
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiohttp import web

from bot.sandbox import rest_channels, rest_commands, rest_interactions, rest_messages, rest_meta
from bot.sandbox.call import Call, read_body, snowflake_of
from bot.sandbox.errors import ApiError, not_found, refusal
from bot.sandbox.faults import Action, Fault, Faults, When
from bot.sandbox.model import Application
from bot.sandbox.ratelimit import RateLimiter, Verdict
from bot.sandbox.routing import Reply, Route
from bot.sandbox.world import World

_log = logging.getLogger(__name__)

PREFIX = "/api/v10"
VIA = "1.1 google"
INVALID = (401, 403, 429)

ROUTES: list[Route] = [
    *rest_meta.ROUTES,
    *rest_commands.ROUTES,
    *rest_channels.ROUTES,
    *rest_messages.ROUTES,
    *rest_interactions.ROUTES,
]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request as it was served.

    Attributes:
        method: HTTP method.
        template: path template as in Discord's OpenAPI description.
        path: the path below ``/api/v10``.
        body: the JSON body (of a form: its ``payload_json``); None when it wasn't read.
        files: how many files came with it.
        status: what was answered; 0 when the connection was cut.
        code: Discord's error code, or 0.
        accepted: whether it took effect.
    """

    method: str
    template: str
    path: str
    body: object
    files: int
    status: int
    code: int
    accepted: bool


class Api:
    """The HTTP API of one world."""

    def __init__(self, world: World, faults: Faults, limiter: RateLimiter, *, via: str | None = VIA) -> None:
        self.world = world
        self.faults = faults
        self.limiter = limiter
        self.via = via
        self.exchanges: deque[Exchange] = deque(maxlen=50_000)
        self.requests = 0

    def add_routes(self, app: web.Application) -> None:
        """Put the API into an aiohttp application."""
        for route in ROUTES:
            app.router.add_route(route.method, PREFIX + route.path, self._handler(route))
        app.router.add_route("*", "/api/{tail:.*}", self._unknown)

    def _handler(self, route: Route) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def serve(request: web.Request) -> web.StreamResponse:
            return await self._serve(route, request)

        return serve

    async def _unknown(self, request: web.Request) -> web.StreamResponse:
        try:
            self._caller(request)
        except ApiError as error:
            return self._refused(error, {})
        return self._refused(not_found(), {})

    # ---- one request --------------------------------------------------------------------------------------

    async def _serve(self, route: Route, request: web.Request) -> web.StreamResponse:
        self.requests += 1
        # Cloudflare stands in front of everything else, so a banned address isn't even asked for its token.
        if self.limiter.banned:
            return _cloudflare_ban()
        path = request.path.removeprefix(PREFIX)
        fault = self.faults.take(request.method, path, self._channel_id(request))
        if fault is not None and fault.when is When.BEFORE:
            spoiled = await self._spoil(fault, request)
            if spoiled is not None:
                self._record(
                    route, path, Call(self.world, request, None), _status_of(spoiled, fault), fault.code
                )
                return spoiled
        call = Call(self.world, request)
        verdict = Verdict()
        try:
            verdict = self._admit(route, call)
            await read_body(call)
            reply = await route.handler(call)
        except ApiError as error:
            self._record(route, path, call, error.status, error.code)
            return self._refused(error, verdict.headers)
        except (ValueError, TypeError, KeyError, AttributeError, IndexError):
            # A slip of the sandbox, not of the client: loud in the log, a 500 on the wire as Discord's own slips are.
            _log.exception("%s %s broke the sandbox", request.method, path)
            self._record(route, path, call, 500, 0)
            return self._refused(ApiError(500, 0, "500: Internal Server Error"), verdict.headers)
        except _TooFast as limited:
            self._record(route, path, call, 429, 0)
            return self._limited(limited.verdict)
        return await self._accepted(route, path, call, reply, verdict, fault)

    async def _accepted(
        self, route: Route, path: str, call: Call, reply: Reply, verdict: Verdict, fault: Fault | None
    ) -> web.StreamResponse:
        if fault is not None and fault.when is When.AFTER:
            spoiled = await self._spoil(fault, call.request)
            if spoiled is not None:
                status = _status_of(spoiled, fault)
                self._record(route, path, call, status, fault.code, accepted=True)
                return spoiled
        status = 204 if reply.data is None else reply.status
        self._record(route, path, call, status, 0, accepted=True)
        return self._json(None if reply.data is None else reply.data, status, verdict.headers)

    def _admit(self, route: Route, call: Call) -> Verdict:
        if not route.open:
            call.caller = self._caller(call.request)
        who = str(call.caller.id) if call.caller else "open"
        verdict = self.limiter.ask(
            who,
            f"{route.method} {route.path}",
            _major(call.request),
            route.rate,
            counts_globally=not route.open,
        )
        if verdict.retry_after is not None:
            raise _TooFast(verdict)
        # During an outage Discord's servers fail; the channels aren't unknown, and nobody should take them for deleted.
        guild = self.world.guilds.get(self._guild_id(call.request))
        if guild is not None and guild.unavailable:
            raise ApiError(503, 0, "Service Unavailable")
        return verdict

    def _caller(self, request: web.Request) -> Application:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        found = self.world.application_of_token(token) if scheme == "Bot" else None
        if found is None:
            raise refusal(0)
        return found

    def _channel_id(self, request: web.Request) -> int | None:
        named = snowflake_of(request.match_info.get("channel_id"))
        if named is not None:
            return named
        token = request.match_info.get("webhook_token") or request.match_info.get("interaction_token")
        interaction = self.world.interactions.of_token(token) if token else None
        return interaction.channel_id if interaction else None

    def _guild_id(self, request: web.Request) -> int:
        named = snowflake_of(request.match_info.get("guild_id"))
        if named is not None:
            return named
        channel = self.world.channels.get(self._channel_id(request) or 0)
        return (channel.guild_id if channel else None) or 0

    # ---- faults -------------------------------------------------------------------------------------------

    async def _spoil(self, fault: Fault, request: web.Request) -> web.StreamResponse | None:
        """Carry out a fault; None when the answer only comes later."""
        if fault.action in (Action.HANG, Action.SLOW):
            await fault.wait()
            if fault.action is Action.SLOW:
                return None
        if fault.action in (Action.HANG, Action.CUT):
            # Aborted, not closed: the client must not get so much as an empty answer.
            if request.transport is not None:
                request.transport.abort()
            return web.Response(status=499)
        if fault.action is Action.STATUS:
            return web.Response(
                status=fault.status, text=f"<html>{fault.status}</html>", content_type="text/html"
            )
        if fault.action is Action.CODE:
            return self._refused(refusal(fault.code), {})
        return self._scripted_limit(fault)

    def _scripted_limit(self, fault: Fault) -> web.StreamResponse:
        verdict = Verdict(retry_after=fault.retry_after, is_global=fault.is_global)
        verdict.headers = {"Retry-After": str(int(fault.retry_after) + 1), "X-RateLimit-Scope": "user"}
        if not fault.via:
            self.limiter.note_invalid()
            return web.Response(
                status=429, text="error code: 1015", headers={"Retry-After": verdict.headers["Retry-After"]}
            )
        return self._limited(verdict)

    # ---- answers ------------------------------------------------------------------------------------------

    def _limited(self, verdict: Verdict) -> web.Response:
        self.limiter.note_invalid()
        return self._json(verdict.body(), 429, verdict.headers)

    def _refused(self, error: ApiError, headers: dict[str, str]) -> web.Response:
        if error.status in INVALID:
            self.limiter.note_invalid()
        body = error.body()
        if error.status == 429:
            body["retry_after"] = 1.0
        return self._json(body, error.status, headers)

    def _json(self, data: object, status: int, headers: dict[str, str]) -> web.Response:
        body = b"" if data is None else json.dumps(data).encode()
        sent = dict(headers)
        if self.via:
            sent["Via"] = self.via
        if data is not None:
            # discord.py compares the whole header, so a charset would make the body plain text to it.
            sent["Content-Type"] = "application/json"
        return web.Response(status=status, body=body, headers=sent)

    def _record(
        self, route: Route, path: str, call: Call, status: int, code: int, *, accepted: bool = False
    ) -> None:
        self.exchanges.append(
            Exchange(route.method, route.path, path, call.body, len(call.files), status, code, accepted)
        )


class _TooFast(Exception):  # noqa: N818 - carries a verdict, no failure of ours
    def __init__(self, verdict: Verdict) -> None:
        super().__init__("rate limited")
        self.verdict = verdict


def _status_of(spoiled: web.StreamResponse, fault: Fault) -> int:
    return 0 if fault.action in (Action.CUT, Action.HANG) else spoiled.status


def _major(request: web.Request) -> str:
    names = ("channel_id", "guild_id", "webhook_id", "webhook_token", "interaction_id")
    return "+".join(request.match_info[name] for name in names if name in request.match_info)


def _cloudflare_ban() -> web.Response:
    # A banned address meets Cloudflare, not Discord: HTML and no Via header.
    return web.Response(status=429, text="error code: 1015", headers={"Retry-After": "3600"})
