"""Dates in the ways in which listings write them."""

from __future__ import annotations

from datetime import date

import pytest

from bot.papers.dates import parse_date


@pytest.mark.parametrize(
    "text",
    [
        "2026-07-05",
        "2026-7-5",
        "2026/07/05",
        "2026.7.5",
        "2026年7月5日",
        "2026 年 7 月 5 日",
        "２０２６-０７-０５",
        "20260705",
        "5 Jul 2026",
        "05 July 2026",
        "5-Jul-2026",
        "5th July, 2026",
        "Jul 5, 2026",
        "July 5th 2026",
        "Jul. 5, 2026",
        "Sun, 5 Jul 2026 17:59:59 GMT",
        "Sunday, July 5, 2026",
        "2026-07-05T23:59:59Z",
        "2026-07-05T00:00:00+08:00",
        "2026-07-05 08:00:00.123 UTC",
        "2026年7月5日 (星期日)",
        "Submitted on 5 Jul 2026",
        "5.7.2026",
        " 2026-07-05 ",
    ],
)
def test_readable_dates(text: str) -> None:
    assert parse_date(text) == date(2026, 7, 5)


def test_mixed_paddings_order_as_dates_not_as_text() -> None:
    texts = ["2026-6-30", "2026/07/15", "15 Jul 2026", "2026年7月15日"]
    days = [parse_date(text) for text in texts]
    assert days == [date(2026, 6, 30), date(2026, 7, 15), date(2026, 7, 15), date(2026, 7, 15)]


@pytest.mark.parametrize("text", ["13/7/2026", "7/13/2026"])
def test_slashes_with_one_reading(text: str) -> None:
    assert parse_date(text) == date(2026, 7, 13)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026",
        "2026-07",
        "03/04/2026",
        "2026-02-30",
        "2026-13-01",
        "31 Foo 2026",
        "yesterday",
        "2026-07-05 and more",
        "0001-01-01",
        "9999-12-31",
        "2601.22400",
        "x" * 10_000,
        "١٥-٠٧-٢٠٢٦x",
        "-1",
    ],
)
def test_what_is_no_date_or_has_two_readings(text: str) -> None:
    assert parse_date(text) is None
