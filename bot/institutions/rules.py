"""How one segment without separators names an organisation: by general rules, never by likeness.

Promises: every key returned is a whole name or alias of the directory; the words around it are departments,
fields of study, places or glue, so that no longer name of another organisation is cut short.
Leaves to others: whole segments and neighbours (`resolver`). Each rule says what it must not match.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from bot.institutions.directory import Directory
from bot.institutions.keys import HAN, fold, is_generic
from bot.institutions.segments import Segment
from bot.institutions.words import (
    ACRONYM_UNITS,
    COMPANY_TAIL,
    FIELDS,
    HAN_FIELDS,
    HAN_UNITS,
    LEGAL,
    NOTHING,
    STOPS,
    TITLES,
    UNITS,
)

_STRONG = UNITS - {"key", "state", "national", "joint", "innovation", "organization", "module", "track"}
_INSIDE = UNITS | FIELDS | STOPS
_ORDINARY = _INSIDE | TITLES | LEGAL
_CONNECTIVES = frozenset({"at", "of"})
_TRAILING_DIGITS = re.compile(r"(?<=[^\W\d_]{2})\d{1,2}$")
_DIGIT = re.compile(r"\d")
_LEADING_DIGITS = re.compile(r"^\d+\s*(?=[^\W\d_])")


def _alternation(words: tuple[str, ...]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_HAN_UNIT = re.compile(f"(?:{_alternation(HAN_FIELDS)})*(?:{_alternation(HAN_UNITS)})")
_HAN_UNIT_RUN = re.compile(f"(?:{_HAN_UNIT.pattern})+")
_HAN_LEGAL = re.compile(r"(?:控股)?(?:股份)?(?:有限责任|有限)?公司$|集团$")


def nothing(segment: Segment) -> bool:
    """Whether the segment is a place-holder or only digits and single letters ("1", "a", "N/A")."""
    if segment.key in NOTHING:
        return True
    first = segment.words[0]
    if len(first) > 1 and not first.isdigit():
        return False
    return all(len(word) == 1 or word.isdigit() for word in segment.words) and not HAN.search(segment.key)


def inside(segment: Segment) -> bool:
    """Whether the segment is a bare department, field or job title: nothing that has a name of its own."""
    words = segment.key.split()
    if _ORDINARY.issuperset(words) or all(word.isdigit() for word in words if word not in _ORDINARY):
        return True
    return bool(HAN.search(segment.key)) and _HAN_UNIT_RUN.fullmatch(segment.key) is not None


def read(segment: Segment, directory: Directory) -> list[str]:
    """The keys of the organisations a segment names beside other words; empty when no rule applies."""
    if HAN.search(segment.key):
        return _han(segment, directory) or _company_tail(segment, directory)
    for rule in _RULES:
        if keys := rule(segment, directory):
            return keys
    return []


def _footnote(segment: Segment, directory: Directory) -> list[str]:
    """A footnote's number glued to the name: "Google Research3", "1Istituto Dalle Molle"."""
    if not _DIGIT.search(segment.raw):
        return []
    words = [_TRAILING_DIGITS.sub("", _LEADING_DIGITS.sub("", word)) for word in segment.words]
    # A number alone is a footnote only in front: "B.P. 53" is a post box, no oil company.
    bare = " ".join(fold(words[1:] if words[0].isdigit() else words))
    return [bare] if bare != segment.key and bare in directory else []


def _department_first(segment: Segment, directory: Directory) -> list[str]:
    """Read "Department of Computing Science University of Alberta".

    Not "… New York University" as York University: the longest ending is tried first, and every word before it
    must be a word that departments are made of.
    """
    words = segment.key.split()
    unit = False
    for start in range(1, len(words)):
        before = words[start - 1]
        if before not in _INSIDE and before not in directory.places:
            return []
        unit = unit or before in _STRONG
        if not unit or (before not in _INSIDE) or (before in STOPS and before != "of"):
            continue
        ending = " ".join(words[start:])
        if ending in directory and (start < len(words) - 1 or _is_acronym(segment.raw.split()[-1])):
            return [] if is_generic(ending) else [_without_field(words[start:], directory)]
    return []


def _without_field(ending: list[str], directory: Directory) -> str:
    """Keep the last field of a department out of a name that only a dump has ("science university of tokyo")."""
    shorter = " ".join(ending[1:])
    form, inner = directory.find(" ".join(ending)), directory.find(shorter)
    if form and form.imported and inner and not inner.imported:
        return shorter
    return " ".join(ending)


def _department_last(segment: Segment, directory: Directory) -> list[str]:
    """Read "Stanford University Department of Statistics", "MIT Media Lab", "Google Zurich".

    Not "Stanford Research Institute", "Zhejiang University of Technology", "University of Texas Tyler", "MIT
    Academy of Engineering": a place alone after a university is another campus, an "of" continues the name, and
    an acronym takes only words that no college bears.
    """
    words = segment.key.split()
    for end in reversed(_names_in_front(segment.key, directory)):
        start = " ".join(words[:end])
        if is_generic(start):
            continue
        tail = words[end:]
        if end > 1 and not directory.is_company(start):
            if _reads_as_unit(tail, directory):
                return [start]
            if directory.is_shipped(start):
                return []
            continue
        if directory.is_company(start):
            return (
                [start] if all(w in COMPANY_TAIL or w in LEGAL or w in directory.places for w in tail) else []
            )
        if _is_acronym(segment.raw.split()[0]):
            return [start] if tail[-1] in ACRONYM_UNITS and all(w in _INSIDE for w in tail) else []
        return []
    return []


