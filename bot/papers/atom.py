"""Replies of the arXiv API (Atom 1.0) as records.

Promises: any DOCTYPE is refused before an entity can be declared; an entry that can't be read is rejected and the
rest still loads. Source: https://info.arxiv.org/help/api/user-manual.html, and real replies.
Leaves to `venue`: what a comment says of ICLR; to `bot.sources.arxiv`: asking.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from xml.parsers import expat

from bot.papers.clean import clean_line, mend_line
from bot.papers.dates import parse_date
from bot.papers.drafts import Rejection
from bot.papers.identity import canonical_arxiv_id
from bot.papers.links import find_links
from bot.papers.listing import Parsed
from bot.papers.model import Affiliation, Link, Record
from bot.papers.venue import read_venue

_ATOM = "http://www.w3.org/2005/Atom"
_ARXIV = "http://arxiv.org/schemas/atom"
_XML = re.compile(rb"\s*<(?:\?xml\b|!DOCTYPE\s+(?!html)|(?:\w+:)?feed\b)", re.IGNORECASE)
_HTML = re.compile(rb"<(?:!DOCTYPE\s+html|html|head|body|article)\b", re.IGNORECASE)
# Nothing of an entry lies deeper; a document that does is no reply of arXiv's.
_DEPTH = 20
_FIELDS = frozenset({"id", "title", "summary", "published", "updated"})
_EXTRAS = frozenset({"comment", "journal_ref", "primary_category", "affiliation"})


class FeedError(ValueError):
    """The bytes are no feed that can be read; the message says why."""


def looks_like_atom(data: bytes) -> bool:
    """Whether bytes are XML other than a web page: an Atom feed, well-formed or not."""
    head = data[:4096].removeprefix(b"\xef\xbb\xbf")
    return bool(_XML.match(head)) and not _HTML.search(head)


def parse_atom(data: bytes, *, name: str) -> Parsed:
    """Read every entry of a reply.

    Args:
        data: the body as it came.
        name: what to call it in rejections.

    Raises:
        FeedError: no well-formed XML, a DOCTYPE, or an error that arXiv reports (in its words).
    """
    records: list[Record] = []
    rejected: list[Rejection] = []
    for entry in _entries(data):
        if "/api/errors" in entry.text("id"):
            raise FeedError(f"arXiv refuses the request: {entry.text('summary')[:200]}")
        record = _record(entry)
        if isinstance(record, Record):
            records.append(record)
        else:
            rejected.append(Rejection(name, entry.line, record))
    return Parsed(tuple(records), tuple(rejected), (), "arxiv")


@dataclass(slots=True)
class _Entry:
    """The texts of one entry."""

    line: int
    fields: dict[str, str] = field(default_factory=dict)
    authors: list[str] = field(default_factory=list)
    affiliations: list[str] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)

    def text(self, name: str) -> str:
        return self.fields.get(name, "")


def _record(entry: _Entry) -> Record | str:
    """The entry's record, or why there is none."""
    arxiv_id = canonical_arxiv_id(entry.text("id"))
    title = entry.text("title")
    if arxiv_id is None:
        return f"no arXiv id in “{entry.text('id')[:80]}”"
    if not title:
        return f"{arxiv_id} has no title"
    comments, journal_ref = entry.text("comment") or None, entry.text("journal_ref") or None
    return Record(
        title_en=title,
        authors=tuple(entry.authors),
        institutions=tuple(Affiliation(item) for item in dict.fromkeys(entry.affiliations)),
        abstract_en=entry.text("summary") or None,
        comments=comments,
        journal_ref=journal_ref,
        arxiv_id=arxiv_id,
        date=_published(entry),
        categories=tuple(dict.fromkeys(entry.categories)),
        links=_links(arxiv_id, comments),
        venue=read_venue(comments, journal_ref),
        line=entry.line,
    )


def _published(entry: _Entry) -> date | None:
    return parse_date(entry.text("published")) or parse_date(entry.text("updated"))


def _links(arxiv_id: str, comments: str | None) -> tuple[Link, ...]:
    own = Link("arxiv", f"https://arxiv.org/abs/{arxiv_id}")
    said = find_links(comments) if comments else ()
    return (own, *(link for link in said if canonical_arxiv_id(link.url) != arxiv_id))


# --- XML ----------------------------------------------------------------------------------------------------


def _entries(data: bytes) -> Iterator[_Entry]:
    reader = _Reader()
    reader.read(data)
    yield from reader.entries


class _Reader:
    """Gathers entries while expat reads; namespaces by their names, whatever the prefixes."""

    def __init__(self) -> None:
        self.entries: list[_Entry] = []
        self._path: list[str] = []
        self._text: list[str] = []
        self._entry: _Entry | None = None
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text.append

    def read(self, data: bytes) -> None:
        try:
            self._parser.Parse(data, True)
        except expat.ExpatError as error:
            raise FeedError(
                f"no well-formed XML (line {error.lineno}: {expat.errors.messages[error.code]})"
            ) from None
        except (ValueError, LookupError) as error:
            if isinstance(error, FeedError):
                raise
            raise FeedError(f"no XML that can be read ({error})") from None

    def _refuse_doctype(self, *_: object) -> None:
        raise FeedError("the XML declares a DOCTYPE, which arXiv never does; it isn't read")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if not self._path and name != f"{_ATOM} feed":
            raise FeedError(f"the XML is no Atom feed but “{name.rpartition(' ')[2][:40]}”")
        if len(self._path) >= _DEPTH:
            raise FeedError("the XML is nested too deeply")
        self._path.append(name)
        self._text.clear()
        if name == f"{_ATOM} entry":
            self._entry = _Entry(self._parser.CurrentLineNumber)
        elif self._entry is not None and name == f"{_ATOM} category" and attributes.get("term"):
            self._entry.categories.append(_clean(attributes["term"]))
        elif self._entry is not None and name == f"{_ARXIV} primary_category" and attributes.get("term"):
            self._entry.categories.insert(0, _clean(attributes["term"]))

    def _end(self, name: str) -> None:
        self._path.pop()
        if name == f"{_ATOM} entry" and self._entry is not None:
            self.entries.append(self._entry)
            self._entry = None
        elif self._entry is not None:
            self._take(name, _clean("".join(self._text)))
        self._text.clear()

    def _take(self, name: str, text: str) -> None:
        entry = self._entry
        if entry is None or not text:
            return
        namespace, _, local = name.rpartition(" ")
        inside = self._path[-1] if self._path else ""
        if inside == f"{_ATOM} author":
            {"name": entry.authors, "affiliation": entry.affiliations}.get(local, []).append(text)
        elif inside == f"{_ATOM} entry" and (
            (namespace == _ATOM and local in _FIELDS) or (namespace == _ARXIV and local in _EXTRAS)
        ):
            entry.fields.setdefault(local, text)


def _clean(text: str) -> str:
    """One line; arXiv's replies hold some names that were encoded twice."""
    return clean_line(
        mend_line(text)[0]
    )  # mended first: cleaning takes soft hyphens, which are half a letter
