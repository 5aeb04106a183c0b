"""The outbox worker: every part once, in order per destination, destinations side by side.

Promises: a state is written before the request leaves and after its answer came; one destination's trouble
stops no other; nothing is retried for ever. Leaves to `post`: the attempt; to `outcome`: what an error changes.
The protocol and its proof sketch stand in docs/delivery.md.
"""

from __future__ import annotations

import asyncio
import functools
import logging
from collections import Counter
from datetime import timedelta

from bot.checkpoint import Checkpoint, nothing
from bot.clock import Clock
from bot.delivery.outcome import Outcomes
from bot.delivery.pace import InvalidRequests
from bot.delivery.post import Nonce, Post, Posted, Ready
from bot.delivery.verdict import judge, judge_unsent
from storage.outbox import LeaseLostError, Line, OutboxStore, Part

log = logging.getLogger(__name__)

# Lines served side by side, by lane: a hundred people whose DM channels open slowly take nobody else's place.
LANES = {"channel": 300, "known": 100, "new": 8}
# Discord remembers a nonce for "the past few minutes"; within this a repeated send needs no look-up.
NONCE_WINDOW = timedelta(seconds=45)
DRAIN = timedelta(seconds=7)  # of the ten seconds in which the whole process has to end
BEGUN = 12  # parts that may be begun and wait for their turn
POLL = 5.0  # seconds; a wake-up comes sooner, this is for parts whose time has come and for clock jumps
BREATH = 0.1  # seconds between two looks at the queue


