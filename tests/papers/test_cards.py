"""The site's HTML cards."""

from __future__ import annotations

import html
from datetime import date

import pytest

from bot.papers.files import parse_bytes
from bot.papers.listing import Parsed
from bot.papers.model import Affiliation, Link, Record, Status

CARD = """
<article class="paper-card is-new" data-paper-updated="2026-05-20">
  <div class="meta"><a href="https://arxiv.org/abs/2605.18899v2">2605.18899</a><span>2026-05-20</span>
    <span>cs.LG</span><span>cs.AI</span></div>
  <h2><a href="/p/1">Don&#39;t Let Q&amp;amp;A &lt;mask&gt; L&eacute;vy <em>Ban</em>dit Feedback</a></h2>
  <p class="title-cn">不要让多臂老虎机反馈</p>
  <p class="authors">Taesan Kim, Hyeongjun Yun</p>
  <p class="affiliations"><span class="label">发表机构 *</span>
    <span class="affiliation-item">SK Telecom（SK电信）</span
    ><span class="affiliation-item">KAIST（韩国科学技术院）</span>
    <button>纠错</button></p>
  <p class="summary"><span class="summary-label">AI总结</span>：本文提出了一种框架。</p>
  <p><b>Comments</b> Accepted at ICLR 2026;
    code: <a href="https://github.com/x/y">https://github.com/x/y</a></p>
  <details><summary>详情</summary><h4>AI中文摘要</h4><p>中文。</p>
    <h4>英文摘要</h4><p>One.</p><p>Two.</p></details>
  <a href="https://arxiv.org/pdf/2605.18899v2">PDF</a> <a href="javascript:alert(1)">share</a>
</article>"""


def page(*cards: str) -> Parsed:
    head = "<!DOCTYPE html>\n<html><head><script>var x = 'AI总结 y';</script></head>"
    text = f"{head}<body>{''.join(cards)}</body></html>"
    return parse_bytes(text.encode(), name="x.html")


def only(*cards: str) -> Record:
    parsed = page(*cards)
    assert parsed.rejected == ()
    assert parsed.warnings == ()
    (record,) = parsed.records
    return record


def test_a_full_card() -> None:
    record = only(CARD)
    assert record.title_en == "Don't Let Q&amp;A <mask> Lévy Bandit Feedback"
    assert record.title_zh == "不要让多臂老虎机反馈"
    assert record.authors == ("Taesan Kim", "Hyeongjun Yun")
    assert record.institutions == (
        Affiliation("SK Telecom", "SK电信"),
        Affiliation("KAIST", "韩国科学技术院"),
    )
    assert record.summary_zh == "本文提出了一种框架。"
    assert record.comments == "Accepted at ICLR 2026; code: https://github.com/x/y"
    assert (record.arxiv_id, record.date) == ("2605.18899", date(2026, 5, 20))
    assert record.categories == ("cs.LG", "cs.AI")
    assert (record.abstract_zh, record.abstract_en) == ("中文。", "One.\nTwo.")
    assert record.venue is not None
    assert record.venue.status is Status.ACCEPTED
    assert record.links == (
        Link("code", "https://github.com/x/y"),
        Link("arxiv", "https://arxiv.org/abs/2605.18899v2"),
        Link("arxiv", "https://arxiv.org/pdf/2605.18899v2"),
    )
    assert record.line == 3


@pytest.mark.parametrize(
    "stamp",
    ["2026-05-20", "2026-5-20", "2026-05-20T23:59:59Z", "2026-05-20 08:00", "1779235200", "1779235200000"],
)
def test_stamps_of_a_card(stamp: str) -> None:
    assert only(CARD.replace('updated="2026-05-20"', f'updated="{stamp}"')).date == date(2026, 5, 20)


