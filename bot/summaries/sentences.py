"""Sentences of an English abstract.

Promises: the sentences joined give the text back (but for blanks); no split inside maths, brackets, a number, an
abbreviation or a citation. Leaves to `excerpt`: which one to take.
"""

from __future__ import annotations

import re

# Words before a full stop that ends no sentence.
_ABBREVIATIONS = frozenset({
    "e.g", "i.e", "et", "al", "etc", "cf", "vs", "viz", "resp", "approx", "w.r.t", "s.t", "i.i.d", "a.k.a",
    "fig", "figs", "eq", "eqs", "eqn", "sec", "tab", "ref", "refs", "no", "nos", "vol", "dr", "prof", "mr",
    "mrs", "ms", "st", "jr", "sr", "inc", "ltd", "co", "corp", "dept", "univ", "ph.d", "m.sc", "u.s",
    "u.k", "p", "pp", "ca", "incl", "max", "min", "avg",
})  # fmt: skip
_END = re.compile(r"[.!?]+[)\]}\"'”’»]*(?=\s|$)|[。！？]+")
_OPENING = re.compile(r"[\"'“‘«(\[{$\\]*(?:[A-Z0-9]|[a-z]+[A-Z]|\W*$|[^\x00-\x7f])")
_CLOSERS = {")": "(", "]": "[", "}": "{"}


def sentences(text: str) -> list[str]:
    """The sentences of a text, in order, each on one line."""
    text = " ".join(text.split())
    found = []
    start = 0
    for match in _END.finditer(text):
        if _ends(text, start, match):
            found.append(text[start : match.end()].strip())
            start = match.end()
    rest = text[start:].strip()
    return [*found, rest] if rest else found


def _ends(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether a mark ends the sentence that began at `start`."""
    if match[0][0] in "。！？":
        return True
    if _inside(text[start : match.start() + 1]):
        return False
    if (
        match[0].startswith(".")
        and not match[0].startswith("..")
        and _abbreviated(text[start : match.start()])
    ):
        return False
    return bool(_OPENING.match(text[match.end() :].lstrip()))


def _inside(part: str) -> bool:
    """Whether maths or a bracket that was opened in this part is still open."""
    if re.sub(r"\\\$", "", part).count("$") % 2:
        return True
    open_brackets: list[str] = []
    for character in part:
        if character in "([{":
            open_brackets.append(character)
        elif character in _CLOSERS and open_brackets and open_brackets[-1] == _CLOSERS[character]:
            open_brackets.pop()
    # A bracket that is never closed would swallow everything: after a long way it is taken for a slip.
    return bool(open_brackets) and len(part) - part.rfind(open_brackets[-1]) < 200


def _abbreviated(before: str) -> bool:
    word = re.split(r"[\s(\[{]", before[-40:])[-1]
    if not word:
        return True
    last = word.lstrip("\"'“‘").rstrip(".").casefold()
    single_letter = len(last) == 1 and last.isalpha() and last != "i"
    return last in _ABBREVIATIONS or single_letter
