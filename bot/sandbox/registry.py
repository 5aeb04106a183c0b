"""Registered application commands, and which of them a person sees where.

Promises: Discord's scopes (global and per server), contexts, installs and `default_member_permissions`.
Leaves what a command may look like to `limits_commands`.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from bot.sandbox.errors import refusal
from bot.sandbox.limits_commands import MOST_OF_TYPE
from bot.sandbox.model import Application, Channel, ChannelType, Command, Guild, JsonObject, User
from bot.sandbox.permissions import Permission

if TYPE_CHECKING:
    from bot.sandbox.state import WorldState

GUILD_INSTALL, USER_INSTALL = 0, 1
CREATES_A_DAY = 200
_DAY = timedelta(days=1)
IN_GUILD, IN_BOT_DM, IN_PRIVATE_CHANNEL = 0, 1, 2


class Registry:
    """The commands of all applications."""

    def __init__(self, world: WorldState) -> None:
        self._world = world
        self._commands: dict[int, Command] = {}
        self._creates: dict[tuple[int, int | None], list[datetime]] = {}

    def scope(self, application_id: int, guild_id: int | None) -> list[Command]:
        """One application's commands of one scope; `guild_id` None for the global one."""
        found = self._commands.values()
        return [c for c in found if c.application_id == application_id and c.guild_id == guild_id]

    def get(self, command_id: int) -> Command | None:
        """One command, or None."""
        return self._commands.get(command_id)

    def everything(self) -> list[Command]:
        """All commands of all applications."""
        return list(self._commands.values())

    def put(self, application_id: int, guild_id: int | None, data: JsonObject) -> Command:
        """Create a command, or replace the one of the same name and type; its id stays."""
        for held in self.scope(application_id, guild_id):
            if (held.name, held.type) == (data["name"], data["type"]):
                return self.replace(held, data)
        number = self._world.new_id()
        made = Command(number, application_id, guild_id, number, data)
        self._commands[number] = made
        self._tell(application_id)
        return made

    def replace(self, held: Command, data: JsonObject) -> Command:
        """Change a command; the version changes only when the data does."""
        if held.data != data:
            held.data, held.version = data, self._world.new_id()
            self._tell(held.application_id)
        return held

    def count_creates(self, application_id: int, guild_id: int | None, wanted: Iterable[JsonObject]) -> int:
        """Count the new ones among the commands against the 200 a day, and say how many are new.

        Raises:
            ApiError: 30034 when the day's allowance of the scope is used up.
        """
        held = {(command.name, command.type) for command in self.scope(application_id, guild_id)}
        new = sum(1 for data in wanted if (data["name"], data["type"]) not in held)
        now = self._world.clock.now()
        recent = [
            moment for moment in self._creates.get((application_id, guild_id), []) if now - moment < _DAY
        ]
        if len(recent) + new > CREATES_A_DAY:
            raise refusal(30034)
        self._creates[application_id, guild_id] = recent + [now] * new
        return new

    def check_room(self, application_id: int, guild_id: int | None, data: JsonObject) -> None:
        """Refuse one command more than fit into a scope.

        Raises:
            ApiError: 30032.
        """
        held = [command for command in self.scope(application_id, guild_id) if command.type == data["type"]]
        known = any(command.name == data["name"] for command in held)
        if not known and len(held) >= MOST_OF_TYPE[data["type"]]:
            raise refusal(30032)

    def restore(self, command: Command) -> None:
        """Put a kept command back."""
        self._commands[command.id] = command

    def overwrite(
        self, application_id: int, guild_id: int | None, wanted: Iterable[JsonObject]
    ) -> list[Command]:
        """Make one scope hold exactly these commands."""
        kept = [self.put(application_id, guild_id, data) for data in wanted]
        ids = {command.id for command in kept}
        for held in self.scope(application_id, guild_id):
            if held.id not in ids:
                self.delete(held)
        return kept

    def delete(self, command: Command) -> None:
        """Remove a command."""
        self._commands.pop(command.id, None)
        self._tell(command.application_id)

    def _tell(self, application_id: int) -> None:
        self._world.events.emit("SANDBOX_COMMANDS", {"application_id": str(application_id)})

    # ---- who sees what ------------------------------------------------------------------------------------

    def visible_to(self, person: User, channel: Channel) -> list[Command]:
        """The commands a person's client offers in a channel, the server's own before global ones."""
        guild = self._world.guilds.get(channel.guild_id or 0)
        shown = [c for c in self._commands.values() if self._is_offered(c, person, channel, guild)]
        return sorted(shown, key=lambda c: (c.guild_id is None, c.name))

    def owners(
        self, command: Command | None, app: Application, person: User, channel: Channel
    ) -> dict[str, str]:
        """Discord's `authorizing_integration_owners` for an interaction; empty when the app isn't installed there."""
        allowed = set(command.data.get("integration_types") or [GUILD_INSTALL]) if command else {0, 1}
        owners: dict[str, str] = {}
        guild = self._world.guilds.get(channel.guild_id or 0)
        if GUILD_INSTALL in allowed:
            if guild is not None and self.installed_in(app.id, guild):
                owners["0"] = str(guild.id)
            elif app.bot_id in channel.recipients and self._world.share_a_guild(app.bot_id, person.id):
                owners["0"] = "0"
        if USER_INSTALL in allowed and app.id in person.installed:
            owners["1"] = str(person.id)
        return owners

    def installed_in(self, application_id: int, guild: Guild) -> bool:
        """Whether a server has the application's commands."""
        return application_id in guild.members or application_id in guild.commands_for

    def _is_offered(self, command: Command, person: User, channel: Channel, guild: Guild | None) -> bool:
        app = self._world.applications[command.application_id]
        if command.guild_id is not None:
            here = guild is not None and command.guild_id == guild.id and self.installed_in(app.id, guild)
            return here and self._is_permitted(command, person, channel)
        # `contexts` left out means everywhere; `dm_permission` is the older way to say the same.
        contexts = command.data.get("contexts")
        if contexts is not None and self.context_of(app, channel) not in contexts:
            return False
        if channel.type is ChannelType.DM and command.data.get("dm_permission") is False:
            return False
        owners = self.owners(command, app, person, channel)
        return bool(owners) and self._is_permitted(command, person, channel)

    def _is_permitted(self, command: Command, person: User, channel: Channel) -> bool:
        if channel.type is ChannelType.DM:
            return True
        held = self._world.permissions(channel, person.id)
        if held & Permission.ADMINISTRATOR:
            return True
        if not held & Permission.USE_APPLICATION_COMMANDS:
            return False
        needed = command.data.get("default_member_permissions")
        # "0" means: nobody but administrators, by Discord's reference.
        return needed is None or (int(needed) != 0 and held & int(needed) == int(needed))

    def context_of(self, app: Application, channel: Channel) -> int:
        """Discord's interaction context of a channel: server, DM with the bot, other private channel."""
        if channel.type is not ChannelType.DM:
            return IN_GUILD
        return IN_BOT_DM if app.bot_id in channel.recipients else IN_PRIVATE_CHANNEL
