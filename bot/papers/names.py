"""A key under which one person is found, however the name is written.

Promises: never raises. The key is the same for either order, with or without comma, accents, hyphens and middle
initials. Leaves to `authors`: lists of names; to `bot.search`: misspelt names and suggestions.
"""

from __future__ import annotations

import re
from functools import lru_cache

from bot.text import fold_latin, is_cjk, tokens

SUFFIX = re.compile(r"(?:jr|sr|ii|iii|iv|ph\.?\s?d|m\.?\s?d|esq)\.?", re.IGNORECASE)
_PARTICLES_WORDS = """
da das de del della den der des di do dos du el al bin ibn la le lo los las van von vom zu zum zur
af av ten ter 't y e dit mac mc st san
"""
PARTICLES = frozenset(_PARTICLES_WORDS.split())

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
    """The family name in the normal form, without its particles; Han names stand whole.

    The last word of a name as printed, or of the part before the comma of a turned one.
    """
    if not name.isascii() and _all_han(name):
        return "".join(tokens(name))
    words = _words(name.partition(",")[0])
    return words[-1] if words else ""
