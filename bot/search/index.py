"""The search index: built from documents, kept up to date, asked from one thread.

Promises: best first; nothing rather than a bad guess; no text raises. Leaves to others: threads
(`bot.search.service`) and the words that people read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from bot.search.atoms import Match
from bot.search.build import build
from bot.search.candidates import SHORTEST_START
from bot.search.explain import Explainer
from bot.search.filters import filter_mask
from bot.search.judging import Judged, hit_of, judge, meant
from bot.search.lookup import Matcher
from bot.search.matching import match
from bot.search.merge import merge
from bot.search.model import Document, Hit, Matched, Query
from bot.search.parse import Words, parse
from bot.search.reading import Reading
from bot.search.rerank import FOUND, MAYBE
from bot.search.segment import INSTITUTION, Segment
from bot.search.sounds import sounding

CERTAIN = 0.85

MOST = 500  # hits of one answer
_MOST_BEGUN = 100
_MOST_NAMES, _SHORTEST_NAME = 3, 3  # words and letters of a half-typed name
_BEGUN_NAME = 50.0  # score of a paper that is offered for the beginning of a name

_Masks = Sequence[NDArray[np.bool_] | None]


class Index:
    """Papers, ready to be found. Not safe for two threads at once."""

    def __init__(self, segments: Sequence[Segment] = ()) -> None:
        """Take finished segments; normally `Index.build`."""
        self._matchers = tuple(Matcher(segment) for segment in segments)

    @classmethod
    def build(cls, documents: Iterable[Document]) -> Index:
        """Index documents from scratch."""
        return cls([cls.prepare(documents)])

    def __len__(self) -> int:
        return sum(int(m.segment.columns.alive.sum()) for m in self._matchers)

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The blocks of papers it is made of, the oldest first."""
        return tuple(matcher.segment for matcher in self._matchers)

    def update(self, documents: Iterable[Document]) -> None:
        """Add papers, or replace those with the same id."""
        self.adopt(self.prepare(documents))
        while crowded := self.crowded():
            self.swap(crowded, merge(crowded))

    def remove(self, ids: Iterable[int]) -> None:
        """Take papers out; unknown ids are ignored."""
        papers = np.fromiter(ids, np.int64)
        for matcher in self._matchers:
            matcher.segment.kill(papers)

    @staticmethod
    def prepare(documents: Iterable[Document]) -> Segment:
        """Documents made a segment, touching no index; the last of several with one id counts."""
        return build(documents)

    def adopt(self, segment: Segment, removed: Iterable[int] = ()) -> None:
        """Take a prepared segment in; its papers replace those with the same id."""
        self.remove((*removed, *segment.columns.ids.tolist()))
        if len(segment):
            self._matchers = (*self._matchers, Matcher(segment))

    def crowded(self) -> tuple[Segment, ...]:
        """Segments that should become one: the newest ones, while an older is less than four times as big.

        Every segment costs each lookup its own pass, and merging only what has grown alike keeps the work of
        many small loads in proportion to their size.
        """
        segments = self.segments
        first = len(segments) - 1
        size = len(segments[first]) if segments else 0
        while first > 0 and len(segments[first - 1]) < 4 * size:
            first -= 1
            size += len(segments[first])
        return tuple(segments[first:]) if first < len(segments) - 1 else ()

    def swap(self, old: Sequence[Segment], new: Segment) -> None:
        """Put a merged segment in the place of those it was made of."""
        kept = [matcher for matcher in self._matchers if matcher.segment not in old]
        self._matchers = (*kept, Matcher(new))

    def search(self, query: Query, limit: int = 5) -> list[Hit]:
        """The papers meant by a query, best (or newest) first; at most `limit`, which `MOST` bounds."""
        limit = min(limit, MOST)
        words = parse(query.text)
        masks = [filter_mask(m.segment, query) for m in self._matchers]
        if not query.text.strip() or words.only_conference:
            return self._newest(masks, limit)
        if not words.words and not words.keys:
            return []
        if known := self._by_key(words, masks):
            return known[:limit]
        if words.only_keys:
            return []
        if query.sort == "score" and (begun := self._begun(words, masks, limit)):
            return begun
        hits = self._ranked(words, masks, limit if query.sort == "score" else MOST)
        if all(len(word) < _SHORTEST_NAME and word.isascii() for word in words.words):
            # Pairs of letters stand somewhere in any collection: they name something for sure, or nothing.
            hits = [hit for hit in hits if hit.confidence == "found"]
        if query.sort == "newest":
            hits.sort(key=lambda hit: -self._newest_key(hit.id))
        return hits[:limit]

    def suggest(self, text: str, limit: int = 25) -> list[Hit]:
        """Papers for a half-typed text; the newest for an empty one.

        Where nothing fits yet, a beginning of a name is offered too: as a suggestion, since it decides nothing.
        """
        return self.search(Query(text), limit) or self._named(parse(text), limit)

    def _named(self, words: Words, limit: int) -> list[Hit]:
        """The newest papers by somebody whose names begin with the words."""
        names = words.words
        if not 1 <= len(names) <= _MOST_NAMES or min(map(len, names)) < _SHORTEST_NAME:
            return []
        rows: list[tuple[int, int]] = []
        for matcher in self._matchers:
            columns = matcher.segment.columns
            found = set(matcher.named(" ".join(names)).tolist())
            rows += [(int(columns.newest[at]), int(columns.ids[at])) for at in found if columns.alive[at]]
        rows.sort(reverse=True)
        return [Hit(paper, _BEGUN_NAME, "author", "maybe", names) for _, paper in rows[:limit]]

    def _begun(self, words: Words, masks: _Masks, limit: int) -> list[Hit]:
        """The answer where enough titles begin with the text: nothing else could come before them.

        Empty where they don't suffice, or where the text means something else: an institution, a year, an acronym.
        """
        if (
            len(words.text) < SHORTEST_START
            or words.acronym
            or any(words.facets)
            or self._institution(words.text)
        ):
            return []
        rows: list[tuple[bool, bool, int, int]] = []
        for matcher, mask in zip(self._matchers, masks, strict=True):
            columns = matcher.segment.columns
            for place in matcher.segment.starts.starting(words.text, _MOST_BEGUN):
                if mask is None or mask[place]:
                    rest = columns.title[place][len(words.text) :]
                    rows.append(
                        (not rest, rest[:1] in ("", " "), int(columns.newest[place]), int(columns.ids[place]))
                    )
        if len(rows) < limit:
            return []
        rows.sort(reverse=True)
        terms = words.words
        return [
            Hit(paper, 100.0 if whole else 97.0, "title", "found", terms)
            for whole, _, _, paper in rows[:limit]
        ]

    def _institution(self, name: str) -> bool:
        return any(m.segment.terms.find(INSTITUTION + name) >= 0 for m in self._matchers)

    def _ranked(self, words: Words, masks: _Masks, limit: int) -> list[Hit]:
        judged, matches = self._closer(words, masks, limit)
        if any(words.facets) and (all(words.facets) or not judged or judged[0].confidence < CERTAIN):
            # A year or "oral" may be a word of a title after all; whichever reading fits better is meant.
            literal, literal_matches = self._closer(words.literal, masks, limit)
            if literal and (not judged or literal[0].score > judged[0].score):
                judged, matches = literal, literal_matches
        explainer = Explainer(matches)
        sure = [one for one in judged if one.confidence >= MAYBE and meant(one, explainer)]
        hits = [hit_of(one, explainer) for one in sure]
        return hits or self._sounding(words, masks, limit)

    def _closer(self, words: Words, masks: _Masks, limit: int) -> tuple[list[Judged], list[Match]]:
        judged, matches = self._judge(words, masks, limit, wide=False)
        # A single word has been looked up with its slips already.
        if not judged or judged[0].confidence < (CERTAIN if len(words.words) > 1 else FOUND):
            wider, wide_matches = self._judge(words, masks, limit, wide=True)
            if wider and (not judged or wider[0].score >= judged[0].score):
                return wider, wide_matches
        return judged, matches

    def _judge(
        self, words: Words, masks: _Masks, limit: int, *, wide: bool
    ) -> tuple[list[Judged], list[Match]]:
        matches = match(words, self._matchers, wide=wide)
        reading = Reading.of(words, matches, wide=wide)
        judged: list[Judged] = []
        for number, (matcher, mask) in enumerate(zip(self._matchers, masks, strict=True)):
            judged += judge(matcher.segment, number, matches, reading, mask, limit, wide=wide)
        judged.sort(key=lambda j: (-j.score, -j.newest))
        return judged[:limit], matches.atoms

    def _sounding(self, words: Words, masks: _Masks, limit: int) -> list[Hit]:
        hits: list[Hit] = []
        for matcher, mask in zip(self._matchers, masks, strict=True):
            places = (p for p in sounding(matcher.segment, words, limit) if mask is None or mask[p])
            hits += [Hit(int(matcher.segment.columns.ids[p]), 75.0, "title", "maybe") for p in places]
        return hits[:limit]

    def _by_key(self, words: Words, masks: _Masks) -> list[Hit]:
        hits = []
        for key in words.keys:
            kind: Matched = "arxiv" if key.startswith("arxiv") else "openreview"
            for matcher, mask in zip(self._matchers, masks, strict=True):
                for place in matcher.segment.keys.places_of(key):
                    alive = matcher.segment.columns.alive[place] and (mask is None or mask[place])
                    if alive:
                        hits.append(Hit(int(matcher.segment.columns.ids[place]), 100.0, kind, "found"))
        return hits

    def _newest(self, masks: _Masks, limit: int) -> list[Hit]:
        rows: list[tuple[int, int]] = []
        for matcher, mask in zip(self._matchers, masks, strict=True):
            columns = matcher.segment.columns
            places = np.arange(len(columns.ids)) if mask is None else np.flatnonzero(mask)
            newest = columns.newest[places]
            best = np.argsort(-newest, kind="stable")[:limit]
            rows += zip(newest[best].tolist(), columns.ids[places[best]].tolist(), strict=True)
        rows.sort(key=lambda row: -row[0])
        return [Hit(paper, 100.0, "filter", "found") for _, paper in rows[:limit]]

    def _newest_key(self, paper: int) -> int:
        for matcher in self._matchers:
            place = matcher.segment.place_of(paper)
            if place >= 0 and matcher.segment.columns.alive[place]:
                return int(matcher.segment.columns.newest[place])
        return 0
