"""TeX as Unicode: the tables, and the reading of accents and maths.

Promises: total and linear; what has no Unicode form is left as letters. Leaves to `readable`: stray macros.
"""

from __future__ import annotations

import re
import unicodedata

_GREEK_WORDS = """
alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi omicron
pi varpi rho varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi
Pi Sigma Upsilon Phi Psi Omega
"""
GREEK = dict(
    zip(
        _GREEK_WORDS.split(),
        "αβγδϵεζηθϑικλμνξοπϖρϱσςτυϕφχψωΓΔΘΛΞΠΣΥΦΨΩ",
        strict=True,
    )
)
_SYMBOLS_WORDS = """
infty ell nabla partial times cdot pm mp div leq le geq ge neq ne approx sim simeq equiv propto in
notin ni subset subseteq supset supseteq cup cap emptyset varnothing forall exists neg land lor to
rightarrow leftarrow leftrightarrow Rightarrow Leftarrow Leftrightarrow mapsto sum prod int sqrt
star ast circ bullet dagger ddagger langle rangle lceil rceil lfloor rfloor oplus otimes odot perp
parallel mid hbar Re Im aleph wedge vee setminus triangle angle prime ldots dots cdots vdots ll gg
succ prec models vdash top bot square checkmark heartsuit uparrow downarrow
"""
SYMBOLS = GREEK | dict(
    zip(
        _SYMBOLS_WORDS.split(),
        "∞ℓ∇∂×·±∓÷≤≤≥≥≠≠≈∼≃≡∝∈∉∋⊂⊆⊃⊇∪∩∅∅∀∃¬∧∨→→←↔⇒⇐⇔↦∑∏∫√⋆∗∘•†‡⟨⟩⌈⌉⌊⌋⊕⊗⊙⊥∥∣ℏℜℑℵ∧∨∖△∠′…………≪≫≻≺⊨⊢⊤⊥□✓♡↑↓",
        strict=True,
    )
)
LETTERS = {
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "aa": "å",
    "AA": "Å", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "dj": "đ", "DJ": "Đ", "th": "þ", "TH": "Þ", "ng": "ŋ",
    "NG": "Ŋ", "S": "§", "P": "¶", "copyright": "©", "pounds": "£", "textquoteright": "’", "textquoteleft": "‘",
    "textquotedblleft": "“", "textquotedblright": "”", "textendash": "–", "textemdash": "—", "textregistered": "®",
    "texttrademark": "™", "textdegree": "°", "textasciitilde": "~", "textbackslash": "\\", "textunderscore": "_",
    "LaTeX": "LaTeX", "TeX": "TeX", "quad": " ", "qquad": " ", "newline": " ", "linebreak": " ", "space": " ",
}  # fmt: skip
_FUNCTIONS_WORDS = """
log ln exp sin cos tan max min sup inf lim arg argmax argmin det dim ker Pr gcd deg mod bmod tanh
sinh cosh
"""
FUNCTIONS = frozenset(_FUNCTIONS_WORDS.split())
_COMBINING = {
    '"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a", "d": "\u0323",
    "b": "\u0331", "t": "\u0361", "hat": "\u0302", "tilde": "\u0303", "bar": "\u0304", "dot": "\u0307",
    "ddot": "\u0308", "vec": "\u20d7", "check": "\u030c", "breve": "\u0306", "acute": "\u0301", "grave": "\u0300",
}  # fmt: skip
_ACCENT = re.compile(
    r"\\(?:(?P<sign>[\"'`^~=.])\s*|(?P<word>[uvHckrdbt])(?=[\s{\\])\s*|(?P<maths>hat|tilde|bar|dot|ddot|vec|check|breve|acute|grave)(?![A-Za-z])\s*)"
    r"(?:\{\s*\\?(?P<braced>[^\W\d_])\s*\}|\\(?P<dotless>[ij])(?![A-Za-z])\s?|(?P<bare>[^\W\d_]))"
)
_SUPERSCRIPT = dict(
    zip("0123456789+-=()niabcdefghjklmoprstuvwxyzT", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵃᵇᶜᵈᵉᶠᵍʰʲᵏˡᵐᵒᵖʳˢᵗᵘᵛʷˣʸᶻᵀ", strict=True)
) | {"*": "*", "∗": "*", "′": "′", "K": "ᴷ", "N": "ᴺ", "D": "ᴰ", "A": "ᴬ"}
_SUBSCRIPT = dict(zip("0123456789+-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
_SCRIPT = re.compile(r"(?P<sign>[\^_])\s*(?:\{(?P<braced>[^{}]*)\}|(?P<bare>[^\s{}\\^_$]))")
_BLACKBOARD = re.compile(r"\\mathbb\s*\{?\s*([A-Z])\s*\}?")
_DOUBLE = {
    "R": "ℝ",
    "N": "ℕ",
    "Z": "ℤ",
    "Q": "ℚ",
    "C": "ℂ",
    "P": "ℙ",
    "H": "ℍ",
    "E": "𝔼",
    "D": "𝔻",
    "S": "𝕊",
    "F": "𝔽",
}


def read_accents(text: str) -> str:
    r"""``L\'evy``, ``M{\"u}ller``, ``Erd\H{o}s``, ``na\"{\i}ve`` with their letters."""
    return _ACCENT.sub(_accented, text)


def _accented(match: re.Match[str]) -> str:
    accent = match["sign"] or match["word"] or match["maths"]
    letter = match["braced"] or match["dotless"] or match["bare"]
    return unicodedata.normalize("NFC", letter + _COMBINING[accent])


def read_scripts(maths: str) -> str:
    """Superscripts and subscripts of maths where Unicode has them: ``n^2`` → n², ``x_{ij}`` → xᵢⱼ.

    Others keep their sign (``x^α``), so that no meaning is lost.
    """
    return _SCRIPT.sub(_scripted, _BLACKBOARD.sub(lambda match: _DOUBLE.get(match[1], match[1]), maths))


def _scripted(match: re.Match[str]) -> str:
    inner = match["bare"] if match["braced"] is None else match["braced"].strip()
    table = _SUPERSCRIPT if match["sign"] == "^" else _SUBSCRIPT
    if inner and all(char in table for char in inner):
        return "".join(table[char] for char in inner)
    if len(inner) <= 1:
        return f"{match['sign']}{inner}"
    return (
        f"{match['sign']}({inner})"
        if match["sign"] == "^" and len(inner.split()) > 1
        else f"{match['sign']}{inner}"
    )
