"""The addresses of attachments, as Discord's CDN serves them."""

from __future__ import annotations

from aiohttp import web

from bot.sandbox.call import snowflake_of
from bot.sandbox.model import Attachment
from bot.sandbox.world import World


def add_routes(app: web.Application, world: World) -> None:
    """Serve the attachments of messages and of commands."""

    async def serve(request: web.Request) -> web.StreamResponse:
        found = _find(world, request.match_info["attachment_id"], request.match_info["filename"])
        if found is None:
            return web.Response(status=404, text="This content is no longer available.")
        # Never a page of our own origin: what people upload is only ever downloaded.
        headers = {
            "Content-Type": found.content_type,
            "Content-Disposition": "attachment",
            "X-Content-Type-Options": "nosniff",
            "Content-Security-Policy": "sandbox; default-src 'none'",
        }
        return web.Response(body=found.data, headers=headers)

    for kind in ("attachments", "ephemeral-attachments"):
        app.router.add_get(f"/{kind}/{{channel_id}}/{{attachment_id}}/{{filename}}", serve)


def _find(world: World, number: str, filename: str) -> Attachment | None:
    wanted = snowflake_of(number)
    found = world.uploads.get(wanted or 0)
    if found is None:
        for message in world.messages.everything():
            found = next((item for item in message.attachments if item.id == wanted), found)
    return found if found is not None and found.filename == filename else None
