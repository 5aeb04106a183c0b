"""Queries of every kind that people type, each with all the papers that are equally right.

Promises: seeded; typos fall on uniform places, the first letter included; a query is dropped only when more than
twenty papers fit, and the share dropped is counted. Leaves measuring to `benchmarks.search`.
"""

from __future__ import annotations

import random
import re
import string
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from bot import pinyin
from bot.search.model import Document
from bot.text import normalise, read_latex

MOST_RIGHT = 20
TRIES = 4
EVERYDAY = re.compile(
    r"an?|the|of|for|in|on|with|to|and|or|via|from|by|is|are|be|as|at|do|can|its|we|how|what|using"
)


@dataclass(frozen=True, slots=True)
class Case:
    """A query, its kind, and the papers any of which answers it."""

    kind: str
    text: str
    right: frozenset[int]


@dataclass(frozen=True, slots=True)
class Kind:
    """How a kind of query is made from a paper; None when the paper can't give one."""

    name: str
    make: Callable[[Corpus, Document, random.Random], tuple[str, set[int]] | None]
    group: str = ""  # "typo", "plain" or "" of the table in the README
    apart: bool = False  # reported, but no part of the macro


@dataclass(slots=True)
class Corpus:
    """Documents with their normal forms, to find everything that fits."""

    documents: list[Document]
    titles: dict[int, str] = field(default_factory=dict)
    titles_zh: dict[int, str] = field(default_factory=dict)
    by_author: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    by_word: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    by_institution: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    facts: dict[int, Document] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)  # author key → the name in the normal form

    def __post_init__(self) -> None:
        """Work the normal forms out once."""
        for document in self.documents:
            self.facts[document.id] = document
            self.titles[document.id] = normalise(document.title_en)
            self.titles_zh[document.id] = normalise(document.title_zh or "").replace(" ", "")
            for author in document.authors:
                self.by_author[_author_key(author)].add(document.id)
                self.names[_author_key(author)] = normalise(author)
            for word in self.titles[document.id].split():
                self.by_word[word].add(document.id)
            for institution in document.institutions:
                self.by_institution[normalise(institution)].add(document.id)

    def starting(self, prefix: str) -> set[int]:
        """Papers whose title starts so, letter by letter."""
        return {paper for paper, title in self.titles.items() if title.startswith(prefix)}

    def containing(self, phrase: str) -> set[int]:
        """Papers with these neighbouring words in the title."""
        candidates = set.intersection(*(self.by_word.get(word, set()) for word in phrase.split()))
        return {paper for paper in candidates if f" {phrase} " in f" {self.titles[paper]} "}

    def having(self, words: list[str]) -> set[int]:
        """Papers with all these words in the title."""
        return set.intersection(*(self.by_word.get(word, set()) for word in words))

    def same_title(self, document: Document) -> set[int]:
        """Papers of the same title."""
        return self.containing(self.titles[document.id]) & self.starting_same(document)

    def starting_same(self, document: Document) -> set[int]:
        """Papers whose title is this one, in the normal form."""
        title = self.titles[document.id]
        return {
            paper for paper in self.by_word.get(title.split(" ")[0], set()) if self.titles[paper] == title
        }

    def containing_zh(self, part: str) -> set[int]:
        """Papers whose Chinese title contains a run of characters."""
        wanted = normalise(part).replace(" ", "")
        return {paper for paper, title in self.titles_zh.items() if wanted in title}


def _author_key(name: str) -> str:
    return " ".join(sorted(normalise(name).split()))


# --- typing slips -----------------------------------------------------------------------------------------


def slip(text: str, rng: random.Random, times: int = 1) -> str:
    """`text` with slips on uniform letters: insert, delete, replace or swap."""
    for _ in range(times):
        places = [i for i, char in enumerate(text) if char.isascii() and char.isalpha()]
        if not places:
            return text
        text = _one_slip(text, rng.choice(places), rng)
    return text


def _one_slip(text: str, place: int, rng: random.Random) -> str:
    letter = rng.choice(string.ascii_lowercase)
    kind = rng.choice(("insert", "delete", "replace", "swap"))
    following = text[place + 1 : place + 2]
    if kind == "swap" and following.isalpha() and following != text[place]:
        return text[:place] + following + text[place] + text[place + 2 :]
    if kind == "delete":
        return text[:place] + text[place + 1 :]
    if kind == "insert":
        return text[:place] + letter + text[place:]
    while letter == text[place].lower():
        letter = rng.choice(string.ascii_lowercase)
    return text[:place] + letter + text[place + 1 :]


