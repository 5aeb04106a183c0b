"""The page in a real browser, against the small bot: what people see, type and press."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import expect

from bot.clock import ShiftedClock, SystemClock
from bot.sandbox import page
from bot.sandbox.demo import Demo, furnish
from bot.sandbox.messages import Draft
from bot.sandbox.server import Sandbox
from tests.browser_fixtures import PHONE, Windows, browser, windows
from tests.sandbox.stub_bot import furnish_client
from tests.sandbox_fixtures import Client, connected

__all__ = ["browser", "windows"]
pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]


@dataclass
class Stage:
    """A running sandbox with the small bot in it."""

    sandbox: Sandbox
    demo: Demo
    folder: Path


@pytest_asyncio.fixture(loop_scope="module")
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    sandbox = Sandbox(clock=ShiftedClock(SystemClock()), listing_dir=tmp_path / "listings", rate_limits=False)
    demo = furnish(sandbox.world)
    page.add_routes(sandbox.app, sandbox)
    async with sandbox, connected(sandbox, Client()) as client:
        await furnish_client(client)
        yield Stage(sandbox, demo, tmp_path / "listings")


async def test_a_command_is_typed_with_the_keyboard_alone(stage: Stage, windows: Windows) -> None:
    window = await windows.open(stage.sandbox.url)
    await window.type_command("/pap")
    options = window.page.get_by_role("option")
    await expect(options).to_have_count(1)
    await window.press("Enter")
    await window.page.keyboard.type("learning")
    await expect(options).to_have_count(1)
    await expect(options.first).to_contain_text("Learning to Reason")
    await expect(options.first).to_have_attribute("aria-selected", "true")
    await window.press("Tab", "Enter")
    embed = window.page.locator(".embed")
    await expect(embed.locator(".embed-title")).to_have_text("Learning to Reason without External Rewards")
    await expect(embed.get_by_role("link")).to_have_attribute("rel", "noopener noreferrer nofollow")
    await expect(window.page.locator(".used")).to_contain_text("/paper")
    await expect(window.page.locator("#composer-input")).to_be_focused()
    assert window.problems == []


async def test_enter_never_takes_a_suggestion_for_an_older_text(stage: Stage, windows: Windows) -> None:
    window = await windows.open(stage.sandbox.url)
    await window.type_command("/paper ")
    await expect(window.page.get_by_role("option")).to_have_count(3)
    await window.page.keyboard.type("reason")
    await window.press("Enter")  # sooner than the bot is asked for what fits
    await expect(window.page.locator(".embed-title")).to_have_text("reason")


async def test_a_missing_option_is_named_and_escape_leaves(stage: Stage, windows: Windows) -> None:
    window = await windows.open(stage.sandbox.url)
    await window.type_command("/paper ")
    await expect(window.page.get_by_role("option")).to_have_count(3)
    await window.press("Escape", "Enter")
    await expect(window.page.locator(".option-problem")).to_have_text("This option is required.")
    await window.press("Escape")
    await expect(window.page.locator("#composer-input")).to_have_value("")


async def test_hostile_text_stays_text(stage: Stage, windows: Windows) -> None:
    window = await windows.open(stage.sandbox.url)
    await window.type_command("/hostile")
    await window.press("Enter", "Enter")
    content = window.page.locator(".content")
    await expect(content).to_contain_text("<img src=x onerror=alert(1)> bold [x](javascript:alert(1))")
    await expect(content.locator("strong")).to_have_text("bold")
    await expect(content.locator(".mention").first).to_have_text("@everyone")
    await expect(window.page.locator(".message img:not(.avatar)")).to_have_count(0)
    await expect(window.page.locator('a[href^="javascript"]')).to_have_count(0)
    assert window.problems == []


async def test_markdown_is_shown_as_discord_shows_it(stage: Stage, windows: Windows) -> None:
    text = "\n".join(
        [
            "# Head",
            "> quoted",
            "- one **b** *i* ~~s~~ __u__ `c` ||hidden||",
            "-# small",
            "***both*** snake_case_name 2*3*4 \\*no\\*",
            "[label](https://example.org/a_(b)) <https://example.org/c> https://example.org/d.",
            "```py\nx = '**'\n```",
        ]
    )
    stage.sandbox.world.messages.post(stage.demo.general, stage.demo.bot.id, Draft(text))
    window = await windows.open(stage.sandbox.url)
    content = window.page.locator(".content")
    await expect(content.locator(".md-h1")).to_have_text("Head")
    await expect(content.locator("blockquote")).to_have_text("quoted")
    for tag in ("s", "u", ".spoiler", ".md-small"):
        await expect(content.locator(tag)).to_have_count(1)
    await expect(content.locator("strong em")).to_have_text("both")
    await expect(content).to_contain_text("snake_case_name")
    await expect(content).to_contain_text("*no*")
    await expect(content.locator("pre code")).to_have_text("x = '**'")
    links = [await link.get_attribute("href") for link in await content.get_by_role("link").all()]
    assert links == ["https://example.org/a_(b)", "https://example.org/c", "https://example.org/d"]


async def test_text_made_to_be_slow_is_shown_at_once(stage: Stage, windows: Windows) -> None:
    for text in ("*_" * 1000, "[" * 2000, "**a" * 666, "||" * 1000, "`" * 2000, "> " * 1000):
        stage.sandbox.world.messages.post(stage.demo.general, stage.demo.bot.id, Draft(text[:2000]))
    window = await windows.open(stage.sandbox.url)
    await expect(window.page.locator(".message")).to_have_count(6)
    assert window.problems == []


async def test_private_answers_forms_and_failures(stage: Stage, windows: Windows) -> None:
    window = await windows.open(stage.sandbox.url)
    await window.type_command("/paper x")
    await window.press("Enter")
    await window.page.get_by_role("button", name="Save").click()
    private = window.page.locator(".ephemeral")
    await expect(private).to_contain_text("Only you can see this")
    await private.get_by_role("button", name="Dismiss message").click()
    await expect(private).to_have_count(0)
    await window.page.get_by_role("button", name="Report").click()
    form = window.page.get_by_role("dialog")
    await form.get_by_label("Describe it").fill("wrong name")
    await form.get_by_role("button", name="Submit").click()
    await expect(window.page.locator(".ephemeral")).to_contain_text("Thanks: wrong name")
    await window.page.get_by_label("Cite as").select_option("RIS")
    await expect(window.page.locator(".ephemeral pre")).to_have_text("format ris")
    await window.type_command("/silent")
    await window.press("Enter", "Enter")
    await expect(window.page.get_by_text("Sending command")).to_be_visible()
    stage.sandbox.skip(stage.sandbox.world.messages.nonce_window)
    await expect(window.page.locator(".failure")).to_have_text("The application did not respond")
    assert window.problems == []


async def test_a_message_has_its_apps_menu(stage: Stage, windows: Windows) -> None:
    stage.sandbox.human(stage.demo.admin).send(stage.demo.general, "see arXiv 2601.00001")
    window = await windows.open(stage.sandbox.url)
    await window.page.locator(".message").click(button="right")
    await window.page.get_by_role("menuitem", name="Find papers here").click()
    await expect(window.page.locator(".ephemeral")).to_contain_text("Found nothing here.")


async def test_the_admins_options_and_the_file_of_an_import(stage: Stage, windows: Windows) -> None:
    window = await windows.open(stage.sandbox.url)
    await window.page.locator('[data-persona="admin"]').click()
    await expect(window.page.get_by_text("staff")).to_be_visible()
    await window.type_command("/digest set ")
    await window.page.keyboard.type("iclr")
    await window.press("Enter")
    await window.page.keyboard.type("09:00")
    await window.page.get_by_role("button", name="Add option language").click()
    await window.press("ArrowDown", "Enter", "Enter")
    await expect(window.page.locator(".content")).to_contain_text("Digest in #iclr-digest at 09:00, chinese")
    await window.type_command("/import")
    await window.press("Enter")
    await window.page.locator("#option-file").set_input_files(
        {"name": "more.txt", "mimeType": "text/plain", "buffer": b"123"}
    )
    await window.page.get_by_role("button", name="Send command").click()
    await expect(window.page.locator(".ephemeral")).to_contain_text("more.txt: 3 bytes")


async def test_unread_channels_and_the_other_personas_dm_are_marked(stage: Stage, windows: Windows) -> None:
    window = await windows.open(stage.sandbox.url)
    world, demo = stage.sandbox.world, stage.demo
    world.messages.post(demo.digest, demo.bot.id, Draft("today"))
    channel = window.page.locator(f'[data-channel="{demo.digest.id}"]')
    await expect(channel.locator(".unread-dot")).to_be_visible()
    await channel.click()
    await expect(channel.locator(".unread-dot")).to_have_count(0)
    world.messages.post(world.open_dm(demo.bot.id, demo.admin.id), demo.bot.id, Draft("for the admin"))
    await expect(window.page.locator('[data-persona="admin"] .unread-dot')).to_be_visible()
    await window.page.reload()
    await expect(channel).to_have_attribute("aria-current", "page")
    await expect(channel.locator(".unread-dot")).to_have_count(0)


async def test_the_persona_speaks_chinese(stage: Stage, windows: Windows) -> None:
    window = await windows.open(stage.sandbox.url)
    await window.page.locator('[data-locale="zh-CN"]').click()
    await expect(window.page.get_by_role("tab", name="试一试")).to_be_visible()
    await window.type_command("/pa")
    await expect(window.page.get_by_role("option")).to_contain_text("查找论文")
    await window.page.locator("#composer-input").fill("")
    await window.type_command("/language")
    await window.press("Enter", "Enter")
    await expect(window.page.locator(".ephemeral")).to_contain_text("locale zh-CN")
    assert await window.page.evaluate("document.documentElement.lang") == "zh-CN"


async def test_a_dropped_file_goes_into_the_watched_folder(stage: Stage, windows: Windows) -> None:
    window = await windows.open(stage.sandbox.url)
    await window.page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.items.add(new File(['列表'], 'new.txt'));
            dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
        }"""
    )
    await expect(window.page.locator(".toast")).to_contain_text("new.txt is in the watched folder")
    assert (stage.folder / "new.txt").read_text(encoding="utf-8") == "列表"