class OutboxWorker:
    """Drains the outbox while it runs. One per process; the lease keeps it one per database.

    Attributes:
        lost: set when another process has taken over this database.
    """

    def __init__(
        self,
        *,
        outbox: OutboxStore,
        post: Post,
        clock: Clock,
        invalid: InvalidRequests,
        outcomes: Outcomes,
        checkpoint: Checkpoint = nothing,
    ) -> None:
        self._outbox = outbox
        self._post = post
        self._clock = clock
        self._invalid = invalid
        self._outcomes = outcomes
        self._checkpoint = checkpoint
        self._fence = 0
        self._wake = asyncio.Event()
        self._serving: dict[str, asyncio.Task[None]] = {}
        self._lanes: dict[str, str] = {}
        self._sending: set[str] = set()
        self._tried: dict[int, float] = {}  # part → when this process first sent it, monotonic
        self._runner: asyncio.Task[None] | None = None
        self._gate = asyncio.Semaphore(BEGUN)
        self._stopping = False
        self._waiting = False  # for Discord to forget refused requests
        self.lost = asyncio.Event()

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

    async def stop(self, grace: timedelta = DRAIN) -> None:
        """Begin nothing new, let sends in flight end within the grace period, then cut them off."""
        self._stopping = True
        if self._runner is not None:
            self._runner.cancel()
            await asyncio.gather(self._runner, return_exceptions=True)
        for key, task in self._serving.items():
            if key not in self._sending:
                task.cancel()
        if self._serving:
            await asyncio.wait(self._serving.values(), timeout=grace.total_seconds())
        for task in self._serving.values():
            task.cancel()
        await asyncio.gather(*self._serving.values(), return_exceptions=True)

    async def idle(self) -> None:
        """Wait until nothing is due and nothing in flight; for tests and the sandbox."""
        while self._serving or (await self._outbox.queue(self._clock.now(), LANES)).lines:
            self.wake()
            await asyncio.gather(*self._serving.values(), return_exceptions=True)
            await asyncio.sleep(0.01)

    # --- the loop --------------------------------------------------------------------------------

    async def _run(self) -> None:
        while not self.lost.is_set():
            self._wake.clear()
            wait = POLL
            try:
                wait = await self._serve_due()
            except Exception:
                log.exception("the outbox could not be read; trying again")
            await asyncio.sleep(BREATH)
            await self._pause(wait)
        log.error("another process sends for this database; this one sends no more")

    async def _serve_due(self) -> float:
        """Start to serve what is due; how long to wait until something else may be."""
        if self._invalid.exhausted:
            if not self._waiting:
                log.error("Discord refused %d requests in ten minutes; sending waits", self._invalid.count)
            self._waiting = True
            return POLL
        self._waiting = False
        now = self._clock.now()
        queue = await self._outbox.queue(now, self._free(), tuple(self._serving))
        for line in queue.lines:
            task = asyncio.create_task(self._serve(line), name=f"outbox {line.whom}")
            self._serving[line.key] = task
            self._lanes[line.key] = line.lane
            task.add_done_callback(functools.partial(self._served, line))
        if queue.stray:
            # Its state couldn't be written after the answer: as uncertain as after a crash.
            log.warning("%d parts were left in flight; they are looked for", len(queue.stray))
            await self._outbox.reconcile(queue.stray)
            return 0.0
        return POLL if queue.next_at is None else max(0.0, (queue.next_at - now).total_seconds())

    def _free(self) -> dict[str, int]:
        used = Counter(self._lanes.values())
        return {lane: most - used[lane] for lane, most in LANES.items()}

    def _served(self, line: Line, task: asyncio.Task[None]) -> None:
        self._serving.pop(line.key, None)
        self._lanes.pop(line.key, None)
        self._sending.discard(line.key)
        self._wake.set()
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("the outbox line %s failed", line.whom, exc_info=error)

    async def _pause(self, wait: float) -> None:
        try:
            async with asyncio.timeout(min(POLL, wait)):
                await self._wake.wait()
        except TimeoutError:
            return

    # --- one line --------------------------------------------------------------------------------

    async def _serve(self, line: Line) -> None:
        """The parts of one line, one after the other, as long as they get through."""
        while not (self._stopping or self._invalid.exhausted or self.lost.is_set()):
            part = await self._outbox.head(line, self._clock.now())
            if part is None or not await self._attempt(line, part):
                return

    async def _attempt(self, line: Line, part: Part) -> bool:
        """One attempt at one part, with whatever comes of it written down; whether it is through."""
        ready = await self._prepared(part)
        if ready is None:
            return False
        if isinstance(ready, Posted):
            await self._outcomes.arrived(part, ready)
            self._forget(part)
            return True
        self._sending.add(line.key)  # from here to the mark a stop waits for this line
        try:
            # The turn comes last, so that writing the state can't bunch requests together; few wait for theirs.
            async with self._gate:
                if self._stopping or not await self._begin(part):
                    return False
                self._checkpoint("begun")
                await self._post.turn()
            return await self._send(part, ready)
        finally:
            self._sending.discard(line.key)

    async def _prepared(self, part: Part) -> Posted | Ready | None:
        try:
            ready = await self._post.prepare(part, self._nonce(part))
            self._checkpoint("prepared")
        except Exception as error:
            await self._outcomes.met(part, judge_unsent(error, direct=part.direct), sent=False)
            return None
        return ready

    async def _begin(self, part: Part) -> bool:
        try:
            begun = await self._outbox.begin(part, self._fence, self._clock.now())
        except LeaseLostError:
            self.lost.set()
            return False
        if begun:
            self._tried.setdefault(part.id, asyncio.get_running_loop().time())
        return begun

    async def _send(self, part: Part, ready: Ready) -> bool:
        try:
            posted = await ready.send()
        except Exception as error:
            self._checkpoint("answered")
            await self._outcomes.met(part, judge(error, direct=part.direct))
            return False
        self._checkpoint("answered")
        await self._outcomes.arrived(part, posted)
        self._checkpoint("marked")
        self._forget(part)
        return True

    def _forget(self, part: Part) -> None:
        self._tried.pop(part.id, None)

    def _nonce(self, part: Part) -> Nonce:
        """What Discord still knows of earlier attempts; neither clock alone is believed, for machines sleep."""
        if part.first_attempt_at is None:
            return Nonce.KNOWN
        if not timedelta() <= self._clock.now() - part.first_attempt_at <= NONCE_WINDOW:
            return Nonce.FORGOTTEN
        tried = self._tried.get(part.id)
        if tried is None:
            return Nonce.LIKELY
        young = asyncio.get_running_loop().time() - tried <= NONCE_WINDOW.total_seconds()
        return Nonce.KNOWN if young else Nonce.FORGOTTEN
