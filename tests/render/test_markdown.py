"""The reading that the other tests rely on: it must see what Discord sees, or they could not fail."""

from __future__ import annotations

import pytest

from tests.render.markdown import read


@pytest.mark.parametrize(
    ("text", "construct"),
    [
        ("# a", "heading"),
        ("-# a", "small print"),
        ("> a", "quote"),
        ("- a", "list"),
        ("1. a", "list"),
        ("a\n* b", "list"),
        ("**a**", "bold"),
        ("__a__", "underline"),
        ("_a_", "italic"),
        ("*a*", "italic"),
        ("~~a~~", "strike"),
        ("||a||", "spoiler"),
        ("`a`", "code"),
        ("```a```", "code block"),
        ("[a](https://b.c)", "masked link"),
        ("[Re] x](https://b.c)", "masked link"),
        ("see https://b.c", "address"),
        ("<https://b.c>", "address in brackets"),
        ("<@123>", "mention"),
        ("<@&123>", "mention"),
        ("<#123>", "mention"),
        ("</paper:123>", "mention"),
        ("<t:1:f>", "timestamp"),
        ("@everyone", "everyone"),
        ("<:a:123>", "emoji"),
        (":smile:", "emoji name"),
        ("discord.gg/abc", "invite"),
    ],
)
def test_the_reading_sees_what_discord_sees(text: str, construct: str) -> None:
    assert construct in read(text).active


def test_an_escape_is_not_seen() -> None:
    assert read(r"A\*-Search \[x\]").seen == "A*-Search [x]"
    assert read(r"A\*-Search \[x\]").active == ()
