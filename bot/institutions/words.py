"""The closed vocabularies that tell a department, a title or a place-holder from an organisation.

Promises: plain sets of folded words (see `keys`), read once from `words.tsv`; no logic.
Leaves to others: which word stands where in an affiliation (`segments`, `rules`).
"""

from __future__ import annotations

from importlib.resources import files


def _read() -> dict[str, tuple[str, ...]]:
    lines = (files("bot.institutions") / "words.tsv").read_text(encoding="utf-8").splitlines()[1:]
    rows = (line.split("\t") for line in lines)
    return {name: tuple(words.split("|")) for name, words in rows}


_LISTS = _read()

# A unit inside an organisation. `institute`, `college`, `academy` and `center` also begin names of organisations,
# so a segment is a bare unit only when every other word of it is a unit, a field of study or glue.
UNITS = frozenset(_LISTS["units"])
# Units that may follow an acronym ("MIT Media Lab"). Schools and institutes are left out: several colleges in
# India have names that start with MIT.
ACRONYM_UNITS = frozenset(_LISTS["acronym_units"])
# What a company's name may be followed by and still be the company.
COMPANY_TAIL = frozenset(_LISTS["company_tail"])
# Fields of study and the other words that names of departments are made of.
FIELDS = frozenset(_LISTS["fields"])
# Glue between the words above.
STOPS = frozenset(_LISTS["stops"])
# Words that make a segment read as an organisation when nothing else is known about it.
ORGANISATION_WORDS = frozenset(_LISTS["organisation_words"])
# Trailing words of a company's legal form; "Baidu, Inc." and "Baidu" are one key.
LEGAL = frozenset(_LISTS["legal"])
# Whole segments that say "no organisation".
NOTHING = frozenset(_LISTS["nothing"])
# Titles of persons; a segment made of these, fields and glue names nobody's employer.
TITLES = frozenset(_LISTS["titles"])
# Han endings of a unit, and the fields of study that may stand before them.
HAN_UNITS = _LISTS["han_units"]
HAN_FIELDS = _LISTS["han_fields"]
