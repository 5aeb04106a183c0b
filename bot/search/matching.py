"""From the words of a query to what each of them found and weighs.

Promises: words, joined and split words, whole names of institutions and people, all as groups of papers.
Leaves to others: years and the like, adding the words up (`bot.search.candidates`), judging papers
(`bot.search.rerank`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.search.lookup import SHORT, Expansion, Group, Matcher, Slips, places_in
from bot.search.parse import Facet, Words
from bot.search.segment import INSTITUTION, NAME, Field
from bot.text import is_cjk, pieces

# Words that say nothing about which paper is meant; in a small collection their rarity would mislead.
_STOP = {
    "a", "an", "the", "of", "for", "in", "on", "with", "to", "and", "or", "via", "from", "by", "is",
    "are", "be", "as", "at", "we", "how", "what", "can", "do", "does", "it", "its", "this", "that",
    "i", "my", "me", "you", "your", "not", "no", "all", "any", "some", "than", "into", "using",
    "towards", "toward", "when", "why", "who", "which", "there", "their", "was", "about", "near",
    "title", "paper", "papers", "的", "了", "和", "与", "在", "是", "对",
}  # fmt: skip
_STOP_WEIGHT = 0.08
_FACET_WEIGHT = 0.15
_LEAST_WEIGHT = 0.06
_LONG = 7  # letters from which an unknown word may have two slips
_OF_THAT_LENGTH = 0.2  # share of a collection's words that have as many letters, give or take the slips
_MOST_CHANCE, _MOST_CHANCE_IN_COMPANY = 0.03, 0.1
_MOST_LETTERS = 20  # from which chance is out of the question
_UNKNOWN_PAIR = 0.5
_MOST_NAMES = 4  # words of an author's name
_TYPED = 1.0  # likeness of a name that begins so
_MISSPELT = 0.96  # likeness of a whole name with a slip
_NAMESAKE = 0.7  # likeness of a paper that has a word of a whole name from another person's
_CHARACTER = 0.35  # share of a single character beside the pairs of a Chinese run
# What an unknown word weighs by its letters: a short one is more often a slip in a small word than a name.
_LETTERS = (0.0, 0.15, 0.3, 0.5, 0.8, 1.0)


_People = tuple[NDArray[np.uint32], ...] | None


class Atom(NamedTuple):
    """One thing to look up: a word, or a character or pair of a Chinese run."""

    text: str
    place: int  # of the word in the query
    share: float  # of the word's weight
    last: bool
    facet: Facet | None


class Match(NamedTuple):
    """An atom with its weight and, per segment, what it found."""

    atom: Atom
    weight: float
    known: bool
    expansions: tuple[Expansion, ...]
    read: str  # the term that the word is taken for; "" when it belongs to the word before
    address: bool = False  # part of an institution's whole name

    @property
    def telling(self) -> bool:
        """Whether it says which paper is meant: no small word, no initial, no year."""
        return (
            self.atom.text not in _STOP
            and self.atom.facet is None
            and (len(self.atom.text) > 1 or not self.known)
        )

    @property
    def fields(self) -> int:
        """Every field that any paper has it in."""
        fields = 0
        for expansion in self.expansions:
            fields |= expansion.fields
        return fields

    @property
    def found(self) -> bool:
        """Whether any paper answers for it."""
        return not all(e.empty for e in self.expansions)

    def plus(self, groups: Sequence[Group | None], read: str) -> Match:
        """The same with a further group per segment, and another reading unless the word itself is known."""
        both = zip(self.expansions, groups, strict=True)
        expansions = tuple(e if g is None else e.plus(g) for e, g in both)
        return self._replace(expansions=expansions, read=self.read if self.known and read else read)


class Matches(NamedTuple):
    """All atoms of a query."""

    atoms: list[Match]
    people: _People  # papers by segment, where the text is somebody's name
    half: bool  # the name may be half typed
    address: tuple[Group | None, ...]  # papers by segment of the institution that is named; may be empty


def match(words: Words, matchers: Sequence[Matcher], *, wide: bool) -> Matches:
    """Every atom of a query with what it found and what it weighs.

    `wide` looks for neighbours of known words too.
    """
    total = sum(len(m.segment) for m in matchers)
    telling = sum(len(word) > 1 and word not in _STOP for word in words.words)
    company = telling if len(words.words) > 1 else 0
    found = [_match(atom, matchers, total, wide=wide, company=company) for atom in _atoms(words)]
    fields = [0] * len(words.words)
    for one in found:
        fields[one.atom.place] |= one.fields
    people, half = _whole_names(found, words, fields, matchers, wide=wide)
    _join_neighbours(found, matchers)
    _split_unknown(found, matchers, wide=wide)
    return Matches(found, people, half, _whole_institutions(found, words, fields, matchers))


def _atoms(words: Words) -> list[Atom]:
    result = []
    final = len(words.words) - 1
    for place, word in enumerate(words.words):
        parts = pieces(word)
        last = place == final and words.open_end
        for part in parts:
            # Pairs tell Chinese words apart, single characters only help where one is mistyped.
            share = _CHARACTER if len(part) == 1 < len(parts) else 1.0
            result.append(Atom(part, place, share, last and len(parts) == 1, words.facets[place]))
    return result


def _match(atom: Atom, matchers: Sequence[Matcher], total: int, *, wide: bool, company: int) -> Match:
    known = any(m.segment.terms.find(atom.text) >= 0 for m in matchers)
    slips = _slips(len(atom.text), matchers, known=known, wide=wide, company=company)
    expansions = [m.expand(atom.text, known=known, last=atom.last, slips=slips) for m in matchers]
    if company <= 1 and not known and len(atom.text) == SHORT + 1:
        # Five letters are a slip away from some surname whatever they are.
        expansions = [e.only(Field.TITLE | Field.TITLE_ZH) for e in expansions]
    count = sum(e.papers for e in expansions)
    read = atom.text if known else next((e.texts[0] for e in expansions if e.texts), atom.text)
    return Match(atom, _weight(atom, count, total), known, tuple(expansions), read)


def _slips(letters: int, matchers: Sequence[Matcher], *, known: bool, wide: bool, company: int) -> Slips:
    """How wrong a word may be.

    A short word is an acronym more often than a slip: MIT is no misspelt fit. And a word without company, or a short
    one with small words only, may have only slips that chance would hardly turn into one of the collection's words.
    """
    alone = company <= 1
    if known:
        return Slips.ONE if wide and letters >= SHORT + alone else Slips.NONE
    words = sum(m.segment.terms.words for m in matchers)
    if alone and letters <= SHORT:
        few = company and letters == SHORT and _chance(letters, 1, words) <= _MOST_CHANCE_IN_COMPANY
        return Slips.ONE if few else Slips.NONE
    most = Slips.TWO if letters >= _LONG else Slips.ONE
    if company:
        return most
    while most > Slips.LEFT_OUT and _chance(letters, most - Slips.LEFT_OUT, words) > _MOST_CHANCE:
        most = Slips(most - 1)
    return most


def _chance(letters: int, slips: int, words: int) -> float:
    """How many of a collection's words are so near to letters at random."""
    # Each place takes 26 letters in or another one in place, goes, or swaps; the order of two slips is no matter.
    near: float = (53 * letters + 26) ** slips / slips
    return words * _OF_THAT_LENGTH * near / 26.0 ** min(letters, _MOST_LETTERS)


