"""A small bot on the real client, for tests of the page: it answers in every way that the page must show."""

from __future__ import annotations

from typing import Any, ClassVar

import discord
from discord import app_commands

from tests.sandbox_fixtures import Client

TITLES = (
    "LogQuant: Log-Distributed 2-Bit Quantization of KV Cache with Superior Accuracy Preservation",
    "Learning to Reason without External Rewards",
    "Can LLMs Refuse Questions They Do Not Know?",
)
HOSTILE = "<img src=x onerror=alert(1)> **bold** [x](javascript:alert(1)) @everyone <@1> \\*plain\\*"
INSTALLS = app_commands.AppInstallationType(guild=True, user=True)
EVERYWHERE = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True)


class Chinese(app_commands.Translator):
    """Gives the commands Chinese descriptions."""

    texts: ClassVar[dict[str, str]] = {
        "Look a paper up": "查找论文",
        "title, author or id": "标题、作者或编号",
    }

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        return self.texts.get(string.message) if locale is discord.Locale.chinese else None


class Card(discord.ui.View):
    """The buttons below a paper."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        self.add_item(discord.ui.Button(label="arXiv", url="https://arxiv.org/abs/2601.00001"))

    @discord.ui.button(label="Save", custom_id="save", style=discord.ButtonStyle.primary)
    async def save(self, interaction: discord.Interaction, button: discord.ui.Button[Card]) -> None:
        await interaction.response.send_message("Saved for you.", ephemeral=True)

    @discord.ui.button(label="Next", custom_id="next")
    async def following(self, interaction: discord.Interaction, button: discord.ui.Button[Card]) -> None:
        await interaction.response.edit_message(embed=card(TITLES[1]))

    @discord.ui.button(label="Report", custom_id="report", style=discord.ButtonStyle.danger)
    async def report(self, interaction: discord.Interaction, button: discord.ui.Button[Card]) -> None:
        await interaction.response.send_modal(Report())

    @discord.ui.select(
        custom_id="format",
        placeholder="Cite as",
        options=[
            discord.SelectOption(label="BibTeX", value="bib"),
            discord.SelectOption(label="RIS", value="ris"),
        ],
    )
    async def cite(self, interaction: discord.Interaction, select: discord.ui.Select[Card]) -> None:
        await interaction.response.send_message(f"```\nformat {select.values[0]}\n```", ephemeral=True)


class Report(discord.ui.Modal, title="What is wrong?"):
    """A form."""

    what: discord.ui.TextInput[Report] = discord.ui.TextInput(label="Describe it", min_length=3)

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"Thanks: {self.what.value}", ephemeral=True)


def card(title: str) -> discord.Embed:
    embed = discord.Embed(
        title=title,
        url="https://openreview.net/forum?id=x",
        description="基于对数分布的2位KV缓存量化技术\n\n**Summary.** Cuts memory *a lot*; `code` and <t:1767225600:R>.",
        colour=0x3F51D6,
    )
    embed.set_author(name="ICLR 2026 · Main · Oral")
    embed.add_field(name="Authors", value="Ada Placeholder, Jun Beispiel", inline=False)
    embed.add_field(name="Institutions", value="Tsinghua University（清华大学）")
    embed.add_field(name="Track", value="main")
    embed.set_footer(text="Summary: listing · 摘要：列表")
    return embed


class Languages(app_commands.Transformer):
    """A choice, as most options of the real commands are."""

    @property
    def choices(self) -> list[app_commands.Choice[str | int | float]]:
        return [app_commands.Choice(name=name, value=name.lower()) for name in ("English", "Chinese", "Both")]

    async def transform(self, interaction: discord.Interaction, value: str, /) -> str:
        return value


async def furnish_client(client: Client) -> None:
    """Register the commands below with a connected client."""
    tree = client.tree
    tree.allowed_installs, tree.allowed_contexts = INSTALLS, EVERYWHERE
    _add_commands(tree)
    client.add_view(Card())
    await tree.set_translator(Chinese())
    await tree.sync()


def _add_commands(tree: app_commands.CommandTree[Any]) -> None:
    @tree.command(description="Look a paper up")
    @app_commands.describe(query="title, author or id")
    async def paper(interaction: discord.Interaction, query: str) -> None:
        await interaction.response.defer()
        await interaction.edit_original_response(embed=card(query), view=Card())

    @paper.autocomplete("query")
    async def suggest(interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        words = current.lower().split()
        found = [title for title in TITLES if all(word in title.lower() for word in words)]
        return [app_commands.Choice(name=title[:100], value=title[:100]) for title in found]

    @tree.command(description="Says something hostile")
    async def hostile(interaction: discord.Interaction) -> None:
        embed = discord.Embed(title=HOSTILE, description=HOSTILE)
        await interaction.response.send_message(HOSTILE, embed=embed)

    @tree.command(description="Never answers")
    async def silent(interaction: discord.Interaction) -> None:
        return

    @tree.command(description="Says the language of the person")
    async def language(interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"locale {interaction.locale.value}", ephemeral=True)

    @tree.command(name="import", description="Takes a file")
    async def import_file(interaction: discord.Interaction, file: discord.Attachment) -> None:
        size = len(await file.read())
        await interaction.response.send_message(f"{file.filename}: {size} bytes", ephemeral=True)

    @tree.context_menu(name="Find papers here")
    async def find(interaction: discord.Interaction, message: discord.Message) -> None:
        await interaction.response.send_message("Found nothing here.", ephemeral=True)

    digest = app_commands.Group(
        name="digest", description="The digest", default_permissions=discord.Permissions(manage_guild=True)
    )

    @digest.command(name="set", description="Choose where the digest goes")
    async def digest_set(
        interaction: discord.Interaction,
        channel: discord.TextChannel,
        time: str,
        language: app_commands.Transform[str, Languages] = "both",
        backfill: app_commands.Range[int, 0, 50] = 0,
    ) -> None:
        await interaction.response.send_message(
            f"Digest in <#{channel.id}> at {time}, {language}, {backfill}."
        )

    tree.add_command(digest)
