"""Whether a record is a paper that is known already (rule 19 of the design).

Promises: a paper is recognised by any key it was ever seen under; a title alone never joins two papers whose
people are known, and two arXiv ids are two papers. Leaves to `bot.papers.identity`: what keys and near titles are.
"""

from __future__ import annotations

from bot.papers.identity import keys_of, near_key, near_title, overlap, same_people
from bot.papers.model import Record
from bot.papers.names import same_author
from bot.text import normalise

_NEAR = "near:"
# From so many words on a title is no coincidence between two papers of one edition.
_DISTINCTIVE = 4


def all_keys(record: Record) -> tuple[str, ...]:
    """The keys of a record, most certain first; the last only finds candidates with a near title."""
    return (*keys_of(record), near_key(record.title_en))


def is_same(record: Record, known: Record, key: str) -> bool:
    """Whether a record is the known paper, given a key under which that paper was once seen.

    The known paper's title may have changed since, so that a title key that matches needs only the people.
    """
    if record.arxiv_id and known.arxiv_id:
        return record.arxiv_id == known.arxiv_id
    if key.startswith("arxiv:"):
        return True
    if not (record.authors and known.authors):
        return _without_people(record, known, key)
    if key.startswith(_NEAR):
        return _near(record, known)
    if key.startswith("openreview:"):
        # A comment may link another paper's page.
        return near_title(record.title_en, known.title_en) or same_people(record.authors, known.authors)
    return _titled(record, known)


def _titled(record: Record, known: Record) -> bool:
    """A candidate by title and surname: the first author agrees, and with a short title others do too."""
    shared = overlap(record.authors, known.authors)
    if shared >= 0.8 or (shared >= 0.5 and _is_distinctive(record)):
        return True
    if not same_author(record.authors[0], known.authors[0]):
        return False
    # "Deep Learning" by Wei Zhang and others: one common name isn't enough.
    return shared > 0.3 or _is_distinctive(record)


def _near(record: Record, known: Record) -> bool:
    """A candidate by its near title: most of the people agree, or half of them and there is little doubt."""
    shared = overlap(record.authors, known.authors)
    if shared >= 0.8 or shared < 0.5:
        return shared >= 0.8
    return _is_distinctive(record) or same_author(record.authors[0], known.authors[0])


def _is_distinctive(record: Record) -> bool:
    return len(normalise(record.title_en).split()) >= _DISTINCTIVE


def _without_people(record: Record, known: Record, key: str) -> bool:
    """One of the two names nobody: a distinctive title has to be equal, and the edition the same."""
    if key.startswith("openreview:"):
        return near_title(record.title_en, known.title_en)
    title = normalise(record.title_en)
    if title != normalise(known.title_en):
        return False
    if not record.authors and not known.authors and not key.startswith(_NEAR):
        return True  # the same source again
    return _is_distinctive(record) and _same_edition(record, known)


def _same_edition(record: Record, known: Record) -> bool:
    one, other = record.venue, known.venue
    if one is None or other is None or one.year is None:
        return False
    return one.year == other.year and one.track is other.track
