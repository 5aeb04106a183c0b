"""The papers that answer for a word, as flat arrays: put together, narrowed down and looked up.

Promises: within a group that is in order, look-ups cost the logarithm of its size. Leaves to others: where papers come
from (`bot.search.lookup`) and what they count (`bot.search.candidates`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_SPARSE = 8  # one paper in so many, from which sorting beats an array of all of them


class Group(NamedTuple):
    """Papers that answer for a word, with the fields it stands in and how alike it is: one number, or one each.

    A paper may come twice, from two terms.
    """

    docs: NDArray[np.uint32]
    fields: NDArray[np.uint8]
    likeness: float | NDArray[np.float32]

    def fields_of(self, place: int) -> int:
        """The fields of a paper in a group that is in order, 0 for one that isn't in it."""
        at = int(self.docs.searchsorted(np.uint32(place)))
        return int(self.fields[at]) if at < len(self.docs) and int(self.docs[at]) == place else 0


class Expansion(NamedTuple):
    """What one word found in one segment.

    Attributes:
        group: In order of their place, each paper once, with the best that it has.
        texts: The terms found, the best first; beginnings not among them.
        papers: In how many papers the best term stands.
        fields: Every field that any of the papers has it in.
        more: A few further papers, or better likenesses of some in `group`; in order and once each too.
    """

    group: Group
    texts: tuple[str, ...]
    papers: int
    fields: int
    more: Group | None = None

    @property
    def empty(self) -> bool:
        """Whether no paper answers for the word."""
        return not len(self.group.docs) and self.more is None

    def only(self, fields: int) -> Expansion:
        """The same without papers that have the word elsewhere."""
        docs, having, likeness = self.group
        kept = (having & fields) > 0
        group = Group(docs[kept], having[kept], likeness if isinstance(likeness, float) else likeness[kept])
        return self._replace(group=group, fields=all_fields(group))

    def plus(self, group: Group) -> Expansion:
        """The same with a few further papers."""
        if not len(group.docs):
            return self
        more = _sorted((group,) if self.more is None else (self.more, group))
        return self._replace(more=more, fields=self.fields | all_fields(group))

    def fields_of(self, place: int) -> int:
        """The fields in which a paper has the word, 0 for a paper without it."""
        return (self.more and self.more.fields_of(place)) or self.group.fields_of(place)


NOTHING = Expansion(Group(np.empty(0, np.uint32), np.empty(0, np.uint8), 1.0), (), 0, 0)


def _sorted(groups: Sequence[Group]) -> Group:
    """A few small groups as one: in order, each paper once, with the best of its likenesses."""
    docs, fields, likeness = _together(groups)
    return _last(Group(docs, fields, likeness), np.lexsort((likeness, docs)))


def merged(groups: Sequence[Group], size: int) -> Group:
    """Groups of one likeness each, the best last, as one of a segment of `size` papers."""
    if sum(len(group.docs) for group in groups) * _SPARSE < size:
        together = Group(*_together(groups))
        return _last(together, np.argsort(together.docs, kind="stable"))
    fields, likeness = np.zeros(size, np.uint8), np.zeros(size, np.float32)
    for group in groups:
        fields[group.docs] = group.fields
        likeness[group.docs] = group.likeness
    docs = np.flatnonzero(fields)
    return Group(docs.astype(np.uint32), fields[docs], likeness[docs])


def _together(
    groups: Sequence[Group],
) -> tuple[NDArray[np.uint32], NDArray[np.uint8], NDArray[np.float32]]:
    likeness = np.empty(sum(len(group.docs) for group in groups), np.float32)
    low = 0
    for group in groups:
        likeness[low : low + len(group.docs)] = group.likeness
        low += len(group.docs)
    return np.concatenate([g.docs for g in groups]), np.concatenate([g.fields for g in groups]), likeness


def _last(group: Group, order: NDArray[np.intp]) -> Group:
    """The papers of a group in an order that brings each one's entries together, the last of them kept."""
    ordered = group.docs[order]
    last = np.ones(len(order), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=last[:-1])
    chosen = order[last]
    likeness = group.likeness if isinstance(group.likeness, float) else group.likeness[chosen]
    return Group(group.docs[chosen], group.fields[chosen], likeness)


def places_in(
    docs: NDArray[np.uint32], wanted: NDArray[np.uint32]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Where in `docs`, which are in order and not empty, each wanted one stands, and whether it is there at all."""
    at = np.minimum(docs.searchsorted(wanted), len(docs) - 1)
    there: NDArray[np.bool_] = docs[at] == wanted
    return at, there


def having(docs: NDArray[np.uint32], wanted: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Which of the wanted are among `docs`, which are in order and not empty."""
    return places_in(docs, wanted)[1]


def common(one: Group, other: Group) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
    """Papers of both, with the fields of the rarer; a search in the longer list beats sorting the two together."""
    rare, often = (one, other) if len(one.docs) <= len(other.docs) else (other, one)
    same = having(often.docs, rare.docs)
    return rare.docs[same], rare.fields[same]


def all_fields(group: Group) -> int:
    """Every field that any paper of a group has."""
    return int(np.bitwise_or.reduce(group.fields)) if len(group.fields) else 0
