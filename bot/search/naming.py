"""Whole names in a query: of an institution, and of an author in any order, with initials, half typed, with a slip.

Promises: who is named comes before others who share a part of the name. Leaves single words to `bot.search.matching`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bot.search.atoms import Match
from bot.search.groups import Expansion, Group, places_in
from bot.search.lookup import Matcher
from bot.search.parse import Words
from bot.search.segment import INSTITUTION, NAME, Field

_MOST_NAMES = 4  # words of an author's name
_TYPED = 1.0  # likeness of a name that begins so
_MISSPELT = 0.96  # likeness of a whole name with a slip
_NAMESAKE = 0.7  # likeness of a paper that has a word of a whole name from another person's

People = tuple[NDArray[np.uint32], ...] | None  # somebody's papers by segment


def whole_institutions(
    found: list[Match], words: Words, fields: Sequence[int], matchers: Sequence[Matcher]
) -> tuple[Group | None, ...]:
    """Marks words that together are an institution's whole name; its papers come before others with the same words."""
    if not any(m.telling and m.fields & Field.INSTITUTION for m in found):
        return ()
    first, end, name = _longest_name(words.words, fields, matchers)
    if not name:
        return ()
    for place, one in enumerate(found):
        if first <= one.atom.place < end:
            found[place] = one._replace(address=True)
    return tuple(m.whole(name) for m in matchers)


def _longest_name(
    words: Sequence[str], fields: Sequence[int], matchers: Sequence[Matcher]
) -> tuple[int, int, str]:
    """Where the longest whole name of an institution begins and ends, and its term; "" for none."""
    best = (0, 0, "")
    for first in range(len(words)):
        end = first
        while end < len(words) and fields[end] & Field.INSTITUTION:
            end += 1
        for last in range(end, first + best[1] - best[0], -1):
            name = INSTITUTION + " ".join(words[first:last])
            if any(m.segment.terms.find(name) >= 0 for m in matchers):
                best = (first, last, name)
                break
    return best


def whole_names(
    found: list[Match], words: Words, fields: Sequence[int], matchers: Sequence[Matcher], *, wide: bool
) -> tuple[People, bool]:
    """Words that together are somebody's name find this person's papers before those of namesakes in part.

    Returns:
        This person's papers where the text is nothing but the name, `wide`: give or take a slip; and whether the
        name may be half typed.
    """
    named = [bool(f & Field.AUTHOR) or len(w) == 1 for w, f in zip(words.words, fields, strict=True)]
    first, end, people = _somebody(words.words, named, matchers)
    if people is None and len(words.words) > 1 and words.open_end and any(named):
        people = _known(tuple(_in_order(m.named(words.text)) for m in matchers))
        if people is not None:
            return _credited(found, people, _TYPED), True
    if people is None:
        return (_misspelt(found, words, matchers) if wide and any(named) else None), False
    for place, one in enumerate(found):
        if first <= one.atom.place < end:
            expansions = tuple(_of_person(e, docs) for e, docs in zip(one.expansions, people, strict=True))
            found[place] = one._replace(expansions=expansions)
    whole = end - first == sum(facet is None for facet in words.facets)
    return (people if whole else None), False


def _misspelt(found: list[Match], words: Words, matchers: Sequence[Matcher]) -> People:
    if not 2 <= len(words.words) <= _MOST_NAMES or any(words.facets):
        return None
    people = _known(tuple(_in_order(m.nearly_named(words.words)) for m in matchers))
    return None if people is None else _credited(found, people, _MISSPELT)


def _credited(found: list[Match], people: tuple[NDArray[np.uint32], ...], likeness: float) -> People:
    """Every word counts as found in somebody's papers."""
    groups = [Group(docs, np.full(len(docs), Field.AUTHOR, np.uint8), likeness) for docs in people]
    found[:] = [one.plus(groups, one.read) for one in found]
    return people


def _known(people: tuple[NDArray[np.uint32], ...]) -> People:
    return people if any(len(docs) for docs in people) else None


def _somebody(
    words: Sequence[str], named: Sequence[bool], matchers: Sequence[Matcher]
) -> tuple[int, int, People]:
    """Where the first and longest name begins and ends, and this person's papers by segment; None for nobody."""
    for first in range(len(named) - 1):
        end = first
        while end < len(named) and end < first + _MOST_NAMES and named[end]:
            end += 1
        for last in range(end, first + 1, -1):
            part = words[first:last]
            initials = [word for word in part if len(word) == 1]
            if initials and len(part) - len(initials) != 1:
                continue
            people = _known(tuple(_papers_of(part, initials, m) for m in matchers))
            if people is not None:
                return first, last, people
    return 0, 0, None


def _papers_of(name: Sequence[str], initials: Sequence[str], matcher: Matcher) -> NDArray[np.uint32]:
    if initials:
        surname = next(word for word in name if len(word) > 1)
        docs = matcher.named(f"{surname} {initials[0]}")
    elif (whole := matcher.whole(NAME + " ".join(name))) is not None:
        return whole.docs
    else:
        # A middle name that nobody types: Diederik Kingma is Diederik P. Kingma.
        longer = (" ".join(name), " ".join((name[-1], *name[:-1])))
        docs = np.concatenate([matcher.named(f"{start} ") for start in longer])
    return _in_order(docs)


def _in_order(docs: NDArray[np.uint32]) -> NDArray[np.uint32]:
    docs = np.sort(docs)
    return docs[np.concatenate(([True], docs[1:] != docs[:-1]))] if len(docs) else docs


def _of_person(found: Expansion, docs: NDArray[np.uint32]) -> Expansion:
    """What a word of a whole name found, with less for papers of others who have the word in their names."""
    group = found.group
    if not len(docs) or not len(group.docs):
        return found
    others = group.fields == Field.AUTHOR
    at, there = places_in(group.docs, docs)
    others[at[there]] = False
    likeness = np.where(others, group.likeness * np.float32(_NAMESAKE), np.float32(group.likeness))
    person = Group(docs, np.full(len(docs), Field.AUTHOR, np.uint8), 1.0)
    return found._replace(group=Group(group.docs, group.fields, likeness)).plus(person)
