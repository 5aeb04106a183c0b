from __future__ import annotations

from pathlib import Path

import discord
import pytest

from bot.sandbox.rest import ROUTES, Exchange
from tests.openapi import Checker
from tests.sandbox_fixtures import Bench

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def checker(shared_data: Path) -> Checker:
    return Checker(shared_data / "discord-openapi.json")


def sent(body: object, template: str = "/channels/{channel_id}/messages") -> Exchange:
    return Exchange("POST", template, "/channels/1/messages", body, 0, 200, 0, accepted=True)


def test_every_route_stands_in_discords_description(checker: Checker) -> None:
    assert [route for route in ROUTES if not checker.knows(route.method, route.path)] == []


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"content": "x" * 4001}, "content"),
        ({"embeds": [{"title": "t" * 257}]}, "embeds.0.title"),
        (
            {"components": [{"type": 1, "components": [{"type": 2, "style": 99}]}]},
            "components.0.components.0.style",
        ),
        ({"flags": "many"}, "flags"),
    ],
)
def test_a_wrong_body_is_found_and_placed(checker: Checker, body: object, place: str) -> None:
    complaints = checker.complaints(sent(body))
    assert complaints
    assert any(place in text for text in complaints)


def test_a_right_body_and_numeric_ids_pass(checker: Checker) -> None:
    body = {"content": "x", "message_reference": {"message_id": 5}, "nonce": "n", "enforce_nonce": True}
    assert checker.complaints(sent(body)) == []


def test_a_route_that_discord_does_not_have_is_an_error(checker: Checker) -> None:
    with pytest.raises(KeyError, match="nowhere"):
        checker.complaints(sent({}, "/nowhere"))


@pytest.mark.asyncio
async def test_what_discord_py_sends_passes(bench: Bench, checker: Checker) -> None:
    @bench.client.tree.command(description="d")
    async def paper(interaction: discord.Interaction, query: str) -> None:
        view = discord.ui.View().add_item(discord.ui.Button(label="Paper", url="https://example.org"))
        await interaction.response.defer(ephemeral=True)
        await interaction.edit_original_response(embed=discord.Embed(title=query), view=view)
        await interaction.followup.send("more", allowed_mentions=discord.AllowedMentions.none())

    await bench.client.tree.sync()
    channel = bench.client.get_channel(bench.demo.general.id)
    assert isinstance(channel, discord.TextChannel)
    await channel.send("x", nonce="n", allowed_mentions=discord.AllowedMentions.none())
    await bench.reader.command(bench.demo.general, "paper", {"query": "x"})
    exchanges = bench.sandbox.api.exchanges
    assert {exchange.method for exchange in exchanges} >= {"GET", "PUT", "POST", "PATCH"}
    assert checker.all_complaints(exchanges) == []
