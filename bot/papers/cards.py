"""The listing site's HTML: one card a paper.

Promises: never raises; entities are decoded once, by the HTML parser; whatever a card says beside its known
elements is read like the lines of a text listing, so nothing is dropped silently. A page without cards is read as
text. Leaves to `listing` and `drafts`: labels, fields and rejections.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from selectolax.lexbor import LexborHTMLParser, LexborNode

from bot.papers.clean import clean_line, clean_lines
from bot.papers.drafts import Built, Draft, Rejection, build
from bot.papers.identity import canonical_arxiv_id
from bot.papers.labels import Kind, Line, read_line
from bot.papers.links import find_links
from bot.papers.listing import Collected, Parsed, parse_lines
from bot.papers.model import Link, Record

_HTML = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body|main|div|section|article|ul|ol|table|p)\b",
    re.IGNORECASE | re.DOTALL,
)
_CARD_TAG = re.compile(r"<article\b[^>]*\bpaper-card\b", re.IGNORECASE)
_CARDS = "article.paper-card"
_OPEN_LIMIT = 5_000
_CLOSED = ("div", "article", "section", "span", "b>", "i>", "em>", "strong>", "font")
_SKIPPED = frozenset({"script", "style", "template", "noscript", "svg", "button", "nav", "form", "-comment"})
_BLOCKS_WORDS = """
address article aside blockquote br dd details div dl dt figure footer h1 h2 h3 h4 h5 h6 header hr
li main ol p pre section summary table tbody td th tr ul
"""
_BLOCKS = frozenset(_BLOCKS_WORDS.split())
# Often set apart by a style sheet alone. Not so "em" or "sub", which stand inside words.
_APART = frozenset({"a", "span", "time", "label", "button"})
_BUTTONS = frozenset({"arxiv", "[pdf]", "code", "github", "代码", "论文", "原文", "链接", "项目", "项目主页"})
_LABELS = {"abstract-cn": Kind.ABSTRACT_ZH, "abstract-zh": Kind.ABSTRACT_ZH, "abstract-en": Kind.ABSTRACT_EN}


def looks_like_html(text: str) -> bool:
    """Whether a text is an HTML page or a piece of one."""
    head = text[:4096].lstrip("\ufeff\u200b")
    return bool(_HTML.match(head)) or bool(_CARD_TAG.search(text[: 1 << 20]))


def parse_html(text: str, *, name: str) -> Parsed:
    """Read every card of a page; a page without cards is read as the text that it shows.

    Args:
        text: the page, decoded.
        name: the file's name, for rejections and warnings; lines are those of the page's source.
    """
    if (left_open := _left_open(text)) > _OPEN_LIMIT:
        return Parsed(rejected=(Rejection(name, 1, f"the page leaves {left_open} elements open"),))
    tree = LexborHTMLParser(text.replace("\0", ""))
    cards = tree.css(_CARDS)
    if not cards:
        shown = "\n".join(_lines_of(tree.body)) if tree.body else ""
        return parse_lines(clean_lines(shown, [], entities=False), name=name)
    # From the last card to the first, each one taken out once it is read: an unclosed card holds those after it.
    built: list[Built] = []
    for card, line in zip(reversed(cards), reversed(_card_lines(text, len(cards))), strict=True):
        built.append(_read_card(card, line, name))
        card.decompose()
    collected = Collected(name)
    for result in reversed(built):
        collected.add(result)
    return collected.parsed([])


def _left_open(text: str) -> int:
    """How many elements that need a closing tag have none; depth costs the HTML parser quadratic time."""
    lower = text.lower()
    return max(lower.count(f"<{tag}") - lower.count(f"</{tag.strip('>')}>") for tag in _CLOSED)


def _card_lines(text: str, count: int) -> list[int]:
    """The source line on which each card starts; the parser itself keeps no positions."""
    lines, last, number = [], 0, 1
    for match in _CARD_TAG.finditer(text):
        number += text.count("\n", last, match.start())
        last = match.start()
        lines.append(number)
    return (lines + [number] * count)[:count]


def _read_card(card: LexborNode, line: int, file: str) -> Built:
    draft = Draft(headless_at=line)
    title = _take(card, "h2, h3, .title, .title-en")
    if title:
        draft.title = Line(Kind.TEXT, line, title, title)
    if title_zh := _take(card, ".title-cn, .title-zh"):
        draft.title_zh = Line(Kind.TEXT, line, title_zh, title_zh)
    if authors := _authors(card):
        draft.authors = Line(Kind.TEXT, line, authors, authors)
    links = _addresses(card)
    _drop_buttons(card)
    draft.lines = [*_known(card, line), *_rest(card, line)]
    if updated := clean_line(card.attributes.get("data-paper-updated") or ""):
        draft.lines = [item for item in draft.lines if item.kind is not Kind.DATE]
        draft.lines.append(Line(Kind.DATE, line, updated, updated))
    built = build(draft, file)
    if isinstance(built.record, Record):
        built.record = _with_links(built.record, links, card)
    return built


def _take(card: LexborNode, selector: str) -> str:
    """The text of the first element that matches, which is taken out of the card."""
    node = card.css_first(selector)
    if node is None:
        return ""
    text = _text_of(node)
    node.decompose()
    return text


def _authors(card: LexborNode) -> str:
    """The list of authors; names in elements of their own get the commas that a style sheet draws."""
    node = card.css_first(".authors")
    if node is None:
        return ""
    names = [text for child in node.iter() if (text := _text_of(child))]
    whole = _take(card, ".authors")
    return whole if len(names) < 2 or re.search("[,，、;；]", whole) else ", ".join(names)


def _text_of(node: LexborNode) -> str:
    return " ".join(_lines_of(node))


def _known(card: LexborNode, line: int) -> Iterator[Line]:
    """The elements that have a class of their own, as labelled lines."""
    items = [text for node in card.css(".affiliation-item") if (text := _text_of(node).strip(" ;；"))]
    if items:
        yield Line(Kind.INSTITUTIONS, line, "机构", " ； ".join(items))
        for node in card.css(".affiliation-item"):
            node.decompose()
    for node in card.css(".summary"):
        for label in node.css(".summary-label"):
            label.decompose()
        text = _text_of(node)
        node.decompose()
        found = read_line(text, line) if text else None
        value = found.value if found and found.kind is Kind.SUMMARY_ZH else text
        yield Line(Kind.SUMMARY_ZH, line, text, value.lstrip(":： "))
    for name, kind in _LABELS.items():
        if text := _take(card, f".{name}"):
            found = read_line(text, line)
            yield Line(kind, line, text, found.value if found.kind is kind else text)


def _drop_buttons(card: LexborNode) -> None:
    """Take out links that are buttons, such as "PDF" and "share"; their addresses are known by now."""
    for node in card.css("a"):
        text = _text_of(node)
        if not text or text.lower() in _BUTTONS or read_line(text, 0).kind is Kind.NAVIGATION:
            node.decompose()


def _rest(card: LexborNode, line: int) -> Iterator[Line]:
    """Whatever else the card shows, read like the lines of a listing."""
    for text in _lines_of(card):
        found = read_line(text, line)
        # The label whose items were taken out already, and the "纠错" behind it.
        if found.kind is Kind.INSTITUTIONS and not found.value.strip("*；;、 纠错糾錯"):
            continue
        yield found


def _lines_of(node: LexborNode) -> list[str]:
    """The text that an element shows, one line a block."""
    parts: list[str] = []
    stack: list[LexborNode | str] = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            parts.append(item)
        elif item.tag == "-text":
            parts.append(" ".join((item.text_content or "").split("\n")))
        elif item.tag not in _SKIPPED:
            children: list[LexborNode | str] = list(item.iter(include_text=True))
            if item.tag in _BLOCKS:
                children = ["\n", *children, "\n"]
            elif item.tag in _APART:
                children = [" ", *children, " "]
            stack.extend(reversed(children))
    return [line for text in "".join(parts).split("\n") if (line := clean_line(text))]


def _addresses(card: LexborNode) -> list[tuple[str, str]]:
    """(address, its text) of every link in the card that leads to the web."""
    return [
        (href, _text_of(node))
        for node in card.css("a[href]")
        if (href := clean_line(node.attributes.get("href") or "")).lower().startswith(("http://", "https://"))
    ]


def _with_links(record: Record, addresses: list[tuple[str, str]], card: LexborNode) -> Record:
    arxiv_id = record.arxiv_id
    links: dict[str, Link] = {link.url: link for link in record.links}
    for url, text in addresses:
        found = canonical_arxiv_id(url)
        if found and (arxiv_id is None or arxiv_id == found):
            arxiv_id = found
        for link in find_links(f"{text}: {url}"):
            links.setdefault(link.url, link)
    for attribute in ("data-paper-id", "data-arxiv-id", "id"):
        arxiv_id = arxiv_id or canonical_arxiv_id(card.attributes.get(attribute) or "")
    return replace(record, arxiv_id=arxiv_id, links=tuple(links.values()))
