"""The same papers written in all the ways in which the site, editors and copy-paste write them."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import pytest

from bot.papers.listing import Parsed, parse_listing
from bot.papers.model import Record


def parse(text: str) -> Parsed:
    return parse_listing(text, name="listing.txt")


def expect_the_sample(text: str, sample: tuple[Record, ...]) -> None:
    parsed = parse(text)
    assert parsed.rejected == ()
    assert parsed.warnings == ()
    assert parsed.records == sample


def without_blank_lines(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if line.strip())


@pytest.mark.parametrize("label", ["发表机构", "作者机构", "单位", "作者单位", "機構"])
@pytest.mark.parametrize("end", [" * ", " ", "：", ": ", " *：", "*", "\n", " *\n", " *\n\n", " * \n"])
def test_institution_labels(sample_text: str, sample: tuple[Record, ...], label: str, end: str) -> None:
    expect_the_sample(sample_text.replace("\n机构 * ", f"\n{label}{end}"), sample)


@pytest.mark.parametrize("label", ["AI总结", "AI 总结", "AI摘要", "AI 摘要", "ai总结", "AI總結", "ＡＩ总结"])
@pytest.mark.parametrize("end", [" ", "：", ": ", " * ", "\n", "：\n", "\n\n"])
def test_summary_labels(sample_text: str, sample: tuple[Record, ...], label: str, end: str) -> None:
    expect_the_sample(sample_text.replace("\nAI总结 ", f"\n{label}{end}"), sample)


@pytest.mark.parametrize("label", ["Comments", "Comment", "comments", "备注"])
@pytest.mark.parametrize("end", [" ", "：", ": ", " * ", "\n", "\n\n"])
def test_comment_labels(sample_text: str, sample: tuple[Record, ...], label: str, end: str) -> None:
    expect_the_sample(sample_text.replace("\nComments ", f"\n{label}{end}"), sample)


@pytest.mark.parametrize(
    "label", ["Journal ref", "Journal-ref", "Journal reference", "journal ref", "期刊引用"]
)
@pytest.mark.parametrize("end", [" ", "：", ": ", "\n"])
def test_journal_labels(sample_text: str, sample: tuple[Record, ...], label: str, end: str) -> None:
    expect_the_sample(sample_text.replace("\nJournal ref ", f"\n{label}{end}"), sample)


@pytest.mark.parametrize("mark", ["**{}**：", "【{}】", "- {}: ", "## {}\n"])
def test_decorated_labels(sample_text: str, sample: tuple[Record, ...], mark: str) -> None:
    text = sample_text.replace("\n机构 * ", "\n机构 ")
    for label in ("机构", "AI总结", "Comments", "Journal ref"):
        text = text.replace(f"\n{label} ", f"\n{mark.format(label)}")
    expect_the_sample(text, sample)


def test_summary_glued_to_its_label(sample_text: str, sample: tuple[Record, ...]) -> None:
    expect_the_sample(sample_text.replace("\nAI总结 ", "\nAI总结"), sample)


@pytest.mark.parametrize("packed", [False, True], ids=["blank-lines", "no-blank-lines"])
def test_every_value_on_the_next_line(sample_text: str, sample: tuple[Record, ...], packed: bool) -> None:
    text = sample_text.replace("\n机构 * ", "\n机构 *\n")
    for label in ("AI总结", "Comments", "Journal ref"):
        text = text.replace(f"\n{label} ", f"\n{label}\n")
    expect_the_sample(without_blank_lines(text) if packed else text, sample)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("\n", "\r\n"),
        ("\n", "\r"),
        ("\n\n", "\n"),
        ("\n\n", "\n\n\n\n"),
        ("\n", " \t\n"),
        ("\n", "\n   "),
        (" ", "\u00a0"),
        (" ", "\u3000"),
        (" ", "  "),
        (" 纠错", ""),
        (" 纠错", "\n纠错"),
        (" 纠错", " 纠错\n\n收藏"),
        ("ICLR\n", "\ufeffICLR\n"),
        (
            "ICLR\n",
            "arXivDaily arXiv每日学术速递 周一至周五更新\n全部学科分类 2075\n专题追踪\n重置\nICLR 2026\n",
        ),
    ],
)
def test_blanks_line_ends_and_navigation(
    sample_text: str, sample: tuple[Record, ...], before: str, after: str
) -> None:
    expect_the_sample(sample_text.replace(before, after), sample)


@pytest.mark.parametrize(
    "mark", ["\u200b", "\u200c", "\u2060", "\ufeff", "\u00ad", "\u200e", "\u202a", "\x07"]
)
def test_invisible_characters_vanish(sample_text: str, sample: tuple[Record, ...], mark: str) -> None:
    # Within a label too.
    text = re.sub(r"(?<=\w)(?=\w)", lambda at: mark if at.start() % 5 == 0 else "", sample_text)
    expect_the_sample(text, sample)


def test_emoji_sequences_keep_their_joiner() -> None:
    text = "Pilots 👩\u200d🚀 of\u200d Space\n\n作者\u200d飞行员\n\nAnn Lee, Bob Ray\n\nAI总结 一句话。"
    (record,) = parse(text).records
    assert record.title_en == "Pilots 👩\u200d🚀 of Space"
    assert record.title_zh == "作者飞行员"


def _records_of(text: str) -> list[list[str]]:
    """The listing as blocks of paragraphs, one block a paper."""
    blocks: list[list[str]] = []
    previous = "Comments"
    for line in text.split("\n"):
        if not line.strip() or line == "ICLR":
            continue
        head = not re.match("机构|AI总结|Comments|Journal", line)
        if head and re.match("AI总结|Comments|Journal", previous):
            blocks.append([])
        blocks[-1].append(line)
        previous = line
    return blocks


@pytest.mark.parametrize(
    "order", list(itertools.permutations(["机构", "AI总结", "Comments", "Journal"])), ids="-".join
)
@pytest.mark.parametrize("joint", ["\n\n", "\n"], ids=["blank-lines", "no-blank-lines"])
def test_labels_in_any_order(
    sample_text: str, sample: tuple[Record, ...], order: tuple[str, ...], joint: str
) -> None:
    lines = ["ICLR"]
    for block in _records_of(sample_text):
        lines += [line for line in block if not line.startswith(order)]
        lines += [line for label in order for line in block if line.startswith(label)]
    expect_the_sample(joint.join(lines), sample)


@pytest.mark.parametrize("packed", [False, True], ids=["blank-lines", "no-blank-lines"])
@pytest.mark.parametrize("kept", ["zi", "zc", "ic", "z", "i", "c", ""])
def test_missing_chinese_titles_institutions_and_comments(
    sample_text: str, sample: tuple[Record, ...], kept: str, packed: bool
) -> None:
    chinese = {record.title_zh for record in sample}
    lines = [
        line
        for line in sample_text.split("\n")
        if ("z" in kept or line not in chinese)
        and ("i" in kept or not line.startswith("机构"))
        and ("c" in kept or not line.startswith("Comments"))
    ]
    parsed = parse("\n".join(line for line in lines if line or not packed))
    assert (parsed.rejected, parsed.warnings) == ((), ())
    for found, whole in zip(parsed.records, sample, strict=True):
        assert (found.title_en, found.authors, found.summary_zh) == (
            whole.title_en,
            whole.authors,
            whole.summary_zh,
        )
        assert found.title_zh == (whole.title_zh if "z" in kept else None)
        assert found.institutions == (whole.institutions if "i" in kept else ())
        assert found.comments == (whole.comments if "c" in kept else None)


# --- details of one record --------------------------------------------------------------------------------

HEAD = "An English Title\n\n一个中文标题\n\nAnn Lee, Bob Ray\n\n"


def one(text: str) -> Record:
    parsed = parse(text)
    assert parsed.rejected == ()
    (record,) = parsed.records
    return record


@pytest.mark.parametrize(
    ("meta", "arxiv_id", "day", "categories"),
    [
        ("2601.22400 2026-05-11 quant-ph cs.AI", "2601.22400", "2026-05-11", ("quant-ph", "cs.AI")),
        ("2601.22400v2 2026-5-1 cs.LG", "2601.22400", "2026-05-01", ("cs.LG",)),
        ("arXiv:2601.22400 15 Jul 2026 cs.LG, stat.ML", "2601.22400", "2026-07-15", ("cs.LG", "stat.ML")),
        ("[12] arXiv:2601.22400v11 2026年7月15日 [cs.LG]", "2601.22400", "2026-07-15", ("cs.LG",)),
        ("https://arxiv.org/abs/2601.22400v1 2026/07/15", "2601.22400", "2026-07-15", ()),
        ("2601.22400", "2601.22400", None, ()),
        ("2601.22400 cs.CL", "2601.22400", None, ("cs.CL",)),
        ("cs/0112017 2001-12-11 cs.CL", "cs/0112017", "2001-12-11", ("cs.CL",)),
        ("math.GT/0309136v1 2003-09-08 math.GT", "math/0309136", "2003-09-08", ("math.GT",)),
        ("hep-th/9901001 1999-01-01 hep-th nlin.CD", "hep-th/9901001", "1999-01-01", ("hep-th", "nlin.CD")),
        ("2601.22400 2026-5-1 cond-mat.mtrl-sci", "2601.22400", "2026-05-01", ("cond-mat.mtrl-sci",)),
        ("2601.22400 2026-05-11 cs.LG cs.AI cs.LG", "2601.22400", "2026-05-11", ("cs.LG", "cs.AI")),
    ],
)
@pytest.mark.parametrize("place", ["above", "below-title", "below-authors"])
def test_meta_line(
    meta: str, arxiv_id: str, day: str | None, categories: tuple[str, ...], place: str
) -> None:
    title, rest = HEAD.split("\n\n", 1)
    text = {
        "above": f"{meta}\n\n{HEAD}",
        "below-title": f"{title}\n\n{meta}\n\n{rest}",
        "below-authors": f"{HEAD}{meta}\n\n",
    }[place]
    record = one(f"{text}AI总结 一句话。")
    assert (record.title_en, record.title_zh, record.authors) == (
        "An English Title",
        "一个中文标题",
        ("Ann Lee", "Bob Ray"),
    )
    assert record.arxiv_id == arxiv_id
    assert (record.date.isoformat() if record.date else None) == day
    assert record.categories == categories


def test_labels_for_everything() -> None:
    record = one(
        "标题：An English Title\n中文标题：一个中文标题\n作者：Ann Lee, Bob Ray\nDate: 15 Jul 2026\n"
        "arXiv: 2601.22400v3\nCategories: cs.LG; stat.ML\nAI总结：一句话。\n英文总结：One sentence.\n链接：https://github.com/a/b\n"
    )
    assert (record.title_en, record.title_zh, record.authors) == (
        "An English Title",
        "一个中文标题",
        ("Ann Lee", "Bob Ray"),
    )
    assert (record.arxiv_id, str(record.date), record.categories) == (
        "2601.22400",
        "2026-07-15",
        ("cs.LG", "stat.ML"),
    )
    assert (record.summary_zh, record.summary_en) == ("一句话。", "One sentence.")
    assert [link.url for link in record.links] == ["https://github.com/a/b"]


def test_abstracts_of_several_paragraphs_end_before_the_next_paper() -> None:
    text = (
        f"{HEAD}AI总结 一句话。\n\n详情\nAI中文摘要\n\n第一段。\n\n第二段。\n\n英文摘要\n\n"
        "First paragraph.\n\nSecond one.\n\n"
        "Another Paper\n\n另一篇论文\n\nCem Sarı\n\nAI总结 又一句。"
    )
    parsed = parse(text)
    assert (parsed.rejected, parsed.warnings) == ((), ())
    first, second = parsed.records
    assert first.abstract_zh == "第一段。\n第二段。"
    assert first.abstract_en == "First paragraph.\nSecond one."
    assert (second.title_en, second.authors) == ("Another Paper", ("Cem Sarı",))


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("Comments as Natural Logic Pivots: Improve Code Generation", "评论作为自然逻辑支点"),
        ("Comment Ranking for Online Forums", "备注 排序"),
        ("TLDR: Twin Learning for Dimensionality Reduction", "TLDR：用于降维的孪生学习"),
        ("DeMo: Decoupled Momentum Optimization", "DeMo：解耦动量优化"),
        ("LINK: Learning Instance-level Knowledge", "LINK: 学习实例级知识"),
        ("Code: The Missing Link", "代码：缺失的一环"),
        ("Abstract: Reasoning With Graphs", "摘要：基于图的推理"),
        ("Journal References Considered Harmful", "期刊引用有害论"),
        ("Institutions and Incentives", "机构化数据上的激励"),
        ("AI Summaries Cannot Be Trusted", "AI总结的可靠性研究"),
        ("ICLR 2026 in Numbers", "ICLR 2026 统计"),
        ("Details Matter", "详情决定成败"),
        ("2601 Ways to Fail", "2601种失败"),
    ],
)
@pytest.mark.parametrize("with_chinese", [True, False])
def test_titles_that_start_like_a_label(english: str, chinese: str, with_chinese: bool) -> None:
    before = f"{HEAD}AI总结 一句话。\n\nComments 10 pages\n\n"
    title_zh = f"{chinese}\n\n" if with_chinese else ""
    parsed = parse(
        f"{before}{english}\n\n{title_zh}Cem Sarı, Dan Øst\n\nAI总结 又一句。\n\nComments ICLR 2026"
    )
    assert (parsed.rejected, parsed.warnings) == ((), ())
    first, second = parsed.records
    assert first.comments == "10 pages"
    assert second.title_en == english
    assert second.title_zh == (chinese if with_chinese else None)
    assert second.authors == ("Cem Sarı", "Dan Øst")


def test_entities_are_decoded_once() -> None:
    record = one(
        "Q&amp;A for L&eacute;vy &lt;mask&gt; &amp;lt; &#39;x&#39;&nbsp;&#x41;\n\nAnn&nbsp;Lee, Zo&euml; Ray\n\n"
        "机构 * AT&amp;T Labs（AT&amp;T实验室） ； R&amp;D\n\nAI总结 一&lt;二。\n\nComments https://a.example/?x=1&copy=2"
    )
    assert record.title_en == "Q&A for Lévy <mask> &lt; 'x' A"
    assert record.authors == ("Ann Lee", "Zoë Ray")
    assert [(i.name_en, i.name_zh) for i in record.institutions] == [
        ("AT&T Labs", "AT&T实验室"),
        ("R&D", None),
    ]
    assert record.summary_zh == "一<二。"
    assert record.links[0].url == "https://a.example/?x=1&copy=2"


def test_a_wrapped_comment_goes_on_where_it_is_unfinished() -> None:
    record = one(
        f"{HEAD}AI总结 一句话，\n还没有说完。\n\nComments 10 pages, 3 figures,\naccepted at ICLR 2026"
    )
    assert record.summary_zh == "一句话，还没有说完。"
    assert record.comments == "10 pages, 3 figures, accepted at ICLR 2026"


def test_a_collaboration_is_no_author() -> None:
    record = one("A Title\n\nThe X Collaboration: A. One, B. Two\n\nAI总结 一句话。")
    assert record.authors == ("A. One", "B. Two")
    assert record.collaboration == "The X Collaboration"


def test_concatenated_listings(sample_text: str, sample: tuple[Record, ...]) -> None:
    parsed = parse(f"{sample_text}\n{sample_text}")
    assert parsed.records == sample + sample
    assert parsed.records[30].line == parsed.records[0].line + sample_text.count("\n") + 1


def test_dates_are_not_part_of_identity(sample: tuple[Record, ...]) -> None:
    assert replace(sample[0], line=99) == sample[0]
