"""What a subscriber is told: one message a load, with why each paper is in it.

Promises: every paper says which subscription matched which of its texts; what doesn't fit is counted.
Leaves to others: who follows what (`bot.alerts`) and what the buttons do (the cogs).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import discord

from bot.papers.model import Paper
from bot.render import ids
from bot.render.blocks import block, search_note
from bot.render.cutting import cut
from bot.render.limits import EMBEDS, fit, pages
from bot.render.message import Button, Message, marked, rows_of
from bot.render.safe import bare, literal
from bot.render.voice import Voice

_MATCHED_TEXT = 140
_NAME_IN_BUTTON = 40
_MUTES = 5  # one row
_NOT_PLACES = 10  # two rows


@dataclass(frozen=True, slots=True)
class Why:
    """One subscription that a paper matched.

    Attributes:
        subscription: its id, for "mute this".
        kind: institution | author | keyword.
        name: what is followed, as the subscriber knows it (foreign text).
        text: the text of the paper that matched (foreign text).
        place: what "not this place" refers to: the organisation's id, or the affiliation's number as text; None
            for authors and keywords.
        child: matched through an institution that belongs to the followed one.
    """

    subscription: int
    kind: Literal["institution", "author", "keyword"]
    name: str
    text: str
    place: str | None = None
    child: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """A paper and all subscriptions of one person (or channel) that it matched."""

    paper: Paper
    why: tuple[Why, ...]


@dataclass(frozen=True, slots=True)
class Alert:
    """The message, the ids of the papers it shows, and of those that "and N more" opens."""

    message: Message
    shown: tuple[int, ...]
    rest: tuple[int, ...]


def alert(
    voice: Voice,
    items: Sequence[Item],
    *,
    to_channel: bool = False,
    more_id: str | None = None,
    part_id: str | None = None,
) -> Alert:
    """The one message of a load for one person or channel.

    Args:
        voice: who reads it.
        items: the papers, in the order of showing; at least one.
        to_channel: said to a channel ("because this channel follows …").
        more_id: custom_id of the button that opens the papers that don't fit.
        part_id: the outbox mark.
    """
    # No message holds more than this many, so that the rest of a large load needn't be made.
    likely = items[:EMBEDS]
    blocks = [[_embed(voice, item, number, len(items), to_channel)] for number, item in enumerate(likely, 1)]
    count = len(pages(blocks)[0])
    shown, rest = items[:count], items[count:]
    header = voice.sentence("alert.header_channel" if to_channel else "alert.header", count=len(items))
    if rest:
        header = f"{header}\n{voice.sentence('digest.capped', count=len(rest))}"
    if note := search_note(voice, [item.paper for item in shown]):
        header = f"{header}\n{note}"
    more = Button(voice.say("digest.more", count=len(rest)), "primary", more_id) if rest and more_id else None
    buttons = (*rows_of(more), *_mutes(voice, shown), *_not_places(voice, shown, len(items)))
    message = Message(content=header, embeds=tuple(group[0] for group in blocks[:count]), buttons=buttons)
    if part_id:
        message = marked(message, part_id, voice.say("button.details"))
    return Alert(fit(message), _ids(shown), _ids(rest))


def reasons(voice: Voice, why: Sequence[Why], *, to_channel: bool = False) -> str:
    """Why a paper is in an alert: a line for each subscription that it matched."""
    lines = [line for one in why for line in _reason(voice, one, to_channel).splitlines()]
    return "\n".join(f"> {line}" for line in lines)


def _embed(voice: Voice, item: Item, number: int, total: int, to_channel: bool) -> discord.Embed:
    numbered = number if total > 1 else None
    return block(voice, item.paper, number=numbered, reasons=reasons(voice, item.why, to_channel=to_channel))


def _reason(voice: Voice, why: Why, to_channel: bool) -> str:
    child = "_child" if why.kind == "institution" and why.child else ""
    key = f"alert.{why.kind}{child}{'_channel' if to_channel else ''}"
    name, text = literal(why.name), cut(literal(why.text), _MATCHED_TEXT)
    return voice.sentence(key, name=name, text=text)


def _mutes(voice: Voice, items: Sequence[Item]) -> tuple[tuple[Button, ...], ...]:
    """A button for each subscription that matched; with more than a row of them, the list to choose from."""
    followed = {why.subscription: why.name for item in items for why in item.why}
    if len(followed) > _MUTES:
        return rows_of(Button(voice.say("button.manage"), custom_id=ids.encode("subs")))
    return rows_of(
        *(
            Button(voice.say("button.mute", name=_short(name)), custom_id=ids.encode("mute", number))
            for number, name in followed.items()
        )
    )


def _not_places(voice: Voice, items: Sequence[Item], total: int) -> tuple[tuple[Button, ...], ...]:
    """A button for each institution that was read out of a paper, to say that it isn't that one."""
    buttons: dict[str, Button] = {}
    for number, item in enumerate(items, 1):
        for why in item.why:
            if why.place is None:
                continue
            custom_id = ids.encode("notplace", item.paper.id, why.place)
            key = "button.not_place_numbered" if total > 1 else "button.not_place"
            label = voice.say(key, name=_short(why.name), number=number)
            buttons.setdefault(custom_id, Button(label, custom_id=custom_id))
    return rows_of(*list(buttons.values())[:_NOT_PLACES])


def _short(name: str) -> str:
    return cut(bare(name), _NAME_IN_BUTTON, markup=False)


def _ids(items: Sequence[Item]) -> tuple[int, ...]:
    return tuple(item.paper.id for item in items)
