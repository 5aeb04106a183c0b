"""The limiter: whatever goes in, Discord accepts what comes out (field reports 44 to 51)."""

from __future__ import annotations

from itertools import pairwise

import discord
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.render import ids
from bot.render.limits import echo, embed_size, fit, pages, text_pages
from bot.render.message import Button, Message, Option, Select, rows_of
from tests.render.discord_rules import embed_faults, faults, units
from tests.render.markdown import read

PIECES = st.sampled_from(
    ["word ", "字", "👨\u200d👩\u200d👧", "**b** ", "[l](<https://x.org>) ", "\\*", "\ud83d", " ", "x" * 90]
)
TEXTS = st.builds(lambda piece, count: piece * count, PIECES, st.integers(0, 900)) | st.text(max_size=40)
SHORT = st.builds(lambda piece, count: piece * count, PIECES, st.integers(0, 60))


@st.composite
def embeds(draw: st.DrawFn) -> discord.Embed:
    url = draw(st.sampled_from([None, "https://x.org", "javascript:x"]))
    embed = discord.Embed(title=draw(SHORT), description=draw(TEXTS), url=url)
    for _ in range(draw(st.sampled_from([0, 0, 1, 3, 30]))):
        embed.add_field(name=draw(SHORT), value=draw(TEXTS), inline=False)
    if draw(st.booleans()):
        embed.set_footer(text=draw(TEXTS))
        embed.set_author(name=draw(SHORT))
    return embed


@st.composite
def messages(draw: st.DrawFn) -> Message:
    count = draw(st.integers(0, 40))
    urls = st.sampled_from(["https://x.org", "no", "https://x.org/" + "a" * 600])
    buttons = [
        Button(draw(SHORT), custom_id=ids.encode("save", n))
        if n % 3
        else Button(draw(SHORT), "link", url=draw(urls))
        for n in range(1, count + 1)
    ]
    options = tuple(Option(draw(SHORT), f"p:{n % 30}", draw(SHORT)) for n in range(draw(st.integers(0, 40))))
    return Message(
        content=draw(TEXTS),
        embeds=tuple(draw(st.lists(embeds(), max_size=13))),
        buttons=draw(st.sampled_from([rows_of(*buttons), (tuple(buttons),) if buttons else ()])),
        select=draw(st.sampled_from([None, Select(ids.encode("open", ""), options, draw(SHORT), most=3)])),
    )


@settings(max_examples=60, deadline=None)
@given(messages())
def test_any_message_fits(message: Message) -> None:
    fitted = fit(message)
    assert faults(fitted.payload()) == []
    assert fit(fitted) == fitted
    assert faults(fitted.plain().payload()) == []


def test_a_message_within_the_limits_stays_as_it_is() -> None:
    embed = discord.Embed(title="T" * 256, description="d" * 4096, url="https://x.org")
    embed.add_field(name="n" * 256, value="v" * 1024, inline=False)
    message = Message("c" * 2000, (embed,), rows_of(Button("x" * 80, custom_id=ids.encode("random"))))
    assert fit(message) == message


def test_the_six_thousand_are_for_all_embeds_together() -> None:
    fitted = fit(
        Message(embeds=tuple(discord.Embed(title=str(n), description="word " * 180) for n in range(10)))
    )
    assert sum(map(embed_size, fitted.embeds)) <= 6000
    assert len(fitted.embeds) == 7


def test_a_title_of_three_hundred_is_cut_at_a_word() -> None:
    for title, end in (("word " * 60, "word…"), ("字" * 260, "字…")):
        fitted = fit(Message(embeds=(discord.Embed(title=title),))).embeds[0].title
        assert fitted is not None
        assert units(fitted) <= 256
        assert fitted.endswith(end)


def test_astral_characters_count_twice() -> None:
    fitted = fit(Message("🤗" * 1500))
    assert fitted.content == "🤗" * 999 + "…"


