"""Rows 87 to 112 of the field reports, sections G and H, as far as they speak of lookups."""

from __future__ import annotations

import pytest

from bot.search.index import Index
from bot.search.model import Query
from tests.search import papers as p
from tests.search.papers import ids


def test_row_87_part_of_a_chinese_title(index: Index) -> None:
    assert ids(index, "扩散模型") == [p.DIFFUSION_ZH]


def test_row_88_latin_glued_to_chinese(index: Index) -> None:
    assert ids(index, "LLM") == [p.LLM_ZH]


@pytest.mark.parametrize("text", ["扩散", "采样", "广西", "桂林", "散"])
def test_row_89_one_or_two_characters(index: Index, text: str) -> None:
    assert ids(index, text)[0] in (p.DIFFUSION_ZH, p.GUANGXI)


def test_row_89_an_operator_between_chinese_words_is_a_word(index: Index) -> None:
    assert ids(index, "广西 OR 桂林") == [p.GUANGXI]


@pytest.mark.parametrize(
    ("text", "paper"),
    [
        ("state-of-the-art", p.STATE_OF_THE_ART),
        ("state of the art", p.STATE_OF_THE_ART),
        ("doesn't", p.STATE_OF_THE_ART),
        ("doesnt fail", p.STATE_OF_THE_ART),
        ("what?", p.STATE_OF_THE_ART),
        ('"state of the art', p.STATE_OF_THE_ART),
        ("C++", p.CPLUSPLUS),
        ("NEAR(riddles gpt-4", p.GPT4),
        ("world AND models", p.WORLD),
        ("world* models*", p.WORLD),
    ],
)
def test_row_91_query_syntax_is_text(index: Index, text: str, paper: int) -> None:
    assert ids(index, text)[:1] == [paper]


@pytest.mark.parametrize(
    "text", ["foo:bar", '"', "*", "AND", "NEAR(", "GPT-4.5", "title:", "a OR", "^", "col:(x"]
)
def test_row_91_syntax_without_a_match_finds_nothing(index: Index, text: str) -> None:
    assert ids(index, text) == []


@pytest.mark.parametrize(
    "text", ["few shot tuning", "Few-Shot tuning", "few-shot-tuning", "phase 2", "Phase-2"]
)
def test_row_92_dashes_and_blanks_are_alike(index: Index, text: str) -> None:
    assert ids(index, text) == [p.FEW_SHOT]


@pytest.mark.parametrize("text", ["%", "_", "a_b", "%%"])
def test_row_93_wildcards_are_literal(index: Index, text: str) -> None:
    assert ids(index, text) == []


@pytest.mark.parametrize("text", ["müller", "MÜLLER", "Muller", "mueller", "Han Mueller", "MÜLLER, HAN"])
def test_row_93_and_112_case_and_accents_of_a_name(index: Index, text: str) -> None:
    hits = index.search(Query(text))
    assert [(hit.id, hit.matched) for hit in hits] == [(p.LOGQUANT, "author")]


@pytest.mark.parametrize("text", ["Lukasz", "Łukasz", "Kowalski Lukasz", "Roell", "Röell", "Roeell"])
def test_row_112_letters_that_decomposition_loses(index: Index, text: str) -> None:
    assert ids(index, text) == [p.LOGQUANT]


def test_row_96_a_short_acronym_is_no_part_of_a_word(index: Index) -> None:
    assert ids(index, "MIT") == [p.MIT]
    assert ids(index, "mit")[0] == p.MIT
    assert ids(index, "RL") == []
    assert ids(index, "ETH") == []
    assert ids(index, "NUS") == []
    assert p.ETHIOPIA not in ids(index, "eth")


def test_row_98_near_chinese_titles_are_ordered(index: Index) -> None:
    assert ids(index, "星球大战")[0] == p.STAR_WARS
    assert ids(index, "星际大战")[0] == p.STAR_NEAR


@pytest.mark.parametrize("text", ["+", "？", "   ?  ", "😀", "…", "()", "🏳️‍🌈", "\u200b", "$$", "\\"])
def test_row_99_text_without_content_finds_nothing(index: Index, text: str) -> None:
    assert ids(index, text) == []


def test_row_99_blank_text_shows_the_newest(index: Index) -> None:
    assert ids(index, "   ", limit=3) == [p.LOGQUANT, p.GRAPH_POSTER, p.GRAPH_ORAL]


@pytest.mark.parametrize(
    ("text", "paper"),
    [
        ("WORLD MODELS", p.WORLD),
        ("r²", p.R_SQUARED),
        ("R2 misleads", p.R_SQUARED),
        ("c++ programs", p.CPLUSPLUS),
    ],
)
def test_row_100_one_normal_form(index: Index, text: str, paper: int) -> None:
    assert ids(index, text)[:1] == [paper]


@pytest.mark.parametrize("text", ["naïve bayes", "nai\u0308ve bayes", "naive bayes"])
def test_row_101_combining_marks_are_no_punctuation(index: Index, text: str) -> None:
    assert ids(index, text) == [p.NAIVE]


@pytest.mark.parametrize(
    ("text", "paper"),
    [
        ("ｌａｔｅｎｔ　ｄｉｆｆｕｓｉｏｎ", p.DIFFUSION_ZH),
        ("大模型：综述（上）", p.SURVEY_ZH),
        ("大模型:综述(上)", p.SURVEY_ZH),
    ],
)
def test_row_102_full_width(index: Index, text: str, paper: int) -> None:
    assert ids(index, text) == [paper]


@pytest.mark.parametrize(
    ("text", "paper"), [("擴散模型", p.DIFFUSION_ZH), ("廣西", p.GUANGXI), ("機器人的世界", p.WORLD)]
)
def test_row_103_traditional_characters(index: Index, text: str, paper: int) -> None:
    assert ids(index, text) == [paper]


@pytest.mark.parametrize("text", ["Zhang San", "San Zhang", "zhang, san", "ZHANG San", "S. Zhang", "zhang s"])
def test_row_105_order_of_a_name(index: Index, text: str) -> None:
    assert ids(index, text) == [p.SAN_ZHANG]


@pytest.mark.parametrize("text", ["欧阳明", "欧阳 明", "歐陽明"])
def test_row_107_chinese_names(index: Index, text: str) -> None:
    assert ids(index, text) == [p.OUYANG]


def test_row_108_a_single_name(index: Index) -> None:
    assert [(hit.id, hit.matched) for hit in index.search(Query("Robin"))] == [(p.STATE_OF_THE_ART, "author")]
