"""Discord's permission bits and how a member's rights in a channel are computed.

Promises: the order of Discord's reference ("Permission Overwrites"): everyone, roles, the person; an owner and an
administrator may everything; without View Channel or Send Messages the rights that depend on them go too.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntFlag

from bot.sandbox.model import Channel, ChannelType, Guild, Overwrite


class Permission(IntFlag):
    """The bits this sandbox knows by name; others are carried through untouched."""

    KICK_MEMBERS = 1 << 1
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    SEND_TTS_MESSAGES = 1 << 12
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    MANAGE_ROLES = 1 << 28
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    USE_EXTERNAL_APPS = 1 << 50


ALL = (1 << 53) - 1
Overwrites = Mapping[int, Overwrite]

EVERYONE_DEFAULT = int(
    Permission.ADD_REACTIONS
    | Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
    | Permission.USE_EXTERNAL_APPS
)

DM_PERMISSIONS = EVERYONE_DEFAULT

_NEEDS_SENDING = int(
    Permission.MENTION_EVERYONE
    | Permission.SEND_TTS_MESSAGES
    | Permission.ATTACH_FILES
    | Permission.EMBED_LINKS
)


def guild_permissions(guild: Guild, user_id: int) -> int:
    """A member's rights in the server as a whole; 0 for someone who isn't a member."""
    member = guild.members.get(user_id)
    if member is None:
        return 0
    if guild.owner_id == user_id:
        return ALL
    granted = guild.roles[guild.id].permissions
    for role_id in member.roles:
        if role_id in guild.roles:
            granted |= guild.roles[role_id].permissions
    return ALL if granted & Permission.ADMINISTRATOR else granted


def channel_permissions(guild: Guild, channel: Channel, overwrites: Overwrites, user_id: int) -> int:
    """A member's rights in a channel; a thread has the overwrites of its parent.

    Returns:
        The bit set, with what depends on View Channel or Send Messages already taken away.
    """
    granted = guild_permissions(guild, user_id)
    if granted == ALL or user_id not in guild.members:
        return granted
    granted = _overwritten(granted, guild, overwrites, user_id)
    if not granted & Permission.VIEW_CHANNEL:
        return 0
    if not granted & _sending_right(channel):
        granted &= ~_NEEDS_SENDING
    return granted


def _sending_right(channel: Channel) -> Permission:
    return Permission.SEND_MESSAGES_IN_THREADS if channel.is_thread else Permission.SEND_MESSAGES


def _overwritten(granted: int, guild: Guild, held: Overwrites, user_id: int) -> int:
    everyone = held.get(guild.id)
    granted = _apply(granted, [everyone] if everyone else [])
    # All roles count at once: what any of them allows outweighs what another denies.
    roles = [held[role] for role in guild.members[user_id].roles if role in held]
    granted = _apply(granted, roles)
    own = held.get(user_id)
    return _apply(granted, [own] if own else [])


def _apply(granted: int, overwrites: list[Overwrite]) -> int:
    allow = deny = 0
    for overwrite in overwrites:
        allow |= overwrite.allow
        deny |= overwrite.deny
    return (granted & ~deny) | allow


def is_postable(channel: Channel) -> bool:
    """Whether messages stand in this kind of channel (a forum holds threads only)."""
    return channel.type not in (ChannelType.CATEGORY, ChannelType.FORUM)