def _weight(atom: Atom, count: int, total: int) -> float:
    if atom.facet is not None:
        return 0.0 if atom.facet.kind == "conference" else _FACET_WEIGHT
    if atom.text in _STOP:
        return _STOP_WEIGHT
    plain = atom.text[0].isdigit()
    # A wrong character makes two unknown pairs: each weighs half.
    letters = (
        _UNKNOWN_PAIR
        if is_cjk(atom.text)
        else 1.0
        if plain
        else _LETTERS[min(len(atom.text), len(_LETTERS) - 1)]
    )
    if not count:
        return letters * atom.share
    rarity = math.log((total + 1) / (count + 1)) / math.log(total + 2)
    return (
        max(_LEAST_WEIGHT, rarity)
        * atom.share
        * (letters if len(atom.text) == 1 and not is_cjk(atom.text) else 1.0)
    )


def _join_neighbours(found: list[Match], matchers: Sequence[Matcher]) -> None:
    """Two or three words that some paper writes as one: log quant for LogQuant."""
    for width in (2, 3):
        for first in range(len(found) - width + 1):
            window = found[first : first + width]
            word = "".join(m.atom.text for m in window)
            if not word.isascii():
                continue
            groups = [m.whole(word) for m in matchers]
            if any(groups):
                known = all(m.known for m in window)
                read = [m.read for m in window] if known else [word] + [""] * (width - 1)
                found[first : first + width] = [m.plus(groups, r) for m, r in zip(window, read, strict=True)]


def _split_unknown(found: list[Match], matchers: Sequence[Matcher], *, wide: bool) -> None:
    """A word that no paper has, but some have its halves side by side: logquant for Log Quant.

    `wide`: papers may have the word as well, from an author who writes it so.
    """
    for place, one in enumerate(found):
        word = one.atom.text
        if (one.known and not wide) or len(word) < SHORT or not word.isascii():
            continue
        halves = [m.split(word) for m in matchers]
        spelt = next((half[1] for half in halves if half is not None), None)
        if spelt is not None:
            found[place] = one.plus([half[0] if half else None for half in halves], spelt)


def _whole_institutions(
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


def _whole_names(
    found: list[Match], words: Words, fields: Sequence[int], matchers: Sequence[Matcher], *, wide: bool
) -> tuple[_People, bool]:
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


def _misspelt(found: list[Match], words: Words, matchers: Sequence[Matcher]) -> _People:
    if not 2 <= len(words.words) <= _MOST_NAMES or any(words.facets):
        return None
    people = _known(tuple(_in_order(m.nearly_named(words.words)) for m in matchers))
    return None if people is None else _credited(found, people, _MISSPELT)


def _credited(found: list[Match], people: tuple[NDArray[np.uint32], ...], likeness: float) -> _People:
    """Every word counts as found in somebody's papers."""
    groups = [Group(docs, np.full(len(docs), Field.AUTHOR, np.uint8), likeness) for docs in people]
    found[:] = [one.plus(groups, one.read) for one in found]
    return people


def _known(people: tuple[NDArray[np.uint32], ...]) -> _People:
    return people if any(len(docs) for docs in people) else None


def _somebody(
    words: Sequence[str], named: Sequence[bool], matchers: Sequence[Matcher]
) -> tuple[int, int, _People]:
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
