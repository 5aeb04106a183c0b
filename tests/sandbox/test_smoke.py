from __future__ import annotations

import discord
import pytest
from discord import app_commands

from bot.sandbox.outcome import Seen
from tests.sandbox_fixtures import Bench


@pytest.mark.asyncio
async def test_a_real_client_connects_syncs_and_answers_a_slash_command(bench: Bench) -> None:
    @bench.client.tree.command(description="Look a paper up")
    async def paper(interaction: discord.Interaction, query: str) -> None:
        await interaction.response.send_message(f"found {query}", ephemeral=True)

    await bench.client.tree.sync()
    outcome = await bench.reader.command(bench.demo.general, "paper", {"query": "diffusion"})
    assert outcome.seen is Seen.MESSAGE
    assert outcome.text == "found diffusion"
    assert outcome.message is not None
    assert outcome.message.seen_only_by == bench.demo.reader.id
    assert bench.admin.messages(bench.demo.general) == []


@pytest.mark.asyncio
async def test_autocomplete_reaches_the_bot_and_comes_back(bench: Bench) -> None:
    @bench.client.tree.command(description="Look a paper up")
    async def paper(interaction: discord.Interaction, query: str) -> None:
        await interaction.response.send_message(query)

    @paper.autocomplete("query")
    async def suggest(interaction: discord.Interaction, text: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=f"{text} of the day", value="p:1")]

    await bench.client.tree.sync()
    choices = await bench.reader.autocomplete(bench.demo.general, "paper", "query", "paper")
    assert [(choice.name, choice.value) for choice in choices] == [("paper of the day", "p:1")]
