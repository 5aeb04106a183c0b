"""Countries, regions and cities as affiliations print them.

Promises: the country codes (ISO 3166-1 alpha-2) a place name may stand for; several where the name is shared.
Leaves to others: what a place settles (`resolver`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from importlib.resources import files

from bot.institutions.keys import fold, key, words_of

# Houses in these are often printed with "China"; a mainland house is never printed with one of these.
_ALSO_CHINA = frozenset({"HK", "MO", "TW"})
_NOWHERE: frozenset[str] = frozenset()
_MOST_WORDS = 6
_DIGIT = re.compile(r"\d")
# House numbers, postcodes and P.O. boxes beside a place: "MA 02139", "75005 Paris", "F-59000 Lille".
_POSTCODE = re.compile(
    r"\b(?:[A-Z]{1,2}-)?\d{3,}(?:-\d+)?\b|\b\d{2,3}[A-Z]{2}\b|\b[A-Z]{1,2}\d[\dA-Z]? ?\d[A-Z]{2}\b"
)


class Places:
    """Place name → countries, and city → countries."""

    def __init__(self, countries: Mapping[str, frozenset[str]], cities: Mapping[str, frozenset[str]]) -> None:
        self._codes = {
            name: countries.get(name, _NOWHERE) | cities.get(name, _NOWHERE) for name in (*countries, *cities)
        }
        self._last_words = frozenset(name.rpartition(" ")[2] for name in self._codes)

    @classmethod
    def shipped(cls, cities: Iterable[tuple[str, str]] = ()) -> Places:
        """The shipped list, and `cities` (city, country code), the seats of the organisations in the table."""
        countries: dict[str, set[str]] = {}
        towns: dict[str, set[str]] = {}
        for line in (files("bot.institutions") / "places.tsv").read_text(encoding="utf-8").splitlines():
            if line.startswith("#"):
                continue
            code, names, within = line.split("\t")
            for name in names.split("|"):
                countries.setdefault(place_key(name), set()).add(code)
            for name in within.split("|"):
                towns.setdefault(place_key(name), set()).add(code)
        for city, code in cities:
            towns.setdefault(place_key(city), set()).add(code)
        return cls(
            {name: frozenset(codes) for name, codes in countries.items()},
            {name: frozenset(codes) for name, codes in towns.items()},
        )

    def __contains__(self, name: object) -> bool:
        return name in self._codes

    def read(self, raw: str, key_text: str) -> frozenset[str] | None:
        """The countries of a printed place ("Cambridge MA 02139", "75005 Paris"); None for anything else.

        An empty set is a postcode alone.
        """
        if key_text in self._codes:
            return self._codes[key_text]
        words = key_text.split()
        if _DIGIT.search(raw):
            words = fold(words_of(_POSTCODE.sub(" ", raw)))
            if not words:
                return _NOWHERE
        if words[-1] not in self._last_words or len(words) > _MOST_WORDS:
            return None
        for cut in range(len(words)):
            first, second = " ".join(words[:cut]), " ".join(words[cut:])
            if second in self._codes and (not first or first in self._codes):
                return self._codes[second]
        return None


def place_key(text: str) -> str:
    """The folded form of a place; "St. Louis" and "Saint Louis" agree."""
    return key(text)


def contradict(stated: frozenset[str], country: str | None) -> bool:
    """Whether the countries a text states exclude an organisation's country."""
    if not stated or country is None or country in stated:
        return False
    return not (country in _ALSO_CHINA and "CN" in stated)
