"""One paper from what several sources say of it, field by field.

Promises: the better source of a field wins, a source's newer word replaces its older one, nothing known is
erased by silence, and a disagreement between sources is reported.
Leaves to `identity`: which record is which paper.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

from bot.papers.identity import overlap
from bot.papers.model import Origin, PaperState, Record, Status, Track, Venue

# Kinds of source, best first, for the fields where the order differs from the default.
_DEFAULT = ("override", "listing", "iclr", "arxiv", "sidecar")
_ORDER: dict[str, tuple[str, ...]] = {
    "title_en": ("override", "iclr", "listing", "arxiv"),
    "abstract_en": ("override", "arxiv", "iclr", "listing"),
    "arxiv_id": ("override", "arxiv", "listing", "iclr"),
    "categories": ("override", "arxiv", "listing", "iclr"),
    "date": ("override", "arxiv", "listing", "iclr"),
    "summary_en": (
        "override",
        "listing",
        "sidecar",
        "tldr",
        "iclr",
        "arxiv",
        "excerpt",
        "model",
        "translation",
    ),
    "summary_zh": ("override", "listing", "sidecar", "model", "translation"),
}
_EXCERPT = "excerpt"
_VENUE = ("override", "iclr", "listing", "arxiv")
# Handled on their own, or no part of what the paper is.
_APART = frozenset({"venue", "links", "line", "summary_en_origin", "summary_zh_origin"})
_MERGED = tuple(field.name for field in fields(Record) if field.name not in _APART)


@dataclass(frozen=True, slots=True)
class Merged:
    """The new state, and sentences on what sources disagree about."""

    state: PaperState
    conflicts: tuple[str, ...]


def first_state(record: Record, source: str) -> PaperState:
    """What is known after the first record of a paper."""
    origins = {name: source for name in _MERGED if getattr(record, name)}
    if record.venue is None:
        return PaperState(replace(record, line=0), (), origins)
    return PaperState(replace(record, line=0), (record.venue,), origins | {"venue": source})


def merge(known: PaperState, record: Record, source: str, *, repeated: bool = False) -> Merged:
    """Join a further record of the same paper, which comes from a kind of source, to what is known.

    Args:
        known: what earlier records said.
        record: what this one says.
        source: its kind.
        repeated: the same load told of the paper before. Then this record fills gaps, but takes nothing back that
            its own kind of source said: otherwise the same load again would change the paper to and fro.
    """
    values: dict[str, Any] = {}
    origins = dict(known.origins)
    conflicts = []
    for name in _MERGED:
        new, old = getattr(record, name), getattr(known.record, name)
        if not new or (new == old and name in origins):
            continue
        if old and origins.get(name) != source and _disagree(name, old, new):
            conflicts.append(f"{name}: {_brief(old)} ({origins.get(name)}) ≠ {_brief(new)} ({source})")
        if old and not _replaces(_ORDER.get(name, _DEFAULT), source, origins.get(name, source), repeated):
            continue
        values[name] = new
        origins[name] = source
        if name in ("summary_en", "summary_zh"):
            values[f"{name}_origin"] = getattr(record, f"{name}_origin")
    links = _merge_links(known.record, record)
    conflicts += _venue_conflicts(known, record.venue, source)
    venues = _merge_venues(known.venues, record.venue, source, origins, repeated=repeated)
    joined = replace(known.record, **values, links=links, venue=venues[0] if venues else None, line=0)
    return Merged(PaperState(joined, venues, origins), tuple(conflicts))


def with_excerpt(state: PaperState, choose: Callable[[str, str], str | None]) -> PaperState:
    """The state with an English summary taken from its abstract, where no better one is known.

    Args:
        state: what is known of the paper.
        choose: picks the sentence of an abstract, given the title too, or None (`bot.summaries.excerpt`).
    """
    record = state.record
    if not record.abstract_en or (record.summary_en and state.origins.get("summary_en") != _EXCERPT):
        return state
    text = choose(record.abstract_en, record.title_en)
    if text is None or text == record.summary_en:
        return state
    return PaperState(
        replace(record, summary_en=text, summary_en_origin=Origin.EXCERPT),
        state.venues,
        state.origins | {"summary_en": _EXCERPT},
    )


def _disagree(field: str, old: Any, new: Any) -> bool:  # noqa: ANN401 - a field of any type
    """Whether two values of a field are more than two ways to write one thing; an operator wants to hear of it."""
    if field == "authors":
        return overlap(old, new) < 1
    return field == "arxiv_id" and old != new


def _venue_conflicts(known: PaperState, new: Venue | None, source: str) -> list[str]:
    """What two sources say differently of one edition: accepted or not, and how it is presented."""
    origin = known.origins.get("venue", source)
    old = next((venue for venue in known.venues if new is not None and _same_edition(venue, new)), None)
    if new is None or old is None or origin == source:
        return []
    return [
        f"{what}: {one} ({origin}) ≠ {other} ({source})"
        for what, one, other in (
            ("status", old.status, new.status),
            ("presentation", old.presentation, new.presentation),
        )
        if one and other and one is not other and Status.UNKNOWN not in (one, other) and _final(one, other)
    ]


def _final(one: object, other: object) -> bool:
    """Acceptance follows submission and a workshop's earlier version; that is news, not disagreement."""
    return not {one, other} & {Status.SUBMITTED, Status.EARLIER_VERSION}


