"""Institutions as listings print them."""

from __future__ import annotations

import pytest

from bot.papers.affiliations import split_affiliations
from bot.papers.model import Affiliation

# A line as printed, and below it the institutions: English | Chinese, "-" for none.
CASES = """
* Fudan University（复旦大学） ； StepFun ； MIT（麻省理工） 纠错
    Fudan University | 复旦大学
    StepFun | -
    MIT | 麻省理工
Fudan University（复旦大学）；StepFun；MIT（麻省理工）
    Fudan University | 复旦大学
    StepFun | -
    MIT | 麻省理工
Fudan University(复旦大学); StepFun; MIT (麻省理工)
    Fudan University | 复旦大学
    StepFun | -
    MIT | 麻省理工
Princeton University(普林斯顿大学) Google(谷歌) DeepMind(深度Mind)
    Princeton University | 普林斯顿大学
    Google | 谷歌
    DeepMind | 深度Mind
Princeton University（普林斯顿大学） Google（谷歌）
    Princeton University | 普林斯顿大学
    Google | 谷歌
Alberta Machine Intelligence Institute (Amii)（阿尔伯塔机器智能研究所（Amii））
    Alberta Machine Intelligence Institute (Amii) | 阿尔伯塔机器智能研究所（Amii）
Alberta Machine Intelligence Institute (Amii)(阿尔伯塔机器智能研究所(Amii)) Google(谷歌)
    Alberta Machine Intelligence Institute (Amii) | 阿尔伯塔机器智能研究所(Amii)
    Google | 谷歌
BASIRA Lab, Imperial-X (I-X) and Department of Computing（BASIRA实验室、Imperial-X（I-X）和计算系）
    BASIRA Lab, Imperial-X (I-X) and Department of Computing | BASIRA实验室、Imperial-X（I-X）和计算系
The Chinese University of Hong Kong, Shenzhen（香港中文大学（深圳））
    The Chinese University of Hong Kong, Shenzhen | 香港中文大学（深圳）
Harbin Institute of Technology (Shenzhen)
    Harbin Institute of Technology (Shenzhen) | -
Harbin Institute of Technology（Shenzhen）（哈尔滨工业大学（深圳））
    Harbin Institute of Technology（Shenzhen） | 哈尔滨工业大学（深圳）
Harbin Institute of Technology（Shenzhen）
    Harbin Institute of Technology（Shenzhen） | -
Paradigm（4Paradigm）
    Paradigm | 4Paradigm
DeepMind(DeepMind)
    DeepMind | DeepMind
National Center for Artificial Intelligence (CENIA)（人工智能国家中心）
    National Center for Artificial Intelligence (CENIA) | 人工智能国家中心
清华大学（Tsinghua University）
    Tsinghua University | 清华大学
清华大学 ； 北京大学
    清华大学 | -
    北京大学 | -
CSIRO’s Data61（CSIRO的数据61）
    CSIRO’s Data61 | CSIRO的数据61
Harvard John A. Paulson School（哈佛大学约翰·A·保罗森学院）
    Harvard John A. Paulson School | 哈佛大学约翰·A·保罗森学院
AT&T Labs（AT&T实验室）
    AT&T Labs | AT&T实验室
MIT（麻省理工） ； MIT（麻省理工）
    MIT | 麻省理工
MIT（麻省理工；美国） ； Yale（耶鲁）
    MIT | 麻省理工；美国
    Yale | 耶鲁
[Foo] Institute
    [Foo] Institute | -
جامعة القاهرة
    جامعة القاهرة | -
"""


def read_cases() -> list[tuple[str, list[Affiliation]]]:
    cases: list[tuple[str, list[Affiliation]]] = []
    for line in CASES.strip().splitlines():
        if line.startswith("    "):
            name, chinese = line.strip().split(" | ")
            cases[-1][1].append(Affiliation(name, None if chinese == "-" else chinese))
        else:
            cases.append((line, []))
    return cases


@pytest.mark.parametrize(("text", "pairs"), read_cases())
def test_pairs(text: str, pairs: list[Affiliation]) -> None:
    found, notes = split_affiliations(text)
    assert list(found) == pairs
    assert notes == []


@pytest.mark.parametrize("text", ["", "纠错", "* 纠错", " ； ； "])
def test_no_text_no_institution(text: str) -> None:
    assert split_affiliations(text) == ((), [])


JUNK = ["1,2", "[]", "null", "N/A", "n/a", "-", "—", "None", "无", "未知", "(N/A)", "😀", "1", "( )"]


@pytest.mark.parametrize("cell", JUNK)
def test_cells_that_name_nothing(cell: str) -> None:
    found, notes = split_affiliations(cell)
    assert found == ()
    assert notes == [f"no institution in “{cell}”"]


@pytest.mark.parametrize("cell", ["MIT（麻省理工", "MIT）", "MIT (", "(((((", "））"])
def test_unbalanced_brackets_stay_as_printed(cell: str) -> None:
    found, notes = split_affiliations(f"{cell} ； Yale（耶鲁）")
    assert found[-1] == Affiliation("Yale", "耶鲁")
    assert len(notes) == 1
    assert all(affiliation.name_zh is None for affiliation in found[:-1])


def test_long_and_many() -> None:
    found, notes = split_affiliations("x" * 2_000)
    assert (found, len(notes)) == ((), 1)
    found, notes = split_affiliations("；".join(f"University {number}" for number in range(300)))
    assert (len(found), notes) == (300, ["300 institutions on one paper"])
    found, notes = split_affiliations("(" * 100_000 + ")" * 100_000)
    assert found == ()
