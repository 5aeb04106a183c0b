"""The gateway's address, oneself, applications, servers, members, roles, and opening DMs."""

from __future__ import annotations

from bot.sandbox import wire
from bot.sandbox.call import Call
from bot.sandbox.errors import refusal
from bot.sandbox.form import Form
from bot.sandbox.model import JsonObject
from bot.sandbox.ratelimit import Rate
from bot.sandbox.routing import Reply, Route


async def gateway(call: Call) -> Reply:
    """GET the gateway's address."""
    return Reply({"url": gateway_url(call.world.base_url)})


async def gateway_bot(call: Call) -> Reply:
    """GET the gateway's address with the recommended shards."""
    limit = {"total": 1000, "remaining": 999, "reset_after": 14_400_000, "max_concurrency": 1}
    url = gateway_url(call.world.base_url)
    return Reply({"url": url, "shards": call.world.shards, "session_start_limit": limit})


def gateway_url(base_url: str) -> str:
    """The WebSocket address that belongs to the server's address."""
    return base_url.replace("http", "ws", 1) + "/gateway"


async def me(call: Call) -> Reply:
    """GET the bot user."""
    return Reply(
        wire.user(call.world.users[call.app.bot_id])
        | {"verified": True, "mfa_enabled": True, "locale": "en-US"}
    )


async def user(call: Call) -> Reply:
    """GET any user."""
    found = call.world.users.get(call.id("user_id"))
    if found is None:
        raise refusal(10013)
    return Reply(wire.user(found))


async def application(call: Call) -> Reply:
    """GET the own application."""
    app = call.app
    data = wire.application(app, call.world.users[app.owner_id])
    return Reply(data | {"bot": wire.user(call.world.users[app.bot_id])})


async def my_guilds(call: Call) -> Reply:
    """GET the servers the bot is in."""
    me_id = call.app.bot_id
    found = []
    for guild in call.world.guilds_of(me_id):
        rights = str(call.world.guild_permissions(guild, me_id))
        part = {"id": str(guild.id), "name": guild.name, "icon": None, "banner": None, "owner": False}
        found.append(part | {"permissions": rights, "features": []})
    return Reply(found)


async def open_dm(call: Call) -> Reply:
    """POST the DM with someone. It succeeds even when the person takes no DMs; only sending is refused."""
    form = Form()
    other = form.snowflake(("recipient_id",), call.json.get("recipient_id"), required=True)
    form.finish()
    person = call.world.users.get(other or 0)
    if person is None or person.deleted or person.id == call.app.bot_id:
        raise refusal(50033)
    channel = call.world.open_dm(call.app.bot_id, person.id)
    return Reply(call.world.channel_json(channel, call.app.bot_id))


# ---- servers ----------------------------------------------------------------------------------------------


async def guild(call: Call) -> Reply:
    """GET a server."""
    return Reply(wire.guild(call.guild()))


async def guild_channels(call: Call) -> Reply:
    """GET a server's channels (without threads)."""
    found = [channel for channel in call.world.channels_of(call.guild()) if not channel.is_thread]
    return Reply([call.world.channel_json(channel, call.app.bot_id) for channel in found])


async def guild_roles(call: Call) -> Reply:
    """GET a server's roles."""
    return Reply([wire.role(role) for role in call.guild().roles.values()])


async def guild_member(call: Call) -> Reply:
    """GET a member of a server."""
    found = call.guild()
    return Reply(_member_json(call, found.id, call.id("user_id")))


def _member_json(call: Call, guild_id: int, user_id: int) -> JsonObject:
    member = call.world.guilds[guild_id].members.get(user_id)
    if member is None:
        raise refusal(10007 if user_id in call.world.users else 10013)
    return wire.member(member, call.world.users[user_id])


async def leave_guild(call: Call) -> Reply:
    """DELETE the own membership."""
    call.world.remove_member(call.guild(), call.world.users[call.app.bot_id])
    return Reply()


ROUTES = [
    Route("GET", "/gateway", gateway, open=True),
    Route("GET", "/gateway/bot", gateway_bot),
    Route("GET", "/users/@me", me),
    Route("GET", "/users/@me/guilds", my_guilds),
    Route("DELETE", "/users/@me/guilds/{guild_id}", leave_guild),
    Route("POST", "/users/@me/channels", open_dm, Rate(10, 10.0)),
    Route("GET", "/users/{user_id}", user),
    Route("GET", "/oauth2/applications/@me", application),
    Route("GET", "/applications/@me", application),
    Route("GET", "/guilds/{guild_id}", guild),
    Route("GET", "/guilds/{guild_id}/channels", guild_channels),
    Route("GET", "/guilds/{guild_id}/roles", guild_roles),
    Route("GET", "/guilds/{guild_id}/members/{user_id}", guild_member),
]
