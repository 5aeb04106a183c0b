"""What holds for any text at all."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.papers.affiliations import split_affiliations
from bot.papers.authors import name_list_score, split_authors
from bot.papers.cards import parse_html
from bot.papers.clean import clean_line, clean_lines
from bot.papers.dates import parse_date
from bot.papers.files import ListingError, parse_bytes
from bot.papers.identity import canonical_arxiv_id, keys_of, near_title, openreview_id
from bot.papers.links import find_links
from bot.papers.listing import Parsed, parse_listing
from bot.papers.names import author_key, same_author
from bot.papers.venue import read_venue

PIECES = [
    "ICLR",
    "ICLR 2026",
    "AI总结",
    "AI总结 一句话。",
    "机构 *",
    "机构 * MIT（麻省理工） 纠错",
    "Comments",
    "Comments ICLR 2026",
    "Comments as Titles",
    "Journal ref ICLR 2025",
    "详情",
    "AI中文摘要",
    "英文摘要",
    "英文总结：x",
    "2601.22400 2026-05-11 cs.LG",
    "2601.22400 nonsense",
    "A Title of Mine",
    "Ann Lee, Bob Ray",
    "一个中文标题",
    "Islem Rekik",
    "TLDR: x y",
    "纠错",
    "标题：x",
    "https://github.com/a/b",
    "&lt;b&gt;",
    "\u200b",
    "MÃ¼ller",
    "Date: 03/04/2026",
    "作者：A B",
    "1",
    "---",
    "<p>",
    "�",
]
LISTINGS = st.lists(st.sampled_from(PIECES) | st.text(max_size=30), max_size=40).map("\n".join)


def check(text: str, parsed: Parsed) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert all(record.title_en and 1 <= record.line <= len(lines) for record in parsed.records)
    assert all(rejection.reason and 1 <= rejection.line <= len(lines) for rejection in parsed.rejected)
    for record in parsed.records:
        record.to_json()
        keys_of(record)


@settings(max_examples=300, deadline=None)
@given(LISTINGS)
def test_a_listing_of_odd_pieces_is_read(text: str) -> None:
    check(text, parse_listing(text, name="x"))


@settings(max_examples=300, deadline=None)
@given(LISTINGS)
def test_every_line_is_read_rejected_or_reported(text: str) -> None:
    """A plain word that occurs once is in a record, or in a warning, or its record was rejected."""
    marked = f"{text}\nzyxwvut marker line\n"
    parsed = parse_listing(marked, name="x")
    told = " ".join([*parsed.warnings, *(str(record) for record in parsed.records)])
    assert "zyxwvut" in told or parsed.rejected


@settings(deadline=None)
@given(st.text())
def test_any_text_is_read(text: str) -> None:
    check(text, parse_listing(text, name="x"))


@settings(deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with suppress(ListingError):
        parsed = parse_bytes(data, name="x")
        assert parsed.records or parsed.rejected


@settings(max_examples=100, deadline=None)
@given(LISTINGS.map(lambda text: f"<html><article class='paper-card'><h2>x</h2>{text}</article>"))
def test_any_card_is_read(text: str) -> None:
    parsed = parse_html(text, name="x")
    assert len(parsed.records) + len(parsed.rejected) >= 1


@settings(deadline=None)
@given(st.text(), st.text())
def test_the_small_readers_take_any_text(left: str, right: str) -> None:
    split_affiliations(left)
    split_authors(left)
    name_list_score(left)
    parse_date(left)
    find_links(left)
    read_venue(f"{left} ICLR 2026 {right}", right)
    canonical_arxiv_id(left)
    openreview_id(left)
    assert author_key(left) == author_key(left.swapcase().swapcase()) or left != left.swapcase().swapcase()
    assert near_title(left, right) == near_title(right, left)
    assert same_author(left, right) == same_author(right, left)


@given(st.text())
def test_cleaning_is_stable_and_keeps_the_count_of_lines(text: str) -> None:
    assert clean_line(clean_line(text)) == clean_line(text)
    lines = list(clean_lines(text, [], entities=False))
    assert len(lines) == text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 29), min_size=1, max_size=12))
def test_any_order_of_papers_gives_the_same_papers(order: list[int]) -> None:
    blocks = [
        f"Paper Number {n} of Many\n第{n}篇论文的标题\nAnn{'abcdefghij'[n % 10]} Lee, Bob Ray\nAI总结 第{n}句。"
        for n in range(30)
    ]
    parsed = parse_listing("\n".join(blocks[n] for n in order), name="x")
    assert [record.title_en for record in parsed.records] == [f"Paper Number {n} of Many" for n in order]
    assert [record.summary_zh for record in parsed.records] == [f"第{n}句。" for n in order]
