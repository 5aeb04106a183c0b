"""Whether words stand in a paper: for digest filters and keyword subscriptions.

Promises: whole words only for alphabets (`RL` is not in `world`), any part for Chinese; the normal form decides.
Leaves to `bot.search`: typos and ranking, which must not decide what somebody is told.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.papers.model import Paper
from bot.text import is_cjk, tokens


class Wording:
    """The words of a paper's titles and summaries."""

    def __init__(self, texts: Iterable[str]) -> None:
        words = [word for text in texts for word in (*tokens(text), "\n")]
        self._words = frozenset(words)
        self._han = [word for word in self._words if is_cjk(word)]
        self._text = f" {' '.join(words)} "

    @classmethod
    def of(cls, paper: Paper) -> Wording:
        """The words of a stored paper."""
        summaries = (summary.text for summary in paper.summaries)
        return cls((paper.title_en, paper.title_zh or "", *summaries))

    def has_phrase(self, phrase: str) -> bool:
        """Whether the words of the phrase stand next to each other; an empty phrase stands nowhere."""
        wanted = tokens(phrase)
        if len(wanted) == 1:
            return self._has(wanted[0])
        return bool(wanted) and f" {' '.join(wanted)} " in self._text

    def has_all(self, words: str) -> bool:
        """Whether every word stands somewhere; no words stand nowhere."""
        wanted = tokens(words)
        return bool(wanted) and all(self._has(word) for word in wanted)

    def _has(self, word: str) -> bool:
        return word in self._words or (is_cjk(word) and any(word in run for run in self._han))
