"""The text of a listing, made fit to read line by line.

Promises: lines numbered as an editor numbers them, entities decoded once, invisible characters gone, blanks
collapsed, and every sign of a wrong encoding reported. Leaves to `listing`: what a line means.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from html.entities import html5

# Zero-width and direction marks, soft hyphens, BOMs.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]"
)
# A joiner inside an emoji sequence stays.
_LONE_JOINER = re.compile("(?<![\ufe0f\u2600-\u27bf\U0001f000-\U0001faff])\u200d")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f\x80-\x84\x86-\x9f\ud800-\udfff]")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_NEWLINE = re.compile(r"\r\n?")
# UTF-8 read as Windows-1252 (or Latin-1): a lead byte's letter followed by continuation bytes' signs.
_WESTERN_TAIL = "\u0080-\u00bfŒœŠšŸŽžƒˆ˜–—‘’‚“”„†‡•…‰‹›€™"
_WESTERN = re.compile(f"[Â-ß][{_WESTERN_TAIL}]|[à-ï][{_WESTERN_TAIL}]{{2}}|[ð-ô][{_WESTERN_TAIL}]{{3}}")
_TWO_WESTERN = f"[Â-ô][{_WESTERN_TAIL}]"
# Frequent UTF-8 lead pairs of Chinese text read as GBK; real Chinese hardly has two of them in one line.
_GBK_SIGNS = "锛銆鐨涓鍦鏄鏈鎴绗璁鍒瀛浣鑳锟"
_CHINESE = re.compile(f"[{_GBK_SIGNS}]")
_RUN_OF_LOST = re.compile("\ufffd+")
_LOST = re.compile("\ufffd|锟斤拷")
# One quick look over a whole text for any of the three.
_SUSPICIOUS = re.compile(rf"{_TWO_WESTERN}|[{_GBK_SIGNS}][^\n]{{0,200}}[{_GBK_SIGNS}]|\ufffd")
# Lines are cleaned in slices of this many characters, so that a large file is never held several times over.
_SLICE = 1 << 20


def decode_once(text: str) -> str:
    """Decode HTML entities once: ``&amp;lt;`` becomes ``&lt;``. What only looks like an entity stays.

    An entity needs its semicolon, so the ``&copy=`` of an address is left alone.
    """
    if "&" not in text:
        return text
    return _ENTITY.sub(_entity, text)


def _entity(match: re.Match[str]) -> str:
    entity = match[0]
    if entity[1] != "#" and entity[1:] not in html5:
        return entity
    # A decoded line break must not start a new line.
    return html.unescape(entity).replace("\n", " ").replace("\r", " ")


def clean_text(text: str) -> str:
    """Remove what cannot be seen: zero-width, direction and control characters. NFC. Line breaks stay."""
    if text.isascii():
        return _CONTROL.sub("", text) if _CONTROL.search(text) else text
    if _INVISIBLE.search(text):
        text = _INVISIBLE.sub("", text)
    if "\u200d" in text:
        text = _LONE_JOINER.sub("", text)
    if _CONTROL.search(text):
        text = _CONTROL.sub("", text)
    return text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)


def clean_line(text: str) -> str:
    """One line or field of foreign text: `clean_text`, blanks of every kind collapsed, trimmed."""
    return " ".join(clean_text(text).split())


def clean_lines(text: str, notes: list[tuple[int, str]], *, entities: bool = True) -> Iterator[str]:
    """Yield the clean lines of a text; blank ones are ``""``, so the n-th item is line n.

    Args:
        text: the whole text, with any kind of line break.
        notes: receives (line number, sentence) for every sign of a wrong encoding.
        entities: whether HTML entities are still to be decoded.
    """
    number = 0
    for block in _slices(text):
        raw = _NEWLINE.sub("\n", block) if "\r" in block else block
        mended = _mend(raw, number, notes)
        if entities:
            mended = decode_once(mended)
        lines = clean_text(mended).split("\n")
        for line in lines:
            yield " ".join(line.split())
        number += len(lines)


def _slices(text: str) -> Iterator[str]:
    start, size = 0, len(text)
    while size - start > _SLICE:
        cut = text.find("\n", start + _SLICE)
        if cut < 0:
            # Old line breaks only, or one endless line.
            break
        yield text[start : cut - 1] if text[cut - 1] == "\r" else text[start:cut]
        start = cut + 1
    yield text[start:]


def _mend(block: str, first: int, notes: list[tuple[int, str]]) -> str:
    """Undo a wrong decoding line by line where the way back is certain, and note it in any case."""
    if block.isascii():
        return block
    parts: list[str] = []
    done = counted = lines = 0
    for match in _SUSPICIOUS.finditer(block):
        if match.start() < done:
            continue
        start = block.rfind("\n", 0, match.start()) + 1
        end = block.find("\n", match.start())
        end = len(block) if end < 0 else end
        mended, note = mend_line(block[start:end])
        if note:
            lines += block.count("\n", counted, start)
            counted = start
            notes.append((first + lines + 1, note))
        parts += [block[done:start], mended]
        done = end
    return "".join([*parts, block[done:]]) if parts else block


def mend_line(line: str) -> tuple[str, str | None]:
    """Undo mojibake in one line: the mended line, and a sentence when there was any (else ``None``)."""
    if len(_CHINESE.findall(line)) >= 2 and (mended := _as_gbk(line)):
        lost = "; some characters are lost" if "\ufffd" in mended else ""
        return mended, f"UTF-8 that was read as GBK; read again as UTF-8{lost}"
    found = list(_WESTERN.finditer(line))
    if found:
        sure = len(found) > 2 and any(map(_is_certain, found))
        mended = _WESTERN.sub(_as_western if sure else _as_certain_western, line)
        if mended != line:
            return mended, "UTF-8 that was read as Windows-1252; read again as UTF-8"
    if _LOST.search(line):
        return line, "characters were lost in an earlier conversion (\ufffd)"
    return line, None


def _as_gbk(line: str) -> str | None:
    """The line read again, or ``None`` when it isn't UTF-8 read as GBK. Bytes lost on the way leave U+FFFD."""
    data = b"\xff".join(part.encode("gb18030", errors="replace") for part in line.split("\ufffd"))
    mended = _RUN_OF_LOST.sub("\ufffd", data.decode("utf-8", errors="replace"))
    return mended if len(mended) < len(line) and mended.count("\ufffd") * 5 <= len(mended) else None


def _as_certain_western(match: re.Match[str]) -> str:
    return _as_western(match) if _is_certain(match) else match[0]


def _is_certain(match: re.Match[str]) -> bool:
    # "É”" closes a quotation, it is no mojibake; only "Ã" and "Â" never stand before a quotation mark.
    return match[0][0] in "ÂÃ" or not any(char in "‘’“”–—…•" for char in match[0][1:])


def _as_western(match: re.Match[str]) -> str:
    data = bytearray()
    for char in match[0]:
        try:
            data += char.encode("cp1252")
        except UnicodeEncodeError:
            # Windows-1252 leaves five bytes unused, which decoders pass through.
            if ord(char) > 0xFF:
                return match[0]
            data.append(ord(char))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return match[0]
