"""Chinese titles by their pinyin, whole or by initials, for a text that nothing else answers.

Promises: only runs that begin at a character; so few letters that chance would find them are not looked up.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from bot import pinyin
from bot.search.columns import Strings
from bot.search.parse import Words
from bot.search.segment import Segment
from bot.text import is_cjk

_SHORTEST = 5  # letters of whole pinyin
_CHANCE = 0.002  # of finding a random run of initials somewhere
_INITIALS = 18  # letters that syllables begin with, as good as evenly


def sounding(segment: Segment, words: Words, limit: int) -> list[int]:
    """Places of papers whose Chinese title sounds like the text."""
    typed = words.text.replace(" ", "")
    if not (typed.isascii() and typed.isalpha()):
        return []
    columns = segment.columns
    if len(typed) >= _SHORTEST and is_pinyin(typed):
        found = [p for p, at in _inside(columns.pinyin, typed) if _begins_syllable(columns.title_zh[p], at)]
        if found:
            return found[:limit]
    if len(typed) >= _enough(len(columns.initials.blob)):
        return [place for place, _ in _inside(columns.initials, typed)][:limit]
    return []


def is_pinyin(text: str) -> bool:
    """Whether a text is nothing but two or more syllables."""
    known = pinyin.all_syllables()
    # fewest[i]: the fewest syllables that spell the first i letters
    fewest: list[float] = [0.0] + [math.inf] * len(text)
    for end in range(1, len(text) + 1):
        for start in range(max(0, end - 6), end):
            if text[start:end] in known:
                fewest[end] = min(fewest[end], fewest[start] + 1)
    return 2 <= fewest[-1] < math.inf


def _enough(places: int) -> int:
    return max(4, math.ceil(math.log(max(2, places) / _CHANCE) / math.log(_INITIALS)))


def _inside(texts: Strings, wanted: str) -> Iterator[tuple[int, int]]:
    """Each text with `wanted` in it, and where in the text; one place a text."""
    needle = wanted.encode()
    at = texts.blob.find(needle)
    while at >= 0:
        place = texts.owner(at)
        end = texts.ends[place + 1]
        if at + len(needle) <= end:
            yield place, at - texts.ends[place]
            at = texts.blob.find(needle, end)
        else:
            at = texts.blob.find(needle, at + 1)


def _begins_syllable(title: str, at: int) -> bool:
    letters = 0
    for syllable in pinyin.syllables("".join(word for word in title.split() if is_cjk(word))):
        if letters >= at:
            break
        letters += len(syllable)
    return letters == at
