"""Every kind of error × (digest, alert) × (before, after acceptance), with the real client over sockets.

Each case states how many requests Discord saw, how many messages stand at the end, and in which state the part is
after the first attempt and after a few minutes.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import discord.http
import pytest

from bot.delivery import post
from bot.sandbox.faults import Action, Fault, When
from tests.e2e.delivering import Delivery, parts, wait
from tests.herald_fixtures import Herald

SOON = timedelta(seconds=40)  # within the time for which Discord surely knows a nonce
LATER = timedelta(minutes=10)


@dataclass(frozen=True)
class Case:
    """A fault and what it must lead to.

    Attributes:
        name: for the test's id.
        fault: fields of `Faults.add`.
        first: the part's state after the first attempt.
        sends: requests until it is through, when it happens before acceptance and after it.
        last: the part's state at the end.
        stored: messages that stand at the end.
        kinds: which deliveries can meet it.
    """

    name: str
    fault: dict[str, Any]
    first: str = "pending"
    sends: tuple[int, int] = (2, 2)
    last: str = "sent"
    stored: int = 1
    kinds: tuple[str, ...] = ("digest", "alert")


def _code(code: int, **fields: Any) -> Case:  # noqa: ANN401 - the fields of `Case`
    return Case(f"code {code}", {"action": Action.CODE, "code": code}, **fields)


def _status(status: int, **fields: Any) -> Case:  # noqa: ANN401 - the fields of `Case`
    return Case(f"status {status}", {"action": Action.STATUS, "status": status}, **fields)


LIMIT: dict[str, Any] = {"action": Action.RATE_LIMIT, "retry_after": 0.05}

CASES = [
    Case("cut connection", {"action": Action.CUT}),
    Case("no answer", {"action": Action.HANG, "seconds": 1.0}),
    # discord.py repeats these by itself, with the same nonce.
    *(_status(status, first="sent") for status in (500, 502, 504, 524)),
    _status(503),
    Case("429", LIMIT, first="sent"),
    Case("429 for all routes", LIMIT | {"is_global": True}, first="sent"),
    Case("429 without Via", LIMIT | {"via": False}),
    Case("429 for half an hour", LIMIT | {"retry_after": 1500.0}, sends=(2, 1)),
    # Somebody has to change something: nothing is sent again by itself.
    *(
        _code(code, first="held", last="held", sends=(1, 1), kinds=("digest",))
        for code in (50001, 50013, 10003, 50083, 160005, 50024)
    ),
    _code(50007, first="held", last="held", sends=(1, 1), kinds=("alert",)),
    _code(50278, first="held", last="held", sends=(1, 1), kinds=("alert",)),
    _code(50033, first="failed", last="failed", sends=(1, 1), kinds=("alert",)),
    _code(10013, first="failed", last="failed", sends=(1, 1), kinds=("alert",)),
    _code(40003, sends=(2, 1), kinds=("alert",)),
    # In a DM these are cured by opening the channel anew, at once.
    _code(50001, first="sent", kinds=("alert",)),
    _code(10003, first="sent", kinds=("alert",)),
    # Refused messages are sent as plain text once.
    _code(50006, first="sent"),
    _status(400, first="sent"),
    _status(413, first="sent"),
    # Pages of something that stands before Discord.
    _status(403),
    _status(404),
    _code(10008, first="cancelled", last="cancelled", sends=(1, 1)),
]

MATRIX = [(case, kind, when) for case in CASES for kind in case.kinds for when in When]


@pytest.fixture
def _no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """discord.py waits a second before it repeats a request; the test doesn't."""

    class Quick:
        def __getattr__(self, name: str) -> object:
            return getattr(asyncio, name)

        async def sleep(self, _seconds: float) -> None:
            await asyncio.sleep(0)

    monkeypatch.setattr(discord.http, "asyncio", Quick())
    monkeypatch.setattr(post, "SEND_TIMEOUT", 0.3)