async def test_the_page_comes_back_after_the_server_does(windows: Windows) -> None:
    first = Sandbox(clock=ShiftedClock(SystemClock()))
    furnish(first.world)
    page.add_routes(first.app, first)
    async with first:
        window = await windows.open(first.url)
    await expect(window.page.locator("#banner")).to_contain_text("Reconnecting")
    again = Sandbox(port=first.port, clock=ShiftedClock(SystemClock()))
    demo = furnish(again.world)
    page.add_routes(again.app, again)
    async with again:
        again.human(demo.admin).send(demo.general, "back again")
        await expect(window.page.locator(".content")).to_have_text("back again")
        await expect(window.page.locator("#banner")).to_contain_text("is starting")


async def test_a_phone_shows_everything_without_scrolling_sideways(stage: Stage, windows: Windows) -> None:
    window = await windows.open(stage.sandbox.url, size=PHONE)
    await window.type_command("/paper x")
    await window.press("Enter")
    await expect(window.page.locator(".embed")).to_be_visible()
    width = await window.page.evaluate("document.scrollingElement.scrollWidth")
    assert width == PHONE["width"]
    await window.page.get_by_role("button", name="Open channels").click()
    await window.page.locator(f'[data-channel="{stage.demo.digest.id}"]').click()
    await expect(window.page.get_by_role("heading", level=1)).to_have_text("iclr-digest")
    await expect(window.page.locator("#sidebar")).not_to_be_visible()
    await window.page.get_by_role("button", name="Try this").click()
    await expect(window.page.get_by_role("progressbar")).to_be_visible()


async def test_the_log_shows_what_was_refused(stage: Stage, windows: Windows) -> None:
    window = await windows.open(stage.sandbox.url)
    await window.page.get_by_role("tab", name="API log").click()
    await expect(window.page.locator(".log")).to_contain_text("/applications/")
    await window.page.evaluate("fetch('/api/v10/users/@me')")
    await expect(window.page.locator(".log .refused")).to_contain_text("401")
