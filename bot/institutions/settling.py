"""What a reading means: ambiguous forms settled or left open, repeats and parts of other houses left out.

Promises: an ambiguous form is settled only by a place of the text, by a relative in it or by the Chinese name; a
university whose stated country is another one is left open.
Leaves to others: reading the text (`reading`).
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.institutions.directory import Directory
from bot.institutions.keys import is_generic
from bot.institutions.model import Organisation
from bot.institutions.places import contradict
from bot.institutions.reading import Found, Reading, is_school, like_organisation
from bot.institutions.words import UNITS

# First words of general names that only one house in a country bears ("National Institute of Informatics").
_SINGULAR = frozenset(
    {"national", "international", "university", "agency", "central", "north", "electronic", "electronics"}
)
_NOWHERE: tuple[frozenset[str], set[str]] = (frozenset(), set())


def settle(reading: Reading, directory: Directory, chinese: Reading | None) -> None:
    """Leave in `reading.found` what a text names; `chinese` is the reading of its Chinese name."""
    kin = _kin(reading, directory)
    for found in reading.found:
        if found.certain and (not reading.places or found.choice[0].kind == "company"):
            continue
        stated, cities = _around(reading, found)
        if found.certain:
            found.certain = not contradict(stated, found.choice[0].country)
        else:
            related = [candidate for candidate in found.choice if candidate.id in kin]
            if len(related) == 1:
                found.choice, found.certain = (related[0],), True
            else:
                _choose(found, stated, cities, chinese, directory)
    if len(reading.found) > 1:
        reading.found = _without_repeats(reading.found, directory)
    if len(reading.found) > 1 or (reading.found and reading.others):
        reading.found = _without_common_names(reading, directory)


def _without_common_names(reading: Reading, directory: Directory) -> list[Found]:
    """Leave out what may be a part of another house beside it, known or unknown.

    "Institute for Advanced Study, Tsinghua University" is not the one in Princeton, and in "Laboratoire X,
    Université de Y" an unknown university may have a laboratory of the name a dump lists elsewhere.
    """
    school = any(is_school(reading.segments[at]) for at in reading.others)
    named = [item for item in reading.found if item.certain and not _has_common_name(item)]
    out = []
    for item in reading.found:
        if (school or named) and _has_common_name(item):
            kin = {above for owner in item.choice for above in (owner.id, *directory.ancestors(owner))}
            if not any(other.choice[0].id in kin for other in named):
                continue
        if school and _is_imported_unit(item):
            continue
        out.append(item)
    return out


def _kin(reading: Reading, directory: Directory) -> set[str]:
    """The children of what is certain: "École Normale Supérieure, PSL University" is the one of PSL."""
    if len(reading.found) < 2 or all(found.certain for found in reading.found):
        return set()
    certain = [found.choice[0].id for found in reading.found if found.certain]
    return {child.id for owner in certain for child in directory.children(owner)}


def _around(reading: Reading, found: Found) -> tuple[frozenset[str], set[str]]:
    """The countries and place names that belong to a found form: those behind it, else those before it."""
    taken: set[int] = set()
    if len(reading.found) > 1:
        taken = {at for other in reading.found if other is not found for at in range(other.start, other.end)}
    for positions in (range(found.end, len(reading.segments)), range(found.start - 1, -1, -1)):
        inside: list[int] = []
        for at in positions:
            if at in reading.places:
                inside.append(at)
            elif at in taken or (at in reading.others and like_organisation(reading.segments[at])):
                break
        if inside:
            codes = [reading.places[at] for at in inside if reading.places[at]]
            # "Cambridge, MA, USA": the last place is the widest and the least shared.
            return codes[-1] if codes else frozenset(), {reading.segments[at].key for at in inside}
    return _NOWHERE


def _choose(
    found: Found, stated: frozenset[str], cities: set[str], chinese: Reading | None, directory: Directory
) -> None:
    """Settle an ambiguous form by city, then country, then the Chinese name; or leave it."""
    candidates = found.form.organisations
    seats = [directory.city_keys(candidate) for candidate in candidates]
    by_city = [
        candidate
        for candidate, seat in zip(candidates, seats, strict=True)
        if seat and any(seat == city or city.startswith(seat + " ") for city in cities)
        and not contradict(stated, candidate.country)
    ]  # fmt: skip
    by_country = [candidate for candidate in candidates if candidate.country in stated]
    if stated & (found.form.elsewhere or frozenset()):
        by_country = []
    chosen = by_city if len(by_city) == 1 else by_country
    if len(chosen) != 1 and chinese is not None:
        chosen = _supported(candidates, chinese, stated)
    if len(chosen) == 1:
        found.choice, found.certain = (chosen[0],), True


def _supported(
    candidates: Sequence[Organisation], chinese: Reading, stated: frozenset[str]
) -> list[Organisation]:
    named = {owner.id for found in chinese.found for owner in found.choice}
    return [
        candidate
        for candidate in candidates
        if candidate.id in named and not contradict(stated, candidate.country)
    ]


def _has_common_name(item: Found) -> bool:
    """Whether a name is made of general words that another house may use for a part of itself."""
    return item.name.partition(" ")[0] not in _SINGULAR and is_generic(item.name)


def _without_repeats(found: list[Found], directory: Directory) -> list[Found]:
    """Each organisation once; no parent beside its child; no ambiguous form that another part explains."""
    certain = [item.choice[0] for item in found if item.certain]
    shipped = {owner.id for owner in certain if not owner.imported}
    above = {ancestor for owner in certain if not owner.imported for ancestor in directory.ancestors(owner)}
    known = above | {owner.id for owner in certain}
    out: list[Found] = []
    seen: set[str] = set()
    for item in found:
        if item.certain:
            owner = item.choice[0]
            if (
                owner.id in above
                or owner.id in seen
                or (owner.imported and shipped and _is_unit(item, shipped, directory))
            ):
                continue
            seen.add(owner.id)
        elif any(candidate.id in known for candidate in item.form.organisations):
            continue
        out.append(item)
    # What the shipped table resolves stays the answer when a dump is added.
    return sorted(out, key=lambda item: item.certain and item.choice[0].imported) if shipped else out


def _is_unit(item: Found, shipped: set[str], directory: Directory) -> bool:
    """Whether a dump's entry is a part of a shipped organisation beside it, or is called like any institute."""
    return _is_imported_unit(item) or not shipped.isdisjoint(directory.ancestors(item.choice[0]))


def _is_imported_unit(item: Found) -> bool:
    owner = item.choice[0]
    return item.certain and owner.imported and item.name.partition(" ")[0] in UNITS
