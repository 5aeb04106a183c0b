"""Foreign text made harmless: it can't format, mention, link, hide or break anything.

Promises: what comes out is shown as a reader would read the source, in every Discord surface.
Leaves to others: lengths (`limits`) and `allowed_mentions`, which stays the guard against pings (`message`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import quote, urlsplit

from bot.render.graphemes import ZWJ, clusters, extends

URL_LIMIT = 512  # Discord: url of a link button

_ZWNJ = "\u200c"
_ZWSP = "\u200b"
_BLACK_FLAG = "\U0001f3f4"
_MARKS_KEPT = 4  # more marks on one letter are decoration that smears over the neighbouring lines
_BLANK = frozenset("\u2800\u3164\u115f\u1160\uffa0\u034f\u17b4\u17b5\u180e\ufffc")
_SEEN_FORMAT = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u08e2")  # "format", yet drawn

# What opens a construct of Discord's markdown wherever it stands. `:` only as `https://` or `:name:`, the dot
# only in an invite that Discord would unfold without any scheme.
_ACTIVE = re.compile(
    r"[\\*_~|`\[\]<>]"
    r"|(?<=[A-Za-z0-9]):(?=//)"
    r"|:(?=[A-Za-z0-9_+\-]+:)"
    r"|(?<=discord)\.(?=gg/|com/|me/|io/)|(?<=discordapp)\.(?=com/)",
    re.IGNORECASE,
)
# Outside printable ASCII, letters of Latin, Greek and Cyrillic, punctuation and Chinese or Japanese characters
# anything may need a closer look; inside there is nothing to take away. Most titles never leave it.
_UNUSUAL = re.compile(
    r"[^\s\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u1eff\u2010-\u2027\u2030-\u205e"
    r"\u3001-\u3029\u3041-\u3096\u30a0-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff01-\uff9f]"
)
_EVERYONE = re.compile(r"([@＠])(?=everyone|here)", re.IGNORECASE)
# What opens a heading, small print or a list, only at the start of a line.
_BLOCK = re.compile(r"(?:#+|-#?|\+|\d{1,10}[.)])(?=\s|$)")
_LOOK_ALIKE = str.maketrans(
    {"[": "［", "]": "］", "*": "∗", "_": "ˍ", "~": "∼", "|": "ǀ", "`": "ˋ", "<": "‹", ">": "›", "\\": "∖"}
)
_KEPT_IN_URL = "%!$&'*+,;=:@/?~-._"
_NEVER_IN_URL = re.compile(r"[\\\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_BARE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_HOST = re.compile(r"(?!-)[A-Za-z0-9_\-]{1,63}(?:\.[A-Za-z0-9_\-]{1,63})*\.?")


def clean(text: str) -> str:
    """One line of visible text: no controls, no direction overrides, no invisible characters.

    A joiner stays inside emoji and inside the scripts that spell with it; half a surrogate pair becomes the
    replacement character; runs of blanks become one space; text without anything visible becomes "".
    """
    if not _UNUSUAL.search(text):
        return " ".join(text.split())
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    folded = " ".join("".join(_visible(whole)).split())
    return "".join(_with_fewer_marks(folded))


def literal(text: str) -> str:
    """Foreign text for content and embeds: shown as it is, active in nothing, on one line.

    Works by backslashes, which Discord hides everywhere but in the text of a masked link; there, use `link`.
    """
    return escape(clean(text))


def escape(shown: str, *, line_start: bool = True) -> str:
    """The second half of `literal`, for text that `clean` has made already, or for a later piece of one."""
    escaped = _EVERYONE.sub(rf"\\\1{_ZWSP}", _ACTIVE.sub(r"\\\g<0>", shown))
    block = _BLOCK.match(shown)
    if block is None or not line_start:
        return escaped
    # None of the characters of a block's mark was escaped above, so the lengths agree.
    mark = re.sub(r"[#\-+.)]", r"\\\g<0>", block.group())
    return mark + escaped[block.end() :]


def bare(text: str, fallback: str = "—") -> str:
    """Foreign text where Discord reads no markdown: labels, options, footers, an embed's author line."""
    return _EVERYONE.sub(rf"\1{_ZWSP}", clean(text)) or fallback


