"""Shortening text at a good place.

Promises: a cut text fits, ends in "…", and leaves no character, escape, link or open markup in pieces.
Leaves to others: which limit holds where (`limits`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.render.graphemes import clusters, is_wide, size

ELLIPSIS = "…"
# A cut goes back to the last blank when that costs no more than this much of the text.
_WORD_REACH = 24

# What is never cut inside, in the order it is looked for: escapes, masked links, anything in angle brackets
# that Discord reads (mentions, timestamps, addresses), and the delimiters of paired markup.
_PIECE = re.compile(
    r"(?P<escape>\\[^0-9A-Za-z\s])"
    r"|(?P<link>\[[^\]\n]*\]\((?:<[^>\n]*>|[^)\s]*)\))"
    r"|(?P<angle><(?:[@#:/]|t:|a:|id:|https?://)[^>\s]*>|</[^>\n]*>)"
    r"|(?P<fence>```)"
    r"|(?P<pair>\*\*|__|~~|\|\||\*|_|`)"
)


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    pair: str | None = None


def cut(text: str, limit: int, *, markup: bool = True) -> str:
    """The text, brought to at most `limit` UTF-16 units with "…" at the end when it was longer.

    Cuts after a word, or after a character in a script without blanks or in a word that is itself too long.
    With `markup`, escapes and links stay whole and what is open at the cut (bold, code, spoiler …) is closed.
    """
    if size(text) <= limit:
        return text
    if limit < 1:
        return ""
    pieces = _until_full(_pieces(text) if markup else map(_Piece, clusters(text)), limit)
    for count in range(len(pieces) - 1, 0, -1):
        shortened = _closed(pieces[:count])
        if size(shortened) <= limit:
            at_word = _closed(pieces[: _word_end(pieces, count)])
            return at_word if size(at_word) <= limit else shortened
    return ELLIPSIS


def even(wanted: Sequence[int], room: int) -> list[int]:
    """What each gets of the room: the same for all, and what short ones leave goes to the long ones."""
    shares = [0] * len(wanted)
    for done, position in enumerate(sorted(range(len(wanted)), key=lambda i: wanted[i])):
        shares[position] = min(wanted[position], room // (len(wanted) - done))
        room -= shares[position]
    return shares


def _until_full(pieces: Iterator[_Piece], limit: int) -> list[_Piece]:
    """The pieces that fit before an ellipsis, and the one that doesn't any more."""
    room, taken = limit - size(ELLIPSIS), list[_Piece]()
    for piece in pieces:
        taken.append(piece)
        room -= size(piece.text)
        if room < 0:
            break
    return taken


def _word_end(pieces: list[_Piece], count: int) -> int:
    """The number of pieces up to the last whole word, or `count` when the cut may stand where it is."""
    if pieces[count].text[0].isspace():
        return count
    for back in range(count, max(0, count - _WORD_REACH), -1):
        before = pieces[back - 1].text
        if before.isspace() or is_wide(before):
            return back
    return count


def _closed(pieces: list[_Piece]) -> str:
    open_at: list[int] = []
    for number, piece in enumerate(pieces):
        if piece.pair is None:
            continue
        if open_at and pieces[open_at[-1]].pair == piece.pair:
            open_at.pop()
        else:
            open_at.append(number)
    end = len(pieces)
    # Blanks at the end go, and so does an opening delimiter with nothing behind it.
    while end and (pieces[end - 1].text.isspace() or (open_at and open_at[-1] == end - 1)):
        end -= 1
        if open_at and open_at[-1] == end:
            open_at.pop()
    opened = (pieces[number].text for number in reversed(open_at))
    closing = "".join("\n```" if mark == "```" else mark for mark in opened)
    return "".join(piece.text for piece in pieces[:end]) + ELLIPSIS + closing


def _pieces(text: str) -> Iterator[_Piece]:
    """The text in parts that are never cut inside; a delimiter counts only when its partner comes later."""
    position, open_pairs = 0, list[str]()
    while position < len(text):
        match = _PIECE.search(text, position)
        inside_code = open_pairs[-1] if open_pairs and open_pairs[-1] in {"`", "```"} else None
        if inside_code:
            end = text.index(inside_code, position)
            yield from (_Piece(c) for c in clusters(text[position:end]))
            yield _Piece(inside_code, open_pairs.pop())
            position = end + len(inside_code)
            continue
        end = match.start() if match else len(text)
        yield from (_Piece(c) for c in clusters(text[position:end]))
        if match is None:
            return
        yield _delimiter(text, match, open_pairs)
        position = match.end()


def _delimiter(text: str, match: re.Match[str], open_pairs: list[str]) -> _Piece:
    token = match.group()
    if match.lastgroup not in {"fence", "pair"}:
        return _Piece(token)
    if open_pairs and open_pairs[-1] == token:
        open_pairs.pop()
        return _Piece(token, token)
    if token in open_pairs or not _closes_later(text, match.end(), token):
        return _Piece(token)
    open_pairs.append(token)
    return _Piece(token, token)


def _closes_later(text: str, start: int, mark: str) -> bool:
    if mark in {"`", "```"}:
        return text.find(mark, start) > start
    if text[start : start + 1].isspace():
        return False
    return any(later.group() == mark for later in _PIECE.finditer(text, start))
