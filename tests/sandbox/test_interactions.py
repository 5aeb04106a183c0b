from __future__ import annotations

import asyncio
from datetime import timedelta

import discord
import pytest
from discord import app_commands

from bot.clock import ManualClock
from bot.sandbox.demo import APP_ID
from bot.sandbox.interactions import InteractionType
from bot.sandbox.limits import ClientRefusal
from bot.sandbox.model import MessageFlag
from bot.sandbox.outcome import NO_RESPONSE, Outcome, Seen
from bot.sandbox.permissions import Permission
from tests.sandbox.raw_interactions import Body, raw, register
from tests.sandbox.wire_client import Rest
from tests.sandbox_fixtures import Bench

# ---- the clock of an interaction --------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_an_answer_after_three_seconds_is_an_unknown_interaction(
    bench: Bench, clock: ManualClock
) -> None:
    await register(bench.sandbox)
    late = raw(bench.sandbox, bench.demo)
    clock.advance(timedelta(seconds=3, milliseconds=1))
    answer = await late.answer(4, {"content": "x"})
    assert (answer.status, answer.code) == (404, 10062)
    just = raw(bench.sandbox, bench.demo)
    clock.advance(timedelta(seconds=3))
    assert (await just.answer(4, {"content": "x"})).status == 204


@pytest.mark.asyncio
async def test_a_second_first_answer_is_already_acknowledged(bench: Bench) -> None:
    await register(bench.sandbox)
    twice = raw(bench.sandbox, bench.demo)
    assert (await twice.answer(4, {"content": "x"})).status == 204
    answer = await twice.answer(4, {"content": "y"})
    assert (answer.status, answer.code) == (400, 40060)
    assert len(bench.reader.messages(bench.demo.general)) == 1


@pytest.mark.asyncio
async def test_a_wrong_token_or_a_follow_up_before_the_answer_is_refused(bench: Bench) -> None:
    await register(bench.sandbox)
    early = raw(bench.sandbox, bench.demo)
    assert (await early.follow(content="x")).code == 10015
    rest = Rest(bench.sandbox, None)
    wrong = await rest("POST", f"/interactions/{early.made.id}/wrong/callback", {"type": 5})
    assert wrong.code == 10062
    assert (await rest("POST", f"/webhooks/{APP_ID}/wrong", {"content": "x"})).code == 10015


@pytest.mark.asyncio
async def test_the_token_ends_after_fifteen_minutes(bench: Bench, clock: ManualClock) -> None:
    await register(bench.sandbox)
    made = raw(bench.sandbox, bench.demo)
    await made.answer(5)
    clock.advance(timedelta(minutes=15, seconds=1))
    answer = await made.original("PATCH", {"content": "x"})
    assert (answer.status, answer.code) == (401, 50027)


@pytest.mark.asyncio
async def test_a_silent_bot_shows_as_no_response(bench: Bench, clock: ManualClock) -> None:
    await register(bench.sandbox)
    act = asyncio.create_task(bench.reader.command(bench.demo.general, "paper", {"query": "x"}))
    await bench.client.until("interaction")
    clock.advance(timedelta(seconds=4))
    outcome = await act
    assert (outcome.seen, outcome.error) == (Seen.FAILED, NO_RESPONSE)