# --- kinds ------------------------------------------------------------------------------------------------

_Made = tuple[str, set[int]] | None


def _whole(change: Callable[[str, random.Random], str]) -> Callable[[Corpus, Document, random.Random], _Made]:
    def make(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
        return change(paper.title_en, rng), corpus.starting_same(paper)

    return make


def _unpunctuated(title: str, _: random.Random) -> str:
    return re.sub(r"[^\w\s]", " ", read_latex(title).replace("'", "").replace("’", ""))


def _latex(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
    if not re.search(r"[$\\α-ωΑ-Ω²³∞]", paper.title_en):
        return None
    forms = (paper.title_en, read_latex(paper.title_en), corpus.titles[paper.id])
    return rng.choice(forms), corpus.starting_same(paper)


def _prefix(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
    text = paper.title_en[: rng.randint(3, 24)].rstrip()
    normal = normalise(text)
    return (text, corpus.starting(normal)) if len(normal) >= 3 else None


def _prefix_typo(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
    text = paper.title_en[: rng.randint(10, 28)].rstrip()
    typed = slip(text, rng)
    right = corpus.starting(normalise(text)) | corpus.starting(normalise(typed))
    return (typed, right) if len(normalise(text)) >= 8 else None


def _window(corpus: Corpus, paper: Document, rng: random.Random, low: int, high: int) -> list[str] | None:
    words = corpus.titles[paper.id].split()
    size = rng.randint(low, high)
    if len(words) < size + 1:
        return None
    first = rng.randint(0, len(words) - size)
    return words[first : first + size]


def _middle(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
    words = _window(corpus, paper, rng, 3, 5)
    return (" ".join(words), corpus.containing(" ".join(words))) if words else None


def _keywords(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
    words = [
        w for w in dict.fromkeys(corpus.titles[paper.id].split()) if len(w) > 2 and not EVERYDAY.fullmatch(w)
    ]
    if len(words) < 4:
        return None
    chosen = rng.sample(words, rng.randint(3, 4))
    return " ".join(chosen), corpus.having(chosen)


def _window_typo(low: int, high: int, times: int) -> Callable[[Corpus, Document, random.Random], _Made]:
    def make(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
        words = _window(corpus, paper, rng, low, high)
        if not words:
            return None
        if not any(len(word) > 4 and not EVERYDAY.fullmatch(word) for word in words):
            return None  # nobody looks for "of the"
        phrase = " ".join(words)
        typed = slip(phrase, rng, times)
        # A slip may make what another title says.
        return typed, corpus.containing(phrase) | corpus.containing(normalise(typed))

    return make


def _reordered(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
    words = corpus.titles[paper.id].split()
    right = {p for p in corpus.having(words) if sorted(corpus.titles[p].split()) == sorted(words)}
    rng.shuffle(words)
    return " ".join(words), right


def _joined(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
    words = _window(corpus, paper, rng, 2, 5)
    if not words or any(len(word) < 2 for word in words):
        return None
    right = corpus.containing(" ".join(words))
    place = rng.randrange(len(words) - 1)
    words[place : place + 2] = [words[place] + words[place + 1]]
    return " ".join(words), right


def _split(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
    words = _window(corpus, paper, rng, 1, 4)
    if not words:
        return None
    long = [place for place, word in enumerate(words) if len(word) >= 6 and word.isalpha()]
    if not long:
        return None
    right = corpus.containing(" ".join(words))
    place = rng.choice(long)
    cut = _hump(paper.title_en, words[place]) or rng.randint(3, len(words[place]) - 3)
    words[place] = words[place][:cut] + " " + words[place][cut:]
    return " ".join(words), right


def _hump(title: str, word: str) -> int | None:
    """Where a name like LogQuant has its second capital."""
    for written in re.findall(r"[A-Za-z]+", title):
        if written.lower() == word and (match := re.search(r"(?<=[a-z])[A-Z]", written)):
            return match.start() if 2 <= match.start() <= len(word) - 2 else None
    return None


def _method_of(paper: Document) -> str | None:
    head, colon, _ = paper.title_en.partition(":")
    return head if colon and len(normalise(head)) >= 3 and len(head.split()) <= 2 else None


def _method(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
    head = _method_of(paper)
    if head is None:
        return None
    normal = normalise(head)
    return head, {p for p in corpus.containing(normal) if f"{corpus.titles[p]} ".startswith(f"{normal} ")}


def _method_typo(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
    head = _method_of(paper)
    if head is None or len(normalise(head)) < 6:
        return None
    typed = slip(head, rng)
    right = {p for p in corpus.containing(normalise(head)) if corpus.titles[p].startswith(normalise(head))}
    return typed, right | corpus.starting(normalise(typed))


def _zh_part(title: str, rng: random.Random, low: int = 2, high: int = 8) -> str | None:
    runs = [run for run in re.findall(r"[\u4e00-\u9fff]+", title) if len(run) >= low]
    if not runs:
        return None
    run: str = rng.choice(runs)
    size = rng.randint(low, min(high, len(run)))
    first = rng.randint(0, len(run) - size)
    return run[first : first + size]


def _zh_exact(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
    if not paper.title_zh:
        return None
    title = corpus.titles_zh[paper.id]
    return paper.title_zh, {p for p in corpus.containing_zh(title) if corpus.titles_zh[p] == title}


def _zh_piece(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
    part = _zh_part(paper.title_zh or "", rng)
    return (part, corpus.containing_zh(part)) if part else None


_COMMON = "的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她"


def _zh_slip(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
    part = _zh_part(paper.title_zh or "", rng, 5, 12)
    if not part:
        return None
    place = rng.randrange(len(part))
    wrong = rng.choice(_COMMON)
    if wrong == part[place]:
        return None
    return part[:place] + wrong + part[place + 1 :], corpus.containing_zh(part)


def traditional(text: str, rng: random.Random) -> str:
    """The Traditional form, character by character."""
    return "".join(_traditional_table().get(char, char) for char in text)


_TRADITIONAL: dict[str, str] = {}


def _traditional_table() -> dict[str, str]:
    if not _TRADITIONAL:
        from importlib.resources import files

        for line in (files("bot") / "tables" / "simplified.tsv").read_text(encoding="utf-8").splitlines():
            simple, others = line.split("\t")
            _TRADITIONAL[simple] = others[-1]
    return _TRADITIONAL


def _zh_traditional(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
    part = _zh_part(paper.title_zh or "", rng, 3, 10)
    if not part or traditional(part, rng) == part:
        return None
    return traditional(part, rng), corpus.containing_zh(part)


def _full_width(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
    words = _window(corpus, paper, rng, 3, 5)
    if not words:
        return None
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in " ".join(words))
    return wide, corpus.containing(" ".join(words))


def _mixed(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
    part = _zh_part(paper.title_zh or "", rng, 2, 4)
    words = [w for w in corpus.titles[paper.id].split() if len(w) > 2 and not EVERYDAY.fullmatch(w)]
    if not part or not words:
        return None
    word = rng.choice(words)
    return f"{word} {part}", corpus.having([word]) & corpus.containing_zh(part)


def _pinyin(initials: bool) -> Callable[[Corpus, Document, random.Random], _Made]:
    def make(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
        part = _zh_part(paper.title_zh or "", rng, 5 if initials else 4, 8)
        if not part:
            return None
        read = pinyin.syllables(part)
        return "".join(s[0] for s in read) if initials else "".join(read), corpus.containing_zh(part)

    return make


def _author(
    change: Callable[[str, random.Random], str | None],
) -> Callable[[Corpus, Document, random.Random], _Made]:
    def make(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
        names = [name for name in paper.authors if len(normalise(name).split()) >= 2]
        if not names:
            return None
        name = rng.choice(names)
        typed = change(name, rng)
        if not typed:
            return None
        # Another person's name may be what this one's becomes without its hyphen.
        return typed, corpus.by_author[_author_key(name)] | corpus.by_author.get(_author_key(typed), set())

    return make


def _misspelt(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
    names = [name for name in paper.authors if len(normalise(name).split()) >= 2]
    if not names:
        return None
    name = rng.choice(names)
    typed = slip(name, rng)
    # Whoever else is one slip away is as right.
    near = extract(normalise(typed), corpus.names, scorer=OSA.distance, score_cutoff=1, limit=50)
    return typed, {p for _, _, key in near for p in corpus.by_author[key]} | corpus.by_author[
        _author_key(name)
    ]


def _last_first(name: str, _: random.Random) -> str:
    *first, last = name.split(" ")
    return " ".join((last, *first))


def _comma(name: str, _: random.Random) -> str:
    *first, last = name.split(" ")
    return f"{last}, {' '.join(first)}"


def _unaccented(name: str, _: random.Random) -> str | None:
    plain = unicodedata.normalize("NFD", name).translate(str.maketrans("łøŁØ", "loLO"))
    plain = "".join(char for char in plain if not unicodedata.combining(char))
    return plain if plain != name else None


def _unhyphened(name: str, rng: random.Random) -> str | None:
    return name.replace("-", rng.choice((" ", ""))) if "-" in name else None


def _initials(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
    names = [name for name in paper.authors if len(normalise(name).split()) == 2]
    if not names:
        return None
    first, last = normalise(rng.choice(names)).split()
    right = {
        p
        for key in corpus.by_author
        if last in key.split()
        for p in corpus.by_author[key]
        if _has_initial(key, first[0], last)
    }
    typed = rng.choice((f"{first[0]} {last}", f"{first[0].upper()}. {last.title()}", f"{last} {first[0]}"))
    return typed, right


def _has_initial(key: str, initial: str, last: str) -> bool:
    others = key.split()
    others.remove(last)
    return any(word.startswith(initial) for word in others)


def _author_word(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
    names = [name for name in paper.authors if len(normalise(name).split()) >= 2]
    words = [w for w in corpus.titles[paper.id].split() if len(w) > 3 and not EVERYDAY.fullmatch(w)]
    if not names or not words:
        return None
    name, word = rng.choice(names), rng.choice(words)
    last = name.split()[-1]
    typed = rng.choice((f"{name} {word}", f"{word} {name}", f"{last} {word}"))
    right = corpus.by_author[_author_key(name)] & corpus.having([word])
    if typed.startswith(f"{last} "):
        wanted = normalise(last).split()
        right = {p for p in corpus.having([word]) if _some_author_has(corpus.facts[p], wanted)}
    return typed, right


def _some_author_has(paper: Document, words: list[str]) -> bool:
    return any(set(words) <= set(normalise(name).split()) for name in paper.authors)


def _institution_word(alias: bool) -> Callable[[Corpus, Document, random.Random], _Made]:
    def make(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
        names = [n for n in paper.institutions if _is_alias(n) == alias and len(normalise(n)) >= 2]
        words = [w for w in corpus.titles[paper.id].split() if len(w) > 3 and not EVERYDAY.fullmatch(w)]
        if not names or not words:
            return None
        name, word = rng.choice(names), rng.choice(words)
        return f"{name} {word}", corpus.by_institution[normalise(name)] & corpus.having([word])

    return make


def _is_alias(name: str) -> bool:
    return not name.isascii() or (name.isupper() and len(name) <= 6)


def _facets(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
    words = [w for w in corpus.titles[paper.id].split() if len(w) > 3 and not EVERYDAY.fullmatch(w)]
    if len(words) < 2 or paper.year is None:
        return None
    chosen = rng.sample(words, min(len(words), 2))
    shown = paper.presentation or ""
    parts = ["iclr", str(paper.year), shown, *chosen]
    right = {
        p
        for p in corpus.having(chosen)
        if corpus.facts[p].year == paper.year and (not shown or corpus.facts[p].presentation == shown)
    }
    return " ".join(filter(None, parts)), right


def _arxiv(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
    ids = [key.partition(":")[2] for key in paper.keys if key.startswith("arxiv:")]
    if not ids:
        return None
    form = rng.choice(("{}", "{}v2", "arXiv:{}", "https://arxiv.org/abs/{}v1", "https://arxiv.org/pdf/{}"))
    return form.format(ids[0]), {paper.id}


def _openreview(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
    ids = [key.partition(":")[2] for key in paper.keys if key.startswith("openreview:")]
    if not ids:
        return None
    form = rng.choice(
        ("https://openreview.net/forum?id={}", "https://openreview.net/pdf?id={}", "openreview:{}")
    )
    return form.format(ids[0]), {paper.id}


def _operators(corpus: Corpus, paper: Document, rng: random.Random) -> _Made:
    words = _window(corpus, paper, rng, 3, 5)
    if not words:
        return None
    phrase = " ".join(words)
    form = rng.choice(
        ('"{}"', "+{} -", "({}) 🚀", "{} ???", "title:{}", "*{}*", "NEAR({}", "{} %", "“{}”!!", "`{}`")
    )
    text = form.format(phrase)
    return text, corpus.containing(phrase)


KINDS: tuple[Kind, ...] = (
    Kind("exact", _whole(lambda title, _: title), "plain"),
    Kind("case", _whole(lambda title, rng: rng.choice((title.upper(), title.lower()))), "plain"),
    Kind("no punctuation", _whole(_unpunctuated), "plain"),
    Kind("LaTeX", _latex, "plain"),
    Kind("prefix", _prefix, "plain"),
    Kind("prefix, typo", _prefix_typo, "typo"),
    Kind("words in a row", _middle),
    Kind("keywords, any order", _keywords),
    Kind("2 words, 1 typo", _window_typo(2, 2, 1), "typo"),
    Kind("3 words, 1 typo", _window_typo(3, 3, 1), "typo"),
    Kind("4–5 words, 2 typos", _window_typo(4, 5, 2), "typo"),
    Kind("title, 1 typo", _whole(slip), "typo"),
    Kind("title, 2 typos", _whole(lambda title, rng: slip(title, rng, 2)), "typo"),
    Kind("title, 4 typos", _whole(lambda title, rng: slip(title, rng, 4)), "typo"),
    Kind("reordered", _reordered, "plain"),
    Kind("words joined", _joined),
    Kind("word split", _split),
    Kind("method", _method, "plain"),
    Kind("method, typo", _method_typo, "typo"),
    Kind("Chinese title", _zh_exact, "plain"),
    Kind("Chinese part", _zh_piece, "plain"),
    Kind("Chinese, wrong character", _zh_slip),
    Kind("Traditional", _zh_traditional, "plain"),
    Kind("full width", _full_width, "plain"),
    Kind("mixed", _mixed, "plain"),
    Kind("author", _author(lambda name, _: name)),
    Kind("author, last first", _author(_last_first)),
    Kind("author, comma", _author(_comma)),
    Kind("author, no accents", _author(_unaccented)),
    Kind("author, no hyphen", _author(_unhyphened)),
    Kind("author, misspelt", _misspelt),
    Kind("author, initial", _initials),
    Kind("author + word", _author_word),
    Kind("institution + word", _institution_word(alias=False)),
    Kind("year, presentation + words", _facets),
    Kind("arXiv id", _arxiv),
    Kind("OpenReview link", _openreview),
    Kind("quotes, operators", _operators),
    Kind("pinyin", _pinyin(initials=False), apart=True),
    Kind("pinyin initials", _pinyin(initials=True), apart=True),
    Kind("institution alias + word", _institution_word(alias=True), apart=True),
)


def make_cases(corpus: Corpus, per_kind: int, seed: int) -> tuple[list[Case], Counter[str], Counter[str]]:
    """Cases of all kinds; how many were tried and how many dropped, by kind."""
    cases: list[Case] = []
    tried: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    for kind in KINDS:
        made = 0
        for paper, rng in _draws(corpus, f"{seed}/{kind.name}", per_kind):
            if made >= per_kind:
                break
            result, fits = _one_case(kind, corpus, paper, rng)
            if result is None:
                continue
            tried[kind.name] += 1
            if not fits:
                dropped[kind.name] += 1
                continue
            text, right = result
            made += 1
            cases.append(Case(kind.name, text, frozenset(right)))
    return cases, tried, dropped


def _one_case(kind: Kind, corpus: Corpus, paper: Document, rng: random.Random) -> tuple[_Made, bool]:
    """A query and whether few enough papers fit; another place of the same paper may do before it is dropped."""
    result: _Made = None
    for _ in range(TRIES):
        made = kind.make(corpus, paper, rng)
        if made and made[0].strip():
            result = made
            if len(made[1]) <= MOST_RIGHT:
                return made, True
    return result, False


def _draws(corpus: Corpus, seed: str, per_kind: int) -> Iterator[tuple[Document, random.Random]]:
    rng = random.Random(seed)
    order = list(corpus.documents)
    rng.shuffle(order)
    # A small corpus gives each paper several times, with fresh slips.
    rounds = max(1, -(-per_kind // max(1, len(order)))) * 4 if len(order) < 200 else 1
    for _ in range(rounds):
        for paper in order:
            yield paper, rng
