"""Queries made from English titles: exact, cut, mistyped, reordered, joined and split, with operators."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from rapidfuzz.distance import OSA

from benchmarks.search_cases import EVERYDAY, Corpus, Made, Make, letters_of, slip, telling
from benchmarks.search_readings import Reading
from bot.search.model import Document
from bot.text import normalise, read_latex

# How the words of a query are meant to be read.
_BEGINNING = Reading(0, begins=True, in_a_row=True, whole=False)
_NAME = Reading(0, begins=True, in_a_row=True, whole=True)
IN_A_ROW = Reading(0, begins=False, in_a_row=True, whole=True)
SCATTERED = Reading(0, begins=False, in_a_row=False, whole=True)

LETTERS_A_SLIP = 6  # nobody's typing is worse than a slip in six letters
_ACRONYM = 5  # letters; so short a word in capitals is meant as a whole word
# Between two parts of a name: a hyphen, a space or nothing before a capital.
_GAP = re.compile(r"(?<=[A-Za-z]{2})[- ](?=\w)|(?<=[a-z]{2})(?=[A-Z])")
_SYMBOL = re.compile(r"[$\\α-ωΑ-Ω²³∞]")


def whole(change: Callable[[str, random.Random], str]) -> Make:
    """The whole title, changed."""

    def make(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
        return change(paper.title_en, rng), corpus.same_title(paper)

    return make


def whole_typo(times: int) -> Make:
    """The whole title with slips; whatever title the text is as near to is as right."""

    def make(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
        if letters_of(paper.title_en) < times * LETTERS_A_SLIP:
            return None
        typed = slip(read_latex(paper.title_en), rng, times)  # people type what they read
        slips = int(OSA.distance(normalise(typed), corpus.titles[paper.id]))
        return typed, corpus.same_title(paper) | corpus.near_title(normalise(typed), slips)

    return make


def unpunctuated(title: str, _: random.Random) -> str:
    """Without punctuation."""
    return re.sub(r"[^\w\s]", " ", read_latex(title).replace("'", "").replace("’", ""))


def latex(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """A title with LaTeX or Greek letters, as printed or as read."""
    if not _SYMBOL.search(paper.title_en):
        return None
    forms = (paper.title_en, read_latex(paper.title_en), corpus.titles[paper.id])
    return rng.choice(forms), corpus.same_title(paper)


def latex_part(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """A word with LaTeX or Greek letters and a neighbour, as printed or as read: ``α-mixture``, ``alpha mixture``."""
    words = paper.title_en.split()
    places = [i for i, word in enumerate(words) if _SYMBOL.search(word)]
    if not places:
        return None
    place = rng.choice(places)
    part = " ".join(words[max(0, place - rng.randint(0, 1)) : place + rng.randint(1, 3)])
    read = normalise(part)
    # A formula cut in two reads differently than the whole.
    if part.count("$") % 2 or len(read) < 4 or f" {read} " not in f" {corpus.titles[paper.id]} ":
        return None
    return rng.choice((part, read_latex(part), read)), corpus.meant(read, paper, IN_A_ROW)


def prefix(low: int, high: int) -> Make:
    """The beginning of a title."""

    def make(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
        text = read_latex(paper.title_en)[: rng.randint(low, high)].rstrip()
        normal = normalise(text)
        if len(normal) < 3:
            return None
        acronym = text.isupper() and len(normal) <= _ACRONYM
        return text, corpus.starting(normal) | (corpus.having([normal]) if acronym else set())

    return make


def prefix_typo(low: int, high: int) -> Make:
    """The beginning of a title with a slip."""

    def make(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
        text = read_latex(paper.title_en)[: rng.randint(low, high)].rstrip()
        if len(normalise(text)) < 8:
            return None
        typed = slip(text, rng)
        return typed, corpus.meant(typed, paper, _BEGINNING._replace(slips=1))

    return make


def window(corpus: Corpus, paper: Document, rng: random.Random, low: int, high: int) -> list[str] | None:
    """Some neighbouring words of a title; None where it is too short or they tell nothing."""
    words = corpus.titles[paper.id].split()
    size = rng.randint(low, high)
    if len(words) < size + 1:
        return None
    first = rng.randint(0, len(words) - size)
    chosen = words[first : first + size]
    # Nobody looks for "of the".
    return chosen if any(len(word) > 4 and not EVERYDAY.fullmatch(word) for word in chosen) else None


def part(low: int, high: int, change: Callable[[str, random.Random], str] = lambda text, _: text) -> Make:
    """Neighbouring words, written in a way that changes nothing about them."""

    def make(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
        words = window(corpus, paper, rng, low, high)
        if not words:
            return None
        phrase = " ".join(words)
        return change(phrase, rng), corpus.meant(phrase, paper, IN_A_ROW)

    return make


def keywords(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """Three or four telling words in any order."""
    words = telling(corpus.titles[paper.id], 3)
    if len(words) < 4:
        return None
    chosen = " ".join(rng.sample(words, rng.randint(3, 4)))
    return chosen, corpus.meant(chosen, paper, SCATTERED)


def part_typo(low: int, high: int, times: int) -> Make:
    """Neighbouring words with slips."""

    def make(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
        words = window(corpus, paper, rng, low, high)
        if not words or letters_of(" ".join(words)) < times * LETTERS_A_SLIP:
            return None
        typed = slip(" ".join(words), rng, times)
        return typed, corpus.meant(typed, paper, IN_A_ROW._replace(slips=times))

    return make


def reordered(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """All words in another order."""
    words = corpus.titles[paper.id].split()
    right = {p for p in corpus.having(words) if sorted(corpus.titles[p].split()) == sorted(words)}
    rng.shuffle(words)
    return " ".join(words), right


def joined(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """Neighbouring words, two of them joined."""
    words = window(corpus, paper, rng, 2, 5)
    if not words or any(len(word) < 2 for word in words):
        return None
    place = rng.randrange(len(words) - 1)
    typed = " ".join((*words[:place], words[place] + words[place + 1], *words[place + 2 :]))
    return typed, corpus.meant(" ".join(words), paper, IN_A_ROW) | corpus.meant(typed, paper, IN_A_ROW)


def split(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """Neighbouring words, one of them split."""
    words = window(corpus, paper, rng, 1, 4)
    if not words:
        return None
    long = [place for place, word in enumerate(words) if len(word) >= 6 and word.isalpha()]
    if not long:
        return None
    place = rng.choice(long)
    word = words[place]
    cut = _hump(paper.title_en, word) or rng.randint(3, len(word) - 3)
    typed = " ".join((*words[:place], word[:cut], word[cut:], *words[place + 1 :]))
    return typed, corpus.meant(" ".join(words), paper, IN_A_ROW) | corpus.meant(typed, paper, IN_A_ROW)


def _hump(title: str, word: str) -> int | None:
    """Where a name like LogQuant has its second capital."""
    for written in re.findall(r"[A-Za-z]+", title):
        if written.lower() == word and (match := re.search(r"(?<=[a-z])[A-Z]", written)):
            return match.start() if 2 <= match.start() <= len(word) - 2 else None
    return None


def _method_of(paper: Document) -> str | None:
    head, colon, _ = paper.title_en.partition(":")
    return head if colon and len(normalise(head)) >= 3 and len(head.split()) <= 2 else None


def method(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """The name before the colon."""
    head = _method_of(paper)
    return (head, _named(corpus, normalise(head))) if head else None


def method_apart(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """The name before the colon, two parts of it joined or split: ``Ada Diffuser``, ``logquant``, ``log quant``."""
    head = _method_of(paper)
    gaps = list(_GAP.finditer(head or ""))
    if not head or not gaps:
        return None
    gap = rng.choice(gaps)
    written = rng.choice([sign for sign in ("", " ") if sign != gap[0]])
    typed = head[: gap.start()] + written + head[gap.end() :]
    typed = rng.choice((typed, typed.lower()))
    return typed, _named(corpus, normalise(head)) | corpus.meant(typed, paper, IN_A_ROW)


def method_typo(corpus: Corpus, paper: Document, rng: random.Random) -> Made:
    """The name before the colon with a slip."""
    head = _method_of(paper)
    if head is None or len(normalise(head)) < 6:
        return None
    typed = slip(read_latex(head), rng)
    return typed, corpus.meant(typed, paper, _NAME._replace(slips=1))


def _named(corpus: Corpus, name: str) -> set[int]:
    return {paper for paper in corpus.starting(name) if f"{corpus.titles[paper]} ".startswith(f"{name} ")}


def operators(text: str, rng: random.Random) -> str:
    """Among quotes, operators and punctuation."""
    form = rng.choice(
        ('"{}"', "+{} -", "({})", "{} ???", "title:{}", "*{}*", "NEAR({}", "{} %", "“{}”!!", "`{}`")
    )
    return form.format(text)


def emoji(text: str, rng: random.Random) -> str:
    """With emoji before, after or between the words."""
    sign = rng.choice("🚀🔥🤖📄🎉👀🧠✨")
    words = text.split()
    words.insert(rng.randint(0, len(words)), sign)
    return " ".join(words)


def full_width(text: str, _: random.Random) -> str:
    """In the wide letters of a Chinese keyboard."""
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)
