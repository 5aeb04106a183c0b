r"""Titles, names and summaries as a person reads them: LaTeX and maths as plain Unicode.

Promises: never raises, never returns less than the text's words, keeps plain text as it is. What it returns is
for display only; a record keeps what its file prints. Leaves to `bot.render`: Discord's markup, which a ``_``
or ``*`` in the result could still be.
"""

from __future__ import annotations

import re

from bot.papers.clean import decode_once
from bot.papers.tex import FUNCTIONS, GREEK, LETTERS, SYMBOLS, read_accents, read_scripts

__all__ = ["decode_once", "readable", "stray_macros"]

# Commands that say how their argument looks; the argument stays.
_STYLE_WORDS = """
text textit textbf textsc textsf texttt textrm textup textsl textmd textnormal textsuperscript
textsubscript emph mathrm mathbf mathit mathsf mathtt mathcal mathscr mathfrak mathbb mathop mathbin
boldsymbol bm bf it rm sc sf tt em sl mbox hbox fbox ensuremath operatorname underline overline
widehat widetilde left right big Big bigg Bigg displaystyle textstyle scriptstyle small large Large
footnotesize normalsize limits nolimits mathring uppercase lowercase textcolor xspace url protect
smash phantom label
"""
_STYLE = frozenset(_STYLE_WORDS.split())
_ARGUMENTS = frozenset({"frac", "dfrac", "tfrac", "sqrt", "href", "color"})
# Commands that vanish together with their argument.
_DROPPED = re.compile(
    r"\\(?:thanks|footnote|footnotemark|footnotetext|vspace|hspace|cite[tp]?|label|ref)\*?\s*(?:\[[^\]]*\])?\{"
)
_MATHS = re.compile(r"\$\$?([^$]{1,400})\$\$?|\\\((.{1,400}?)\\\)|\\\[(.{1,400}?)\\\]")
_HREF = re.compile(r"\\href\s*\{[^{}]*\}\s*\{([^{}]*)\}")
_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_ROOT = re.compile(r"\\sqrt\s*\{([^{}]*)\}")
_COLOUR = re.compile(r"\\(?:textcolor|color)\s*\{[^{}]*\}")
_COMMAND = re.compile(r"\\([A-Za-z]+)\*?(\s*(?=[A-Za-z])|)")
_ESCAPED = re.compile(r"\\([%&_#$~^{}])")
_SPACING = re.compile(r"\\[,;:!\s/]|(?<=[A-Za-z.}])~(?=[A-Za-z\\{])|\\\\")
_BRACES = re.compile(r"[{}]")
_QUOTES = re.compile(r"``|''")
# Placeholders for what was escaped on purpose, so that no later step takes it for markup.
_KEPT = {
    "%": "\ue000",
    "&": "\ue001",
    "_": "\ue002",
    "#": "\ue003",
    "$": "\ue004",
    "~": "\ue005",
    "^": "\ue006",
    "{": "\ue007",
    "}": "\ue008",
}
_BACK = {ord(placeholder): char for char, placeholder in _KEPT.items()}
_MARKS = re.compile(r"[\\${]|``")
_LEADING_MACRO = re.compile(r"\s*\{?\\(?P<name>[A-Za-z]+)(?:\{\})?\}?\s*[:：–—-]\s*(?=.*[^\W\d_])", re.DOTALL)


def readable(text: str) -> str:
    r"""LaTeX as Unicode: ``$\alpha$-Divergence`` is α-Divergence, ``L\'evy`` Lévy, ``\textit{In-Context}`` In-Context.

    Text without TeX comes back as it is. A macro that nobody but the authors knows (``\method``) is left out
    where it stands first and before a colon, else it is read as its name.
    """
    if not _MARKS.search(text):
        return text
    text = text.translate({ord(placeholder): None for placeholder in _KEPT.values()})
    text = _drop(read_accents(text))
    if (macro := _LEADING_MACRO.match(text)) and not _is_known(macro["name"]):
        text = text[macro.end() :]
    text = _ESCAPED.sub(lambda match: _KEPT[match[1]], text)
    text = _HREF.sub(r"\1", _COLOUR.sub("", text))
    text = _MATHS.sub(_read_maths, text)
    text = _read_commands(text)
    if "``" in text:
        text = _QUOTES.sub(lambda match: "“" if match[0] == "``" else "”", text)
    text = _BRACES.sub("", text)
    return " ".join(text.translate(_BACK).split())


def _drop(text: str) -> str:
    r"""Take out ``\thanks{…}`` and its like with balanced braces."""
    while match := _DROPPED.search(text):
        depth, end = 1, match.end()
        while end < len(text) and depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        text = f"{text[: match.start()]} {text[end:]}"
    return text


def _read_maths(match: re.Match[str]) -> str:
    inner = next(group for group in match.groups() if group is not None)
    # "costs $5 and $6": no maths between two prices.
    if match[0][0] == "$" and re.match(r"\d[\d.,]*\s+[a-z]{2,}", inner):
        return match[0].replace("$", _KEPT["$"])
    inner = _FRACTION.sub(r"\1/\2", inner)
    inner = _ROOT.sub(lambda root: f"√{root[1]}" if len(root[1]) < 2 else f"√({root[1]})", inner)
    return read_scripts(_read_commands(read_scripts(inner)))


def _read_commands(text: str) -> str:
    if "\\" in text:
        text = text.replace("\\\\", " ")
        text = _COMMAND.sub(_command, text)
    return _SPACING.sub(" ", text)


def _command(match: re.Match[str]) -> str:
    name, blank = match[1], match[2]
    if name in SYMBOLS:
        return SYMBOLS[name] + ("" if name in GREEK else blank)
    if name in LETTERS:
        return LETTERS[name]
    if name in _STYLE:
        return ""
    return name + (" " if blank else "")


def _is_known(name: str) -> bool:
    return name in SYMBOLS or name in LETTERS or name in FUNCTIONS or name in _STYLE or name in _ARGUMENTS


def stray_macros(text: str) -> tuple[str, ...]:
    r"""The commands in a text that this module doesn't know, such as ``\method``, and dropped ``\thanks``."""
    if "\\" not in text:
        return ()
    names = [match[1] for match in _COMMAND.finditer(read_accents(text))]
    return tuple(dict.fromkeys(f"\\{name}" for name in names if not _is_known(name)))
