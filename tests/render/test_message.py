"""The message as a value: JSON, the outbox mark, what is sent."""

from __future__ import annotations

import json

import discord
import pytest

from bot.render import ids
from bot.render.limits import fit
from bot.render.message import Button, File, Message, Option, Select, marked, rows_of

PART = ids.encode("part", "k1")


def rich() -> Message:
    embed = discord.Embed(title="T", description="D", url="https://x.org", colour=0x123456)
    embed.set_author(name="A").set_footer(text="F").add_field(name="n", value="v", inline=False)
    return Message(
        content="hello",
        embeds=(embed, discord.Embed(description="second")),
        buttons=(
            (Button("Open", "link", url="https://x.org"), Button("Save", "primary", ids.encode("save", 1))),
            (Button("Off", custom_id=ids.encode("save", 2), disabled=True),),
        ),
        select=Select(
            ids.encode("open", "s"), (Option("One", "p:1", "first", default=True), Option("Two", "p:2"))
        ),
        files=(File("x.bib", "@misc{x}"),),
    )


def test_the_json_gives_the_message_back() -> None:
    body = json.loads(json.dumps(rich().to_json()))
    assert Message.from_json(body) == rich()
    assert json.dumps(Message.from_json(body).to_json()) == json.dumps(rich().to_json())


def test_an_empty_message_survives_too() -> None:
    assert Message.from_json(Message("x").to_json()) == Message("x")


@pytest.mark.asyncio
async def test_the_view_has_the_components_of_the_payload() -> None:
    view = rich().view()
    assert view is not None
    sent = [
        {key: value for key, value in component.items() if key in wanted and value not in (None, False)}
        for row in view.to_components()
        for component, wanted in (
            (c, ("type", "style", "label", "custom_id", "url", "disabled", "max_values"))
            for c in row["components"]
        )
    ]
    ours = [
        {key: value for key, value in component.items() if key not in {"options", "min_values"}}
        for row in rich().components()
        for component in row["components"]
    ]
    assert sent == ours


@pytest.mark.asyncio
async def test_the_view_is_stopped_so_that_the_client_does_not_keep_it() -> None:
    view = rich().view()
    assert view is not None
    assert view.is_finished()
    assert Message("x").view() is None


@pytest.mark.asyncio
async def test_nothing_that_is_sent_may_mention() -> None:
    for kwargs in (rich().send_kwargs(), rich().edit_kwargs(), Message("x").send_kwargs()):
        assert kwargs["allowed_mentions"].to_dict() == {"parse": []}
    assert rich().payload()["allowed_mentions"] == {"parse": []}


@pytest.mark.asyncio
async def test_an_edit_removes_what_is_absent() -> None:
    kwargs = Message("x").edit_kwargs()
    assert kwargs["embeds"] == []
    assert kwargs["view"] is None
    assert kwargs["attachments"] == []
    assert "view" not in Message("x").send_kwargs()


def test_buttons_that_are_switched_off_leave_links() -> None:
    off = rich().disabled()
    assert [button.disabled for row in off.buttons for button in row] == [False, True, True]
    assert off.select is None


def test_a_marked_message_carries_the_mark_first_and_once() -> None:
    message = marked(rich(), PART)
    assert message.custom_ids()[0] == PART
    assert marked(message, PART) == message


def test_the_mark_finds_room_beside_full_rows() -> None:
    full = Message(
        "x", buttons=rows_of(*(Button(str(n), custom_id=ids.encode("save", n)) for n in range(1, 26)))
    )
    message = fit(marked(full, PART))
    assert PART in message.custom_ids()
    assert len(message.custom_ids()) == 25


def test_the_mark_survives_the_plain_text_fallback() -> None:
    plain = marked(rich(), PART).plain()
    assert PART in plain.custom_ids()
    assert plain.embeds == ()
    assert plain.content is not None
    for text in ("hello", "**T**", "https://x.org", "D", "second", "F", "v"):
        assert text in plain.content


def test_only_a_part_is_a_mark() -> None:
    with pytest.raises(ValueError, match="mark"):
        marked(Message("x"), "anything")


def test_the_author_line_is_escaped_when_it_becomes_text() -> None:
    embed = discord.Embed(title="T").set_author(name="ICLR_2026_*x*").set_footer(text="a_b_c")
    plain = Message(embeds=(embed,)).plain()
    assert plain.content is not None
    assert r"ICLR\_2026\_\*x\*" in plain.content
    assert r"a\_b\_c" in plain.content


def test_the_fallback_keeps_every_title_of_a_full_message() -> None:
    embeds = tuple(
        discord.Embed(title=f"Title {n}", url=f"https://x.org/{n}", description="word " * 100)
        for n in range(10)
    )
    content = Message("top", embeds).plain().content
    assert content is not None
    assert len(content) <= 2000
    for n in range(10):
        assert f"**Title {n}**" in content
        assert f"<https://x.org/{n}>" in content
