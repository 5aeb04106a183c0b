"""The directory of institutions that goes with a database: the shipped table and the operator's ROR dump.

Promises: a dump kept beside the database is part of every directory opened for it.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from bot.institutions.directory import Directory

# To be raised with the resolver's rules, so that stored affiliations are resolved again.
RULES = "2"


def ror_path(database: Path, source: Path | None = None) -> Path:
    """Where a database's ROR dump lies; the ending is the dump's own, and any ending when it is looked for."""
    base = f"{database.name}.ror"
    if source is not None:
        ending = "".join(source.suffixes[-2:]) if source.suffix == ".gz" else source.suffix
        return database.with_name(base + ending)
    found = sorted(database.parent.glob(f"{base}.json*")) + sorted(database.parent.glob(f"{base}.zip"))
    return found[0] if found else database.with_name(f"{base}.json")


def open_directory(database: Path) -> Directory:
    """The directory for a database.

    Raises:
        RorError: the kept dump can't be read.
    """
    directory = Directory.shipped()
    dump = ror_path(database)
    return directory.with_ror(dump) if dump.exists() else directory


def fingerprint(directory: Directory) -> str:
    """Changes whenever a directory could resolve an affiliation differently."""
    total = hashlib.sha256(RULES.encode())
    for organisation in directory:
        total.update(f"{organisation.id}|{'|'.join(organisation.names())}|{organisation.parent}\n".encode())
    return total.hexdigest()[:24]
