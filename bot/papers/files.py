"""Listings, replies of the other sources, and sidecars, as files or downloads.

Promises: text, HTML, Atom or JSON by content, a size limit, and for anything unreadable one `ListingError` that names
what and where. Leaves to `encoding`: bytes to text; to `listing`, `cards`, `atom` and `iclr_json`: the records.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from bot.papers.atom import FeedError, looks_like_atom, parse_atom
from bot.papers.cards import looks_like_html, parse_html
from bot.papers.clean import clean_line
from bot.papers.encoding import NotTextError, decode
from bot.papers.iclr_json import YearlyError, looks_like_iclr, parse_iclr
from bot.papers.listing import Parsed, parse_listing
from bot.papers.model import Origin

# About 60,000 papers. The text, its bytes and the records are in memory at the same time.
SIZE_LIMIT = 64 * 1024 * 1024
SIDECAR_LIMIT = 32 * 1024 * 1024


class ListingError(Exception):
    """A listing or sidecar can't be read; the message is one sentence for the operator."""


@dataclass(frozen=True, slots=True)
class SidecarEntry:
    """The summaries that a sidecar gives for the paper with this title."""

    title_en: str
    summary_en: str | None
    summary_zh: str | None
    origin: Origin


def read_listing(path: Path) -> Parsed:
    """Read a listing file.

    Raises:
        ListingError: missing, a folder, unreadable, empty, binary, larger than `SIZE_LIMIT`, or without a paper.
    """
    return parse_bytes(_read(path, SIZE_LIMIT), name=str(path))


def parse_bytes(data: bytes, *, name: str) -> Parsed:
    """Read a listing from memory: an attachment, or the body of a download; Atom and yearly JSON by content.

    Args:
        data: the bytes as they came.
        name: what to call it in rejections, warnings and errors.

    Raises:
        ListingError: as for `read_listing`.
    """
    if len(data) > SIZE_LIMIT:
        raise ListingError(f"{name}: {_size(len(data))}; a listing may have {_size(SIZE_LIMIT)} at most")
    try:
        if looks_like_atom(data):
            return parse_atom(data, name=name)
        if looks_like_iclr(data):
            return parse_iclr(data, name=name)
        text, notes = decode(data)
    except (NotTextError, FeedError, YearlyError) as error:
        raise ListingError(f"{name}: {error}") from None
    if not text.strip("\ufeff\u200b \t\r\n\0"):
        raise ListingError(f"{name}: the file is empty")
    parsed = parse_html(text, name=name) if looks_like_html(text) else parse_listing(text, name=name)
    if not parsed.records and not parsed.rejected and text.lstrip("\ufeff\u200b \t\r\n").startswith("[{"):
        raise ListingError(
            f"{name}: no paper found (a JSON list; summaries by title are given with --english)"
        )
    if not parsed.records and not parsed.rejected:
        raise ListingError(f"{name}: no paper found (no line with a summary label such as “AI总结”)")
    if notes:
        told = [f"{name}: line {number}: {note}" for number, note in notes[:100]]
        if len(notes) > 100:
            told.append(f"{name}: {len(notes) - 100} further lines are not UTF-8")
        parsed = Parsed(parsed.records, parsed.rejected, (*told, *parsed.warnings))
    return parsed


def _read(path: Path, limit: int) -> bytes:
    try:
        if path.is_dir():
            raise ListingError(f"{path}: a folder, not a file")
        if path.exists() and not path.is_file():
            raise ListingError(f"{path}: not a regular file")
        size = path.stat().st_size
        if size > limit:
            raise ListingError(
                f"{path}: {_size(size)}; {_size(limit)} at most can be read at once, so split it"
            )
        with path.open("rb") as file:
            # The file may have grown since: one byte more than allowed is enough to know.
            data = file.read(limit + 1)
    except FileNotFoundError:
        raise ListingError(f"{path}: no such file") from None
    except PermissionError:
        raise ListingError(f"{path}: no permission to read it") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ListingError(f"{path}: can't be read ({reason})") from None
    if not data:
        raise ListingError(f"{path}: the file is empty")
    return data


def _size(count: int) -> str:
    return f"{count / 1024 / 1024:.0f} MiB" if count >= 1024 * 1024 else f"{count / 1024:.0f} KiB"


# --- sidecars -----------------------------------------------------------------------------------------------


def read_sidecar(path: Path) -> tuple[SidecarEntry, ...]:
    """Read a sidecar: a JSON list of ``{"title_en", "summary_en"?, "summary_zh"?, "origin"}``.

    Raises:
        ListingError: unreadable, no JSON, or an entry without a title, summary or known origin (it is named).
    """
    return parse_sidecar(_read(path, SIDECAR_LIMIT), name=str(path))


def parse_sidecar(data: bytes, *, name: str) -> tuple[SidecarEntry, ...]:
    """The same from memory.

    Raises:
        ListingError: as for `read_sidecar`.
    """
    try:
        text, _ = decode(data)
        loaded: object = json.loads(text)
    except NotTextError as error:
        raise ListingError(f"{name}: {error}") from None
    except RecursionError:
        raise ListingError(f"{name}: no valid JSON (nested too deeply)") from None
    except ValueError as error:
        raise ListingError(f"{name}: no valid JSON ({error})") from None
    if not isinstance(loaded, list):
        raise ListingError(f"{name}: a sidecar is a JSON list of summaries")
    return tuple(_entry(item, f"{name}: entry {number}") for number, item in enumerate(loaded, start=1))


def _entry(item: object, where: str) -> SidecarEntry:
    if not isinstance(item, dict):
        raise ListingError(f"{where}: not an object")
    title = _text(item, "title_en", where)
    summary_en, summary_zh = _text(item, "summary_en", where), _text(item, "summary_zh", where)
    if not title:
        raise ListingError(f"{where}: no title_en")
    if not (summary_en or summary_zh):
        raise ListingError(f"{where}: neither summary_en nor summary_zh for “{title[:80]}”")
    origin = item.get("origin")
    if not isinstance(origin, str) or origin not in _ORIGINS:
        raise ListingError(f"{where}: origin {str(origin)[:40]!r} is none of {', '.join(sorted(_ORIGINS))}")
    return SidecarEntry(title, summary_en, summary_zh, _ORIGINS[origin])


_ORIGINS = {origin.value: origin for origin in Origin if origin is not Origin.PENDING}


def _text(item: dict[str, object], key: str, where: str) -> str | None:
    value = item.get(key)
    if value is None:
        return None
    if not isinstance(value, str):
        raise ListingError(f"{where}: {key} is not a text")
    return clean_line(re.sub(r"[\ud800-\udfff]", "", value)) or None