# ---- kinds of answers -------------------------------------------------------------------------------------


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        (InteractionType.COMMAND, 8),
        (InteractionType.COMMAND, 7),
        (InteractionType.COMMAND, 1),
        (InteractionType.AUTOCOMPLETE, 4),
        (InteractionType.MODAL, 9),
        (InteractionType.MODAL, 7),
    ],
)
async def test_an_answer_that_does_not_suit_the_interaction_is_refused(
    bench: Bench, kind: InteractionType, answer: int
) -> None:
    await register(bench.sandbox)
    refused = await raw(bench.sandbox, bench.demo, kind).answer(answer, {"content": "x"})
    assert refused.complaint("type") == "BASE_TYPE_CHOICES"


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("choices", "place"),
    [
        ([{"name": str(n), "value": str(n)} for n in range(26)], ("choices",)),
        ([{"name": "n" * 101, "value": "v"}], ("choices", 0, "name")),
        ([{"name": "", "value": "v"}], ("choices", 0, "name")),
        ([{"name": "n", "value": "v" * 101}], ("choices", 0, "value")),
        ([{"name": "n", "value": 3}], ("choices", 0, "value")),
        (None, ("choices",)),
    ],
)
async def test_choices_beyond_a_limit_are_refused(
    bench: Bench, choices: list[Body] | None, place: tuple[str | int, ...]
) -> None:
    await register(bench.sandbox)
    made = raw(bench.sandbox, bench.demo, InteractionType.AUTOCOMPLETE)
    refused = await made.answer(8, {"choices": choices})
    assert refused.code == 50035
    assert refused.complaint("data", *place)
    assert (await made.answer(8, {"choices": []})).status == 204


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("data", "place"),
    [
        ({"title": "t" * 46}, ("title",)),
        ({"title": ""}, ("title",)),
        ({"custom_id": "c" * 101}, ("custom_id",)),
        ({"components": []}, ("components",)),
        (
            {"components": [{"type": 1, "components": [{"type": 2}]}]},
            ("components", 0, "components", 0, "type"),
        ),
    ],
)
async def test_a_modal_beyond_a_limit_is_refused(
    bench: Bench, data: Body, place: tuple[str | int, ...]
) -> None:
    await register(bench.sandbox)
    field = {"type": 4, "custom_id": "why", "style": 2, "label": "Why"}
    good: Body = {
        "custom_id": "report",
        "title": "Report",
        "components": [{"type": 1, "components": [field]}],
    }
    refused = await raw(bench.sandbox, bench.demo).answer(9, {**good, **data})
    assert refused.complaint("data", *place)
    assert (await raw(bench.sandbox, bench.demo).answer(9, good)).status == 204


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"label": "l" * 46}, "label"),
        ({"label": ""}, "label"),
        ({"placeholder": "p" * 101}, "placeholder"),
        ({"max_length": 4001}, "max_length"),
        ({"min_length": 9, "max_length": 3}, "min_length"),
        ({"value": "v" * 4001}, "value"),
        ({"style": 3}, "style"),
    ],
)
async def test_a_text_input_beyond_a_limit_is_refused(bench: Bench, change: Body, name: str) -> None:
    await register(bench.sandbox)
    field = {"type": 4, "custom_id": "why", "style": 2, "label": "Why", **change}
    modal = {"custom_id": "report", "title": "Report", "components": [{"type": 1, "components": [field]}]}
    refused = await raw(bench.sandbox, bench.demo).answer(9, modal)
    assert refused.complaint("data", "components", 0, "components", 0, name)


@pytest.mark.asyncio
async def test_message_limits_hold_for_answers_edits_and_follow_ups(bench: Bench) -> None:
    await register(bench.sandbox)
    made = raw(bench.sandbox, bench.demo)
    assert (await made.answer(4, {"content": "x" * 2001})).code == 50035
    assert (await made.answer(4, {})).code == 50006
    assert (await made.answer(5)).status == 204
    assert (await made.original("PATCH", {"content": ""})).code == 50006
    assert (await made.original("PATCH", {"embeds": [{"title": "t" * 300}]})).code == 50035
    assert (await made.original("PATCH", {"content": "ok"})).status == 200
    assert (await made.follow(content="x" * 2001)).code == 50035


# ---- deferring and following up ---------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_the_first_follow_up_after_a_deferral_fills_it_in(bench: Bench) -> None:
    await register(bench.sandbox)
    made = raw(bench.sandbox, bench.demo)
    await made.answer(5, {"flags": 64})
    waiting = bench.reader.messages(bench.demo.general)[0]
    assert waiting.loading
    first = await made.follow(content="here")
    second = await made.follow(content="more")
    assert int(first.data["id"]) == waiting.id
    assert int(second.data["id"]) != waiting.id
    shown = bench.reader.messages(bench.demo.general)
    assert [(message.content, message.loading) for message in shown] == [("here", False), ("more", False)]
    # The deferral decided that the first is private; the second is public.
    assert [message.ephemeral for message in shown] == [True, False]


