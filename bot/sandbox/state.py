"""What stands in the local Discord, and who sees what of it.

Promises: reading only; rights and visibility by Discord's rules. Leaves changing it to `world`, which adds the acts.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from bot.clock import Clock
from bot.sandbox import wire
from bot.sandbox.events import EventStream, Listener
from bot.sandbox.interactions import Interactions
from bot.sandbox.messages import Messages
from bot.sandbox.model import Application, Attachment, Channel, ChannelType, Event, Guild, JsonObject, User
from bot.sandbox.permissions import DM_PERMISSIONS, Permission, channel_permissions, guild_permissions
from bot.sandbox.registry import Registry
from bot.sandbox.snowflake import SnowflakeMaker

NONCE_WINDOW = timedelta(minutes=5)


class WorldState:
    """The records of a world.

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

    def application_of_token(self, token: str) -> Application | None:
        """The application a token belongs to."""
        return next((app for app in self.applications.values() if app.token == token), None)

    # ---- rights -------------------------------------------------------------------------------------------

    def permissions(self, channel: Channel, user_id: int) -> int:
        """Someone's permission bits in a channel, thread or DM; 0 for someone who isn't there."""
        if channel.type is ChannelType.DM:
            return DM_PERMISSIONS if user_id in channel.recipients else 0
        guild = self.guilds[channel.guild_id or 0]
        parent = self.channels.get(channel.parent_id or 0) if channel.is_thread else None
        return channel_permissions(guild, channel, (parent or channel).overwrites, user_id)

    def guild_permissions(self, guild: Guild, user_id: int) -> int:
        """Someone's permission bits in a server as a whole."""
        return guild_permissions(guild, user_id)

    def may(self, user_id: int, channel: Channel, right: int) -> bool:
        """Whether someone holds all the given rights in a channel."""
        return self.permissions(channel, user_id) & right == right

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

    def bots_in(self, guild: Guild) -> list[int]:
        """The ids of the applications whose bot is a member."""
        return [user_id for user_id in guild.members if user_id in self.applications]

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
