"""`/status`, `/help`, `/privacy`, `/settings`, `/import`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.model import Attachment
from bot.sandbox.outcome import Outcome
from bot.sources.importing import Imported, ImportFailedError
from tests.cogs.listings import entry, listing
from tests.herald_fixtures import Herald, buttons


@pytest.mark.asyncio
async def test_each_sees_their_own_part_of_the_status(herald: Herald) -> None:
    reader = await herald.reader.command(herald.general, "status")
    operator = await herald.admin.command(herald.general, "status")
    await herald.restart(owner_ids=frozenset())
    admin = await herald.admin.command(herald.general, "status")
    assert reader.message is not None
    assert reader.message.seen_only_by == herald.reader.user.id
    total = await herald.app.knowledge.lookups.count()
    for answer in (reader, admin, operator):
        assert f"{total} papers (26 main, 4 workshop" in answer.text
    assert "Nothing is held" not in reader.text
    assert "Nothing is held" in admin.text
    assert "Outbox" not in admin.text
    assert "Outbox" in operator.text


@pytest.mark.asyncio
async def test_the_status_names_the_servers_digest(herald: Herald) -> None:
    given = {"channel": herald.demo.digest, "time": "09:30", "timezone": "Europe/Berlin"}
    await herald.admin.command(herald.general, "digest set", given)
    answer = await herald.reader.command(herald.general, "status")
    assert f"Digest of this server: <#{herald.demo.digest.id}>" in answer.text


@pytest.mark.asyncio
async def test_the_operator_sees_the_last_error_by_its_id(
    herald: Herald, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("storage.statistics.Statistics.by_year", broken)
    failed = await herald.reader.command(herald.general, "stats", {"by": "year"})
    number = failed.text.split("**")[1]
    answer = await herald.admin.command(herald.general, "status")
    assert f"Last error `{number}`" in answer.text
    assert "secret" not in answer.text + failed.text


@pytest.mark.asyncio
async def test_the_help_shows_the_operators_commands_to_the_operator_only(herald: Herald) -> None:
    reader = await herald.reader.command(herald.general, "help")
    operator = await herald.admin.command(herald.general, "help")
    assert "</import:" not in reader.text
    assert "</import:" in operator.text


@pytest.mark.asyncio
async def test_everything_about_a_person_is_deleted_after_two_clicks(herald: Herald) -> None:
    reader, people = herald.reader, herald.app.people
    await reader.command(herald.general, "library save", {"paper": "LogQuant"})
    await reader.command(herald.general, "settings", {"me": "zh"})
    await reader.command(herald.general, "settings", {"me": "en"})
    page = await reader.command(herald.general, "privacy")
    assert page.message is not None
    asked = await reader.click(page.message, buttons(page.message)["Delete everything about me"])
    assert await people.library(reader.user.id)
    assert asked.message is not None
    done = await reader.click(asked.message, buttons(asked.message)["Confirm"])
    assert done.text == "Done. Nothing about you is kept any more."
    assert await people.library(reader.user.id) == []
    assert (await people.person(reader.user.id)).language is None


@pytest.mark.asyncio
async def test_a_persons_language_holds_in_every_answer(herald: Herald) -> None:
    changed = await herald.reader.command(herald.general, "settings", {"me": "zh-TW"})
    assert "繁體" in changed.text
    card = await herald.reader.command(herald.general, "paper", {"query": "LogQuant"})
    assert "作者" in card.text
    back = await herald.reader.command(herald.general, "settings", {"me": "auto"})
    assert back.text.startswith("I'll speak")


@pytest.mark.asyncio
async def test_the_servers_language_needs_manage_server(herald: Herald) -> None:
    refused = await herald.reader.command(herald.general, "settings", {"me": "zh", "server": "zh"})
    assert refused.text == "Only someone with **Manage Server** can do this."
    assert (await herald.app.people.person(herald.reader.user.id)).language is None
    done = await herald.admin.command(herald.general, "settings", {"server": "zh"})
    assert done.text == "I'll speak Simplified Chinese in this server."
    assert await herald.app.people.guild_language(herald.demo.guild.id) == "zh"
    shown = await herald.reader.command(herald.general, "settings")
    assert "This server's language: Simplified Chinese" in shown.text


async def _import(herald: Herald, file: Attachment) -> Outcome:
    return await herald.admin.command(herald.general, "import", {"file": file})


@pytest.mark.asyncio
async def test_an_operator_loads_an_attached_listing(herald: Herald) -> None:
    text = listing(entry("Otters Sort Stones"), entry("Volcano Music", authors="Grace Hopper"))
    answer = await _import(herald, herald.admin.attach("my listing (1).txt", text.encode()))
    assert "read 2 = 2 new + 0 updated + 0 unchanged + 0 duplicate + 0 rejected" in answer.text
    await herald.settle()
    found = await herald.reader.command(herald.general, "paper", {"query": "Otters Sort Stones"})
    assert found.text.startswith("ICLR 2026")


@pytest.mark.asyncio
async def test_a_file_that_is_no_listing_is_reported_without_paths(herald: Herald) -> None:
    answer = await _import(
        herald, herald.admin.attach("photo.png", b"\x89PNG\r\n\x1a\n" + bytes(2000), "image/png")
    )
    assert "photo.png" in answer.text
    assert "herald-" not in answer.text
    assert "Something went wrong" not in answer.text


@pytest.mark.asyncio
async def test_only_operators_import_even_as_admins(herald: Herald) -> None:
    await herald.restart(owner_ids=frozenset())
    answer = await _import(herald, herald.admin.attach("x.txt", listing(entry("Otters")).encode()))
    assert answer.text == "Only the operator of this bot can do this."


@pytest.mark.asyncio
async def test_a_file_that_is_too_large_is_refused_before_it_is_read(
    herald: Herald, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.service.LARGEST", 0)
    answer = await _import(herald, herald.admin.attach("x.txt", b"x"))
    assert answer.text == "The file is larger than 0 MB."


@pytest.mark.asyncio
async def test_a_long_report_comes_as_a_file_and_a_dead_importer_as_a_sentence(herald: Herald) -> None:
    rejected = [{"file": "x.txt", "line": n, "reason": "no title"} for n in range(40)]
    report: dict[str, Any] = {"files": ["x.txt"], "read": 40, "new": 0, "updated": 0, "unchanged": 0}
    report |= {"duplicate": [], "rejected": rejected, "warnings": []}

    async def long(_files: list[Path], _sidecar: Path | None) -> Imported:
        return Imported(report, True)

    async def dead(_files: list[Path], _sidecar: Path | None) -> Imported:
        raise ImportFailedError("Traceback: secret detail")

    cog: Any = herald.app.client.get_cog("ServiceCog")
    services = cog._services
    object.__setattr__(services, "load_files", long)
    answer = await _import(herald, herald.admin.attach("x.txt", b"x"))
    assert answer.message is not None
    assert [file.filename for file in answer.message.attachments] == ["load-report.json"]
    object.__setattr__(services, "load_files", dead)
    answer = await _import(herald, herald.admin.attach("x.txt", b"x"))
    assert answer.text.startswith("Something went wrong on my side.")
    assert "secret" not in answer.text