@pytest.mark.asyncio
async def test_the_original_can_be_read_edited_and_deleted(bench: Bench) -> None:
    await register(bench.sandbox)
    made = raw(bench.sandbox, bench.demo)
    await made.answer(4, {"content": "x"})
    assert (await made.original("GET")).data["content"] == "x"
    assert (await made.original("PATCH", {"content": "y"})).data["content"] == "y"
    assert (await made.original("DELETE")).status == 204
    assert (await made.original("PATCH", {"content": "z"})).code == 10008


@pytest.mark.asyncio
async def test_a_stranger_in_a_server_has_five_follow_ups(bench: Bench) -> None:
    await register(bench.sandbox, integration_types=[1], contexts=[0, 1, 2])
    elsewhere = bench.sandbox.world.add_guild("Elsewhere", owner=bench.demo.reader)
    channel = bench.sandbox.world.add_channel(elsewhere, "talk")
    made = raw(bench.sandbox, bench.demo, channel=channel)
    assert made.made.authorizing == {"1": str(bench.demo.reader.id)}
    await made.answer(4, {"content": "x"})
    assert [(await made.follow(content=str(n))).status for n in range(5)] == [200] * 5
    refused = await made.follow(content="6")
    assert (refused.status, refused.code) == (400, 40094)
    assert (await Rest(bench.sandbox).send(channel.id, content="x")).code == 50001


@pytest.mark.asyncio
async def test_without_use_external_apps_a_strangers_answer_is_private(bench: Bench) -> None:
    await register(bench.sandbox, integration_types=[1], contexts=[0])
    elsewhere = bench.sandbox.world.add_guild("Elsewhere", owner=bench.demo.admin)
    bench.sandbox.world.add_member(elsewhere, bench.demo.reader)
    channel = bench.sandbox.world.add_channel(elsewhere, "talk")
    everyone = elsewhere.roles[elsewhere.id]
    bench.sandbox.world.set_overwrite(channel, everyone, deny=Permission.USE_EXTERNAL_APPS)
    made = raw(bench.sandbox, bench.demo, channel=channel)
    await made.answer(4, {"content": "x"})
    assert bench.reader.messages(channel)[0].flags & MessageFlag.EPHEMERAL
    assert bench.admin.messages(channel) == []


# ---- with discord.py's own objects ------------------------------------------------------------------------


class Why(discord.ui.Modal, title="Report"):
    reason: discord.ui.TextInput[Why] = discord.ui.TextInput(
        label="What is wrong?", min_length=3, max_length=20
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"thanks: {self.reason.value}", ephemeral=True)


class Buttons(discord.ui.View):
    @discord.ui.button(label="Next", custom_id="next")
    async def following(self, interaction: discord.Interaction, _: discord.ui.Button[Buttons]) -> None:
        await interaction.response.edit_message(content="page 2")

    @discord.ui.button(label="Report", custom_id="report")
    async def report(self, interaction: discord.Interaction, _: discord.ui.Button[Buttons]) -> None:
        await interaction.response.send_modal(Why())

    @discord.ui.button(label="Later", custom_id="later")
    async def later(self, interaction: discord.Interaction, _: discord.ui.Button[Buttons]) -> None:
        await interaction.response.defer()
        await interaction.edit_original_response(content="page 3")

    @discord.ui.button(label="Off", custom_id="off", disabled=True)
    async def off(self, interaction: discord.Interaction, _: discord.ui.Button[Buttons]) -> None:
        raise AssertionError

    @discord.ui.select(
        custom_id="pick", options=[discord.SelectOption(label="One"), discord.SelectOption(label="Two")]
    )
    async def pick(self, interaction: discord.Interaction, chosen: discord.ui.Select[Buttons]) -> None:
        await interaction.response.send_message(f"picked {chosen.values[0]}", ephemeral=True)


async def with_buttons(bench: Bench) -> Outcome:
    @bench.client.tree.command(description="Pages")
    async def pages(interaction: discord.Interaction) -> None:
        await interaction.response.defer(thinking=True)
        await interaction.edit_original_response(content="page 1", view=Buttons())

    await bench.client.tree.sync()
    return await bench.reader.command(bench.demo.general, "pages")


