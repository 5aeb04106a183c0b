"""What a workshop of ICLR is called in a comment, and whether there is one at all without the word.

Promises: the name as printed, cut out of the sentence around it; ``ICLR Workshop`` where none is printed.
Leaves to `venue`: whose workshop it is.
"""

from __future__ import annotations

import re

from rapidfuzz.distance import DamerauLevenshtein

UNNAMED = "ICLR Workshop"

# Words that stand beside ICLR without naming a workshop, whatever their case.
_ORDINARY_WORDS = """
a an the and at in on by for of to as with from is are we our this paper papers accepted accept
published publish presented presentation presentations poster posters oral orals spotlight
spotlights talk talks main track tracks conference conferences proceedings proceeding camera ready
version versions final preprint submission submissions submitted review reviews under code codes
data dataset project page pages homepage website github link links openreview pdf figures figure
tables table appendix supplementary research full short long regular position notable top award
outstanding best honorable mention highlight decision reject rejected withdrawn withdrawal template
style format latex year iclr usa uk eu brazil singapore vienna austria rio de janeiro virtual online
kigali rwanda blog blogpost blogposts post posts tiny tinypapers tutorial tutorials session sessions
work article manuscript llm llms ai ml rl nlp cv vlm vlms gpu ccf core a* rank tpami tmlr neurips
icml v1 v2 v3 v4 desk arxiv will be has been was were conf journal journal-to-conference
huggingface gitlab colab youtube bilibili zenodo kaggle pytorch tensorflow original extended and/or appear appearing
equal contribution via doi isbn
"""
_ORDINARY = frozenset(_ORDINARY_WORDS.split())
_WORD = r"[A-Za-z0-9&^+·./-]"
_AFTER = re.compile(
    rf"\s+(?P<name>{_WORD}+(?:\s+[A-Z0-9]{_WORD}*){{0,2}}?)(?=\s*(?:$|[.,;:()⟂|]|20\d\d|workshop|main\s+track|tutorial|track|poster|oral|spotlight|-))",
    re.I,
)
_BRACKETED = re.compile(rf"\s*[(\[]\s*(?P<name>[A-Z]{_WORD}{{2,20}})\s*[)\]]")
_BEFORE_AT = re.compile(r"(?P<name>[^,.;:()⟂]{2,60}?)\s*@\s*(?:the\s+)?$", re.IGNORECASE)
_BEFORE_PREP = re.compile(
    rf"\b(?:at|to|in|by|for)\s+(?:the\s+)?(?P<name>[A-Za-z0-9]{_WORD}*)\s*(?:,|\bat\b|\bin\b|\bof\b)\s*(?:the\s+)?$",
    re.I,
)
_BEFORE_COMMA = re.compile(rf"\W*(?P<name>[A-Za-z0-9]{_WORD}*)\s*[,:]\s*(?:the\s*)?")
_VERBS = re.compile(
    r"^.*\b(?:accepted|accept|published|publish|presented|appear(?:s|ing)?|submitted|review|poster|papers?|oral|spotlight|pages|figures|tables)"
    r"\s+(?:(?:as|for|at|to|in|by|an?|the|poster|oral|spotlight|presentation|workshop|short|full|long|paper)\s+)*",
    re.IGNORECASE,
)


def is_workshop_word(word: str) -> bool:
    """Whether a word is "workshop", an abbreviation or a misspelling of it, or says "co-located with"."""
    plain = word.lower()
    if plain in ("workshop", "workshops", "ws") or not plain.isascii() or not plain.startswith("w"):
        return True
    if not 6 <= len(plain) <= 10 or not plain.isalpha() or "p" not in plain[3:]:
        return plain in ("wksp", "wkshp")
    return DamerauLevenshtein.distance(plain.rstrip("s") if len(plain) > 8 else plain, "workshop") <= 2


def _is_acronym(word: str) -> bool:
    """``ML4RS``, ``MALGAI``, ``Re-Align``, ``SynthData``: two capitals, or a capital and a digit."""
    if word.lower() in _ORDINARY or len(word) < 3 or re.fullmatch(r"\d+.*|v\d+", word):
        return False
    capitals = sum(char.isupper() for char in word)
    return capitals >= 2 or (capitals == 1 and any(char.isdigit() for char in word))


def follows_year(mention: re.Match[str], after: str) -> str | None:
    """The workshop's acronym just behind "ICLR 2026" or "ICLR": ``ICLR 2026 ML4RS``, ``ICLR 2026 (LMRL)``."""
    if mention[0].rstrip().endswith((")", "]")) and not after.startswith(" "):
        return None
    bracketed = _BRACKETED.match(after)
    if bracketed and _is_acronym(bracketed["name"]) and bracketed["name"].upper() not in _COUNTRY_LIKE:
        return bracketed["name"]
    match = re.match(rf"\s+(?P<name>{_WORD}+)", after)
    if match is None:
        return None
    name = match["name"].rstrip(".,-/:")
    return name if _is_acronym(name) else None


_COUNTRY_LIKE = frozenset({"USA", "CCF", "CCF-A", "CORE", "UAE", "TPAMI", "IEEE", "ACM"})


