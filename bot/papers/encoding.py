"""Bytes of a listing to text.

Promises: UTF-8 (with or without BOM), UTF-16 and UTF-32, GB18030 (and so GBK), Big5, and single stray lines in
another encoding; what isn't UTF-8 is said with a line number, never guessed in silence. Leaves to `clean`:
text that was decoded wrongly before it was saved.
"""

from __future__ import annotations

import codecs
import re

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_BINARY_HEADS = (
    b"%PDF", b"PK\x03\x04", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"\x1f\x8b", b"\x7fELF", b"SQLite format 3", b"BZh",
    b"7z\xbc\xaf", b"Rar!", b"\xfd7zXZ", b"\xd0\xcf\x11\xe0", b"\x28\xb5\x2f\xfd",
)  # fmt: skip
# What a listing must hold somewhere, so a decoding that shows it is the right one.
_TELLTALE = re.compile(r"AI\s?(?:总结|摘要|總結)|机构|機構|摘要|详情|paper-card")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_SAMPLE = 1 << 18


class NotTextError(ValueError):
    """The bytes are no text; the message says what they look like."""


def decode(data: bytes) -> tuple[str, list[tuple[int, str]]]:
    """Decode a file's bytes.

    Returns:
        The text, and (line number, sentence) for every place where it wasn't plain UTF-8.

    Raises:
        NotTextError: the bytes are binary.
    """
    for bom, codec in _BOMS:
        if data.startswith(bom):
            return data.decode(codec, errors="replace"), []
    if data.startswith(_BINARY_HEADS):
        raise NotTextError("binary, not text")
    zeros = data.count(0, 0, _SAMPLE)
    if zeros * 20 > min(len(data), _SAMPLE):
        return _decode_wide(data), []
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError as error:
        if zeros:
            raise NotTextError("binary, not text") from None
        return _decode_legacy(data, data.count(b"\n", 0, error.start) + 1)


def _decode_wide(data: bytes) -> str:
    """UTF-16 without a mark: every other byte of Latin text is zero."""
    sample = data[: min(len(data), 4096) // 2 * 2]
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    codec = "utf-16-le" if odd > even else "utf-16-be"
    if min(even, odd) * 4 > max(even, odd):
        raise NotTextError("binary, not text")
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        raise NotTextError("binary, not text") from None


def _decode_legacy(data: bytes, first_line: int) -> tuple[str, list[tuple[int, str]]]:
    # UTF-8 with a few damaged lines beats any other encoding of the whole.
    broken = _broken_lines(data)
    lines = data.count(b"\n") + 1
    if len(broken) * 5 <= lines and _TELLTALE.search(data[:_SAMPLE].decode("utf-8", errors="replace")):
        return _decode_by_line(data)
    for codec, name in (("gb18030", "GB18030"), ("big5hkscs", "Big5")):
        try:
            text = data.decode(codec)
        except UnicodeDecodeError:
            continue
        if _TELLTALE.search(text) and _common_share(data if codec == "gb18030" else b"") >= 0.5:
            return text, [(first_line, f"not UTF-8; the file was read as {name}")]
    control = sum(byte < 9 or 13 < byte < 32 for byte in data[:_SAMPLE])
    if control * 100 > min(len(data), _SAMPLE):
        raise NotTextError("binary, not text")
    return _decode_by_line(data)


def _broken_lines(data: bytes) -> list[int]:
    broken = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.isascii():
            try:
                line.decode("utf-8")
            except UnicodeDecodeError:
                broken.append(number)
    return broken


def _decode_by_line(data: bytes) -> tuple[str, list[tuple[int, str]]]:
    """Each line by itself: UTF-8, else GB18030 where it makes common Chinese, else Windows-1252."""
    lines, notes = [], []
    for number, line in enumerate(data.split(b"\n"), start=1):
        try:
            lines.append(line.decode("utf-8"))
            continue
        except UnicodeDecodeError:
            text, codec = _decode_line(line)
        lines.append(text)
        notes.append((number, f"not UTF-8; the line was read as {codec}"))
    return "\n".join(lines), notes


def _decode_line(line: bytes) -> tuple[str, str]:
    # A line that is UTF-8 but for a cut or damaged character.
    lenient = line.decode("utf-8", errors="replace")
    if lenient.count("\ufffd") <= 2 and len(_HAN.findall(lenient)) > 2:
        return lenient, "UTF-8 with damaged characters"
    if _common_share(line) >= 0.6:
        return line.decode("gb18030", errors="replace"), "GB18030"
    return line.decode("cp1252", errors="replace"), "Windows-1252"


def _common_share(data: bytes) -> float:
    """The share of double-byte pairs that are common Chinese in GB 2312 (its first level and its punctuation).

    1.0 for data that another encoding has already explained.
    """
    if not data:
        return 1.0
    common = other = index = 0
    size = min(len(data), _SAMPLE)
    while index < size - 1:
        lead, trail = data[index], data[index + 1]
        if lead < 0x80:
            index += 1
            continue
        if trail >= 0xA1 and (0xA1 <= lead <= 0xA3 or 0xB0 <= lead <= 0xD7):
            common += 1
        else:
            other += 1
        index += 2
    return common / (common + other) if common + other else 0.0
