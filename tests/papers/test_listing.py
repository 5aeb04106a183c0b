"""The real listing, field by field as its text reads, and the other shapes of the same site."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from bot.papers.files import read_listing, read_sidecar
from bot.papers.listing import Parsed, parse_listing
from bot.papers.model import Affiliation, Link, Presentation, Record, Status, Track, Venue
from tests.papers.conftest import SAMPLE


@pytest.fixture(scope="module")
def parsed(shared_data: Path) -> Parsed:
    return read_listing(shared_data / "listing-iclr.txt")


@pytest.fixture(scope="module")
def by_word(parsed: Parsed) -> dict[str, Record]:
    return {record.title_en.split(":")[0].split(" ")[0]: record for record in parsed.records}


pytestmark = pytest.mark.shared


def test_the_listing_has_thirty_papers_and_nothing_left_over(parsed: Parsed) -> None:
    assert len(parsed.records) == 30
    assert parsed.rejected == ()
    assert parsed.warnings == ()


def test_the_listing_has_163_authors_85_institutions_and_7_links(parsed: Parsed) -> None:
    assert sum(len(record.authors) for record in parsed.records) == 163
    assert sum(len(record.institutions) for record in parsed.records) == 85
    assert sum(len(record.links) for record in parsed.records) == 7


def test_every_paper_has_both_titles_and_a_chinese_summary(parsed: Parsed) -> None:
    assert all(record.title_zh and record.summary_zh for record in parsed.records)
    assert all(record.summary_zh and record.summary_zh.endswith("。") for record in parsed.records)
    assert all(record.summary_en is None and record.abstract_en is None for record in parsed.records)


def test_every_line_of_the_file_stands_in_a_field(parsed: Parsed, shared_data: Path) -> None:
    text = (shared_data / "listing-iclr.txt").read_text(encoding="utf-8")
    told: list[str] = ["ICLR"]
    for record in parsed.records:
        told += [record.title_en, record.title_zh or "", ", ".join(record.authors)]
        if record.institutions:
            names = [f"{i.name_en}（{i.name_zh}）" if i.name_zh else i.name_en for i in record.institutions]
            told.append(f"机构 * {' ； '.join(names)} 纠错")
        told.append(f"AI总结 {record.summary_zh}")
        told += [f"Comments {record.comments}"] if record.comments else []
        told += [f"Journal ref {record.journal_ref}"] if record.journal_ref else []
    assert told == [line for line in text.split("\n") if line.strip()]


def test_venues_of_the_listing(parsed: Parsed) -> None:
    venues = [record.venue for record in parsed.records if record.venue]
    assert len(venues) == 30
    counts = Counter((venue.track, venue.year) for venue in venues)
    assert counts == {
        (Track.MAIN, 2026): 25,
        (Track.MAIN, 2025): 1,
        (Track.WORKSHOP, 2026): 2,
        (Track.WORKSHOP, 2025): 2,
    }
    presentations = Counter(venue.presentation for venue in venues if venue.presentation)
    assert presentations == {Presentation.ORAL: 1, Presentation.POSTER: 1}
    statuses = Counter(venue.status for venue in venues)
    assert statuses == {Status.ACCEPTED: 29, Status.EARLIER_VERSION: 1}


@pytest.mark.parametrize(
    ("word", "venue"),
    [
        ("Quotient-Space", Venue("ICLR", 2026, Track.MAIN, Presentation.ORAL, Status.ACCEPTED)),
        ("MultiMat", Venue("ICLR", 2026, Track.MAIN, Presentation.POSTER, Status.ACCEPTED)),
        ("Deep", Venue("ICLR", 2025, Track.MAIN, None, Status.ACCEPTED)),
        ("Distributions", Venue("ICLR", 2026, Track.MAIN, None, Status.ACCEPTED)),
        ("AVEX", Venue("ICLR", 2026, Track.MAIN, None, Status.ACCEPTED)),
        (
            "LogQuant",
            Venue("Workshop on Sparsity in LLMs (SLLM)", 2025, Track.WORKSHOP, None, Status.ACCEPTED),
        ),
        ("Evidence", Venue("HCAIR", 2026, Track.WORKSHOP, None, Status.ACCEPTED)),
        ("Cattle", Venue("malgai", 2026, Track.WORKSHOP, None, Status.ACCEPTED)),
        (
            "Extrapolation",
            Venue(
                "Workshop on Learning Meaningful Representations of Life",
                2025,
                Track.WORKSHOP,
                None,
                Status.EARLIER_VERSION,
            ),
        ),
    ],
)
def test_venue_of_one_paper(by_word: dict[str, Record], word: str, venue: Venue) -> None:
    assert by_word[word].venue == venue


def test_first_paper_as_printed(parsed: Parsed) -> None:
    assert parsed.records[0] == Record(
        title_en="Can LLMs Refuse Questions They Do Not Know? Measuring Knowledge-Aware Refusal in Factual Tasks",
        title_zh="大语言模型能否拒绝它们不知道的问题？在事实性任务中测量知识感知的拒绝",
        authors=(
            "Wenbo Pan",
            "Jie Xu",
            "Qiguang Chen",
            "Junhao Dong",
            "Libo Qin",
            "Xinfeng Li",
            "Haining Yu",
            "Xiaohua Jia",
        ),
        institutions=(
            Affiliation(
                "Department of Computer Science, City University of Hong Kong", "香港城市大学计算机科学系"
            ),
            Affiliation("Harbin Institute of Technology", "哈尔滨工业大学"),
            Affiliation(
                "College of Computing and Data Science, Nanyang Technological University",
                "南洋理工大学计算机与数据科学学院",
            ),
            Affiliation(
                "School of Computer Science and Engineering, Central South University",
                "中南大学计算机科学与工程学院",
            ),
        ),
        summary_zh=parsed.records[0].summary_zh,
        comments="Accepted at ICLR 2026",
        venue=Venue("ICLR", 2026, Track.MAIN, None, Status.ACCEPTED),
    )
    assert parsed.records[0].line == 3
    assert parsed.records[0].summary_zh is not None
    assert parsed.records[0].summary_zh.startswith("本文提出Refusal Index（RI）作为衡量")


def test_nested_brackets_stay_whole(by_word: dict[str, Record]) -> None:
    assert by_word["Distributions"].institutions == (
        Affiliation("Department of Computing Science University of Alberta", "计算科学系阿尔伯塔大学"),
        Affiliation("Alberta Machine Intelligence Institute (Amii)", "阿尔伯塔机器智能研究所（Amii）"),
        Affiliation("CIFAR AI Chair, Amii", "CIFAR人工智能主席，Amii"),
    )
    assert by_word["ActiveDPO"].institutions[2] == Affiliation(
        "The Chinese University of Hong Kong, Shenzhen, China", "香港中文大学（深圳）"
    )
    assert by_word["Evidence"].institutions == (
        Affiliation(
            "BASIRA Lab, Imperial-X (I-X) and Department of Computing",
            "BASIRA实验室、Imperial-X（I-X）和计算系",
        ),
        Affiliation("Imperial College London, London, United Kingdom", "伦敦帝国学院，伦敦，英国"),
    )


def test_institutions_without_chinese_name_and_papers_without_institutions(
    by_word: dict[str, Record],
) -> None:
    assert by_word["RLBFF"].institutions == (Affiliation("NVIDIA"),)
    assert by_word["LogQuant"].institutions == (Affiliation("Paradigm", "4Paradigm"),)
    assert by_word["Cattle"].institutions == ()
    assert by_word["Cattle"].authors == ("Robert Müller", "Clemens Müller")


def test_links_end_where_the_address_ends(parsed: Parsed) -> None:
    assert [link for record in parsed.records for link in record.links] == [
        Link("openreview", "https://openreview.net/forum?id=chH4gO2tZT"),
        Link("code", "https://github.com/qianmingduowan/Sat3DGen"),
        Link("demo", "https://huggingface.co/spaces/qian43/Sat3DGen"),
        Link("project", "https://qianmingduowan.github.io/Sat3DGen_project_page/"),
        Link("code", "https://github.com/PlusLabNLP/SPHERE"),
        Link("project", "https://www.qingyuanliu.net/sphere_projectpage/"),
        Link("code", "https://www.github.com/aidos-lab/LEAP"),
    ]


def test_titles_keep_their_latex(by_word: dict[str, Record]) -> None:
    assert (
        by_word["Peng's"].title_en
        == "Peng's Q($λ$) for Conservative Value Estimation in Offline Reinforcement Learning"
    )
    assert (
        by_word["AMiD"].title_en
        == "AMiD: Knowledge Distillation for LLMs with $α$-mixture Assistant Distribution"
    )
    assert by_word["Decomposing"].title_zh == "将表示空间分解为可解释的子空间 with 无监督学习"


def test_journal_reference_stands_behind_the_comments(by_word: dict[str, Record]) -> None:
    achieving = by_word["Achieving"]
    assert achieving.comments == "33 pages, 2 figures. Published at ICLR 2026"
    assert achieving.journal_ref == "International Conference on Learning Representations (ICLR) 2026"
    kolmogorov = by_word["Deep"]
    assert kolmogorov.comments is None
    assert kolmogorov.journal_ref is not None
    assert kolmogorov.journal_ref.endswith("Learning Representations (ICLR 2025)")


# --- other shapes -------------------------------------------------------------------------------------------


def test_shape_without_chinese_title_and_with_blank_separated_institutions(shared_data: Path) -> None:
    parsed = read_listing(shared_data / "listing-shapes" / "arxivdaily-2026-05-11-p26.txt")
    first, second = parsed.records
    assert (parsed.rejected, parsed.warnings) == ((), ())
    assert first.title_en == "Spectral Filtering for Complex Linear Dynamical Systems"
    assert first.title_zh is None
    assert first.authors == ("Elad Hazan", "Annie Marsden")
    assert first.institutions == (
        Affiliation("Princeton University", "普林斯顿大学"),
        Affiliation("Google", "谷歌"),
        Affiliation("DeepMind", "深度Mind"),
    )
    assert (first.arxiv_id, first.date) == ("2601.22400", date(2026, 5, 11))
    assert first.categories == ("quant-ph", "cs.AI")
    assert first.abstract_en is not None
    assert first.abstract_en.startswith("We study the problem of learning complex-valued linear")
    assert first.abstract_en.endswith("a sector of the unit disk.")
    assert first.venue is None
    assert second.arxiv_id == "2601.21951"
    assert second.categories == ("stat.ML", "cs.LG", "stat.CO")
    assert second.institutions == (
        Affiliation("Department of Mathematics, Imperial College London, UK", "伦敦帝国学院数学系,英国"),
    )


def test_shape_with_a_chinese_abstract(shared_data: Path) -> None:
    (record,) = read_listing(shared_data / "listing-shapes" / "arxivdaily-2026-05-20-p22.txt").records
    assert record.title_zh == "不要让多臂老虎机反馈将连续LLM推荐系统更新偏离目标"
    assert record.institutions == (
        Affiliation("SK Telecom", "SK电信"),
        Affiliation("KAIST", "韩国科学技术院"),
    )
    assert (record.arxiv_id, record.date, record.categories) == (
        "2605.18899",
        date(2026, 5, 20),
        ("cs.LG", "cs.AI"),
    )
    assert record.abstract_zh is not None
    assert record.abstract_zh.startswith("基于生成式大语言模型的推荐系统(LLM-Rec)")
    assert record.abstract_en is None


def test_shape_with_comments_on_the_next_line_and_both_abstracts(shared_data: Path) -> None:
    (record,) = read_listing(shared_data / "listing-shapes" / "arxivdaily-2026-06-04-p2.txt").records
    assert record.comments == "24 pages, 24 tables, 01 figure"
    assert record.institutions == ()
    assert (record.arxiv_id, record.date) == ("2606.05085", date(2026, 6, 4))
    assert record.abstract_zh is not None
    assert record.abstract_en is not None
    assert record.abstract_en.startswith("The title of a research paper conveys")


# --- the sample that ships ----------------------------------------------------------------------------------


def test_the_sample_states_the_same_facts_in_other_words(parsed: Parsed) -> None:
    text = (SAMPLE / "listing.txt").read_text(encoding="utf-8")
    sample = parse_listing(text, name="listing.txt").records
    assert [replace(record, summary_zh=None) for record in sample] == [
        replace(record, summary_zh=None) for record in parsed.records
    ]
    ours = {record.summary_zh for record in sample}
    assert len(ours) == 30
    assert ours.isdisjoint({record.summary_zh for record in parsed.records})


def test_the_sample_sidecar_names_every_paper_of_the_sample(parsed: Parsed) -> None:
    entries = read_sidecar(SAMPLE / "listing.en.json")
    assert [entry.title_en for entry in entries] == [record.title_en for record in parsed.records]
    assert all(entry.summary_en for entry in entries)
