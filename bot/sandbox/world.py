"""The sandbox's Discord as a world of people, servers, channels and messages.

Promises: state and its rules (who sees what, who may what); every change is told as an `Event` with Discord's name.
Leaves to others: HTTP (`rest*`), the gateway, what Discord refuses in a body (`limits*`), keeping it (`persist`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta

from bot.clock import Clock
from bot.sandbox import wire
from bot.sandbox.events import EventStream, Listener
from bot.sandbox.interactions import Interactions
from bot.sandbox.messages import Messages
from bot.sandbox.model import (
    Application,
    Attachment,
    Channel,
    ChannelType,
    Event,
    Guild,
    JsonObject,
    Member,
    Overwrite,
    Role,
    User,
)
from bot.sandbox.permissions import (
    DM_PERMISSIONS,
    EVERYONE_DEFAULT,
    Permission,
    channel_permissions,
    guild_permissions,
)
from bot.sandbox.registry import Registry
from bot.sandbox.snowflake import SnowflakeMaker

NONCE_WINDOW = timedelta(minutes=5)


class World:
    """Everything that stands in the local Discord.

    Attributes:
        users, applications, guilds, channels: the records by id.
        messages: the message store (post, edit, delete, history, nonces).
        commands: the registered application commands.
        interactions: interactions in flight and their tokens.
        uploads: files that persons gave to attachment options, by id.
        base_url: where the server listens, e.g. ``http://127.0.0.1:8080``; attachments are addressed below it.
        shards: what `GET /gateway/bot` recommends.
    """

    def __init__(self, clock: Clock, *, nonce_window: timedelta = NONCE_WINDOW) -> None:
        self.clock = clock
        self.users: dict[int, User] = {}
        self.applications: dict[int, Application] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.uploads: dict[int, Attachment] = {}
        self.base_url = "http://127.0.0.1"
        self.shards = 1
        self.new_id = SnowflakeMaker(clock)
        self.events = EventStream()
        self.messages = Messages(self, nonce_window)
        self.commands = Registry(self)
        self.interactions = Interactions(self)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Hear every event from now on (called at once, in order); call what is returned to stop."""
        return self.events.subscribe(listener)

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

    def application_of_token(self, token: str) -> Application | None:
        """The application a token belongs to."""
        return next((app for app in self.applications.values() if app.token == token), None)

    def install_for_user(self, person: User, app: Application) -> None:
        """The person adds the application to the own account ("user install")."""
        person.installed.add(app.id)
        self.events.emit("SANDBOX_COMMANDS", {"application_id": str(app.id)})

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
            # A bot that is invited gets no `unavailable` field; clients tell a join from an end of an outage by it.
            data = self.guild_create(guild, person.id)
            del data["unavailable"]
            self.events.emit("GUILD_CREATE", data, guild_id=guild.id, application_id=person.id)
        else:
            data = wire.member(joined, person) | {"guild_id": str(guild.id)}
            self.events.emit("GUILD_MEMBER_ADD", data, guild_id=guild.id)
        return joined

    def remove_member(self, guild: Guild, person: User) -> None:
        """Someone leaves or is kicked; when it is a bot, its gateway gets GUILD_DELETE and the commands go."""
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

    def delete_guild(self, guild: Guild) -> None:
        """The server is deleted with all its channels."""
        for app_id in self.bots_in(guild):
            gone = {"id": str(guild.id)}
            self.events.emit("GUILD_DELETE", gone, guild_id=guild.id, application_id=app_id)
        for channel in self.channels_of(guild):
            self.channels.pop(channel.id, None)
            self.messages.forget_channel(channel.id)
        del self.guilds[guild.id]

    def bots_in(self, guild: Guild) -> list[int]:
        """The ids of the applications whose bot is a member."""
        return [user_id for user_id in guild.members if user_id in self.applications]

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

    def delete_role(self, guild: Guild, role: Role) -> None:
        """Remove a role from the server and from everybody."""
        guild.roles.pop(role.id, None)
        for member in guild.members.values():
            if role.id in member.roles:
                member.roles.remove(role.id)
        data = {"guild_id": str(guild.id), "role_id": str(role.id)}
        self.events.emit("GUILD_ROLE_DELETE", data, guild_id=guild.id)

    def set_roles(self, guild: Guild, person: User, roles: Iterable[Role]) -> None:
        """Give a member exactly these roles."""
        member = guild.members[person.id]
        member.roles = [role.id for role in roles]
        data = wire.member(member, person) | {"guild_id": str(guild.id)}
        self.events.emit("GUILD_MEMBER_UPDATE", data, guild_id=guild.id)

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

    def permissions(self, channel: Channel, user_id: int) -> int:
        """Someone's permission bits in a channel, thread or DM; 0 for someone who isn't there."""
        if channel.type is ChannelType.DM:
            return DM_PERMISSIONS if user_id in channel.recipients else 0
        guild = self.guilds[channel.guild_id or 0]
        return channel_permissions(guild, self._with_parent_overwrites(channel), user_id)

    def guild_permissions(self, guild: Guild, user_id: int) -> int:
        """Someone's permission bits in a server as a whole."""
        return guild_permissions(guild, user_id)

    def _with_parent_overwrites(self, channel: Channel) -> Channel:
        parent = self.channels.get(channel.parent_id or 0) if channel.is_thread else None
        if parent is not None:
            channel.overwrites = parent.overwrites
        return channel

    def may(self, user_id: int, channel: Channel, right: int) -> bool:
        """Whether someone holds all the given rights in a channel."""
        return self.permissions(channel, user_id) & right == right

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

    # ---- who sees what ------------------------------------------------------------------------------------

    def channels_of(self, guild: Guild) -> list[Channel]:
        """A server's channels and threads, oldest first."""
        return [channel for channel in self.channels.values() if channel.guild_id == guild.id]

    def dms_of(self, user_id: int) -> list[Channel]:
        """A user's DM channels."""
        return [channel for channel in self.channels.values() if user_id in channel.recipients]

    def guilds_of(self, user_id: int) -> list[Guild]:
        """The servers someone is a member of."""
        return [guild for guild in self.guilds.values() if user_id in guild.members]

    def share_a_guild(self, one: int, other: int) -> bool:
        """Whether two users have a server in common."""
        return any(other in guild.members for guild in self.guilds_of(one))

    def can_view(self, user_id: int, channel: Channel) -> bool:
        """Whether someone sees a channel at all."""
        if channel.type is ChannelType.DM:
            return user_id in channel.recipients
        return self.may(user_id, channel, Permission.VIEW_CHANNEL)

    def visible_channels(self, user_id: int, guild: Guild) -> list[Channel]:
        """The channels and threads of a server that someone sees, by position."""
        seen = [channel for channel in self.channels_of(guild) if self.can_view(user_id, channel)]
        return sorted(seen, key=lambda channel: (channel.position, channel.id))

    def sees(self, user_id: int, event: Event) -> bool:
        """Whether a person (or bot user) may be told of an event."""
        if event.application_id is not None and event.user_id is None:
            return user_id == event.application_id
        if event.user_id is not None:
            return user_id in (event.user_id, event.application_id)
        channel = self.channels.get(event.channel_id or 0)
        # Every member is told of a channel that comes, changes or goes, as on Discord, hidden or not.
        if channel is not None and not event.name.startswith("CHANNEL_"):
            return self.can_view(user_id, channel)
        guild = self.guilds.get(event.guild_id or 0)
        return guild is None or user_id in guild.members

    # ---- wire ---------------------------------------------------------------------------------------------

    def channel_json(self, channel: Channel, viewer: int | None = None) -> JsonObject:
        """A channel as Discord sends it to `viewer` (whose own name a DM doesn't list)."""
        people = [self.users[user_id] for user_id in channel.recipients if user_id != viewer]
        return wire.channel(channel, people, self.messages.last_id(channel.id))

    def guild_create(self, guild: Guild, app_id: int) -> JsonObject:
        """The GUILD_CREATE payload for one application's bot."""
        bot = guild.members[app_id]
        threads = [
            c for c in self.channels_of(guild) if c.is_thread and not c.archived and self.can_view(app_id, c)
        ]
        return wire.guild(guild) | {
            "joined_at": wire.iso(bot.joined_at),
            "large": False,
            "unavailable": False,
            "member_count": len(guild.members),
            "members": [wire.member(bot, self.users[app_id])],
            "channels": [self.channel_json(c, app_id) for c in self.channels_of(guild) if not c.is_thread],
            "threads": [self.channel_json(c, app_id) for c in threads],
            "voice_states": [],
            "presences": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
        }
