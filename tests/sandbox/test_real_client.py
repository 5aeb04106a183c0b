"""What discord.py's newer surface makes of the sandbox: layouts, labelled forms, user installs, pings."""

from __future__ import annotations

import asyncio
import io

import aiohttp
import discord
import pytest
from discord import app_commands

from bot.sandbox.demo import Demo
from bot.sandbox.limits import ClientRefusal
from bot.sandbox.outcome import Seen
from bot.sandbox.permissions import Permission
from bot.sandbox.server import Sandbox
from tests.sandbox.wire_client import Rest
from tests.sandbox_fixtures import Bench


class Card(discord.ui.LayoutView):
    """A Components V2 message with a button beside its text."""

    def __init__(self) -> None:
        super().__init__()
        save: discord.ui.Button[Card] = discord.ui.Button(label="Save", custom_id="save")
        save.callback = self.saved  # type: ignore[method-assign]  # discord.py's documented way to set one
        self.add_item(
            discord.ui.Container(
                discord.ui.TextDisplay("# Log-Quant"),
                discord.ui.Section("by Ada", accessory=save),
                discord.ui.Separator(),
                discord.ui.File("attachment://cite.bib"),
            )
        )

    async def saved(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message("saved", ephemeral=True)


@pytest.mark.asyncio
async def test_a_layout_view_with_a_file_is_shown_and_clicked(bench: Bench) -> None:
    @bench.client.tree.command(description="d")
    async def paper(interaction: discord.Interaction) -> None:
        file = discord.File(io.BytesIO(b"@inproceedings{}"), filename="cite.bib")
        await interaction.response.send_message(view=Card(), file=file)

    await bench.client.tree.sync()
    outcome = await bench.reader.command(bench.demo.general, "paper")
    assert outcome.text == "# Log-Quant\nby Ada"
    message = outcome.message
    assert message is not None
    assert message.is_v2
    shown = message.components[0]["components"][-1]
    assert (shown["name"], shown["size"]) == ("cite.bib", 16)
    async with aiohttp.ClientSession() as session, session.get(shown["file"]["url"]) as answer:
        assert await answer.read() == b"@inproceedings{}"
    assert (await bench.reader.click(message, "save")).text == "saved"


class Report(discord.ui.Modal, title="Report"):
    """A form with labels: a select and a text input."""

    kind: discord.ui.Label[Report] = discord.ui.Label(
        text="What is wrong?",
        component=discord.ui.Select(
            custom_id="kind",
            options=[discord.SelectOption(label="Name"), discord.SelectOption(label="Place")],
        ),
    )
    detail: discord.ui.Label[Report] = discord.ui.Label(
        text="More", component=discord.ui.TextInput(custom_id="detail", required=False, max_length=10)
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        assert isinstance(self.kind.component, discord.ui.Select)
        assert isinstance(self.detail.component, discord.ui.TextInput)
        text = f"{self.kind.component.values} {self.detail.component.value!r}"
        await interaction.response.send_message(text, ephemeral=True)


@pytest.mark.asyncio
async def test_a_labelled_form_is_filled_in(bench: Bench) -> None:
    @bench.client.tree.command(description="d")
    async def report(interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Report())

    await bench.client.tree.sync()
    opened = await bench.reader.command(bench.demo.general, "report")
    modal = opened.modal
    assert modal is not None
    assert [field["label"] for field in modal.fields()] == ["What is wrong?", "More"]
    for wrong in (
        {},
        {"kind": ["Nope"]},
        {"kind": ["Name"], "detail": "x" * 11},
        {"kind": ["Name"], "else": "x"},
    ):
        with pytest.raises(ClientRefusal):
            await bench.reader.submit_modal(modal, wrong)
    sent = await bench.reader.submit_modal(modal, {"kind": ["Place"], "detail": ""})
    assert sent.text == "['Place'] ''"


@pytest.mark.asyncio
async def test_a_user_install_works_in_a_server_without_the_bot(bench: Bench) -> None:
    facts: list[object] = []
    refused: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    @bench.client.tree.command(description="d")
    @app_commands.allowed_installs(guilds=False, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def paper(interaction: discord.Interaction) -> None:
        assert interaction.guild is not None
        facts.extend(
            (interaction.guild.id, interaction.is_user_integration(), interaction.is_guild_integration())
        )
        facts.append(interaction.app_permissions.embed_links)
        await interaction.response.defer(thinking=True, ephemeral=True)
        await interaction.edit_original_response(embed=discord.Embed(title="found"))
        try:
            for number in range(6):
                await interaction.followup.send(str(number), ephemeral=True)
        except discord.HTTPException as error:
            refused.set_result(error.code)

    await bench.client.tree.sync()
    world = bench.sandbox.world
    elsewhere = world.add_guild("Elsewhere", owner=bench.demo.admin)
    world.add_member(elsewhere, bench.demo.reader)
    channel = world.add_channel(elsewhere, "talk")
    outcome = await bench.reader.command(channel, "paper")
    assert facts == [elsewhere.id, True, False, True]
    assert (outcome.seen, outcome.text) == (Seen.MESSAGE, "found")
    assert await asyncio.wait_for(refused, 5) == 40094
    assert len(bench.reader.messages(channel)) == 6
    assert bench.admin.messages(channel) == []


# ---- pings ------------------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_allowed_mentions_decide_who_is_pinged(sandbox: Sandbox, demo: Demo) -> None:
    rest = Rest(sandbox)
    sandbox.world.set_overwrite(demo.general, demo.bot, allow=Permission.MENTION_EVERYONE)
    content = f"<@{demo.reader.id}> <@&5> @everyone"
    loud = await rest.send(demo.general.id, content=content)
    assert [user["id"] for user in loud.data["mentions"]] == [str(demo.reader.id)]
    assert (loud.data["mention_roles"], loud.data["mention_everyone"]) == (["5"], True)
    quiet = await rest.send(demo.general.id, content=content, allowed_mentions={"parse": []})
    assert (quiet.data["mentions"], quiet.data["mention_roles"], quiet.data["mention_everyone"]) == (
        [],
        [],
        False,
    )
    chosen = {"users": [str(demo.reader.id)], "parse": ["everyone"]}
    some = await rest.send(demo.general.id, content=content, allowed_mentions=chosen)
    assert (len(some.data["mentions"]), some.data["mention_everyone"]) == (1, True)
    sandbox.world.set_overwrite(demo.general, demo.bot)
    assert not (await rest.send(demo.general.id, content="@everyone")).data["mention_everyone"]


@pytest.mark.asyncio
async def test_embeds_never_ping_and_text_displays_do(sandbox: Sandbox, demo: Demo) -> None:
    rest = Rest(sandbox)
    text = f"<@{demo.reader.id}>"
    embed = await rest.send(demo.general.id, embeds=[{"description": text}])
    assert embed.data["mentions"] == []
    display = await rest.send(demo.general.id, flags=1 << 15, components=[{"type": 10, "content": text}])
    assert len(display.data["mentions"]) == 1


# ---- another process acts ---------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_acts_over_the_control_endpoint(bench: Bench) -> None:
    class View(discord.ui.View):
        @discord.ui.button(label="More", custom_id="more")
        async def more(self, interaction: discord.Interaction, _: discord.ui.Button[View]) -> None:
            await interaction.response.edit_message(content="clicked")

    @bench.client.tree.command(description="d")
    async def paper(interaction: discord.Interaction, place: discord.TextChannel) -> None:
        await interaction.response.send_message(f"in {place.name}", view=View())

    await bench.client.tree.sync()
    demo, world = bench.demo, bench.sandbox.world
    ids = {"user": str(demo.reader.id), "channel": str(demo.general.id)}

    async with aiohttp.ClientSession(headers={"X-Sandbox-Control": "control"}) as session:

        async def act(what: str, **body: object) -> dict[str, object]:
            async with session.post(f"{bench.sandbox.url}/sandbox/control/acts/{what}", json=body) as answer:
                data = await answer.json()
                assert answer.status == 200, data
                return dict(data)

        options = {"place": {"channel": str(demo.digest.id)}}
        shown = await act("command", **ids, command="paper", options=options)
        message = shown["message"]
        assert isinstance(message, dict)
        assert message["content"] == "in iclr-digest"
        clicked = await act("click", user=ids["user"], message=message["id"], custom_id="more")
        assert isinstance(clicked["message"], dict)
        assert clicked["message"]["content"] == "clicked"
        await act("dm-allowed", user=ids["user"], allowed=False)
        assert not demo.reader.dm_allowed
        person = await act("add-user", name="new")
        guild = await act("add-guild", name="New", owner=person["id"])
        channel = await act("add-channel", guild=guild["id"], name="talk")
        await act("add-member", guild=guild["id"], user=str(demo.bot.id))
        await bench.client.until("guild_join")
        view = int(Permission.VIEW_CHANNEL)
        await act("set-overwrite", channel=channel["id"], target=str(demo.bot.id), deny=view)
        await act("edit-channel", channel=channel["id"], name="renamed")
        await act("delete-channel", channel=channel["id"])
        await act("outage", guild=guild["id"])
        await act("restore", guild=guild["id"])
        await act("remove-member", guild=guild["id"], user=str(demo.bot.id))
        await act("install-for-user", user=person["id"], application=str(demo.app.id))
        dm = await act("open-dm", user=person["id"], other=str(demo.bot.id))
        assert int(str(dm["id"])) in world.channels
        made = await act("add-application", name="Other", token="other", owner=person["id"])
        assert world.applications[int(str(made["id"]))].token == "other"
        async with session.post(f"{bench.sandbox.url}/sandbox/control/gateway/drop") as answer:
            assert answer.status == 200
        await bench.client.until("resumed")
        async with session.post(f"{bench.sandbox.url}/sandbox/control/gateway/explode") as answer:
            assert answer.status == 400
        async with session.post(f"{bench.sandbox.url}/sandbox/control/nonces/forget") as answer:
            assert answer.status == 200
