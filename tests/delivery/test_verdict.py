"""Every error of a send has one verdict, for channels and for people."""

from __future__ import annotations

from datetime import timedelta

import aiohttp
import discord
import pytest

from bot.delivery.verdict import (
    EmptyHistoryError,
    Judgement,
    NoHistoryError,
    NotAllowedError,
    ThreadGoneError,
    UnsettledError,
    Verdict,
    judge,
    judge_unsent,
    too_fast,
)
from bot.locales import Catalogue
from bot.papers.model import Language
from tests.delivery.errors import refused

A, H = Verdict.AGAIN, Verdict.HOLD

# status, code → verdict for a channel, verdict for a person
ANSWERS = {
    (429, 0): (A, A),
    (500, 0): (A, A),
    (503, 0): (A, A),
    (401, 0): (A, A),
    (403, 0): (A, A),
    (404, 0): (A, A),
    (403, 50001): (H, Verdict.REOPEN_DM),
    (404, 10003): (H, Verdict.REOPEN_DM),
    (403, 50013): (H, Verdict.CLOSED_DM),
    (400, 50083): (H, H),
    (400, 160005): (H, H),
    (400, 50024): (H, H),
    (400, 50008): (H, H),
    (400, 40067): (H, H),
    (403, 20026): (H, Verdict.CLOSED_DM),
    (403, 50007): (Verdict.CLOSED_DM, Verdict.CLOSED_DM),
    (403, 50278): (Verdict.CLOSED_DM, Verdict.CLOSED_DM),
    (400, 50033): (Verdict.NO_PERSON, Verdict.NO_PERSON),
    (404, 10013): (Verdict.NO_PERSON, Verdict.NO_PERSON),
    (403, 40003): (A, A),
    (400, 50035): (Verdict.RENDER_AGAIN, Verdict.RENDER_AGAIN),
    (400, 50006): (Verdict.RENDER_AGAIN, Verdict.RENDER_AGAIN),
    (413, 40005): (Verdict.RENDER_AGAIN, Verdict.RENDER_AGAIN),
    (404, 10008): (Verdict.GONE, Verdict.GONE),
}


@pytest.mark.parametrize(("answer", "expected"), ANSWERS.items(), ids=str)
def test_an_answer_means_what_it_means_for_channels_and_for_people(
    answer: tuple[int, int], expected: tuple[Verdict, Verdict]
) -> None:
    error = refused(*answer)
    judged = [judge(error, direct=direct) for direct in (False, True)]
    assert tuple(one.verdict for one in judged) == expected
    assert all(one.uncertain == (answer[0] >= 500) for one in judged)


@pytest.mark.parametrize(
    ("error", "uncertain"),
    [
        (aiohttp.ServerDisconnectedError(), True),
        (aiohttp.ClientOSError(), True),
        (aiohttp.ClientPayloadError(), True),
        (TimeoutError(), True),
        (ConnectionResetError(), True),
        (KeyError("id"), True),
        (RuntimeError(), True),
        (discord.RateLimited(2.0), False),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_cut_the_connection_may_have_stored_the_message(error: Exception, uncertain: bool) -> None:
    judged = judge(error, direct=False)
    assert judged.verdict is Verdict.AGAIN
    assert judged.uncertain is uncertain
    assert not judge_unsent(error, direct=False).uncertain


@pytest.mark.parametrize("error", [ValueError("41 components"), TypeError()])
def test_a_message_that_cant_be_built_is_rendered_again(error: Exception) -> None:
    assert judge(error, direct=False).verdict is Verdict.RENDER_AGAIN


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (NoHistoryError(), Judgement(H, "uncertain", permissions=("read_message_history",))),
        (
            NotAllowedError("send_messages"),
            Judgement(H, "missing_permission", permissions=("send_messages",)),
        ),
        (EmptyHistoryError(), Judgement(A, "retrying", "empty history", wait=timedelta(seconds=30))),
        (
            UnsettledError(timedelta(seconds=9)),
            Judgement(A, "retrying", "not settled yet", wait=timedelta(seconds=9)),
        ),
        (ThreadGoneError(), Judgement(Verdict.GONE, "deleted")),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_stops_an_attempt_before_the_send(error: Exception, expected: Judgement) -> None:
    assert judge_unsent(error, direct=False) == expected


@pytest.mark.parametrize(
    ("given", "seconds"), [("2.5", 2.5), ("0", 0), ("-3", 0), ("1e9", 3000), ("soon", 5), (None, 5)]
)
def test_discords_wait_is_kept_within_reason(given: str | None, seconds: float) -> None:
    error = refused(429) if given is None else refused(429, Retry_After=given)
    assert judge(error, direct=False).wait == timedelta(seconds=seconds)


def test_opening_dms_too_fast_is_told_apart() -> None:
    assert too_fast(judge(refused(403, 40003), direct=True))
    assert not too_fast(judge(refused(429), direct=True))


def test_every_reason_has_a_text_in_every_language() -> None:
    catalogue = Catalogue.shipped()
    keys = {judge(refused(*answer), direct=direct).key for answer in ANSWERS for direct in (False, True)}
    keys |= {"uncertain", "missing_permission", "server_left", "removed", "held_too_long", "channel_gone"}
    for language in Language:
        for key in sorted(keys):
            assert catalogue.text(language, f"reason.{key}", permissions="x")