@pytest.mark.asyncio
@pytest.mark.usefixtures("_no_waits")
@pytest.mark.parametrize(("case", "kind", "when"), MATRIX, ids=[f"{c.name}-{k}-{w}" for c, k, w in MATRIX])
async def test_every_fault_leaves_each_part_once(herald: Herald, case: Case, kind: str, when: When) -> None:
    delivery = await Delivery.prepared(herald, kind)
    fault = dict(case.fault)
    scripted = herald.sandbox.faults.add(
        fault.pop("action"),
        when=when,
        method="POST",
        path="/messages$",
        channel_id=delivery.channel.id,
        **fault,
    )
    await delivery.go()
    assert (await delivery.part()).state == case.first
    await wait(herald, SOON)
    for _ in range(3):
        await wait(herald, LATER)
    herald.sandbox.faults.remove(scripted)
    await settled(delivery, scripted)
    part = await delivery.part()
    assert (part.state, delivery.sends) == (case.last, case.sends[when is When.AFTER]), part.last_error
    reached = case.last == "sent" or when is When.AFTER
    assert len(delivery.stored) == (case.stored if reached else 0)
    assert part.last_error is None or part.state != "sent"


async def settled(delivery: Delivery, fault: Fault) -> None:
    """Wait until the sandbox has noted the requests that it let hang."""
    async with asyncio.timeout(5):
        while delivery.sends < fault.hits:  # noqa: ASYNC110 - the sandbox tells nobody of a cut connection
            await asyncio.sleep(0)


# Beyond the nonce's life: even a refusal isn't believed where looking is possible.
UNCERTAIN = [
    case
    for case in CASES
    if case.name in ("cut connection", "no answer", "status 503", "429 for half an hour", "status 403")
]


@pytest.mark.asyncio
@pytest.mark.usefixtures("_no_waits")
@pytest.mark.parametrize("kind", ["digest", "alert"])
@pytest.mark.parametrize("case", UNCERTAIN, ids=lambda case: case.name)
async def test_a_stored_part_is_adopted_when_its_nonce_is_forgotten(
    herald: Herald, case: Case, kind: str
) -> None:
    delivery = await Delivery.prepared(herald, kind)
    scripted = herald.sandbox.faults.add(when=When.AFTER, method="POST", path="/messages$", **case.fault)
    await delivery.go()
    herald.sandbox.world.messages.forget_nonces()
    for _ in range(3):
        await wait(herald, LATER)
    herald.sandbox.faults.remove(scripted)
    await settled(delivery, scripted)
    part = await delivery.part()
    assert (part.state, delivery.sends, len(delivery.stored)) == ("sent", 1, 1)
    assert part.message_id == delivery.stored[0].id


@pytest.mark.asyncio
@pytest.mark.usefixtures("_no_waits")
@pytest.mark.parametrize("kind", ["digest", "alert"])
async def test_a_503_for_ever_is_retried_more_and_more_rarely_and_ends(herald: Herald, kind: str) -> None:
    delivery = await Delivery.prepared(herald, kind)
    herald.sandbox.faults.add(Action.STATUS, status=503, method="POST", path="/messages$", times=None)
    await delivery.go()
    for _ in range(12):
        await wait(herald, timedelta(minutes=15))
    assert 10 <= delivery.sends <= 14
    async with herald.app.knowledge.database.transaction() as transaction:
        await transaction.execute("UPDATE outbox SET attempts = 299")
    await wait(herald, timedelta(minutes=15))
    assert (await delivery.part()).state == "failed"
    assert delivery.stored == []


@pytest.mark.asyncio
@pytest.mark.usefixtures("_no_waits")
@pytest.mark.parametrize("kind", ["digest", "alert"])
async def test_a_message_that_stays_refused_fails_with_its_reason(herald: Herald, kind: str) -> None:
    delivery = await Delivery.prepared(herald, kind)
    herald.sandbox.faults.add(Action.CODE, code=50006, method="POST", path="/messages$", times=None)
    await delivery.go()
    await wait(herald, LATER)
    part = await delivery.part()
    assert (part.state, delivery.sends) == ("failed", 2)
    assert part.last_error == "refused 400/50006"
    held_up = [one for one in await parts(herald) if one.state in ("pending", "sending", "held")]
    assert held_up == []


@pytest.mark.asyncio
@pytest.mark.usefixtures("_no_waits")
async def test_an_unauthorised_answer_stops_all_sending_for_a_while(herald: Herald) -> None:
    delivery = await Delivery.prepared(herald, "digest")
    herald.sandbox.faults.add(Action.CODE, code=0, method="POST", path="/messages$")
    await delivery.go()
    assert (await delivery.part()).state == "pending"
    assert herald.app.invalid.exhausted
