"""Registering application commands, globally and for one server.

Promises: create, overwrite, edit and delete as Discord's reference ("Application Commands") has them, each body
checked. Localisations are only listed when asked for with `with_localizations`.
"""

from __future__ import annotations

from bot.sandbox import wire
from bot.sandbox.call import Call
from bot.sandbox.errors import refusal
from bot.sandbox.limits_commands import check_command, check_commands
from bot.sandbox.model import Command, JsonObject
from bot.sandbox.ratelimit import Rate
from bot.sandbox.routing import Reply, Route

_HIDDEN = ("name_localizations", "description_localizations")


def _scope(call: Call) -> tuple[int, int | None]:
    if call.id("application_id") != call.app.id:
        raise refusal(20012)
    if "guild_id" not in call.request.match_info:
        return call.app.id, None
    guild = call.world.guilds.get(call.id("guild_id"))
    if guild is None or not call.world.commands.installed_in(call.app.id, guild):
        raise refusal(50001)
    return call.app.id, guild.id


def _command(call: Call) -> Command:
    app_id, guild_id = _scope(call)
    found = call.world.commands.get(call.id("command_id"))
    if found is None or (found.application_id, found.guild_id) != (app_id, guild_id):
        raise refusal(10063)
    return found


async def listing(call: Call) -> Reply:
    """GET a scope's commands."""
    found = [wire.command(command) for command in call.world.commands.scope(*_scope(call))]
    if not call.query_flag("with_localizations"):
        found = [_without_localizations(data) for data in found]
    return Reply(found)


def _without_localizations(data: JsonObject) -> JsonObject:
    kept = {name: value for name, value in data.items() if name not in _HIDDEN}
    for name in ("options", "choices"):
        if isinstance(kept.get(name), list):
            kept[name] = [_without_localizations(part) for part in kept[name]]
    return kept


async def overwrite(call: Call) -> Reply:
    """PUT a whole scope: what isn't listed is deleted, what keeps its name keeps its id."""
    app_id, guild_id = _scope(call)
    wanted = check_commands(call.body, in_guild=guild_id is not None)
    call.world.commands.count_creates(app_id, guild_id, wanted)
    made = call.world.commands.overwrite(app_id, guild_id, wanted)
    return Reply([wire.command(command) for command in made])


async def create(call: Call) -> Reply:
    """POST one command: 201 for a new one, 200 when one of the same name and type is replaced."""
    app_id, guild_id = _scope(call)
    data = check_command(call.body, in_guild=guild_id is not None)
    call.world.commands.check_room(app_id, guild_id, data)
    new = call.world.commands.count_creates(app_id, guild_id, [data])
    made = call.world.commands.put(app_id, guild_id, data)
    return Reply(wire.command(made), 201 if new else 200)


async def read(call: Call) -> Reply:
    """GET one command."""
    return Reply(wire.command(_command(call)))


async def edit(call: Call) -> Reply:
    """PATCH one command; what is left out stays."""
    held = _command(call)
    changes = check_command(call.body, partial=True)
    merged = check_command({**held.data, **changes}, in_guild=held.guild_id is not None)
    return Reply(wire.command(call.world.commands.replace(held, merged)))


async def delete(call: Call) -> Reply:
    """DELETE one command."""
    call.world.commands.delete(_command(call))
    return Reply()


def _routes(base: str) -> list[Route]:
    return [
        Route("GET", base, listing),
        Route("PUT", base, overwrite, Rate(5, 5.0)),
        Route("POST", base, create, Rate(5, 5.0)),
        Route("GET", base + "/{command_id}", read),
        Route("PATCH", base + "/{command_id}", edit, Rate(5, 5.0)),
        Route("DELETE", base + "/{command_id}", delete, Rate(5, 5.0)),
    ]


ROUTES = [
    *_routes("/applications/{application_id}/commands"),
    *_routes("/applications/{application_id}/guilds/{guild_id}/commands"),
]