def code(text: str) -> str:
    """Foreign text for the inside of a code block: its lines stay, and no backticks can end the block."""
    lines = ("".join(_visible(line)).rstrip() for line in text.expandtabs(4).splitlines())
    return "\n".join(lines).replace("``", f"`{_ZWSP}`").replace("``", f"`{_ZWSP}`")


def safe_url(url: str | None) -> str | None:
    """An http(s) address that is safe inside any markdown, or None when it can't be made one.

    Brackets, blanks and everything outside ASCII are percent-encoded (the host by IDNA), so that
    `Attention_(machine_learning)` arrives whole. None for another scheme, for an address with a user name,
    and for more than 512 characters (Discord: a link button's url).
    """
    address = (url or "").strip()
    if not address or _NEVER_IN_URL.search(address):
        return None
    try:
        parts = urlsplit(address)
        host, port = _ascii_host(parts.hostname or ""), parts.port
    except ValueError:  # a port or a host that is none
        return None
    if parts.scheme.lower() not in {"http", "https"} or "@" in parts.netloc or not _HOST.fullmatch(host):
        return None
    tail = "".join(mark + _encode(part) for mark, part in (("?", parts.query), ("#", parts.fragment)) if part)
    netloc = host if port is None else f"{host}:{port}"
    whole = f"{parts.scheme.lower()}://{netloc}{_encode(parts.path)}{tail}"
    return whole if len(whole) <= URL_LIMIT else None


def link(label: str, url: str | None) -> str:
    """A masked link with any label; the label alone, as `literal`, when the address isn't safe.

    Inside a link's text Discord shows backslashes and trips over emoji, so the label gets look-alike characters
    instead of escapes and loses its emoji. The address stands in angle brackets: no preview is unfolded.
    """
    address = safe_url(url)
    words = clean("".join(c for c in clusters(clean(label)) if not is_emoji(c)))
    if address is None or not words:
        return literal(label)
    shown = _EVERYONE.sub(rf"\1{_ZWSP}", words.translate(_LOOK_ALIKE)).replace("://", "∶//")
    return f"[{re.sub(':(?=[A-Za-z0-9_+-]+:)', '∶', shown)}](<{address}>)"


def is_emoji(cluster: str) -> bool:
    """Whether a user-perceived character is drawn as an emoji."""
    code_point = ord(cluster[0])
    return (
        (code_point >= 0x1F000 and code_point < 0x20000)
        or 0x2600 <= code_point < 0x27C0
        or "\ufe0f" in cluster
    )


def _visible(text: str) -> Iterator[str]:
    flag = False  # inside the tag sequence of a flag such as Scotland's
    for position, ch in enumerate(text):
        flag = ch == _BLACK_FLAG or (flag and "\U000e0020" <= ch <= "\U000e007f")
        category = unicodedata.category(ch)
        if ch in _BLANK or category in {"Zs", "Zl", "Zp"} or ch in "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85":
            yield " "
        elif category == "Cf":
            if flag or ch in _SEEN_FORMAT or (ch in {ZWJ, _ZWNJ} and _joiner_belongs(text, position)):
                yield ch
        elif category != "Cc" and ord(ch) & 0xFFFE != 0xFFFE:
            yield ch


def _joiner_belongs(text: str, position: int) -> bool:
    """A joiner between two emoji, or (joining or not) between letters of a script that spells with it."""
    before, after = text[position - 1 : position], text[position + 1 : position + 2]
    if not before or not after:
        return False
    if "\u0600" <= before <= "\u0dff" and "\u0600" <= after <= "\u0dff":
        return True
    emoji = (
        unicodedata.category(before) == "So" or before == "\ufe0f" or "\U0001f3fb" <= before <= "\U0001f3ff"
    )
    return text[position] == ZWJ and emoji and unicodedata.category(after) == "So"


def _with_fewer_marks(text: str) -> Iterator[str]:
    marks = 0
    standing = False  # whether a visible character has come for a mark to stand on
    for ch in text:
        marks = marks + 1 if extends(ch) and ch != ZWJ else 0
        standing = standing or marks == 0
        if standing and marks <= (_MARKS_KEPT if ch <= "\uffff" else 12):
            yield ch


def _ascii_host(host: str) -> str:
    return host if host.isascii() else host.encode("idna").decode("ascii")


def _encode(part: str) -> str:
    return quote(_BARE_PERCENT.sub("%25", part), safe=_KEPT_IN_URL)
