"""What stands in the sandbox's world, as plain mutable records.

Promises: ids are integers, times aware UTC, foreign JSON (embeds, components) kept as it came.
Leaves to others: the rules (`world`, `limits`) and the wire format (`wire`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, IntFlag
from typing import Any

JsonObject = dict[str, Any]


class ChannelType(IntEnum):
    """Discord's channel types that the sandbox knows."""

    TEXT = 0
    DM = 1
    CATEGORY = 4
    ANNOUNCEMENT = 5
    ANNOUNCEMENT_THREAD = 10
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12
    FORUM = 15


THREADS = frozenset({ChannelType.ANNOUNCEMENT_THREAD, ChannelType.PUBLIC_THREAD, ChannelType.PRIVATE_THREAD})


class MessageFlag(IntFlag):
    """Discord's message flags that the sandbox acts on."""

    SUPPRESS_EMBEDS = 1 << 2
    HAS_THREAD = 1 << 5
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SUPPRESS_NOTIFICATIONS = 1 << 12
    COMPONENTS_V2 = 1 << 15


@dataclass(slots=True)
class User:
    """A person or a bot.

    Attributes:
        locale: the language of the person's client, e.g. ``zh-CN``.
        dm_allowed: False when the person takes no DMs; sending one is then refused with 50007.
        deleted: whether the account is gone; its messages stay.
        installed: applications installed to the user's own account ("user install").
    """

    id: int
    name: str
    display_name: str
    locale: str = "en-US"
    bot: bool = False
    dm_allowed: bool = True
    deleted: bool = False
    installed: set[int] = field(default_factory=set)


@dataclass(slots=True)
class Application:
    """A registered application and its bot user.

    Attributes:
        privileged_intents: the gateway intent bits switched on in the developer portal.
        token: what the bot authenticates with.
    """

    id: int
    name: str
    token: str
    bot_id: int
    owner_id: int
    privileged_intents: int = 0
    description: str = ""


@dataclass(slots=True)
class Role:
    """A role of a server; the one with the server's id is @everyone."""

    id: int
    name: str
    permissions: int
    position: int = 0


@dataclass(slots=True)
class Member:
    """A user's membership."""

    user_id: int
    joined_at: datetime
    roles: list[int] = field(default_factory=list)
    nick: str | None = None


@dataclass(slots=True)
class Overwrite:
    """What a channel grants or takes from a role (`is_member` False) or a member."""

    id: int
    is_member: bool
    allow: int = 0
    deny: int = 0


@dataclass(slots=True)
class Guild:
    """A server. `unavailable` is True during an outage; `commands_for` are applications installed without their bot."""

    id: int
    name: str
    owner_id: int
    locale: str = "en-US"
    roles: dict[int, Role] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)
    commands_for: set[int] = field(default_factory=set)
    unavailable: bool = False


@dataclass(slots=True)
class Channel:
    """A channel, thread, forum or DM.

    Attributes:
        recipients: the two user ids of a DM; empty elsewhere.
        parent_id: a thread's channel, or a channel's category.
        archived_at: when a thread was last archived or opened.
    """

    id: int
    type: ChannelType
    name: str = ""
    guild_id: int | None = None
    topic: str | None = None
    position: int = 0
    parent_id: int | None = None
    overwrites: dict[int, Overwrite] = field(default_factory=dict)
    recipients: tuple[int, ...] = ()
    owner_id: int | None = None
    archived: bool = False
    locked: bool = False
    archived_at: datetime | None = None
    auto_archive_minutes: int = 1440
    tags: list[JsonObject] = field(default_factory=list)
    applied_tags: list[int] = field(default_factory=list)
    thread_members: set[int] = field(default_factory=set)

    @property
    def is_thread(self) -> bool:
        """Whether it is a thread or a forum post."""
        return self.type in THREADS


@dataclass(slots=True)
class Attachment:
    """A file at the sandbox's CDN."""

    id: int
    filename: str
    data: bytes
    content_type: str
    description: str | None = None
    ephemeral: bool = False


@dataclass(slots=True)
class Message:
    """One message.

    Attributes:
        embeds: embeds as Discord's JSON.
        components: components as Discord's JSON, each with its `id`.
        flags: `MessageFlag` bits; LOADING while a deferred answer "is thinking".
        seen_only_by: the one person who sees an ephemeral message; None for everybody.
        interaction: Discord's `interaction_metadata`, or None.
        mentions: users that were pinged; what `allowed_mentions` forbids isn't among them.
    """

    id: int
    channel_id: int
    author_id: int
    created_at: datetime
    content: str = ""
    embeds: list[JsonObject] = field(default_factory=list)
    components: list[JsonObject] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    flags: int = 0
    type: int = 0
    edited_at: datetime | None = None
    nonce: str | None = None
    application_id: int | None = None
    webhook_id: int | None = None
    interaction: JsonObject | None = None
    reference: JsonObject | None = None
    mentions: list[int] = field(default_factory=list)
    mention_roles: list[int] = field(default_factory=list)
    mention_everyone: bool = False
    seen_only_by: int | None = None

    @property
    def ephemeral(self) -> bool:
        """Whether only one person sees it."""
        return self.seen_only_by is not None

    @property
    def loading(self) -> bool:
        """Whether it is a deferred answer that hasn't come yet ("… is thinking")."""
        return bool(self.flags & MessageFlag.LOADING)

    @property
    def is_v2(self) -> bool:
        """Whether its text stands in components (Components V2)."""
        return bool(self.flags & MessageFlag.COMPONENTS_V2)


@dataclass(slots=True)
class Command:
    """A registered application command: `data` is Discord's JSON as returned by the API."""

    id: int
    application_id: int
    guild_id: int | None
    version: int
    data: JsonObject

    @property
    def name(self) -> str:
        """The name as registered."""
        return str(self.data["name"])

    @property
    def type(self) -> int:
        """1 slash command, 2 user menu, 3 message menu."""
        return int(self.data["type"])


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, told to every subscriber in order.

    Attributes:
        name: Discord's gateway name (``MESSAGE_CREATE``), or a name starting with ``SANDBOX_`` for what only the
            sandbox's own page cares about.
        data: the payload as Discord sends it; never changed after it was told.
        guild_id: the server it belongs to.
        channel_id: the channel it belongs to.
        user_id: set when only this person (and the application named) may see it: ephemeral messages.
        application_id: set when only this application may see it.
        sequence: counts up over the world's life; lets a page resume its stream.
    """

    name: str
    data: JsonObject
    sequence: int
    guild_id: int | None = None
    channel_id: int | None = None
    user_id: int | None = None
    application_id: int | None = None
