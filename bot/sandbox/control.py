"""The control endpoint: another process scripts faults and the world.

Promises: everything below ``/sandbox/control/`` needs the secret given at start, in the header ``X-Sandbox-Control``;
a wrong act is answered with 400 and a sentence. Used by kill tests, which run the sandbox as its own process.
"""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import TYPE_CHECKING

from aiohttp import web

from bot.sandbox import wire
from bot.sandbox.control_acts import ACTS, ActError
from bot.sandbox.faults import Fault
from bot.sandbox.limits import ClientRefusal
from bot.sandbox.model import JsonObject

if TYPE_CHECKING:
    from bot.sandbox.server import Sandbox

PREFIX = "/sandbox/control"
HEADER = "X-Sandbox-Control"
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def add_routes(app: web.Application, sandbox: Sandbox, token: str) -> None:
    """Open the control endpoint."""
    control = _Control(sandbox)
    for method, path, handler in (
        ("POST", "/faults", control.add_fault),
        ("DELETE", "/faults", control.clear_faults),
        ("GET", "/faults/{id}", control.show_fault),
        ("DELETE", "/faults/{id}", control.remove_fault),
        ("POST", "/faults/{id}/release", control.release_fault),
        ("POST", "/nonces/forget", control.forget_nonces),
        ("POST", "/gateway/{what}", control.gateway),
        ("POST", "/clock/advance", control.advance),
        ("POST", "/acts/{act}", control.act),
        ("GET", "/world", control.show_world),
        ("GET", "/channels/{channel_id}/messages", control.messages),
        ("GET", "/traffic", control.traffic),
    ):
        app.router.add_route(method, PREFIX + path, _guarded(token, handler))


def _guarded(token: str, handler: Handler) -> Handler:
    async def serve(request: web.Request) -> web.StreamResponse:
        given = request.headers.get(HEADER, "")
        if not secrets.compare_digest(given.encode(), token.encode()):
            return web.json_response({"error": f"the header {HEADER} is missing or wrong"}, status=401)
        try:
            return await handler(request)
        except (ActError, ClientRefusal, ValueError, KeyError, TypeError) as error:
            return web.json_response({"error": f"{type(error).__name__}: {error}"}, status=400)

    return serve


async def _body(request: web.Request) -> JsonObject:
    data = json.loads(await request.text() or "{}")
    if not isinstance(data, dict):
        raise ActError("the body has to be a JSON object")
    return data


class _Control:
    """The handlers."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._faults: dict[str, Fault] = {}

    async def add_fault(self, request: web.Request) -> web.Response:
        made = self._sandbox.faults.add_json(await _body(request))
        number = str(len(self._faults) + 1)
        self._faults[number] = made
        return web.json_response({"id": number})

    async def clear_faults(self, request: web.Request) -> web.Response:
        self._sandbox.faults.clear()
        return web.json_response({})

    async def show_fault(self, request: web.Request) -> web.Response:
        fault = self._faults[request.match_info["id"]]
        return web.json_response({"hits": fault.hits, "times": fault.times})

    async def remove_fault(self, request: web.Request) -> web.Response:
        self._sandbox.faults.remove(self._faults[request.match_info["id"]])
        return web.json_response({})

    async def release_fault(self, request: web.Request) -> web.Response:
        self._faults[request.match_info["id"]].release()
        return web.json_response({})

    async def forget_nonces(self, request: web.Request) -> web.Response:
        self._sandbox.world.messages.forget_nonces()
        return web.json_response({})

    async def gateway(self, request: web.Request) -> web.Response:
        gateway = self._sandbox.gateway
        acts = {"drop": gateway.drop, "reconnect": gateway.reconnect, "invalidate": gateway.invalidate}
        acts["forget-sessions"] = gateway.forget_sessions
        if request.match_info["what"] not in acts:
            raise ActError(f"the gateway can {', '.join(acts)}")
        acts[request.match_info["what"]]()
        return web.json_response({})

    async def advance(self, request: web.Request) -> web.Response:
        self._sandbox.skip(timedelta(seconds=float((await _body(request))["seconds"])))
        return web.json_response({"now": wire.iso(self._sandbox.clock.now())})

    async def act(self, request: web.Request) -> web.Response:
        name = request.match_info["act"]
        if name not in ACTS:
            raise ActError(f"there is no act {name!r}; there are {', '.join(sorted(ACTS))}")
        return web.json_response(await ACTS[name](self._sandbox, await _body(request)))

    async def show_world(self, request: web.Request) -> web.Response:
        world = self._sandbox.world
        online = {str(app.id): self._sandbox.bot_online(app.id) for app in world.applications.values()}
        return web.json_response(
            {
                "users": [wire.user(user) for user in world.users.values()],
                "guilds": [{"id": str(guild.id), "name": guild.name} for guild in world.guilds.values()],
                "channels": [world.channel_json(channel) for channel in world.channels.values()],
                "commands": [wire.command(command) for command in world.commands.everything()],
                "applications": online,
            }
        )

    async def messages(self, request: web.Request) -> web.Response:
        world = self._sandbox.world
        found = world.messages.all_in(int(request.match_info["channel_id"]))
        return web.json_response([world.messages.json(message) for message in found])

    async def traffic(self, request: web.Request) -> web.Response:
        api = self._sandbox.api
        counts = Counter(
            f"{exchange.method} {exchange.template} {exchange.status}" for exchange in api.exchanges
        )
        data = {"requests": api.requests, "invalid": self._sandbox.limiter.invalid, "answers": counts}
        return web.json_response(data)
