"""Lists of authors, split into people."""

from __future__ import annotations

import pytest

from bot.papers.authors import AuthorList, name_list_score, split_authors


@pytest.mark.parametrize(
    ("text", "authors"),
    [
        ("J. McKay, Jr., A. de la Torre, C. Van Bavel", ("J. McKay, Jr.", "A. de la Torre", "C. Van Bavel")),
        ("Robin", ("Robin",)),
        ("Islem Rekik", ("Islem Rekik",)),
        ("Ann Lee and Bob Ray", ("Ann Lee", "Bob Ray")),
        ("Ann Lee, Bob Ray, and Cem Sarı", ("Ann Lee", "Bob Ray", "Cem Sarı")),
        ("Ann Lee & Bob Ray", ("Ann Lee", "Bob Ray")),
        ("Smith, J.; Doe, A. B.", ("Smith, J.", "Doe, A. B.")),
        ("Smith, J., Doe, A.", ("Smith, J.", "Doe, A.")),
        ("van der Berg, J., Doe, A.", ("van der Berg, J.", "Doe, A.")),
        ("Zhang, San", ("Zhang, San",)),
        ("张三，李四、王小五", ("张三", "李四", "王小五")),
        ("张三 和 李四", ("张三", "李四")),
        ("欧阳明", ("欧阳明",)),
        ("Wei Wang, Wei Wang", ("Wei Wang", "Wei Wang")),
        ("Wenbo Pan*, Jie Xu†, Bo Li1,2", ("Wenbo Pan", "Jie Xu", "Bo Li")),
        ("Wenbo Pan¹, Jie Xu²", ("Wenbo Pan", "Jie Xu")),
        ("Ann Lee, Bob Ray, et al.", ("Ann Lee", "Bob Ray")),
        ("Ann Lee, Bob Ray, ...", ("Ann Lee", "Bob Ray")),
        ("Ann Lee, and 12 others", ("Ann Lee",)),
        ("Ann Lee，Bob Ray", ("Ann Lee", "Bob Ray")),
        ("Ann Lee, , Bob Ray,", ("Ann Lee", "Bob Ray")),
        ("Martin Luther King III, Bob Ray", ("Martin Luther King III", "Bob Ray")),
        ("Ann Lee, III, Bob Ray", ("Ann Lee, III", "Bob Ray")),
        ("Éric O’Brien, Łukasz Kaiser", ("Éric O’Brien", "Łukasz Kaiser")),
        ("", ()),
        (" , ; ", ()),
        ("123, 456", ()),
    ],
)
def test_lists(text: str, authors: tuple[str, ...]) -> None:
    assert split_authors(text) == AuthorList(authors)


@pytest.mark.parametrize(
    ("text", "authors", "collaboration"),
    [
        ("The X Collaboration: A. One, B. Two", ("A. One", "B. Two"), "The X Collaboration"),
        ("DeepSeek-AI: Ann Lee, Bob Ray", ("Ann Lee", "Bob Ray"), "DeepSeek-AI"),
        ("ATLAS Collaboration, Ann Lee, Bob Ray", ("Ann Lee", "Bob Ray"), "ATLAS Collaboration"),
        ("Ann Lee, Bob Ray, The BigScience Consortium", ("Ann Lee", "Bob Ray"), "The BigScience Consortium"),
        ("The X Collaboration", ("The X Collaboration",), None),
    ],
)
def test_collaborations_stand_apart(text: str, authors: tuple[str, ...], collaboration: str | None) -> None:
    assert split_authors(text) == AuthorList(authors, collaboration)


@pytest.mark.parametrize(
    ("line", "score"),
    [
        ("Wenbo Pan, Jie Xu, Qiguang Chen", 2),
        ("Victor Schmidt, hannah alsdurf, Olexa Bilaniuk, Ann Lee", 2),
        ("张三, 李四", 2),
        ("San Zhang (张三), Si Li (李四)", 2),
        ("Islem Rekik", 1),
        ("Contraction and Hourglass Persistence for Learning on Graphs, Simplices, and Cells", 0),
        ("用于图、单纯形和细胞上的学习", 0),
        ("RLBFF：二进制灵活反馈用于连接人类反馈与可验证奖励", 0),
        ("Can LLMs Refuse Questions They Do Not Know?", 0),
        ("Department of Statistics, University of Washington, Seattle, USA", 0),
    ],
)
def test_what_looks_like_a_list_of_names(line: str, score: int) -> None:
    assert name_list_score(line) == score
