"""A small furnished world: one server, its channels, an admin, two readers and the bot.

Promises: the same ids every time, so that a kept database and a kept world fit together. Leaves the look to `page`.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.sandbox.model import Application, Channel, ChannelType, Guild, User
from bot.sandbox.permissions import Permission
from bot.sandbox.world import World

TOKEN = "sandbox.local.token"  # noqa: S105 - opens nothing but this local server
_BASE = 1_300_000_000_000_000_000
APP_ID, ADMIN_ID, READER_ID, STRANGER_ID = _BASE + 1, _BASE + 2, _BASE + 3, _BASE + 4
GUILD_ID, GENERAL_ID, DIGEST_ID, FORUM_ID, STAFF_ID = (_BASE + 10 + number for number in range(5))
BOT_RIGHTS = int(
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.SEND_MESSAGES_IN_THREADS
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
)


@dataclass(frozen=True, slots=True)
class Demo:
    """The furnished world's parts by name."""

    app: Application
    bot: User
    admin: User
    reader: User
    chinese_reader: User
    guild: Guild
    general: Channel
    digest: Channel
    forum: Channel
    staff: Channel


def furnish(world: World, *, name: str = "ICLR Herald", token: str = TOKEN) -> Demo:
    """Put the demo into a world, or find it in one that was kept.

    The bot has exactly the rights that the install link asks for; #staff is hidden from readers and from the bot.
    """
    if GUILD_ID not in world.guilds:
        _build(world, name, token)
    return Demo(
        world.applications[APP_ID],
        world.users[APP_ID],
        world.users[ADMIN_ID],
        world.users[READER_ID],
        world.users[STRANGER_ID],
        world.guilds[GUILD_ID],
        *(world.channels[number] for number in (GENERAL_ID, DIGEST_ID, FORUM_ID, STAFF_ID)),
    )


def _build(world: World, name: str, token: str) -> None:
    admin = world.add_user("ada", display_name="Ada (admin)", user_id=ADMIN_ID)
    reader = world.add_user("ren", display_name="Ren (reader)", user_id=READER_ID)
    chinese = world.add_user("yue", display_name="月 (读者)", locale="zh-CN", user_id=STRANGER_ID)
    app = world.add_application(name, token, owner=admin, app_id=APP_ID)
    guild = world.add_guild("Paper Club", owner=admin, guild_id=GUILD_ID)
    for person in (reader, chinese):
        world.add_member(guild, person)
    role = world.add_role(guild, name, BOT_RIGHTS)
    world.add_member(guild, world.users[app.bot_id], [role])
    world.add_channel(guild, "general", channel_id=GENERAL_ID)
    world.add_channel(guild, "iclr-digest", topic="The daily digest", channel_id=DIGEST_ID)
    world.add_channel(guild, "papers", ChannelType.FORUM, channel_id=FORUM_ID)
    staff = world.add_channel(guild, "staff", channel_id=STAFF_ID)
    world.set_overwrite(staff, guild.roles[guild.id], deny=Permission.VIEW_CHANNEL)
    for person in (admin, reader, chinese):
        world.install_for_user(person, app)