def test_a_minimal_card() -> None:
    record = only(
        '<article class="paper-card"><h2>A</h2><p class="authors">Ann Lee</p>'
        '<p class="summary"><span class="summary-label">AI总结</span>一。</p></article>'
    )
    assert (record.title_en, record.title_zh, record.authors, record.summary_zh) == (
        "A",
        None,
        ("Ann Lee",),
        "一。",
    )
    assert (record.date, record.arxiv_id, record.institutions, record.comments) == (None, None, (), None)


def test_authors_in_elements_of_their_own() -> None:
    card = CARD.replace("Taesan Kim, Hyeongjun Yun", "<a>Taesan Kim</a><a>Hyeongjun Yun</a>")
    assert only(card).authors == ("Taesan Kim", "Hyeongjun Yun")
    card = CARD.replace("Taesan Kim, Hyeongjun Yun", "<a>Taesan Kim</a>, <a>Hyeongjun Yun</a>")
    assert only(card).authors == ("Taesan Kim", "Hyeongjun Yun")


def test_broken_cards_are_rejected_with_their_line_and_the_rest_loads() -> None:
    no_title = CARD.replace("<h2>", "<h6>").replace("</h2>", "</h6>")
    bad_date = CARD.replace('updated="2026-05-20"', 'updated="someday"')
    parsed = page(no_title, bad_date, CARD)
    assert len(parsed.records) == 1
    assert [(r.line, r.reason) for r in parsed.rejected] == [
        (3, "no English title above the summary"),
        (3 + CARD.count("\n"), "the date “someday” can't be read"),
    ]


def test_what_a_card_says_beside_is_reported() -> None:
    parsed = page(CARD.replace("<details>", "<p>mystery</p><details>"))
    assert parsed.warnings == ("x.html: line 3: not understood: “mystery”",)


def test_unclosed_cards_are_read_one_by_one() -> None:
    unclosed = CARD.replace("</article>", "").replace("</p>", "")
    parsed = page(*[unclosed.replace("Feedback", f"Feedback {number}") for number in range(4)])
    assert [record.title_en[-10:] for record in parsed.records] == [
        f"Feedback {number}" for number in range(4)
    ]
    assert all(record.authors == ("Taesan Kim", "Hyeongjun Yun") for record in parsed.records)
    assert parsed.rejected == ()


def test_a_page_of_endless_depth_is_refused() -> None:
    parsed = page("<div>" * 100_000, CARD)
    assert parsed.records == ()
    assert [rejection.reason for rejection in parsed.rejected] == ["the page leaves 100000 elements open"]


def test_a_page_without_cards_is_read_as_its_text(sample_text: str, sample: tuple[Record, ...]) -> None:
    body = "".join(f"<p>{html.escape(line)}</p>\n" for line in sample_text.split("\n") if line)
    parsed = parse_bytes(f"<html><body><main>{body}</main></body></html>".encode(), name="x.html")
    assert parsed.records == sample
    assert parsed.warnings == ()


def test_cards_of_the_whole_sample(sample: tuple[Record, ...]) -> None:
    def card(record: Record) -> str:
        items = "".join(
            f'<span class="affiliation-item">{html.escape(i.name_en)}{f"（{i.name_zh}）" if i.name_zh else ""}</span>'
            for i in record.institutions
        )
        more = [
            f"<p>{label} {html.escape(text)}</p>"
            for label, text in (("Comments", record.comments), ("Journal ref", record.journal_ref))
            if text
        ]
        return (
            f'<article class="paper-card"><h2>{html.escape(record.title_en)}</h2>'
            f'<p class="title-cn">{record.title_zh}</p><p class="authors">{", ".join(record.authors)}</p>'
            f'<div>机构 * {items} 纠错</div><p class="summary"><span class="summary-label">AI总结</span> '
            f"{record.summary_zh}</p>{''.join(more)}</article>"
        )

    parsed = page(*map(card, sample))
    assert parsed.records == sample
    assert (parsed.rejected, parsed.warnings) == ((), ())
