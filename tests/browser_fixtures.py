"""Chromium for tests of the page: skipped loudly where there is none, a failure in CI."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Page, ViewportSize, async_playwright

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}


def chromium() -> str:
    """The path of Chromium: what CHROMIUM says, else what is installed."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if found and Path(found).exists():
        return found
    message = "Chromium is missing: install it, or put its path into CHROMIUM"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    """A headless Chromium for all tests of a module, which share one event loop: `asyncio(loop_scope="module")`."""
    path = chromium()
    async with async_playwright() as playwright:
        running = await playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield running
        await running.close()


class Window:
    """A browser window on the page, with what went wrong in it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.problems: list[str] = []
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", lambda said: self.problems.append(said.text) if said.type == "error" else None)

    async def type_command(self, text: str) -> None:
        """Type into the composer, key by key."""
        await self.page.locator("#composer-input").press_sequentially(text)

    async def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            await self.page.keyboard.press(key)


class Windows:
    """Opens windows; `close` closes them all."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []

    async def open(self, url: str, *, size: ViewportSize = DESKTOP) -> Window:
        """A new window with nothing remembered, on the page and past its start."""
        context = await self._browser.new_context(viewport=size, reduced_motion="reduce")
        self._contexts.append(context)
        page = await context.new_page()
        page.set_default_timeout(15_000)
        window = Window(page)
        await page.goto(url)
        await page.locator(".channel.open").wait_for(state="attached")
        return window

    async def close(self) -> None:
        """Close every window."""
        for context in self._contexts:
            await context.close()


@pytest_asyncio.fixture(loop_scope="module")
async def windows(browser: Browser) -> AsyncIterator[Windows]:
    """Opens windows, which are closed after the test."""
    opened = Windows(browser)
    yield opened
    await opened.close()
