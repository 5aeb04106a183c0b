"""The one normal form of text, for index and query alike.

Promises: pure and total (no text raises); the same words written in different ways come out the same.
Leaves to others: display (`bot.papers.readable`), HTML entities, and what counts as a match (`bot.search`).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from importlib.resources import files

_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta",
    "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "ο": "omicron",
    "π": "pi", "ρ": "rho", "σ": "sigma", "τ": "tau", "υ": "upsilon", "φ": "phi", "χ": "chi", "ψ": "psi",
    "ω": "omega",
}  # fmt: skip
_GREEK_COMMANDS = {name: letter for letter, name in _GREEK.items()}
_GREEK_COMMANDS |= {"varepsilon": "ε", "varphi": "φ", "vartheta": "θ"}

# Letters that no Unicode decomposition reduces to plain Latin.
_PLAIN = {
    "ł": "l", "ø": "o", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ŋ": "n", "ħ": "h",
    "ŧ": "t", "ə": "e", "ĸ": "k",
}  # fmt: skip
_SPELT = {"&": " and ", "∞": " infinity ", "∇": " nabla ", "√": " sqrt ", "×": "x", "®": "", "©": ""}
_TWO_LETTER = {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"}
_TWO_LETTER |= {char.upper(): letters.title() for char, letters in _TWO_LETTER.items()}

# Commands that only set type: they vanish and what they wrap stays.
_SILENT = re.compile(
    r"(?:math|text)(?:cal|bf|bb|rm|it|sf|tt|fr|frak|scr|sc|up|normal|subscript|superscript)?|boldsymbol|bm|bf|"
    r"it|rm|sc|sf|tt|em|emph|operatorname|(?:wide)?(?:hat|tilde)|bar|vec|d?dot|overline|underline|left|right|"
    r"[bB]ig|mbox|ensuremath|displaystyle",
    re.IGNORECASE,  # a title in capitals has its commands in capitals too
)
_COMMANDS = {
    "infty": "∞", "ell": "l", "nabla": "∇", "times": "×", "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ",
    "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "aa": "å", "AA": "Å", "i": "ı", "j": "j", "dh": "ð",
    "dj": "đ", "ldots": " ", "dots": " ", "cdot": " ", "quad": " ", "to": " ", "rightarrow": " ",
    "textendash": "-",
}  # fmt: skip
_ACCENTS = {
    '"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a", "d": "\u0323",
}  # fmt: skip

_ACCENTED = re.compile(r"""\\(?:(["'`^~=.])\s*\{?\\?([A-Za-z])\}?|([uvHckrd])\{\\?([A-Za-z])\})""")
_COMMAND = re.compile(r"\\([A-Za-z]+)\*?")
_ESCAPED = re.compile(r"\\([^A-Za-z])")
_MATHS = re.compile(r"\$([^$]{1,300})\$")
_SUBSCRIPT = re.compile(r"_(?=[\d{])")

_APOSTROPHE = re.compile(r"(?<=[^\W_])['’‘ʼ`´′＇](?=[^\W_])")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_GREEK_RUN = re.compile(r"[α-ω]+")
_CJK = (
    "々〇\u3040-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
    "\u1100-\u11ff\uac00-\ud7af"
)
_CJK_RUN = re.compile(f"[{_CJK}]+")
# A word, decimals whole (4.5), with the signs that tell names apart: C++, C#, A*.
_TOKEN = re.compile(
    r"(?<![^\W_])[a-z]\*(?![^\W_*])"
    r"|[^\W_]+(?:(?<=\d)\.(?=\d)[^\W_]+)*(?:(?:\+{1,3}|#)(?![^\W_+#]))?"
)


def normalise(text: str) -> str:
    """The tokens of the normal form, separated by single spaces; ``""`` for text without content.

    NFKC, case-folded, Latin accents and ł ø ß æ folded, Traditional characters made Simplified one by one,
    Greek letters spelt, LaTeX read, apostrophes joined, everything else split. A run of Chinese, Japanese or
    Korean characters is one token; `pieces` cuts it for an index.
    """
    return " ".join(tokens(text))


def tokens(text: str) -> list[str]:
    """The words of the normal form in their order."""
    if "\\" in text or "$" in text or "_" in text or "^" in text or "{" in text:
        text = read_latex(text)
    text = _APOSTROPHE.sub("", text)
    # Nearly all titles are plain: the short way is five times as fast and gives the same.
    plain = text.isascii() and text.isprintable()
    text = text.lower().replace("&", " and ") if plain else _spell_out(_fold(text))
    return _TOKEN.findall(_THOUSANDS.sub("", text))


def fold_latin(text: str) -> str:
    """NFKC, case-folded and without Latin accents; words, spaces and punctuation stay where they are."""
    return text.lower() if text.isascii() else _fold(text)


def two_letter_forms(text: str) -> str:
    """`text` with ä ö ü ø å written as ae oe ue oe aa, the way people type them without an accent key."""
    if text.isascii():
        return text
    return "".join(_TWO_LETTER.get(char, char) for char in unicodedata.normalize("NFC", text))


def is_cjk(token: str) -> bool:
    """Whether a token of the normal form is a run of Chinese, Japanese or Korean characters."""
    return not token.isascii() and _CJK_RUN.match(token) is not None


def pieces(token: str) -> list[str]:
    """What an index keeps of a token: a CJK run as characters and pairs, any other word whole."""
    if not is_cjk(token):
        return [token]
    return [*token, *(token[i : i + 2] for i in range(len(token) - 1))]


def read_latex(text: str) -> str:
    r"""LaTeX as a person would read it: ``$\alpha$-VAE`` is α-VAE, ``CO$_2$`` is CO2, ``\"o`` is ö.

    An unknown command is read as its name. Braces, dollars and carets vanish; an underscore joins in maths
    and before a digit, and splits elsewhere.
    """
    text = _ACCENTED.sub(_accented, text)
    text = _COMMAND.sub(_command, text)
    text = _ESCAPED.sub(r" \1", text)
    text = _MATHS.sub(lambda m: m[1].replace("_", ""), text)
    text = _SUBSCRIPT.sub("", text)
    return text.translate(_MARKUP)


_MARKUP = str.maketrans({"$": "", "{": "", "}": "", "^": "", "_": " ", "\\": " ", "~": " "})


def _accented(match: re.Match[str]) -> str:
    accent, letter = match[1] or match[3], match[2] or match[4]
    return unicodedata.normalize("NFC", letter + _ACCENTS[accent])


def _command(match: re.Match[str]) -> str:
    name = match[1]
    if _SILENT.fullmatch(name):
        return ""
    return _COMMANDS.get(name) or _GREEK_COMMANDS.get(name.lower()) or name


def _fold(text: str) -> str:
    # Trade marks go first: NFKC would glue "TM" to the word.
    text = text.replace("™", "").replace("℠", "")
    return unicodedata.normalize("NFKC", text).casefold().translate(_folding())


def _spell_out(text: str) -> str:
    text = _GREEK_RUN.sub(_greek, text)
    return _CJK_RUN.sub(r" \g<0> ", text)


def _greek(match: re.Match[str]) -> str:
    # Four letters or more are a word of the language, not symbols in a row.
    return match[0] if len(match[0]) > 3 else " ".join(_GREEK[char] for char in match[0])


class _Folding(dict[int, str]):
    """What a character becomes, worked out once a character and kept."""

    def __missing__(self, code: int) -> str:
        folded = self[code] = _fold_character(chr(code))
        return folded


@lru_cache(maxsize=1)
def _folding() -> _Folding:
    return _Folding({ord(char): simple for char, simple in _simplified().items()})


def _simplified() -> dict[str, str]:
    lines = (files("bot") / "tables" / "simplified.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    return {char: simple for simple, variants in rows for char in variants}


def _fold_character(char: str) -> str:
    if char in _PLAIN:
        return _PLAIN[char]
    if char in _SPELT:
        return _SPELT[char]
    category = unicodedata.category(char)
    if category in ("Cc", "Cf"):
        return " " if char.isspace() else ""
    # Marks left after NFKC have no composed letter; to split the word there would be worse.
    if category[0] == "M":
        return ""
    base = unicodedata.normalize("NFD", char)[0]
    latin_or_greek = base.isascii() or "Ͱ" <= base <= "Ͽ"
    return _PLAIN.get(base, base) if latin_or_greek else char
