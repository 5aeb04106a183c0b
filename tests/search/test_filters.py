"""Filters narrow any text, the empty one included."""

from __future__ import annotations

import pytest

from bot.search.index import Index
from bot.search.model import Query
from tests.search import papers as p
from tests.search.papers import ids


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"year": 2025}, {p.GRAPH_POSTER, p.STATE_OF_THE_ART}),
        ({"year": 2026, "track": "main"}, {p.LOGQUANT, p.GRAPH_ORAL}),
        ({"track": "workshop"}, {p.MIT}),
        ({"presentation": "oral"}, {p.GRAPH_ORAL}),
        ({"presentation": "spotlight"}, set()),
        ({"track": "no such track"}, set()),
        ({"institution": "mit"}, {p.MIT}),
        ({"institution": "Massachusetts Institute of Technology"}, {p.MIT}),
        ({"institution": "麻省理工学院"}, {p.MIT}),
        ({"institution": "Venus Labs"}, {p.SUMMIT}),
        ({"institution": "NUS"}, set()),
        ({"institution": "Institute"}, {p.SUMMIT, p.MIT}),
        ({"author": "Zhang San"}, {p.SAN_ZHANG}),
        ({"author": "Müller"}, {p.LOGQUANT}),
        ({"author": "欧阳 明"}, {p.OUYANG}),
        ({"author": "San Wang"}, set()),
        ({"author": "nobody"}, set()),
        ({"institution": "?"}, set()),
        ({"author": ""}, set()),
    ],
)
def test_without_text(index: Index, filters: dict[str, object], expected: set[int]) -> None:
    assert set(ids(index, "", 50, **filters)) == expected


def test_with_text(index: Index) -> None:
    assert ids(index, "graph transformers", year=2025) == [p.GRAPH_POSTER]
    assert ids(index, "graph", presentation="oral") == [p.GRAPH_ORAL]
    assert ids(index, "graph transformers", author="Wei Wang") == []
    assert ids(index, "2601.01234", year=2025) == []
    assert ids(index, "", 50, year=2026, institution="paradigm") == [p.LOGQUANT]


def test_sorted_by_newest(index: Index) -> None:
    by_score = ids(index, "graph transformers count triangles")
    assert by_score[0] == p.GRAPH_ORAL
    hits = index.search(Query("graph transformers", sort="newest"))
    assert [hit.id for hit in hits] == [p.GRAPH_POSTER, p.GRAPH_ORAL]
