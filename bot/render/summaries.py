"""A paper's two summaries, each with who wrote it.

Promises: a missing summary is marked as pending, never blank; a reader of one language is shown the other instead.
Leaves to others: where summaries come from (`bot.summaries`) and the message's limits.
"""

from __future__ import annotations

from bot.papers.model import Language, Origin, Paper
from bot.papers.readable import readable
from bot.render.cutting import cut, even
from bot.render.graphemes import size
from bot.render.safe import literal
from bot.render.voice import Voice


def summaries(voice: Voice, paper: Paper, room: int) -> list[str]:
    """A block for each wanted language: the text and, in small print, who wrote it.

    Args:
        voice: the languages, the leading one first.
        paper: whose summaries.
        room: units for the texts of all blocks together; what a short one leaves goes to the other.
    """
    found = {language: text for language in Language if (text := _text(paper, language))}
    shown = [language for language in voice.papers if language in found]
    rooms = dict(zip(shown, even([size(found[language]) for language in shown], room), strict=True))
    if not shown:
        return _nothing_wanted(voice, paper, found, room)
    return [
        _block(voice, paper, language, cut(found[language], rooms[language]))
        if language in found
        else f"-# {_pending(voice, language)}"
        for language in voice.papers
    ]


def _nothing_wanted(voice: Voice, paper: Paper, found: dict[Language, str], room: int) -> list[str]:
    """No summary in any wanted language: the other one with a note, or only the note."""
    notes = [f"-# {_pending(voice, language)}" for language in voice.papers]
    instead = next(iter(found), None)
    if instead is None:
        return notes
    wanted = voice.papers[0]
    note = voice.tell(voice.label_language(wanted), "pending.instead", pending=_pending(voice, wanted))
    return [f"-# {note}", _block(voice, paper, instead, cut(found[instead], room))]


def _pending(voice: Voice, language: Language) -> str:
    return voice.tell(voice.label_language(language), f"pending.{language.value}")


def _block(voice: Voice, paper: Paper, language: Language, text: str) -> str:
    summary = paper.summary(language)
    origin = voice.tell(voice.label_language(language), f"origin.{summary.origin.value}") if summary else ""
    return f"{text}\n-# {origin}" if origin else text


def _text(paper: Paper, language: Language) -> str | None:
    summary = paper.summary(language) if language is not Language.ZH_TW else None
    if summary is None or summary.origin is Origin.PENDING:
        return None
    return literal(readable(summary.text)) or None