def precedes(before: str) -> str | None:
    """The workshop's name just before "@ ICLR" or "at ICLR": ``SCSL @ ICLR 2025``, ``accepted at MALGAI at ICLR``."""
    if match := _BEFORE_AT.search(before):
        name = _VERBS.sub("", match["name"]).strip(" -–")
        words = name.split()
        if (
            name
            and not all(word.lower() in _ORDINARY or word.isdigit() for word in words)
            and words[-1].lower() not in _ORDINARY
        ):
            return name
        return None
    match = _BEFORE_PREP.search(before) or _BEFORE_COMMA.fullmatch(before)
    return match["name"] if match and _is_acronym(match["name"]) else None


# --- names --------------------------------------------------------------------------------------------------

_WORKSHOP = r"(?:w[a-z]{2,6}s?[hk]?o?ps?|ws)"
_NTH = r"(?:\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)"
_COUNT = rf"(?:(?:the\s+)?{_NTH}\s+)?"
_ON = re.compile(
    rf"{_COUNT}\b(?:[A-Za-z0-9&-]+\s+)?{_WORKSHOP}\s+(?:on|for|of)\s+(?P<rest>.+)$", re.IGNORECASE
)
_END = re.compile(
    r"\s*(?:[.;⟂|]|,\s*(?:co-?l?located|\d+\s+pages?|at\s+ICLR|ICLR|\d{4}|held|20\d\d|\d+\s+figures?|code|accepted|in\s+conjunction)|\s[-–—]\s"
    r"|\(see\b|\((?:oral|spotlight|poster|\d+\s+pages)|\s+(?:at|@|in|co-?l?located\s+with|held)\s+(?:the\s+)?(?:\w+\s+)?$|\bhttps?:|\s+code\s+(?:is\s+)?available|,\s*(?:oral|spotlight|poster)\b)",
    re.IGNORECASE,
)


def workshop_name(text: str, mention: re.Match[str], before: str, after: str) -> str:
    """The workshop's name as printed: the full name where there is one, else its acronym.

    Args:
        text: the statement.
        mention: the match of ICLR in it.
        before: the text between the venue named before and this one.
        after: the text between this venue and the next.
    """
    for part, behind in ((after, True), (before, False)):
        if not re.search(_WORKSHOP, part, re.IGNORECASE):
            continue
        name = _named_on(part) or (_behind(part) if behind else _in_front(part))
        if name:
            return name
    return follows_year(mention, after) or precedes(before) or UNNAMED


def _named_on(part: str) -> str | None:
    """``[The 2nd] Workshop on X (ABC)``, to the end of the name."""
    match = _ON.search(part)
    if match is None:
        return None
    return _cut(match[0])


def _cut(name: str) -> str | None:
    if end := _END.search(name):
        name = name[: end.start()]
    return _trim(name)


def _trim(name: str) -> str | None:
    name = re.sub(r"^\W*(?:the|an?|at|in|to|as|by|for)\s+(?=\S)", "", name.strip(), flags=re.IGNORECASE)
    name = name.strip(" ,.;:-–—@'’\"")
    if name.count("(") > name.count(")"):
        name = name[: name.rindex("(")].strip(" ,")
    elif name.count(")") > name.count("("):
        name = name.strip(" )")
    name = re.sub(r"\s+(?:main|tutorial|poster|oral)\s+track$", "", name, flags=re.IGNORECASE)
    return " ".join(name.split()) or None


def _behind(after: str) -> str | None:
    """The name around the word, in what follows ICLR: ``Workshop: VerifAI``, ``Workshop ML4RS``, ``X Workshop``."""
    match = re.search(rf"\b{_WORKSHOP}\b", after, re.IGNORECASE)
    if match is None:
        return None
    front, rest = after[: match.start()], after[match.end() :]
    if (
        re.search(r"[A-Za-z]", front)
        and (name := _trim(re.sub(r"^[\s:,-]*20\d\d", "", front)))
        and not _all_ordinary(name)
    ):
        return _with_word(name, match[0])
    if rest.lstrip()[:1] in (":", "(", "-", "–") or re.match(r"\s+[A-Z]", rest):
        name = _cut(rest.lstrip(" :(-–") if rest.lstrip()[:1] != "(" else rest.lstrip()[1:].split(")")[0])
        if name and not _all_ordinary(name):
            return name
    return None


def _in_front(before: str) -> str | None:
    """The name before the word in what leads to ICLR: ``Accepted at the Post-AGI Science and Society Workshop at``."""
    match = next(iter(reversed(list(re.finditer(rf"\b{_WORKSHOP}\b", before, re.IGNORECASE)))), None)
    if match is None:
        return None
    front, rest = before[: match.start()], before[match.end() :]
    front = re.split(r"[;⟂]|\d+\s+(?:pages|figures|tables)\b[,.]?", front)[-1]
    start = _VERBS.match(front)
    name = _trim(front[start.end() :] if start else front)
    if re.match(r"\s*:", rest) and name:
        return _cut(f"{name} {match[0]}{rest}")
    if name and not _all_ordinary(name):
        return _with_word(name, match[0])
    # "a workshop paper in Lifelong Agents @ ICLR"
    inner = _cut(re.sub(r"^\s*(?:papers?|track)\s+(?:in|at|for|on)\s+", "", rest, flags=re.IGNORECASE))
    return inner if inner and not _all_ordinary(inner) else None


def _with_word(name: str, word: str) -> str:
    # An acronym stands for itself; a name of several words reads better with the word.
    return name if len(name.split()) == 1 else f"{name} {word}"


def _all_ordinary(name: str) -> bool:
    words = [word.strip("(),.:").lower() for word in name.split()]
    return all(word in _ORDINARY or word.isdigit() or not word for word in words)