def _names_in_front(text: str, directory: Directory) -> list[int]:
    """How many words the names are long that a text starts with, shortest first."""
    out = []
    space = text.find(" ")
    count = 1
    while space > 0:
        if text[:space] in directory:
            out.append(count)
        space = text.find(" ", space + 1)
        count += 1
    return out


def _reads_as_unit(tail: list[str], directory: Directory) -> bool:
    if tail[0] in STOPS or not any(word in _STRONG for word in tail):
        return False
    if tail[-1] == "college" and tail[0] in directory.places:
        return False  # a college in another town is a house of its own, as in "… University Zhejiang College"
    return all(word in _INSIDE or word in directory.places for word in tail)


def _is_company_tail(tail: list[str], directory: Directory) -> bool:
    return all(word in COMPANY_TAIL or word in LEGAL or word in directory.places for word in tail)


def _company_tail(segment: Segment, directory: Directory) -> list[str]:
    """A Chinese company name before Latin words: "腾讯 AI Lab"."""
    head, _, tail = segment.key.partition(" ")
    fits = tail and directory.is_company(head) and all(word in COMPANY_TAIL for word in tail.split())
    return [head] if fits else []


def _connected(segment: Segment, directory: Directory) -> list[str]:
    """Read "Future Living Lab of Alibaba", "Gatsby Unit at UCL".

    Not "Toyota Technological Institute at Chicago" or "Medical College of Wisconsin": what follows must be an
    organisation, no place, and what stands before must be a unit.
    """
    for position, word in enumerate(segment.words[1:-1], start=1):
        if word not in _CONNECTIVES:
            continue
        ending = fold(segment.words[position + 1 :])
        name = " ".join(ending)
        if name not in directory or name in directory.places or is_generic(name):
            continue
        head = fold(segment.words[:position])
        if _can_belong(head, word, single=len(ending) == 1):
            return [name]
    return []


def _can_belong(head: list[str], connective: str, *, single: bool) -> bool:
    if not any(word in _STRONG for word in head) or "university" in head:
        return False
    # "Institute of Apple": one word before "of" and one after it is too little to go by.
    return connective == "at" or not single or (len(head) > 1 and head[-1] in _STRONG)


def _joined(segment: Segment, directory: Directory) -> list[str]:
    """Read "Google and Stanford University", "MIT & IBM", "Courant Institute and Google".

    Not "Tianjin University of Technology and Education": a part made of fields of study continues the name.
    """
    if "and" not in segment.words:
        return []
    keys: list[str] = []
    after_name = False
    for part in _split_on_and(segment.words):
        name = " ".join(fold(part))
        if not name:
            continue
        if after_name and FIELDS.issuperset(name.split()):
            return []
        after_name = directory.is_certain(name) and name not in directory.places and not is_generic(name)
        if after_name:
            keys.append(name)
    return keys


def _split_on_and(words: list[str]) -> Iterator[list[str]]:
    part: list[str] = []
    for word in words:
        if word == "and":
            yield part
            part = []
        else:
            part.append(word)
    yield part


def _side_by_side(segment: Segment, directory: Directory) -> list[str]:
    """Read "Tsinghua University Peking University", "Meta UT Austin": two whole names without a separator.

    One word is enough for a company in front and for an acronym behind ("UC Berkeley ICSI").
    """
    words = segment.key.split()
    for cut in _names_in_front(segment.key, directory):
        first, second = " ".join(words[:cut]), " ".join(words[cut:])
        if second not in directory:
            continue
        if is_generic(second) or (cut == 1 and not directory.is_company(first)):
            continue
        if cut == 1 and _is_company_tail(words[1:], directory) and not COMPANY_TAIL.isdisjoint(words):
            continue  # "Amazon Shanghai AI Lab" is Amazon's laboratory in Shanghai
        if cut == len(words) - 1 and not (
            _is_acronym(segment.raw.split()[-1]) and directory.is_certain(second)
        ):
            continue
        return [first, second]
    return []


def _is_acronym(word: str) -> bool:
    return (
        2 <= len(word) <= 8 and word[:2].isupper() and sum(char.isupper() for char in word) >= len(word) - 2
    )


def _han(segment: Segment, directory: Directory) -> list[str]:
    """清华大学计算机系, 计算科学系阿尔伯塔大学, 华为技术有限公司.

    Not 南京大学金陵学院 or 浙江大学城市学院, which are schools of their own: what follows the name must be made of
    fields of study and unit endings. The longest name wins, so 中国科学院大学 is never 中国科学院.
    """
    text = segment.key
    bare = _HAN_LEGAL.sub("", text)
    if bare != text and bare in directory:
        return [bare]
    for end in range(len(text) - 1, 1, -1):
        if text[:end] in directory:
            return [text[:end]] if _HAN_UNIT_RUN.fullmatch(text[end:]) else []
    for start in range(1, len(text) - 2):
        if text[start:] in directory:
            return [text[start:]] if _HAN_UNIT_RUN.fullmatch(text[:start]) else []
    return []


_RULES: tuple[Callable[[Segment, Directory], list[str]], ...] = (
    _footnote,
    _side_by_side,
    _department_first,
    _department_last,
    _connected,
    _joined,
)
