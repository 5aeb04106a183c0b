"""The one limiter: every outgoing message is brought within what Discord accepts.

Promises: what `fit` returns is never refused for its size; `pages` keep the order and lose nothing.
Leaves to others: where a text is cut well (`cutting`), what foreign text may do (`safe`).

Source of the numbers: Discord's developer documentation, "Message", "Embed Limits" and "Component Reference".
All are counted in UTF-16 units, the stricter way where code points and units differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import discord

from bot.render.cutting import cut
from bot.render.graphemes import size
from bot.render.ids import CUSTOM_ID_LIMIT, decode
from bot.render.message import ROW_LENGTH, ROWS, Button, Message, Option, Select, rows_of
from bot.render.safe import safe_url

CONTENT = 2000
EMBEDS = 10
EMBED_TOTAL = (
    6000  # title, description, field names and values, footer and author over *all* embeds of a message
)
TITLE = 256
DESCRIPTION = 4096
FIELDS = 25
FIELD_NAME = 256
FIELD_VALUE = 1024
FOOTER = 2048
AUTHOR = 256
LINKS_PER_EMBED = 20  # seen in the field: an embed with about 40 links is cut off although under every limit
BUTTON_LABEL = 80
SELECT_OPTIONS = 25
OPTION_TEXT = 100
PLACEHOLDER = 150
CHOICE = 100  # name and value of an autocomplete choice
CHOICES = 25
FILES = 10
ECHO = 100  # ours: how much of a person's own words an answer repeats

_LINK = re.compile(
    r"(?<!\\)\[(?P<label>[^\]\n]*)(?<!\\)\]\((?:<[^>\n]*>|[^)\s]*)\)|(?<!\\)https?(?P<colon>:)//"
)
_HALF_PAIR = re.compile("[\ud800-\udfff]")
_NOTHING = "…"


def fit(message: Message) -> Message:
    """The message, cut where it is too long; equal to the given one when it already fits.

    Raises:
        ValueError: a `custom_id` is too long or stands twice, or a button does nothing. Cutting an id would
            make a button that acts on something else, so this is a fault of the caller.
    """
    embeds = _within_total([e for e in (_fit_embed(e) for e in message.embeds) if len(e) > 0])
    content = cut(_whole(message.content or ""), CONTENT)
    if not content.strip():
        content = "" if embeds or message.files else _NOTHING
    select = _fit_select(message.select) if message.select else None
    fitted = Message(
        content=content or None,
        embeds=tuple(embeds),
        buttons=_fit_rows(message.buttons, ROWS - 1 if select else ROWS),
        select=select,
        files=message.files[:FILES],
    )
    _check_ids(fitted)
    return fitted


def echo(text: str) -> str:
    """A person's own words, short enough to be repeated in an answer."""
    return cut(text, ECHO, markup=False)


def embed_size(embed: discord.Embed) -> int:
    """What an embed counts towards the 6000, in UTF-16 units."""
    parts = [embed.title, embed.description, embed.footer.text, embed.author.name]
    parts += [text for field in embed.fields for text in (field.name, field.value)]
    return sum(size(part) for part in parts if part)


def pages(blocks: Sequence[Sequence[discord.Embed]]) -> list[list[int]]:
    """Which blocks share a message, by their numbers: as few messages as possible, in order.

    A block (a heading and its paper) stays together; one that no message can hold stands alone.
    """
    return _grouped([(len(block), sum(map(embed_size, block))) for block in blocks], EMBEDS, EMBED_TOTAL)


def text_pages(blocks: Sequence[str], header_room: int = 0) -> list[list[int]]:
    """Which blocks of text share a message's content, by their numbers, a blank line between them.

    `header_room` units stay free for what stands above them.
    """
    return _grouped([(1, size(block) + 2) for block in blocks], len(blocks) + 1, CONTENT - header_room)


def _grouped(weights: Sequence[tuple[int, int]], most_pieces: int, most_units: int) -> list[list[int]]:
    """Greedy in order, which for groups that keep the order is also the fewest."""
    groups: list[list[int]] = []
    pieces = units = 0
    for number, (more_pieces, more_units) in enumerate(weights):
        if groups and pieces + more_pieces <= most_pieces and units + more_units <= most_units:
            groups[-1].append(number)
            pieces, units = pieces + more_pieces, units + more_units
        else:
            groups.append([number])
            pieces, units = more_pieces, more_units
    return groups


def _fit_embed(embed: discord.Embed) -> discord.Embed:
    body: dict[str, Any] = dict(embed.to_dict())
    budget = _LinkBudget()
    body["title"] = cut(_whole(embed.title or ""), TITLE)
    body["description"] = cut(budget.spend(_whole(embed.description or "")), DESCRIPTION)
    body["fields"] = _fit_fields(embed, budget)
    body["url"] = safe_url(embed.url)
    for part, key, limit in (("footer", "text", FOOTER), ("author", "name", AUTHOR)):
        if part in body:
            body[part] = _fit_line(body[part], key, limit)
    kept = {name: value for name, value in body.items() if not _is_blank(value)}
    return discord.Embed.from_dict(kept)


