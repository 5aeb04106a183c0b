"""A ROR dump (CC0, ror.org) read into records.

Promises: the official JSON of schema 1 and 2 (.json, .json.gz, or the .zip as published) and one compact
object a line (.jsonl, .jsonl.gz); withdrawn entries are left out; `RorError` names file and reason.
Leaves to others: merging with the shipped table (`directory`).
"""

from __future__ import annotations

import gzip
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_KINDS = {
    "education": "university",
    "company": "company",
    "nonprofit": "nonprofit",
    "government": "government",
    "healthcare": "hospital",
}
_COUNTRY_IN_NAME = re.compile(r"\s*\((?:[A-Z][\w.' -]+)\)$")


class RorError(ValueError):
    """The file is no ROR dump that can be read; the message says why."""


@dataclass(frozen=True, slots=True)
class RorRecord:
    """One entry. `ror`: bare id; `names`: display name, labels and aliases in their order; `parents`: bare ids."""

    ror: str
    name_en: str
    name_zh: str | None
    names: tuple[str, ...]
    acronyms: tuple[str, ...]
    country: str | None
    city: str | None
    kind: str
    parents: tuple[str, ...]


def read_ror(path: Path) -> Iterator[RorRecord]:
    """The active entries of a dump, one at a time.

    Raises:
        RorError: the file cannot be read, is no JSON, or holds entries of no known shape.
    """
    try:
        text = _text_of(path)
        for entry in _entries(text):
            record = _record(entry)
            if record is not None:
                yield record
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile, UnicodeDecodeError, RecursionError) as error:
        raise RorError(f"{path} cannot be read: {error}") from error
    except json.JSONDecodeError as error:
        raise RorError(f"{path} is no valid JSON: {error}") from error
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise RorError(f"{path} holds an entry that no ROR schema describes ({error!r})") from error


def _text_of(path: Path) -> str:
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    elif data[:2] == b"PK":
        data = _largest_json(data, path.name)
    return data.decode("utf-8-sig")


def _largest_json(data: bytes, name: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [member for member in archive.infolist() if member.filename.endswith(".json")]
        if not members:
            raise RorError(f"{name} holds no .json file")
        # A published archive may hold both schemas; the second has the languages of the names.
        best = max(members, key=lambda member: ("v2" in member.filename, member.file_size))
        return archive.read(best)


def _entries(text: str) -> Iterator[Any]:
    """The objects of a JSON list or of JSON lines, decoded one by one to keep memory low."""
    decoder = json.JSONDecoder()
    gap = re.compile(r"[\s,]*")
    start = re.compile(r"\s*\[?\s*").match(text)
    position = start.end() if start else 0
    while position < len(text) and text[position] != "]":
        entry, position = decoder.raw_decode(text, position)
        yield entry
        following = gap.match(text, position)
        position = following.end() if following else len(text)


def _record(entry: object) -> RorRecord | None:
    if not isinstance(entry, dict):
        raise TypeError("an entry is no object")
    if entry.get("status", "active") != "active":
        return None
    if "names" in entry:
        return _schema_2(entry)
    if "country" in entry or "addresses" in entry:
        return _schema_1(entry)
    return _compact(entry)


def _schema_2(entry: dict[str, Any]) -> RorRecord:
    names = entry["names"]
    display = next(item["value"] for item in names if "ror_display" in item["types"])
    labels = [(item.get("lang"), item["value"]) for item in names if "acronym" not in item["types"]]
    acronyms = [item["value"] for item in names if "acronym" in item["types"]]
    place = (entry.get("locations") or [{}])[0].get("geonames_details", {})
    parents = [link["id"] for link in entry.get("relationships", ()) if link["type"].lower() == "parent"]
    return _build(entry, display, labels, acronyms, place.get("country_code"), place.get("name"), parents)


def _schema_1(entry: dict[str, Any]) -> RorRecord:
    labels = [(item.get("iso639"), item["label"]) for item in entry.get("labels", ())]
    labels += [(None, alias) for alias in entry.get("aliases", ())]
    city = (entry.get("addresses") or [{}])[0].get("city")
    code = (entry.get("country") or {}).get("country_code")
    parents = [link["id"] for link in entry.get("relationships", ()) if link["type"].lower() == "parent"]
    return _build(entry, entry["name"], labels, entry.get("acronyms", ()), code, city, parents)


def _compact(entry: dict[str, Any]) -> RorRecord:
    labels = [(lang, text) for lang, text in (*entry.get("labels", ()), *entry.get("aliases", ()))]
    parents = entry.get("parents", ())
    return _build(
        entry, entry["name"], labels, entry.get("acronyms", ()), entry.get("cc"), entry.get("city"), parents
    )


def _build(
    entry: dict[str, Any],
    display: str,
    labels: list[tuple[str | None, str]],
    acronyms: Iterable[str],
    country: str | None,
    city: str | None,
    parents: Iterable[str],
) -> RorRecord:
    # ROR tells companies apart as "Intel (Ireland)"; affiliations print "Intel".
    plain = _COUNTRY_IN_NAME.sub("", display)
    english = next((text for lang, text in labels if lang == "en"), plain)
    kinds = [_KINDS[kind.lower()] for kind in entry.get("types", ()) if kind.lower() in _KINDS]
    return RorRecord(
        ror=_bare(entry["id"]),
        name_en=english if "company" not in kinds else plain,
        name_zh=next((text for lang, text in labels if lang == "zh"), None),
        names=tuple(dict.fromkeys((display, plain, *(text for _, text in labels)))),
        acronyms=tuple(acronyms),
        country=country or None,
        city=city or None,
        kind=kinds[0] if kinds else "institute",
        parents=tuple(_bare(parent) for parent in parents),
    )


def _bare(identifier: str) -> str:
    return identifier.rsplit("/", 1)[-1]
