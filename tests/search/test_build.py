"""However the work is cut, the same arrays come out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from bot.search.build import Builder, build
from bot.search.columns import Growing, Strings, ordered
from bot.search.merge import merge
from bot.search.model import Document
from bot.search.segment import Field, Segment
from tests.search.papers import PAPERS

WITHOUT_WORDS = Document(900, "?!", newest=900)


def built(documents: Iterable[Document], most_terms: int) -> Segment:
    builder = Builder(most_terms)
    for document in documents:
        builder.add(document)
    return builder.finish()


def arrays(segment: Segment) -> dict[str, bytes]:
    """All that look-ups read, by name."""
    columns, postings, terms = segment.columns, segment.postings, segment.terms
    found: dict[str, Strings | NDArray[np.generic]] = {
        column.name: getattr(columns, column.name) for column in fields(columns)
    }
    found |= {
        "terms": terms.texts,
        "starts": postings.starts,
        "docs": postings.docs,
        "fields": postings.fields,
    }
    found |= {"keys": segment.keys.hashes, "places": segment.keys.places}
    found |= {f"terms{name}": value for name, value in vars(terms).items() if isinstance(value, np.ndarray)}
    return {name: _bytes(value) for name, value in found.items()}


def _bytes(value: Strings | NDArray[np.generic]) -> bytes:
    if isinstance(value, Strings):
        return value.blob + b"\xff" + value.ends.tobytes()
    return str(value.dtype).encode() + value.tobytes()


def collected(texts: Iterable[str]) -> Strings:
    growing = Growing()
    for text in texts:
        growing.append(text)
    return growing.finish()


@pytest.mark.parametrize("most_terms", [1, 50, 400])
def test_many_runs_make_what_one_run_makes(most_terms: int) -> None:
    papers = (*PAPERS, WITHOUT_WORDS)
    assert arrays(built(papers, most_terms)) == arrays(built(papers, 1_000_000))


def test_postings_are_those_of_a_plain_dictionary() -> None:
    segment = built(PAPERS, 50)
    papers: dict[str, set[int]] = defaultdict(set)
    for place, title in enumerate(segment.columns.title[i] for i in range(len(segment))):
        for word in title.split():
            papers[word].add(place)
    for word, places in papers.items():
        number = segment.terms.find(word)
        docs, found = segment.postings.span(number, number + 1)
        assert docs.tolist() == sorted(docs.tolist())
        assert set(docs[(found & Field.TITLE) > 0].tolist()) == places
    texts = [segment.terms.texts.raw(i) for i in range(len(segment.terms))]
    assert texts == sorted(set(texts))


def test_the_last_of_several_with_one_id_stays() -> None:
    twice = (replace(PAPERS[0], title_en="Only the old title says zebra"), *PAPERS)
    assert arrays(build(twice)) == arrays(build(PAPERS))


@given(
    st.lists(st.sampled_from((*PAPERS, WITHOUT_WORDS)), unique_by=lambda paper: paper.id),
    st.sets(st.integers(0, len(PAPERS))),
    st.sets(st.sampled_from([*(paper.id for paper in PAPERS), 900])),
)
@settings(deadline=None, max_examples=50)
def test_merged_segments_are_what_a_build_of_the_living_papers_is(
    papers: list[Document], cuts: set[int], removed: set[int]
) -> None:
    bounds = [0, *sorted(cut for cut in cuts if cut < len(papers)), len(papers)]
    parts = [build(papers[low:high]) for low, high in pairwise(bounds)]
    for part in parts:
        part.kill(np.array(sorted(removed), np.int64))
    assert arrays(merge(parts)) == arrays(build(paper for paper in papers if paper.id not in removed))


@given(st.lists(st.tuples(st.text(max_size=4), st.booleans())))
def test_only_some_texts_are_kept(rows: Sequence[tuple[str, bool]]) -> None:
    texts = collected(text for text, _ in rows)
    kept = texts.only(np.array([keep for _, keep in rows], np.bool_))
    assert [kept.raw(i) for i in range(len(kept))] == [
        texts.raw(i) for i, (_, keep) in enumerate(rows) if keep
    ]


@given(st.lists(st.lists(st.text(max_size=4))))
def test_texts_are_joined_in_their_order(parts: list[list[str]]) -> None:
    joined = Strings.joined([collected(part) for part in parts])
    assert _bytes(joined) == _bytes(collected(text for part in parts for text in part))


@given(st.lists(st.integers(0, 5) | st.integers(0, 2**32 - 1)))
def test_the_order_is_the_stable_one(values: list[int]) -> None:
    numbers = np.array(values, np.uint32)
    assert ordered(numbers).tolist() == np.argsort(numbers, kind="stable").tolist()
