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
    r"|identif\w+|unif(?:y|ies))\b"
)
_WE = r"\b(?:we|I)\s+(?:(?:\w+ly|then|thus|therefore|also|first|here)\s+)?"
_THIS = r"\b(?:this|our|the present)\s+(?:\w+\s+)?(?:paper|work|study|article|thesis|report)\s+(?:\w+ly\s+)?"
_NEW = r"\b(?:a|an|the first)\s+(?:\w+[- ]){0,3}(?:novel|new|simple|unified|general|principled|efficient|scalable)\b"
_WHAT = r"\b(?:framework|method|algorithm|approach|benchmark|dataset|model|architecture|theory|system|objective)\b"
_NAMED = r"\b(?:called|dubbed|named|termed|coined)\b|\([A-Z][\w-]*[A-Z][\w-]*\)"
_CONTRAST = (
    r"^(?:however|but|yet|unfortunately|despite|although|while|recent(?:ly)?|existing|prior|previous)\b"
)
_ANAPHORA = (
    r"^(?:it|they|these|those|such|specifically|in particular|moreover|furthermore|additionally|finally)\b"
)
_RELEASE = r"\b(?:code|data|models?)\b.{0,60}\b(?:available|released|found)\b|https?://|github"
_OUTCOME = r"\b(?:outperform\w*|state-of-the-art|experiments?|extensive|empirical\w*|results?)\b"

# What a sentence gains or loses by what it says; each pattern counts once.
_WEIGHTS = tuple(
    (re.compile(pattern, re.IGNORECASE), weight)
    for pattern, weight in (
        (_WE + _STRONG, 5.0),
        (_THIS + _STRONG, 5.0),
        (_WE + _VERB, 2.5),
        (_THIS + _VERB, 3.0),
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
_CLAUSE = re.compile(r"(?<=[,;:—–])\s|\s(?=which\b|that\b|where\b|while\b|and\b|by\b|to\b)")


def excerpt(abstract: str) -> str | None:
    """The sentence that best says what the paper does."""
    found = [sentence for sentence in sentences(abstract) if _readable(sentence)]
    if not found:
        return None
    scored = [(_score(sentence, place), -place) for place, sentence in enumerate(found)]
    best = found[-max(scored)[1]]
    return best if len(best) <= LIMIT else shortened(best)


def _score(sentence: str, place: int) -> float:
    """How much a sentence speaks of the paper's own contribution; earlier ones win among equals."""
    gained = sum(weight for pattern, weight in _WEIGHTS if pattern.search(sentence))
    too_long = max(0, len(sentence) - LIMIT) / 100
    return gained - too_long - 0.15 * place


def _readable(sentence: str) -> bool:
    return len(sentence) >= 25 and any(character.isalpha() for character in sentence)


def shortened(sentence: str) -> str:
    """A long sentence up to the last clause that fits, with "…"; maths, brackets and citations stay whole."""
    fitting = [
        match.start()
        for match in _CLAUSE.finditer(sentence)
        if 60 <= match.start() < LIMIT and _balanced(sentence[: match.start()])
    ]
    words = [
        match.start()
        for match in re.finditer(r"\s", sentence)
        if match.start() < LIMIT and _balanced(sentence[: match.start()])
    ]
    at = max(fitting, default=max(words, default=LIMIT - 1))
    return sentence[:at].rstrip(" ,;:—–") + "…"


def _balanced(part: str) -> bool:
    """Whether a cut here leaves no maths and no bracket open."""
    if part.count("$") % 2:
        return False
    return all(part.count(left) <= part.count(right) for left, right in ("()", "[]", "{}"))
