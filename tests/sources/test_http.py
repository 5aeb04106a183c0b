"""Fetching one page: limits, manners, and a sentence for everything that can go wrong."""

from __future__ import annotations

import gzip
from datetime import timedelta

import pytest
from aiohttp import web
from yarl import URL

from bot.sources.http import (
    BusyError,
    Fetched,
    FetchError,
    Limits,
    MissingError,
    Validators,
    retry_after,
    shown,
    user_agent,
)
from tests.sources.site import START, Desk, cut_short

TEXT = ("text/*",)


async def get(desk: Desk, path: str = "list", **more: object) -> Fetched:
    options: dict[str, object] = {"accept": TEXT, "limits": Limits(size=1 << 20, seconds=5)}
    return await desk.fetcher.get(
        desk.site.url / path if "://" not in path else URL(path),
        desk.folder / "page",
        **(options | more),  # type: ignore[arg-type]  # by name
    )


@pytest.mark.asyncio
async def test_a_page_comes_whole_with_what_the_server_says_of_it(desk: Desk) -> None:
    desk.site.says("AI总结 x", ETag='"v1"', **{"Last-Modified": "Mon, 04 May 2026 08:00:00 GMT"})
    fetched = await get(desk)
    assert fetched.file.read_text("utf-8") == "AI总结 x"
    assert fetched.validators == Validators('"v1"', "Mon, 04 May 2026 08:00:00 GMT")
    assert desk.site.asked[0].headers["User-Agent"] == "iclr-herald/1.0 (mailto:ops@example.org)"


@pytest.mark.asyncio
async def test_an_unchanged_page_is_not_sent_again(desk: Desk) -> None:
    desk.site.fails(304)
    fetched = await get(desk, known=Validators('"v1"', "Mon, 04 May 2026 08:00:00 GMT"))
    assert not fetched.changed
    headers = desk.site.asked[0].headers
    assert headers["If-None-Match"] == '"v1"'
    assert headers["If-Modified-Since"] == "Mon, 04 May 2026 08:00:00 GMT"


@pytest.mark.asyncio
async def test_a_slow_server_is_given_up(desk: Desk) -> None:
    desk.site.answer = desk.site.hang
    with pytest.raises(FetchError, match=r"took longer than 0\.1 seconds"):
        await get(desk, limits=Limits(seconds=0.1))


@pytest.mark.asyncio
async def test_a_body_that_drips_is_given_up(desk: Desk) -> None:
    async def drip(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/plain"})
        await response.prepare(request)
        await response.write(b"AI")
        return await desk.site.hang(request)

    desk.site.answer = drip
    with pytest.raises(FetchError, match="took longer"):
        await get(desk, limits=Limits(seconds=0.2))


@pytest.mark.asyncio
async def test_a_truncated_answer_is_no_page(desk: Desk) -> None:
    desk.site.answer = cut_short
    with pytest.raises(FetchError, match="ended early"):
        await get(desk)


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.asyncio
async def test_fifty_megabytes_are_not_taken(desk: Desk, told: bool) -> None:
    sent = 0

    async def flood(request: web.Request) -> web.StreamResponse:
        nonlocal sent
        response = web.StreamResponse(headers={"Content-Type": "text/plain"})
        if told:
            response.content_length = 50 << 20
        await response.prepare(request)
        for _ in range(800):
            await response.write(b"x" * (1 << 16))
            sent += 1 << 16
        return response

    desk.site.answer = flood
    with pytest.raises(FetchError, match="larger than 1 MiB"):
        await get(desk)
    assert sent < 40 << 20, "the rest isn't read"


@pytest.mark.asyncio
async def test_a_small_body_that_unpacks_to_a_large_one_is_not_taken(desk: Desk) -> None:
    desk.site.says(gzip.compress(b"x" * (4 << 20)), **{"Content-Encoding": "gzip"})
    with pytest.raises(FetchError, match="larger than 1 MiB"):
        await get(desk)


@pytest.mark.asyncio
async def test_another_kind_of_content_is_not_taken(desk: Desk) -> None:
    desk.site.says(b"\x89PNG", "image/png")
    with pytest.raises(FetchError, match=r"sends image/png, not text/\*"):
        await get(desk)


@pytest.mark.parametrize(("status", "kind"), [(404, MissingError), (410, MissingError), (500, FetchError)])
@pytest.mark.asyncio
async def test_refusals_are_told_by_kind(desk: Desk, status: int, kind: type[FetchError]) -> None:
    desk.site.fails(status)
    with pytest.raises(kind) as caught:
        await get(desk)
    assert str(status) in str(caught.value)


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.asyncio
async def test_a_busy_server_says_how_long(desk: Desk, status: int) -> None:
    desk.site.fails(status, **{"Retry-After": "120"})
    with pytest.raises(BusyError) as caught:
        await get(desk)
    assert caught.value.wait == timedelta(minutes=2)


@pytest.mark.asyncio
async def test_a_redirect_stays_on_the_host(desk: Desk) -> None:
    async def answer(request: web.Request) -> web.StreamResponse:
        if request.path == "/list":
            raise web.HTTPFound("/moved?x=1")
        return web.Response(text="here")

    desk.site.answer = answer
    assert (await get(desk)).file.read_text("utf-8") == "here"


@pytest.mark.parametrize(
    "target",
    [
        "http://elsewhere.example/list",
        "//elsewhere.example/",
        "file:///etc/passwd",
        "http://127.0.0.1:1/",
        "",
    ],
)
@pytest.mark.asyncio
async def test_a_redirect_to_another_host_is_not_followed(desk: Desk, target: str) -> None:
    desk.site.fails(302, Location=target)
    with pytest.raises(FetchError, match="redirects to another host"):
        await get(desk)
    assert len(desk.site.asked) == 1


@pytest.mark.asyncio
async def test_redirects_end(desk: Desk) -> None:
    desk.site.fails(302, Location="/list")
    with pytest.raises(FetchError, match="redirects more than 3 times"):
        await get(desk)


@pytest.mark.asyncio
async def test_nobody_listens(desk: Desk) -> None:
    with pytest.raises(FetchError, match="can't be reached"):
        await get(desk, "http://127.0.0.1:9/list")


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("30", 30),
        (" 5 ", 5),
        ("Mon, 04 May 2026 09:01:00 GMT", 60),
        ("Mon, 04 May 2026 08:00:00 GMT", 0),
        ("99999999999", 86_400),
        ("soon", None),
        ("-5", None),
        ("²", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(value: str | None, seconds: int | None) -> None:
    found = retry_after(value, START)
    assert found == (None if seconds is None else timedelta(seconds=seconds))


def test_addresses_are_shown_without_secrets() -> None:
    assert shown("https://me:pw@example.org/list?key=secret#x") == "https://example.org/list"
    assert user_agent("1.0", "") == "iclr-herald/1.0 (a Discord bot)"
