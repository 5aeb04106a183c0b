"""Organisations for what somebody is typing, in either language.

Promises: total; best first; likeness only ever orders and offers, it decides nothing.
Leaves to others: exact answers (`resolver.lookup`).
"""

from __future__ import annotations

from bisect import bisect_left

from rapidfuzz import fuzz, process

from bot.institutions.directory import Directory
from bot.institutions.keys import HAN, fold, words_of
from bot.institutions.model import Organisation

# Shorter texts are acronyms or the first letters of a word: they only match from the start of a word.
_SHORTEST_FUZZY = 4
_FUZZY_CUTOFF = 72.0
_MOST_CANDIDATES = 400
_LONGEST = 200


class Suggester:
    """Prefix, word and typo look-ups over every form of a directory."""

    def __init__(self, directory: Directory) -> None:
        """Sort the forms once; about a second for a directory of 34,000 organisations."""
        self._directory = directory
        owners: dict[str, list[int]] = {}
        self._rows = list(directory)
        for at, row in enumerate(self._rows):
            for name in row.names():
                if form := " ".join(fold(words_of(name[:_LONGEST]))):
                    owners.setdefault(form, []).append(at)
        places = {row.id: at for at, row in enumerate(self._rows)}
        for form, candidates in directory.shared_forms():
            owners.setdefault(form, []).extend(places[candidate.id] for candidate in candidates)
        self._owners = owners
        self._forms = sorted(owners)
        self._starts = sorted((word, form) for form in self._forms for word in set(_word_starts(form)))
        self._buckets: dict[str, list[str]] = {}
        for form in self._forms:
            self._buckets.setdefault(form[:1], []).append(form)

    def suggest(self, text: str, limit: int = 25) -> tuple[Organisation, ...]:
        """At most `limit` organisations, best first; none for a text without content."""
        words = words_of(text[:_LONGEST])
        if not words or limit <= 0:
            return ()
        typed = " ".join(fold(words)) or " ".join(words)
        scores: dict[int, float] = {}
        for form, score in self._candidates(typed, " ".join(words)):
            for at in self._owners[form]:
                # A shipped row is known to publish here; a dump's namesake comes behind it.
                bonus = 0.0 if self._rows[at].id.startswith("ror:") else 3.0
                scores[at] = max(scores.get(at, 0.0), score + bonus)
        best = sorted(
            scores, key=lambda at: (-scores[at], len(self._rows[at].name_en), self._rows[at].name_en)
        )
        return tuple(self._rows[at] for at in best[:limit])

    def _candidates(self, typed: str, literal: str) -> list[tuple[str, float]]:
        out: list[tuple[str, float]] = []
        for query in dict.fromkeys((typed, literal)):
            out += self._prefixed(query)
            out += self._inside(query)
        if len(typed) >= _SHORTEST_FUZZY and len(out) < (1 if HAN.search(typed) else 5):
            out += self._alike(typed)
        return out

    def _prefixed(self, query: str) -> list[tuple[str, float]]:
        """Forms that start with the text; the nearer to complete, the better."""
        out: list[tuple[str, float]] = []
        for at in range(bisect_left(self._forms, query), len(self._forms)):
            form = self._forms[at]
            if not form.startswith(query) or len(out) >= _MOST_CANDIDATES:
                break
            out.append((form, 120.0 if form == query else 100.0 - min(20.0, (len(form) - len(query)) * 0.4)))
        return out

    def _inside(self, query: str) -> list[tuple[str, float]]:
        """Forms in which every word of the text starts some word; Chinese text may stand anywhere."""
        *_, rarest = sorted(query.split(), key=len)
        others = [word for word in query.split() if word is not rarest]
        out: list[tuple[str, float]] = []
        for at in range(bisect_left(self._starts, (rarest, "")), len(self._starts)):
            word, form = self._starts[at]
            if not word.startswith(rarest) or len(out) >= _MOST_CANDIDATES:
                break
            if all(f" {other}" in f" {form}" for other in others):
                out.append((form, 78.0 - min(15.0, (len(form) - len(query)) * 0.3)))
        return out

    def _alike(self, query: str) -> list[tuple[str, float]]:
        """Forms that differ by a typo, from those with the same first letter, then from all shipped ones."""
        pool = self._buckets.get(query[:1], [])
        hits = process.extract(query, pool, scorer=fuzz.ratio, limit=10, score_cutoff=_FUZZY_CUTOFF)
        hits += process.extract(
            query, pool, scorer=fuzz.token_sort_ratio, limit=10, score_cutoff=_FUZZY_CUTOFF
        )
        return [(form, 0.75 * score) for form, score, _ in hits]


def _word_starts(form: str) -> list[str]:
    """The starts from which a form can be found: its words, and every character of a Chinese one."""
    out = []
    for word in form.split():
        out.append(word)
        if HAN.match(word):
            out += [word[at:] for at in range(1, len(word) - 1)]
    return out
