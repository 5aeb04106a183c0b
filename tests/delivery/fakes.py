"""A post that does what the test says, and people who are told."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from bot.clock import ManualClock
from bot.delivery.outcome import Outcomes
from bot.delivery.pace import InvalidRequests
from bot.delivery.post import Nonce, Posted, Ready
from bot.delivery.verdict import Judgement
from bot.delivery.worker import OutboxWorker
from storage.database import Database
from storage.outbox import NewPart, OutboxStore, Part

Answer = BaseException | Callable[[], Awaitable[None]] | None


class FakePost:
    """Notes every attempt. `answers` says, per destination, how its next attempts end; None or nothing: well.

    Attributes:
        sends: (destination, part) of every send.
        nonces: what the worker believed of the nonce at each attempt.
        standing: parts that the look-up finds.
    """

    def __init__(self) -> None:
        self.sends: list[tuple[str, int]] = []
        self.nonces: list[Nonce] = []
        self.standing: set[tuple[str, int]] = set()
        self.answers: dict[str, list[Answer]] = {}
        self.before: dict[str, list[BaseException]] = {}
        self.at_once = self.most_at_once = 0
        self.forgotten: list[int] = []
        self.slowed: list[float] = []

    async def prepare(self, part: Part, nonce: Nonce) -> Posted | Ready:
        """Find the part, fail as told, or make it ready."""
        self.nonces.append(nonce)
        if self.before.get(part.whom):
            raise self.before[part.whom].pop(0)
        if (part.whom, part.part) in self.standing:
            return Posted(part.target, 1, adopted=True)
        return Ready(lambda: self._send(part))

    async def _send(self, part: Part) -> Posted:
        self.sends.append((part.whom, part.part))
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await asyncio.sleep(0)
            answer = self.answers[part.whom].pop(0) if self.answers.get(part.whom) else None
            if isinstance(answer, BaseException):
                raise answer
            if answer is not None:
                await answer()
        finally:
            self.at_once -= 1
        return Posted(part.target, len(self.sends), adopted=False)

    async def turn(self) -> None:
        """At once."""

    async def forget_dm(self, user_id: int) -> None:
        """Noted."""
        self.forgotten.append(user_id)

    def slow_down(self, seconds: float) -> None:
        """Noted."""
        self.slowed.append(seconds)


@dataclass
class Told:
    """Who was told what."""

    held_parts: list[tuple[str, str]] = field(default_factory=list)
    failed_parts: list[tuple[str, str]] = field(default_factory=list)
    arrived_parts: list[str] = field(default_factory=list)
    broken: bool = False

    async def held(self, part: Part, judgement: Judgement) -> None:
        """Noted."""
        self.held_parts.append((part.whom, judgement.key))

    async def failed(self, part: Part, judgement: Judgement) -> None:
        """Noted."""
        self.failed_parts.append((part.whom, judgement.key))

    async def arrived(self, part: Part) -> None:
        """Noted, or broken."""
        if self.broken:
            raise RuntimeError("nobody can be told")
        self.arrived_parts.append(part.whom)


class Bench:
    """A worker on a real database with a fake post and a clock that stands still."""

    def __init__(self, database: Database, clock: ManualClock) -> None:
        self.database = database
        self.clock = clock
        self.outbox = OutboxStore(database)
        self.post = FakePost()
        self.told = Told()
        self.invalid = InvalidRequests(lambda: clock.now().timestamp())
        self.worker = self.new_worker()

    def new_worker(self, checkpoint: Callable[[str], None] = lambda _: None) -> OutboxWorker:
        """Another worker on the same database and post, as after a restart."""
        outcomes = Outcomes(
            outbox=self.outbox, post=self.post, clock=self.clock, invalid=self.invalid, telling=self.told
        )
        return OutboxWorker(
            outbox=self.outbox,
            post=self.post,
            clock=self.clock,
            invalid=self.invalid,
            outcomes=outcomes,
            checkpoint=checkpoint,
        )

    async def put(self, *parts: NewPart) -> None:
        """Enqueue and wake."""
        async with self.database.transaction() as transaction:
            await self.outbox.enqueue(transaction, parts, self.clock.now())
        self.worker.wake()

    async def work(self) -> None:
        """Let the worker do what is due."""
        self.worker.wake()
        async with asyncio.timeout(5):
            await self.worker.idle()

    async def states(self) -> list[str]:
        """The states of all parts, oldest first."""
        return [row["state"] for row in await self.database.all("SELECT state FROM outbox ORDER BY id")]

    async def row(self, number: int = 1) -> Part:
        """A part by its id."""
        found = await self.outbox.get(number)
        assert found is not None
        return found
