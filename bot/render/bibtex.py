"""Text for BibTeX: what is special is escaped, capitals that matter are kept.

Promises: braces are balanced, and no foreign text becomes a command, a comment or a second field.
Leaves to `citations`: which fields there are.
"""

from __future__ import annotations

import re
import unicodedata

from bot.render.people import Person

_SPECIAL = {
    "\\": r"{\textbackslash}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"{\textasciitilde}",
    "^": r"{\textasciicircum}",
    "<": r"{\textless}",
    ">": r"{\textgreater}",
    "|": r"{\textbar}",
    "`": r"{\textasciigrave}",
}
_NO_COMMAND = {"OMICRON", "FINAL SIGMA"}
_WORD = re.compile(r"([^\W_][\w*+\-]*)")
# Words that styles would write small: a capital inside a word, or one standing alone.
_CAPITALS = re.compile(r".*[^\-][A-Z]|[A-Z](?![a-z])")


def escape(text: str) -> str:
    """Text for a field's value; Greek letters as maths, since many engines know no others."""
    return "".join(_SPECIAL.get(ch) or _greek(ch) or ch for ch in text)


def title(text: str) -> str:
    """A title, with braces round the words whose capitals must stay."""
    parts = _WORD.split(text)
    return "".join(
        f"{{{escape(part)}}}" if number % 2 and _CAPITALS.match(part) else escape(part)
        for number, part in enumerate(parts)
    )


def author(one: Person) -> str:
    """A person for an author field: ``von Kügelgen, Julius``; a whole name in braces, so that it isn't taken apart."""
    if one.whole:
        return f"{{{escape(one.whole)}}}"
    family = f"{one.particle} {one.family}".strip()
    # BibTeX takes "and" between blanks for the end of a name, and a comma for the end of a part.
    parts = [part for part in (family, one.suffix, one.given) if part]
    return ", ".join(_guarded(escape(part)) for part in parts)


def _guarded(part: str) -> str:
    return f"{{{part}}}" if re.search(r"\band\b", part, re.IGNORECASE) else part


def _greek(ch: str) -> str | None:
    if not "\u0391" <= ch <= "\u03c9":
        return None
    kind, _, name = unicodedata.name(ch, "").partition(" LETTER ")
    if not name or " " in name or name in _NO_COMMAND:
        return None
    name = {"LAMDA": "LAMBDA"}.get(name, name)
    return f"$\\{name.capitalize() if kind.endswith('CAPITAL') else name.lower()}$"
