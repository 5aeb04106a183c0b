"""A message in text alone, for a channel where the bot may not embed links.

Promises: every embed keeps its title and address; what is too long is shortened evenly; the buttons stay.
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


def as_text(message: Message) -> Message:
    """Content, then each embed as a bold title, its address and its text, within one message's content."""
    if not message.embeds:
        return fit(message)
    heads = [cut(_head(embed), _HEAD) for embed in message.embeds]
    bodies = [_body(embed) for embed in message.embeds]
    lead = cut(message.content or "", CONTENT // 4)
    fixed = size(lead) + sum(size(head) for head in heads) + 3 * len(heads) + 2
    shares = even([size(body) for body in bodies], max(0, CONTENT - fixed))
    blocks = [
        "\n".join(part for part in (head, cut(body, share)) if part)
        for head, body, share in zip(heads, bodies, shares, strict=True)
    ]
    content = "\n\n".join(part for part in (lead, *blocks) if part)
    return fit(replace(message, content=content, embeds=()))


def embed_text(embed: discord.Embed) -> str:
    """One embed as text, whole."""
    return "\n".join(part for part in (_head(embed), _body(embed)) if part)


def _head(embed: discord.Embed) -> str:
    title = f"**{embed.title}**" if embed.title else ""
    address = safe_url(embed.url)
    # The author line is read without markdown in an embed, so it is escaped only here.
    author = literal(embed.author.name) if embed.author.name else ""
    return "\n".join(part for part in (title, author, f"<{address}>" if address else "") if part)


def _body(embed: discord.Embed) -> str:
    lines = [embed.description or ""]
    lines += [f"**{field.name}** {field.value}" for field in embed.fields]
    lines.append(f"-# {literal(embed.footer.text)}" if embed.footer.text else "")
    return "\n".join(line for line in lines if line)
