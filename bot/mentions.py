"""Which papers a message may name: ids in links, and the phrases that may be titles.

Promises: pure; a bounded number of phrases whatever the message. Leaves to `bot.lookups`: whether they are papers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.papers.identity import canonical_arxiv_id, openreview_id

_BETWEEN = re.compile(r"[\s<>()\[\]{}\"'“”‘’《》「」，。；、]+")
_QUOTED = re.compile(
    r"“([^”]+)”|\"([^\"]+)\"|《([^》]+)》|「([^」]+)」|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\("
)
_ADDRESS = re.compile(r"https?://\S+")
_BULLET = re.compile(r"^[\s>#*•·\-–—]*(?:\d{1,3}[.)、]\s*)?")
PHRASES = 24  # searched for in a message
LETTERS = 300  # of a phrase; longer than any title
_FEWEST = 6


@dataclass(frozen=True, slots=True)
class Mentions:
    """Keys (``arxiv:…``, ``openreview:…``) and phrases, each once, in the order of the message."""

    keys: tuple[str, ...]
    phrases: tuple[str, ...]


def read(text: str) -> Mentions:
    """What a message's text names."""
    keys = dict.fromkeys(_keys(text))
    phrases = dict.fromkeys(phrase[:LETTERS] for phrase in _phrases(text) if len(phrase) >= _FEWEST)
    return Mentions(tuple(keys), tuple(phrases)[:PHRASES])


def _keys(text: str) -> Iterator[str]:
    for word in _BETWEEN.split(text):
        word = word.strip(".,;:!*_`")
        if arxiv := canonical_arxiv_id(word):
            yield f"arxiv:{arxiv}"
        elif forum := openreview_id(word):
            yield f"openreview:{forum}"


def _phrases(text: str) -> Iterator[str]:
    """What is quoted or set off, then whole lines without their bullets."""
    plain = _ADDRESS.sub(" ", text)
    for match in _QUOTED.finditer(text):
        yield _tidy(next(group for group in match.groups() if group))
    for line in plain.splitlines():
        yield _tidy(_BULLET.sub("", line))


def _tidy(phrase: str) -> str:
    return " ".join(phrase.replace("*", " ").replace("`", " ").split()).strip('[]()<>"“”')
