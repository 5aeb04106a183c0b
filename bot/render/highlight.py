"""Shows in a title which words of a query it was found by.

Promises: the title as `literal` shows it, with matching words in bold; nothing else changes.
Leaves to others: whether and how it matched (`bot.search`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from rapidfuzz import fuzz

from bot.render.safe import clean, escape

_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_WORD = re.compile(rf"[{_HAN}]+|[^\W_{_HAN}]+")
_LIKE = 80  # of 100: one typo in five letters
_WORDS = 40  # of a query; more words than any title has
_PREFIX = 3  # letters from which on the start of a word counts


def highlight(text: str, query: str) -> str:
    """The text, harmless, with the words of the query in bold.

    A word counts when it is equal (accents and case aside), starts with one of three letters or more, or differs
    by about one letter in five; Chinese counts by shared runs of two characters or more.
    """
    shown = clean(text)
    words = [_plain(word) for word in _WORD.findall(clean(query))[:_WORDS]]
    out, end = [], 0
    for start, stop in _joined(_matches(shown, words)):
        out += [
            escape(shown[end:start], line_start=not end),
            f"**{escape(shown[start:stop], line_start=False)}**",
        ]
        end = stop
    return "".join([*out, escape(shown[end:], line_start=not end)])


def _matches(text: str, words: list[str]) -> Iterator[tuple[int, int]]:
    for found in _WORD.finditer(text):
        word = _plain(found.group())
        if re.match(f"[{_HAN}]", found.group()):
            yield from ((found.start() + a, found.start() + b) for a, b in _shared_runs(found.group(), words))
        elif any(_alike(word, wanted) for wanted in words):
            yield found.span()


def _alike(word: str, wanted: str) -> bool:
    if word == wanted:
        return True
    if len(wanted) < _PREFIX or any(ch.isdigit() for ch in word + wanted):
        return False  # GPT-3 is no misspelt GPT-4
    return word.startswith(wanted) or (len(wanted) > _PREFIX and fuzz.ratio(word, wanted) >= _LIKE)


def _shared_runs(text: str, words: list[str]) -> Iterator[tuple[int, int]]:
    """Pairs of neighbouring characters that stand in the query too."""
    pairs = {word[i : i + 2] for word in words for i in range(len(word) - 1)}
    return ((i, i + 2) for i in range(len(text) - 1) if text[i : i + 2] in pairs)


def _joined(spans: Iterator[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, stop in spans:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(stop, joined[-1][1]))
        else:
            joined.append((start, stop))
    return joined


def _plain(word: str) -> str:
    return "".join(
        ch for ch in unicodedata.normalize("NFKD", word).casefold() if not unicodedata.combining(ch)
    )
