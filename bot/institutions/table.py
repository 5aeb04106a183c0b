"""The shipped tables, read and checked.

Promises: rows as the files have them, or `TableError` naming file and line: ids unique, parents exist and form
no circle, no alias is another row's canonical name.
Leaves to others: look-ups (`directory`). The files are tab-separated UTF-8 with one header line.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files

from bot.institutions.keys import key
from bot.institutions.model import Organisation

COLUMNS = ("id", "name_en", "name_zh", "aliases", "country", "kind", "parent", "ror", "city")
KINDS = frozenset({"university", "company", "institute", "nonprofit", "government", "hospital"})


class TableError(ValueError):
    """A shipped or imported table breaks a rule; the message says which and where."""


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """A short form that several organisations go by.

    `candidates` are ids in the table; `elsewhere` the countries of owners that are not in it. A country settles
    the form only when none of those owners sits there.
    """

    form: str
    candidates: tuple[str, ...]
    elsewhere: frozenset[str]


def read_organisations(text: str, *, name: str) -> tuple[Organisation, ...]:
    """The rows of an organisation table.

    Raises:
        TableError: a row is malformed or breaks one of the module's rules.
    """
    lines = text.splitlines()
    if not lines or tuple(lines[0].split("\t")) != COLUMNS:
        raise TableError(f"{name}, line 1: expected the columns {', '.join(COLUMNS)}")
    rows = [_row(line, name, number) for number, line in enumerate(lines[1:], start=2) if line.strip()]
    check(rows, name=name)
    return tuple(rows)


def _row(line: str, name: str, number: int) -> Organisation:
    fields = [field.strip() for field in line.split("\t")]
    if len(fields) != len(COLUMNS):
        raise TableError(f"{name}, line {number}: {len(fields)} columns instead of {len(COLUMNS)}")
    slug, name_en, name_zh, aliases, country, kind, parent, ror, city = fields
    if not slug or not name_en or kind not in KINDS:
        raise TableError(
            f"{name}, line {number}: a row needs an id, an English name and a kind of {sorted(KINDS)}"
        )
    return Organisation(
        id=slug,
        name_en=name_en,
        name_zh=name_zh or None,
        aliases=tuple(alias.strip() for alias in aliases.split("|") if alias.strip()),
        country=country or None,
        kind=kind,
        parent=parent or None,
        ror=ror or None,
        city=city or None,
    )


def check(rows: Iterable[Organisation], *, name: str) -> None:
    """The rules that hold over all rows.

    Raises:
        TableError: an id occurs twice, a parent is missing or its own ancestor, an alias is a canonical name.
    """
    by_id: dict[str, Organisation] = {}
    canonical: dict[str, str] = {}
    rors: dict[str, str] = {}
    rows = list(rows)
    for row in rows:
        if row.id in by_id:
            raise TableError(f"{name}: the id {row.id} occurs twice")
        by_id[row.id] = row
        if row.ror and rors.setdefault(row.ror, row.id) != row.id:
            raise TableError(f"{name}: {rors[row.ror]} and {row.id} have the same ROR id")
        for text in (row.name_en, row.name_zh):
            other = canonical.setdefault(key(text), row.id) if text else row.id
            if other != row.id:
                raise TableError(f"{name}: {other} and {row.id} have the same name, {text}")
    for row in rows:
        _check_parents(row, by_id, name)
        for alias in row.aliases:
            if canonical.get(key(alias), row.id) != row.id:
                raise TableError(
                    f"{name}: {row.id} has the alias {alias}, which is the name of {canonical[key(alias)]}"
                )


def _check_parents(row: Organisation, by_id: dict[str, Organisation], name: str) -> None:
    seen = {row.id}
    above = row.parent
    while above is not None:
        if above not in by_id:
            raise TableError(f"{name}: {row.id} has the parent {above}, which is no row")
        if above in seen:
            raise TableError(f"{name}: {row.id} is its own ancestor")
        seen.add(above)
        above = by_id[above].parent


def read_ambiguous(text: str, ids: Iterable[str], *, name: str) -> tuple[Ambiguous, ...]:
    """The rows of the list of ambiguous forms.

    Raises:
        TableError: a row is malformed or names an id that is not in `ids`.
    """
    known = set(ids)
    out = []
    for number, line in enumerate(text.splitlines()[1:], start=2):
        if not line.strip():
            continue
        fields = line.split("\t")
        if len(fields) != 3:
            raise TableError(f"{name}, line {number}: {len(fields)} columns instead of 3")
        candidates = tuple(part.strip() for part in fields[1].split("|") if part.strip())
        if missing := [candidate for candidate in candidates if candidate not in known]:
            raise TableError(f"{name}, line {number}: {', '.join(missing)} is no row of the table")
        out.append(Ambiguous(fields[0], candidates, frozenset(fields[2].split())))
    return tuple(out)


def shipped() -> tuple[tuple[Organisation, ...], tuple[Ambiguous, ...]]:
    """The two tables that come with the program.

    Raises:
        TableError: a shipped table is broken.
    """
    folder = files("bot.institutions")
    rows = read_organisations(
        (folder / "organisations.tsv").read_text(encoding="utf-8"), name="organisations.tsv"
    )
    ids = [row.id for row in rows]
    ambiguous = read_ambiguous(
        (folder / "ambiguous.tsv").read_text(encoding="utf-8"), ids, name="ambiguous.tsv"
    )
    return rows, ambiguous
