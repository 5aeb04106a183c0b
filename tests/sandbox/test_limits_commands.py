from __future__ import annotations

from typing import Any

import pytest

from bot.sandbox.demo import APP_ID, GUILD_ID, Demo
from bot.sandbox.server import Sandbox
from tests.sandbox.wire_client import Rest

Part = dict[str, Any]
PATH = f"/applications/{APP_ID}/commands"


def command(**more: Any) -> Part:  # noqa: ANN401 - JSON
    return {"name": "paper", "description": "Look a paper up", "type": 1, **more}


def option(name: str = "query", **more: Any) -> Part:  # noqa: ANN401 - JSON
    return {"type": 3, "name": name, "description": "words", **more}


def choices(count: int) -> list[Part]:
    return [{"name": f"n{number}", "value": f"v{number}"} for number in range(count)]


SUB = {"type": 1, "name": "set", "description": "d"}
GROUP = {"type": 2, "name": "group", "description": "d"}

BAD = [
    (command(name="Paper"), ("name",), "APPLICATION_COMMAND_INVALID_NAME"),
    (command(name="two words"), ("name",), "APPLICATION_COMMAND_INVALID_NAME"),
    (command(name="p" * 33), ("name",), "BASE_TYPE_BAD_LENGTH"),
    (command(name=""), ("name",), "BASE_TYPE_REQUIRED"),
    (command(description=""), ("description",), "BASE_TYPE_REQUIRED"),
    (command(description="d" * 101), ("description",), "BASE_TYPE_BAD_LENGTH"),
    (command(name_localizations={"xx": "paper"}), ("name_localizations", "xx"), "BASE_TYPE_CHOICES"),
    (
        command(name_localizations={"zh-CN": "论 文"}),
        ("name_localizations", "zh-CN"),
        "APPLICATION_COMMAND_INVALID_NAME",
    ),
    (
        command(description_localizations={"zh-CN": "d" * 101}),
        ("description_localizations", "zh-CN"),
        "BASE_TYPE_BAD_LENGTH",
    ),
    (command(options=[option(str(n)) for n in range(26)]), ("options",), "BASE_TYPE_MAX_LENGTH"),
    (
        command(options=[option("a"), option("b", required=True)]),
        ("options", 1),
        "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
    ),
    (
        command(options=[option("a"), option("a")]),
        ("options", 1, "name"),
        "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED",
    ),
    (command(options=[option(choices=choices(26))]), ("options", 0, "choices"), "BASE_TYPE_MAX_LENGTH"),
    (
        command(options=[option(choices=[{"name": "n" * 101, "value": "v"}])]),
        ("options", 0, "choices", 0, "name"),
        "BASE_TYPE_BAD_LENGTH",
    ),
    (
        command(options=[option(choices=[{"name": "n", "value": 5}])]),
        ("options", 0, "choices", 0, "value"),
        "STRING_TYPE_CONVERT",
    ),
    (
        command(options=[option(choices=choices(2), autocomplete=True)]),
        ("options", 0),
        "APPLICATION_COMMAND_AUTOCOMPLETE_WITH_CHOICES",
    ),
    (
        command(options=[option(type=5, choices=choices(2))]),
        ("options", 0, "choices"),
        "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
    ),
    (command(options=[option(type=12)]), ("options", 0, "type"), "BASE_TYPE_CHOICES"),
    (command(options=[SUB, option()]), ("options",), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"),
    (
        command(options=[{**GROUP, "options": [{**GROUP, "options": [SUB]}]}]),
        ("options", 0),
        "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
    ),
    (command(contexts=[3]), ("contexts", 0), "BASE_TYPE_CHOICES"),
    (command(integration_types=[0, 0]), ("integration_types",), "SET_TYPE_ALREADY_CONTAINS_VALUE"),
    (
        {"name": "Find papers", "type": 3, "description": "no"},
        ("description",),
        "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION",
    ),
]


@pytest.mark.asyncio
@pytest.mark.parametrize(("body", "place", "complaint"), BAD)
async def test_a_command_beyond_a_limit_is_refused(
    sandbox: Sandbox, demo: Demo, body: Part, place: tuple[str | int, ...], complaint: str
) -> None:
    answer = await Rest(sandbox)("POST", PATH, body)
    assert (answer.status, answer.code) == (400, 50035)
    assert answer.complaint(*place) == complaint
    bulk = await Rest(sandbox)("PUT", PATH, [body])
    assert bulk.complaint(0, *place) == complaint
    assert sandbox.world.commands.everything() == []


@pytest.mark.asyncio
async def test_a_command_of_8000_characters_is_refused(sandbox: Sandbox, demo: Demo) -> None:
    long = [{"name": f"{n:03}" + "n" * 97, "value": "v" * 100} for n in range(25)]
    fits = command(options=[option("a", choices=long)])
    assert (await Rest(sandbox)("POST", PATH, fits)).status == 201
    too_large = command(options=[option("a", choices=long), option("b", choices=long)])
    answer = await Rest(sandbox)("POST", PATH, too_large)
    assert answer.complaint() == "APPLICATION_COMMAND_TOO_LARGE"


@pytest.mark.asyncio
@pytest.mark.parametrize("name", ["paper", "论文", "p-1_2", "हिन्दी", "คำสั่ง"])
async def test_names_of_other_scripts_are_accepted(sandbox: Sandbox, demo: Demo, name: str) -> None:
    assert (await Rest(sandbox)("POST", PATH, command(name=name))).status == 201


@pytest.mark.asyncio
async def test_bulk_overwrite_keeps_ids_and_deletes_the_rest(sandbox: Sandbox, demo: Demo) -> None:
    rest = Rest(sandbox)
    first = await rest("PUT", PATH, [command(), command(name="search")])
    second = await rest("PUT", PATH, [command(description="Another text"), command(name="cite")])
    assert [made["name"] for made in second.data] == ["paper", "cite"]
    assert second.data[0]["id"] == first.data[0]["id"]
    assert second.data[0]["version"] != first.data[0]["version"]
    again = await rest("PUT", PATH, [command(description="Another text"), command(name="cite")])
    assert [made["version"] for made in again.data] == [made["version"] for made in second.data]


@pytest.mark.asyncio
async def test_two_commands_of_one_name_are_refused(sandbox: Sandbox, demo: Demo) -> None:
    answer = await Rest(sandbox)("PUT", PATH, [command(), command()])
    assert answer.complaint(1, "name") == "APPLICATION_COMMANDS_DUPLICATE_NAME"


@pytest.mark.asyncio
async def test_more_than_a_hundred_commands_are_refused(sandbox: Sandbox, demo: Demo) -> None:
    answer = await Rest(sandbox)("PUT", PATH, [command(name=f"c{number}") for number in range(101)])
    assert (answer.status, answer.code) == (400, 50035)
    full = [command(name=f"c{number}") for number in range(100)]
    assert (await Rest(sandbox)("PUT", PATH, full)).status == 200
    assert (await Rest(sandbox)("POST", PATH, command(name="one-more"))).code == 30032


@pytest.mark.asyncio
async def test_the_two_hundredth_new_command_of_a_day_is_the_last(sandbox: Sandbox, demo: Demo) -> None:
    rest = Rest(sandbox)
    for batch in ("a", "b"):
        assert (await rest("PUT", PATH, [command(name=f"{batch}{n}") for n in range(100)])).status == 200
    assert (await rest("PUT", PATH, [command(name="b0", description="an edit is free")])).status == 200
    refused = await rest("PUT", PATH, [command(name="new")])
    assert (refused.status, refused.code) == (429, 30034)


@pytest.mark.asyncio
async def test_one_command_is_created_read_edited_and_deleted(sandbox: Sandbox, demo: Demo) -> None:
    rest = Rest(sandbox)
    made = await rest("POST", PATH, command(name_localizations={"zh-CN": "论文"}))
    assert made.status == 201
    one = f"{PATH}/{made.data['id']}"
    assert (await rest("POST", PATH, command(name_localizations={"zh-CN": "论文"}))).status == 200
    edited = await rest("PATCH", one, {"description": "New"})
    assert (edited.data["description"], edited.data["name"]) == ("New", "paper")
    assert "name_localizations" not in (await rest("GET", PATH)).data[0]
    full = await rest("GET", PATH + "?with_localizations=true")
    assert full.data[0]["name_localizations"] == {"zh-CN": "论文"}
    assert (await rest("DELETE", one)).status == 204
    assert (await rest("GET", one)).code == 10063


@pytest.mark.asyncio
async def test_a_foreign_application_or_server_is_refused(sandbox: Sandbox, demo: Demo) -> None:
    rest = Rest(sandbox)
    assert (await rest("GET", "/applications/1/commands")).code == 20012
    elsewhere = sandbox.world.add_guild("Elsewhere", owner=demo.admin)
    refused = await rest("PUT", f"/applications/{APP_ID}/guilds/{elsewhere.id}/commands", [command()])
    assert (refused.status, refused.code) == (403, 50001)
    assert (
        await rest("PUT", f"/applications/{APP_ID}/guilds/{GUILD_ID}/commands", [command()])
    ).status == 200
