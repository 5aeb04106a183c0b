"""The outbox worker: every part once, in order per destination, destinations side by side.

Promises: a state is written before the request leaves and after its answer came; one destination's trouble
stops no other; nothing is retried for ever. Leaves to `post`: the attempt; to `verdict`: what an error means.
The protocol and its proof sketch stand in docs/delivery.md.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import random
from collections.abc import Awaitable, Callable
from datetime import timedelta

from bot.clock import Clock
from bot.delivery.pace import InvalidRequests
from bot.delivery.post import DiscordPost, NoHistoryError, NotAllowedError
from bot.delivery.verdict import Judgement, Verdict, judge
from bot.render.message import Message
from storage.outbox import LeaseLostError, OutboxStore, Part

log = logging.getLogger(__name__)

AT_ONCE = 40  # destinations served side by side
FIRST_DELAY = timedelta(seconds=2)
LONGEST_DELAY = timedelta(minutes=15)
GIVE_UP_AFTER = timedelta(days=3)
POLL = 5.0  # seconds; a wake-up comes sooner, this is for parts whose time has come and for clock jumps

# Called when a part was held or failed, so that an admin or a subscriber hears of it.
OnTrouble = Callable[[Part, Judgement], Awaitable[None]]


class OutboxWorker:
    """Drains the outbox while it runs. One per process; the lease keeps it one per database."""

    def __init__(
        self,
        *,
        outbox: OutboxStore,
        post: DiscordPost,
        clock: Clock,
        invalid: InvalidRequests,
        on_trouble: OnTrouble,
        on_arrived: Callable[[Part], Awaitable[None]],
    ) -> None:
        self._outbox = outbox
        self._post = post
        self._clock = clock
        self._invalid = invalid
        self._on_trouble = on_trouble
        self._on_arrived = on_arrived
        self._fence = 0
        self._wake = asyncio.Event()
        self._serving: dict[str, asyncio.Task[None]] = {}
        self._runner: asyncio.Task[None] | None = None
        self._stopping = False

    async def start(self) -> None:
        """Take the lease, make uncertain what the last process left in flight, and begin to send."""
        self._fence = await self._outbox.take_lease()
        left = await self._outbox.reconcile()
        if left:
            log.info("%d parts were in flight when the last process ended; they are looked for first", left)
        self._runner = asyncio.create_task(self._run(), name="outbox")

    def wake(self) -> None:
        """Something was enqueued or released."""
        self._wake.set()

    async def stop(self, grace: timedelta = timedelta(seconds=10)) -> None:
        """Begin nothing new, let sends in flight end within the grace period, then cancel them."""
        self._stopping = True
        if self._runner is not None:
            self._runner.cancel()
            await asyncio.gather(self._runner, return_exceptions=True)
        if self._serving:
            await asyncio.wait(self._serving.values(), timeout=grace.total_seconds())
        for task in self._serving.values():
            task.cancel()
        await asyncio.gather(*self._serving.values(), return_exceptions=True)

    async def idle(self) -> None:
        """Wait until nothing is due and nothing in flight; for tests and `--now`."""
        while self._serving or await self._outbox.due(self._clock.now(), 1):
            await asyncio.gather(*self._serving.values(), return_exceptions=True)
            await asyncio.sleep(0.01)

    async def _run(self) -> None:
        while True:
            self._wake.clear()
            try:
                await self._serve_due()
            except LeaseLostError:
                log.error("another process sends for this database; this one sends no more")
                return
            except Exception:
                log.exception("the outbox could not be read; trying again")
            await self._pause()

    async def _serve_due(self) -> None:
        if self._invalid.exhausted:
            log.warning("Discord refused %d requests in ten minutes; sending waits", self._invalid.count)
            return
        free = AT_ONCE - len(self._serving)
        for part in await self._outbox.due(self._clock.now(), free, tuple(self._serving)):
            task = asyncio.create_task(self._serve(part), name=f"outbox {part.whom}")
            self._serving[part.whom] = task
            task.add_done_callback(functools.partial(self._served, part.whom))

    def _served(self, whom: str, _: asyncio.Task[None]) -> None:
        self._serving.pop(whom, None)
        self._wake.set()

    async def _pause(self) -> None:
        next_at = await self._outbox.next_wake()
        wait = POLL
        if next_at is not None:
            wait = min(POLL, max(0.05, (next_at - self._clock.now()).total_seconds()))
        try:
            async with asyncio.timeout(wait):
                await self._wake.wait()
        except TimeoutError:
            return

    async def _serve(self, part: Part) -> None:
        """One attempt at one part, with whatever comes of it written down."""
        now = self._clock.now()
        try:
            if self._stopping or not await self._outbox.begin(part, self._fence, now):
                return
        except LeaseLostError:
            log.error("another process sends for this database; this one sends no more")
            self._stopping = True
            return
        try:
            posted = await self._post.attempt(part, now)
        except NoHistoryError:
            await self._hold(
                part,
                Judgement(Verdict.HOLD, "uncertain", uncertain=True, permissions=("read_message_history",)),
            )
        except NotAllowedError as error:
            await self._hold(
                part, Judgement(Verdict.HOLD, "missing_permission", permissions=(error.permission,))
            )
        except Exception as error:
            await self._apply(part, judge(error, direct=part.whom.startswith("user:")))
        else:
            await self._outbox.sent(part, posted.channel_id, posted.message_id, self._clock.now())
            log.info(
                "%s %s part %d is in %s%s",
                part.kind,
                part.what,
                part.part,
                part.whom,
                " (found there)" if posted.adopted else "",
            )
            await self._on_arrived(part)

    async def _apply(self, part: Part, judgement: Judgement) -> None:
        log.warning("%s part %d to %s: %s", part.what, part.part, part.whom, judgement.text)
        match judgement.verdict:
            case Verdict.AGAIN:
                await self._again(part, judgement)
            case Verdict.HOLD:
                await self._hold(part, judgement)
            case Verdict.CLOSED_DM:
                await self._closed(part, judgement)
            case Verdict.REOPEN_DM:
                await self._reopen(part, judgement)
            case Verdict.RENDER_AGAIN:
                await self._render_again(part, judgement)
            case Verdict.STORED:
                await self._outbox.cancelled(part, judgement.text, self._clock.now())
            case Verdict.NO_PERSON:
                await self._fail(part, judgement)

    async def _again(self, part: Part, judgement: Judgement) -> None:
        now = self._clock.now()
        if now - part.created_at > GIVE_UP_AFTER and part.attempts > 3:
            await self._fail(part, judgement)
            return
        delay = judgement.wait or backoff(part.attempts)
        await self._outbox.again(
            part,
            judgement.text,
            now + delay,
            uncertain=part.uncertain or judgement.uncertain,
            # Discord's own "come back later" is no failure of the part.
            counted=judgement.wait is None,
        )

    async def _hold(self, part: Part, judgement: Judgement) -> None:
        await self._outbox.held(part, judgement.text, uncertain=part.uncertain or judgement.uncertain)
        await self._on_trouble(part, judgement)

    async def _closed(self, part: Part, judgement: Judgement) -> None:
        """An alert waits for its person's DMs to open; a test or a notice has then lost its point."""
        if part.kind == "alert":
            await self._hold(part, judgement)
        else:
            await self._fail(part, judgement)

    async def _fail(self, part: Part, judgement: Judgement) -> None:
        await self._outbox.failed(part, judgement.text, self._clock.now())
        await self._on_trouble(part, judgement)

    async def _reopen(self, part: Part, judgement: Judgement) -> None:
        """The DM channel is opened anew once; if that doesn't help, the person can't be reached."""
        await self._post.forget_dm(part.whom)
        if part.last_error == judgement.text:
            await self._closed(part, Judgement(Verdict.CLOSED_DM, "dm_closed", judgement.detail))
            return
        await self._outbox.again(part, judgement.text, self._clock.now(), uncertain=part.uncertain)

    async def _render_again(self, part: Part, judgement: Judgement) -> None:
        """A refused message is sent as plain text once; a refused plain text fails for good."""
        if part.rendered_again:
            await self._fail(part, judgement)
            return
        plain = Message.from_json(part.body).plain().to_json()
        await self._outbox.again(
            part, judgement.text, self._clock.now(), uncertain=part.uncertain, body=plain
        )


def backoff(attempts: int, spread: Callable[[], float] = random.random) -> timedelta:
    """How long to wait after so many attempts: doubling, bounded, with jitter so that retries don't march."""
    seconds = min(FIRST_DELAY.total_seconds() * 2.0 ** min(attempts, 20), LONGEST_DELAY.total_seconds())
    return timedelta(seconds=seconds * (0.5 + spread() / 2))
