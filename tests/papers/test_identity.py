"""Which records are one paper."""

from __future__ import annotations

import pytest

from bot.papers.identity import (
    canonical_arxiv_id,
    first_surname,
    keys_of,
    near_title,
    openreview_id,
    same_paper,
    title_key,
)
from bot.papers.model import Link, Record


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2601.01234", "2601.01234"),
        ("2601.01234v2", "2601.01234"),
        (" arXiv:2601.01234v11 ", "2601.01234"),
        ("arXiv: 2601.01234", "2601.01234"),
        ("https://arxiv.org/abs/2601.01234", "2601.01234"),
        ("http://arxiv.org/abs/2601.01234/", "2601.01234"),
        ("https://arxiv.org/pdf/2601.01234v3.pdf", "2601.01234"),
        ("https://www.arxiv.org/abs/2601.01234?utm=x#y", "2601.01234"),
        ("https://arxiv.org/html/2601.01234v1", "2601.01234"),
        ("https://ar5iv.org/abs/2601.01234", "2601.01234"),
        ("https://export.arxiv.org/abs/cs/0112017v1", "cs/0112017"),
        ("https://doi.org/10.48550/arXiv.2601.01234", "2601.01234"),
        ("0704.0001", "0704.0001"),
        ("cs/0112017", "cs/0112017"),
        ("math.GT/0309136v2", "math/0309136"),
        ("hep-th/9901001", "hep-th/9901001"),
        ("2601.1234", "2601.1234"),
        ("2613.01234", None),
        ("2601.012345", None),
        ("12601.01234", None),
        ("10.1145/2601.01234", None),
        ("https://example.org/2601.01234", None),
        ("accuracy 2601.01234 units", None),
        ("", None),
        ("x" * 10_000, None),
    ],
)
def test_arxiv_ids(text: str, found: str | None) -> None:
    assert canonical_arxiv_id(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("https://openreview.net/forum?id=chH4gO2tZT", "chH4gO2tZT"),
        ("https://openreview.net/pdf?id=a-_B5", "a-_B5"),
        ("openreview.net/forum?noteId=x1&id=chH4gO2tZT#all", "chH4gO2tZT"),
        ("https://openreview.net/attachment?id=abcde&name=supp", "abcde"),
        ("https://openreview.net/group?group=ICLR", None),
        ("https://example.org/forum?id=chH4gO2tZT", None),
        ("", None),
    ],
)
def test_openreview_ids(text: str, found: str | None) -> None:
    assert openreview_id(text) == found


def test_keys_of_a_record() -> None:
    record = Record(
        "AMiD: Knowledge Distillation",
        authors=("Donghyeok Shin", "Ann Lee"),
        arxiv_id="2601.01234",
        links=(
            Link("openreview", "https://openreview.net/forum?id=chH4gO2tZT"),
            Link("code", "https://x.org"),
        ),
    )
    assert keys_of(record) == (
        "arxiv:2601.01234",
        "openreview:chH4gO2tZT",
        "title:amid knowledge distillation|shin",
    )
    assert keys_of(Record("Only a Title")) == ("title:only a title|",)
    assert title_key("Only a TITLE") == "title:only a title|"
    assert title_key("？！") == "title:？！|"
    assert first_surname(()) == ""


@pytest.mark.parametrize(
    ("left", "right", "near"),
    [
        ("Reward Models for Text", "Reward Model for Text", True),
        ("A Study of Policies", "Study of Policy", True),
        ("The Learning Machine", "Learning Machine", True),
        ("Q($\\lambda$) Learning", "Q($λ$) learning", True),
        ("Q(λ) Learning", "Q lambda learning", True),
        ("Log-Quant: A Method", "LogQuant – a method", True),
        ("Wasserstein Distances!", "wasserstein distances", True),
        ("Sequence to Sequence Learning", "Sequence-to-Sequence Learning", True),
        ("Deep Learning", "Deep Learning II", False),
        ("Decision Making", "Decision Making for Trees", False),
        ("GPT-3 Analysis", "GPT-4 Analysis", False),
        ("Fast Learning", "Slow Learning", False),
        ("Learning Graphs", "Graphs Learning", False),
        ("Loss of Class", "Los of Clas", False),
        ("", "", False),
        ("The", "A", False),
    ],
)
def test_near_titles(left: str, right: str, near: bool) -> None:
    assert near_title(left, right) is near
    assert near_title(right, left) is near


A = ("Ann Lee", "Bob Ray", "Cem Sarı")


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (Record("T", authors=A, arxiv_id="1"), Record("Other", authors=("X Y",), arxiv_id="1"), True),
        (Record("T", authors=A, arxiv_id="1"), Record("T", authors=A, arxiv_id="2"), False),
        (Record("T", authors=A, arxiv_id="1"), Record("T", authors=A), True),
        (Record("T", authors=A), Record("t!", authors=("Lee, Ann", "Other One")), True),
        (Record("T", authors=A), Record("T", authors=("A. Lee",)), True),
        (Record("Deep Learning", authors=A), Record("Deep Learning", authors=("Dan Øst",)), False),
        (Record("Deep Learning", authors=("Wei Zhang",)), Record("Deep Learning", authors=("Li Zhang",)), False),
        (Record("Deep Learning", authors=("Dan Smith",)), Record("Deep Learning", authors=("Daniel Smith",)), True),
        (Record("Big Models", authors=A), Record("Big Model", authors=A), True),
        (Record("Big Models", authors=A), Record("Big Model", authors=("Cem Sari", "Bob Ray", "Ann Lee")), True),
        (Record("Big Models", authors=A), Record("Big Model", authors=("Ann Lee", "Xi Yu", "Wu Di")), False),
        (Record("Big Models", authors=A), Record("Big Models II", authors=A), False),
        (Record("T", authors=()), Record("T", authors=A), True),
        (Record("Ts", authors=()), Record("T", authors=A), False),
    ],
)  # fmt: skip
def test_same_paper(left: Record, right: Record, same: bool) -> None:
    assert same_paper(left, right) is same
    assert same_paper(right, left) is same
