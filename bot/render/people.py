"""A printed name taken apart for citations.

Promises: family and given name where the print says so; a name that can't be taken apart stays whole.
Leaves to `bot.papers.names`: which printed names are one person.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.papers.readable import readable
from bot.render.safe import clean

_SUFFIX = re.compile(r"(?:jr|sr)\.?|i{2,3}|iv", re.IGNORECASE)
# Written small, they belong to the family name and don't sort ("von", "de la"); capitalised they are part of it.
_PARTICLE = re.compile(
    r"(?:von|van|der|den|de|del|della|di|da|dos|du|la|le|ter|ten|zu|zur|af|av|el|al|bin|ibn|'t|y)"
)
_GROUP = re.compile(
    r"\b(?:collaborations?|consortium|team|group|project|initiative|institute|labs?|ai|research|contributors)$",
    re.IGNORECASE,
)
_HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Person:
    """A name in parts. `whole` is set instead of the others for a group, a Han name or a single word."""

    family: str = ""
    given: str = ""
    particle: str = ""
    suffix: str = ""
    whole: str = ""

    @property
    def sorted_name(self) -> str:
        """``von Kügelgen, Julius``; the suffix last, as RIS wants it."""
        if self.whole:
            return self.whole
        family = f"{self.particle} {self.family}".strip()
        return ", ".join(part for part in (family, self.given, self.suffix) if part)


def person(name: str) -> Person:
    """Take a printed name apart: ``Juan de la Torre``, ``Müller, Robert``, ``J. McKay, Jr.``."""
    shown = clean(readable(name))
    head, *tail = [part.strip() for part in shown.split(",") if part.strip()] or [shown]
    suffix = next((part for part in tail if _SUFFIX.fullmatch(part)), "")
    given = " ".join(part for part in tail if part != suffix)
    words = head.split()
    if not suffix and not given and len(words) > 2 and _SUFFIX.fullmatch(words[-1]):
        suffix = words.pop()
    if given:  # turned round: what stands before the comma is the family name, particles and all
        particle, family = _without_particle(words)
        return Person(family, given, particle, suffix)
    if len(words) < 2 or _HAN.search(head) or _GROUP.search(head):
        return Person(whole=shown)
    start = _family_start(words)
    particle, family = _without_particle(words[start:])
    return Person(family, " ".join(words[:start]), particle, suffix)


def _family_start(words: list[str]) -> int:
    """Where the family name begins: at the first small particle after the given name, or at the last word."""
    for number in range(1, len(words) - 1):
        if _PARTICLE.fullmatch(words[number]):
            return number
    return len(words) - 1


def _without_particle(words: list[str]) -> tuple[str, str]:
    count = 0
    while count < len(words) - 1 and _PARTICLE.fullmatch(words[count]):
        count += 1
    return " ".join(words[:count]), " ".join(words[count:])