def _fit_fields(embed: discord.Embed, budget: _LinkBudget) -> list[dict[str, Any]]:
    fitted: Iterator[dict[str, Any]] = (
        {
            "name": cut(_whole(field.name or ""), FIELD_NAME),
            "value": cut(budget.spend(_whole(field.value or "")), FIELD_VALUE),
            "inline": bool(field.inline),
        }
        for field in embed.fields
    )
    return [field for field in fitted if field["name"].strip() and field["value"].strip()][:FIELDS]


def _fit_line(line: dict[str, Any], key: str, limit: int) -> dict[str, Any] | None:
    """A footer or an author line, neither of which has markup; None when nothing is left to see."""
    text = cut(_whole(line.get(key) or ""), limit, markup=False)
    if not text.strip():
        return None
    addresses = {name: safe_url(line.get(name)) for name in ("url", "icon_url")}
    return {key: text, **{name: address for name, address in addresses.items() if address}}


def _is_blank(value: object) -> bool:
    return value is None or value == [] or (isinstance(value, str) and not value.strip())


class _LinkBudget:
    """Lets the first 20 links of an embed through and turns the rest into text."""

    def __init__(self) -> None:
        self._left = LINKS_PER_EMBED

    def spend(self, text: str) -> str:
        return _LINK.sub(self._one, text)

    def _one(self, match: re.Match[str]) -> str:
        self._left -= 1
        if self._left >= 0:
            return match.group()
        return match["label"] if match["label"] is not None else match.group().replace(":", "\\:")


def _within_total(embeds: list[discord.Embed]) -> list[discord.Embed]:
    """At most ten embeds and 6000 units; the one that crosses the line is shortened, those behind it go."""
    kept: list[discord.Embed] = []
    room = EMBED_TOTAL
    for embed in embeds[:EMBEDS]:
        if embed_size(embed) > room:
            _shorten(embed, room)
            if 0 < embed_size(embed) <= room:
                kept.append(embed)
            break
        kept.append(embed)
        room -= embed_size(embed)
    return kept


def _shorten(embed: discord.Embed, room: int) -> None:
    over = embed_size(embed) - room
    description = embed.description or ""
    embed.description = cut(description, max(0, size(description) - over)) or None
    while embed_size(embed) > room and embed.fields:
        embed.remove_field(len(embed.fields) - 1)
    if embed_size(embed) > room:
        embed.remove_footer()


def _fit_rows(rows: tuple[tuple[Button, ...], ...], most: int) -> tuple[tuple[Button, ...], ...]:
    fitted = tuple(tuple(b for b in map(_fit_button, row) if b is not None) for row in rows)
    fitted = tuple(row for row in fitted if row)
    if len(fitted) <= most and all(len(row) <= ROW_LENGTH for row in fitted):
        return fitted
    flat = [button for row in fitted for button in row]
    # The outbox mark is what tells a sent part from a lost one: it is the last to go.
    flat.sort(key=lambda button: not _is_mark(button))
    return rows_of(*flat[: most * ROW_LENGTH])


def _fit_button(button: Button) -> Button | None:
    if (button.url is None) == (button.custom_id is None):
        raise ValueError(f"button {button.label!r} needs either a url or a custom_id")
    label = cut(_whole(button.label), BUTTON_LABEL, markup=False).strip() or _NOTHING
    if button.url is None:
        return replace(button, label=label)
    address = safe_url(button.url)
    return replace(button, label=label, url=address, style="link") if address else None


def _is_mark(button: Button) -> bool:
    read = decode(button.custom_id)
    return read is not None and read[0] == "part"


def _fit_select(select: Select) -> Select | None:
    options: dict[str, Option] = {}
    for option in select.options:
        if size(option.value) > OPTION_TEXT:
            raise ValueError(f"the value of option {option.label!r} is longer than {OPTION_TEXT} units")
        if option.value and len(options) < SELECT_OPTIONS:
            options.setdefault(option.value, _fit_option(option))
    if not options:
        return None
    placeholder = cut(_whole(select.placeholder or ""), PLACEHOLDER, markup=False).strip() or None
    most = max(1, min(select.most, len(options)))
    return replace(select, options=tuple(options.values()), placeholder=placeholder, most=most)


def _fit_option(option: Option) -> Option:
    label = cut(_whole(option.label), OPTION_TEXT, markup=False).strip() or _NOTHING
    description = cut(_whole(option.description or ""), OPTION_TEXT, markup=False).strip() or None
    return replace(option, label=label, description=description)


def _check_ids(message: Message) -> None:
    ids = message.custom_ids()
    for custom_id in ids:
        if not 1 <= size(custom_id) <= CUSTOM_ID_LIMIT:
            raise ValueError(f"custom_id {custom_id[:40]!r}… isn't 1 to {CUSTOM_ID_LIMIT} units long")
    if len(set(ids)) < len(ids):
        raise ValueError("two components of one message carry the same custom_id")


def _whole(text: str) -> str:
    """The text with every half of a surrogate pair replaced: JSON can't carry one."""
    if not _HALF_PAIR.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
