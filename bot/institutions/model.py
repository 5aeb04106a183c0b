"""The organisation and the answer of the resolver.

Promises: frozen values; an answer never carries an organisation unless its status is `Match.EXACT`.
Leaves to others: the table (`table`), the look-up structures (`directory`) and the decision (`resolver`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Match(StrEnum):
    """What can be said about an affiliation."""

    EXACT = "exact"  # one organisation, by its name or an alias of it
    AMBIGUOUS = "ambiguous"  # several organisations go by this form and nothing settles which
    UNKNOWN = "unknown"  # names something that is in no table; kept as it is printed
    NONE = "none"  # names no organisation: empty, a job title, a bare department, a city


@dataclass(frozen=True, slots=True)
class Organisation:
    """One organisation.

    `id` is a stable slug (`ror:<id>` for a row that comes from a ROR dump alone); `country` is ISO 3166-1
    alpha-2; `parent` is the id of another organisation; `ror` is the bare ROR id (`042nb2s44`).
    """

    id: str
    name_en: str
    name_zh: str | None = None
    aliases: tuple[str, ...] = ()
    country: str | None = None
    kind: str = "institute"
    parent: str | None = None
    ror: str | None = None
    city: str | None = None

    @property
    def imported(self) -> bool:
        """Whether the row comes from a ROR dump alone."""
        return self.id.startswith("ror:")

    def names(self) -> tuple[str, ...]:
        """Every printed form: English name, Chinese name, aliases."""
        own = (self.name_en,) if self.name_zh is None else (self.name_en, self.name_zh)
        return own + self.aliases

    def to_json(self, parent: Organisation | None = None) -> dict[str, str | None]:
        """The object of the `institution` command; `parent` is the parent's row, shown by its name."""
        return {
            "name_en": self.name_en,
            "name_zh": self.name_zh,
            "ror": self.ror,
            "parent": parent.name_en if parent else None,
        }


@dataclass(frozen=True, slots=True)
class Resolution:
    """The answer for one text.

    `segment` is the part of the text the answer rests on, as printed (for an unknown one: the part that reads
    most like an organisation; "" when there is none). `suggestions` are candidates for a person to choose
    from, best first; they never decide anything.
    """

    status: Match
    organisation: Organisation | None = None
    suggestions: tuple[Organisation, ...] = ()
    segment: str = ""
