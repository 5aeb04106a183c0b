"""The sentence of an abstract that says what a paper does, chosen by rule.

Promises: one whole sentence of at most 300 characters, or the longest clause of it with "…"; never cut inside maths
or a citation; None when there is nothing to take. Leaves to the reader: knowing that it is an excerpt (its origin).
"""

from __future__ import annotations

import re

from bot.summaries.sentences import sentences

LIMIT = 300  # characters

_STRONG = r"(?:propos\w+|introduc\w+|present\w*|develop\w*|devis\w+)\b"
_VERB = (
    r"(?:propos\w+|introduc\w+|present\w*|develop\w*|describ\w+|design\w*|formulat\w+|devis\w+|investigat\w+"
    r"|stud(?:y|ies)|analy[sz]\w+|show\w*|prov(?:e|es)|demonstrat\w+|establish\w*|explor\w+|address\w*|examin\w+"
    r"|provid\w+|offer\w*|argu\w+|find|reveal\w*|build|creat\w+|releas\w+|conduct\w*|evaluat\w+|extend\w*|deriv\w+"
    r"|identif\w+|unif(?:y|ies)|operationali[sz]\w*|quantif\w+|measur\w+|characteri[sz]\w*|uncover\w*|tackl\w+"
    r"|revisit\w*|rethink|formali[sz]\w*|benchmark\w*|train|ask|discover\w*|contribut\w+|leverag\w+|us(?:e|es)|recast|cast)\b"
)
_AND = r"\bwe\b.{1,120}\band\s+(?:then\s+)?(?:propose|introduce|present)\b"
_BY = r"\bby\s+(?:introducing|proposing|presenting|developing)\b"
_WE = r"\b(?:we|i)\s+(?:(?:\w+ly|then|thus|therefore|also|first|here)\s+)?"
_THIS = r"\b(?:this|our|the(?:\s+present)?)\s+(?:\w+\s+)?(?:paper|work|study|article|thesis|report)\s+(?:\w+ly\s+)?"
_NEW = r"\b(?:a|an|the first)\s+(?:\w+[- ]){0,3}(?:novel|new|simple|unified|general|principled|efficient|scalable)\b"
_WHAT = r"\b(?:framework|method|algorithm|approach|benchmark|dataset|model|architecture|theory|system|objective)\b"
_NAMED = r"\b(?:called|dubbed|named|termed|coined)\b|\([a-z][\w-]+\)"
_CONTRAST = (
    r"^(?:however|but|yet|unfortunately|despite|although|while|recent(?:ly)?|existing|prior|previous)\b"
)
_ANAPHORA = (
    r"^(?:it|they|these|those|such|specifically|in particular|moreover|furthermore|additionally|finally|then"
    r"|in addition|besides|next|second|third)\b|\bwe\s+(?:also|further|additionally|then)\b|\banother\b"
)
_WORD = re.compile(r"[A-Za-z][\w-]*")
_RELEASE = r"\b(?:code|data|models?)\b.{0,60}\b(?:available|released|found)\b|https?://|github"
_OUTCOME = r"\b(?:outperform\w*|state-of-the-art|experiments?|extensive|empirical\w*|results?)\b"

# What a sentence, in small letters, gains or loses by what it says; each pattern counts once.
_WEIGHTS = tuple(
    (re.compile(pattern), weight)
    for pattern, weight in (
        (_WE + _STRONG, 5.0),
        (_THIS + _STRONG, 5.0),
        (_WE + _VERB, 2.5),
        (_THIS + _VERB, 3.0),
        (_BY, 3.5),
        (_AND, 1.5),
        (r"\bin this (?:paper|work|study|article|report)\b", 2.0),
        (_NEW, 1.0),
        (_NAMED, 0.8),
        (_WHAT, 0.6),
        (_CONTRAST, -1.2),
        (_ANAPHORA, -1.0),
        (_RELEASE, -4.0),
        (_OUTCOME, -0.8),
    )
)
# Where a long sentence may end early: after punctuation, or else before a word that opens a clause.
_PUNCTUATION = re.compile(r"(?<=[,;:])\s|\s(?=(?:--|—|–)\s)|(?<=[—–])")
_CONJUNCTION = re.compile(r"\s(?=(?:which|that|where|while|and|by|to)\b)")
# A cut never leaves one of these at the end.
_HANGING = re.compile(
    r"\b(?:a|an|the|of|in|on|at|as|is|are|be|by|for|to|with|and|or|than|more|most|how|that|which|from|its|their|not|such|via"
    r"|can|we|i\.e\.|e\.g\.)$",
    re.IGNORECASE,
)
_FIRST_ITEM = re.compile(r"[:,]?\s*\(?\b(?:1|i|a|I)\)\s")
_SECOND_ITEM = re.compile(r"\(?\b(?:2|ii|b|II)\)\s")
_LOOSE = " ,;:—–-"
_SHORTEST = 60  # characters of what a cut leaves
_FULL = 120  # from here on a cut at punctuation is long enough not to look for a later place


