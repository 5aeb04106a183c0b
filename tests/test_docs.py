"""What is written about the program against the program: commands, links, and nothing of the machine it was made on."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from bot.cli.main import _COMMANDS, _parser
from tests.herald_fixtures import Herald, herald, idle_herald, sample_database

__all__ = ["herald", "idle_herald", "sample_database"]

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")
OPERATING = (ROOT / "docs" / "operating.md").read_text("utf-8")
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("bot/**/*.md")])
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+\s+(.*)$", re.MULTILINE)
# A person's or a job's folder; an example in a text names a relative path.
_MACHINE = re.compile(r"(?<![\w.])/(?:home|Users|root)/[\w.-]+")


def _below(parser: argparse.ArgumentParser, path: str) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, sub in action.choices.items():
                yield f"{path} {name}".strip(), sub
                yield from _below(sub, f"{path} {name}".strip())


COMMANDS = dict(_below(_parser(), ""))


def test_the_commands_are_those_of_the_dispatcher() -> None:
    assert {name for name in COMMANDS if " " not in name} == set(_COMMANDS)
    assert len(COMMANDS) > len(_COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_stands_in_the_readme(command: str) -> None:
    if any(other.startswith(f"{command} ") for other in COMMANDS):
        return  # its actions do
    assert re.search(rf"`{command}[` ]", README), f"README says nothing about `{command}`"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    parser = COMMANDS[command]
    above = COMMANDS[command.rpartition(" ")[0]] if " " in command else _parser()
    (actions,) = [action for action in above._actions if isinstance(action, argparse._SubParsersAction)]
    helped = {choice.dest: choice.help for choice in actions._choices_actions}
    assert helped[command.split()[-1]], command
    assert parser.format_help()
    for option in parser._actions:
        assert option.help or not option.option_strings, f"{command} {option.option_strings}"


def _slash(options: list[dict[str, Any]], path: str) -> Iterator[str]:
    below = [option for option in options if option["type"] in (1, 2)]  # sub-command, sub-command group
    if not below:
        yield path
    for option in below:
        yield from _slash(option.get("options", []), f"{path} {option['name']}")


@pytest.mark.asyncio
async def test_every_slash_command_stands_in_the_readme(herald: Herald) -> None:
    commands = herald.sandbox.world.commands.scope(herald.demo.app.id, None)
    slash = [command for command in commands if command.type == 1]
    leaves = [leaf for one in slash for leaf in _slash(one.data.get("options", []), f"/{one.name}")]
    assert len(leaves) > len(slash) > 10
    assert [leaf for leaf in leaves if f"`{leaf}`" not in README] == []
    menus = [command.name for command in commands if command.type == 3]
    assert [menu for menu in menus if f"*{menu}*" not in README] == []


@pytest.mark.parametrize("code", [0, 1, 2, 3, 4, 5, 6, 70, 130])
def test_every_exit_code_stands_in_the_guide(code: int) -> None:
    assert re.search(rf"^\| {code} \|", OPERATING, re.MULTILINE)


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for link in _LINK.findall(page.read_text("utf-8")):
        parts = urlsplit(link)
        if parts.scheme:
            continue
        target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
        assert target.exists(), f"{page.name}: {link} leads nowhere"
        if parts.fragment:
            headings = {_anchor(one) for one in _HEADING.findall(target.read_text("utf-8"))}
            assert parts.fragment in headings, f"{page.name}: {link} names no heading"


def _tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"],  # noqa: S607 - git as the person has it
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("no git checkout, so nothing says which files are the project's")
    paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    return [path for path in paths if path.is_file()]


def _hosts_of_pip() -> set[str]:
    """The hosts of this machine's own package registry, if it has one."""
    told = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, encoding="utf-8", check=False
    ).stdout
    hosts = {urlsplit(address).hostname for address in re.findall(r"https?://[^\s'\"]+", told)}
    return {host for host in hosts if host}


def test_nothing_tells_of_the_machine_it_was_made_on() -> None:
    foreign = {*_hosts_of_pip(), f"{ROOT}/"}
    for path in _tracked():
        text = path.read_text("utf-8", errors="replace")
        assert not [word for word in foreign if word in text], path
        if path != Path(__file__).resolve():
            assert not (found := _MACHINE.search(text)), f"{path}: {found}"


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_locks_carry_hashes_and_no_addresses(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    assert "--hash=sha256:" in text
    assert not re.search(r"https?://|--(?:extra-)?index-url|--find-links", text)
