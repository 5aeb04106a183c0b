"""Papers enter, change and leave without a rebuild."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.search.index import Index
from bot.search.merge import merge
from bot.search.model import Document, Query
from tests.search import papers as p
from tests.search.papers import PAPERS, ids


def fresh() -> Index:
    return Index.build(PAPERS)


def test_a_new_paper_is_found_at_once() -> None:
    index = fresh()
    assert ids(index, "octopus locomotion") == []
    index.update([Document(100, "Octopus Locomotion by Curiosity", "章鱼运动", newest=99)])
    assert ids(index, "octopus locomotion") == [100]
    assert ids(index, "章鱼") == [100]
    assert ids(index, "", limit=1) == [100]
    assert len(index) == len(PAPERS) + 1


def test_a_changed_paper_replaces_itself() -> None:
    index = fresh()
    index.update([replace(PAPERS[0], title_en="FrogQuant: Amphibious Caches", title_zh=None, keys=())])
    assert ids(index, "frogquant") == [p.LOGQUANT]
    assert ids(index, "logquant") == []
    assert ids(index, "2601.01234") == []
    assert len(index) == len(PAPERS)


def test_a_removed_paper_is_gone() -> None:
    index = fresh()
    index.remove([p.LOGQUANT, 12345])
    assert ids(index, "logquant") == []
    assert ids(index, "2601.01234") == []
    assert p.LOGQUANT not in ids(index, "", 100)
    assert len(index) == len(PAPERS) - 1


def test_the_last_of_several_with_one_id_counts() -> None:
    index = Index.build([Document(1, "Old Name"), Document(1, "New Title")])
    assert len(index) == 1
    assert ids(index, "new title") == [1]
    assert ids(index, "old name") == []


def test_many_small_loads_stay_few_segments() -> None:
    index = Index()
    for number in range(60):
        index.update([Document(number, f"Paper about subject{number:02} and more")])
    assert len(index) == 60
    assert index.crowded() == ()
    assert len(index.segments) <= 5
    assert [ids(index, f"subject{n:02}")[:1] for n in (0, 31, 59)] == [[0], [31], [59]]


def test_loads_one_by_one_answer_as_one_build() -> None:
    grown = Index()
    for paper in PAPERS:
        grown.update([paper])
    whole = fresh()
    for text in (
        "logquant",
        "世界模型",
        "wang wei",
        "graph transformers",
        "MIT",
        "kuosanmoxing",
        "lgoquant",
        "",
        "zzz",
    ):
        assert ids(grown, text, 3) == ids(whole, text, 3), text


def test_merging_drops_what_was_removed() -> None:
    index = fresh()
    index.remove([p.LOGQUANT])
    merged = Index([merge(index.segments)])
    assert len(merged) == len(PAPERS) - 1
    assert ids(merged, "logquant") == []
    assert ids(merged, "2601.01234") == []
    assert ids(merged, "world models") == [p.WORLD]


@given(st.lists(st.sampled_from(PAPERS), max_size=12), st.sets(st.sampled_from([q.id for q in PAPERS])))
@settings(deadline=None)
def test_any_order_of_loads_and_removals_counts_right(loads: list[Document], removed: set[int]) -> None:
    index = Index()
    for paper in loads:
        index.update([paper])
    index.remove(removed)
    alive = {paper.id for paper in loads} - removed
    assert len(index) == len(alive)
    assert set(ids(index, "", 100)) == alive
    for paper in loads:
        found = [hit.id for hit in index.search(Query(paper.title_en), 1)]
        assert (found == [paper.id]) == (paper.id in alive)
