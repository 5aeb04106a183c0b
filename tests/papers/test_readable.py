"""LaTeX and entities as a person reads them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.papers.readable import decode_once, readable, stray_macros


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (r"$\alpha$-Divergence", "α-Divergence"),
        (r"$O(n^2)$ Sorting", "O(n²) Sorting"),
        (r"\textit{In-Context} Learning", "In-Context Learning"),
        (r"L\'evy", "Lévy"),
        (r"M{\"u}ller", "Müller"),
        (r"M\"{u}ller", "Müller"),
        (r"\L{}ukasz", "Łukasz"),
        (r"{\L}ukasz", "Łukasz"),
        (r"Erd\H{o}s", "Erdős"),
        (r"na\"{\i}ve", "naïve"),
        (r"\c{C}a\u{g}lar", "Çağlar"),
        (r"\o{}ster \aa{} \ss", "øster å ß"),
        ("Peng's Q($λ$)", "Peng's Q(λ)"),
        (r"GSBAK$^K$: $top$-$K$", "GSBAKᴷ: top-K"),
        ("CO$_2$", "CO₂"),
        (r"$\ell_1$ and $L_{\infty}$", "ℓ₁ and L_∞"),
        (r"$x_{ij}^{(k)}$", "xᵢⱼ⁽ᵏ⁾"),
        (r"$\mathcal{O}(\sqrt{n \log n})$", "O(√(n log n))"),
        (r"$\mathbb{R}^d$", "ℝᵈ"),
        (r"$\frac{1}{2}$", "1/2"),
        (r"\(a \leq b\)", "a ≤ b"),
        ("{D}eep {L}earning", "Deep Learning"),
        ("``quoted''", "“quoted”"),
        (r"50\% of R\&D\_x", "50% of R&D_x"),
        (r"costs \$5 and \$6", "costs $5 and $6"),
        ("costs $5 and then $6", "costs $5 and then $6"),
        ("A~B of $x$", "A B of x"),
        (r"\method: Learning Fast", "Learning Fast"),
        (r"{\method}: Learning Fast", "Learning Fast"),
        (r"Learning with \method", "Learning with method"),
        (r"Title\thanks{Supported by {X} and Y} End", "Title End"),
        (r"\thanks{unclosed", ""),
        (r"Line\\break", "Line break"),
    ],
)
def test_tex(text: str, read: str) -> None:
    assert readable(text) == read


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Plain Title",
        "A*-Search: f_1 vs f_2",
        "+4~10%",
        "x^2",
        "$5",
        "C++ & C#",
        "将表示空间",
        "it's",
        "a | b",
        "A  B",
    ],
)
def test_text_without_tex_stays(text: str) -> None:
    assert readable(text) == text


@pytest.mark.parametrize(
    ("text", "macros"),
    [
        (r"\method: Fast", ("\\method",)),
        (r"\textit{x} $\alpha$ \'e", ()),
        (r"T\thanks{x}", ("\\thanks",)),
        (r"\foo \bar{x} \foo", ("\\foo",)),
        ("plain", ()),
    ],
)
def test_stray_macros(text: str, macros: tuple[str, ...]) -> None:
    assert stray_macros(text) == macros


@pytest.mark.parametrize(
    ("text", "decoded"),
    [
        ("Q&amp;A for L&eacute;vy &lt;mask&gt;", "Q&A for Lévy <mask>"),
        ("&amp;lt;", "&lt;"),
        ("&#39;&#x27;", "''"),
        ("AT&T &nosuch; &copy=1 &lt", "AT&T &nosuch; &copy=1 &lt"),
        ("a&#10;b&#13;c", "a b c"),
        ("&#0;&#xD800;", "\ufffd\ufffd"),
        ("&#9999999;", "\ufffd"),
    ],
)
def test_entities_once(text: str, decoded: str) -> None:
    assert decode_once(text) == decoded


@given(st.text(alphabet=st.sampled_from("\\${}^_~'`\"abαλ01 \n(),:%&thanksfrac中")))
def test_never_raises(text: str) -> None:
    readable(text)
    stray_macros(text)
    decode_once(text)


def test_hostile_text_is_linear() -> None:
    assert isinstance(readable("$" * 50_000 + "{" * 50_000 + "\\thanks{" * 2_000), str)