@pytest.mark.asyncio
async def test_buttons_selects_and_modals_go_all_the_way(bench: Bench) -> None:
    outcome = await with_buttons(bench)
    message = outcome.message
    assert message is not None
    assert outcome.text == "page 1"
    assert (await bench.admin.click(message, "next")).text == "page 2"
    assert (await bench.reader.click(message, "later")).text == "page 3"
    picked = await bench.reader.select(message, "pick", ["Two"])
    assert (picked.text, picked.message is not None and picked.message.ephemeral) == ("picked Two", True)
    opened = await bench.reader.click(message, "report")
    assert opened.seen is Seen.MODAL
    assert opened.modal is not None
    assert [field["label"] for field in opened.modal.fields()] == ["What is wrong?"]
    custom_id = opened.modal.fields()[0]["custom_id"]
    thanks = await bench.reader.submit_modal(opened.modal, {custom_id: "a typo"})
    assert thanks.text == "thanks: a typo"


@pytest.mark.asyncio
async def test_the_client_refuses_what_discords_would(bench: Bench) -> None:
    message = (await with_buttons(bench)).message
    assert message is not None
    reader = bench.reader
    with pytest.raises(ClientRefusal, match="disabled"):
        await reader.click(message, "off")
    with pytest.raises(ClientRefusal, match="no component"):
        await reader.click(message, "nope")
    with pytest.raises(ClientRefusal, match="no option"):
        await reader.select(message, "pick", ["Three"])
    with pytest.raises(ClientRefusal, match="1 to 1"):
        await reader.select(message, "pick", ["One", "Two"])
    opened = (await reader.click(message, "report")).modal
    assert opened is not None
    custom_id = opened.fields()[0]["custom_id"]
    for text in ("", "no", "x" * 21):
        with pytest.raises(ClientRefusal):
            await reader.submit_modal(opened, {custom_id: text})
    with pytest.raises(ClientRefusal, match="no command"):
        await reader.command(bench.demo.general, "nope")
    outsider = bench.sandbox.human(bench.sandbox.world.add_user("outsider"))
    with pytest.raises(ClientRefusal, match="visible"):
        await outsider.click(message, "next")


@pytest.mark.asyncio
async def test_options_of_every_type_reach_the_bot_resolved(bench: Bench) -> None:
    got: dict[str, object] = {}

    @bench.client.tree.command(description="Everything")
    async def everything(
        interaction: discord.Interaction,
        text: app_commands.Range[str, 2, 5],
        number: app_commands.Range[int, 0, 50],
        ratio: float,
        on: bool,
        place: discord.TextChannel,
        who: discord.Member,
        file: discord.Attachment,
    ) -> None:
        got.update(text=text, number=number, ratio=ratio, on=on, place=place.name, who=who.display_name)
        got["file"] = await file.read()
        await interaction.response.send_message(f"in {interaction.channel}", ephemeral=True)

    await bench.client.tree.sync()
    upload = bench.admin.attach("papers.txt", "论文".encode())
    options = {
        "text": "abc",
        "number": 7,
        "ratio": 0.5,
        "on": True,
        "place": bench.demo.digest,
        "who": bench.demo.reader,
        "file": upload,
    }
    outcome = await bench.admin.command(bench.demo.general, "everything", options)
    assert outcome.text == "in general"
    assert got["file"] == "论文".encode()
    assert (got["place"], got["who"], got["number"], got["on"]) == ("iclr-digest", "Ren (reader)", 7, True)
    for wrong in (
        {"text": "a"},
        {"text": "abcdef"},
        {"number": 51},
        {"number": "7"},
        {"number": True},
        {"place": bench.demo.forum},
        {"who": "ren"},
        {"nope": 1},
        {"file": None},
    ):
        with pytest.raises(ClientRefusal):
            await bench.admin.command(bench.demo.general, "everything", {**options, **wrong})


@pytest.mark.asyncio
async def test_a_message_menu_brings_the_whole_message(bench: Bench) -> None:
    @bench.client.tree.context_menu(name="Find papers here")
    async def find(interaction: discord.Interaction, message: discord.Message) -> None:
        await interaction.response.send_message(f"read: {message.content}", ephemeral=True)

    await bench.client.tree.sync()
    message = bench.admin.send(bench.demo.general, "see arXiv 2601.01234")
    outcome = await bench.reader.message_menu(message, "Find papers here")
    assert outcome.text == "read: see arXiv 2601.01234"


