r"""The addresses in a paper's comments, and what each one leads to.

Promises: an address as it works in a browser: trailing punctuation and unmatched brackets off, matched ones
kept, ``\url{…}`` and ``\href{…}{…}`` read. Leaves to `bot.render`: making an address safe to post.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from bot.papers.model import Link

_HOSTS = (
    r"(?:www\.)?(?:github\.com|gitlab\.com|huggingface\.co|arxiv\.org|openreview\.net)|[\w-]+\.github\.io"
)
_ADDRESS = re.compile(
    rf"\\(?:url|href)\s*\{{(?P<wrapped>[^{{}}\s]+)\}}|(?P<plain>https?://[^\s<>\"“”‘’（）【】《》，。；、！？]{{1,2000}})"
    rf"|(?<![\w./@-])(?P<bare>(?:{_HOSTS})/[^\s<>\"“”‘’（）【】《》，。；、！？]{{1,2000}})",
    re.IGNORECASE,
)
_MAYBE_BARE = re.compile(r"\.[a-z]{2,3}/|\\(?:url|href)", re.IGNORECASE)
_PAIRS = {")": "(", "]": "[", "}": "{"}
_TEX = re.compile(r"\\([_%#&~])")

_KIND_OF_HOST: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("arxiv", re.compile(r"(?:^|\.)(?:arxiv\.org|ar5iv\.(?:org|labs\.arxiv\.org)|alphaxiv\.org)$")),
    ("openreview", re.compile(r"(?:^|\.)openreview\.net$")),
    (
        "code",
        re.compile(
            r"(?:^|\.)(?:github\.com|gitlab\.\w+|bitbucket\.org|codeberg\.org|gitee\.com|4open\.science)$"
        ),
    ),
    ("demo", re.compile(r"(?:^|\.)(?:hf\.space|colab\.research\.google\.com|streamlit\.app|gradio\.\w+)$")),
    (
        "project",
        re.compile(
            r"(?:\.(?:github|gitlab)\.io|\.notion\.site|\.netlify\.app|\.vercel\.app|^sites\.google\.com)$"
        ),
    ),
    (
        "paper",
        re.compile(
            r"(?:^|\.)(?:iclr\.cc|doi\.org|aclanthology\.org|proceedings\.mlr\.press|openaccess\.thecvf\.com)$"
        ),
    ),
)
# Words just before an address say what it is; the last one wins.
_WORDS = re.compile(
    r"(?P<demo>\bdemos?\b|演示|\bplayground\b|\blive\b)|(?P<project>\bproject\b|\bhome\s?page\b|\bweb\s?(?:site|page)\b|项目|主页)"
    r"|(?P<code>\bcodes?\b|\bimplementation\b|\brepo(?:sitory)?\b|\bsource\b|代码|开源)|(?P<paper>\bpaper\b|\bpdf\b|论文)"
    r"|(?P<other>\bdata\s?sets?\b|\bbenchmark\b|\bleaderboard\b|\bvideos?\b|\bslides?\b|\bblogs?\b|\bweights\b|\bcheckpoints?\b|数据集)",
    re.IGNORECASE,
)


def find_links(text: str) -> tuple[Link, ...]:
    """Every address in a text in its order, each once, with its kind by host and by the words before it."""
    if "://" not in text and not _MAYBE_BARE.search(text):
        return ()
    links: dict[str, Link] = {}
    end = 0
    for match in _ADDRESS.finditer(text):
        url = _trim(match["wrapped"] or match["plain"] or f"https://{match['bare']}")
        if match["wrapped"] and "://" not in url:
            url = f"https://{url}"
        before, end = text[max(end, match.start() - 60) : match.start()], match.end()
        if _is_web(url) and url not in links:
            links[url] = Link(link_kind(url, before), url)
    return tuple(links.values())


def _trim(url: str) -> str:
    url = _TEX.sub(r"\1", url.replace("\\~{}", "~").replace("{\\~}", "~"))
    while url:
        last = url[-1]
        if last in ".,;:!?'\"*`$|\\" or (last in _PAIRS and url.count(last) > url.count(_PAIRS[last])):
            url = url[:-1]
        else:
            break
    # An unmatched opening bracket belongs to the sentence: "https://x.org/a(see".
    for closing, opening in _PAIRS.items():
        if url.count(opening) > url.count(closing):
            url = url[: url.rindex(opening)]
    return url


def _is_web(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme.lower() in ("http", "https") and "." in (parts.hostname or "")


def link_kind(url: str, before: str = "") -> str:
    """What an address leads to: paper, arxiv, openreview, code, demo, project or other.

    Args:
        url: an http(s) address.
        before: the text just before it; a word such as "demo" there says more than the host does.
    """
    parts = urlsplit(url)
    host = (parts.hostname or "").lower()
    by_host = next((kind for kind, pattern in _KIND_OF_HOST if pattern.search(host)), "")
    if by_host in ("arxiv", "openreview"):
        return by_host
    words = [match.lastgroup for match in _WORDS.finditer(re.split(r"[;；。]|\.\s", before)[-1])]
    if words and words[-1]:
        return _settle(words, by_host)
    if host.endswith("huggingface.co"):
        return "demo" if parts.path.startswith("/spaces/") else "other"
    if not by_host and parts.path.lower().endswith(".pdf"):
        return "paper"
    return by_host or "other"


def _settle(words: list[str | None], by_host: str) -> str:
    # "Code and dataset: github.com/…" is code: the host decides among several words.
    if by_host and by_host in words:
        return by_host
    return words[0] if len(words) > 1 and words[0] == "code" else str(words[-1])
