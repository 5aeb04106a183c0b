"""Filters: what a digest holds, in what order, and what is passed over for good."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from bot.digest.selection import select
from bot.papers.model import Language, Origin, Paper, Presentation, Status, Summary, Track, Venue
from tests.storage.fixtures import digest_settings


def paper(
    number: int,
    title: str = "A Study",
    track: Track | None = Track.MAIN,
    presentation: Presentation | None = None,
    **more: Any,  # noqa: ANN401 - the fields of `Paper`
) -> Paper:
    """A stored paper."""
    venues = () if track is None else (Venue("ICLR", 2026, track, presentation, Status.ACCEPTED),)
    fields: dict[str, Any] = {
        "title_zh": None, "authors": (), "affiliations": (), "summaries": (), "abstract_en": None,
        "abstract_zh": None, "comments": None, "journal_ref": None, "arxiv_id": None, "date": None,
        "categories": (), "links": (), "added_at": datetime(2026, 5, 4, tzinfo=UTC),
    }  # fmt: skip
    return Paper(id=number, title_en=title, venues=venues, **(fields | more))


def split(papers: list[Paper], **settings: Any) -> tuple[list[int], list[int]]:  # noqa: ANN401 - the fields of `DigestSettings`
    """Ids of what is wanted and of what is passed over."""
    selection = select(papers, digest_settings(**settings))
    return [one.id for one in selection.wanted], [one.id for one in selection.passed]


def test_main_papers_stand_before_workshops_and_orals_first() -> None:
    papers = [
        paper(1, track=Track.WORKSHOP, presentation=Presentation.ORAL),
        paper(2),
        paper(3, presentation=Presentation.SPOTLIGHT),
        paper(4, track=None),
        paper(5, presentation=Presentation.ORAL),
        paper(6, presentation=Presentation.POSTER),
        paper(7, track=Track.OTHER),
    ]
    assert split(papers) == ([5, 3, 2, 6, 1, 7, 4], [])


@pytest.mark.parametrize(("tracks", "wanted"), [("all", [1, 2, 3]), ("main", [1]), ("workshop", [2])])
def test_tracks(tracks: str, wanted: list[int]) -> None:
    papers = [paper(1), paper(2, track=Track.WORKSHOP), paper(3, track=Track.OTHER)]
    assert split(papers, tracks=tracks)[0] == wanted


@pytest.mark.parametrize(
    ("include", "exclude", "wanted"),
    [
        (("diffusion",), (), [1, 3]),
        (("Diffusion Models",), (), [1]),
        (("扩散",), (), [2]),
        ((), ("diffusion",), [2, 4]),
        (("diffusion", "RL"), ("video",), [1, 4]),
        (("DIFFUSION",), ("扩散",), [1, 3]),
        (("diff",), (), []),
        (("!",), (), []),
        ((), ("!",), [1, 2, 3, 4]),
    ],
)
def test_words_over_titles_and_summaries(
    include: tuple[str, ...], exclude: tuple[str, ...], wanted: list[int]
) -> None:
    papers = [
        paper(1, "Better Diffusion Models"),
        paper(2, "Steps", title_zh="潜在扩散模型的加速采样"),
        paper(
            3, "Video", summaries=(Summary(Language.EN, "We speed up diffusion of videos.", Origin.LISTING),)
        ),
        paper(4, "World Models and RL"),
    ]
    assert split(papers, include=include, exclude=exclude)[0] == wanted


def test_every_candidate_is_either_wanted_or_passed_over() -> None:
    papers = [paper(number, "odd" if number % 2 else "even") for number in range(1, 9)]
    assert split(papers, include=("odd",)) == ([1, 3, 5, 7], [2, 4, 6, 8])
