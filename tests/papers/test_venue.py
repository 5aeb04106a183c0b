"""What comments and journal references say about ICLR."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from bot.papers.model import Presentation, Status, Track, Venue
from bot.papers.venue import read_venue

# comment | year | track | status | presentation; "-" is none, "?" is not looked at
CASES = """
Accepted to ICLR 2024 (Oral) | 2024 | main | accepted | oral
Rejected from ICLR 2026 | 2026 | main | rejected | -
Withdrawn from ICLR 2025 | 2025 | main | withdrawn | -
ICLR 2026 template | 2026 | main | unknown | -
Extended version of ICLR 2025 paper | 2025 | main | earlier-version | -
ICLR-2026 | 2026 | main | accepted | -
ICLR’26 | 2026 | main | accepted | -
ICLR ’26 | 2026 | main | accepted | -
ICLR'26 | 2026 | main | accepted | -
ICLR26 | 2026 | main | accepted | -
14th ICLR | 2026 | main | accepted | -
ICLR 26 | 2026 | main | accepted | -
International Conference on Learning Representations (2026) | 2026 | main | accepted | -
to appear in ICLR 2026. 12 pages | 2026 | main | accepted | -
ICLR 2026 Blogposts | 2026 | other | accepted | -
Tiny Papers @ ICLR 2024 | 2024 | other | accepted | -
ICLR 2026 Tiny Papers | 2026 | other | accepted | -
ICLR 2024 Tiny Papers Track | 2024 | other | accepted | -
Accepted at ICLR 2025 Blogpost Track | 2025 | other | accepted | -
ICLR Blog Post Track 2025 | 2025 | other | accepted | -
ICLR 2026 Blog Post | 2026 | other | accepted | -
ICLR Blogposts 2026 | 2026 | other | accepted | -
ICLR'26 (Workshop, Oral) | 2026 | workshop | accepted | oral
ICLR 2023 notable-top-5% | 2023 | main | accepted | oral
ICLR 2023 (notable top 25%) | 2023 | main | accepted | spotlight
Published at ICLR 2023 (notable-top-25%) | 2023 | main | accepted | spotlight
Accepted at NeurIPS 2025; rejected at ICLR 2025 | 2025 | main | rejected | -
Accepted at NeurIPS 2025, rejected from ICLR 2025 | 2025 | main | rejected | -
Rejected from ICLR 2025, accepted at NeurIPS 2025 | 2025 | main | rejected | -
Rejected by ICLR 2025 and accepted by ICML 2025 | 2025 | main | rejected | -
ICLR 2026 (desk rejected) | 2026 | main | rejected | -
Desk rejected from ICLR 2026 | 2026 | main | rejected | -
Spotlight at the ICLR 2025 Workshop on Foundation Models in the Wild | 2025 | workshop | accepted | spotlight
Proceedings of the International Conference on Learning Representations (ICLR), 2026 | 2026 | main | accepted | -
ICLR (2025) | 2025 | main | accepted | -
International Conference on Learning Representations, 2023, Kigali | 2023 | main | accepted | -
Accepted to ICLR 2026, code at https://github.com/x/y2025 | 2026 | main | accepted | -
Submitted to ICLR 2026 | 2026 | main | submitted | -
Under review at ICLR 2026 | 2026 | main | submitted | -
Rejected from ICLR | - | main | rejected | -
Accepted at ICLR 2026 Workshop on X | 2026 | workshop | accepted | -
Submitted to ICLR 2026 Workshop on X | 2026 | workshop | submitted | -
Submitted to ICLR 2026 and accepted | 2026 | main | accepted | -
Submitted to ICLR 2026, withdrawn | 2026 | main | withdrawn | -
Preprint. Under review. ICLR 2026 | 2026 | main | submitted | -
ICLR 2026. Under review. | 2026 | main | submitted | -
ICLR 2026 under review | 2026 | main | submitted | -
Preprint, under review as a conference paper at ICLR 2027 | 2027 | main | submitted | -
Accepted at ICLR 2026. Extended version under review at TPAMI | 2026 | main | accepted | -
ICLR 2026. A previous version was presented at NeurIPS 2025 workshop | 2026 | main | accepted | -
Accepted to ICLR 2026; an earlier version appeared at the ICML 2025 Workshop on X | 2026 | main | accepted | -
Accepted at ICML 2025 Workshop and ICLR 2026 | 2026 | main | accepted | -
ICLR 2026, NeurIPS 2025 Workshop | 2026 | main | accepted | -
NeurIPS 2025 workshop, ICLR 2026 | 2026 | main | accepted | -
ICML 2025 Workshop; ICLR 2026 (Oral) | 2026 | main | accepted | oral
ICLR 2026 Oral | 2026 | main | accepted | oral
Oral at ICLR 2026 | 2026 | main | accepted | oral
ICLR 2026 (Oral, top 1.2%) | 2026 | main | accepted | oral
Accepted by ICLR 2026. Oral presentation | 2026 | main | accepted | oral
Accepted by ICLR 2026. Selected as an oral. | 2026 | main | accepted | oral
ICLR 2025 Spotlight | 2025 | main | accepted | spotlight
Accepted as a Spotlight at ICLR 2025 | 2025 | main | accepted | spotlight
Accepted as a spotlight paper at ICLR 2024 | 2024 | main | accepted | spotlight
NeurIPS 2024 Spotlight; extended at ICLR 2025 Workshop | 2025 | workshop | accepted | -
Accepted at ICLR 2026 main conference | 2026 | main | accepted | -
ICLR 2026 Conference Track | 2026 | main | accepted | -
Accepted to ICLR 2026 (Main Track) | 2026 | main | accepted | -
ICLR 2026, Rio de Janeiro, Brazil | 2026 | main | accepted | -
ICLR 2026 Rio de Janeiro | 2026 | main | accepted | -
ICLR 2026 in Rio | 2026 | main | accepted | -
SCSL @ ICLR 2026 | 2026 | workshop | accepted | -
ICLR 2026 ML4RS | 2026 | workshop | accepted | -
ICLR 2026 (ML4RS) | 2026 | workshop | accepted | -
World Models @ ICLR 2026 | 2026 | workshop | accepted | -
Accepted @ ICLR 2026 | 2026 | main | accepted | -
Poster @ ICLR 2026 | 2026 | main | accepted | poster
Oral @ICLR'26 | 2026 | main | accepted | oral
Accepted paper @ ICLR 2026 | 2026 | main | accepted | -
ICLR 2026 Re-Align | 2026 | workshop | accepted | -
ICLR 2026 Re-Align Workshop | 2026 | workshop | accepted | -
Re-Align, ICLR 2026 | 2026 | workshop | accepted | -
Published at LMRL at ICLR 2025 | 2025 | workshop | accepted | -
ICLR 2025 DeLTa Workshop | 2025 | workshop | accepted | -
Published in Transactions on Machine Learning Research; presented at ICLR 2026 | 2026 | main | accepted | -
Fifteenth International Conference on Learning Representations | 2027 | main | accepted | -
The 12th International Conference on Learning Representations (ICLR 2024), Vienna, Austria | 2024 | main | accepted | -
In International Conference on Learning Representations | - | main | accepted | -
13 pages, ICLR2025 | 2025 | main | accepted | -
ICLR 12 pages | - | main | accepted | -
ICLR 26 pages | - | main | accepted | -
https://openreview.net/forum?id=abc ICLR 2026 | 2026 | main | accepted | -
arXiv:2026.12345, ICLR | - | main | accepted | -
Not accepted at ICLR 2026 | 2026 | main | rejected | -
Accepted at ICLR 2026 (poster), previously rejected from NeurIPS 2025 | 2026 | main | accepted | poster
rejected by NeurIPS 2025, accepted by ICLR 2026 | 2026 | main | accepted | -
Full version of the paper published at ICLR 2026 | 2026 | main | accepted | -
Camera-ready version of ICLR 2026 paper | 2026 | main | accepted | -
This is an extended version of our paper accepted at ICLR 2024 | 2024 | main | earlier-version | -
An extended version of this paper has been accepted at ICLR 2026 | 2026 | main | accepted | -
A short version of this paper was accepted to ICLR 2026 Workshop | 2026 | workshop | earlier-version | -
Journal extension of our ICLR 2025 work | 2025 | main | earlier-version | -
Preliminary version appeared at ICLR 2025 workshop | 2025 | workshop | earlier-version | -
Previously presented at the ICLR 2025 Workshop on X | 2025 | workshop | earlier-version | -
被 ICLR 2026 接收 | 2026 | main | accepted | -
ICLR 2026 投稿 | 2026 | main | submitted | -
ICLR 2026 口头报告 | 2026 | main | accepted | oral
ICLR 2026 研讨会 | 2026 | workshop | accepted | -
Accepted by ICLR2026. | 2026 | main | accepted | -
Accepted to the ICLR2026 conference | 2026 | main | accepted | -
(ICLR) 2026 | 2026 | main | accepted | -
2026 ICLR | 2026 | main | accepted | -
2025 International Conference on Learning Representations | 2025 | main | accepted | -
accepted by iclr2026 | 2026 | main | accepted | -
ICLR 2026 AI4Peace | 2026 | workshop | accepted | -
Accepted to ICLR 2026 TTU workshop (oral) | 2026 | workshop | accepted | oral
ICLR 2026 submission | 2026 | main | submitted | -
Submission to ICLR 2026 | 2026 | main | submitted | -
ICLR 2026 conference submission | 2026 | main | submitted | -
Formatted with the ICLR 2026 style file | 2026 | main | unknown | -
16 pages, ICLR format | - | main | unknown | -
Code for ICLR 2026 | 2026 | main | accepted | -
Accepted as ICLR 2026 poster. arXiv admin note: text overlap with arXiv:2401.00001 | 2026 | main | accepted | poster
ICLR 2026 Poster; 2025 dataset | 2026 | main | accepted | poster
Accepted at the 2nd Workshop on World Models, ICLR 2026 | 2026 | workshop | accepted | -
Accepted to ICLR 2025 (Workshop on Sparsity in LLMs) | 2025 | workshop | accepted | -
Best paper award at ICLR 2025 workshop BuildingTrust | 2025 | workshop | accepted | -
ICLR 2026 Outstanding Paper | 2026 | main | accepted | -
ICLR 2025 outstanding paper award, oral | 2025 | main | accepted | oral
Poster presented at ICLR 2026 | 2026 | main | accepted | poster
Presented at ICLR 2026 in the poster session | 2026 | main | accepted | poster
Under double-blind review at ICLR 2026 | 2026 | main | submitted | -
Paper under review for ICLR 2026 | 2026 | main | submitted | -
in submission to ICLR'26 | 2026 | main | submitted | -
Will be presented at ICLR 2026 | 2026 | main | accepted | -
To be presented at ICLR 2026 as an oral | 2026 | main | accepted | oral
Camera ready for ICLR 2026 | 2026 | main | accepted | -
ICLR 2026 camera-ready | 2026 | main | accepted | -
ICLR 2017 workshop track | 2017 | workshop | accepted | -
ICLR 2018 Workshop Track | 2018 | workshop | accepted | -
Accepted to ICLR 2013 | 2013 | main | accepted | -
ICLR 2016 workshop submission | 2016 | workshop | submitted | -
Under review as a workshop paper at ICLR 2026 | 2026 | workshop | submitted | -
Under review at the SPOT workshop, ICLR 2026 | 2026 | workshop | submitted | -
Accepted by ICLR 2026 and will be published in its proceedings | 2026 | main | accepted | -
ICLRs are fun | - | main | accepted | -
Extends our ICLR 2024 paper; accepted at TPAMI | 2024 | main | earlier-version | -
Conference version: ICLR 2024 | 2024 | main | ? | -
Accepted to TMLR 2025. Conference version at ICLR 2024 | 2024 | main | earlier-version | -
Accepted at ICLR 2026. 2nd version with minor fixes | 2026 | main | accepted | -
v2: ICLR 2026 camera ready. v1: workshop version at NeurIPS 2025 | 2026 | main | accepted | -
ICLRW 2026 | 2026 | workshop | accepted | -
ICLR-W 2025 | 2025 | workshop | accepted | -
ICLR WS 2025 | 2025 | workshop | accepted | -
Proc. of ICLR 2026 | 2026 | main | accepted | -
In Proc. Int. Conf. on Learning Representations, 2021 | 2021 | main | accepted | -
Intl. Conf. on Learning Representations 2020 | 2020 | main | accepted | -
To appear: ICLR 2026. Under submission: TPAMI | 2026 | main | accepted | -
Accepted at ICLR 2026 (Conditionally) | 2026 | main | accepted | -
ICLR 2026 paper. Workshop version at ICML 2025. | 2026 | main | accepted | -
ICLR 2026 Journal-to-Conference Track | 2026 | other | accepted | -
ICLR 2026 Tutorial | 2026 | other | accepted | -
Tutorial at ICLR 2025 | 2025 | other | accepted | -
Accepted by ICLR 2026 (score 8/8/6/6) | 2026 | main | accepted | -
ICLR 2026 reviewer feedback incorporated | 2026 | main | ? | -
ICLR 2026 DATA-FM | 2026 | workshop | accepted | -
ICLR 2026 @ Rio | 2026 | main | accepted | -
ICLR 2026 (CCF-A) | 2026 | main | accepted | -
ICLR 2026 Main | 2026 | main | accepted | -
ICLR 2026 LaTeX template used | 2026 | main | unknown | -
ACCEPTED AT ICLR 2026 POSTER SESSION | 2026 | main | accepted | poster
ICLR 2026 PAPER | 2026 | main | accepted | -
Accepted at ICLR 2026 GitHub: https://github.com/a/b | 2026 | main | accepted | -
ICLR 2026 HuggingFace: https://hf.co/x | 2026 | main | accepted | -
ICLR 2026 DOI:10.1234/x | 2026 | main | accepted | -
Submitted to ICML 2026 and ICLR 2026 workshop | 2026 | workshop | submitted | -
Accepted to AAAI 2026 and ICLR 2026 | 2026 | main | accepted | -
Work accepted to ICLR 2025 workshops: BuildingTrust, SCSL | 2025 | workshop | accepted | -
ICLR 2025 Workshop (Oral) and NeurIPS 2025 (Poster) | 2025 | workshop | accepted | oral
"""
ROWS = [line.rsplit(" | ", 4) for line in CASES.strip().splitlines()]


def facts(venue: Venue | None) -> list[str]:
    if venue is None:
        return ["none"]
    presentation = venue.presentation.value if venue.presentation else "-"
    return [str(venue.year or "-"), venue.track.value, venue.status.value, presentation]


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_comments(row: list[str]) -> None:
    comment, *expected = row
    found = facts(read_venue(comment, None))
    assert [fact if wanted != "?" else "?" for fact, wanted in zip(found, expected, strict=True)] == expected
    assert facts(read_venue(None, comment)) == found


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "10 pages, 4 figures",
        "IEEE ICRA",
        "Accepted at ICRA 2026",
        "MICLR 2026",
        "ICLRX 2026",
        "see https://iclr.cc/virtual/2026/poster/1",
        "https://openreview.net/group?id=ICLR.cc/2026/Conference",
        r"\\url{https://iclr.cc/2026}",
        "International Conference on Machine Learning 2026",
        "Workshop on Learning Representations",
        "Accepted at NeurIPS 2025 Workshop",
    ],
)
def test_what_names_no_iclr(text: str | None) -> None:
    assert read_venue(text, text) is None


@pytest.mark.parametrize(
    ("comment", "name"),
    [
        ("Accepted by ICLR 2025 Workshop on Sparsity in LLMs (SLLM)", "Workshop on Sparsity in LLMs (SLLM)"),
        ("ICLR HCAIR Workhop 2026 https://openreview.net/forum?id=x", "HCAIR"),
        ("malgai workshop at iclr 2026", "malgai"),
        ("Accepted at ICLR 2026 Workshop (HCAIR)", "HCAIR"),
        ("ReALM-GEN@ICLR2026", "ReALM-GEN"),
        ("Building Trust Workshop, ICLR 2025", "Building Trust Workshop"),
        (
            "Accepted at the ICLR 2026 Workshop on Multimodal Intelligence. Code: x",
            "Workshop on Multimodal Intelligence",
        ),
        (
            "Published at the 1st Workshop on GenAI Watermarking, collocated with ICLR 2025",
            "1st Workshop on GenAI Watermarking",
        ),
        (
            "Accepted at ICLR 2026 Agents in the Wild (AIWILD) Workshop. 5 pages",
            "Agents in the Wild (AIWILD) Workshop",
        ),
        ("ICLR 2026 Workshop ML4RS Main Track", "ML4RS"),
        ("5 pages, Published as a workshop paper in Lifelong Agents @ ICLR 2026", "Lifelong Agents"),
        ("Under review at the SPOT workshop, ICLR 2026", "SPOT"),
        ("ICLR 2018 Workshop Track", "ICLR Workshop"),
        ("Accepted at ICLR 2026", "ICLR"),
        ("ICLR 2026 Blogposts", "ICLR"),
    ],
)
def test_names(comment: str, name: str) -> None:
    venue = read_venue(comment, None)
    assert venue is not None
    assert venue.name == name


# --- comments and journal reference together ----------------------------------------------------------------


def test_comments_come_first() -> None:
    venue = read_venue(
        "ICLR 2026 Workshop on X", "International Conference on Learning Representations, 2025"
    )
    assert facts(venue) == ["2026", "workshop", "accepted", "-"]
    venue = read_venue("Under review at ICLR 2026", "ICLR 2026")
    assert facts(venue) == ["2026", "main", "submitted", "-"]


def test_the_journal_reference_speaks_when_the_comments_do_not() -> None:
    venue = read_venue("12 pages. Code: https://iclr.cc/2024", "Proceedings of ICLR, 2026")
    assert facts(venue) == ["2026", "main", "accepted", "-"]


def test_the_journal_reference_gives_a_missing_year() -> None:
    venue = read_venue(
        "ICLR conference, spotlight", "International Conference on Learning Representations, 2025"
    )
    assert facts(venue) == ["2025", "main", "accepted", "spotlight"]


def test_an_earlier_version_gives_way_to_the_published_one() -> None:
    earlier = "Previous version presented at the ICLR 2025 Workshop on X"
    assert facts(read_venue(earlier, "ICLR 2026")) == ["2026", "main", "accepted", "-"]
    assert facts(read_venue(earlier, "Nature 2026")) == ["2025", "workshop", "earlier-version", "-"]


# --- the real strings ---------------------------------------------------------------------------------------


@pytest.mark.shared
def test_real_comments_of_iclr(shared_data: Path) -> None:
    with (shared_data / "venue-comments.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert len(rows) == 150
    misses = {}
    for row in rows:
        expected = [row["year"] or "-", row["track"], row["status"], row["presentation"] or "-"]
        found = facts(read_venue(row["comment"], None))
        if found != expected:
            misses[row["comment"]] = (found, expected)
    assert misses == {}


@pytest.mark.shared
def test_real_comments_of_other_venues(shared_data: Path) -> None:
    lines = (shared_data / "other-comments.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1954
    assert [line for line in lines if read_venue(line, None)] == []


# --- hostile ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "ICLR " * 20_000,
        "ICLR 2026 " + "workshop " * 20_000,
        "(" * 50_000 + "ICLR 2026",
        "ICLR 2026 @ " * 5_000,
        "a" * 100_000 + " ICLR 2026",
        "ICLR 99999999999999999999",
        "-1st ICLR",
        "99th ICLR",
        "ICLR 2026 \ud83d\ude00 \u202e",
    ],
)
def test_hostile_comments_are_read_or_left(text: str) -> None:
    venue = read_venue(text, text)
    assert venue is None or venue.year is None or 2013 <= venue.year <= 2052


def test_presentations_and_tracks_are_those_of_the_model() -> None:
    venue = read_venue("ICLR'26 (Workshop, Oral)", None)
    assert venue == Venue("ICLR Workshop", 2026, Track.WORKSHOP, Presentation.ORAL, Status.ACCEPTED)
