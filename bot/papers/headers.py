"""Where in a run of plain lines a paper begins: English title, Chinese title, authors.

Promises: looks at the run's last lines only, so a long run costs no more than a short one. Leaves to `listing`:
whether the run has to hold a paper at all, and what becomes of the lines that are no part of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.papers.authors import name_list_score

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_LATIN_WORD = re.compile(r"[^\W\d_\u3040-\u30ff\u3400-\u9fff]+")
_TERM = re.compile(r"[A-Za-z][A-Za-z0-9-]{2,}|\d{2,}")
_COMMENT = re.compile(
    r"\b(?:pages?|figures?|tables?|accept(?:ed)?|published|appear|submitted|submission|under review|iclr|neurips|icml|"
    r"conference|workshop|proceedings|preprint|appendix|camera[- ]ready|https?|project page|code (?:is )?available|"
    r"technical report|work in progress|v\d)\b|://",
    re.IGNORECASE,
)
# Titles on arXiv stay below 300 characters; ten times as much is no title.
TITLE_LIMIT = 2_000
# Lines at the end of a run that are looked at.
WINDOW = 8


@dataclass(frozen=True, slots=True)
class Header:
    """Positions in a run; `title` is ``None`` for a header that lost its English title."""

    title: int | None
    title_zh: int | None
    authors: int | None
    score: float

    @property
    def first(self) -> int:
        """The position where the header starts."""
        return min(at for at in (self.title, self.title_zh, self.authors) if at is not None)

    @property
    def is_whole(self) -> bool:
        """Whether it has an English title, a Chinese title and authors."""
        return None not in (self.title, self.title_zh, self.authors)


def is_chinese(line: str) -> bool:
    """Whether a line is Chinese text, Latin terms in it notwithstanding."""
    han = len(_HAN.findall(line))
    return han > 0 and (han >= 4 or han * 2 >= len(_LATIN_WORD.findall(line)))


def looks_like_comment(text: str) -> bool:
    """Whether a text reads like arXiv's comment field (pages, venue, addresses) rather than like a title."""
    return bool(_COMMENT.search(text))


def find_header(lines: Sequence[str]) -> Header | None:
    """The header at the end of a run of lines, or ``None`` when nothing there can be one.

    A header is ``English title, Chinese title?, authors?`` in this order; lines that don't fit may stand between.
    """
    offset = max(0, len(lines) - WINDOW)
    window = lines[offset:]
    if not window:
        return None
    chinese = [is_chinese(line) for line in window]
    best = _usual(window, chinese)
    if best is None:
        best = _search(window, chinese, [name_list_score(line) for line in window])
    if best is None or offset == 0:
        return best
    return shifted(best, offset)


def shifted(header: Header, by: int) -> Header:
    """The same header counted from another line."""
    title, title_zh, authors = (
        None if at is None else at + by for at in (header.title, header.title_zh, header.authors)
    )
    return Header(title, title_zh, authors, header.score)


def _usual(window: Sequence[str], chinese: list[bool]) -> Header | None:
    """The short way for nearly every paper: the last three lines are title, Chinese title, authors."""
    if chinese[-3:] != [False, True, False] or len(window[-3]) > TITLE_LIMIT:
        return None
    if len(window) > 3 and not chinese[-4] and _share_terms(window[-4], window[-2]):
        return None  # the line before may be the better title
    names = name_list_score(window[-1])
    at = len(window) - 3
    return Header(at, at + 1, at + 2, _score(1, names)) if names else None


def _search(window: Sequence[str], chinese: list[bool], names: list[int]) -> Header | None:
    """Try every way to read the window; the best one wins, and of equals the one further down."""
    size = len(window)
    best: Header | None = None
    for title in range(size):
        if chinese[title] or len(window[title]) > TITLE_LIMIT or not any(map(str.isalpha, window[title])):
            continue
        for title_zh in (None, *(at for at in range(title + 1, size) if chinese[at] and names[at] < 2)):
            for authors in (None, *range((title_zh or title) + 1, size)):
                header = _weigh(window, names, title, title_zh, authors)
                if header and (best is None or header.score >= best.score):
                    best = header
    headless = _headless(chinese, names)
    if headless and (best is None or best.score < headless.score):
        return headless
    return best


def _weigh(
    window: Sequence[str], names: list[int], title: int, title_zh: int | None, authors: int | None
) -> Header | None:
    if (
        authors is not None
        and names[authors] == 0
        and (is_chinese(window[authors]) or len(window[authors]) > 300)
    ):
        return None
    score = _score(0 if title_zh is None else 1, None if authors is None else names[authors])
    if title_zh is None and authors is None and names[title] == 2:
        return None  # a list of names is no title
    previous = title
    for at, price in ((title_zh, 0.6), (authors, 0.5)):
        if at is not None:
            score -= price * (at - previous - 1)
            previous = at
    score -= 0.25 * (len(window) - 1 - previous)
    if title_zh is not None and _share_terms(window[title], window[title_zh]):
        score += 0.7
    return Header(title, title_zh, authors, score)


def _score(chinese_titles: int, names: int | None) -> float:
    by_names = {None: 0.0, 0: 0.25, 1: 1.5, 2: 3.0}[names]
    return 1 + 2 * chinese_titles + by_names


def _share_terms(english: str, chinese: str) -> bool:
    return bool(set(_TERM.findall(english)) & set(_TERM.findall(chinese)))


def _headless(chinese: list[bool], names: list[int]) -> Header | None:
    """A Chinese title and authors, or a list of authors, without an English title before them."""
    last = len(names) - 1
    if names[last] and last > 0 and chinese[last - 1] and not (last > 1 and not chinese[last - 2]):
        return Header(None, last - 1, last, _score(1, names[last]) - 1)
    if names[last] == 2 and last == 0:
        return Header(None, None, last, 2)
    if last == 0 and chinese[0]:
        return Header(None, 0, None, 1)
    return None