def _replaces(order: tuple[str, ...], new: str, old: str, repeated: bool) -> bool:
    """Whether a source's word takes the place of another's (or of its own earlier one)."""
    if repeated:
        return _rank(order, new) < _rank(order, old)
    return _rank(order, new) <= _rank(order, old)


def _rank(order: tuple[str, ...], source: str) -> int:
    return order.index(source) if source in order else len(order)


def _brief(value: object) -> str:
    text = ", ".join(value) if isinstance(value, tuple) else str(value)
    return text if len(text) <= 60 else text[:59] + "…"


def _merge_links(known: Record, record: Record) -> tuple[Any, ...]:
    have = {link.url for link in known.links}
    return known.links + tuple(link for link in record.links if link.url not in have)


def _merge_venues(
    known: tuple[Venue, ...], new: Venue | None, source: str, origins: dict[str, str], *, repeated: bool
) -> tuple[Venue, ...]:
    """The same edition is updated, another edition is added; the newest stands first."""
    if new is None:
        return known
    place = next((i for i, venue in enumerate(known) if _same_edition(venue, new)), None)
    if place is None:
        origins["venue"] = source
        return tuple(sorted((*known, new), key=_newest_first))
    old = known[place]
    better = _replaces(_VENUE, source, origins.get("venue", source), repeated)
    leading, other = (new, old) if better else (old, new)
    if better:
        origins["venue"] = source
    joined = replace(
        leading,
        year=leading.year or other.year,
        presentation=leading.presentation or other.presentation,
        name=leading.name if len(leading.name) >= len(other.name) or better else other.name,
        # "unknown" is silence, and silence erases nothing.
        status=other.status if leading.status is Status.UNKNOWN else leading.status,
    )
    return tuple(sorted((*known[:place], joined, *known[place + 1 :]), key=_newest_first))


def _same_edition(one: Venue, other: Venue) -> bool:
    """The same track in the same year; a missing year matches any."""
    years = one.year is None or other.year is None or one.year == other.year
    return years and one.track is other.track


def _newest_first(venue: Venue) -> tuple[int, bool, bool]:
    return (-(venue.year or 0), venue.status is not Status.ACCEPTED, venue.track is not Track.MAIN)


def is_accepted(venues: tuple[Venue, ...]) -> bool:
    """Whether any edition accepted the paper: what makes it news (rule 16 of the design)."""
    return any(venue.status is Status.ACCEPTED for venue in venues)
