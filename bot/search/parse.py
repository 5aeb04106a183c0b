"""What a person typed: words, and among them years, tracks, presentations and ids.

Promises: total; every character is taken literally, there is no query syntax. Leaves to others: whether the
words occur in any paper (`bot.search.matching`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from bot.text import tokens

MAX_LETTERS = 400  # longer than any title; the rest of a pasted page says nothing more
MAX_WORDS = 40

_TRACK_WORDS = {
    "main": "main",
    "workshop": "workshop",
    "workshops": "workshop",
    "主会": "main",
    "研讨会": "workshop",
}
_PRESENTATION_WORDS = {
    "oral": "oral", "orals": "oral", "spotlight": "spotlight", "spotlights": "spotlight", "poster": "poster",
    "posters": "poster", "口头": "oral", "口头报告": "oral", "海报": "poster",
}  # fmt: skip
_ICLR_YEAR = re.compile(r"iclr(\d{2}|20[1-9]\d)$")
_YEAR = re.compile(r"(?:19[89]|20[0-4])\d$")
_DIGIT = re.compile(r"\d")
_ARXIV = re.compile(r"(?<![\d.])(\d{4}\.\d{4,5})(?:v\d+)?(?![\d.]*\d)")
_ARXIV_OLD = re.compile(r"(?<![\w.])([a-z][a-z-]*(?:\.[a-z]{2})?/\d{7})(?:v\d+)?(?!\d)", re.IGNORECASE)
_OPENREVIEW = re.compile(r"openreview\.net/\S*?[?&]id=([\w-]+)|openreview:\s*([\w-]+)", re.IGNORECASE)
_BARE_FORUM = re.compile(r"[A-Za-z0-9_-]{9,12}")


@dataclass(frozen=True, slots=True)
class Facet:
    """A word that may name a year, a track or a presentation instead of being a word of a title."""

    kind: str  # "year" | "track" | "presentation" | "conference"
    value: str


@dataclass(frozen=True, slots=True)
class Words:
    """A query in the normal form.

    Attributes:
        text: The words with single spaces.
        words: The same as a tuple.
        facets: For each word what else it may mean, else None.
        keys: Ids found in the raw text, ``arxiv:…`` and ``openreview:…``.
        only_keys: The text is nothing but an id or a link.
        open_end: The last word may be half typed.
    """

    text: str
    words: tuple[str, ...]
    facets: tuple[Facet | None, ...]
    keys: tuple[str, ...]
    only_keys: bool
    open_end: bool
    acronym: bool  # one short word in capitals

    @property
    def literal(self) -> Words:
        """The same with every word taken for a word of a title."""
        return replace(self, facets=(None,) * len(self.words))

    @property
    def only_conference(self) -> bool:
        """Whether the text says "ICLR" and nothing else, which is every paper."""
        return bool(self.words) and all(f is not None and f.kind == "conference" for f in self.facets)


def parse(text: str) -> Words:
    """Read a query; nothing is rejected."""
    text = text[:MAX_LETTERS]
    words = tuple(tokens(text)[:MAX_WORDS])
    facets = tuple(_facet(words, place) for place in range(len(words)))
    keys, linked = _keys(text)
    return Words(
        text=" ".join(words),
        words=words,
        facets=facets,
        keys=keys,
        only_keys=linked,
        open_end=not text[-1:].isspace(),
        acronym=len(words) == 1 and len(words[0]) <= 5 and text.strip().isupper(),
    )


def _facet(words: tuple[str, ...], place: int) -> Facet | None:
    word = words[place]
    if word == "iclr":
        return Facet("conference", "iclr")
    if match := _ICLR_YEAR.match(word):
        return Facet("year", match[1] if len(match[1]) == 4 else "20" + match[1])
    if _YEAR.match(word):
        return Facet("year", word)
    if len(word) == 2 and word.isdigit() and place and words[place - 1] == "iclr":
        return Facet("year", "20" + word)
    if word in ("track", "conference") and place and words[place - 1] in _TRACK_WORDS:
        return Facet("conference", word)
    if word == "main" and words[place + 1 : place + 2] not in (("track",), ("conference",)):
        return None  # a common word of titles
    if track := _TRACK_WORDS.get(word):
        return Facet("track", track)
    if presentation := _PRESENTATION_WORDS.get(word):
        return Facet("presentation", presentation)
    return None


def _keys(text: str) -> tuple[tuple[str, ...], bool]:
    keys: list[str] = []
    if _DIGIT.search(text):
        keys += [f"arxiv:{match[1]}" for match in _ARXIV.finditer(text)]
        keys += [f"arxiv:{match[1].casefold()}" for match in _ARXIV_OLD.finditer(text)]
    if "openreview" in text.casefold():
        keys += [f"openreview:{(match[1] or match[2]).casefold()}" for match in _OPENREVIEW.finditer(text)]
    linked = bool(keys) and len(text.split()) == 1
    stripped = text.strip()
    if not keys and _BARE_FORUM.fullmatch(stripped) and not stripped.isalpha():
        keys.append(f"openreview:{stripped.casefold()}")
    return tuple(dict.fromkeys(keys)), linked
