"""Which lines of a listing belong to which paper.

Promises: every line ends in exactly one draft, in its order; the work is linear in the number of lines. The
summary label anchors a record; what stands between two of them is divided between their papers.
Leaves to `headers`: finding titles in a run of lines; to `drafts`: what the lines of one paper say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bot.papers.drafts import Draft
from bot.papers.headers import WINDOW, Header, find_header, is_chinese, looks_like_comment, shifted
from bot.papers.labels import Kind, Line, read_line

# What a value on the line below its label may look like: "ICLR 2026" alone is a heading elsewhere.
_BARE = frozenset({Kind.NAVIGATION, Kind.LINK, Kind.META})
_AWAITING = frozenset(
    {
        Kind.COMMENTS,
        Kind.JOURNAL_REF,
        Kind.INSTITUTIONS,
        Kind.TITLE,
        Kind.ARXIV,
        Kind.LINK,
        Kind.DATE,
        Kind.CATEGORIES,
    }
)
_CLOSING = frozenset({Kind.INSTITUTIONS, Kind.AUTHORS})
_TITLE_LENGTH = 300  # arXiv's titles; only used to tell a title from a paragraph


def read_drafts(lines: Iterable[str]) -> Iterator[Draft]:
    """Group lines into the papers they belong to, broken ones included.

    Args:
        lines: clean lines, blank ones ``""``; the n-th item is line n.
    """
    current = Draft()  # what stands before the first paper
    gap: list[Line] = []
    for number, text in enumerate(lines, start=1):
        if not text:
            continue
        line = read_line(text, number)
        if line.kind in _BARE and gap and _awaits(gap[-1], line):
            line = line._replace(kind=Kind.TEXT)
        if line.kind is not Kind.SUMMARY_ZH:
            gap.append(line)
            continue
        *finished, current = _meet_summary(current, gap, line)
        yield from finished
        gap = []
    tail, drafts = _divide(gap, needed=False)
    current.lines += tail
    yield current
    yield from drafts


def _awaits(label: Line, line: Line) -> bool:
    """Whether an empty label stands right before a line that by itself would be an address or navigation."""
    if label.value or label.kind not in _AWAITING:
        return False
    return not (line.kind is Kind.NAVIGATION and line.text in ("纠错", "糾錯"))


def _meet_summary(current: Draft, gap: list[Line], summary: Line) -> list[Draft]:
    """The drafts known once a summary label is met; the last one is the summary's own."""
    tail, drafts = _divide(gap, needed=True)
    current.lines += tail
    if not drafts:
        drafts = [Draft(headless_at=summary.number)]
    drafts[-1].lines.append(summary)
    return [current, *drafts]


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A place in the gap between two summaries where a paper may begin."""

    start: int  # index in the gap: the meta line, or the header's first line
    run: int  # index of the line that the header counts from
    header: Header | None  # None: the title has a label of its own
    certain: bool  # a meta line or a label says that a paper begins here
    closed: bool  # a label that follows a header comes next

    def opens(self, follows: bool) -> bool:
        """Whether a paper begins here even if no summary asks for one.

        Args:
            follows: whether an earlier candidate of the same gap has begun one.
        """
        header = self.header
        if self.certain or header is None or header.is_whole:
            return True
        return header.authors is not None and header.score >= 3 and (self.closed or not follows)


def _divide(gap: list[Line], *, needed: bool) -> tuple[list[Line], list[Draft]]:
    """Cut the lines between two summary labels: the end of the previous paper, then the next ones.

    Args:
        gap: the lines, in order; a line taken for a label may be turned into text.
        needed: whether a summary follows, so that its paper must begin somewhere here.
    """
    chosen: list[_Candidate] = []
    others: list[_Candidate] = []
    for candidate in _candidates(gap):
        (chosen if candidate.opens(bool(chosen)) else others).append(candidate)
    if needed and not chosen and others:
        chosen = [max(others, key=lambda other: (other.header.score if other.header else 0, other.start))]
    if not chosen:
        return gap, []
    ends = [candidate.start for candidate in chosen[1:]] + [len(gap)]
    drafts = [_draft(gap, candidate, end) for candidate, end in zip(chosen, ends, strict=True)]
    return gap[: chosen[0].start], drafts


def _draft(gap: list[Line], candidate: _Candidate, end: int) -> Draft:
    lines = gap[candidate.start : end]
    header = candidate.header
    if header is None:
        return Draft(lines=lines)
    title, title_zh, authors = (
        None if at is None else gap[candidate.run + at]
        for at in (header.title, header.title_zh, header.authors)
    )
    taken = {line.number for line in (title, title_zh, authors) if line}
    rest = [line for line in lines if line.number not in taken]
    headless_at = 0 if title else gap[candidate.run + header.first].number
    return Draft(title, title_zh, authors, rest, headless_at)


def _candidates(gap: list[Line]) -> Iterator[_Candidate]:
    """Every place in the gap where a paper may begin, in order."""
    index, size = 0, len(gap)
    while index < size:
        kind = gap[index].kind
        if kind is Kind.TEXT:
            end = _run_end(gap, index)
            yield from _in_run(gap, index, end)
            index = end
        elif kind is Kind.META:
            end = _run_end(gap, index + 1)
            yield from _after_meta(gap, index, end)
            index = max(end, index + 1)
        else:
            if kind is Kind.TITLE:
                after_meta = index > 0 and gap[index - 1].kind is Kind.META
                yield _Candidate(index - after_meta, index, None, certain=True, closed=True)
            index += 1


def _run_end(gap: list[Line], start: int) -> int:
    end = start
    while end < len(gap) and gap[end].kind is Kind.TEXT:
        end += 1
    return end


def _after_meta(gap: list[Line], meta: int, end: int) -> Iterator[_Candidate]:
    """The paper that a meta line opens. One without text behind it belongs to the paper before it."""
    texts = [line.text for line in gap[meta + 1 : end]]
    if not texts:
        return
    header = find_header(texts)
    if (header is None or header.title is None) and meta > 0 and gap[meta - 1].kind is Kind.TEXT:
        # The meta line stands below the title: put it behind the authors and read the run as one.
        start = meta - 1
        while start > 0 and gap[start - 1].kind is Kind.TEXT:
            start -= 1
        gap.insert(end - 1, gap.pop(meta))
        yield from _in_run(gap, start, end - 1)
        return
    if header is None:
        header = Header(0, None, None, 0)
    yield _Candidate(meta, meta + 1, header, certain=True, closed=True)


def _in_run(gap: list[Line], start: int, end: int) -> Iterator[_Candidate]:
    """The papers that may begin in a run of plain lines: its last one, and whole headers before that."""
    owner = gap[start - 1] if start else None
    texts = [line.text for line in gap[start:end]]
    closed = end == len(gap) or gap[end].kind in _CLOSING
    # The first line below an empty label is its value.
    skip = 1 if owner and not owner.value and owner.kind is not Kind.DETAILS else 0
    header = find_header(texts[skip:])
    if _lacks_title(header):
        if mistaken := _mistaken_label(gap, start, end):
            start, header = mistaken
            yield _Candidate(start, start, header, certain=False, closed=closed)
            return
        if skip and (whole := _empty_label(texts)):
            header, skip = whole, 0
    if header is None:
        return
    yield from _earlier(texts[: skip + header.first], start)
    yield _Candidate(start + skip + header.first, start + skip, header, certain=False, closed=closed)


def _mistaken_label(gap: list[Line], start: int, end: int) -> tuple[int, Header] | None:
    """The header that a run belongs to when the line or two before it were taken for labels.

    ``TLDR: Twin Learning …`` is a title, ``Comments as Natural Logic Pivots`` as well. Such lines become text.
    """
    first, count = start, 0
    while first > 0 and count < 2 and _may_be_title(gap[first - 1]):
        first, count = first - 1, count + 1
        while count and first > 0 and gap[first - 1].kind is Kind.TEXT and is_chinese(gap[first].text):
            first -= 1
        header = find_header([line.text for line in gap[first:end]])
        if header and header.title is not None and header.authors is not None and header.score >= 3:
            if header.title_zh is None and count == 1 and is_chinese(gap[start - 1].text):
                continue
            for index in range(first, start):
                gap[index] = gap[index]._replace(kind=Kind.TEXT, value=gap[index].text)
            return first + header.title, shifted(header, -header.title)
    return None


def _may_be_title(line: Line) -> bool:
    if not line.doubtful or looks_like_comment(line.value) or line.value.endswith((".", "。")):
        return False
    return len(line.text) <= _TITLE_LENGTH and (len(line.value.split()) > 1 or is_chinese(line.value))


def _lacks_title(header: Header | None) -> bool:
    return header is None or header.title is None or header.authors is None


def _empty_label(texts: list[str]) -> Header | None:
    """The header at the very start of a run below an empty label that has no value at all."""
    first = texts[0]
    if looks_like_comment(first) or first.endswith((".", "。")) or len(first) > _TITLE_LENGTH:
        return None
    header = find_header(texts)
    return (
        header if header and header.title == 0 and header.authors is not None and header.score >= 3 else None
    )


def _earlier(texts: list[str], start: int) -> Iterator[_Candidate]:
    """Whole headers that stand before another one in the same run: papers that lost everything else."""
    found: list[_Candidate] = []
    end = len(texts)
    while end and (header := find_header(texts[max(0, end - WINDOW) : end])):
        if not header.is_whole:
            break
        base = max(0, end - WINDOW)
        found.append(
            _Candidate(start + base + header.first, start + base, header, certain=True, closed=False)
        )
        end = base + header.first
    yield from reversed(found)
