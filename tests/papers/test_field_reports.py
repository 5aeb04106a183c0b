"""Rows 21, 62 to 67 and 126 to 129 of the field reports: dates, entities, TeX, encodings, venues; a test a row."""

from __future__ import annotations

from datetime import date

import pytest

from bot.papers.dates import parse_date
from bot.papers.files import parse_bytes
from bot.papers.model import Record, Status, Track
from bot.papers.readable import readable
from bot.papers.venue import read_venue


def _one(title: str = "A Title", authors: str = "Ann One, Bob Two", encoding: str = "utf-8") -> Record:
    text = f"{title}\n\n一个标题\n\n{authors}\n\nAI总结 这是一段摘要。\n\nComments Accepted at ICLR 2026\n"
    parsed = parse_bytes(text.encode(encoding), name="a.txt")
    assert len(parsed.records) == 1, parsed
    return parsed.records[0]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-6-30", date(2026, 6, 30)),
        ("2026/07/15", date(2026, 7, 15)),
        ("15 Jul 2026", date(2026, 7, 15)),
        ("2026年7月15日", date(2026, 7, 15)),
    ],
)
def test_21_dates_of_every_shape_are_dates(text: str, day: date) -> None:
    assert parse_date(text) == day


def test_62_entities_are_decoded_once() -> None:
    record = _one("Q&amp;A for L&eacute;vy &lt;mask&gt; and &amp;lt;", "L&eacute;on One, Bob Two")
    assert record.title_en == "Q&A for Lévy <mask> and &lt;"
    assert record.authors[0] == "Léon One"


@pytest.mark.parametrize(
    ("tex", "shown"),
    [(r"L\'evy", "Lévy"), (r"M{\"u}ller", "Müller"), (r"\L{}ukasz", "Łukasz"), (r"Erd\H{o}s", "Erdős")],
)
def test_64_tex_accents_are_shown_as_letters(tex: str, shown: str) -> None:
    assert readable(tex) == shown


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        (r"$\alpha$-Divergence", "α-Divergence"),
        (r"\textit{In-Context} Learning", "In-Context Learning"),
        (r"Sorting in $O(n^2)$", "Sorting in O(n²)"),
    ],
)
def test_65_maths_is_plain_text(tex: str, shown: str) -> None:
    assert readable(tex) == shown


def test_66_stray_commands_are_no_part_of_what_is_shown() -> None:
    shown = readable(r"\method: Learning Things\thanks{We thank X.}")
    assert "\\" not in shown
    assert "Learning Things" in shown
    assert "thank" not in shown


def test_67_a_listing_in_gbk_or_with_a_bom_is_read_right() -> None:
    assert _one(encoding="gbk").title_zh == "一个标题"
    assert _one(encoding="utf-8-sig").title_en == "A Title"
    mojibake = "Müller".encode().decode("latin-1")
    parsed = parse_bytes(
        f"A Title\n\n{mojibake} One, Bob Two\n\nAI总结 摘要。\n\nComments ICLR 2026\n".encode(), name="a.txt"
    )
    assert any("3" in warning for warning in parsed.warnings), parsed.warnings


@pytest.mark.parametrize(
    "comment",
    ["Submitted to ICLR 2026", "Under review at ICLR 2026", "Rejected from ICLR", "ICLR 2026 template"],
)
def test_126_a_claim_in_review_is_no_acceptance(comment: str) -> None:
    venue = read_venue(comment, None)
    assert venue is None or venue.status is not Status.ACCEPTED


@pytest.mark.parametrize(
    ("comment", "track"),
    [
        ("Accepted at ICLR 2026 Workshop on X", Track.WORKSHOP),
        ("ICLR'26 (Workshop, Oral)", Track.WORKSHOP),
        ("ICLR 2026 Blogposts", Track.OTHER),
        ("ICLR 2026 Tiny Papers", Track.OTHER),
        ("Accepted at ICLR 2026", Track.MAIN),
    ],
)
def test_127_workshops_and_the_conference_are_kept_apart(comment: str, track: Track) -> None:
    venue = read_venue(comment, None)
    assert venue is not None
    assert venue.track is track


@pytest.mark.parametrize(
    "comment",
    [
        "ICLR'26",
        "ICLR’26",
        "ICLR ’26",
        "ICLR26",
        "ICLR-2026",
        "14th ICLR",
        "International Conference on Learning Representations (2026)",
        "to appear in ICLR 2026. 12 pages",
    ],
)
def test_129_the_year_is_read_however_it_is_written(comment: str) -> None:
    venue = read_venue(comment, None)
    assert venue is not None
    assert (venue.year, venue.track) == (2026, Track.MAIN)


def test_129_an_extended_version_of_last_years_paper_is_not_this_years() -> None:
    venue = read_venue("Extended version of ICLR 2025 paper", None)
    assert venue is None or venue.year == 2025
