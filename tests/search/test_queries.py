"""Every kind of query of the search issue, on the made-up collection."""

from __future__ import annotations

import pytest

from bot.search.index import Index
from bot.search.model import Document, Query
from tests.search import papers as p
from tests.search.papers import PAPERS, ids


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.title_en[:20])
def test_exact_any_case_without_punctuation(index: Index, paper: Document) -> None:
    for text in (paper.title_en, paper.title_en.upper(), paper.title_en.lower()):
        assert ids(index, text)[0] == paper.id
    bare = "".join(
        char if char.isalnum() or char in "+²" else " " for char in paper.title_en.replace("'", "")
    )
    if "\\" not in paper.title_en and "\u0308" not in paper.title_en:
        assert ids(index, bare)[0] == paper.id


@pytest.mark.parametrize("paper", [q for q in PAPERS if q.title_zh], ids=lambda paper: paper.title_zh or "")
def test_chinese_title(index: Index, paper: Document) -> None:
    assert ids(index, paper.title_zh or "")[0] == paper.id


@pytest.mark.parametrize(
    ("text", "paper"),
    [
        ("log", p.LOGQUANT),
        ("LogQ", p.LOGQUANT),
        ("LogQuant: Log-Dis", p.LOGQUANT),
        ("adadif", p.ADA),
        ("Jailbreaking GPT-4", p.GPT4),
        ("jailbreaking gpt-3 w", p.GPT3),
        ("adadifu", p.ADA),  # prefix with a slip
        ("lgoquant", p.LOGQUANT),
        ("logqaunt", p.LOGQUANT),
        ("ogquant", p.LOGQUANT),
        ("adadifuser", p.ADA),
        ("claiming loss lanscapes", p.SUMMIT),
        ("chaching for lnog contexts", p.SAN_ZHANG),
        ("Foldign Protiens wtih Patince", p.MIT),
        ("patience with proteins folding", p.MIT),  # reordered
        ("contexts caching long", p.SAN_ZHANG),
        ("log quant", p.LOGQUANT),  # split
        ("Ada Diffuser", p.ADA),
        ("world models forrobots", p.WORLD),  # joined
        ("losslandscapes", p.SUMMIT),
        ("loss land scapes", p.SUMMIT),
        ("Q(λ)", p.QLAMBDA),
        ("q lambda", p.QLAMBDA),
        (r"Q($\lambda$) without traces", p.QLAMBDA),
        ("alpha mixture", p.ALPHA),
        ("α-mixture", p.ALPHA),
        (r"\alpha mixture", p.ALPHA),
        ("加速采样", p.DIFFUSION_ZH),
        ("潜在扩撒模型的加速", p.DIFFUSION_ZH),  # a wrong character
        ("LogQuant 量化", p.LOGQUANT),
        ("LLM 推理", p.LLM_ZH),
        ("latent 扩散", p.DIFFUSION_ZH),
        ("qianzaikuosanmoxing", p.DIFFUSION_ZH),
        ("kuo san mo xing", p.DIFFUSION_ZH),
        ("qzksmx", p.DIFFUSION_ZH),
        ("Wei Wang", p.WORLD),
        ("wang wei", p.WORLD),
        ("Wang, Wei", p.WORLD),
        ("W. Wang robots", p.WORLD),
        ("Yuxiong Wang", p.SAN_ZHANG),
        ("Yu Xiong Wang", p.SAN_ZHANG),
        ("Lukasz Kowalsky", p.LOGQUANT),
        ("Kowalski quantization", p.LOGQUANT),
        ("MIT proteins", p.MIT),
        ("麻省理工学院 folding", p.MIT),
        ("Massachusetts Institute of Technology", p.MIT),
        ("iclr 2026 oral graph", p.GRAPH_ORAL),
        ("graph transformers 2025", p.GRAPH_POSTER),
        ("poster graph transformers", p.GRAPH_POSTER),
        ("ICLR'26 workshop proteins", p.MIT),
        ("“loss landscapes” 🚀", p.SUMMIT),
    ],
)
def test_kind(index: Index, text: str, paper: int) -> None:
    assert ids(index, text)[:1] == [paper]


@pytest.mark.parametrize(
    "text",
    [
        "2601.01234",
        "2601.01234v3",
        "arXiv:2601.01234",
        "https://arxiv.org/abs/2601.01234v2",
        "https://arxiv.org/pdf/2601.01234.pdf",
        "https://openreview.net/forum?id=AbC_dEf-12",
        "https://openreview.net/pdf?id=AbC_dEf-12&noteId=x",
        "AbC_dEf-12",
        "see https://arxiv.org/abs/2601.01234 please",
    ],
)
def test_ids_and_links(index: Index, text: str) -> None:
    hits = index.search(Query(text))
    assert [hit.id for hit in hits] == [p.LOGQUANT]
    assert hits[0].matched in ("arxiv", "openreview")
    assert hits[0].confidence == "found"


