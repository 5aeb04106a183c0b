"""No text raises, whatever it is made of."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.search.index import Index
from bot.search.model import Document, Query
from tests.search.papers import PAPERS

_SNIPPETS = st.sampled_from(
    ["AND", "(", '"', "\\", "$", "^", "{", "\\alpha", "量化", "iclr", "2026", "oral", "GPT-4", "a", "é", "log", "ﬁ",
     "2601.01234", "%", "_", "*", "\x00", "\ud800", "🚀", "\u202e", "ß", "Ω", "arxiv:", "一", "ｌｌｍ", "b c d e"]
)  # fmt: skip
_TEXTS = st.one_of(
    st.text(max_size=80), st.lists(_SNIPPETS, max_size=8).map(" ".join), st.lists(_SNIPPETS).map("".join)
)

_INDEX = Index.build(PAPERS)


@given(_TEXTS)
@settings(max_examples=300, deadline=None)
def test_no_query_raises(text: str) -> None:
    hits = _INDEX.search(Query(text), 5)
    assert len(hits) <= 5
    assert len({hit.id for hit in hits}) == len(hits)
    _INDEX.suggest(text)


@given(_TEXTS, _TEXTS)
@settings(deadline=None)
def test_no_filter_raises(institution: str, author: str) -> None:
    _INDEX.search(Query("graph", institution=institution, author=author))


@given(st.lists(st.tuples(_TEXTS, _TEXTS, _TEXTS, _TEXTS), max_size=4), _TEXTS)
@settings(deadline=None)
def test_no_document_raises(rows: list[tuple[str, str, str, str]], text: str) -> None:
    documents = [
        Document(i, title, zh, (author,), (institution,), keys=(text,), organisations=(author,))
        for i, (title, zh, author, institution) in enumerate(rows)
    ]
    index = Index.build(documents)
    index.search(Query(text), 3)
    index.update(documents[:1])
    assert len(index) == len(documents)


def test_a_pasted_book_is_cut() -> None:
    assert _INDEX.search(Query("lorem ipsum dolor " * 20_000)) == []


def test_a_very_long_word_is_harmless() -> None:
    assert _INDEX.search(Query("a" * 400)) == []
