"""The shipped tables and the rules a table must keep."""

from __future__ import annotations

import re

import pytest

from bot.institutions import table
from bot.institutions.directory import Directory
from bot.institutions.keys import is_generic, key
from bot.institutions.table import TableError, read_ambiguous, read_organisations

HEAD = "\t".join(table.COLUMNS)
A = "a\tAlpha University\t阿尔法大学\tAU\tUS\tuniversity\t\t\t"


def test_the_shipped_table_is_as_large_and_as_filled_as_promised(directory: Directory) -> None:
    rows = list(directory)
    assert len(rows) >= 1000
    assert sum(row.ror is not None for row in rows) >= 1000
    assert sum(row.name_zh is not None for row in rows) >= 0.9 * len(rows)
    assert all(row.country and re.fullmatch("[A-Z]{2}", row.country) for row in rows)
    assert all(re.fullmatch("0[a-z0-9]{8}", row.ror) for row in rows if row.ror)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", row.id) for row in rows)


def test_no_shipped_alias_is_a_bare_general_word(directory: Directory) -> None:
    """One such alias ("Faculty") would turn every department into that organisation."""
    single = [
        alias
        for row in directory
        for alias in row.names()
        if " " not in key(alias) and is_generic(key(alias))
    ]
    assert single == []


def test_chinese_names_hold_chinese_or_the_brand(directory: Directory) -> None:
    odd = [row.name_zh for row in directory if row.name_zh and re.search(r"[,;|]|\(|\)", row.name_zh)]
    assert odd == []


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([A, A.replace("Alpha", "Beta").replace("阿尔法", "贝塔")], "the id a occurs twice"),
        ([A.removesuffix("\t\t") + "b\t\t"], "a has the parent b, which is no row"),
        ([A.removesuffix("\t\t") + "a\t\t"], "a is its own ancestor"),
        ([A, "b\tBeta University\t\tThe Alpha University\tUS\tuniversity\t\t\t"], "is the name of a"),
        ([A, "b\tBeta University\t阿爾法大學\t\tUS\tuniversity\t\t\t"], "a and b have the same name"),
        ([A[:-1] + "01\t", "b\tB Ltd\t\t\tUS\tcompany\t\t01\t"], "a and b have the same ROR id"),
        (["a\tAlpha"], "line 2: 2 columns instead of 9"),
        (["a\tAlpha\t\t\tUS\tschool\t\t\t"], "line 2: a row needs"),
    ],
)
def test_a_broken_table_is_refused_with_a_sentence(rows: list[str], message: str) -> None:
    with pytest.raises(TableError, match=re.escape(message)):
        read_organisations("\n".join([HEAD, *rows]), name="t.tsv")


def test_a_table_without_its_header_is_refused() -> None:
    with pytest.raises(TableError, match=r"t\.tsv, line 1: expected the columns id, name_en"):
        read_organisations(A, name="t.tsv")


def test_an_alias_that_two_rows_share_is_legal_and_ambiguous() -> None:
    rows = read_organisations(
        "\n".join([HEAD, A, "b\tAustin College\t\tAU\tUS\tuniversity\t\t\t"]), name="t.tsv"
    )
    form = Directory(rows).find("au")
    assert form is not None
    assert not form.certain
    assert [row.id for row in form.organisations] == ["a", "b"]


@pytest.mark.parametrize(
    ("line", "message"), [("UW\ta|x\tUS", "line 2: x is no row of the table"), ("UW\ta", "line 2: 2 columns")]
)
def test_a_broken_list_of_ambiguous_forms_is_refused(line: str, message: str) -> None:
    with pytest.raises(TableError, match=message):
        read_ambiguous(f"form\tcandidates\telsewhere\n{line}", ["a"], name="ambiguous.tsv")


def test_every_name_of_the_table_leads_back_to_its_row(directory: Directory) -> None:
    lost = []
    for row in directory:
        for name in row.names():
            form = directory.find(key(name))
            # The list of ambiguous forms may say that a name has owners outside the table.
            if form is None or (row not in form.organisations and form.elsewhere is None):
                lost.append((row.id, name))
    assert lost == []


def test_children_and_ancestors_follow_the_links(directory: Directory) -> None:
    below = {row.id for row in directory.children("alibaba-group")}
    assert {"alibaba-damo-academy", "amap", "tongyi-lab", "alibaba-cloud"} <= below
    assert "ant-group" not in below
    amap = directory.get("amap")
    assert amap is not None
    assert directory.ancestors(amap) == ("alibaba-group",)
    assert directory.children("nobody") == ()
