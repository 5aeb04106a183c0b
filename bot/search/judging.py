"""The papers of one segment that a query may mean, with their marks, and what an answer says of them.

Leaves to others: one list of all segments, and which reading of a query counts (`bot.search.index`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.search.candidates import KEEP, candidates
from bot.search.explain import Explainer
from bot.search.matching import Matches
from bot.search.model import Confidence, Hit
from bot.search.reading import Reading
from bot.search.rerank import FOUND, rerank
from bot.search.segment import Segment

SAME = 0.87  # confidence in letters alone from which a title is the same but for slips
LACKING = 0.06  # share of a whole title's weight in words that the paper lacks
LACKING_SOME = 0.4  # the same of a few words: MIT diffusion means no paper without MIT


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate with its marks."""

    segment: Segment
    number: int  # of the segment
    place: int
    score: float
    confidence: float
    letters: float
    newest: int


def judge(
    segment: Segment,
    number: int,
    matches: Matches,
    reading: Reading,
    mask: NDArray[np.bool_] | None,
    limit: int,
    *,
    wide: bool,
) -> list[Judged]:
    """The best papers of one segment; the first stays however unsure, to say whether a wider look is due."""
    chosen = candidates(segment, number, matches, mask, reading, max(KEEP, limit), deep=wide)
    places = chosen.places.tolist()
    if not places:
        return []
    columns = segment.columns
    marks = rerank(reading, number, chosen, columns, deep=wide)
    order = np.lexsort((-columns.newest[chosen.places], -marks.scores))[:limit].tolist()
    return [
        Judged(
            segment,
            number,
            places[i],
            float(marks.scores[i]),
            float(marks.confidences[i]),
            float(marks.letters[i]),
            int(columns.newest[places[i]]),
        )
        for i in order
    ]


def meant(judged: Judged, explainer: Explainer) -> bool:
    """Whether the text means this paper, by the words that it lacks, and not another that isn't here."""
    if judged.letters >= SAME:
        return True
    columns, place = judged.segment.columns, judged.place
    lacking = explainer.lacking(judged.number, place, columns.title[place], columns.authors[place])
    return lacking < (LACKING if explainer.titled else LACKING_SOME)


def hit_of(judged: Judged, explainer: Explainer) -> Hit:
    """The answer for a paper."""
    columns, place = judged.segment.columns, judged.place
    matched, terms = explainer.explain(
        judged.number, place, columns.title[place], columns.title_zh[place], columns.authors[place]
    )
    sure: Confidence = "found" if judged.confidence >= FOUND else "maybe"
    return Hit(int(columns.ids[place]), round(100 * min(1.0, judged.score), 1), matched, sure, terms)
