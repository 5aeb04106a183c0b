"""Short listings for tests, in the format of the site."""

from __future__ import annotations


def entry(
    title: str,
    *,
    zh: str = "关于测试的论文",
    authors: str = "Ada Lovelace, Alan Turing",
    institutions: str = "ETH Zurich（苏黎世联邦理工学院）",
    comments: str = "Accepted at ICLR 2026",
) -> str:
    """One entry; `zh` or `institutions` may be empty."""
    lines = [title, zh, authors, f"机构 * {institutions} 纠错" if institutions else ""]
    lines += ["AI总结 本文研究测试。", f"Comments {comments}"]
    return "\n\n".join(line for line in lines if line)


def listing(*entries: str) -> str:
    """A listing of entries."""
    return "\n\n".join(("ICLR", *entries)) + "\n"
