"""What can happen in the local Discord: people join, servers and channels come, change and go.

Promises: every change is told as an `Event` with Discord's name. Leaves to others: reading (`state`), HTTP (`rest*`),
the gateway, what Discord refuses in a body (`limits*`), keeping it (`persist`).
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.sandbox import wire
from bot.sandbox.model import Application, Channel, ChannelType, Guild, Member, Overwrite, Role, User
from bot.sandbox.permissions import EVERYONE_DEFAULT
from bot.sandbox.state import NONCE_WINDOW, WorldState

__all__ = ["NONCE_WINDOW", "World"]


class World(WorldState):
    """The world with everything that can happen in it; see `WorldState` for its records."""

    # ---- people -------------------------------------------------------------------------------------------

    def add_user(
        self,
        name: str,
        *,
        display_name: str | None = None,
        locale: str = "en-US",
        bot: bool = False,
        user_id: int | None = None,
    ) -> User:
        """A new person (or bot user) with an account but no server yet."""
        person = User(user_id or self.new_id(), name, display_name or name, locale=locale, bot=bot)
        self.users[person.id] = person
        return person

    def add_application(
        self, name: str, token: str, *, owner: User, privileged_intents: int = 0, app_id: int | None = None
    ) -> Application:
        """A new application with its bot user (same id, as Discord makes them today)."""
        number = app_id or self.new_id()
        self.add_user(name, bot=True, user_id=number)
        made = Application(number, name, token, number, owner.id, privileged_intents)
        self.applications[number] = made
        return made

    def install_for_user(self, person: User, app: Application) -> None:
        """The person adds the application to the own account ("user install")."""
        person.installed.add(app.id)
        self.events.emit("SANDBOX_COMMANDS", {"application_id": str(app.id)})

    def delete_user(self, person: User) -> None:
        """The account is deleted: it leaves every server; DMs to it are refused with 10013, new ones with 50033."""
        person.deleted = True
        for guild in self.guilds_of(person.id):
            self.remove_member(guild, person)

    # ---- servers ------------------------------------------------------------------------------------------

    def add_guild(
        self, name: str, *, owner: User, locale: str = "en-US", guild_id: int | None = None
    ) -> Guild:
        """A new server with its @everyone role; the owner is its first member."""
        made = Guild(guild_id or self.new_id(), name, owner.id, locale)
        made.roles[made.id] = Role(made.id, "@everyone", EVERYONE_DEFAULT)
        self.guilds[made.id] = made
        self.add_member(made, owner)
        return made

    def add_member(self, guild: Guild, person: User, roles: Iterable[Role] = ()) -> Member:
        """Someone joins; when it is a bot, its gateway gets GUILD_CREATE."""
        joined = Member(person.id, self.clock.now(), [role.id for role in roles])
        guild.members[person.id] = joined
        if person.id in self.applications:
            # Without the `unavailable` field clients take it for a join, not for the end of an outage.
            data = self.guild_create(guild, person.id)
            del data["unavailable"]
            self.events.emit("GUILD_CREATE", data, guild_id=guild.id, application_id=person.id)
        else:
            data = wire.member(joined, person) | {"guild_id": str(guild.id)}
            self.events.emit("GUILD_MEMBER_ADD", data, guild_id=guild.id)
        return joined

    def remove_member(self, guild: Guild, person: User) -> None:
        """Someone leaves or is kicked; when it is a bot, it gets GUILD_DELETE and its commands go."""
        guild.members.pop(person.id, None)
        data = {"guild_id": str(guild.id), "user": wire.user(person)}
        if person.id in self.applications:
            gone = {"id": str(guild.id)}
            self.events.emit("GUILD_DELETE", gone, guild_id=guild.id, application_id=person.id)
        self.events.emit("GUILD_MEMBER_REMOVE", data, guild_id=guild.id)

    def outage(self, guild: Guild) -> None:
        """The server becomes unavailable: members stay, bots get GUILD_DELETE with ``unavailable``."""
        guild.unavailable = True
        data = {"id": str(guild.id), "unavailable": True}
        self.events.emit("GUILD_DELETE", data, guild_id=guild.id)

    def restore(self, guild: Guild) -> None:
        """The outage ends; every bot gets GUILD_CREATE again."""
        guild.unavailable = False
        for app_id in self.bots_in(guild):
            data = self.guild_create(guild, app_id)
            self.events.emit("GUILD_CREATE", data, guild_id=guild.id, application_id=app_id)

    # ---- roles and rights ---------------------------------------------------------------------------------

    def add_role(self, guild: Guild, name: str, permissions: int = 0) -> Role:
        """A new role."""
        made = Role(self.new_id(), name, int(permissions), position=len(guild.roles))
        guild.roles[made.id] = made
        self._tell_role("GUILD_ROLE_CREATE", guild, made)
        return made

    def edit_role(self, guild: Guild, role: Role, *, permissions: int) -> None:
        """Change what a role may."""
        role.permissions = int(permissions)
        self._tell_role("GUILD_ROLE_UPDATE", guild, role)

    def _tell_role(self, event: str, guild: Guild, role: Role) -> None:
        data = {"guild_id": str(guild.id), "role": wire.role(role)}
        self.events.emit(event, data, guild_id=guild.id)

    def set_overwrite(self, channel: Channel, target: Role | User, *, allow: int = 0, deny: int = 0) -> None:
        """Grant or take rights in one channel; both 0 removes the overwrite."""
        if allow or deny:
            is_member = isinstance(target, User)
            channel.overwrites[target.id] = Overwrite(target.id, is_member, int(allow), int(deny))
        else:
            channel.overwrites.pop(target.id, None)
        self.tell_channel("CHANNEL_UPDATE", channel)

    # ---- channels -----------------------------------------------------------------------------------------

    def add_channel(
        self,
        guild: Guild,
        name: str,
        type: ChannelType = ChannelType.TEXT,
        *,
        parent: Channel | None = None,
        topic: str | None = None,
        channel_id: int | None = None,
    ) -> Channel:
        """A new channel or forum."""
        made = Channel(channel_id or self.new_id(), type, name, guild.id, topic)
        made.position = len(self.channels_of(guild))
        made.parent_id = parent.id if parent else None
        self.channels[made.id] = made
        self.tell_channel("CHANNEL_CREATE", made)
        return made

    def add_thread(
        self,
        parent: Channel,
        name: str,
        owner_id: int,
        *,
        type: ChannelType = ChannelType.PUBLIC_THREAD,
        thread_id: int | None = None,
        applied_tags: Iterable[int] = (),
    ) -> Channel:
        """A new thread or forum post; `thread_id` is the id of the message it starts from."""
        made = Channel(thread_id or self.new_id(), type, name, parent.guild_id)
        made.applied_tags = list(applied_tags)
        made.parent_id, made.owner_id, made.archived_at = parent.id, owner_id, self.clock.now()
        made.thread_members.add(owner_id)
        self.channels[made.id] = made
        data = self.channel_json(made) | {"newly_created": True}
        self.events.emit("THREAD_CREATE", data, guild_id=made.guild_id, channel_id=made.id)
        return made

    def edit_channel(self, channel: Channel, **changes: object) -> None:
        """Change fields of a channel or thread (`name`, `topic`, `archived`, `locked`)."""
        for name, value in changes.items():
            setattr(channel, name, value)
        if "archived" in changes:
            channel.archived_at = self.clock.now()
        self.tell_channel("THREAD_UPDATE" if channel.is_thread else "CHANNEL_UPDATE", channel)

    def delete_channel(self, channel: Channel) -> None:
        """Delete a channel with its threads and messages."""
        for thread in [c for c in self.channels.values() if c.is_thread and c.parent_id == channel.id]:
            self.delete_channel(thread)
        data = self.channel_json(channel)
        event = "THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE"
        self.events.emit(event, data, guild_id=channel.guild_id, channel_id=channel.id)
        self.channels.pop(channel.id, None)
        self.messages.forget_channel(channel.id)

    def open_dm(self, one: int, other: int) -> Channel:
        """The DM channel of two users, made when there is none. It always succeeds, as on Discord."""
        for channel in self.channels.values():
            if channel.type is ChannelType.DM and set(channel.recipients) == {one, other}:
                return channel
        made = Channel(self.new_id(), ChannelType.DM, recipients=(one, other))
        self.channels[made.id] = made
        data = self.channel_json(made)
        self.events.emit("SANDBOX_DM_OPENED", data, channel_id=made.id)
        return made

    def tell_channel(self, event: str, channel: Channel) -> None:
        """Tell everybody about a changed channel."""
        self.events.emit(event, self.channel_json(channel), guild_id=channel.guild_id, channel_id=channel.id)
