"""Made-up papers that fill a corpus up to a million, from the words, names and institutions of real ones.

Promises: seeded and cheap. Titles follow which word comes after which in real titles, so their words are as common and
their neighbours as plausible; they mean nothing.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

_T = TypeVar("_T")

NAMES = 250_000  # people, so that each has as many papers as a real one
LONGEST = 16  # words of a title
SHORTEST = 4


def filler(rows: Sequence[dict[str, Any]], count: int, seed: int) -> Iterator[dict[str, Any]]:
    """`count` rows like those of `rows`."""
    rng = random.Random(f"filler/{seed}")
    followers = _followers(rows)
    names = _names(rows, rng)
    for _ in range(count):
        real = _one(rows, rng)
        yield {
            "title": _title(followers, rng),
            "authors": [_one(names, rng) for _ in real.get("authors") or ()],
            "affiliations": real.get("affiliations"),
            "year": real.get("year"),
            "status": real.get("status"),
        }


def _one(choices: Sequence[_T], rng: random.Random) -> _T:
    """One at random, several times as fast as `choice`."""
    return choices[int(rng.random() * len(choices))]


def _followers(rows: Sequence[dict[str, Any]]) -> dict[str, list[str]]:
    """Each word of titles → what comes after it; "" stands for the beginning and the end."""
    found: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        before = ""
        for word in row["title"].split():
            found[before].append(word)
            before = word
        found[before].append("")
    return found


def _title(followers: dict[str, list[str]], rng: random.Random) -> str:
    while True:
        words: list[str] = []
        word = _one(followers[""], rng)
        while word and len(words) < LONGEST:
            words.append(word)
            word = _one(followers[word], rng)
        if not word and len(words) >= SHORTEST:
            return " ".join(words)


def _names(rows: Sequence[dict[str, Any]], rng: random.Random) -> list[str]:
    real = [name.split(" ") for row in rows for name in row.get("authors") or () if " " in name]
    return [f"{_one(real, rng)[0]} {_one(real, rng)[-1]}" for _ in range(NAMES)]
