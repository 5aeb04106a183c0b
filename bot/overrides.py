"""Accepted corrections: a file beside the database that survives reloads and new databases.

Promises: what an operator has accepted wins over every source; the file is plain JSON that a person can read and
edit. Leaves to `bot.loading`: applying it; to `bot.papers.merge`: that it wins.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bot.papers.model import Origin, PaperState, Record
from bot.recognition import all_keys, is_same

# What `corrections accept ID --set FIELD=VALUE` may set.
FIELDS = ("title_en", "title_zh", "authors", "summary_en", "summary_zh", "comments")


class OverridesError(Exception):
    """The overrides can't be read or an override can't be made; the text says what and where."""


@dataclass(frozen=True, slots=True)
class Override:
    """One accepted correction.

    Attributes:
        title_en: the paper's title when the correction was accepted.
        authors: its authors then, so that namesakes aren't corrected too.
        arxiv_id: its arXiv id, if known.
        values: fields and what they are from now on; `authors` is a list.
        not_affiliation: a printed affiliation …
        not_organisation: … and the organisation that it is not.
        correction: the number of the reader's report.
        note: what the report says, where it doesn't say by itself what to set; somebody fills in `set`.
    """

    title_en: str
    authors: tuple[str, ...]
    arxiv_id: str | None = None
    values: dict[str, Any] = field(default_factory=dict)
    not_affiliation: str | None = None
    not_organisation: str | None = None
    correction: int | None = None
    note: str | None = None

    def record(self) -> Record:
        """The override as a record of its own source."""
        known = Record(title_en=self.title_en, authors=self.authors, arxiv_id=self.arxiv_id)
        values = dict(self.values)
        if "authors" in values:
            values["authors"] = tuple(values["authors"])
        return replace(known, **values, summary_en_origin=Origin.PERSON, summary_zh_origin=Origin.PERSON)

    def to_json(self) -> dict[str, Any]:
        """The override as the file keeps it, without what is absent."""
        body = {
            "title_en": self.title_en,
            "authors": list(self.authors),
            "arxiv_id": self.arxiv_id,
            "set": self.values,
            "not_affiliation": self.not_affiliation,
            "not_organisation": self.not_organisation,
            "correction": self.correction,
            "note": self.note,
        }
        return {name: value for name, value in body.items() if value}


class Overrides:
    """All accepted corrections of a database."""

    def __init__(self, items: Iterable[Override] = ()) -> None:
        self.items = tuple(items)
        self._by_key: dict[str, list[Override]] = {}
        for item in self.items:
            for key in all_keys(Record(item.title_en, authors=item.authors, arxiv_id=item.arxiv_id)):
                self._by_key.setdefault(key, []).append(item)

    def for_paper(self, state: PaperState, keys: Iterable[str]) -> list[Record]:
        """What was corrected of a paper, in the order of acceptance."""
        found = {
            id(item): item
            for key in keys
            for item in self._by_key.get(key, ())
            if item.values and is_same(Record(item.title_en, authors=item.authors), state.record, key)
        }
        return [item.record() for item in self.items if id(item) in found]

    def denied(self, affiliation: str) -> frozenset[str]:
        """The organisations that a printed affiliation is not."""
        return frozenset(
            item.not_organisation
            for item in self.items
            if item.not_organisation and item.not_affiliation == affiliation
        )

    def fingerprint(self) -> str:
        """Changes whenever an affiliation could resolve differently."""
        return "|".join(
            sorted(f"{i.not_affiliation}≠{i.not_organisation}" for i in self.items if i.not_organisation)
        )


def overrides_path(database: Path) -> Path:
    """Where a database's overrides lie."""
    return database.with_name(database.name + ".overrides.json")


def read_overrides(database: Path) -> Overrides:
    """The overrides of a database; none when there is no file.

    Raises:
        OverridesError: the file can't be read as what this program writes.
    """
    path = overrides_path(database)
    try:
        body = json.loads(path.read_text("utf-8"))
        return Overrides([_override(item) for item in body])
    except FileNotFoundError:
        return Overrides()
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise OverridesError(f"The overrides {path} can't be read: {error}.") from error


def add_override(database: Path, new: Override) -> Overrides:
    """Append an override to the file, which is replaced as a whole.

    Raises:
        OverridesError: the file there is can't be read; it is left as it is.
    """
    known = read_overrides(database)
    path = overrides_path(database)
    partial = path.with_name(path.name + ".part")
    body = [item.to_json() for item in (*known.items, new)]
    partial.write_text(json.dumps(body, ensure_ascii=False, indent=1) + "\n", "utf-8")
    os.replace(partial, path)
    return Overrides((*known.items, new))


def _override(item: dict[str, Any]) -> Override:
    unknown = set(item.get("set", {})) - set(FIELDS)
    if unknown:
        raise ValueError(f"no such field: {', '.join(sorted(unknown))}")
    return Override(
        title_en=str(item["title_en"]),
        authors=tuple(str(name) for name in item["authors"]),
        arxiv_id=item.get("arxiv_id"),
        values=dict(item.get("set", {})),
        not_affiliation=item.get("not_affiliation"),
        not_organisation=item.get("not_organisation"),
        correction=item.get("correction"),
        note=item.get("note"),
    )


def read_setting(text: str) -> tuple[str, Any]:
    """`FIELD=VALUE` of the command line; authors are separated by semicolons.

    Raises:
        OverridesError: no such field, or no value.
    """
    name, equals, value = text.partition("=")
    name, value = name.strip(), value.strip()
    if not equals or name not in FIELDS:
        raise OverridesError(f"“{text}” isn't FIELD=VALUE with one of {', '.join(FIELDS)}.")
    if not value:
        raise OverridesError(f"“{text}” has no value.")
    return name, [part.strip() for part in value.split(";") if part.strip()] if name == "authors" else value
