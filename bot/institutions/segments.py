"""An affiliation string cut into segments, side text removed.

Promises: total (no text raises); what is removed is never part of an organisation's name: e-mails, ORCIDs,
addresses of web pages, footnote marks, "work done at …", "equal contribution".
Leaves to others: what each segment is (`resolver`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.institutions.keys import fold, words_of

# Longer texts are a paragraph, not an affiliation; the longest real one of 163,000 has 390 characters.
LONGEST = 600
MOST_SEGMENTS = 40

_ASIDE = re.compile(
    r"""
    [\w.+-]*\{[^{}]*\}@[\w.-]+              # {ann,bob}@x.edu
    | [\w.+-]+@[\w-]+(?:\.[\w-]+)+          # ann@x.edu
    | (?:https?://|www\.)[^\s,;)]+
    | (?:orcid(?:\s*id)?\s*[:=]?\s*)?\b\d{4}-\d{4}-\d{4}-\d{3}[\dXx]\b
    | \borcid\b(?:\s*id)?\s*:?
    | [(\[]?\b(?:(?:this|part\s+of(?:\s+the|\s+this)?|the)\s+)?(?:work|research)\s+(?:was\s+|were\s+|is\s+)?
      (?:partially\s+|partly\s+|mainly\s+|mostly\s+|primarily\s+)?(?:done|performed|conducted|completed|carried\s+out)\b[^)\];\n]*[)\]]?
    | [(\[]?\b(?:done|conducted)\s+(?:while|during|when)\b[^)\];\n]*[)\]]?
    | [(\[]?\b(?:now|currently|previously|formerly|presently)\s+(?:at|with|in|a|an|affiliated)\b[^)\];\n]*[)\]]?
    | [(\[]?\bon\s+(?:sabbatical\s+)?leave\b[^)\];\n]*[)\]]?
    | [(\[]?\b(?:during\s+)?(?:an\s+|my\s+|his\s+|her\s+)?intern(?:ship|ed|ing)?\s+(?:at|with)\b[^)\];\n]*[)\]]?
    | [(\[]?\b(?:these\s+|both\s+)?(?:authors?\s+)?(?:with\s+)?
      (?:equal\s+contributions?|contribut(?:ed|ing|e)\s+equally|equally\s+contribut\w+)[^,;)\]]*[)\]]?
    | [(\[]?\bcorresponding\s+authors?\b[)\]]?
    | [(\[]?\bproject\s+lead(?:er)?\b[)\]]?
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Every aside holds one of these; looking for them costs a tenth of trying the pattern.
_ASIDE_HINTS = (
    "@", "www.", "://", "orcid", "done", "perform", "conduct", "complet", "carried", "equal", "correspond",
    "intern at", "intern with", "interns", "interned", "interning", "leave", "now ", "current", "present",
    "previous", "former", "lead",
)  # fmt: skip
_ORCID_HINT = re.compile(r"\d{4}-\d{4}-")

# A spacing accent is what a PDF leaves of "Universit\`a": the mark stands before or after its letter.
_LOOSE_ACCENT = re.compile(r"\s?[´`¨ˆ˜˝ˇ¸]\s?(?=[A-Za-zıﬀ-ﬆ])")
_DASH = re.compile(r"\s+[-–—―]+\s+|[–—―]")
_SEPARATOR = re.compile(
    r"([,;/|()\[\]{}<>\n\r\t•·∙‡†§¶*@:!?\"“”„«»，；、（）【】［］｛｝《》〈〉「」：。！？／｜￭■●★☆✉]+)"
)
# "Shenzhen1" is Shenzhen and a footnote; "Data61", "AI2" and "Lyon 1" are names.
_FOOTNOTE = re.compile(r"(?<=[^\W\d_A-Z]{3})[1-9]$|(?<=[\u3400-\u9fff])[1-9]$")
# Between Chinese characters the dot joins the parts of a foreign name: 约翰·霍普金斯大学.
_HAN_DOT = re.compile(r"(?<=[\u3400-\u9fff])[·・](?=[\u3400-\u9fff])")
_TO_COMMA = str.maketrans(dict.fromkeys(';/|)]}>\n\r\t*@:!?"', ","))
_OPENING = frozenset("([{<（【［《〈「")


@dataclass(slots=True)
class Segment:
    """One piece between separators: as printed, its words in the normal form, its key."""

    raw: str
    words: list[str]
    key: str
    bracketed: bool = False


def clean(text: str) -> str:
    """`text` without asides and with loose accents set on their letters."""
    if ("-" in text and _ORCID_HINT.search(text)) or _has_aside(text.lower()):
        text = _ASIDE.sub(" , ", text)
    if "`" in text or not text.isascii():
        text = _HAN_DOT.sub("", _LOOSE_ACCENT.sub(_join_accent, text))
    return text


def _has_aside(lowered: str) -> bool:
    # A plain loop: a generator costs half as much again, and every text goes through here.
    for hint in _ASIDE_HINTS:  # noqa: SIM110
        if hint in lowered:
            return True
    return False


def _join_accent(match: re.Match[str]) -> str:
    # Before a capital, a space was a real word boundary ("Universit ´e Laval" has none, "d ´Orsay" has one).
    text = match.string
    nxt = text[match.end()] if match.end() < len(text) else ""
    opens_word = match[0][0].isspace() and nxt.isupper()
    return " " if opens_word else ""


def split(text: str) -> list[Segment]:
    """The segments of a cleaned text, in order; at most `MOST_SEGMENTS`."""
    if " -" in text or "- " in text or not text.isascii():
        text = _DASH.sub(",", text)
    # "A*STAR" is the one name with a separator in it; its star binds tighter than a footnote mark.
    if "*" in text:
        text = text.replace("A*STAR", "A STAR").replace("A*Star", "A STAR").replace("A*star", "A STAR")
    out: list[Segment] = []
    for part, mark in _parts(text):
        raw = part.strip(" .&'’‘-–_=~^#$%")
        if raw[-1:].isdigit():
            raw = _FOOTNOTE.sub("", raw)
        words = words_of(raw) if raw else None
        if words:
            bracketed = mark != "," and not _OPENING.isdisjoint(mark)
            out.append(Segment(raw, words, " ".join(fold(words)), bracketed))
            if len(out) == MOST_SEGMENTS:
                break
    return out


def _parts(text: str) -> list[tuple[str, str]]:
    """The pieces of a text, each with the separator before it."""
    if text.isascii() and "(" not in text and "[" not in text and "{" not in text and "<" not in text:
        # Three texts of four have no brackets; for them this is the same and five times as fast.
        return [(part, ",") for part in text.translate(_TO_COMMA).split(",")]
    parts = _SEPARATOR.split(text)
    return list(zip(parts[::2], ["", *parts[1::2]], strict=True))
