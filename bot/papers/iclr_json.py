"""The conference's own yearly list (iclr.cc, `iclr-<year>-orals-posters.json`) as records.

Promises: an oral, which stands there twice, is one record; every decision and person is taken as printed; what
can't be read is rejected with its place. Leaves to `bot.sources.iclr`: fetching; to `merge`: what wins.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from bot.papers.clean import clean_line, decode_once
from bot.papers.drafts import Rejection
from bot.papers.identity import canonical_arxiv_id, openreview_id, title_key
from bot.papers.listing import Parsed
from bot.papers.model import Affiliation, Link, Origin, Presentation, Record, Status, Track, Venue
from bot.papers.names import author_key

_HEAD = re.compile(rb'\s*\{\s*"(?:count|next|previous|results)"\s*:|\s*\{[^\[\]]{0,2000}"results"\s*:\s*\[')
_YEAR = re.compile(r"(?:/virtual/|ICLR\.cc/)(20\d\d)\b")
_YEAR_OF_FILE = re.compile(r"iclr-?(20\d\d)", re.IGNORECASE)
# Best first: of the two entries of an oral, the oral one says more.
_PRESENTATIONS = (
    (
        Presentation.ORAL,
        re.compile(r"\b(?:oral|talk|notable[- ]top[- ]5\s*%?|top[- ]5\s*%)(?!\w)", re.IGNORECASE),
    ),
    (Presentation.SPOTLIGHT, re.compile(r"\bspotlight|\btop[- ]25\s*%?", re.IGNORECASE)),
    (Presentation.POSTER, re.compile(r"\bposter", re.IGNORECASE)),
)
_RANK = {Presentation.ORAL: 3, Presentation.SPOTLIGHT: 2, Presentation.POSTER: 1, None: 0}
_STATUSES = (
    (Status.REJECTED, re.compile(r"reject", re.IGNORECASE)),
    (Status.WITHDRAWN, re.compile(r"withdr", re.IGNORECASE)),
    (Status.ACCEPTED, re.compile(r"accept|oral|poster|spotlight|notable|talk", re.IGNORECASE)),
)
_WORKSHOP = re.compile(r"\bworkshop\b", re.IGNORECASE)
_OTHER = re.compile(
    r"\bblog ?posts?\b|\btiny papers?\b|\btutorial\b|\bjournal\b|\bTMLR\b|\binvited\b|\bsocial\b",
    re.IGNORECASE,
)
_SUBMITTED = re.compile(r"\bsubmi|\bunder review\b|\bpending\b", re.IGNORECASE)


class YearlyError(ValueError):
    """The bytes are no yearly list that can be read; the message says why."""


def looks_like_iclr(data: bytes) -> bool:
    """Whether bytes are a JSON object with results (well-formed or not)."""
    return bool(_HEAD.match(data[:4096].removeprefix(b"\xef\xbb\xbf")))


def parse_iclr(data: bytes, *, name: str) -> Parsed:
    """Read every result.

    Args:
        data: the body as it came.
        name: the file's name; its year counts where an entry doesn't tell its own.

    Raises:
        YearlyError: no JSON, or no list of results in it.
    """
    records: list[Record] = []
    places: dict[str, int] = {}
    rejected: list[Rejection] = []
    year = _YEAR_OF_FILE.search(name.replace("\\", "/").rpartition("/")[2])
    for number, item in enumerate(_results(data), start=1):
        try:
            record = _record(item, number, int(year[1]) if year else None)
        except _BrokenError as error:
            rejected.append(Rejection(name, number, str(error)))
            continue
        key = _key(record, item)
        if key in places:
            records[places[key]] = _join(records[places[key]], record)
        else:
            places[key] = len(records)
            records.append(record)
    return Parsed(tuple(records), tuple(rejected), (), "iclr")


class _BrokenError(ValueError):
    """One result can't be used."""


def _results(data: bytes) -> list[object]:
    try:
        loaded: object = json.loads(data.decode("utf-8-sig"))
    except RecursionError:
        raise YearlyError("no valid JSON (nested too deeply)") from None
    except UnicodeDecodeError:
        raise YearlyError("no valid JSON (not UTF-8)") from None
    except ValueError as error:
        raise YearlyError(f"no valid JSON ({error})") from None
    results = loaded.get("results") if isinstance(loaded, dict) else None
    if not isinstance(results, list):
        raise YearlyError("the JSON has no list of results")
    return results


