"""The whole try-out in Chromium, as a stranger sees it: `python -m bot sandbox` and its page."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Locator, expect

from tests.browser_fixtures import Window, Windows, browser, chromium, windows

__all__ = ["browser", "windows"]
pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60.0
STOP_SECONDS = 20.0
LOADED_MS = 20_000  # a new listing is noticed within five seconds; the rest is for a busy machine
POSTED_MS = 40_000  # after a jump of the clock a due digest starts within twenty seconds
LISTING = """ICLR

Counting Teapots in Orbit with Sparse Attention

用稀疏注意力数轨道上的茶壶

Bertrand Beispiel

机构 * University of Cambridge（剑桥大学）

AI总结 虚构的示例论文，用来测试放入监视文件夹的列表。

Comments Accepted at ICLR 2026 (poster)
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def herald(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The sandbox with the real bot in it, as a process of its own; the address of its page."""
    chromium()  # without a browser there is nothing to start it for
    folder = tmp_path_factory.mktemp("tryout")
    port = free_port()
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TZ") if name in os.environ}
    environment = kept | {"HOME": str(folder), "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    environment["DATABASE_PATH"] = str(folder / "herald.db")
    command = [sys.executable, "-m", "bot", "sandbox", "--port", str(port), "--no-browser"]
    log = folder / "log.txt"
    with (
        log.open("wb") as errors,
        subprocess.Popen(  # noqa: S603 - our own program
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=errors
        ) as process,
    ):
        try:
            wait_until_ready(process, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(STOP_SECONDS)
            process.kill()
    assert process.returncode == 0, log.read_text(encoding="utf-8")
    assert not (folder / "herald.db").exists(), "the sandbox must not touch DATABASE_PATH"


def wait_until_ready(process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait for the line that names the page's address."""
    assert process.stdout is not None
    said = b""
    give_up = time.monotonic() + START_SECONDS
    while b"http://127.0.0.1:" not in said:
        ready, _, _ = select.select([process.stdout], [], [], max(0.0, give_up - time.monotonic()))
        piece = os.read(process.stdout.fileno(), 4096) if ready else b""
        if not piece:
            pytest.fail(f"the sandbox didn't start:\n{said.decode()}\n{log.read_text(encoding='utf-8')}")
        said += piece


async def do_step(window: Window, key: str) -> None:
    """Press a step of the guide and wait for its tick."""
    button = window.page.locator(f'[data-step="{key}"]')
    await button.click()
    await expect(button).to_have_text("Again", timeout=LOADED_MS)


def last_message(window: Window) -> Locator:
    return window.page.locator(".message").last


async def test_a_paper_is_looked_up_by_hand_despite_a_typo(herald: str, windows: Windows) -> None:
    window = await windows.open(herald)
    await expect(window.page.locator("#banner")).to_be_hidden()
    await window.type_command("/pap")
    await expect(window.page.get_by_role("option").first).to_contain_text("/paper")
    await window.press("Enter")
    await window.page.keyboard.type("lgoquant")
    await expect(window.page.get_by_role("option").first).to_contain_text("LogQuant")
    await window.press("Enter", "Enter")
    card = window.page.locator(".embed").last
    await expect(card.locator(".embed-title")).to_contain_text("LogQuant: Log-Distributed 2-Bit Quantization")
    await expect(card).to_contain_text("量化")
    await expect(card).to_contain_text("ICLR 2025")
    assert window.problems == []


async def test_a_button_of_the_card_answers_privately(herald: str, windows: Windows) -> None:
    window = await windows.open(herald)
    await window.type_command("/paper 知识感知")
    await window.press("Enter")
    await expect(window.page.locator(".embed").last).to_contain_text("Can LLMs Refuse")
    await last_message(window).locator("button.button").first.click()
    await expect(window.page.locator(".message.ephemeral").last).to_contain_text("Only you can see this")
    await expect(window.page.locator(".component-failure")).to_have_count(0)
    assert window.problems == []


async def test_an_admin_may_what_a_reader_may_not(herald: str, windows: Windows) -> None:
    window = await windows.open(herald)
    staff = window.page.locator(".channel", has_text="staff")
    await expect(staff).to_have_count(0)
    await window.type_command("/digest show")
    # Discord's client may hide the command from a reader, or the bot may refuse it; either way it says so.
    await window.press("Enter", "Enter")
    refusal = window.page.locator(".suggest-note:visible, .message.ephemeral").last
    await expect(refusal).to_contain_text(re.compile("No such command|Manage Server"))
    await window.page.locator('[data-persona="admin"]').first.click()
    await expect(staff).to_be_visible()
    await window.type_command("/digest show")
    await window.press("Enter", "Enter")
    answer = window.page.locator(".message.ephemeral").last
    await expect(answer).to_contain_text(re.compile("digest", re.IGNORECASE))
    await expect(answer).not_to_contain_text("Manage Server")
    assert window.problems == []


async def test_the_guided_tour_ends_with_an_alert_and_a_digest(herald: str, windows: Windows) -> None:
    window = await windows.open(herald)
    await do_step(window, "s1")
    await expect(window.page.locator(".embed").last).to_contain_text("LogQuant")
    await do_step(window, "s2")
    await expect(window.page.locator(".embed").last).to_contain_text("Can LLMs Refuse")
    await do_step(window, "s3")
    await expect(window.page.locator(".message.ephemeral", has_text="Tsinghua University")).to_be_visible()
    await do_step(window, "s4")
    await expect(window.page.locator(".message.ephemeral", has_text="#iclr-digest")).to_be_visible()
    await do_step(window, "s5")
    alert = window.page.locator(".message", has_text="TeaLeaf").last
    await expect(alert).to_be_visible(timeout=LOADED_MS)
    await expect(window.page.get_by_role("heading", level=1)).to_have_text("ICLR Herald")
    await expect(alert).to_contain_text("Tsinghua University")
    await do_step(window, "s6")
    digest = window.page.locator("#messages")
    await expect(window.page.get_by_role("heading", level=1)).to_have_text("iclr-digest")
    await expect(digest).to_contain_text("PocketOwl: Night-Shift Scheduling", timeout=POSTED_MS)
    await expect(digest).to_contain_text("夜班调度")
    await expect(digest).to_contain_text("merges rarely used experts")
    await expect(digest).to_contain_text("面向过度自信鹦鹉的温和基准")
    await window.page.locator(".message button.button").first.click()
    await expect(window.page.locator(".message.ephemeral").last).to_be_visible()
    assert window.problems == []


async def test_a_listing_of_ones_own_is_loaded_from_the_page(herald: str, windows: Windows) -> None:
    window = await windows.open(herald)
    listing = {"name": "mine.txt", "mimeType": "text/plain", "buffer": LISTING.encode()}
    await window.page.locator("#listing-file").set_input_files(listing)  # type: ignore[arg-type] # a FilePayload
    await expect(window.page.locator(".toast")).to_contain_text("mine.txt is in the watched folder")
    await window.type_command("/paper ")
    field = window.page.locator("#option-query")
    found = window.page.get_by_role("option").filter(has_text="Counting Teapots")
    async with asyncio.timeout(LOADED_MS / 1000):
        while not await found.count():  # until the bot has read the folder
            await field.fill("")
            await field.press_sequentially("counting teapots")
            with contextlib.suppress(AssertionError):
                await expect(found).to_have_count(1, timeout=1000)
    await window.press("Enter", "Enter")
    await expect(window.page.locator(".embed").last).to_contain_text("用稀疏注意力数轨道上的茶壶")
    assert window.problems == []
