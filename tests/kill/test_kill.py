"""Nothing is lost and nothing doubled, wherever the process is killed; `make soak`.

By hand, more of it: `python -m tests.kill.bench --rounds 300 --benches 3`.
"""

from __future__ import annotations

import asyncio

import pytest

from tests.kill.bench import Figures, run

ROUNDS = 60
BENCHES = 3


@pytest.mark.slow
@pytest.mark.asyncio
async def test_every_part_stands_exactly_once_after_any_number_of_kills() -> None:
    figures = Figures()
    for one in await asyncio.gather(
        *(run(ROUNDS // BENCHES, seed=100 + number) for number in range(BENCHES))
    ):
        figures.add(one)
    print(figures)  # noqa: T201 - the figures are what a soak is run for
    assert figures.problems == []
    assert (figures.lost, figures.doubled) == (0, 0)
    assert figures.rounds == ROUNDS
    assert figures.forgetful >= ROUNDS / 3
    assert min(figures.blind, figures.crowded) > 0
    assert figures.kills.total() >= 2 * ROUNDS


@pytest.mark.slow
@pytest.mark.asyncio
@pytest.mark.parametrize("part", ["look-up", "nonce"])
async def test_the_kill_test_notices_when_half_of_the_protocol_is_missing(part: str) -> None:
    figures = await run(12, seed=7, without=[part], until_wrong=True)
    assert figures.doubled > 0