@pytest.mark.asyncio
async def test_a_user_menu_brings_the_member(bench: Bench) -> None:
    @bench.client.tree.context_menu(name="Papers of")
    async def papers(interaction: discord.Interaction, member: discord.Member) -> None:
        await interaction.response.send_message(f"of {member.display_name}")

    await bench.client.tree.sync()
    outcome = await bench.admin.user_menu(bench.demo.general, bench.demo.reader, "Papers of")
    assert outcome.text == "of Ren (reader)"


@pytest.mark.asyncio
async def test_a_person_waits_for_a_message_and_sees_no_others(bench: Bench) -> None:
    waiting = asyncio.create_task(
        bench.reader.until_message(bench.demo.digest, lambda message: "news" in message.content)
    )
    rest = Rest(bench.sandbox)
    await rest.send(bench.demo.digest.id, content="old")
    await rest.send(bench.demo.digest.id, content="the news")
    assert (await waiting).content == "the news"
    assert (await bench.reader.until_message(bench.demo.digest)).content == "the news"
    with pytest.raises(TimeoutError):
        await bench.reader.until_message(bench.demo.staff, seconds=0.01)
    await bench.sandbox.until_bot_online(bench.demo.app.id)


@pytest.mark.asyncio
async def test_a_person_cannot_write_what_discords_client_refuses(bench: Bench) -> None:
    for text in ("", " \u200b", "x" * 2001, "😀" * 1001):
        with pytest.raises(ClientRefusal):
            bench.reader.send(bench.demo.general, text)
    with pytest.raises(ClientRefusal):
        bench.reader.send(bench.demo.staff, "x")
    with pytest.raises(ClientRefusal):
        bench.reader.attach("big.bin", bytes(10 * 1024 * 1024 + 1))


@pytest.mark.asyncio
async def test_commands_are_offered_by_right_context_and_install(bench: Bench) -> None:
    @bench.client.tree.command(description="Admins only")
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.guild_only()
    async def digest(interaction: discord.Interaction) -> None:
        member = interaction.user
        assert isinstance(member, discord.Member)
        await interaction.response.send_message(str(interaction.permissions.manage_guild))

    @bench.client.tree.command(description="Everywhere")
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def paper(interaction: discord.Interaction) -> None:
        context = interaction.context
        owners = (interaction.is_guild_integration(), interaction.is_user_integration())
        await interaction.response.send_message(
            f"{context.guild} {context.dm_channel} {owners} {interaction.locale}"
        )

    await bench.client.tree.sync()
    general = bench.demo.general
    assert [command.name for command in bench.admin.commands(general)] == ["digest", "paper"]
    assert [command.name for command in bench.reader.commands(general)] == ["paper"]
    assert (await bench.admin.command(general, "digest")).text == "True"
    assert (await bench.reader.command(general, "paper")).text == "True False (True, True) en-US"
    chinese = bench.sandbox.human(bench.demo.chinese_reader)
    dm = chinese.open_dm(bench.demo.bot)
    assert (await chinese.command(dm, "paper")).text == "False True (False, True) zh-CN"
    private = chinese.open_dm(bench.demo.admin)
    assert (await chinese.command(private, "paper")).text == "False False (False, True) zh-CN"
    with pytest.raises(ClientRefusal):
        await bench.admin.command(bench.admin.open_dm(bench.demo.bot), "digest")


@pytest.mark.asyncio
async def test_two_bots_see_only_their_own_interactions(bench: Bench) -> None:
    world = bench.sandbox.world
    other = world.add_application("Other", "other.token", owner=bench.demo.admin)
    world.add_member(bench.demo.guild, world.users[other.bot_id])
    await register(bench.sandbox)
    rest = Rest(bench.sandbox, "other.token")
    command = {"name": "other", "description": "d"}
    assert (await rest("PUT", f"/applications/{other.id}/commands", [command])).status == 200
    assert (await rest("GET", f"/applications/{APP_ID}/commands")).code == 20012
    heard: list[str] = []
    world.subscribe(lambda event: heard.append(event.name) if world.sees(bench.demo.bot.id, event) else None)
    act = asyncio.create_task(bench.reader.command(bench.demo.general, "other"))
    await asyncio.sleep(0)
    assert "INTERACTION_CREATE" not in heard
    bench.clock.advance(timedelta(seconds=4))
    assert (await act).seen is Seen.FAILED
