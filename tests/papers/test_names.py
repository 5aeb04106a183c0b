"""The key of a person's name."""

from __future__ import annotations

import pytest

from bot.papers.names import author_key, same_author, surname_key


@pytest.mark.parametrize(
    "names",
    [
        ["Zhang San", "San Zhang", "zhang, san", "ZHANG San", "Zhang,San", "San  Zhang"],
        [
            "Jia-Chen Gu",
            "Jiachen Gu",
            "Gu, Jiachen",
            "Jia Chen Gu",
            "Gu, Jia-Chen",
            "Gu, Jia Chen",
            "jia‐chen gu",
        ],
        ["Min-hwan Oh", "Minhwan Oh", "Min Hwan Oh", "Oh, Min-hwan"],
        ["Ernst Röell", "Ernst Roell", "Röell, Ernst", "ernst roell"],
        ["Robert Müller", "Robert Muller", "Robert Mueller", "MÜLLER, Robert"],
        ["Łukasz Kaiser", "Lukasz Kaiser", "Kaiser, Łukasz"],
        ["Anders Øster", "Anders Oster"],
        ["Daniel M. Steinberg", "Daniel Steinberg", "Steinberg, Daniel M.", "Steinberg, Daniel"],
        ["A. Rupam Mahmood", "Rupam Mahmood"],
        ["J. K. Rowling", "J.K. Rowling", "Rowling, J. K.", "rowling j k"],
        ["John McKay, Jr.", "John McKay Jr.", "McKay, John, Jr."],
        ["Antonio de la Torre", "de la Torre, Antonio"],
        ["Conor O'Brien", "Conor O’Brien", "OBrien, Conor"],
        ["欧阳明", "欧阳 明", "歐陽明", " 欧阳\u3000明 "],
        ["Jose\u0301 Garci\u0301a", "José García", "Jose Garcia"],
        ["Robin", "robin", "ROBIN"],
    ],
)
def test_one_person_one_key(names: list[str]) -> None:
    assert len({author_key(name) for name in names}) == 1
    assert author_key(names[0]) != ""


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Wei Zhang", "Wen Zhang"),
        ("An Lin", "Nan Li"),
        ("Xue Li", "Xu Li"),
        ("Jing Yan", "Jin Yang"),
        ("Yue Wang", "Yu Wang"),
        ("San Zhang", "S. Zhang"),
        ("张三", "张四"),
        ("Michael Kowalski", "Michał Kowalski"),
        ("Ann Lee", "Anna Lee"),
    ],
)
def test_two_people_two_keys(left: str, right: str) -> None:
    assert author_key(left) != author_key(right)


@pytest.mark.parametrize("text", ["", " ", "...", "😀", ",", "-", "\u200b"])
def test_no_name_no_key(text: str) -> None:
    assert author_key(text) == ""
    assert not same_author(text, text)


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("J. McKay", "John McKay", True),
        ("McKay, J.", "John McKay", True),
        ("San Zhang", "S. Zhang", True),
        ("J. A. McKay", "John McKay", True),
        ("J. McKay", "Peter McKay", False),
        ("Wei Zhang", "Wen Zhang", False),
        ("W. Zhang", "Wen Zhang", True),
        ("Zhang", "Wen Zhang", False),
        ("Ann Lee", "Bob Ray", False),
    ],
)
def test_initials_are_comparable(left: str, right: str, same: bool) -> None:
    assert same_author(left, right) is same
    assert same_author(right, left) is same


@pytest.mark.parametrize(
    ("name", "surname"),
    [
        ("Robert Müller", "muller"),
        ("Müller, Robert", "muller"),
        ("A. de la Torre", "torre"),
        ("de la Torre, A.", "torre"),
        ("C. Van Bavel", "bavel"),
        ("J. McKay, Jr.", "mckay"),
        ("Bryan Kian Hsiang Low", "low"),
        ("张三", "张三"),
        ("Robin", "robin"),
        ("", ""),
    ],
)
def test_surnames(name: str, surname: str) -> None:
    assert surname_key(name) == surname
