"""All known organisations and the forms they go by.

Promises: immutable after building; `find` knows a form only as a whole; the shipped table is the authority and
a ROR dump adds to it (merged by ROR id) without taking a shipped form away.
Leaves to others: reading affiliations (`resolver`) and typing (`suggest`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from bot.institutions import table
from bot.institutions.keys import HEADS, is_generic, key
from bot.institutions.model import Organisation
from bot.institutions.places import Places, place_key
from bot.institutions.ror import RorRecord, read_ror
from bot.institutions.table import Ambiguous

# A form this short from a dump is an acronym in all but name; dumps hold dozens of owners for most of them.
_SHORTEST_IMPORTED = 5


@dataclass(frozen=True, slots=True)
class Form:
    """What a form may stand for.

    `elsewhere`: countries of owners outside the directory, None = none known; `imported`: a dump alone has it.
    """

    organisations: tuple[Organisation, ...]
    elsewhere: frozenset[str] | None = None
    imported: bool = False

    @property
    def certain(self) -> bool:
        """Whether the form means one organisation, whatever stands beside it."""
        return len(self.organisations) == 1 and self.elsewhere is None


class Directory:
    """Organisations by id and by form."""

    def __init__(
        self,
        rows: Sequence[Organisation],
        ambiguous: Sequence[Ambiguous] = (),
        imported: Sequence[Organisation] = (),
        acronyms: Iterable[tuple[str, str]] = (),
    ) -> None:
        """Build the look-ups.

        Args:
            rows: the authoritative organisations (the shipped table).
            ambiguous: forms that stay ambiguous whatever the rows say.
            imported: further organisations, and rows of the table again with further aliases (same id).
            acronyms: (acronym, id) from a dump; they help a look-up and never decide.
        """
        self._table = tuple(rows)
        self._ambiguous = tuple(ambiguous)
        self._by_id = {row.id: row for row in (*rows, *imported)}
        self._children: dict[str, list[str]] = {}
        for row in self._by_id.values():
            if row.parent is not None:
                self._children.setdefault(row.parent, []).append(row.id)
        self.places = Places.shipped((row.city, row.country) for row in rows if row.city and row.country)
        self._forms = self._index_forms(rows, imported)
        # Neighbouring words of all names: what isn't among them is no name when two segments are joined.
        self._pairs = frozenset(
            f"{one} {other}" for form in self._forms for one, other in pairwise(form.split(" "))
        )
        self._local = self._index_local(rows)
        self._weak: dict[str, list[str]] = {}
        for acronym, owner in acronyms:
            self._weak.setdefault(key(acronym), []).append(owner)

    @classmethod
    @lru_cache(maxsize=1)
    def shipped(cls) -> Directory:
        """The directory of the shipped tables; read once."""
        rows, ambiguous = table.shipped()
        return cls(rows, ambiguous)

    def with_ror(self, source: Path | Iterable[RorRecord]) -> Directory:
        """A new directory with a ROR dump added.

        Raises:
            RorError: the file is no readable dump.
        """
        records = list(read_ror(source) if isinstance(source, Path) else source)
        own = {row.ror: row for row in self._table if row.ror}
        ids = {
            record.ror: own[record.ror].id if record.ror in own else f"ror:{record.ror}" for record in records
        }
        imported = [_merged(record, own.get(record.ror), ids) for record in records]
        acronyms = [(acronym, ids[record.ror]) for record in records for acronym in record.acronyms]
        return Directory(self._table, self._ambiguous, imported, acronyms)

    def __len__(self) -> int:
        return len(self._by_id)

    def __iter__(self) -> Iterator[Organisation]:
        return iter(self._by_id.values())

    def __contains__(self, form: object) -> bool:
        return form in self._forms

    def get(self, identifier: str) -> Organisation | None:
        """The organisation with an id."""
        return self._by_id.get(identifier)

    def may_join(self, left: str, right: str) -> bool:
        """Whether a name can run over the end of one key into the next; a quick no for nearly all."""
        if left in HEADS or not (left.isascii() and right.isascii()):
            return True  # spelt anew, or joined without a blank, when the two become one
        return f"{left[left.rfind(' ') + 1 :]} {right.partition(' ')[0]}" in self._pairs

    def find(self, form: str) -> Form | None:
        """What a key (see `keys.key`) stands for; None when nothing is called so."""
        return self._forms.get(form)

    def shared_forms(self) -> Iterator[tuple[str, tuple[Organisation, ...]]]:
        """The keys that are ambiguous by the list of ambiguous forms, with their owners in the directory."""
        for entry in self._ambiguous:
            yield key(entry.form), self._forms[key(entry.form)].organisations

    def by_acronym(self, form: str) -> tuple[Organisation, ...]:
        """Organisations a dump lists under an acronym, for suggestions."""
        return tuple(self._by_id[owner] for owner in self._weak.get(form, ()))

    def within(self, form: str, parent: str) -> Organisation | None:
        """The child of `parent` that is called `form` inside it ("Institute of Automation" of the CAS)."""
        return self._local.get((form, parent))

    def part(self, whole: str, name: str) -> Form:
        """What `name` stands for inside a longer text: its child when the words before it are a local name.

        "institute of automation of chinese academy of science" is that institute, not the academy.

        Raises:
            KeyError: `name` is no form of the directory.
        """
        form = self._forms[name]
        head = whole.removesuffix(name).strip().removesuffix(" of")
        for owner in form.organisations if head in self._local_forms else ():
            child = self._local.get((head, owner.id))
            if child is not None:
                return Form((child,))
        return form

    def is_local(self, form: str) -> bool:
        """Whether some organisation has a child that is called so inside it."""
        return form in self._local_forms

    def is_certain(self, form: str) -> bool:
        """Whether a form means one organisation, whatever stands beside it."""
        found = self._forms.get(form)
        return found is not None and found.certain

    def is_shipped(self, form: str) -> bool:
        """Whether the authoritative table has the form."""
        found = self._forms.get(form)
        return found is not None and not found.imported

    def is_company(self, form: str) -> bool:
        """Whether a form means one company for certain."""
        found = self._forms.get(form)
        return found is not None and found.certain and found.organisations[0].kind == "company"

    def children(self, identifier: str, *, recursive: bool = True) -> tuple[Organisation, ...]:
        """The organisations below one, nearest first."""
        out: list[Organisation] = []
        queue = list(self._children.get(identifier, ()))
        seen = {identifier}
        while queue:
            child = queue.pop(0)
            if child in seen:
                continue
            seen.add(child)
            out.append(self._by_id[child])
            if recursive:
                queue.extend(self._children.get(child, ()))
        return tuple(out)

    def ancestors(self, organisation: Organisation) -> tuple[str, ...]:
        """The ids above an organisation, nearest first."""
        out: list[str] = []
        above = organisation.parent
        while above is not None and above not in out:
            out.append(above)
            parent = self._by_id.get(above)
            above = parent.parent if parent else None
        return tuple(out)

    def _index_forms(self, rows: Sequence[Organisation], imported: Sequence[Organisation]) -> dict[str, Form]:
        own: dict[str, dict[str, Organisation]] = {}
        for row in rows:
            for name in row.names():
                own.setdefault(key(name), {})[row.id] = self._by_id[row.id]
        added: dict[str, dict[str, Organisation]] = {}
        for row in imported:
            for name in row.names():
                form = key(name)
                if form not in own and self._importable(form):
                    added.setdefault(form, {})[row.id] = row
        forms = {form: Form(tuple(owners.values()), imported=True) for form, owners in added.items() if form}
        forms |= {form: Form(tuple(owners.values())) for form, owners in own.items() if form}
        for entry in self._ambiguous:
            candidates = tuple(self._by_id[candidate] for candidate in entry.candidates)
            forms[key(entry.form)] = Form(candidates, entry.elsewhere)
        return forms

    def _importable(self, form: str) -> bool:
        if form in self.places or is_generic(form):
            return False
        return len(form) >= _SHORTEST_IMPORTED or not form.isascii()

    def _index_local(self, rows: Sequence[Organisation]) -> dict[tuple[str, str], Organisation]:
        """Names that end in ", Parent" are local names before the comma."""
        local: dict[tuple[str, str], Organisation] = {}
        for row in rows:
            above = self.ancestors(row)
            for name in row.names() if above else ():
                head, comma, tail = name.rpartition(", ")
                found = self._forms.get(key(tail)) if comma else None
                for owner in found.organisations if found else ():
                    if owner.id in above:
                        local[key(head), owner.id] = self._by_id[row.id]
        self._local_forms = frozenset(form for form, _ in local)
        return local

    def city_keys(self, organisation: Organisation) -> str:
        """The folded name of the seat; "" when unknown."""
        return place_key(organisation.city) if organisation.city else ""


def _merged(record: RorRecord, row: Organisation | None, ids: dict[str, str]) -> Organisation:
    if row is not None:
        return replace(row, aliases=tuple(dict.fromkeys((*row.aliases, *record.names))))
    parent = next((ids[parent] for parent in record.parents if parent in ids), None)
    return Organisation(
        id=ids[record.ror],
        name_en=record.name_en,
        name_zh=record.name_zh,
        aliases=tuple(name for name in record.names if name not in (record.name_en, record.name_zh)),
        country=record.country,
        kind=record.kind,
        parent=parent,
        ror=record.ror,
        city=record.city,
    )
