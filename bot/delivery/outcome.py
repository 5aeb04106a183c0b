"""What an attempt changes: the part's next state, by the verdict on it.

Promises: every verdict leads to one state; retries wait longer and longer and end; whoever has to know is told
after the state is written. Leaves to `verdict`: what an error means; to `trouble`: telling.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Protocol

from bot.clock import Clock
from bot.delivery.pace import InvalidRequests
from bot.delivery.post import Post, Posted
from bot.delivery.verdict import UNAUTHORISED, Judgement, Verdict, too_fast
from bot.render.message import Message
from storage.outbox import OutboxStore, Part

log = logging.getLogger(__name__)

FIRST_DELAY = timedelta(seconds=2)
LONGEST_DELAY = timedelta(minutes=15)
MOST_ATTEMPTS = 300  # three days at the longest delay


class Telling(Protocol):
    """Who hears of parts."""

    async def held(self, part: Part, judgement: Judgement) -> None:
        """A part waits until somebody changes something."""
        ...

    async def failed(self, part: Part, judgement: Judgement) -> None:
        """A part can't be sent, for good."""
        ...

    async def arrived(self, part: Part) -> None:
        """A part stands in its place."""
        ...


class Outcomes:
    """Writes down what came of an attempt."""

    def __init__(
        self, *, outbox: OutboxStore, post: Post, clock: Clock, invalid: InvalidRequests, telling: Telling
    ) -> None:
        self._outbox = outbox
        self._post = post
        self._clock = clock
        self._invalid = invalid
        self._telling = telling

    async def arrived(self, part: Part, posted: Posted) -> None:
        """The part stands there."""
        await self._outbox.sent(part, posted.channel_id, posted.message_id, self._clock.now())
        found = " (found there)" if posted.adopted else ""
        log.info("%s %s part %d is in %s%s", part.kind, part.what, part.part, part.whom, found)
        await self._tell(self._telling.arrived(part))

    async def met(self, part: Part, judgement: Judgement, *, sent: bool = True) -> None:
        """The attempt raised; `sent` says whether it got as far as the send."""
        log.warning("%s %s part %d to %s: %s", part.kind, part.what, part.part, part.whom, judgement.text)
        match judgement.verdict:
            case Verdict.AGAIN:
                await self._again(part, judgement, sent)
            case Verdict.HOLD:
                await self._hold(part, judgement)
            case Verdict.CLOSED_DM:
                await self._closed(part, judgement)
            case Verdict.REOPEN_DM:
                await self._reopen(part, judgement, sent)
            case Verdict.RENDER_AGAIN:
                await self._render_again(part, judgement, sent)
            case Verdict.GONE:
                await self._outbox.cancelled(part, judgement.text, self._clock.now())
            case Verdict.NO_PERSON:
                await self._fail(part, judgement)

    async def _again(self, part: Part, judgement: Judgement, sent: bool) -> None:
        if too_fast(judgement) and judgement.wait is not None:
            self._post.slow_down(judgement.wait.total_seconds())
        if judgement.key == "unauthorised":
            self._invalid.stop(UNAUTHORISED)
        if part.attempts + 1 >= MOST_ATTEMPTS:
            await self._fail(part, judgement)
            return
        delay = max(judgement.wait or timedelta(), backoff(part.attempts))
        await self._outbox.again(
            part, judgement.text, self._clock.now() + delay, uncertain=_uncertain(part, judgement), sent=sent
        )

    async def _hold(self, part: Part, judgement: Judgement) -> None:
        await self._outbox.held(part, judgement.text, uncertain=_uncertain(part, judgement))
        await self._tell(self._telling.held(part, judgement))

    async def _closed(self, part: Part, judgement: Judgement) -> None:
        """An alert waits for its person's DMs to open; a test or a notice has then lost its point."""
        if part.kind == "alert":
            await self._hold(part, judgement)
        else:
            await self._fail(part, judgement)

    async def _fail(self, part: Part, judgement: Judgement) -> None:
        await self._outbox.failed(part, judgement.text, self._clock.now())
        await self._tell(self._telling.failed(part, judgement))

    async def _reopen(self, part: Part, judgement: Judgement, sent: bool) -> None:
        """The DM channel is opened anew once; if that doesn't help, the person can't be reached."""
        await self._post.forget_dm(part.target)
        if part.last_error == judgement.text:
            await self._closed(part, Judgement(Verdict.CLOSED_DM, "dm_closed", judgement.detail))
            return
        await self._outbox.again(
            part, judgement.text, self._clock.now(), uncertain=_uncertain(part, judgement), sent=sent
        )

    async def _render_again(self, part: Part, judgement: Judgement, sent: bool) -> None:
        """A refused message is sent as plain text once; a refused plain text fails for good."""
        if part.rendered_again:
            await self._fail(part, judgement)
            return
        plain = Message.from_json(part.body).plain().to_json()
        await self._outbox.again(
            part,
            judgement.text,
            self._clock.now(),
            uncertain=_uncertain(part, judgement),
            sent=sent,
            body=plain,
        )

    async def _tell(self, telling: Awaitable[None]) -> None:
        """The state is written; a failure to tell of it must not undo that."""
        try:
            await telling
        except Exception:
            log.exception("what follows from a delivery could not be noted")


def _uncertain(part: Part, judgement: Judgement) -> bool:
    return part.uncertain or judgement.uncertain


def backoff(attempts: int, spread: Callable[[], float] = random.random) -> timedelta:
    """How long to wait after so many attempts: doubling, bounded, with jitter so that retries don't march."""
    seconds = min(FIRST_DELAY.total_seconds() * 2.0 ** min(attempts, 20), LONGEST_DELAY.total_seconds())
    return timedelta(seconds=seconds * (0.5 + spread() / 2))
