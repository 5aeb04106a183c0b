"""Text as people see it: user-perceived characters and their size as Discord counts it.

Promises: a cluster never splits a surrogate pair, a ZWJ sequence, a flag or a letter from its marks.
Leaves to others: where to cut (`limits`) and what to escape (`safe`).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

ZWJ = "\u200d"
_HANGUL_LEAD = range(0x1100, 0x1160)
_HANGUL_TAIL = range(0x1160, 0x1200)
_FLAG = range(0x1F1E6, 0x1F200)
_SKIN = range(0x1F3FB, 0x1F400)
_TAGS = range(0xE0020, 0xE0080)


def size(text: str) -> int:
    """Length in UTF-16 units: never less than the number of code points, so the stricter of the two counts."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def clusters(text: str) -> Iterator[str]:
    """The user-perceived characters of a text, in order; joined again they are the text.

    A small reading of Unicode's UAX #29: marks, variation selectors, skin tones, tags and what follows a
    zero-width joiner stay with their base; flags are pairs; Hangul jamo and CR LF stay together.
    """
    start = 0
    for position in range(1, len(text)):
        if not _joins(text, start, position):
            yield text[start:position]
            start = position
    if text:
        yield text[start:]


def is_wide(cluster: str) -> bool:
    """Whether a cluster is of a script written without spaces between words, such as Chinese."""
    return unicodedata.east_asian_width(cluster[0]) in "WF"


def width(text: str) -> int:
    """Columns in a monospaced block: Chinese characters and emoji take two, marks none."""
    return sum(2 if is_wide(cluster) else 1 for cluster in clusters(text))


def extends(ch: str) -> bool:
    """Whether a character can't stand alone: a mark, variation selector, skin tone, tag or joiner."""
    code = ord(ch)
    if code < 0x300:
        return False
    return ch == ZWJ or unicodedata.category(ch) in {"Mn", "Me", "Mc"} or code in _SKIN or code in _TAGS


def _joins(text: str, start: int, position: int) -> bool:
    before, here = text[position - 1], text[position]
    if here < "\u0300":
        return before == "\r" and here == "\n"
    if extends(here) or before == ZWJ:
        return before not in "\r\n"
    code = ord(here)
    if code in _FLAG:
        return ord(before) in _FLAG and (position - start) % 2 == 1
    if code in _HANGUL_TAIL:
        return ord(before) in _HANGUL_LEAD or ord(before) in _HANGUL_TAIL or 0xAC00 <= ord(before) <= 0xD7A3
    return code in _HANGUL_LEAD and ord(before) in _HANGUL_LEAD
