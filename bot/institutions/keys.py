"""The key of a name: the normal form of `bot.text` with what only names of organisations need.

Promises: two spellings of one name ("Univ. of St. Andrews", "The University of Saint Andrews") have one key,
and a key is a fixed point.
Leaves to others: which keys belong to which organisation (`directory`).
"""

from __future__ import annotations

import re

from bot.institutions.words import FIELDS, LEGAL, STOPS, UNITS
from bot.text import normalise

_DOTTED = re.compile(r"\b[A-Za-z](?:\.\s?[A-Za-z])+\b\.?")
_HAN_GAP = re.compile(r"(?<=[\u3400-\u9fff]) (?=[\u3400-\u9fff])")
HAN = re.compile(r"[\u3400-\u9fff]")

# One spelling for words that are written in several ways. "the" and "at" carry no meaning in a name:
# "The University of Texas at Austin" and "University of Texas, Austin" are the same.
_SPELLING: dict[str, tuple[str, ...]] = {
    "the": (),
    "at": (),
    "univ": ("university",),
    "universtiy": ("university",),
    "univeristy": ("university",),
    "dept": ("department",),
    "dep": ("department",),
    "depart": ("department",),
    "inst": ("institute",),
    "insititute": ("institute",),
    "sch": ("school",),
    "fac": ("faculty",),
    "ctr": ("center",),
    "centre": ("center",),
    "centres": ("center",),
    "centers": ("center",),
    "labs": ("lab",),
    "laboratory": ("lab",),
    "laboratories": ("lab",),
    "labortory": ("lab",),
    "departments": ("department",),
    "sciences": ("science",),
    "technologies": ("technology",),
    "sci": ("science",),
    "engin": ("engineering",),
    "acad": ("academy",),
    "natl": ("national",),
    "st": ("saint",),
    "organisation": ("organization",),
    "programme": ("program",),
    "artifical": ("artificial",),
    "institue": ("institute",),
    "insitute": ("institute",),
    "univercity": ("university",),
    "unversity": ("university",),
    "univesity": ("university",),
    "technolgy": ("technology",),
    "techology": ("technology",),
    "techonology": ("technology",),
    "sceince": ("science",),
    "jiaotong": ("jiao", "tong"),
    "hongkong": ("hong", "kong"),
}
# Short heads that only mean something with a word behind them.
HEADS: dict[str, tuple[str, ...]] = {
    "uc": ("university", "of", "california"),
    "iit": ("indian", "institute", "of", "technology"),
    "iiit": ("international", "institute", "of", "information", "technology"),
    "nit": ("national", "institute", "of", "technology"),
    "mpi": ("max", "planck", "institute"),
}
_SPECIAL = frozenset(_SPELLING) | frozenset(HEADS) | {"u"}
_GENERIC = (
    UNITS
    | FIELDS
    | STOPS
    | frozenset({"university", "institution", "federal", "central", "royal", "first", "second"})
    | frozenset({"north", "south", "east", "west", "republic"})
    | frozenset(
        {"ministry", "agency", "authority", "commission", "council", "bureau", "museum", "trust", "academy"}
    )
)


def words_of(text: str) -> list[str]:
    """The words of the normal form; dotted capitals ("M.I.T.") are one word."""
    # Three segments of four are plain letters; for them this is what `normalise` gives, ten times as fast.
    if text.isascii() and text.replace(" ", "").replace("-", "").isalpha():
        return text.lower().replace("-", " ").split()
    if "." in text:
        text = _DOTTED.sub(lambda m: m[0].replace(".", "").replace(" ", ""), text)
    normal = normalise(text)
    return _HAN_GAP.sub("", normal).split() if HAN.search(normal) else normal.split()


def fold(words: list[str]) -> list[str]:
    """The words of the key: one spelling each, the legal form of a company dropped."""
    if _SPECIAL.isdisjoint(words) and words and words[-1] not in LEGAL:
        return words
    out: list[str] = []
    last = len(words) - 1
    for position, word in enumerate(words):
        if word in _SPELLING:
            out.extend(_SPELLING[word])
        elif position < last and word in HEADS:
            out.extend(HEADS[word])
        elif word == "u" and position < last and words[position + 1] == "of":
            out.append("university")
        else:
            out.append(word)
    while len(out) > 1 and out[-1] in LEGAL:
        out.pop()
    return out


def key(text: str) -> str:
    """The key of a name; ``""`` for text without content."""
    return " ".join(fold(words_of(text)))


def join(parts: list[str]) -> str:
    """The key of neighbouring segments read as one name: "IIT" + "bombay", "香港中文大学" + "深圳"."""
    if parts[0] in HEADS:
        parts = [*HEADS[parts[0]], *parts[1:]]
    joined = " ".join(parts)
    return joined if joined.isascii() else _HAN_GAP.sub("", joined)


def is_generic(key_text: str) -> bool:
    """Whether a key is made of general words alone ("University of Technology") and so names nothing."""
    return all(word in _GENERIC for word in key_text.split())
