"""A digest's selection as rows for the outbox: pure, to be run off the event loop.

Promises: a paper that can't be rendered is left out and logged, the rest is announced; the last part has what
isn't shown. Leaves to `bot.render.digests`: what the messages say.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from bot.papers.model import Paper
from bot.render.digests import MOST_PAPERS, Occasion, Part, digest
from bot.render.ids import encode
from bot.render.message import Message
from bot.render.voice import Voice
from storage.digests import DigestSettings
from storage.outbox import NewPart, mark_of

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Announcement:
    """The rows of one digest, in order."""

    parts: tuple[NewPart, ...]

    def messages(self) -> list[Message]:
        """What they say."""
        return [Message.from_json(part.body) for part in self.parts]


def announce(
    voice: Voice, papers: Sequence[Paper], occasion: Occasion, what: str, settings: DigestSettings
) -> Announcement:
    """The parts of a digest; none without papers.

    Raises:
        Exception: whatever rendering raises when it isn't the fault of single papers.
    """
    whom = f"channel:{settings.channel_id}"
    try:
        parts = _render(voice, papers, occasion, what, whom)
    except Exception:
        good = [paper for paper in papers if _can_be_rendered(voice, paper, occasion)]
        if len(good) == len(papers):
            raise
        papers = good
        parts = _render(voice, papers, occasion, what, whom)
    shown = {paper for part in parts for paper in part.papers}
    rest = tuple(paper.id for paper in papers if paper.id not in shown)
    return Announcement(
        tuple(
            NewPart(
                kind="digest",
                what=what,
                part=number,
                whom=whom,
                guild_id=settings.guild_id,
                body=part.message.to_json(),
                papers=part.papers,
                more=rest if number == len(parts) - 1 else (),
            )
            for number, part in enumerate(parts)
        )
    )


def _render(voice: Voice, papers: Sequence[Paper], occasion: Occasion, what: str, whom: str) -> list[Part]:
    def mark(part: int) -> str:
        return encode("part", mark_of(what, part, whom))

    parts = digest(voice, papers, occasion, part_id=mark)
    if len(papers) <= MOST_PAPERS or not parts:
        return parts
    # Which part is the last is known only now, and it is the one whose button opens the rest.
    more = encode("more", mark_of(what, len(parts) - 1, whom))
    return digest(voice, papers, occasion, more_id=more, part_id=mark)


def _can_be_rendered(voice: Voice, paper: Paper, occasion: Occasion) -> bool:
    try:
        digest(voice, [paper], occasion)
    except Exception:
        log.exception("paper %d can't be shown and is left out of the digest", paper.id)
        return False
    return True
