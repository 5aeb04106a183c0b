"""Personal names: lists of them split into people, and a key under which one person is found.

Promises: never raises; a suffix or a particle makes no extra author, a collaboration is kept apart. The key is the
same for either order, with or without comma, accents, hyphens and middle initials. Leaves to `bot.search`:
misspelt names and suggestions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from bot.text import fold_latin, is_cjk, tokens

_SUFFIX = re.compile(r"(?:jr|sr|ii|iii|iv|ph\.?\s?d|m\.?\s?d|esq)\.?", re.IGNORECASE)
_INITIALS = re.compile(r"(?:[^\W\d_]\.[\s-]?){1,5}|[A-Z]{1,2}")
_PARTICLES_WORDS = """
da das de del della den der des di do dos du el al bin ibn la le lo los las van von vom zu zum zur
af av ten ter 't y e dit mac mc st san
"""
_PARTICLES = frozenset(_PARTICLES_WORDS.split())
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
_COLLABORATION = re.compile(
    r"\b(?:collaborations?|consortium|working\s+group|study\s+group|task\s+force)$|(?:合作组|协作组)$",
    re.IGNORECASE,
)
_HAN_NAME = re.compile(
    r"[\u3400-\u9fff\U00020000-\U0003ffff]{1,3}(?:[\s·•]?[\u3400-\u9fff\U00020000-\U0003ffff]){1,5}"
)
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
    collaboration, text = _leading_collaboration(text.strip().strip(",;，；、").strip())
    names = _pieces(text)
    groups = [name for name in names if _COLLABORATION.search(name)]
    people = [name for name in names if not _COLLABORATION.search(name)]
    if collaboration is None and groups and people:
        collaboration = "; ".join(groups)
        names = people
    if not names and collaboration:
        return AuthorList((collaboration,))
    return AuthorList(tuple(names), collaboration)


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
        if joined and _SUFFIX.fullmatch(piece):
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
    return len([word for word in words if word.lower() not in _PARTICLES]) == 1


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
    if len(line) > 20_000 or "?" in line or "!" in line:
        return 0
    _, text = _leading_collaboration(line)
    pieces = _pieces(text)
    if not pieces:
        return 0
    named = sum(map(_is_name, pieces))
    if named < 0.8 * len(pieces):
        return 0
    if len(pieces) > 1:
        return 2
    return 1 if text == line else 0


def _is_name(piece: str) -> bool:
    if len(piece) > 70:
        return False
    if not piece.isascii() and _HAN_NAME.fullmatch(piece.replace(" ", "")):
        return True
    words = piece.replace(",", " ").split()
    if not 1 <= len(words) <= 7:
        return False
    for word in words:
        if word.lower() in _NOT_NAMES:
            return False
        if word[0].isupper() or word in _PARTICLES or word[:1] in "('\"‘“’":
            continue
        if word[:2] in ("d'", "d’", "al") or "-" in word or _is_han(word):
            continue
        return False
    return not any(char.isdigit() or char in ":=$\\/（" for char in piece) and any(
        w[0].isupper() or _is_han(w) for w in words
    )


def _is_han(word: str) -> bool:
    return not word.isascii() and is_cjk(word)


# --- keys -----------------------------------------------------------------------------------------------

_EAST_ASIAN_WORDS = """
ai an bai bao cai cao chan chang chen cheng cho choi chu cui dai deng ding dong du duan fan fang fei
feng fu gan gao ge geng gong gu guan guo han hao he ho hong hou hsu hu hua huang hwang jang jeon
jeong jia jiang jiao jin jing jo jung kang kim kong ko kuang kwon lai lam lan lee lei leung li lian
liang liao lim lin ling liu long lou lu luo lyu ma mao mei meng miao min ming mo mu na ni nie niu oh
ou pan pang park pei peng pu qi qian qiao qin qiu qu quan ren rong ruan shao shen sheng shi shin shu
si song su suh sui sun tan tang tao teng tian tong tsai tu wan wang wei wen weng wong woo wu xi xia
xian xiang xiao xie xin xing xiong xu xue yan yang yao ye yeung yi yin ying yoo yoon you yu yuan yue
yun zang zeng zha zhai zhan zhang zhao zhen zheng zhong zhou zhu zhuang zhuo zong zou zuo
"""
_EAST_ASIAN = frozenset(_EAST_ASIAN_WORDS.split())
_SYLLABLE = re.compile(r"[bcdfghjklmnpqrstvwxyz]{0,2}[aeiouy]{1,3}(?:ng?|r|k|l|m|p|t|h)?")
_PINYIN = re.compile(r"(?:(?:[bpmfdtnlgkhjqxrzcsyw]|zh|ch|sh)?(?:[aeiouv]{1,3})(?:ng|n|r)?)+")
_SPELT_UMLAUT = re.compile(r"(?<=[ou])e(?=[bcdfghjklmnpqrstvwxz])")
_KEY_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv", "phd", "md", "esq"})


@lru_cache(maxsize=65_536)
def author_key(name: str) -> str:
    """The key of a person's name: equal for the ways in which the same name is written.

    Order, commas, case, accents, hyphens, suffixes and middle initials make no difference: ``Zhang San``,
    ``San Zhang`` and ``zhang, san`` are one, as are ``Jia-Chen Gu`` and ``Jiachen Gu``, ``Müller`` and
    ``Mueller``. A name of Han characters is one string whatever its blanks. ``""`` for text without letters.
    """
    if not name.isascii() and _all_han(name):
        return "".join(tokens(name))
    words = _words(name)
    if not words:
        return "".join(tokens(name))
    full = [word for word in words if len(word) > 1]
    # An initial is left out where enough remains to tell people apart.
    return " ".join(sorted(full if len(full) >= 2 else words))


def _all_han(name: str) -> bool:
    letters = [char for char in name if char.isalpha()]
    return bool(letters) and all(is_cjk(char) for char in letters)


def _words(name: str) -> list[str]:
    family_first = "," in name
    plain = fold_latin(name).replace("-", "").replace("‐", "").replace("‑", "")
    words: list[str] = []
    for word in re.sub(r"['’‘ʼ`´]", "", plain).replace(".", " ").replace(",", " ").split():
        letters = "".join(char for char in word if char.isalnum())
        if letters and letters not in _KEY_SUFFIXES:
            words.append(_without_spelt_umlaut(letters))
    return _join_syllables(words, family_first)


def _without_spelt_umlaut(word: str) -> str:
    # "ue" and "oe" for ü and ö; pinyin such as "xue" has them in their own right.
    if len(word) < 5 or _PINYIN.fullmatch(word):
        return word
    return _SPELT_UMLAUT.sub("", word)


def _join_syllables(words: list[str], family_first: bool) -> list[str]:
    """Join a given name of two syllables that stand apart: ``Jia Chen Gu`` is ``Jiachen Gu``."""
    if len(words) != 3 or not all(_SYLLABLE.fullmatch(word) and len(word) > 1 for word in words):
        return words
    if family_first:
        return [words[0], words[1] + words[2]]
    if words[2] in _EAST_ASIAN:
        return [words[0] + words[1], words[2]]
    if words[0] in _EAST_ASIAN:
        return [words[0], words[1] + words[2]]
    return words


def same_author(left: str, right: str) -> bool:
    """Whether two printed names can be one person: equal keys, or equal but for given names cut to initials.

    ``J. McKay`` and ``John McKay`` can be one; two names of initials only can't be told apart and are one.
    """
    if author_key(left) == author_key(right):
        return bool(author_key(left))
    one, other = _words(left), _words(right)
    if len(one) < 2 or len(other) < 2:
        return False
    common = {word for word in one if len(word) > 1} & {word for word in other if len(word) > 1}
    rest_one = [word for word in one if word not in common]
    rest_other = [word for word in other if word not in common]
    if not common or not (rest_one and rest_other):
        return bool(common) and all(len(word) == 1 for word in rest_one + rest_other)
    return all(
        a[0] == b[0] and (len(a) == 1 or len(b) == 1 or a == b)
        for a, b in zip(rest_one, rest_other, strict=False)
    )


def surname_key(name: str) -> str:
    """The family name in the normal form, with its particles left out; Han names stand whole.

    The last word of a name as printed, the part before the comma of a turned one.
    """
    if not name.isascii() and _all_han(name):
        return "".join(tokens(name))
    words = _words(name.partition(",")[0])
    kept = [word for word in words if word not in _PARTICLES] or words
    return kept[-1] if kept else ""
