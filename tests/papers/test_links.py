"""Addresses in comments."""

from __future__ import annotations

import pytest

from bot.papers.links import find_links


@pytest.mark.parametrize(
    ("text", "kind", "url"),
    [
        ("Code: https://github.com/a/b.", "code", "https://github.com/a/b"),
        ("(https://github.com/a/b)", "code", "https://github.com/a/b"),
        ("see https://github.com/a/b, and", "code", "https://github.com/a/b"),
        ("https://github.com/a/b；", "code", "https://github.com/a/b"),
        ("代码：https://github.com/a/b。", "code", "https://github.com/a/b"),
        ("https://en.wikipedia.org/wiki/Attention_(machine_learning)", "other", "https://en.wikipedia.org/wiki/Attention_(machine_learning)"),
        ("(see https://en.wikipedia.org/wiki/Attention_(machine_learning)).", "other", "https://en.wikipedia.org/wiki/Attention_(machine_learning)"),
        (r"Project page: \url{https://x.github.io/augs}", "project", "https://x.github.io/augs"),
        (r"Code is available at: \url{https://x.github.io/projects/FSOD-VFM}", "code", "https://x.github.io/projects/FSOD-VFM"),
        (r"$\href{https://iclr.cc/virtual/2026/poster/10011763}{\text{this URL}}$", "paper", "https://iclr.cc/virtual/2026/poster/10011763"),
        (r"\href{github.com/a/b\_c}{code}", "code", "https://github.com/a/b_c"),
        ("code at github.com/a/b", "code", "https://github.com/a/b"),
        ("demo: https://huggingface.co/spaces/a/b", "demo", "https://huggingface.co/spaces/a/b"),
        ("https://huggingface.co/spaces/a/b", "demo", "https://huggingface.co/spaces/a/b"),
        ("Dataset: https://huggingface.co/datasets/a", "other", "https://huggingface.co/datasets/a"),
        ("Code and models: https://huggingface.co/a", "code", "https://huggingface.co/a"),
        ("Code and dataset: https://github.com/a/b", "code", "https://github.com/a/b"),
        ("project page: https://example.org/x_project/", "project", "https://example.org/x_project/"),
        ("https://sites.google.com/view/x", "project", "https://sites.google.com/view/x"),
        ("The original paper link is: https://openreview.net/pdf?id=tdN42GTv4S The", "openreview", "https://openreview.net/pdf?id=tdN42GTv4S"),
        ("project https://arxiv.org/abs/2601.01234", "arxiv", "https://arxiv.org/abs/2601.01234"),
        ("https://doi.org/10.1145/1.2", "paper", "https://doi.org/10.1145/1.2"),
        ("https://example.org/a.pdf", "paper", "https://example.org/a.pdf"),
        ("https://example.org/a?b=c&d=e#f", "other", "https://example.org/a?b=c&d=e#f"),
        ("**https://example.org/a**", "other", "https://example.org/a"),
        ("HTTPS://Example.org/A", "other", "HTTPS://Example.org/A"),
        ("https://例子.com/路径 尾", "other", "https://例子.com/路径"),
    ],
)  # fmt: skip
def test_one_address(text: str, kind: str, url: str) -> None:
    (link,) = find_links(text)
    assert (link.kind, link.url) == (kind, url)


def test_several_each_once_in_order() -> None:
    links = find_links("code: https://github.com/a/b demo: https://x.org/d code again https://github.com/a/b")
    assert [(link.kind, link.url) for link in links] == [
        ("code", "https://github.com/a/b"),
        ("demo", "https://x.org/d"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "10 pages / 3 figures",
        "http://",
        "https://localhost/x",
        "javascript:alert(1)",
        "ftp://a.b/c",
        "https://[::1",
        "https://)))",
        "a@github.com/x",
        "https://" + ")" * 100_000,
    ],
)
def test_no_address(text: str) -> None:
    assert find_links(text) == ()
