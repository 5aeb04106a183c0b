"""Whether a record is a paper that is known already (rule 19 of the design).

Promises: a paper is recognised by any key it was ever seen under; a title alone never joins two papers, and two
arXiv ids are two papers. Leaves to `bot.papers.identity`: what keys and near titles are.
"""

from __future__ import annotations

import hashlib

from bot.papers.identity import keys_of, near_title, same_people
from bot.papers.model import Record
from bot.papers.names import author_key

_PEOPLE = "people:"


def all_keys(record: Record) -> tuple[str, ...]:
    """The keys of a record, most certain first; the last stands for its authors and is shared by their papers."""
    keys = keys_of(record)
    if not record.authors:
        return keys
    people = "|".join(sorted(author_key(name) for name in record.authors))
    return (*keys, _PEOPLE + hashlib.sha256(people.encode()).hexdigest()[:24])


def is_same(record: Record, known: Record, key: str) -> bool:
    """Whether a record is the known paper, given a key under which that paper was once seen.

    The known paper's title may have changed since, so that a title key that matches needs only the people.
    """
    if record.arxiv_id and known.arxiv_id:
        return record.arxiv_id == known.arxiv_id
    if key.startswith("arxiv:"):
        return True
    if key.startswith(_PEOPLE):
        return near_title(record.title_en, known.title_en)
    if key.startswith("openreview:"):
        # A comment may link another paper's page.
        return near_title(record.title_en, known.title_en) or same_people(record.authors, known.authors)
    return _people_agree(record, known)


def _people_agree(record: Record, known: Record) -> bool:
    if not (record.authors and known.authors):
        return True  # the title key's author part is equal: both are without
    if author_key(record.authors[0]) == author_key(known.authors[0]):
        return True
    return same_people(record.authors, known.authors)
