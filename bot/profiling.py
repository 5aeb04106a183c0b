"""What the papers say about an author or an institution.

Promises: pure counting. Leaves to `bot.render.profiles`: the look; to the caller: which papers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from bot.institutions.directory import Directory
from bot.institutions.model import Organisation
from bot.lookups import FoundAuthor
from bot.papers.model import Paper
from bot.papers.names import author_key
from bot.render.profiles import AuthorProfile, InstitutionProfile

_MOST = 12  # names that a profile is given; the renderer shows fewer


def author(found: FoundAuthor) -> AuthorProfile:
    """The profile of an author from their papers, newest first."""
    spellings = Counter(
        name for paper in found.papers for name in paper.authors if author_key(name) == found.key
    )
    name, *others = [spelling for spelling, _ in spellings.most_common()]
    return AuthorProfile(
        name=name,
        key=found.key,
        total=len(found.papers),
        counts=by_year_and_track(found.papers),
        newest=found.papers,
        coauthors=_coauthors(found),
        institutions=_places(found.papers, frozenset()),
        spellings=others,
        shared=seem_several(found),
    )


def organisation(
    found: Organisation, own: Sequence[Paper], every: Sequence[Paper], directory: Directory
) -> InstitutionProfile:
    """The profile of an organisation.

    Args:
        found: the organisation.
        own: its own papers, newest first.
        every: the same with those of what belongs to it.
        directory: for what belongs to it.
    """
    children = tuple(child.id for child in directory.children(found.id))
    return InstitutionProfile(
        name_en=found.name_en,
        name_zh=found.name_zh,
        place=found.id,
        known=True,
        total=len(own),
        counts=by_year_and_track(every),
        newest=every,
        together=_places(every, frozenset((found.id, *children))),
        kind=found.kind,
        parent=found.parent,
        children=children,
        aliases=found.aliases,
        country=found.country,
    )


def printed_name(name: str, papers: Sequence[Paper]) -> InstitutionProfile:
    """The profile of an institution that is in no directory, by its printed name."""
    return InstitutionProfile(
        name_en=name,
        name_zh=None,
        place=name,
        known=False,
        total=len(papers),
        counts=by_year_and_track(papers),
        newest=papers,
        together=_places(papers, frozenset()),
    )


def by_year_and_track(papers: Iterable[Paper]) -> list[tuple[int | None, str, int]]:
    """How many papers each edition has in each track; papers that name no ICLR are left out."""
    counted = Counter((paper.venue.year, paper.venue.track.value) for paper in papers if paper.venue)
    return [(year, track, count) for (year, track), count in counted.items()]


def seem_several(found: FoundAuthor) -> bool:
    """Whether papers under one name look like those of several people: no common co-author or institution."""
    groups: list[set[str]] = []
    for paper in found.papers:
        ties = {author_key(name) for name in paper.authors} - {found.key}
        ties |= {number for place in paper.affiliations for number in place.organisations}
        touching = [group for group in groups if group & ties]
        groups = [group for group in groups if group not in touching]
        if ties:
            groups.append(ties.union(*touching))
    return len(groups) > 1


def _coauthors(found: FoundAuthor) -> list[tuple[str, int]]:
    counted: Counter[str] = Counter()
    names: dict[str, str] = {}
    for paper in found.papers:
        for name in paper.authors:
            key = author_key(name)
            if key != found.key:
                counted[key] += 1
                names.setdefault(key, name)
    return [(names[key], count) for key, count in counted.most_common(_MOST)]


def _places(papers: Iterable[Paper], without: frozenset[str]) -> list[tuple[str, int]]:
    """Organisations and the number of papers they are on, most first."""
    counted: Counter[str] = Counter()
    for paper in papers:
        numbers = {number for place in paper.affiliations for number in place.organisations}
        counted.update(sorted(numbers - without))
    return counted.most_common(_MOST)
