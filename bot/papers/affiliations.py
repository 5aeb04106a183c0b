"""Institutions as listings print them: an English name with a Chinese one in brackets, many on a line.

Promises: nested brackets stay whole, brackets of the English name stay with it, cells that name nothing give
nothing and a sentence why. Leaves to `bot.institutions`: which organisation a name means.
"""

from __future__ import annotations

import re
from functools import lru_cache

from bot.papers.model import Affiliation

_OPEN = {"(": ")", "（": "）", "[": "]", "［": "］", "【": "】"}
_CLOSE = frozenset(_OPEN.values())
_BRACKET = re.compile(r"[()（）\[\]［］【】;；]")
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W_]{3,}")
_JUNK = re.compile(
    r"n\s*/?\s*a|nan|null|none|unknown|not (?:listed|available)|tbd|无|未知|暂无|不详|未提供|未列出",
    re.IGNORECASE,
)
_LIMIT = 1_000  # characters; a longer "institution" is some other text
_MANY = 100


def split_affiliations(text: str) -> tuple[tuple[Affiliation, ...], list[str]]:
    """Split the value of the institutions label.

    Returns:
        The institutions in their order, each once, and sentences about cells that name none.
    """
    text = text.strip(" *")
    while text.endswith(("纠错", "糾錯")):
        text = text[:-2].rstrip(" *。")
    found: dict[Affiliation, None] = {}
    notes: list[str] = []
    for piece in _pieces(text):
        affiliation, note = read_affiliation(piece)
        if affiliation:
            found[affiliation] = None
        if note:
            notes.append(note)
    if len(found) > _MANY:
        notes.append(f"{len(found)} institutions on one paper")
    return tuple(found), notes


def _pieces(text: str) -> list[str]:
    """Cut at semicolons outside brackets, and at blanks after a bracket that closes a Chinese name."""
    if (usual := _usual_pieces(text)) is not None:
        return usual
    if not is_balanced(text):
        return [piece for piece in re.split("[;；]", text) if piece.strip()]
    pieces: list[str] = []
    start = depth = opened = 0
    for match in _BRACKET.finditer(text):
        char, at = match[0], match.start()
        if char in _OPEN:
            if depth == 0:
                opened = at
            depth += 1
        elif char in _CLOSE:
            depth -= 1
            if (
                depth == 0
                and text[at + 1 : at + 2] == " "
                and _is_translation(text[start:opened], text[opened : at + 1])
            ):
                pieces.append(text[start : at + 1])
                start = at + 1
        elif depth == 0:
            pieces.append(text[start:at])
            start = at + 1
    pieces.append(text[start:])
    return [piece for piece in pieces if piece.strip(" ;；")]


def _usual_pieces(text: str) -> list[str] | None:
    """Full-width brackets and semicolons only, no semicolon inside a bracket, no blank as a separator."""
    if "(" in text or "[" in text or ";" in text or "【" in text or "［" in text or ")" in text:
        return None
    pieces = [piece.strip() for piece in text.split("；")]
    if any(piece.count("（") != piece.count("）") or "） " in piece or piece[:1] == "）" for piece in pieces):
        return None
    return [piece for piece in pieces if piece]


def is_balanced(text: str) -> bool:
    """Whether every bracket is closed in order, a half-width one closing a full-width one at will."""
    depth = 0
    for match in _BRACKET.finditer(text):
        if match[0] in _OPEN:
            depth += 1
        elif match[0] in _CLOSE:
            depth -= 1
            if depth < 0:
                return False
    return depth == 0


@lru_cache(maxsize=16_384)
def read_affiliation(piece: str) -> tuple[Affiliation | None, str | None]:
    """Read one institution; ``None`` with a sentence when the text names none."""
    piece = piece.strip(" ;；,，*")
    short = piece if len(piece) <= 60 else f"{piece[:59]}…"
    if not _LETTER.search(piece) or _JUNK.fullmatch(piece.strip("[]()（） ")):
        return None, f"no institution in “{short}”"
    if len(piece) > _LIMIT:
        return None, f"an institution of {len(piece)} characters was left out: “{short}”"
    if not is_balanced(piece):
        return Affiliation(piece), f"unbalanced brackets in “{short}”"
    name, inner = _split_last_bracket(piece)
    if inner is None:
        return Affiliation(piece), None
    if _HAN.search(name) and not _HAN.search(inner) and _LETTER.search(inner):
        # Printed the other way round: 清华大学（Tsinghua University）.
        return Affiliation(inner, name), None
    return Affiliation(name, inner), None


def _split_last_bracket(piece: str) -> tuple[str, str | None]:
    """The name before the bracket group at the end, and the group's inside if it is the name's translation."""
    if piece[-1] not in _CLOSE:
        return piece, None
    depth = 0
    opened = -1
    for match in reversed(list(_BRACKET.finditer(piece))):
        if match[0] in _CLOSE:
            depth += 1
        elif match[0] in _OPEN:
            depth -= 1
            if depth == 0:
                opened = match.start()
                break
    name, group = piece[:opened], piece[opened:]
    inner = group[1:-1].strip()
    turned = _HAN.search(name) and not _HAN.search(inner) and len(inner.split()) > 1
    if opened <= 0 or not name.strip() or not inner or not (turned or _is_translation(name, group)):
        return piece, None
    return name.strip(), inner


def _is_translation(name: str, group: str) -> bool:
    """Whether a bracket group holds the name in the other language, not a part of the name such as ``(Amii)``.

    Chinese characters say so. A group of Latin letters is a "translation" that was left as it is when it shares
    a word with the name, as in ``Paradigm（4Paradigm）``; ``Harbin Institute of Technology (Shenzhen)`` isn't.
    """
    if _HAN.search(group):
        return not _HAN.search(name) or group[0] in "（("
    if group[0] == "(" and name.endswith(" "):
        return False
    inner = group[1:-1].casefold()
    return any(word in inner for word in _WORD.findall(name.casefold()))
