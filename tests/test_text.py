"""The one normal form."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot import pinyin
from bot.text import fold_latin, is_cjk, normalise, pieces, read_latex, tokens, two_letter_forms


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("ATTENTION is All", "attention is all"),
        ("Few-Shot / phase-2", "few shot phase 2"),
        ("don't O’Brien l'état", "dont obrien letat"),
        ("Parkinson's ‘quoted’ words", "parkinsons quoted words"),
        ("C++ and C# and A* and R²", "c++ and c# and a* and r2"),
        ("PointNet++: a+b", "pointnet++ a b"),
        ("GPT-4 GPT4 GPT-4.5", "gpt 4 gpt4 gpt 4.5"),
        ("1,000 papers, 2,34", "1000 papers 2 34"),
        ("AI&PDE", "ai and pde"),
        ("Müller MÜLLER Mu\u0308ller", "muller muller muller"),
        ("Łukasz Øster Straße Æsir đá", "lukasz oster strasse aesir da"),
        ("naïve nai\u0308ve", "naive naive"),
        ("Erdős Nguyễn Çelik", "erdos nguyen celik"),
        ("α-VAE Q(λ) αβ-CROWN μP", "alpha vae q lambda alpha beta crown mup"),
        ("Ελλάδα", "ελλαδα"),
        (r"$\alpha$-Divergence", "alpha divergence"),
        (r"Q($\lambda$) $\Omega$ $\varepsilon$", "q lambda omega epsilon"),
        (r"CO$_2$ AG$^2$aussian x^2 $\ell_1$", "co2 ag2aussian x2 l1"),
        (r"$\text{D}_{2}\text{O}$ \textbf{bold} $\mathcal{O}(1)$", "d2o bold o 1"),
        (r"M\"uller M\"{u}ller \v{S}imon \o re {\L}ukasz", "muller muller simon o re lukasz"),
        (r"$\infty$-norm ∞-norm", "infinity norm infinity norm"),
        (r"100\% \& more", "100 and more"),
        ("ｄｉｆｆｕｓｉｏｎ　ＧＰＴ－４", "diffusion gpt 4"),
        ("ﬁne №5 GPT™", "fine no5 gpt"),
        ("大語言模型ＬＬＭ推理：綜述（上）", "大语言模型 llm 推理 综述 上"),
        ("擴散模型 開通 歐陽", "扩散模型 开通 欧阳"),
        ("zero\u200bwidth soft\u00adhyphen", "zerowidth softhyphen"),
        ("don\x92t\ttabs\nlines", "dont tabs lines"),
        ("a_b foo:bar NEAR(", "a b foo bar near"),
        ("🏳️‍🌈 😀 … ？ +", ""),
        ("", ""),
        ("йод ёлка", "йод ёлка"),
        ("がぎ ガギ ｶﾞ", "がぎ ガギ ガ"),
        ("640×480", "640x480"),
    ],
)
def test_normal_form(text: str, normal: str) -> None:
    assert normalise(text) == normal


def test_things_that_differ_stay_different() -> None:
    assert len({normalise(t) for t in ("GPT-3", "GPT-4", "C", "C++", "C#", "R", "R²")}) == 7


def test_a_run_of_characters_has_its_characters_and_pairs() -> None:
    assert pieces("扩散模型") == ["扩", "散", "模", "型", "扩散", "散模", "模型"]
    assert pieces("扩") == ["扩"]
    assert pieces("diffusion") == ["diffusion"]


@pytest.mark.parametrize(
    ("token", "cjk"), [("扩散", True), ("がぎ", True), ("llm", False), ("ελλαδα", False), ("йод", False)]
)
def test_is_cjk(token: str, cjk: bool) -> None:
    assert is_cjk(token) is cjk


def test_two_letter_forms() -> None:
    assert two_letter_forms("Müller Ångström Øre plain") == "Mueller Aangstroem Oere plain"
    assert two_letter_forms("Mu\u0308ller") == "Mueller"


def test_fold_latin_keeps_spaces_and_punctuation() -> None:
    assert fold_latin("Erdős, Paul (Łódź)") == "erdos, paul (lodz)"


def test_read_latex_keeps_text_without_it() -> None:
    assert read_latex("plain text: no change") == "plain text: no change"


@given(st.text(max_size=60))
def test_no_text_raises_and_the_form_is_stable(text: str) -> None:
    normal = normalise(text)
    assert normal == " ".join(tokens(text))
    assert normal == normal.strip()
    assert normalise(normal) == normal


@given(st.text(alphabet=st.characters(codec="latin-1", categories=("L", "N", "P", "Z")), max_size=60))
@settings(deadline=None)
def test_composed_and_decomposed_are_one(text: str) -> None:
    # A backslash before a letter is a LaTeX command, an apostrophe joins letters but no mark.
    text = "".join(char for char in text if char not in "\\'`´")
    assert normalise(unicodedata.normalize("NFD", text)) == normalise(unicodedata.normalize("NFC", text))


@given(st.text(max_size=60))
def test_full_width_is_narrow(text: str) -> None:
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" and c not in "\\$^_{}'`\"~" else c for c in text)
    if wide != text and not set(text) & set("\\$^_{}'`"):
        assert normalise(wide) == normalise(text)


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("曾", "zeng"),
        ("单", "shan"),
        ("解", "xie"),
        ("仇", "qiu"),
        ("区", "ou"),
        ("朴", "piao"),
        ("乐", "yue"),
    ],
)
def test_readings_as_surnames_are_known(name: str, read: str) -> None:
    assert read in pinyin.readings(name)


def test_pinyin_of_words() -> None:
    assert pinyin.syllables("扩散模型") == ["kuo", "san", "mo", "xing"]
    assert pinyin.syllables("强化a") == ["qiang", "hua", "a"]
    assert pinyin.readings("x") == ()
    assert {"zhuang", "lv", "er"} <= pinyin.all_syllables()
