"""Whether a language model's answer is believed.

Promises: pure; an answer in another language, of a wrong length, with a number or a Latin name that the source doesn't
have, with an address or with words of an order is refused, with a reason. Leaves to `questions`: what was asked.
"""

from __future__ import annotations

import re

from bot.papers.clean import clean_line
from bot.papers.model import Language
from bot.summaries.questions import Question, without_orders
from bot.text import fold_latin

# Characters: what a reader sees of a summary in a digest.
LENGTHS = {Language.EN: (30, 420), Language.ZH: (10, 220)}

_THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"^```\w*\s*|\s*```$")
_LABEL = re.compile(
    r"^(?:(?:english |chinese )?(?:summary|translation)|(?:中文|英文)?(?:摘要|总结|翻译|译文))\s*[:：]\s*",
    re.IGNORECASE,
)
_QUOTES = (('"', '"'), ("“", "”"), ("「", "」"), ("'", "'"), ("**", "**"))
_HAN = re.compile(r"[\u3400-\u9fff]")
_OTHER_SCRIPT = re.compile(
    r"[\u3040-\u30ff\uac00-\ud7af\u0400-\u04ff\u0590-\u06ff\u0900-\u097f\u0e00-\u0e7f]"
)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-+./][A-Za-z0-9]+)*")
_PART = re.compile(r"[A-Za-z]+")
_ENGLISH = frozenset(
    {
        *("a", "an", "and", "are", "as", "at", "by", "can", "for", "from", "in"),
        *("is", "of", "on", "that", "the", "this", "to", "using", "we", "which", "with"),
    }
)
# A number by itself; in "GPT4" or "2x" the digits are part of a word, and count only as where a number may be from.
_NUMBER = re.compile(r"(?<![A-Za-z0-9_.])\d+(?:[.,]\d+)*(?![A-Za-z0-9_])")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_ADDRESS = re.compile(
    r"https?:|www\.|\b[\w-]+\.(?:com|org|net|io|gg|cn|ai|dev|co)\b|\S@\S|<[@#:a]|\]\(", re.IGNORECASE
)
_REFUSAL = re.compile(
    r"\bI(?:'m| am) (?:sorry|unable|an AI)\b|\bI can(?:no|')t\b|\bas an AI\b|作为(?:一个)?(?:人工智能|AI|语言模型)"
    r"|无法(?:提供|完成)(?:该|此|您)"
    r"|\bhere is (?:the|a)\b|以下是",
    re.IGNORECASE,
)
_SMALL = {
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10", "一": "1", "二": "2", "两": "2", "三": "3", "四": "4", "五": "5", "六": "6",
    "七": "7", "八": "8", "九": "9", "十": "10", "first": "1", "second": "2", "third": "3", "hundred": "100",
    "thousand": "1000", "million": "1000000", "billion": "1000000000",
}  # fmt: skip


def tidy(answer: str) -> str:
    """An answer without what models wrap around it: thoughts, fences, labels, quotes; one line."""
    text = _FENCE.sub("", _THINKING.sub("", answer).strip())
    text = _LABEL.sub("", clean_line(text))
    for left, right in _QUOTES:
        inner = text[len(left) : -len(right)]
        if text.startswith(left) and text.endswith(right) and left not in inner and right not in inner:
            text = inner
    return text.strip()


def problem(answer: str, question: Question, mark: str) -> str | None:
    """Why a tidied answer isn't believed, or None when it is."""
    shortest, longest = LENGTHS[question.language]
    if not shortest <= len(answer) <= longest:
        return f"{len(answer)} characters, wanted {shortest} to {longest}"
    if mark in answer or _ADDRESS.search(answer) or "\ufffd" in answer:
        return "it holds an address or a mark"
    if _REFUSAL.search(answer) or without_orders(answer)[1] or _repeats(answer, question.dropped):
        return "it reads like an order or a refusal, not like a summary"
    return _wrong_language(answer, question.language) or _unfaithful(answer, question)


def _wrong_language(answer: str, language: Language) -> str | None:
    if _OTHER_SCRIPT.search(answer):
        return "it is in another language"
    han = len(_HAN.findall(answer))
    words = _WORD.findall(answer)
    if language is Language.ZH:
        return None if han >= 8 and han >= 1.5 * len(words) else "it isn't Chinese"
    if han:
        return "it isn't English"
    common = sum(word.lower() in _ENGLISH for word in words)
    return None if common * 8 >= len(words) else "it isn't English"


def _unfaithful(answer: str, question: Question) -> str | None:
    """Numbers and names that come from nowhere, or that a translation has lost."""
    source = f"{question.title}\n{question.source}"
    invented = numbers(answer) - numbers(source, _DIGITS) - _spelt(source)
    if invented:
        return f"the number {min(invented)} isn't in the source"
    initials = "".join(word[0].lower() for word in _PART.findall(source))
    names = {name for name in _latin(answer) - _latin(source) if name not in initials}
    if question.language is Language.ZH and names:
        return f"“{min(names)}” isn't in the source"
    if not question.translate:
        return None
    lost = numbers(question.source) - numbers(answer, _DIGITS) - _spelt(answer)
    if lost:
        return f"the number {min(lost)} was lost"
    gone = {name for name in distinctive(question.source) if fold_latin(name) not in fold_latin(answer)}
    return f"“{min(gone)}” was lost" if gone else None


def numbers(text: str, pattern: re.Pattern[str] = _NUMBER) -> set[str]:
    """The numbers of a text, thousands joined: ``1,000`` and ``1000`` are one, ``90.50`` and ``90.5`` too."""
    found = set()
    for match in pattern.findall(text):
        plain = re.sub(r",(?=\d{3}(?:\D|$))", "", match).replace(",", ".")
        found.add(plain.rstrip("0").rstrip(".") if "." in plain and plain.count(".") == 1 else plain)
    return found


def _spelt(text: str) -> set[str]:
    """Small numbers that a text writes as words, in either language."""
    lowered = text.lower()
    return {digits for word, digits in _SMALL.items() if word in lowered}


def _latin(text: str) -> set[str]:
    """Latin words of two letters and more, without case, hyphens apart."""
    parts = (part for word in _WORD.findall(text) for part in re.split(r"[-+./]", fold_latin(word)))
    return {part.removesuffix("s") for part in parts if len(part) > 1}


def distinctive(text: str) -> set[str]:
    """Names that a translation keeps: words with a capital inside, in capitals, or with a digit."""
    return {
        word
        for word in _WORD.findall(text)
        if len(word) > 1 and (re.search(r"[a-z][A-Z]|\d", word) or sum(map(str.isupper, word)) >= 2)
    }


def _repeats(answer: str, dropped: tuple[str, ...]) -> bool:
    """Whether an answer repeats six words in a row (or twelve characters of Chinese) of what was left out."""
    words = fold_latin(answer).split()
    grams = {" ".join(words[at : at + 6]) for at in range(len(words) - 5)}
    for text in dropped:
        folded = fold_latin(text)
        if any(gram in " ".join(folded.split()) for gram in grams):
            return True
        if any(
            answer[at : at + 12] in text for at in range(max(0, len(answer) - 11)) if _HAN.search(answer[at])
        ):
            return True
    return False
