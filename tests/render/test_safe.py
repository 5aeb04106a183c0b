"""Foreign text in every surface: shown as it is, active in nothing."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.render.safe import bare, clean, code, link, literal, safe_url
from tests.render.markdown import read

ZWSP = "\u200b"
HOSTILE = [
    "A*-Search: f_1 vs f_2",
    "`code` and ``more``",
    "||x||",
    "# Title",
    "### Title",
    "> Title",
    ">>> Title",
    "1. Title",
    "12) Title",
    "- Title",
    "* Title",
    "+ Title",
    "-# Title",
    "-#",
    "~~gone~~ __under__ ***all***",
    "[Re] Reproducibility Study](https://evil.example)",
    "[label](https://evil.example)",
    "[a] (b) [c][d]",
    "<https://evil.example>",
    "https://evil.example/a_b_c",
    "steam://run/1 discord://x",
    "discord.gg/abc and discordapp.com/invite/abc",
    "@everyone",
    "@here",
    "@every@everyoneone",
    "＠everyone",
    "@\u200beveryone",
    "<@123> <@!123> <@&123> <#123>",
    "</paper:123> <id:browse> <t:1700000000:R>",
    "<:smile:123> <a:smile:123> :smile: :+1:",
    "<mail@evil.example>",
    "a\\b \\*c\\* \\",
    "C++ and C# and R² and GPT-4",
    "¯\\_(ツ)_/¯",
    "ends with a backslash\\",
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("before", ["", "\n", "**1** ", "> ", "- ", "word "])
def test_a_title_is_shown_literally_and_forms_nothing(text: str, before: str) -> None:
    alone = read(before).active
    shown = read(before + literal(text))
    assert set(shown.active) <= set(read(before + "x").active) | set(alone)
    assert shown.seen.endswith(clean(text)) or shown.seen.replace(ZWSP, "").endswith(clean(text))


@given(st.text(alphabet=st.sampled_from("*_`~|[]()<>@#&!:/\\.- \n1aeveryonehttps+>tid"), max_size=60))
def test_no_text_is_active(text: str) -> None:
    shown = read(literal(text))
    assert shown.active == ()
    assert shown.seen.replace(ZWSP, "") == clean(text)


@given(st.text(max_size=80))
def test_any_unicode_is_shown_as_it_is(text: str) -> None:
    shown = read(literal(text))
    assert shown.active == ()
    assert shown.seen.replace(ZWSP, "") == clean(text)
    assert clean(clean(text)) == clean(text)
    literal(text).encode("utf-8")  # no half surrogate pair is left


@given(st.text(max_size=80))
def test_nothing_invisible_is_left(text: str) -> None:
    for ch in clean(text):
        if ch not in "\u200d\u200c":
            assert unicodedata.category(ch) not in {"Cc", "Cs", "Zl", "Zp"}
        assert (
            ch not in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u200b\u2060\ufeff"
        )


def test_lines_are_folded() -> None:
    assert clean(" a\r\nb\u2028c\u0085d\t e\xa0\u3000f ") == "a b c d e f"


def test_text_without_anything_visible_is_empty() -> None:
    for text in ("", " ", "\u200b", "\u2800\u3164", "\u202e\u200d\ufeff", "\u0301"):
        assert clean(text) == ""
        assert literal(text) == ""


EMOJI = [
    "👩\u200d💻",
    "👨\u200d👩\u200d👧\u200d👦",
    "🏳\ufe0f\u200d🌈",
    "👍🏽",
    "❤\ufe0f",
    "🇨🇳",
    "1\ufe0f\u20e3",
]


@pytest.mark.parametrize("emoji", EMOJI)
def test_emoji_stay_whole(emoji: str) -> None:
    assert clean(f"{emoji} a title") == f"{emoji} a title"


def test_a_flag_of_tags_stays_and_loose_tags_go() -> None:
    scotland = "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
    assert clean(scotland) == scotland
    assert clean("a\U000e0067\U000e007fb") == "ab"


def test_joiners_stay_where_a_script_spells_with_them() -> None:
    persian = "می\u200cخواهم"
    assert clean(persian) == persian
    assert clean("pass\u200cword") == "password"


def test_stacked_marks_are_thinned() -> None:
    assert len(clean("a" + "\u0336" * 200)) <= 6
    assert clean("Việt Nam") == "Việt Nam"


def test_half_a_surrogate_pair_is_replaced() -> None:
    assert clean("a\ud83d") == "a\ufffd"


@pytest.mark.parametrize("text", HOSTILE)
def test_bare_text_has_no_backslash_of_ours(text: str) -> None:
    assert bare(text).replace(ZWSP, "") == (clean(text) or "—")
    assert not re.search(r"@(everyone|here)", bare(text))


@pytest.mark.parametrize("text", ["```", "a```b", "````` x", "`` `", "```js\nevil```"])
def test_a_code_block_cannot_be_closed(text: str) -> None:
    block = f"```\n{code(text)}\n```"
    assert "```" not in code(text)
    assert read(block).active == ("code block",)


def test_code_keeps_its_lines() -> None:
    assert code("@x{a,\n  b = {c}\r\n}") == "@x{a,\n  b = {c}\n}"


@pytest.mark.parametrize(
    ("given_url", "expected"),
    [
        ("https://x.org/wiki/Attention_(machine_learning)", "https://x.org/wiki/Attention_%28machine_learning%29"),
        ("http://x.org/a b?q=<c>#[d]", "http://x.org/a%20b?q=%3Cc%3E#%5Bd%5D"),
        ("https://x.org/100%", "https://x.org/100%25"),
        ("https://x.org/%E4%B8%AD", "https://x.org/%E4%B8%AD"),
        ("https://x.org/中", "https://x.org/%E4%B8%AD"),
        ("HTTPS://X.org", "https://x.org"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        (" https://x.org/a ", "https://x.org/a"),
    ],
)  # fmt: skip
def test_an_address_is_encoded(given_url: str, expected: str) -> None:
    assert safe_url(given_url) == expected


@pytest.mark.parametrize(
    "url",
    [
        None,
        "",
        "x.org",
        "ftp://x.org",
        "javascript:alert(1)",
        "data:text/html,x",
        "https://",
        "https:///path",
        "https://user:pass@x.org",
        "https://good.example@evil.example/",
        "https://x.org\\@evil.example",
        "https://x.org/a\nb",
        "https://x.org:99999/",
        "https://a..b/",
        "https://x.org/" + "a" * 600,
        "https://x.org/" + "中" * 100,
        "https://[::1/",
    ],
)
def test_what_is_no_safe_address_is_none(url: str | None) -> None:
    assert safe_url(url) is None


@given(st.text(max_size=60))
def test_an_address_never_breaks_out_of_markup(tail: str) -> None:
    url = safe_url(f"https://x.org/{tail}")
    if url is not None:
        assert re.fullmatch(r"https://[!-~]+", url)
        assert not set(url) & set('()<>[]"`\\|^{} ')
        assert len(url) <= 512
        assert safe_url(url) == url


@pytest.mark.parametrize("text", [*HOSTILE, "SNAKE_NET*", "🤗 Transformers", "🤗"])
def test_a_foreign_label_stays_inside_its_link(text: str) -> None:
    made = link(text, "https://x.org/(a)")
    if made.startswith("["):
        label, _, address = made[1:].partition("](<")
        assert address == "https://x.org/%28a%29>)"
        assert not set(label) & set("[]*_~|`<>\\🤗")
        assert read(made).active == ("masked link",)
    else:
        assert read(made).active == ()


def test_a_link_without_a_safe_address_is_its_label() -> None:
    assert link("A_B", "javascript:x") == r"A\_B"


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20))
def test_the_short_way_for_usual_text_agrees_with_the_long_one(text: str) -> None:
    # A joiner alone forces the long way and leaves nothing behind itself.
    assert clean(text) == clean(f"{text} \u200d")