def excerpt(abstract: str, title: str = "") -> str | None:
    """The sentence that best says what the paper does.

    Args:
        abstract: English, LaTeX and all.
        title: what it shares with a sentence speaks for the sentence.
    """
    found = [sentence for sentence in sentences(abstract) if _readable(sentence)]
    if not found:
        return None
    wanted = _content(title)
    scored = [(_score(sentence, place, wanted), -place) for place, sentence in enumerate(found)]
    best = found[-max(scored)[1]]
    return _without_loose_item(best if len(best) <= LIMIT else shortened(best))


def _score(sentence: str, place: int, wanted: frozenset[str]) -> float:
    """How much a sentence speaks of the paper's own contribution; earlier ones win among equals."""
    small = sentence.lower()
    gained = sum(weight for pattern, weight in _WEIGHTS if pattern.search(small))
    if wanted:
        gained += 2.0 * len(wanted & _content(sentence)) / len(wanted)
    too_long = max(0, len(sentence) - LIMIT) / 100
    return gained - too_long - 0.15 * place


def _content(text: str) -> frozenset[str]:
    """The words that carry meaning: of four letters and more, or with a capital inside."""
    return frozenset(word.lower() for word in _WORD.findall(text) if len(word) > 3 or not word[1:].islower())


def _readable(sentence: str) -> bool:
    return len(sentence) >= 25 and any(character.isalpha() for character in sentence)


def _without_loose_item(sentence: str) -> str:
    """A sentence that breaks off after the first item of a list ("covering two aspects: (1) …") without the item."""
    first = _FIRST_ITEM.search(sentence)
    if first is None or first.start() < _SHORTEST or _SECOND_ITEM.search(sentence, first.end()):
        return sentence
    return _cut(sentence, first.start())


def shortened(sentence: str) -> str:
    """A long sentence up to the last clause that fits, with "…"; maths, brackets and citations stay whole."""
    fitting = _places(_PUNCTUATION, sentence)
    if not fitting or fitting[-1] < _FULL:
        fitting = _places(_CONJUNCTION, sentence) or fitting
    if not fitting:
        fitting = _places(re.compile(r"\s"), sentence, shortest=1)
    return _cut(sentence, fitting[-1] if fitting else LIMIT - 1)


def _places(pattern: re.Pattern[str], sentence: str, shortest: int = _SHORTEST) -> list[int]:
    """Where a sentence can be cut: what is left is whole, and its last word needs no further one."""
    return [
        match.start()
        for match in pattern.finditer(sentence)
        if shortest <= match.start() < LIMIT
        and _balanced(sentence[: match.start()])
        and not _HANGING.search(sentence[: match.start()].rstrip(_LOOSE))
    ]


def _cut(sentence: str, at: int) -> str:
    kept = sentence[:at].rstrip(_LOOSE)
    while hanging := _HANGING.search(kept):
        kept = kept[: hanging.start()].rstrip(_LOOSE)
    return f"{kept}…"


def _balanced(part: str) -> bool:
    """Whether a cut here leaves no maths and no bracket open."""
    if part.replace("\\$", "").count("$") % 2:
        return False
    return all(part.count(left) <= part.count(right) for left, right in ("()", "[]", "{}"))
