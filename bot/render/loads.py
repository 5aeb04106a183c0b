"""What a load brought: the answer to `/import`.

Promises: the numbers add up as in the report; a long report comes whole, as a file.
Leaves to `bot.loading`: loading.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import discord

from bot.render.cutting import cut
from bot.render.limits import fit
from bot.render.message import File, Message
from bot.render.safe import literal
from bot.render.voice import Voice

_LINES = 8
_LINE = 300
_COLOUR = 0x3B7DD8
_FAULT = 0xC0392B


def load_report(voice: Voice, report: Mapping[str, Any]) -> Message:
    """The report of a load, in the stable shape of ``import --json``.

    `report` has files (a number or a list), read, new, updated, unchanged, and the lists duplicate, rejected
    (objects with file, line, reason) and warnings.
    """
    rejected, warnings = list(report.get("rejected", ())), list(report.get("warnings", ()))
    counts = {name: _count(report.get(name, 0)) for name in ("read", "new", "updated", "unchanged")}
    counts |= {"duplicate": _count(report.get("duplicate", ())), "rejected": len(rejected)}
    sections = [
        f"{voice.say('import.files', count=_count(report.get('files', 0)))}\n{voice.say('import.counts', **counts)}",
        _lines(voice, "import.rejected", [_rejected(voice, one) for one in rejected]),
        _lines(voice, "import.warnings", [literal(_text(one)) for one in warnings]),
    ]
    whole = len(rejected) <= _LINES and len(warnings) <= _LINES
    if not whole:
        sections.append(f"-# {voice.sentence('import.in_file')}")
    embed = discord.Embed(
        title=voice.say("import.title"),
        description="\n\n".join(section for section in sections if section),
        colour=_FAULT if rejected else _COLOUR,
    )
    text = json.dumps(report, ensure_ascii=False, indent=2, default=str)
    return fit(Message(embeds=(embed,), files=() if whole else (File("load-report.json", text),)))


def _lines(voice: Voice, key: str, lines: Sequence[str]) -> str:
    if not lines:
        return ""
    shown = [f"- {cut(line, _LINE)}" for line in lines[:_LINES]]
    more = len(lines) - len(shown)
    rest = [f"- {voice.say('import.more', count=more)}"] if more else []
    return "\n".join([f"**{voice.say(key)}** ({len(lines)})", *shown, *rest])


def _rejected(voice: Voice, one: Mapping[str, Any]) -> str:
    file, reason = literal(_text(one.get("file", ""))), literal(_text(one.get("reason", "")))
    return voice.say("import.rejected_line", file=file, line=one.get("line", "–"), reason=reason)


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _count(value: object) -> int:
    return value if isinstance(value, int) else len(value) if isinstance(value, (list, tuple)) else 0
