"""A message in text alone, for a channel where the bot may not embed links.

Promises: every embed keeps its title; what is too long is shortened evenly; the buttons stay.
Leaves to others: splitting into several messages (`digests` can be asked for text).
"""

from __future__ import annotations

from dataclasses import replace

import discord

from bot.render.cutting import cut, even
from bot.render.graphemes import size
from bot.render.limits import CONTENT, fit
from bot.render.message import Message
from bot.render.safe import literal, safe_url

_HEAD = 360  # of one embed, when many share a message: a title of the longest allowed length and its mark
_HEADING = 120  # an embed of this size without a title is a heading and is kept whole
_LEAST_BODY = 60  # less than this of an embed's text says nothing: it goes altogether
_LONG_ADDRESS = 90


def as_text(message: Message) -> Message:
    """Content, then each embed as a bold title, its address and its text, within one message's content.

    When the texts would have next to no room, long addresses go first.
    """
    if not message.embeds:
        return fit(message)
    lead = cut(message.content or "", CONTENT // 4)
    bodies = ["" if _is_heading(embed) else _body(embed) for embed in message.embeds]
    for longest in (CONTENT, _LONG_ADDRESS):
        heads = [cut(_head(embed, longest), _HEAD) for embed in message.embeds]
        room = CONTENT - size(lead) - sum(size(head) + 3 for head in heads) - 2
        shares = even([size(body) for body in bodies], max(0, room))
        if all(share >= min(2 * _LEAST_BODY, size(body)) for share, body in zip(shares, bodies, strict=True)):
            break
    texts = [
        cut(body, share) if share >= min(_LEAST_BODY, size(body)) else ""
        for body, share in zip(bodies, shares, strict=True)
    ]
    blocks = ("\n".join(filter(None, pair)) for pair in zip(heads, texts, strict=True))
    content = "\n\n".join(part for part in (lead, *blocks) if part)
    return fit(replace(message, content=content, embeds=()))


def embed_text(embed: discord.Embed) -> str:
    """One embed as text, whole."""
    return _head(embed) if _is_heading(embed) else "\n".join(filter(None, (_head(embed), _body(embed))))


def _is_heading(embed: discord.Embed) -> bool:
    return not embed.title and len(embed) == size(embed.description or "") <= _HEADING


def _head(embed: discord.Embed, longest: int = CONTENT) -> str:
    if _is_heading(embed):
        return embed.description or ""
    title = f"**{embed.title}**" if embed.title else ""
    address = safe_url(embed.url) or ""
    # The author line is read without markdown in an embed, so it is escaped only here.
    author = literal(embed.author.name) if embed.author.name else ""
    return "\n".join(filter(None, (title, author, f"<{address}>" if 0 < len(address) <= longest else "")))


def _body(embed: discord.Embed) -> str:
    lines = [embed.description or ""]
    lines += [f"**{field.name}** {field.value}" for field in embed.fields]
    lines.append(f"-# {literal(embed.footer.text)}" if embed.footer.text else "")
    return "\n".join(line for line in lines if line)
