"""The key of a name: one for all its spellings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.institutions.keys import fold, is_generic, join, key, words_of
from bot.text import normalise


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Univ. of St. Andrews", "The University of Saint Andrews"),
        ("University of Texas, Austin", "The University of Texas at Austin"),
        ("Texas A & M Univ.", "Texas A&M University"),
        ("UC San Diego", "University of California, San Diego"),
        ("IIT Bombay", "Indian Institute of Technology Bombay"),
        ("Baidu, Inc.", "Baidu"),
        ("Huawei Technologies Co., Ltd.", "Huawei Technology"),
        ("ＥＴＨ　Zürich", "ETH Zurich"),
        ("Shanghai Jiaotong University", "Shanghai Jiao Tong University"),
        ("臺灣大學", "台湾大学"),
        ("香港中文大学（深圳）", "香港中文大学 (深圳)"),
        ("m.i.t.", "MIT"),
        ("Xi’an Jiaotong University", "Xian Jiaotong University"),
        ("Artiﬁcial Intelligence Lab", "artificial intelligence laboratory"),
    ],
)
def test_spellings_of_one_name_have_one_key(one: str, other: str) -> None:
    assert key(one) == key(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Hunan", "Henan"),
        ("湖南大学", "河南大学"),
        ("York University", "New York University"),
        ("MIT", "Summit"),
    ],
)
def test_names_of_two_houses_have_two_keys(one: str, other: str) -> None:
    assert key(one) != key(other)


@given(st.text(max_size=80))
def test_a_key_is_a_fixed_point(text: str) -> None:
    once = key(text)
    assert key(once) == once


@given(st.text(alphabet="abcXYZ -", max_size=40))
def test_the_short_way_for_plain_letters_gives_the_normal_form(text: str) -> None:
    assert words_of(text) == normalise(text).split()


def test_legal_forms_never_eat_the_whole_name() -> None:
    assert key("Co., Ltd.") != ""
    assert fold(["inc"]) == ["inc"]


def test_joining_segments_reads_them_as_one_name() -> None:
    assert join(["iit", "bombay"]) == key("IIT Bombay")
    assert join(["香港中文大学", "深圳"]) == key("香港中文大学（深圳）")


def test_general_words_alone_name_nothing() -> None:
    assert is_generic(key("University of Technology"))
    assert is_generic(key("Ministry of Education"))
    assert not is_generic(key("Graz University of Technology"))
