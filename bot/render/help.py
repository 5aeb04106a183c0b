"""What the bot can do, and what it keeps: `/help` and `/privacy`.

Promises: every command stands in the help with the description that Discord shows for it.
Leaves to others: deleting what is kept.
"""

from __future__ import annotations

from collections.abc import Mapping

import discord

from bot.render import ids
from bot.render.limits import fit
from bot.render.message import Button, Message, rows_of
from bot.render.voice import Voice

# Section of the help → its commands, by their key in the catalogue.
SECTIONS: dict[str, tuple[str, ...]] = {
    "help.readers": ("paper", "search", "author", "institution", "similar", "random", "stats"),
    "help.follow": (
        "subscribe_institution",
        "subscribe_author",
        "subscribe_keyword",
        "subscriptions",
        "unsubscribe",
    ),
    "help.keep": ("cite", "library_save", "library_list", "library_export", "report"),
    "help.admins": (
        "digest_set",
        "digest_show",
        "digest_preview",
        "digest_now",
        "digest_pause",
        "digest_resume",
        "digest_remove",
    ),
    "help.operators": ("import",),
    "help.about": ("settings", "status", "help", "privacy"),
}
_COLOUR = 0x3B7DD8


def help_page(voice: Voice, mentions: Mapping[str, int] | None = None, *, operator: bool = False) -> Message:
    """Every command in sections.

    Args:
        voice: who reads it.
        mentions: Discord's ids of the registered commands by their first word; with them the commands can be
            clicked.
        operator: whether the operator's commands are shown.
    """
    known = mentions or {}
    embed = discord.Embed(
        title=voice.say("help.title"), description=voice.sentence("help.intro"), colour=_COLOUR
    )
    for section, commands in SECTIONS.items():
        if section != "help.operators" or operator:
            lines = [f"{_command(name, known)} {_description(voice, name)}" for name in commands]
            embed.add_field(name=voice.say(section), value="\n".join(lines), inline=False)
    menu = voice.say("commands.find_papers_here.name")
    embed.add_field(name=menu, value=voice.say("help.menu"), inline=False)
    embed.set_footer(text=voice.say("help.footer"))
    return fit(Message(embeds=(embed,)))


def privacy_page(voice: Voice) -> Message:
    """What is kept about a person, and the button that deletes it."""
    embed = discord.Embed(
        title=voice.say("privacy.title"), description=voice.sentence("privacy.body"), colour=_COLOUR
    )
    forget = Button(voice.say("privacy.delete"), "danger", ids.encode("settings", "forget"))
    return fit(Message(embeds=(embed,), buttons=rows_of(forget)))


def privacy_confirm(voice: Voice) -> Message:
    """Asks before everything about a person is deleted."""
    yes = Button(voice.say("button.confirm"), "danger", ids.encode("settings", "forget", "yes"))
    return fit(Message(voice.sentence("privacy.delete_confirm"), buttons=rows_of(yes)))


def _command(name: str, mentions: Mapping[str, int]) -> str:
    words = name.replace("_", " ")
    number = mentions.get(words.partition(" ")[0])
    return f"</{words}:{number}>" if number else f"`/{words}`"


def _description(voice: Voice, name: str) -> str:
    return voice.say(f"commands.{name}.description")
