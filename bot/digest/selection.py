"""Which papers a digest holds, and in what order: pure decisions.

Promises: what the filter passes over is named, so that it stays passed over.
Leaves to `service`: where candidates come from; to `bot.render.digests`: how many are shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.papers.model import Paper, Presentation, Track
from bot.wording import Wording
from storage.digests import DigestSettings

_RANK = {Presentation.ORAL: 0, Presentation.SPOTLIGHT: 1, Presentation.POSTER: 2, None: 2}


@dataclass(frozen=True, slots=True)
class Selection:
    """What a digest is about, in order, and what the filter passed over."""

    wanted: tuple[Paper, ...]
    passed: tuple[Paper, ...]


def select(candidates: Iterable[Paper], settings: DigestSettings) -> Selection:
    """Apply a server's filters; main papers first, orals before spotlights before the rest."""
    wanted: list[Paper] = []
    passed: list[Paper] = []
    for paper in candidates:
        (wanted if _passes(paper, settings) else passed).append(paper)
    wanted.sort(key=_order)  # stable: oldest news first among equals
    return Selection(tuple(wanted), tuple(passed))


def _passes(paper: Paper, settings: DigestSettings) -> bool:
    track = paper.venue.track if paper.venue else Track.OTHER
    if settings.tracks != "all" and track != settings.tracks:
        return False
    if not (settings.include or settings.exclude):
        return True
    wording = Wording.of(paper)
    if settings.include and not any(wording.has_phrase(word) for word in settings.include):
        return False
    return not any(wording.has_phrase(word) for word in settings.exclude)


def _order(paper: Paper) -> tuple[bool, int]:
    if paper.venue is None:
        return (True, 9)
    return (paper.venue.track is not Track.MAIN, _RANK[paper.venue.presentation])
