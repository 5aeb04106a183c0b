"""The page's own API: who sees what, what is refused, and that every act is the real thing."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from bot.clock import ManualClock
from bot.papers.listing import parse_listing
from bot.sandbox import page, page_stream
from bot.sandbox.demo import TOKEN, Demo, furnish
from bot.sandbox.messages import Draft
from bot.sandbox.model import Channel, Event, Message, MessageFlag, User
from bot.sandbox.server import Sandbox
from tests.sandbox.stub_bot import furnish_client
from tests.sandbox_fixtures import START, Client, connected

STATIC = Path(page.__file__).parent / "static"
SAMPLE = Path(page.__file__).parent / "sample"
PATIENCE = 10.0


@dataclass
class Desk:
    """A running page and the HTTP client in front of it."""

    sandbox: Sandbox
    demo: Demo
    http: aiohttp.ClientSession
    clock: ManualClock
    folder: Path
    skipped: list[str]

    async def post(self, name: str, person: User, /, **body: object) -> tuple[int, Any]:
        async with self.http.post(f"/page/{name}", json={"user": str(person.id), **body}) as answer:
            return answer.status, await answer.json()

    async def get(self, name: str, person: User, **query: str) -> tuple[int, Any]:
        async with self.http.get(f"/page/{name}", params={"user": str(person.id), **query}) as answer:
            return answer.status, await answer.json() if answer.status == 200 else await answer.text()

    async def command(
        self, person: User, channel: Channel, name: str, /, **options: object
    ) -> dict[str, Any]:
        body = {"channel": str(channel.id), "command": name, "options": options}
        status, outcome = await self.post("command", person, **body)
        assert status == 200, outcome
        found: dict[str, Any] = outcome
        return found

    async def card(self, query: str) -> Message:
        """Look a paper up as the reader in #general; the answer is deferred, so it comes as an event."""
        answered = asyncio.Event()

        def hear(event: Event) -> None:
            if event.name == "MESSAGE_UPDATE" and not event.data["flags"] & MessageFlag.LOADING:
                answered.set()

        stop = self.sandbox.world.subscribe(hear)
        await self.command(self.demo.reader, self.demo.general, "paper", query=query)
        await answered.wait()
        stop()
        return self.sandbox.human(self.demo.reader).messages(self.demo.general)[-1]


@pytest_asyncio.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    clock = ManualClock(START)
    skipped: list[str] = []

    async def skip() -> str:
        if skipped:
            raise ValueError("No channel has a digest yet.")
        skipped.append("once")
        return "The digest went out."

    sandbox = Sandbox(clock=clock, listing_dir=tmp_path / "listings", rate_limits=False)
    demo = furnish(sandbox.world)
    page.add_routes(sandbox.app, sandbox, page.Hooks(skip_to_digest=skip))
    async with sandbox, aiohttp.ClientSession(sandbox.url) as http:
        yield Desk(sandbox, demo, http, clock, tmp_path / "listings", skipped)


@pytest_asyncio.fixture
async def bot(desk: Desk) -> AsyncIterator[Client]:
    async with connected(desk.sandbox, Client()) as client:
        await furnish_client(client)
        yield client


