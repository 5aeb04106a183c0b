"""Reading whole affiliation strings: what is split off, what settles, what stays open."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.institutions.model import Match
from bot.institutions.resolver import Resolver
from bot.institutions.segments import split


@given(st.text(alphabet="ab Z,;/|*@:.-1&", max_size=40))
def test_the_short_way_to_split_gives_the_same_segments(text: str) -> None:
    # A bracketed segment in front forces the long way.
    long_way = [segment.key for segment in split(f"(x) {text}")][1:]
    assert [segment.key for segment in split(text)] == long_way


def ids(resolver: Resolver, name_en: str, name_zh: str | None = None) -> list[str]:
    answers = resolver.resolve_all(name_en, name_zh)
    return [answer.organisation.id if answer.organisation else answer.status.value for answer in answers]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Department of Computing Science University of Alberta", "university-of-alberta"),
        ("LIESMARS & School of Artificial Intelligence, Wuhan University", "wuhan-university"),
        ("Risk and Security AI Lab, Visa Inc., UK", "visa"),
        ("Future Living Lab of Alibaba", "alibaba-group"),
        ("Harvard John A. Paulson School of Engineering and Applied Sciences", "harvard-university"),
        ("CIFAR AI Chair, Amii", "alberta-machine-intelligence-institute"),
        ("Gatsby Unit at UCL, London", "university-college-london"),
        ("Stanford University Department of Statistics", "stanford-university"),
        ("MIT Media Lab", "massachusetts-institute-of-technology"),
        ("Google Zurich", "google"),
        ("Amap, Alibaba Group", "amap"),
        ("Alibaba Group, Amap", "amap"),
        ("Texas A&M University - College Station", "texas-a-and-m-university"),
        ("SUNY/Buffalo", "university-at-buffalo"),
        ("Google Research3", "google"),
        ("1Tsinghua University", "tsinghua-university"),
        ("Harbin Institute of Technology, Shenzhen1", "harbin-institute-of-technology-shenzhen"),
        ("The Chinese University of Hong Kong, Shenzhen2", "the-chinese-university-of-hong-kong-shenzhen"),
        ("CSIRO, Data61", "csiro-data61"),
        ("约翰·霍普金斯大学", "johns-hopkins-university"),
        ("Dept. of Physics, M. I. T., Cambridge, MA", "massachusetts-institute-of-technology"),
        ("UC Berkeley ICSI", "university-of-california-berkeley"),
        ("Institute for Advanced Study, Tsinghua University", "tsinghua-university"),
        ("Robotics Institute, Beihang University", "beihang-university"),
        ("‡School of Computer Science, Fudan University", "fudan-university"),
        ("Montr ´eal Institute for Learning Algorithms", "mila-quebec-ai-institute"),
        ("Universit`a degli Studi di Trento", "university-of-trento"),
        ("A*STAR, Singapore", "a-star"),
        ("Institute of Automation, CAS, Beijing", "institute-of-automation-chinese-academy-of-sciences"),
        (
            "Institute of Automation of Chinese Academy of Sciences",
            "institute-of-automation-chinese-academy-of-sciences",
        ),
        ("ICT, CAS", "institute-of-computing-technology-chinese-academy-of-sciences"),
        (
            "University of California, Department of EECS, Berkeley, CA 94720",
            "university-of-california-berkeley",
        ),
        ("IIT, Bombay", "indian-institute-of-technology-bombay"),
        ("École Normale Supérieure, PSL Research University, Paris", "ecole-normale-superieure"),
        ("University College London, University of London", "university-college-london"),
        ("Department of Computer Science, Princeton", "princeton-university"),
        ("清华大学计算机系", "tsinghua-university"),
        ("中国科学院计算技术研究所，北京", "institute-of-computing-technology-chinese-academy-of-sciences"),
        ("腾讯 AI Lab", "tencent"),
        ("华为技术有限公司", "huawei"),
        ("计算科学系阿尔伯塔大学", "university-of-alberta"),
        ("清华大学 (Tsinghua University)", "tsinghua-university"),
    ],
)
def test_one_organisation_is_read(resolver: Resolver, text: str, expected: str) -> None:
    found = ids(resolver, text)
    assert expected in found
    answer = resolver.resolve(text).organisation
    assert answer is not None
    assert answer.id == (expected if "London, University of London" not in text else found[0])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Google and Stanford University", ["google", "stanford-university"]),
        ("MIT & IBM", ["massachusetts-institute-of-technology", "ibm"]),
        ("Tsinghua University Peking University", ["tsinghua-university", "peking-university"]),
        ("Meta UT Austin", ["meta", "university-of-texas-at-austin"]),
        (
            "University of Oxford, UK and MIT, USA",
            ["university-of-oxford", "massachusetts-institute-of-technology"],
        ),
        ("Courant Institute and Google", ["new-york-university", "google"]),
        ("Google, DeepMind", ["google-deepmind"]),
        ("NUS (National University of Singapore)", ["national-university-of-singapore"]),
        ("Michigan State University (MSU)", ["michigan-state-university"]),
    ],
)
def test_every_organisation_of_a_text_is_found_once_in_order(
    resolver: Resolver, text: str, expected: list[str]
) -> None:
    assert ids(resolver, text) == expected


@pytest.mark.parametrize(
    ("name_en", "name_zh", "expected"),
    [
        ("Northeastern University", None, "ambiguous"),
        ("Northeastern University", "东北大学", "northeastern-university-china"),
        ("Northeastern University", "美国东北大学", "northeastern-university-us"),
        ("Northeastern University, Shenyang", None, "northeastern-university-china"),
        ("Northeastern University, Boston, MA, USA", "东北大学", "northeastern-university-us"),
        ("NTU", None, "ambiguous"),
        ("NTU, Singapore", None, "nanyang-technological-university"),
        ("NTU, Taipei, Taiwan", None, "national-taiwan-university"),
        ("NTU", "南洋理工大学", "nanyang-technological-university"),
        ("NTU", "清华大学", "ambiguous"),
        ("UW, Seattle", None, "university-of-washington"),
        ("UW, Madison, WI", None, "university-of-wisconsin-madison"),
        ("UW, USA", None, "ambiguous"),
        ("Paradigm", "4Paradigm", "4paradigm"),
        ("Paradigm", None, "ambiguous"),
        ("CAS, Prague, Czech Republic", None, "czech-academy-of-sciences"),
    ],
)
def test_an_ambiguous_form_is_settled_by_place_or_chinese_name_or_not_at_all(
    resolver: Resolver, name_en: str, name_zh: str | None, expected: str
) -> None:
    assert ids(resolver, name_en, name_zh) == [expected]


@pytest.mark.parametrize(
    ("name_en", "name_zh", "expected"),
    [
        ("EPFL", "苏黎世联邦理工学院", "epfl"),
        ("Aalto University", "艾尔沃斯大学", "aalto-university"),
        (
            "Indian Institute of Technology Bombay",
            "印度班加罗尔理工学院",
            "indian-institute-of-technology-bombay",
        ),
        ("YaiYai Ltd", "清华大学", "unknown"),
        ("Department of Mathematics", "清华大学数学系", "none"),
        ("", "清华大学数学系", "tsinghua-university"),
        ("N/A", "清华大学", "tsinghua-university"),
    ],
)
def test_the_english_name_decides(resolver: Resolver, name_en: str, name_zh: str, expected: str) -> None:
    assert ids(resolver, name_en, name_zh) == [expected]


def test_a_country_that_contradicts_a_university_leaves_it_open(resolver: Resolver) -> None:
    answer = resolver.resolve("University of Cambridge, Kyoto, Japan")
    assert answer.status is Match.AMBIGUOUS
    assert [row.id for row in answer.suggestions] == ["university-of-cambridge"]


def test_a_country_never_contradicts_a_company(resolver: Resolver) -> None:
    assert ids(resolver, "Google, Zurich, Switzerland") == ["google"]


def test_the_segment_tells_what_the_answer_rests_on(resolver: Resolver) -> None:
    assert resolver.resolve("Department of Physics, Yale University, New Haven").segment == "Yale University"
    assert resolver.resolve("Vision Lab, Foo Bar University, Narnia").segment == "Foo Bar University"


def test_lookup_of_an_ambiguous_form_offers_all_owners(resolver: Resolver) -> None:
    offered = {row.id for row in resolver.lookup("NTU").suggestions}
    assert offered == {"nanyang-technological-university", "national-taiwan-university"}


def test_lookup_of_a_whole_affiliation_string(resolver: Resolver) -> None:
    answer = resolver.lookup("Department of Statistics, University of Washington, Seattle, USA")
    assert answer.organisation is not None
    assert answer.organisation.id == "university-of-washington"
