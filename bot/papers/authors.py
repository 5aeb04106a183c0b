"""Printed lists of authors, split into people.

Promises: never raises; a suffix or a particle makes no extra author, a collaboration is kept apart, two people
may share a name. Leaves to `names`: who is who.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.papers.names import PARTICLES, SUFFIX

_INITIALS = re.compile(r"(?:[^\W\d_]\.[\s-]?){1,5}|[A-Z]{1,2}")
_NOT_NAMES_WORDS = """
a an the of for and in on with to from by via at as is are can do does how why what when where
towards toward using beyond without under over between through into university institute college
school department laboratory lab labs center centre academy group inc ltd corp
"""
_NOT_NAMES = frozenset(_NOT_NAMES_WORDS.split())
_MARKS = re.compile(r"(?<=[^\W\d_])[\s,]*[\d*†‡§¶∥⋆★#✉⁰¹²³⁴-⁹]+(?:,[\d*†‡§¶]+)*$|^[*†‡§¶#✉]+\s*")
_AND = re.compile(r"\s+(?:and|und|et|&)\s+(?!al\b)|(?<=[\u4e00-\u9fff])\s*(?:和|与|及)\s*(?=[\u4e00-\u9fff])")
_OTHERS = re.compile(
    r"(?:and\s+)?(?:et\.?\s*al\.?|others|\d+\s+(?:more|others)|等(?:\d+人)?|…|\.\.\.)", re.IGNORECASE
)
_GROUP_WORDS = ("ollaboration", "onsortium", "Group", "Force")
_UPPER = "".join(char for char in map(chr, range(0x41, 0x250)) if char.isupper())
# Superscript digits count as letters for \w; behind a name they are footnote marks.
_LETTER = r"[^\W\d_¹²³⁰⁴-⁹]"
_NAME_WORD = rf"(?:[{_UPPER}]{_LETTER}*(?:[.'’-]{_LETTER}*)*|van|von|de|la|der|den|di|da|dos|del|bin|el|al)"
_PLAIN_LIST = re.compile(rf"{_NAME_WORD}(?: {_NAME_WORD}){{1,4}}(?:, {_NAME_WORD}(?: {_NAME_WORD}){{1,4}})+")
_CAPITAL_STOP = re.compile(
    r"\b(?:A|An|The|Of|For|And|In|On|With|To|From|By|Via|University|Institute|College|Lab|Center|Inc|Ltd)\b(?!\.)"
)
_COLLABORATION = re.compile(
    r"\b(?:collaborations?|consortium|working\s+group|study\s+group|task\s+force)$|(?:合作组|协作组)$",
    re.IGNORECASE,
)
_HAN = "\u3400-\u9fff\U00020000-\U0003ffff"
# Two to four characters, or a transcribed foreign name with its dots.
_HAN_NAME = re.compile(rf"[{_HAN}]{{2,4}}|[{_HAN}]{{1,6}}(?:[·•][{_HAN}]{{1,8}}){{1,3}}")
_HAN_CHARACTER = re.compile(f"[{_HAN}]")
_HAN_IN_BRACKETS = re.compile(rf"\s*[(（][{_HAN}·]{{2,8}}[)）]$")
_LATIN = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class AuthorList:
    """A line of authors. `collaboration` stands apart from the people when there are any."""

    authors: tuple[str, ...]
    collaboration: str | None = None


def split_authors(text: str) -> AuthorList:
    """Split a printed list of authors into people, in their order.

    Takes commas, semicolons, 、 and "and"; ``J. McKay, Jr., A. de la Torre`` are two, ``Smith, J., Doe, A.``
    are two, ``The X Collaboration: A. One, B. Two`` are two and a collaboration. Two people may share a name.
    """
    text = text.strip(" ,;，；、")
    if plain := _plain_list(text):
        return AuthorList(plain)
    collaboration, text = _leading_collaboration(text)
    names = _pieces(text)
    groups = [name for name in names if _COLLABORATION.search(name)]
    people = [name for name in names if not _COLLABORATION.search(name)]
    if collaboration is None and groups and people:
        collaboration = "; ".join(groups)
        names = people
    if not names and collaboration:
        return AuthorList((collaboration,))
    return AuthorList(tuple(names), collaboration)


def _plain_list(text: str) -> tuple[str, ...] | None:
    """The usual case, "Ann Lee, Bob Ray", without a look at every name; ``None`` for any other."""
    if not _PLAIN_LIST.fullmatch(text) or any(word in text for word in _GROUP_WORDS):
        return None
    return tuple(text.split(", "))


def _leading_collaboration(text: str) -> tuple[str | None, str]:
    for colon in (":", "："):
        head, found, rest = text.partition(colon)
        # A short head of words before a list of people: a team, a lab or a collaboration.
        if found and rest.strip() and len(head) <= 80 and "," not in head and ";" not in head:
            return head.strip(), rest.strip()
    return None, text


def _pieces(text: str) -> list[str]:
    if ";" in text or "；" in text:
        # Between semicolons a comma only turns a name round: "Smith, J.; Doe, A.".
        return [name for piece in re.split("[;；]", text) if (name := _tidy(piece))]
    if " and " in text or "&" in text or " und " in text or " et " in text or not text.isascii():
        text = _AND.sub(", ", text)
    raw = [piece.strip() for piece in re.split("[,，、]", text)]
    raw = [piece for piece in raw if piece]
    joined: list[str] = []
    for piece in raw:
        if joined and SUFFIX.fullmatch(piece):
            joined[-1] += f", {piece}"
        else:
            joined.append(piece)
    if _is_turned(joined):
        joined = [f"{joined[i]}, {joined[i + 1]}" for i in range(0, len(joined), 2)]
    return [name for piece in joined if (name := _tidy(piece))]


def _is_turned(pieces: list[str]) -> bool:
    """Whether the pieces alternate between family and given names."""
    if len(pieces) < 2 or len(pieces) % 2 or not _is_single(pieces[0]):
        return False
    given = pieces[1::2]
    if all(_INITIALS.fullmatch(piece) for piece in given):
        return True
    return len(pieces) == 2 and all(_is_single(piece) and piece.isascii() for piece in pieces)


def _is_single(piece: str) -> bool:
    words = piece.split()
    return len([word for word in words if word not in PARTICLES]) == 1


def _tidy(piece: str) -> str:
    name = piece.strip(" ,，;；")
    if not name[-1:].isalpha():
        name = _MARKS.sub("", name).strip()
    if name.startswith("and "):
        name = name[4:].strip()
    if not _LATIN.search(name) or _OTHERS.fullmatch(name):
        return ""
    return name


def name_list_score(line: str) -> int:
    """How much a line looks like a list of authors: 2 a list, 1 perhaps a single name, 0 not at all."""
    if _PLAIN_LIST.fullmatch(line) and not _CAPITAL_STOP.search(line):
        return 2
    if len(line) > 20_000 or "?" in line or "!" in line:
        return 0
    _, text = _leading_collaboration(line)
    pieces = _pieces(text)
    if not pieces:
        return 0
    unlike = [piece for piece in pieces if not _is_name(piece)]
    if len(unlike) > 0.5 * len(pieces) or (
        len(unlike) > 0.2 * len(pieces) and not all(map(_is_small_name, unlike))
    ):
        return 0
    if len(pieces) > 1:
        return 2
    return 1 if text == line else 0


def _is_name(piece: str) -> bool:
    if len(piece) > 70:
        return False
    if not piece.isascii() and _HAN_CHARACTER.search(piece):
        piece = _HAN_IN_BRACKETS.sub("", piece)
        if _HAN_NAME.fullmatch(piece.replace(" ", "")):
            return True
        if _HAN_CHARACTER.search(piece):
            return False
    words = piece.replace(",", " ").split()
    if not 1 <= len(words) <= 7 or any(char.isdigit() or char in ":：=$\\/" for char in piece):
        return False
    return all(map(_is_name_word, words)) and any(word[0].isupper() for word in words)


def _is_small_name(piece: str) -> bool:
    """A name that somebody typed without capitals."""
    words = piece.split()
    return len(words) in (2, 3) and all(word.isalpha() and word not in _NOT_NAMES for word in words)


def _is_name_word(word: str) -> bool:
    if word.lower() in _NOT_NAMES:
        return False
    return (
        word[0].isupper()
        or word in PARTICLES
        or word[0] in "('\"‘“’"
        or word[:2] in ("d'", "d’", "al")
        or "-" in word
    )
