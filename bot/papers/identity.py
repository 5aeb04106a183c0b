"""Which records are one paper: arXiv and OpenReview ids, title keys, near titles.

Promises: pure and total. A title alone never makes two records one: the authors have to agree. Leaves to the
loader: keeping every key that a paper was ever seen under (rule 19), and what to do about a match.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from bot.papers.model import Record
from bot.papers.names import same_author, surname_key
from bot.text import normalise as _normalise

# New ids since 2007, old ones with an archive; a version may follow. https://info.arxiv.org/help/arxiv_identifier.html
ARXIV_ID = r"(?:\d{4}\.\d{4,5}|[a-z]{2,8}(?:-[a-z]{2,3})?(?:\.[a-z]{2}(?:-[a-z]{2})?)?/\d{7})(?:v\d{1,3})?"
_ID = re.compile(rf"(?<![\w./]){ARXIV_ID}(?![\w/])", re.IGNORECASE)
_ARXIV_LINK = re.compile(
    rf"(?:arxiv\.org|ar5iv\.org|alphaxiv\.org)/(?:abs|pdf|html|format|e-print|src|overview)?/?(?P<link>{ARXIV_ID})"
    rf"|10\.48550/arxiv\.(?P<doi>{ARXIV_ID})|\barxiv\s*[:：]\s*(?P<named>{ARXIV_ID})",
    re.IGNORECASE,
)
_VERSION = re.compile(r"v\d{1,3}$")
_OPENREVIEW = re.compile(r"openreview\.net/\w+(?:/\w+)?\?(?:[^#\s]*?&)?id=(?P<id>[\w-]{5,64})", re.IGNORECASE)
_ARTICLES = frozenset({"a", "an", "the"})


# A record's title is asked for several times in a row.
normalise = lru_cache(maxsize=4096)(_normalise)


def canonical_arxiv_id(text: str) -> str | None:
    """The arXiv id in a text, without version, subject class or address: ``cs/0112017``, ``2601.22400``.

    Takes a bare id, ``arXiv:…``, a DOI of arXiv, or an address (abs, pdf, html; any query or ending).
    """
    text = text.strip()
    match = _ARXIV_LINK.search(text)
    found = (match["link"] or match["doi"] or match["named"]) if match else None
    if found is None:
        bare = _ID.fullmatch(text.removesuffix(".pdf"))
        found = bare[0] if bare else None
    if found is None:
        return None
    plain = _VERSION.sub("", found.lower())
    archive, slash, number = plain.partition("/")
    if slash:
        return f"{archive.split('.')[0]}/{number}"
    return plain if 1 <= int(plain[2:4]) <= 12 else None


def openreview_id(text: str) -> str | None:
    """The paper's id in an OpenReview address (``forum?id=…``, ``pdf?id=…``), whatever else is in the query."""
    match = _OPENREVIEW.search(text)
    return match["id"] if match else None


def title_key(title: str) -> str:
    """The key of a title without its author; every key with an author starts with it."""
    return f"title:{normalise(title) or ' '.join(title.split()).casefold()}|"


def near_key(title: str) -> str:
    """One key for titles that `near_title` calls near: to find candidates by, not to decide.

    Two near titles have different keys only where words are joined or split just after a plural.
    """
    words = normalise(title).split()
    bare = "".join(_singular(word) for word in words if word not in _ARTICLES)
    return f"near:{bare or ''.join(words) or ' '.join(title.split()).casefold()}"


def keys_of(record: Record) -> tuple[str, ...]:
    """Every key that a record can be found under, the most certain first.

    ``arxiv:2601.01234``, ``openreview:…`` (only from an address that a source states as the paper's own), and
    ``title:<normal title>|<first author's surname>``.
    """
    keys = [f"arxiv:{record.arxiv_id}"] if record.arxiv_id else []
    keys += [f"openreview:{found}" for link in record.links if (found := openreview_id(link.url))]
    keys.append(title_key(record.title_en) + first_surname(record.authors))
    return tuple(dict.fromkeys(keys))


def first_surname(authors: Sequence[str]) -> str:
    """The first author's surname in the normal form, ``""`` without authors."""
    return surname_key(authors[0]) if authors else ""


def near_title(left: str, right: str) -> bool:
    """Whether two titles differ at most in what versions of one paper differ in (rule 19).

    That is case, punctuation, LaTeX, dashes, an article or a plural; a further word makes another paper.
    """
    one, other = normalise(left).split(), normalise(right).split()
    if one == other:
        return bool(one)
    if "".join(one) == "".join(other):
        return True  # joined or split: "Log Quant", "LogQuant"
    one, other = ([_singular(word) for word in words if word not in _ARTICLES] for words in (one, other))
    return bool(one) and (one == other or "".join(one) == "".join(other))


def _singular(word: str) -> str:
    if len(word) <= 3 or not word.endswith("s") or word.endswith("ss"):
        return word
    return f"{word[:-3]}y" if word.endswith("ies") and len(word) > 4 else word[:-1]


def same_paper(left: Record, right: Record) -> bool:
    """Whether two records are one paper.

    With two arXiv ids these decide. Otherwise the titles must be near and the people agree: the first author
    with an equal title, the list of authors with a near one. Namesakes stay apart.
    """
    if left.arxiv_id and right.arxiv_id:
        return left.arxiv_id == right.arxiv_id
    if not near_title(left.title_en, right.title_en):
        return False
    if not (left.authors and right.authors):
        return title_key(left.title_en) == title_key(right.title_en)
    if title_key(left.title_en) == title_key(right.title_en) and _shares_first(left, right):
        return True
    return same_people(left.authors, right.authors)


def _shares_first(left: Record, right: Record) -> bool:
    one, other = left.authors[0], right.authors[0]
    if same_author(one, other):
        return True
    # "Dan Smith" and "Daniel Smith": the surname and the initial.
    return surname_key(one) == surname_key(other) and normalise(one)[:1] == normalise(other)[:1]


def same_people(left: Sequence[str], right: Sequence[str]) -> bool:
    """Whether two lists name the same people, in any order; one of five or more may be missing."""
    return overlap(left, right) >= 0.8


def overlap(left: Sequence[str], right: Sequence[str]) -> float:
    """The share of the longer list whose people stand in the other one too."""
    fewer, more = sorted((list(left), list(right)), key=len)
    if not fewer:
        return 0.0
    rest = list(more)
    for name in fewer:
        match = next((other for other in rest if same_author(name, other)), None)
        if match is not None:
            rest.remove(match)
    return (len(more) - len(rest)) / len(more)
