"""The web page of the sandbox: a small Discord look-alike on which a stranger tries the bot without a token.

Promises: everything the page needs under `/`, `/static/` and `/page/`, readable and writable only from the page itself.
Leaves to others: Discord's rules (`world`, `human`), Host and Origin checks (`server`), what the bot says.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING

from aiohttp import hdrs, web

from bot.sandbox.page_acts import Acts
from bot.sandbox.page_log import RequestLog
from bot.sandbox.page_state import CommandNames, PageState
from bot.sandbox.page_stream import Stream

if TYPE_CHECKING:
    from bot.sandbox.server import Sandbox

_STATIC = files("bot.sandbox") / "static"
_TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}

# The page loads nothing but itself; foreign text on it can neither run, nor frame, nor call anywhere.
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


@dataclass(frozen=True, slots=True)
class Examples:
    """What the guided tour types; each must find something in the listing that was loaded.

    Attributes:
        typo: a title misspelt.
        chinese: a piece of a Chinese title.
        institution: an institution that a paper of the second listing comes from.
    """

    typo: str = "lgoquant kv cahce"
    chinese: str = "知识感知"
    institution: str = "Tsinghua University"


@dataclass(frozen=True, slots=True)
class Hooks:
    """What the page can only do with the bot's help.

    Attributes:
        skip_to_digest: moves the clock to the next digest hour and returns a sentence about it; the button is hidden
            without it. What it raises as `ValueError` is shown to the person.
        examples: what the guided tour types.
    """

    skip_to_digest: Callable[[], Awaitable[str]] | None = None
    examples: Examples = field(default_factory=Examples)


def add_routes(app: web.Application, sandbox: Sandbox, hooks: Hooks | None = None) -> None:
    """Put the page into the sandbox's web application, before it starts.

    Args:
        app: `sandbox.app`.
        sandbox: the sandbox.
        hooks: what the bot's side offers.
    """
    hooks = hooks or Hooks()
    log = RequestLog()
    names = CommandNames(sandbox.world)
    state = PageState(sandbox, names, hooks)
    stream = Stream(sandbox, state, log)
    acts = Acts(sandbox, state, hooks)
    app.on_response_prepare.append(log.note)
    app.on_shutdown.append(stream.close_all)
    app.middlewares.append(same_origin_only)
    app.router.add_get("/", _index)
    app.router.add_get("/static/{name}", _static)
    app.router.add_get("/page/socket", stream.serve)
    acts.add_to(app.router)


@web.middleware
async def same_origin_only(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Refuse what another site's page asks of the page's own API, and add the page's headers to its answers.

    A browser names the relation in `Sec-Fetch-Site`, also where it sends no Origin (images, scripts, GET forms).
    """
    ours = request.path == "/" or request.path.startswith(("/static/", "/page/"))
    if not ours:
        return await handler(request)
    if request.path != "/" and request.headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
        raise web.HTTPForbidden(text="Only the sandbox's own page may ask this.")
    try:
        answer = await handler(request)
    except web.HTTPException as refusal:
        refusal.headers.update(_HEADERS)
        raise
    if not answer.prepared:
        answer.headers.update(_HEADERS)
    return answer


async def _index(request: web.Request) -> web.Response:
    return _file("index.html")


async def _static(request: web.Request) -> web.Response:
    return _file(request.match_info["name"])


def _file(name: str) -> web.Response:
    """A file of the page. Only plain names of files that are there are served, so no path can leave the folder."""
    ending = name.rpartition(".")[2]
    known = {item.name for item in _STATIC.iterdir() if item.is_file()}
    if name not in known or ending not in _TYPES:
        raise web.HTTPNotFound(text="There is no such file.")
    body = (_STATIC / name).read_bytes()
    return web.Response(body=body, headers={hdrs.CONTENT_TYPE: f"{_TYPES[ending]}; charset=utf-8"})
