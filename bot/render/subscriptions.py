"""What people read about what they follow: confirmations, choices, lists.

Promises: a confirmation says exactly what will match and shows what would have; nothing is followed by guess.
Leaves to `bot.alerts`: matching; to the cogs: what the buttons do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import discord

from bot.papers.model import Paper
from bot.render import ids
from bot.render.blocks import line
from bot.render.cutting import cut
from bot.render.limits import echo, fit
from bot.render.message import Button, Message, Option, Select, rows_of
from bot.render.safe import bare, literal
from bot.render.voice import Voice

Kind = Literal["institution", "author", "keyword"]
_NAMES_SHOWN = 12
_LISTED = 20
_COLOUR = 0x3B7DD8


@dataclass(frozen=True, slots=True)
class Followed:
    """One subscription. `channel` is a mention, or None for DMs; `names` are what an institution is matched by."""

    id: int
    kind: Kind
    name: str
    channel: str | None = None
    literal_name: bool = False
    names: tuple[str, ...] = ()
    children: tuple[str, ...] = ()
    muted: bool = False
    paused: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that may have been meant: the value of a select, and how it is told apart."""

    value: str
    name: str
    description: str = ""


def confirmed(
    voice: Voice, followed: Followed, recent: Sequence[Paper], *, new: bool, notes: Sequence[str] = ()
) -> Message:
    """The answer to a `/subscribe` that was carried out (or, with `new` false, was in force already)."""
    lines = [_done(voice, followed) if new else _already(voice, followed), _matches(voice, followed)]
    if followed.children:
        names = _some(followed.children)
        lines.append(voice.sentence("subscribe.matches_children", names=names))
    lines.append(
        voice.sentence("subscribe.where_channel", channel=followed.channel)
        if followed.channel
        else voice.sentence("subscribe.where_dm")
    )
    lines += notes
    if recent:
        lines.append(voice.sentence("subscribe.recent"))
        lines += [f"• {line(voice, paper)}" for paper in recent]
    else:
        lines.append(voice.sentence("subscribe.recent_none"))
    buttons = rows_of(
        Button(voice.say("button.unsubscribe"), "secondary", ids.encode("unsub", followed.id)),
        Button(voice.say("button.manage"), "secondary", ids.encode("subs")),
    )
    embed = discord.Embed(description="\n".join(lines), colour=_COLOUR)
    return fit(Message(embeds=(embed,), buttons=buttons))


def choose(
    voice: Voice, query: str, options: Sequence[Choice], token: str, *, ambiguous: bool, offer_literal: bool
) -> Message:
    """Several things may have been meant: a person chooses, nothing is followed until then."""
    shown = literal(echo(query))
    text = voice.sentence("subscribe.ambiguous" if ambiguous else "subscribe.suggest", query=shown)
    select = Select(
        ids.encode("choose", token, "subscribe"),
        tuple(
            Option(cut(bare(option.name), 100), option.value, cut(bare(option.description, ""), 100) or None)
            for option in options[:25]
        ),
        voice.say("button.choose_select"),
    )
    follow_literally = Button(
        voice.say("subscribe.literal_offer", query=cut(bare(query), 40)),
        "secondary",
        ids.encode("confirm", token, "literal"),
    )
    return fit(
        Message(
            content=text,
            buttons=rows_of(follow_literally) if offer_literal else (),
            select=select if options else None,
        )
    )


def listed(voice: Voice, items: Sequence[Followed], limit: int, *, heading: str, offset: int = 0) -> Message:
    """What a person or a channel follows, with ways to stop."""
    if not items:
        return Message(content=voice.sentence("subscriptions.none"))
    page = items[offset : offset + _LISTED]
    lines = [_listed(voice, item) for item in page]
    embed = discord.Embed(title=heading, description="\n".join(lines), colour=_COLOUR)
    embed.set_footer(text=voice.say("subscriptions.count", count=len(items), limit=limit))
    select = Select(
        ids.encode("unsub", 0),
        tuple(Option(cut(bare(item.name), 100), f"s:{item.id}") for item in page),
        voice.say("button.unsubscribe_select"),
    )
    paused = any(item.paused for item in items)
    muted = next((item for item in page if item.muted), None)
    buttons = rows_of(
        Button(voice.say("button.previous"), "secondary", ids.encode("subs", offset - _LISTED))
        if offset
        else None,
        Button(voice.say("button.next"), "secondary", ids.encode("subs", offset + _LISTED))
        if offset + _LISTED < len(items)
        else None,
        Button(voice.say("button.test_dm"), "primary", ids.encode("testdm")) if paused else None,
        Button(voice.say("button.unmute"), "secondary", ids.encode("unmute", muted.id)) if muted else None,
    )
    return fit(Message(embeds=(embed,), buttons=buttons, select=select))


def dms_closed(voice: Voice, key: str = "subscribe.dm_closed", **values: object) -> Message:
    """DMs don't reach the person: why, and a button to try again."""
    button = Button(voice.say("button.test_dm"), "primary", ids.encode("testdm"))
    return Message(content=voice.sentence(key, **values), buttons=rows_of(button))


def _done(voice: Voice, followed: Followed) -> str:
    name = literal(followed.name)
    if followed.channel:
        return voice.sentence("subscribe.done_channel", channel=followed.channel, name=name)
    if followed.kind == "institution" and followed.children:
        return voice.sentence("subscribe.done_institution_children", name=name, count=len(followed.children))
    return voice.sentence(f"subscribe.done_{followed.kind}", name=name)


def _already(voice: Voice, followed: Followed) -> str:
    name = literal(followed.name)
    if followed.channel:
        return voice.sentence("subscribe.already_channel", channel=followed.channel, name=name)
    return voice.sentence("subscribe.already", name=name)


def _matches(voice: Voice, followed: Followed) -> str:
    if followed.kind == "institution" and followed.literal_name:
        return voice.sentence("subscribe.matches_literal", name=literal(followed.name))
    if followed.kind == "institution":
        return voice.sentence("subscribe.matches_institution", names=_some(followed.names))
    return voice.sentence(f"subscribe.matches_{followed.kind}")


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(literal(name) for name in names[:_NAMES_SHOWN])
    return f"{shown} +{len(names) - _NAMES_SHOWN}" if len(names) > _NAMES_SHOWN else shown


def _listed(voice: Voice, item: Followed) -> str:
    key = "institution_children" if item.kind == "institution" and item.children else item.kind
    parts = [voice.say(f"subscriptions.{key}", name=literal(item.name))]
    parts.append(
        voice.say("subscriptions.to_channel", channel=item.channel)
        if item.channel
        else voice.say("subscriptions.to_dm")
    )
    parts += [voice.say(f"subscriptions.{word}") for word in ("muted", "paused") if getattr(item, word)]
    return "• " + " · ".join(parts)
