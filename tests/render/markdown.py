"""A small reading of Discord's markdown, independent of the code under test: what a text shows and what it does.

After the rules of Discord's client as its users have written them down (a fork of simple-markdown): escapes,
emphasis, spoilers, code, headings, small print, lists, quotes, links, mentions, timestamps, emoji names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# name, pattern, whether it works only at the start of a line
_RULES: list[tuple[str, re.Pattern[str], bool]] = [
    ("escape", re.compile(r"\\([^0-9A-Za-z\s])"), False),
    ("heading", re.compile(r"#{1,3} +(?!\s)"), True),
    ("small print", re.compile(r"-# +(?!\s)"), True),
    ("quote", re.compile(r">{3} |> "), True),
    ("list", re.compile(r" *(?:[*+-]|\d+\.) +"), True),
    ("code block", re.compile(r"```[\s\S]+?```"), False),
    ("code", re.compile(r"(`+)([\s\S]*?[^`])\1(?!`)"), False),
    ("address in brackets", re.compile(r"<[A-Za-z][A-Za-z0-9+.-]*:/[^ >]+>"), False),
    ("mail or telephone", re.compile(r"<(?:mailto:)?[^\s<>@]+@[^\s<>]+\.[^\s<>]+>|<\+\d[\d -]+>"), False),
    ("mention", re.compile(r"<@!?\d+>|<@&\d+>|<#\d+>|<id:\w+>|</[^>]+:\d+>"), False),
    ("everyone", re.compile(r"@everyone|@here"), False),
    ("timestamp", re.compile(r"<t:-?\d+(?::[tTdDfFR])?>"), False),
    ("emoji", re.compile(r"<a?:\w+:\d+>"), False),
    ("emoji name", re.compile(r":[A-Za-z0-9_+-]+:"), False),
    ("masked link", re.compile(r"\[(?:\[[^\]]*\]|[^\[\]]|\](?=[^\[]*\]))*\]\(\s*<?[^\s>)]+>?\s*\)"), False),
    ("address", re.compile(r"(?:https?|steam|discord)://[^\s<]+[^<.,:;\"'\]\s]"), False),
    ("invite", re.compile(r"discord(?:app)?\.(?:gg|com/invite)/\w+"), False),
    ("bold", re.compile(r"\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)"), False),
    ("underline", re.compile(r"__((?:\\[\s\S]|[^\\])+?)__(?!_)"), False),
    ("italic", re.compile(r"\b_((?:__|\\[\s\S]|[^\\_])+?)_\b"), False),
    ("italic", re.compile(r"\*(?=\S)((?:\*\*|\\[\s\S]|\s+(?:\\[\s\S]|[^*\s\\]|\*\*)|[^\s*\\])+?)\*(?!\*)"), False),
    ("strike", re.compile(r"~~([\s\S]+?)~~(?!_)"), False),
    ("spoiler", re.compile(r"\|\|([\s\S]+?)\|\|"), False),
]  # fmt: skip


@dataclass(frozen=True)
class Reading:
    """What is seen (markup removed) and the names of the constructs that are active."""

    seen: str
    active: tuple[str, ...]


def read(text: str) -> Reading:
    """Read a message's text the way Discord shows it; the inside of emphasis is read again."""
    seen: list[str] = []
    active: list[str] = []
    position, line_start = 0, True
    while position < len(text):
        for name, pattern, at_start in _RULES:
            match = pattern.match(text, position)
            if match is None or (at_start and not line_start):
                continue
            if name == "escape":
                seen.append(match.group(1))
            elif name == "code":
                active.append(name)
                seen.append(match.group(2))
            else:
                active.append(name)
                inner = (
                    read(next((g for g in match.groups() if g), "")) if match.groups() else Reading("", ())
                )
                seen.append(inner.seen)
                active.extend(inner.active)
            line_start = False
            position = match.end()
            break
        else:
            seen.append(text[position])
            line_start = text[position] == "\n"
            position += 1
    return Reading("".join(seen), tuple(active))
