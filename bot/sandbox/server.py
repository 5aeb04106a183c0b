"""The sandbox as a server on the loopback interface.

Promises: `Sandbox.start()` listens, `Sandbox.aclose()` stops and saves; requests with a foreign Host or Origin are
refused, bodies are bounded. Leaves the bot to the caller and the web page to `page`.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

from aiohttp import web

from bot.clock import Clock, ManualClock, ShiftedClock, SystemClock
from bot.sandbox import cdn, control, persist, wire
from bot.sandbox.call import BODY_BYTES, safe_filename
from bot.sandbox.faults import Faults
from bot.sandbox.gateway import Gateway
from bot.sandbox.human import Human
from bot.sandbox.model import Event, User
from bot.sandbox.ratelimit import RateLimiter
from bot.sandbox.rest import PREFIX, Api
from bot.sandbox.world import NONCE_WINDOW, World

_log = logging.getLogger(__name__)

LISTING_BYTES = 25 * 1024 * 1024
SAVE_EVERY = 0.5
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Sandbox:
    """A local Discord.

    Args:
        host: a loopback address; anything else is refused.
        port: 0 for any free one.
        clock: the world's clock; a `ShiftedClock` or `ManualClock` can be moved with `skip`.
        listing_dir: where the page drops new listings.
        state_path: keeps the world over restarts.
        control_token: opens the control endpoint below ``/sandbox/control/``; without one it is closed.
        rate_limits: False grants every request at once.
        nonce_window: how long an enforced nonce is remembered.
    """

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        clock: Clock | None = None,
        listing_dir: Path | None = None,
        state_path: Path | None = None,
        control_token: str | None = None,
        rate_limits: bool = True,
        nonce_window: timedelta = NONCE_WINDOW,
    ) -> None:
        if not ipaddress.ip_address(host).is_loopback:
            raise ValueError(f"the sandbox listens on a loopback address only, not on {host}")
        self.host = host
        self.port = port
        self.clock: Clock = clock or SystemClock()
        self.listing_dir = listing_dir
        self.state_path = state_path
        self.world = World(self.clock, nonce_window=nonce_window)
        if state_path is not None and state_path.exists():
            persist.read(state_path, self.world)
        self.faults = Faults()
        self.limiter = RateLimiter(enabled=rate_limits)
        self.api = Api(self.world, self.faults, self.limiter)
        self.gateway = Gateway(self.world)
        self.app = web.Application(client_max_size=BODY_BYTES, middlewares=[self._guard])
        self._humans: dict[int, Human] = {}
        self._runner: web.AppRunner | None = None
        self._saver: asyncio.Task[None] | None = None
        self._changed = False
        self._add_routes(control_token)

    def _add_routes(self, control_token: str | None) -> None:
        self.api.add_routes(self.app)
        self.app.router.add_get("/gateway", self.gateway.handle)
        self.app.router.add_get("/gateway/", self.gateway.handle)
        cdn.add_routes(self.app, self.world)
        if control_token is not None:
            control.add_routes(self.app, self, control_token)

    # ---- life ---------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Listen.

        Raises:
            OSError: the port is taken.
        """
        runner = web.AppRunner(self.app, access_log=None, handle_signals=False, shutdown_timeout=1.0)
        await runner.setup()
        try:
            await web.TCPSite(runner, self.host, self.port).start()
        except OSError:
            await runner.cleanup()
            raise
        self._runner = runner
        self.port = int(runner.addresses[0][1])
        self.world.base_url = self.url
        self.world.subscribe(self._note_change)
        if self.state_path is not None:
            self._saver = asyncio.create_task(self._save_now_and_then(), name="sandbox saver")

    async def aclose(self) -> None:
        """Stop listening, close every connection, save the world. Safe to call twice."""
        self.faults.clear()
        await self.gateway.aclose()
        if self._saver is not None:
            self._saver.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._saver
            self._saver = None
            await self._save()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def __aenter__(self) -> Sandbox:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    @property
    def url(self) -> str:
        """The address of the page, e.g. ``http://127.0.0.1:8080``."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    @property
    def api_base(self) -> str:
        """What `DISCORD_API_BASE` is set to."""
        return self.url + PREFIX

    # ---- what others use ----------------------------------------------------------------------------------

    def human(self, user: User) -> Human:
        """The person's side of a user; always the same object for the same user."""
        return self._humans.setdefault(user.id, Human(self.world, user))

    def bot_online(self, app_id: int) -> bool:
        """Whether a bot is connected to the gateway."""
        return self.gateway.online(app_id)

    async def until_bot_online(self, app_id: int, *, seconds: float = 30.0) -> None:
        """Wait until a bot is connected.

        Raises:
            TimeoutError: it isn't within so many real seconds.
        """
        if not self.bot_online(app_id):
            wanted = {"application_id": str(app_id), "online": True}
            await self.world.events.until("SANDBOX_BOT", lambda event: event.data == wanted, seconds=seconds)

    def skip(self, by: timedelta) -> None:
        """Move the world's clock.

        Raises:
            ValueError: the clock it was given can't be moved.
        """
        if not isinstance(self.clock, ShiftedClock | ManualClock):
            raise ValueError("this sandbox runs on the machine's clock, which can't be moved")
        self.clock.advance(by)
        self.world.events.emit("SANDBOX_CLOCK", {"now": wire.iso(self.clock.now())})

    def drop_listing(self, name: str, data: bytes) -> Path:
        """Put a new listing into the watched folder, complete from the moment it has its name.

        Raises:
            ValueError: there is no folder, or the file is larger than 25 MB.
        """
        if self.listing_dir is None:
            raise ValueError("this sandbox watches no folder for listings")
        if len(data) > LISTING_BYTES:
            raise ValueError(f"{name} is larger than {LISTING_BYTES // 1024 // 1024} MB")
        self.listing_dir.mkdir(parents=True, exist_ok=True)
        target = self.listing_dir / safe_filename(name).lstrip(".")
        # The watcher must never see half a listing, so it gets its name only when it is whole.
        beside = target.with_name(f".{target.name}.part")
        beside.write_bytes(data)
        beside.replace(target)
        return target

    # ---- saving -------------------------------------------------------------------------------------------

    def _note_change(self, event: Event) -> None:
        self._changed = True

    async def _save_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(SAVE_EVERY)
            if self._changed:
                try:
                    await self._save()
                except OSError:
                    _log.exception("the sandbox's state can't be saved to %s", self.state_path)

    async def _save(self) -> None:
        if self.state_path is None:
            return
        self._changed = False
        await asyncio.to_thread(persist.write, self.state_path, persist.snapshot(self.world))

    # ---- guard --------------------------------------------------------------------------------------------

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        # A foreign name that resolves to the loopback (DNS rebinding) shows in Host, a foreign page in Origin.
        if not self._is_own(f"http://{request.headers.get('Host', '')}"):
            return web.Response(status=403, text="This server answers to its own address only.")
        origin = request.headers.get("Origin")
        if origin is not None and not self._is_own(origin):
            return web.Response(status=403, text="Pages of other addresses may not talk to this server.")
        return await handler(request)

    def _is_own(self, address: str) -> bool:
        try:
            parts = urlsplit(address)
            own_name = parts.hostname in ("127.0.0.1", "localhost", "::1", self.host)
            return parts.scheme == "http" and own_name and (parts.port or 80) == self.port
        except ValueError:
            return False
