"""Status, help, privacy, load reports."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.render import ids
from bot.render.help import SECTIONS, help_page, privacy_confirm, privacy_page
from bot.render.loads import load_report
from bot.render.status import DigestState, Source, State, Stuck, status, without_secrets
from bot.render.voice import Voice
from tests.render.discord_rules import faults
from tests.render.markdown import read
from tests.render.samples import CATALOGUE, CHINESE, ENGLISH, HOSTILE_TITLES, VOICES, markdown_of, said

NOW = datetime(2026, 7, 9, 12, tzinfo=UTC)
STATE = State(
    version="0.1.0",
    papers=30,
    by_track={"main": 26, "workshop": 4, "other": 0},
    last_load=NOW,
    load_counts={"new": 30, "updated": 0, "unchanged": 0},
    digest=DigestState(55, NOW, None),
    in_server=True,
    held=(Stuck(55, "missing_permission send_messages", NOW),),
    started=NOW,
    schema=7,
    sources=(
        Source("https://user:secret@x.org/list?token=abc", NOW, None, None, NOW),
        Source("folder", None, "cannot read https://x.org/a?key=1", NOW, None),
    ),
    outbox={"pending": 2, "held": 1},
    subscriptions=5,
    guilds=2,
    corrections=1,
    last_error=("abc123", NOW),
)


def test_a_reader_sees_their_part() -> None:
    shown = said(status(ENGLISH, STATE, "reader"))
    for text in (
        "ICLR Herald 0.1.0",
        "30 papers (26 main, 4 workshop)",
        "<t:1783598400:f>",
        "30 new",
        "<#55>",
    ):
        assert text in shown
    for text in ("Held", "Outbox", "Sources", "abc123", "database"):
        assert text not in shown


def test_an_admin_sees_what_is_held_here() -> None:
    shown = said(status(ENGLISH, STATE, "admin"))
    assert "Held here" in shown
    assert "<#55>: missing permission: Send Messages (since <t:1783598400:R>)" in shown
    assert "Outbox" not in shown
    assert "Nothing is held" in said(status(ENGLISH, replace(STATE, held=()), "admin"))


def test_an_operator_sees_everything_but_secrets() -> None:
    shown = said(status(ENGLISH, STATE, "operator"))
    for text in (
        "Held here",
        "2 pending",
        "1 held",
        "5 subscriptions",
        "2 servers",
        "1 report waits",
        "abc123",
        "folder",
    ):
        assert text in shown
    for secret in ("secret", "token", "key=1", "user"):
        assert secret not in shown


def test_an_address_loses_its_secrets() -> None:
    assert without_secrets("GET https://u:p@x.org:8/a?b=c#d failed") == "GET https://x.org:8/a failed"
    assert without_secrets("no address") == "no address"


def test_a_fresh_start_says_so() -> None:
    fresh = State("0.1.0", 0, {}, None)
    assert "Last load: none yet" in said(status(ENGLISH, fresh, "reader"))
    assert "No errors" in said(status(ENGLISH, fresh, "operator"))


@pytest.mark.parametrize("voice", VOICES)
@pytest.mark.parametrize("text", [*HOSTILE_TITLES, "x" * 5000])
def test_any_status_fits_and_is_harmless(voice: Voice, text: str) -> None:
    state = replace(
        STATE,
        version=text,
        held=(Stuck(1, text, NOW),) * 50,
        failed=(Stuck(1, text, NOW),) * 50,
        sources=(Source(text, NOW, text, NOW, NOW),) * 50,
    )
    message = status(voice, state, "operator")
    assert faults(message.payload()) == []
    assert set(read(markdown_of(message)).active) <= {"bold", "mention", "timestamp", "code"}


@pytest.mark.parametrize("voice", VOICES)
def test_the_help_names_every_command(voice: Voice) -> None:
    message = help_page(voice, operator=True)
    assert faults(message.payload()) == []
    shown = said(message)
    groups = {"subscribe", "library", "digest"}
    described = {key.split(".")[1] for key in CATALOGUE.keys() if key.startswith("commands.")}  # noqa: SIM118 - a method of ours
    for name in described - groups - {"find_papers_here"}:
        assert f"/{name.replace('_', ' ')}" in shown
    assert sorted(name for names in SECTIONS.values() for name in names) == sorted(
        described - groups - {"find_papers_here"}
    )


def test_the_help_is_clickable_when_the_commands_are_known() -> None:
    shown = said(help_page(ENGLISH, {"digest": 42}))
    assert "</digest set:42>" in shown
    assert "`/paper`" in shown
    assert "/import" not in shown


def test_privacy_can_be_acted_on() -> None:
    for voice in VOICES:
        assert faults(privacy_page(voice).payload()) == []
    assert privacy_page(CHINESE).custom_ids() == (ids.encode("settings", "forget"),)
    assert privacy_confirm(ENGLISH).custom_ids() == (ids.encode("settings", "forget", "yes"),)


def report(count: int, text: str = "no title") -> dict[str, object]:
    return {
        "files": 2,
        "read": 30 + count,
        "new": 28,
        "updated": 1,
        "unchanged": 1,
        "duplicate": [],
        "rejected": [{"file": text, "line": n, "reason": text} for n in range(count)],
        "warnings": [text] * count,
    }


def test_a_load_report_adds_up() -> None:
    shown = said(load_report(ENGLISH, report(1)))
    assert "2 files" in shown
    assert "read 31 = 28 new + 1 updated + 1 unchanged + 0 duplicate + 1 rejected" in shown
    assert "no title, line 0: no title" in shown
    assert load_report(ENGLISH, report(1)).files == ()


def test_a_long_load_report_comes_as_a_file() -> None:
    message = load_report(CHINESE, report(500))
    assert faults(message.payload()) == []
    assert message.files[0].name == "load-report.json"
    assert message.files[0].text.count('"line"') == 500
    assert "另有 492 条" in said(message)


@pytest.mark.parametrize("text", HOSTILE_TITLES)
def test_a_load_report_is_harmless(text: str) -> None:
    message = load_report(ENGLISH, report(3, text))
    assert set(read(markdown_of(message)).active) <= {"bold", "list"}
