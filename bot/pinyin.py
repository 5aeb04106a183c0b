"""Readings of Han characters without tones, from a small table of facts (`bot/tables/pinyin.tsv`).

Promises: character by character, the usual reading first; ü is written ``v``. The table (25 kB) is read once, when
first needed. Leaves to others: which reading a word or a surname takes.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files


@lru_cache(maxsize=1)
def table() -> dict[str, tuple[str, ...]]:
    """Every known character with its readings, the usual one first."""
    usual: dict[str, str] = {}
    others: dict[str, list[str]] = {}
    for line in (files("bot") / "tables" / "pinyin.tsv").read_text(encoding="utf-8").splitlines():
        syllable, first, second = [*line.split("\t"), ""][:3]
        usual.update(dict.fromkeys(first, syllable))
        for char in second:
            others.setdefault(char, []).append(syllable)
    return {char: (syllable, *others.get(char, ())) for char, syllable in usual.items()}


def readings(char: str) -> tuple[str, ...]:
    """The readings of one simplified character; empty when it is none or unknown."""
    return table().get(char, ())


def syllables(text: str) -> list[str]:
    """The usual reading of each character; a character without one stands for itself."""
    known = table()
    return [known[char][0] if char in known else char for char in text]


@lru_cache(maxsize=1)
def all_syllables() -> frozenset[str]:
    """Every syllable that some character has, with ``lu`` for ``lv`` and the like as people type them."""
    return frozenset(syllable for row in table().values() for syllable in row)
