"""The world's records as the JSON that Discord sends.

Promises: the shapes of Discord's API v10 (ids as strings, ISO times with an offset). Leaves the rules to `world`.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from bot.sandbox.model import (
    Application,
    Attachment,
    Channel,
    ChannelType,
    Command,
    Guild,
    JsonObject,
    Member,
    Message,
    Role,
    User,
)
from bot.sandbox.snowflake import moment_of


def iso(moment: datetime) -> str:
    """An ISO 8601 time with microseconds and offset, as Discord prints it."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def user(record: User) -> JsonObject:
    """A user object."""
    return {
        "id": str(record.id),
        "username": record.name,
        "discriminator": "0000" if record.bot else "0",
        "global_name": None if record.bot else record.display_name,
        "avatar": None,
        "banner": None,
        "accent_color": None,
        "avatar_decoration_data": None,
        "collectibles": None,
        "primary_guild": None,
        "bot": record.bot,
        "system": False,
        "flags": 0,
        "public_flags": 0,
    }


def member(record: Member, person: User | None = None) -> JsonObject:
    """A guild member object; with `person` it carries the user."""
    data: JsonObject = {
        "roles": [str(role) for role in record.roles],
        "joined_at": iso(record.joined_at),
        "nick": record.nick,
        "avatar": None,
        "banner": None,
        "premium_since": None,
        "communication_disabled_until": None,
        "deaf": False,
        "mute": False,
        "flags": 0,
        "pending": False,
    }
    if person is not None:
        data["user"] = user(person)
    return data


def role(record: Role) -> JsonObject:
    """A role object."""
    return {
        "id": str(record.id),
        "name": record.name,
        "description": None,
        "permissions": str(record.permissions),
        "position": record.position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": False,
        "mentionable": False,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }


def channel(record: Channel, people: Iterable[User] = (), last_message: int | None = None) -> JsonObject:
    """A channel object of any kind; `people` are a DM's recipients other than the one who asks."""
    data: JsonObject = {
        "id": str(record.id),
        "type": int(record.type),
        "last_message_id": str(last_message) if last_message else None,
        "flags": 0,
    }
    if record.type is ChannelType.DM:
        return data | {"recipients": [user(person) for person in people]}
    data |= {
        "guild_id": str(record.guild_id),
        "name": record.name,
        "parent_id": str(record.parent_id) if record.parent_id else None,
        "rate_limit_per_user": 0,
    }
    return data | (_thread_part(record) if record.is_thread else _guild_channel_part(record))


def _guild_channel_part(record: Channel) -> JsonObject:
    data: JsonObject = {
        "topic": record.topic,
        "position": record.position,
        "nsfw": False,
        "permission_overwrites": [
            {"id": str(o.id), "type": int(o.is_member), "allow": str(o.allow), "deny": str(o.deny)}
            for o in record.overwrites.values()
        ],
    }
    if record.type is ChannelType.FORUM:
        data |= {
            "available_tags": record.tags,
            "default_reaction_emoji": None,
            "default_sort_order": None,
            "default_forum_layout": 0,
            "default_thread_rate_limit_per_user": 0,
        }
    return data


def _thread_part(record: Channel) -> JsonObject:
    return {
        "owner_id": str(record.owner_id),
        "message_count": 0,
        "member_count": len(record.thread_members),
        "total_message_sent": 0,
        "applied_tags": [str(tag) for tag in record.applied_tags],
        "thread_metadata": {
            "archived": record.archived,
            "locked": record.locked,
            "auto_archive_duration": record.auto_archive_minutes,
            "archive_timestamp": iso(record.archived_at or moment_of(record.id)),
            "create_timestamp": iso(moment_of(record.id)),
        },
    }