@pytest.mark.parametrize(
    "text", ["2601.09999", "https://arxiv.org/abs/1901.00001", "https://openreview.net/forum?id=zzz"]
)
def test_an_unknown_id_is_no_text(index: Index, text: str) -> None:
    assert ids(index, text) == []


@pytest.mark.parametrize(
    ("text", "matched"),
    [
        ("world models", "title"),
        ("世界模型", "title"),
        ("Wei Wang", "author"),
        ("Massachusetts Institute of Technology", "institution"),
        ("iclr 2026 oral", "filter"),
    ],
)
def test_the_matched_field_is_named(index: Index, text: str, matched: str) -> None:
    assert index.search(Query(text))[0].matched == matched


def test_the_shared_words_are_named(index: Index) -> None:
    assert index.search(Query("wrld models"))[0].terms == ("world", "models")
    assert index.search(Query("Müller logquant"))[0].terms == ("muller", "logquant")


def test_words_of_edition_and_track_alone_choose(index: Index) -> None:
    assert ids(index, "iclr 2026 oral") == [p.GRAPH_ORAL]
    assert ids(index, "2026 workshop") == [p.MIT]
    assert ids(index, "ICLR", limit=2) == [p.LOGQUANT, p.GRAPH_POSTER]


def test_words_of_edition_and_track_may_be_words_of_a_title() -> None:
    index = Index.build(
        [
            Document(1, "Oral Cancer Screening from Photographs", year=2020, presentation="poster", newest=1),
            Document(2, "The Main Bottleneck of Workshop Scheduling", year=2021, track="main", newest=2),
            Document(3, "Results of the 2019 Segmentation Challenge", year=2024, newest=3),
            Document(4, "Cancer Screening by Ear", year=2020, presentation="oral", newest=4),
        ]
    )
    assert ids(index, "oral cancer screening from photographs")[0] == 1
    assert ids(index, "the main bottleneck")[0] == 2
    assert ids(index, "2019 segmentation challenge")[0] == 3
    assert ids(index, "oral cancer screening")[0] in (1, 4)
    assert ids(index, "main track bottleneck") == [2]


def test_numbers_that_differ_cost_a_lot(index: Index) -> None:
    assert ids(index, "Jailbreaking GPT-4 with Riddles")[0] == p.GPT4
    assert ids(index, "gpt-3 riddles")[0] == p.GPT3
    assert ids(index, "Jailbreaking GPT-5 with Riddles") == []


def test_scores_fall_and_stay_in_range(index: Index) -> None:
    scores = [hit.score for hit in index.search(Query("graph transformers"), 5)]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 100 for score in scores)


def test_suggestions_for_nothing_typed_are_the_newest(index: Index) -> None:
    assert [hit.id for hit in index.suggest("", 2)] == [p.LOGQUANT, p.GRAPH_POSTER]


def test_suggestions_grow_with_the_word(index: Index) -> None:
    for end in range(3, len("AdaDiffuser") + 1):
        assert index.suggest("AdaDiffuser"[:end])[0].id == p.ADA


def test_a_number_may_be_joined_to_its_name() -> None:
    index = Index.build([Document(1, "CoAct-1: Agents That Code"), Document(2, "CoAct-3: Agents That Talk")])
    assert ids(index, "CoAct1")[0] == 1
    assert ids(index, "coact3")[0] == 2
    assert ids(index, "coact2") == []


def test_a_stated_year_comes_before_a_title_that_begins_alike() -> None:
    index = Index.build(
        [
            Document(1, "Iterative Learning for Crowds", year=2021, presentation="poster", newest=1),
            Document(
                2, "Online Iterative Reinforcement Learning", year=2024, presentation="poster", newest=2
            ),
        ]
    )
    assert ids(index, "iterative learning iclr 2024 poster")[0] == 2
    assert ids(index, "iterative learning")[0] == 1


def test_two_slips_among_the_first_letters_of_a_long_word() -> None:
    index = Index.build(
        [
            Document(1, "On Verifiable Rewards", newest=1),
            Document(2, "Positional Encodings for Graphs", newest=2),
        ]
    )
    assert ids(index, "and verfable")[:1] == [1]
    assert ids(index, "ncdings for")[:1] == [2]


def test_a_whole_chinese_title_comes_before_those_that_contain_it() -> None:
    index = Index.build(
        [
            Document(1, "Realign", "重新对齐", newest=1),
            Document(2, "Realign Again", "重新对齐语言模型", newest=2),
        ]
    )
    assert ids(index, "重新对齐")[0] == 1


def test_a_surname_and_a_word_of_the_title_in_either_order() -> None:
    index = Index.build(
        [
            Document(1, "Probabilistic Logic for Graphs", None, ("Ming Wei",), newest=1),
            Document(2, "Weighted Clock Logic", None, ("Ana Lopes",), newest=2),
        ]
    )
    assert ids(index, "logic Wei")[0] == 1
    assert ids(index, "Wei logic")[0] == 1
