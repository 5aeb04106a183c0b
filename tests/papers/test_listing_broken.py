"""Broken and hostile listings: what can be saved is, the rest is rejected or reported with its line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.papers.listing import Parsed, parse_listing
from bot.papers.model import Record

ONE = (
    "First Paper\n\n第一篇论文\n\nAnn Lee, Bob Ray\n\n机构 * MIT（麻省理工）\n\n"
    "AI总结 第一句。\n\nComments ICLR 2026\n\n"
)
TWO = (
    "Second Paper\n\n第二篇论文\n\nCem Sarı, Dan Øst\n\n机构 * Yale（耶鲁）\n\n"
    "AI总结 第二句。\n\nComments ICLR 2025\n\n"
)


def parse(text: str) -> Parsed:
    return parse_listing(text, name="x.txt")


def titles(parsed: Parsed) -> list[str]:
    return [record.title_en for record in parsed.records]


@pytest.mark.parametrize("packed", [False, True], ids=["blank-lines", "no-blank-lines"])
def test_each_title_removed_in_turn_costs_that_record_alone(
    sample_text: str, sample: tuple[Record, ...], packed: bool
) -> None:
    lines = [line for line in sample_text.split("\n") if line or not packed]
    for record in sample:
        at = lines.index(record.title_en)
        parsed = parse("\n".join(lines[:at] + lines[at + 1 :]))
        assert parsed.records == tuple(other for other in sample if other is not record)
        (rejection,) = parsed.rejected
        assert rejection.reason == "no English title above the summary"
        assert rejection.file == "x.txt"
        assert at < rejection.line <= at + 3


@pytest.mark.parametrize("packed", [False, True], ids=["blank-lines", "no-blank-lines"])
def test_each_summary_removed_in_turn_leaves_the_paper_and_its_neighbours(
    sample_text: str, sample: tuple[Record, ...], packed: bool
) -> None:
    lines = [line for line in sample_text.split("\n") if line or not packed]
    for record in sample:
        at = lines.index(f"AI总结 {record.summary_zh}")
        parsed = parse("\n".join(lines[:at] + lines[at + 1 :]))
        expected = tuple(replace(other, summary_zh=None) if other is record else other for other in sample)
        assert parsed.records == expected
        assert parsed.rejected == ()
        (warning,) = parsed.warnings
        assert warning.startswith(f"x.txt: line {lines.index(record.title_en) + 1}: no summary: “")


@pytest.mark.parametrize("packed", [False, True], ids=["blank-lines", "no-blank-lines"])
def test_each_author_line_removed_in_turn(sample_text: str, sample: tuple[Record, ...], packed: bool) -> None:
    lines = [line for line in sample_text.split("\n") if line or not packed]
    for record in sample:
        at = lines.index(", ".join(record.authors))
        parsed = parse("\n".join(lines[:at] + lines[at + 1 :]))
        assert parsed.records == tuple(
            replace(other, authors=()) if other is record else other for other in sample
        )
        assert "no authors" in parsed.warnings[0]


@pytest.mark.parametrize("stray", ["Some unknown advert line", "一行谁也不认识的文字", "Sponsored: buy now!"])
def test_a_stray_line_is_reported_with_its_number_wherever_it_stands(
    sample_text: str, sample: tuple[Record, ...], stray: str
) -> None:
    lines = sample_text.rstrip("\n").split("\n")
    # Between a title and its translation a stray line can't be told from a title.
    ambiguous = {record.title_en for record in sample}
    for at in range(1, len(lines)):
        if {lines[at - 1], lines[at - 2] if not lines[at - 1] else ""} & ambiguous:
            continue
        parsed = parse("\n".join([*lines[:at], stray, *lines[at:]]))
        assert parsed.records == sample, at
        assert parsed.warnings == (f"x.txt: line {at + 1}: not understood: “{stray}”",)


def test_strays_between_title_and_translation_are_reported_too(sample_text: str) -> None:
    parsed = parse(sample_text.replace("\n\n大语言模型能否", "\n\nStray line\n\n大语言模型能否"))
    assert len(parsed.records) == 30
    assert len(parsed.warnings) == 1
    assert "not understood" in parsed.warnings[0]


def test_lines_before_the_first_paper_are_reported() -> None:
    parsed = parse(f"My favourite papers\n\nComments of mine\n\n{ONE}")
    assert titles(parsed) == ["First Paper"]
    assert parsed.warnings == (
        "x.txt: line 1: not understood: “My favourite papers”",
        "x.txt: line 3: not understood: “Comments of mine”",
    )


def test_a_paper_that_is_cut_off_is_rejected_and_the_rest_loads() -> None:
    parsed = parse(f"{ONE}Second Paper\n\n第二篇论文\n\nCem Sarı, Dan Øst\n")
    assert titles(parsed) == ["First Paper"]
    (rejection,) = parsed.rejected
    assert (rejection.line, rejection.reason) == (
        13,
        "nothing but a title and authors: no summary and no other field",
    )


def test_two_headers_in_a_row() -> None:
    parsed = parse(f"Lost Paper\n\n丢失的论文\n\nEve Orr, Fay Poe\n\n{ONE}")
    assert titles(parsed) == ["First Paper"]
    assert [rejection.line for rejection in parsed.rejected] == [1]


def test_a_summary_without_anything_above_it() -> None:
    parsed = parse(f"{ONE}AI总结 没有题目。\n\n{TWO}")
    assert titles(parsed) == ["First Paper", "Second Paper"]
    (rejection,) = parsed.rejected
    assert (rejection.line, rejection.reason) == (13, "no English title above the summary")
    assert parsed.records[0].comments == "ICLR 2026"


@pytest.mark.parametrize(
    "day", ["2026-13-45", "yesterday", "03/04/2026", "2026-02-30", "0000-00-00", "31 Foo 2026", "2026"]
)
def test_a_date_that_cannot_be_read_rejects_its_record(day: str) -> None:
    parsed = parse(f"{ONE}2601.22400 {day} cs.LG\n\n{TWO}")
    assert titles(parsed) == ["First Paper"]
    (rejection,) = parsed.rejected
    assert (rejection.line, rejection.reason) == (13, f"the date “{day}” can't be read")


def test_empty_labels() -> None:
    parsed = parse("A Title\n\n标题\n\nAnn Lee\n\n机构 *\n\nAI总结\n\nComments\n\n" + TWO)
    assert titles(parsed) == ["A Title", "Second Paper"]
    first = parsed.records[0]
    assert (first.institutions, first.summary_zh, first.comments) == ((), None, None)
    assert "no summary" in parsed.warnings[0]


def test_a_label_given_twice_keeps_the_first_and_says_so() -> None:
    parsed = parse(f"{ONE}Comments ICLR 1999\n\n{TWO}")
    assert parsed.records[0].comments == "ICLR 2026"
    assert parsed.warnings == ("x.txt: line 13: a second “comments” was left out",)


@pytest.mark.parametrize("cell", ["1,2", "[]", "null", "N/A", "-", "—", "无", "😀", "( )", "；；"])
def test_cells_that_name_no_institution(cell: str) -> None:
    parsed = parse(ONE.replace("MIT（麻省理工）", cell))
    assert parsed.records[0].institutions == ()
    assert len(parsed.records) == 1


def test_an_institution_of_thousands_of_characters_and_hundreds_of_institutions() -> None:
    parsed = parse(ONE.replace("MIT（麻省理工）", "Very Long " * 200))
    assert parsed.records[0].institutions == ()
    assert "2000 characters" in parsed.warnings[0] or "1999 characters" in parsed.warnings[0]
    many = " ； ".join(f"University {number}" for number in range(300))
    parsed = parse(ONE.replace("MIT（麻省理工）", many))
    assert len(parsed.records[0].institutions) == 300
    assert "300 institutions" in parsed.warnings[0]


def test_unbalanced_brackets_are_kept_as_printed_with_a_warning() -> None:
    parsed = parse(ONE.replace("MIT（麻省理工）", "MIT（麻省理工 ； Yale（耶鲁）"))
    assert [(i.name_en, i.name_zh) for i in parsed.records[0].institutions] == [
        ("MIT（麻省理工", None),
        ("Yale", "耶鲁"),
    ]
    assert "unbalanced" in parsed.warnings[0]


def test_stray_macros_in_a_title_are_flagged() -> None:
    parsed = parse(ONE.replace("First Paper", r"\method: Learning \textit{Fast} in $\alpha$"))
    assert parsed.records[0].title_en == r"\method: Learning \textit{Fast} in $\alpha$"
    assert parsed.warnings == ("x.txt: line 1: the title has the macro \\method",)


def test_a_title_beyond_all_measure_is_rejected() -> None:
    parsed = parse(f"{'Word ' * 600}\n\n标题\n\nAnn Lee, Bob Ray\n\n机构 * MIT\n\nAI总结 一。\n\n{TWO}")
    assert "Second Paper" in titles(parsed)
    assert len(parsed.rejected) == 1


@pytest.mark.parametrize(
    ("broken", "right"),
    [
        ("Robert MÃ¼ller, Clemens MÃ¼ller", ("Robert Müller", "Clemens Müller")),
        ("FranÃ§ois Chollet, JosÃ© GarcÃ\u00ada", ("François Chollet", "José García")),
        ("Å\u0081ukasz Kaiser, Ann Lee", ("Łukasz Kaiser", "Ann Lee")),
    ],
)
def test_western_mojibake_is_mended_and_reported(broken: str, right: tuple[str, ...]) -> None:
    parsed = parse(ONE.replace("Ann Lee, Bob Ray", broken))
    assert parsed.records[0].authors == right
    (warning,) = parsed.warnings
    assert warning == "x.txt: line 5: UTF-8 that was read as Windows-1252; read again as UTF-8"


def test_chinese_mojibake_is_mended_and_reported() -> None:
    # Bytes that are no GBK were lost when the text was read wrongly; the rest comes back.
    broken = "AI总结 本文提出一种新的方法，用于大语言模型。".encode().decode("gb18030", errors="replace")
    parsed = parse(ONE.replace("AI总结 第一句。", broken))
    assert parsed.records[0].summary_zh == "本文提出\ufffd种新的方法，用于大语\ufffd模型\ufffd"
    assert parsed.warnings == (
        "x.txt: line 9: UTF-8 that was read as GBK; read again as UTF-8; some characters are lost",
    )


def test_chinese_mojibake_without_loss() -> None:
    broken = "AI总结 本文提出新的方法，用于模型的训练，效果好".encode().decode("gb18030")
    parsed = parse(ONE.replace("AI总结 第一句。", broken))
    assert parsed.records[0].summary_zh == "本文提出新的方法，用于模型的训练，效果好"
    assert parsed.warnings == ("x.txt: line 9: UTF-8 that was read as GBK; read again as UTF-8",)


def test_lost_characters_are_reported() -> None:
    parsed = parse(ONE.replace("Bob Ray", "Bob R\ufffdy"))
    assert "line 5: characters were lost" in parsed.warnings[0]


def test_real_chinese_and_accents_are_not_mistaken_for_mojibake(sample_text: str) -> None:
    assert parse(sample_text + ONE.replace("Bob Ray", "Bob Çà, François “Zoë” Œuvré")).warnings == ()
    quoted = "“CAFÉ” and “Fluß”: “Ö”, “é”… and Ä–Ö"
    parsed = parse(ONE.replace("First Paper", quoted))
    assert (parsed.records[0].title_en, parsed.warnings) == (quoted, ())


def test_a_flood_of_unknown_lines_is_counted() -> None:
    parsed = parse(ONE + "unknown words here\n" * 5000 + "\n" + TWO)
    assert titles(parsed) == ["First Paper", "Second Paper"]
    assert len(parsed.warnings) == 201
    assert parsed.warnings[-1] == "x.txt: 4800 further lines were not understood"


def test_nothing_at_all() -> None:
    assert parse("") == Parsed((), (), ())
    assert parse("\n\n  \n") == Parsed((), (), ())