def test_empty_fields_go() -> None:
    embed = discord.Embed(title="T").add_field(name="Institutions", value=" ").add_field(name="", value="x")
    assert fit(Message(embeds=(embed,))).embeds[0].fields == []


def test_an_empty_message_becomes_a_visible_one() -> None:
    assert fit(Message("  ", (discord.Embed(),))).content == "…"


def test_links_beyond_twenty_become_text() -> None:
    embed = discord.Embed(description=" ".join(f"🤗 [paper {n}](<https://x.org/{n}>)" for n in range(40)))
    fitted = fit(Message(embeds=(embed,))).embeds[0]
    assert embed_faults(dict(fitted.to_dict())) == []
    assert read(fitted.description or "").active.count("masked link") == 20
    assert "paper 39" in (fitted.description or "")


def test_bare_addresses_count_as_links() -> None:
    embed = discord.Embed(description=" ".join(f"https://x.org/{n}" for n in range(40)))
    fitted = fit(Message(embeds=(embed,))).embeds[0].description or ""
    assert read(fitted).active.count("address") == 20
    assert "x.org/39" in fitted


def test_an_unsafe_link_button_goes() -> None:
    message = Message(
        "x",
        buttons=rows_of(Button("a", "link", url="javascript:x"), Button("b", "link", url="https://x.org")),
    )
    assert [button.label for row in fit(message).buttons for button in row] == ["b"]


@pytest.mark.parametrize(
    "buttons",
    [
        (Button("a", custom_id="x" * 101),),
        (Button("a", custom_id="x"), Button("b", custom_id="x")),
        (Button("a"),),
        (Button("a", custom_id="x", url="https://x.org"),),
        (Button("a", custom_id=""),),
    ],
)
def test_a_button_that_would_do_the_wrong_thing_raises(buttons: tuple[Button, ...]) -> None:
    with pytest.raises(ValueError, match=r"custom_id|button"):
        fit(Message("x", buttons=(buttons,)))


def test_an_option_value_is_never_cut() -> None:
    with pytest.raises(ValueError, match="option"):
        fit(Message("x", select=Select(ids.encode("open", ""), (Option("a", "v" * 101),))))


def test_an_echo_is_short() -> None:
    assert units(echo("query " * 400)) <= 100


@given(st.lists(st.lists(st.integers(1, 4000), min_size=1, max_size=3), max_size=14))
def test_pages_keep_the_order_and_lose_nothing(shapes: list[list[int]]) -> None:
    blocks = [[discord.Embed(title="t", description="x" * long) for long in shape] for shape in shapes]
    groups = pages(blocks)
    assert [number for group in groups for number in group] == list(range(len(blocks)))
    for group in groups:
        embeds_of_page = [embed for number in group for embed in blocks[number]]
        alone = len(group) == 1
        assert len(embeds_of_page) <= 10
        assert alone or sum(map(embed_size, embeds_of_page)) <= 6000
    for earlier, later in pairwise(groups):
        joined = [embed for number in (*earlier, later[0]) for embed in blocks[number]]
        assert len(joined) > 10 or sum(map(embed_size, joined)) > 6000


@given(st.lists(st.integers(0, 2500), max_size=14), st.integers(0, 300))
def test_text_pages_keep_the_order_and_lose_nothing(lengths: list[int], header: int) -> None:
    blocks = ["x" * length for length in lengths]
    groups = text_pages(blocks, header)
    assert [number for group in groups for number in group] == list(range(len(blocks)))
    for group in groups:
        text = "\n\n".join(blocks[number] for number in group)
        assert len(group) == 1 or len(text) + 2 + header <= 2000


def test_a_heading_stays_with_its_paper() -> None:
    workshop = [discord.Embed(description="## Workshops"), discord.Embed(description="y" * 2095)]
    assert pages([[discord.Embed(description="x" * 3900)], workshop]) == [[0], [1]]