def guild(record: Guild) -> JsonObject:
    """A guild object without its channels and members."""
    return {
        "id": str(record.id),
        "name": record.name,
        "owner_id": str(record.owner_id),
        "preferred_locale": record.locale,
        "roles": [role(item) for item in record.roles.values()],
        "emojis": [],
        "stickers": [],
        "features": [],
        "icon": None,
        "splash": None,
        "discovery_splash": None,
        "banner": None,
        "description": None,
        "region": "deprecated",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "verification_level": 0,
        "default_message_notifications": 1,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "nsfw": False,
        "application_id": None,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "rules_channel_id": None,
        "public_updates_channel_id": None,
        "safety_alerts_channel_id": None,
        "vanity_url_code": None,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "premium_progress_bar_enabled": False,
        "home_header": None,
        "widget_enabled": False,
        "widget_channel_id": None,
        "max_video_channel_users": 25,
        "max_stage_video_channel_users": 50,
        "max_members": 500000,
        "max_presences": None,
        "incidents_data": None,
    }


def attachment(record: Attachment, channel_id: int, base_url: str) -> JsonObject:
    """An attachment object whose address is served by the sandbox."""
    kind = "ephemeral-attachments" if record.ephemeral else "attachments"
    url = f"{base_url}/{kind}/{channel_id}/{record.id}/{record.filename}"
    data: JsonObject = {
        "id": str(record.id),
        "filename": record.filename,
        "size": len(record.data),
        "url": url,
        "proxy_url": url,
        "content_type": record.content_type,
    }
    if record.description is not None:
        data["description"] = record.description
    if record.ephemeral:
        data["ephemeral"] = True
    return data


def message(record: Message, author: User, people: dict[int, User], base_url: str) -> JsonObject:
    """A message object without `guild_id` and `member`, which only the gateway adds."""
    data: JsonObject = {
        "id": str(record.id),
        "channel_id": str(record.channel_id),
        "author": user(author),
        "content": record.content,
        "timestamp": iso(record.created_at),
        "edited_timestamp": iso(record.edited_at) if record.edited_at else None,
        "tts": False,
        "mention_everyone": record.mention_everyone,
        "mentions": [user(people[number]) for number in record.mentions if number in people],
        "mention_roles": [str(number) for number in record.mention_roles],
        "attachments": [attachment(item, record.channel_id, base_url) for item in record.attachments],
        "embeds": record.embeds,
        "components": record.components,
        "pinned": False,
        "type": record.type,
        "flags": record.flags,
    }
    data |= _optional_message_fields(record)
    return data


def _optional_message_fields(record: Message) -> JsonObject:
    data: JsonObject = {}
    if record.nonce is not None:
        data["nonce"] = record.nonce
    for name, value in (("application_id", record.application_id), ("webhook_id", record.webhook_id)):
        if value is not None:
            data[name] = str(value)
    if record.interaction is not None:
        data["interaction_metadata"] = record.interaction
    if record.reference is not None:
        data["message_reference"] = record.reference
    return data


def application(record: Application, owner: User) -> JsonObject:
    """The application object that `GET /oauth2/applications/@me` answers with."""
    return {
        "id": str(record.id),
        "name": record.name,
        "icon": None,
        "description": record.description,
        "summary": "",
        "type": None,
        "is_monetized": False,
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": 0,
        "hook": True,
        "storefront_available": False,
        "flags_new": "0",
        "explicit_content_filter": 0,
        "role_connections_verification_url": None,
        "approximate_user_authorization_count": 0,
        "eligible_oauth2_scopes": ["bot", "applications.commands"],
        "integration_types_config": {"0": {}, "1": {}},
        "owner": user(owner),
        "team": None,
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "approximate_guild_count": 0,
        "approximate_user_install_count": 0,
    }


def command(record: Command) -> JsonObject:
    """A registered command as the API returns it."""
    data = dict(record.data)
    data |= {
        "id": str(record.id),
        "application_id": str(record.application_id),
        "version": str(record.version),
    }
    if record.guild_id is not None:
        data["guild_id"] = str(record.guild_id)
    return data