def _key(record: Record, item: object) -> str:
    """What the two entries of an oral have in common."""
    forum = next((found for link in record.links if (found := openreview_id(link.url))), None)
    if forum:
        return f"openreview:{forum}"
    people = "|".join(author_key(name) for name in record.authors)
    return f"{title_key(record.title_en)}{people}" if people else f"{title_key(record.title_en)}{id(item)}"


def _join(one: Record, other: Record) -> Record:
    """Two entries of one paper: the stronger presentation, and what either knows."""
    strong, weak = (one, other) if _strength(one) >= _strength(other) else (other, one)
    return replace(
        strong,
        authors=strong.authors or weak.authors,
        institutions=strong.institutions or weak.institutions,
        abstract_en=strong.abstract_en or weak.abstract_en,
        summary_en=strong.summary_en or weak.summary_en,
        links=tuple({link.url: link for link in (*one.links, *other.links)}.values()),
        line=one.line,
    )


def _strength(record: Record) -> int:
    return _RANK[record.venue.presentation if record.venue else None]


def _record(item: object, number: int, year: int | None) -> Record:
    if not isinstance(item, dict):
        raise _BrokenError("not an object")
    title = _text(item.get("name")) or _text(item.get("title"))
    if not title:
        raise _BrokenError("no name")
    people = [_person(one) for one in _list(item.get("authors"))]
    tldr = next(
        (found for key in ("tldr", "TLDR", "TL;DR", "tl_dr") if (found := _text(item.get(key)))), None
    )
    return Record(
        title_en=title,
        authors=tuple(person.name for person in people if person.name),
        institutions=tuple(Affiliation(name) for name in dict.fromkeys(_places(people))),
        abstract_en=_text(item.get("abstract")) or None,
        summary_en=tldr,
        summary_en_origin=Origin.TLDR if tldr else Origin.LISTING,
        links=_links(item),
        venue=_venue(item, year),
        line=number,
    )


@dataclass(frozen=True, slots=True)
class _Person:
    name: str
    institution: str


def _person(item: object) -> _Person:
    if isinstance(item, dict):
        return _Person(_text(item.get("fullname")) or _text(item.get("name")), _text(item.get("institution")))
    return _Person(_text(item), "")


def _places(people: Iterable[_Person]) -> list[str]:
    nothing = frozenset({"", "-", "n/a", "na", "none", "null", "unknown"})
    return [one.institution for one in people if one.institution.casefold() not in nothing]


def _venue(item: dict[str, Any], of_file: int | None) -> Venue:
    decision = _text(item.get("decision"))
    kind = " ".join(_text(item.get(key)) for key in ("eventtype", "event_type"))
    said = f"{decision} {kind}"
    addresses = " ".join(_text(item.get(key)) for key in ("virtualsite_url", "sourceurl", "paper_url"))
    found = _YEAR.search(addresses)
    track = Track.WORKSHOP if _WORKSHOP.search(said) else Track.OTHER if _OTHER.search(said) else Track.MAIN
    return Venue(
        name="ICLR",
        year=int(found[1]) if found else of_file,
        track=track,
        presentation=next((what for what, pattern in _PRESENTATIONS if pattern.search(said)), None),
        status=_status(decision, said),
    )


def _status(decision: str, said: str) -> Status:
    if _SUBMITTED.search(decision):
        return Status.SUBMITTED
    found = next((status for status, pattern in _STATUSES if pattern.search(decision or said)), None)
    # The list is of what is presented; an entry without a word on its decision is on it for that reason.
    return found or (Status.ACCEPTED if not decision else Status.UNKNOWN)


def _links(item: dict[str, Any]) -> tuple[Link, ...]:
    found: dict[str, Link] = {}
    for key in ("paper_url", "paper_pdf_url", "url", "project_url"):
        url = _text(item.get(key))
        if not url.lower().startswith(("http://", "https://")):
            continue
        kind = "openreview" if openreview_id(url) else "arxiv" if canonical_arxiv_id(url) else "paper"
        if key == "paper_pdf_url" and kind != "paper":
            continue  # the same page's PDF
        found.setdefault(url, Link(kind if key != "project_url" else "project", url))
    page = _text(item.get("virtualsite_url"))
    if page.startswith("/virtual/"):
        page = f"https://iclr.cc{page}"
    if page.startswith("https://iclr.cc/"):
        found.setdefault(page, Link("paper", page))
    return tuple(found.values())


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _text(value: object) -> str:
    """A JSON text as one clean line; ``""`` for anything else."""
    if not isinstance(value, str):
        return ""
    return clean_line(decode_once(re.sub(r"[\ud800-\udfff]", "", value)))