class Listener:
    """A page's stream, read item by item."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket

    async def until(self, kind: str) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE):
            while True:
                item: dict[str, Any] = await self._socket.receive_json()
                if item["kind"] == kind:
                    return item


@pytest_asyncio.fixture
async def streams(desk: Desk) -> AsyncIterator[dict[str, Listener]]:
    """The open pages of the reader and the admin, each past its first state."""
    async with (
        desk.http.ws_connect(f"/page/socket?user={desk.demo.reader.id}") as reader,
        desk.http.ws_connect(f"/page/socket?user={desk.demo.admin.id}") as admin,
    ):
        pages = {"reader": Listener(reader), "admin": Listener(admin)}
        for listener in pages.values():
            await listener.until("state")
        yield pages


# ---- the files --------------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_the_page_is_served_and_may_load_nothing_but_itself(desk: Desk) -> None:
    async with desk.http.get("/") as answer:
        text = await answer.text()
        policy = answer.headers["Content-Security-Policy"]
    assert answer.status == 200
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert 'src="/static/app.js"' in text


@pytest.mark.asyncio
async def test_every_file_of_the_page_is_served_with_its_type(desk: Desk) -> None:
    names = sorted(item.name for item in STATIC.iterdir())
    assert "app.js" in names
    for name in names:
        async with desk.http.get(f"/static/{name}") as answer:
            assert answer.status == 200, name
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.content_type in ("text/html", "text/css", "text/javascript", "image/svg+xml")


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "name", ["nothing.js", "..%2fpage.py", "%2e%2e%2fpage.py", "..%5cpage.py", "page.py"]
)
async def test_nothing_outside_the_folder_is_served(desk: Desk, name: str) -> None:
    async with desk.http.get(f"/static/{name}") as answer:
        assert answer.status == 404


def test_the_page_names_no_other_host_and_reads_no_text_as_html() -> None:
    for item in STATIC.iterdir():
        text = item.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "innerHTML" not in text, item.name
        assert "insertAdjacentHTML" not in text, item.name
        for mark in ("url(http", 'src="http', 'href="http', "import 'http", "//cdn"):
            assert mark not in text, item.name


# ---- who may ask ------------------------------------------------------------------------------------------


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
async def test_other_sites_are_refused(desk: Desk, headers: dict[str, str]) -> None:
    body = {"user": str(desk.demo.admin.id)}
    async with desk.http.post("/page/tomorrow", json=body, headers=headers) as answer:
        assert answer.status == 403
    async with desk.http.get("/page/messages", headers=headers) as answer:
        assert answer.status == 403
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await desk.http.ws_connect("/page/socket", headers=headers)
    assert refused.value.status == 403
    assert not desk.folder.exists()


@pytest.mark.asyncio
async def test_what_a_foreign_form_could_send_is_refused(desk: Desk) -> None:
    text = json.dumps({"user": str(desk.demo.admin.id)})
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        async with desk.http.post("/page/tomorrow", data=text, headers={"Content-Type": kind}) as answer:
            assert answer.status == 415
        async with desk.http.post("/page/listing", data=text, headers={"Content-Type": kind}) as answer:
            assert answer.status == 415
    assert not desk.folder.exists()


@pytest.mark.asyncio
@pytest.mark.parametrize("body", [b"{", b"[]", b"\xff", b"1"])
async def test_a_broken_body_is_a_sentence(desk: Desk, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    async with desk.http.post("/page/command", data=body, headers=headers) as answer:
        assert answer.status == 400
        assert (await answer.json())["error"]


@pytest.mark.asyncio
async def test_unknown_people_channels_and_messages_are_not_found(desk: Desk) -> None:
    reader, general = desk.demo.reader, desk.demo.general
    assert (await desk.get("messages", desk.demo.bot, channel=str(general.id)))[0] == 404
    assert (await desk.get("messages", reader, channel=str(desk.demo.staff.id)))[0] == 404
    for nonsense in ("x", "", "-1", "9" * 5000, "١٢"):
        assert (await desk.get("messages", reader, channel=nonsense))[0] == 404
    async with desk.http.post(
        "/page/click", json={"user": str(reader.id), "channel": str(general.id), "message": "1"}
    ) as answer:
        assert answer.status == 404


# ---- the stream -------------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_the_first_state_shows_only_what_the_person_sees(desk: Desk) -> None:
    async with desk.http.ws_connect("/page/socket") as socket:
        state = (await Listener(socket).until("state"))["data"]
    assert state["me"]["role"] == "reader"
    names = [channel["name"] for channel in state["guilds"][0]["channels"]]
    assert "general" in names
    assert "staff" not in names
    assert state["can_drop"]
    assert state["can_skip"]
    assert [bot["online"] for bot in state["bots"]] == [False]


@pytest.mark.asyncio
async def test_messages_reach_those_who_see_the_channel(desk: Desk, streams: dict[str, Listener]) -> None:
    human = desk.sandbox.human(desk.demo.admin)
    human.send(desk.demo.staff, "for the staff")
    human.send(desk.demo.general, "for all")
    assert (await streams["admin"].until("message"))["data"]["content"] == "for the staff"
    assert (await streams["reader"].until("message"))["data"]["content"] == "for all"


@pytest.mark.asyncio
async def test_a_dm_is_only_hinted_at_to_the_other_persona(desk: Desk, streams: dict[str, Listener]) -> None:
    dm = desk.sandbox.world.open_dm(desk.demo.bot.id, desk.demo.reader.id)
    desk.sandbox.world.messages.post(dm, desk.demo.bot.id, Draft("secret"))
    assert (await streams["reader"].until("message"))["data"]["content"] == "secret"
    hint = await streams["admin"].until("elsewhere")
    assert hint == {"kind": "elsewhere", "users": [str(desk.demo.reader.id)]}


@pytest.mark.asyncio
async def test_a_burst_of_changes_is_told_as_a_few_states(desk: Desk, streams: dict[str, Listener]) -> None:
    for number in range(500):
        desk.sandbox.world.add_channel(desk.demo.guild, f"more-{number}")
    desk.sandbox.human(desk.demo.admin).send(desk.demo.general, "end")
    state = await streams["reader"].until("state")
    assert len(state["data"]["guilds"][0]["channels"]) > 500
    assert (await streams["reader"].until("message"))["data"]["content"] == "end"


@pytest.mark.asyncio
async def test_a_page_that_reads_too_slowly_is_cut_off(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_stream, "_BACKLOG", 3)
    async with desk.http.ws_connect("/page/socket") as socket:
        await Listener(socket).until("state")
        for number in range(10):  # without giving the writer a turn
            desk.sandbox.human(desk.demo.reader).send(desk.demo.general, str(number))
        async with asyncio.timeout(PATIENCE):
            while (message := await socket.receive()).type is aiohttp.WSMsgType.TEXT:
                pass
        assert message.type is aiohttp.WSMsgType.CLOSE
        assert message.data == aiohttp.WSCloseCode.TRY_AGAIN_LATER


@pytest.mark.asyncio
async def test_open_pages_dont_keep_the_sandbox_from_stopping(desk: Desk) -> None:
    async with desk.http.ws_connect("/page/socket") as socket:
        await Listener(socket).until("state")
        async with asyncio.timeout(PATIENCE):
            closing = asyncio.create_task(desk.sandbox.aclose())
            while (message := await socket.receive()).type is aiohttp.WSMsgType.TEXT:
                pass
            await closing
    assert message.data == aiohttp.WSCloseCode.GOING_AWAY


@pytest.mark.asyncio
async def test_requests_of_the_bot_are_logged_without_tokens(
    desk: Desk, streams: dict[str, Listener]
) -> None:
    token = "x" * 128
    path = f"/api/v10/webhooks/{desk.demo.app.id}/{token}/messages/@original"
    async with desk.http.patch(
        path, json={"content": "x"}, headers={"Authorization": f"Bot {TOKEN}"}
    ) as answer:
        assert answer.status >= 400
    entry = (await streams["reader"].until("request"))["data"]
    assert entry["path"] == f"/webhooks/{desk.demo.app.id}/…/messages/@original"
    assert entry["status"] == answer.status
    assert entry["code"]
    assert entry["message"]


# ---- acting -----------------------------------------------------------------------------------------------


@pytest.mark.asyncio
@pytest.mark.usefixtures("bot")
async def test_suggestions_then_the_card_then_its_buttons(desk: Desk) -> None:
    reader, general = desk.demo.reader, desk.demo.general
    place = {"channel": str(general.id)}
    body = {"command": "paper", "option": "query", "text": "logq"}
    status, found = await desk.post("autocomplete", reader, **place, **body)
    assert status == 200
    assert [choice["name"][:8] for choice in found] == ["LogQuant"]
    card = await desk.card(found[0]["value"])
    _, messages = await desk.get("messages", reader, **place)
    assert messages[-1]["sandbox_command"] == "/paper"
    place["message"] = str(card.id)
    _, saved = await desk.post("click", reader, **place, custom_id="save")
    assert saved["message"]["content"] == "Saved for you."
    assert saved["message"]["flags"] & 64
    _, cited = await desk.post("select", reader, **place, custom_id="format", values=["ris"])
    assert "format ris" in cited["message"]["content"]
    _, changed = await desk.post("click", reader, **place, custom_id="next")
    assert changed["seen"] == "update"
    assert changed["message"]["embeds"][0]["title"].startswith("Learning")
    _, missing = await desk.post("click", reader, **place, custom_id="nothing")
    assert "nothing" in missing["error"]


@pytest.mark.asyncio
@pytest.mark.usefixtures("bot")
async def test_an_ephemeral_answer_is_told_to_its_reader_only(
    desk: Desk, streams: dict[str, Listener]
) -> None:
    await desk.command(desk.demo.reader, desk.demo.general, "language")
    told = await streams["reader"].until("message")
    assert told["data"]["content"] == "locale en-US"
    desk.sandbox.human(desk.demo.admin).send(desk.demo.general, "next")
    assert (await streams["admin"].until("message"))["data"]["content"] == "next"


@pytest.mark.asyncio
@pytest.mark.usefixtures("bot")
async def test_a_form_is_sent_once_and_only_by_whom_it_was_opened(desk: Desk) -> None:
    reader, general = desk.demo.reader, desk.demo.general
    card = await desk.card("x")
    place = {"channel": str(general.id), "message": str(card.id)}
    _, opened = await desk.post("click", reader, **place, custom_id="report")
    form = opened["modal"]
    assert form["title"] == "What is wrong?"
    field = form["components"][0]["components"][0]["custom_id"]
    status, refused = await desk.post("modal", desk.demo.admin, modal=form["id"], values={field: "mine"})
    assert (status, refused["error"]) == (422, "This form is no longer open.")
    status, refused = await desk.post("modal", reader, modal=form["id"], values={field: "x"})
    assert status == 422  # too short; the form stays open
    _, sent = await desk.post("modal", reader, modal=form["id"], values={field: "wrong name"})
    assert sent["message"]["content"] == "Thanks: wrong name"
    status, _ = await desk.post("modal", reader, modal=form["id"], values={field: "again"})
    assert status == 422


@pytest.mark.asyncio
@pytest.mark.usefixtures("bot")
async def test_a_bot_that_doesnt_answer_is_shown_as_such(desk: Desk) -> None:
    asked = asyncio.Event()

    def hear(event: Event) -> None:
        if event.name == "INTERACTION_CREATE":
            asked.set()

    stop = desk.sandbox.world.subscribe(hear)
    asking = asyncio.create_task(desk.command(desk.demo.reader, desk.demo.general, "silent"))
    await asked.wait()
    stop()
    desk.clock.advance(desk.sandbox.world.messages.nonce_window)
    outcome = await asking
    assert (outcome["seen"], outcome["error"]) == ("failed", "The application did not respond")


@pytest.mark.asyncio
@pytest.mark.usefixtures("bot")
async def test_options_become_what_they_stand_for(desk: Desk) -> None:
    admin, general, digest = desk.demo.admin, desk.demo.general, desk.demo.digest
    given = {"channel": str(digest.id), "time": "09:00", "language": "both", "backfill": "7"}
    outcome = await desk.command(admin, general, "digest set", **given)
    assert outcome["message"]["content"] == f"Digest in <#{digest.id}> at 09:00, both, 7."
    place = {"channel": str(general.id), "command": "digest set"}
    for wrong in (
        {"backfill": "x"},
        {"backfill": "51"},
        {"backfill": "9" * 500},
        {"language": "Latin"},
        {"nothing": "1"},
        {"time": None},
    ):
        status, refused = await desk.post("command", admin, **place, options={**given, **wrong})
        assert status == 422, wrong
        assert next(iter(wrong)) in refused["error"]
    status, refused = await desk.post("command", desk.demo.reader, **place, options=given)
    assert status == 422
    assert "digest" in refused["error"]


@pytest.mark.asyncio
@pytest.mark.usefixtures("bot")
async def test_an_uploaded_file_reaches_the_bot_and_belongs_to_its_owner(desk: Desk) -> None:
    reader, general = desk.demo.reader, desk.demo.general
    query = {"user": str(reader.id), "name": "list.txt"}
    headers = {"Content-Type": "application/octet-stream"}
    async with desk.http.post("/page/upload", params=query, data=b"12345", headers=headers) as answer:
        made = await answer.json()
    outcome = await desk.command(reader, general, "import", file=made["id"])
    assert outcome["message"]["content"] == "list.txt: 5 bytes"
    body = {"channel": str(general.id), "command": "import", "options": {"file": made["id"]}}
    status, refused = await desk.post("command", desk.demo.admin, **body)
    assert (status, refused["error"]) == (422, "The file for 'file' wasn't uploaded.")


@pytest.mark.asyncio
@pytest.mark.usefixtures("bot")
async def test_the_message_menu_and_the_command_list(desk: Desk) -> None:
    reader, general = desk.demo.reader, desk.demo.general
    message = desk.sandbox.human(reader).send(general, "see arxiv.org/abs/2601.00001")
    place = {"channel": str(general.id)}
    _, outcome = await desk.post("menu", reader, **place, message=str(message.id), name="Find papers here")
    assert outcome["message"]["content"] == "Found nothing here."
    _, listed = await desk.get("commands", reader, **place)
    by_name = {command["name"]: command for command in listed}
    assert by_name["paper"]["description_localizations"] == {"zh-CN": "查找论文"}
    assert "digest" not in by_name
    _, listed = await desk.get("commands", desk.demo.admin, **place)
    assert "digest" in [command["name"] for command in listed]


@pytest.mark.asyncio
@pytest.mark.usefixtures("bot")
async def test_language_and_dms_of_a_person_are_settings_the_bot_notices(desk: Desk) -> None:
    reader = desk.demo.reader
    _, me = await desk.post("settings", reader, locale="zh-CN", dm_allowed=False)
    assert (me["locale"], me["dm_allowed"]) == ("zh-CN", False)
    assert not reader.dm_allowed
    outcome = await desk.command(reader, desk.demo.general, "language")
    assert outcome["message"]["content"] == "locale zh-CN"
    status, refused = await desk.post("settings", reader, locale="tlh")
    assert status == 422
    assert "zh-CN" in refused["error"]
    assert reader.locale == "zh-CN"


@pytest.mark.asyncio
async def test_plain_messages_and_dms(desk: Desk) -> None:
    reader, general = desk.demo.reader, desk.demo.general
    _, sent = await desk.post("send", reader, channel=str(general.id), content="hello")
    assert sent["content"] == "hello"
    status, refused = await desk.post("send", reader, channel=str(general.id), content="x" * 2001)
    assert (status, refused["error"]) == (422, "Your message is too long.")
    _, opened = await desk.post("dm", reader, **{"with": str(desk.demo.bot.id)})
    _, again = await desk.post("dm", reader, **{"with": str(desk.demo.bot.id)})
    assert opened == again


# ---- the watched folder and the clock ---------------------------------------------------------------------


async def drop(desk: Desk, name: str, data: bytes) -> tuple[int, str]:
    headers = {"Content-Type": "application/octet-stream"}
    async with desk.http.post(
        "/page/listing", params={"name": name}, data=io.BytesIO(data), headers=headers
    ) as answer:
        return answer.status, await answer.text()


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "name", ["new.txt", "../../etc/passwd", "/abs.txt", "a\\b.txt", ".hidden", "论文.txt", "x\0y"]
)
async def test_a_dropped_listing_lands_in_the_folder_whatever_its_name(desk: Desk, name: str) -> None:
    status, text = await drop(desk, name, "列表".encode())
    assert status == 200, text
    written = list(desk.folder.iterdir())
    assert [item.read_text(encoding="utf-8") for item in written] == ["列表"]
    assert json.loads(text)["name"] == written[0].name
    assert not written[0].name.startswith(".")


@pytest.mark.asyncio
async def test_a_listing_that_is_too_large_is_refused_whole(desk: Desk) -> None:
    status, text = await drop(desk, "big.txt", b"x" * (25 * 1024 * 1024 + 1))
    assert status == 413
    assert "25 MB" in text
    assert not desk.folder.exists()


@pytest.mark.asyncio
async def test_a_folder_that_cant_be_written_is_a_sentence(desk: Desk) -> None:
    desk.folder.write_text("a file stands where the folder should be")
    status, text = await drop(desk, "new.txt", b"x")
    assert status == 500
    assert "can't be written" in json.loads(text)["error"]
    status, refused = await desk.post("tomorrow", desk.demo.reader)
    assert status == 500
    assert "can't be written" in refused["error"]


@pytest.mark.asyncio
async def test_tomorrows_listing_is_three_papers_with_both_summaries(desk: Desk) -> None:
    status, made = await desk.post("tomorrow", desk.demo.reader)
    assert (status, made) == (200, {"name": "tomorrow.txt"})
    assert sorted(item.name for item in desk.folder.iterdir()) == ["tomorrow.en.json", "tomorrow.txt"]
    parsed = parse_listing((desk.folder / "tomorrow.txt").read_text(encoding="utf-8"), name="tomorrow.txt")
    assert (len(parsed.records), parsed.rejected, parsed.warnings) == (3, (), ())
    english = json.loads((desk.folder / "tomorrow.en.json").read_text(encoding="utf-8"))
    assert [entry["title_en"] for entry in english] == [record.title_en for record in parsed.records]
    places = [place.name_en for record in parsed.records for place in record.institutions]
    assert any("Tsinghua University" in place for place in places)
    assert any("ETH Zurich" in place for place in places)
    assert all(record.summary_zh and record.title_zh for record in parsed.records)


@pytest.mark.asyncio
async def test_skipping_asks_the_bots_side_and_shows_what_it_says(desk: Desk) -> None:
    assert await desk.post("skip", desk.demo.reader) == (200, {"said": "The digest went out."})
    status, refused = await desk.post("skip", desk.demo.reader)
    assert (status, refused["error"]) == (422, "No channel has a digest yet.")
    assert desk.skipped == ["once"]


@pytest.mark.asyncio
async def test_without_folder_and_hook_both_are_off_and_say_so() -> None:
    sandbox = Sandbox(clock=ManualClock(START))
    demo = furnish(sandbox.world)
    page.add_routes(sandbox.app, sandbox)
    async with sandbox, aiohttp.ClientSession(sandbox.url) as http:
        body = {"user": str(demo.reader.id)}
        async with http.ws_connect("/page/socket") as socket:
            state = (await Listener(socket).until("state"))["data"]
        assert (state["can_drop"], state["can_skip"]) == (False, False)
        for name in ("skip", "tomorrow"):
            async with http.post(f"/page/{name}", json=body) as answer:
                assert answer.status == 422
                assert (await answer.json())["error"]
