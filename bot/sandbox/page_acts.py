"""What a person does on the page: the JSON API below `/page/`.

Promises: every act goes through `human`, so the page can do nothing that Discord's client couldn't; a refusal is one
sentence. Leaves to others: showing it (`static/`) and what follows from it (`page_stream`).
"""

from __future__ import annotations

import json
import math
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from aiohttp import web

from bot.sandbox import wire
from bot.sandbox.limits import ClientRefusal
from bot.sandbox.limits_commands import ATTACHMENT, CHANNEL, INTEGER, MENTIONABLE, NUMBER, ROLE, USER
from bot.sandbox.model import Channel, JsonObject, Role, User
from bot.sandbox.options import leaf
from bot.sandbox.outcome import Modal, Outcome
from bot.sandbox.page_files import Files, read_bounded, refused, unwritable
from bot.sandbox.page_state import LOCALES, id_of

if TYPE_CHECKING:
    from bot.sandbox.human import Human
    from bot.sandbox.page import Hooks
    from bot.sandbox.page_state import PageState
    from bot.sandbox.server import Sandbox

JSON_BYTES = 256 * 1024
_KEPT_MODALS = 50

Body = dict[str, Any]
Act = Callable[[User, Body], Awaitable[Any]]


class Acts:
    """The handlers of the page's API. Each answers JSON; a refusal is ``{"error": sentence}`` with a 4xx status."""

    def __init__(self, sandbox: Sandbox, state: PageState, hooks: Hooks) -> None:
        self._sandbox = sandbox
        self._world = sandbox.world
        self._state = state
        self._hooks = hooks
        self._modals: OrderedDict[str, tuple[int, Modal]] = OrderedDict()
        self._files = Files(sandbox, state)

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Add the routes."""
        router.add_get("/page/messages", self._messages)
        router.add_get("/page/commands", self._commands)
        acts: dict[str, Act] = {
            "autocomplete": self._autocomplete,
            "command": self._command,
            "menu": self._menu,
            "click": self._click,
            "select": self._select,
            "modal": self._modal,
            "send": self._send,
            "dm": self._dm,
            "settings": self._settings,
            "tomorrow": self._drop_tomorrow,
            "skip": self._skip,
        }
        for name, act in acts.items():
            router.add_post(f"/page/{name}", self._json_handler(act))
        self._files.add_to(router)

    def _json_handler(self, act: Act) -> Callable[[web.Request], Awaitable[web.Response]]:
        async def handle(request: web.Request) -> web.Response:
            if request.content_type != "application/json":
                return refused("The page sends JSON.", 415)
            try:
                body = json.loads(await read_bounded(request, JSON_BYTES))
            except ValueError as error:
                return refused(f"This is no JSON the page would send: {error}")
            if not isinstance(body, dict):
                return refused("The page sends a JSON object.")
            try:
                return web.json_response(await act(self._state.person(_text(body, "user")), body))
            except (ClientRefusal, ValueError) as error:
                return refused(str(error), 422)
            except OSError as error:
                return refused(unwritable(error), 500)

        return handle

    # ---- reading ------------------------------------------------------------------------------------------

    async def _messages(self, request: web.Request) -> web.Response:
        person = self._state.person(request.query.get("user"))
        channel = self._state.channel(person, request.query.get("channel"))
        found = self._world.messages.visible_to(person.id, channel)
        return web.json_response([self._state.message_json(message) for message in found])

    async def _commands(self, request: web.Request) -> web.Response:
        person = self._state.person(request.query.get("user"))
        channel = self._state.channel(person, request.query.get("channel"))
        return web.json_response([wire.command(c) for c in self._human(person).commands(channel)])

    # ---- commands -----------------------------------------------------------------------------------------

    async def _autocomplete(self, person: User, body: Body) -> list[JsonObject]:
        channel, name = self._channel(person, body), _text(body, "command")
        values = self._values(person, channel, name, _record(body, "options"))
        focused = _text(body, "option")
        values.pop(focused, None)
        found = await self._human(person).autocomplete(channel, name, focused, _text(body, "text"), values)
        return [{"name": choice.name, "value": choice.value} for choice in found]

    async def _command(self, person: User, body: Body) -> JsonObject:
        channel, name = self._channel(person, body), _text(body, "command")
        values = self._values(person, channel, name, _record(body, "options"))
        return self._told(person, await self._human(person).command(channel, name, values, wait=False))

    async def _menu(self, person: User, body: Body) -> JsonObject:
        message = self._state.message(person, self._channel(person, body), _text(body, "message"))
        return self._told(
            person, await self._human(person).message_menu(message, _text(body, "name"), wait=False)
        )

    async def _click(self, person: User, body: Body) -> JsonObject:
        message = self._state.message(person, self._channel(person, body), _text(body, "message"))
        return self._told(
            person, await self._human(person).click(message, _text(body, "custom_id"), wait=False)
        )

    async def _select(self, person: User, body: Body) -> JsonObject:
        message = self._state.message(person, self._channel(person, body), _text(body, "message"))
        values = [str(value) for value in body.get("values") or []]
        human = self._human(person)
        return self._told(person, await human.select(message, _text(body, "custom_id"), values, wait=False))

    async def _modal(self, person: User, body: Body) -> JsonObject:
        owner, modal = self._modals.get(_text(body, "modal"), (0, None))
        if modal is None or owner != person.id:
            raise ClientRefusal("This form is no longer open.")
        values = _record(body, "values")
        outcome = await self._human(person).submit_modal(modal, values, wait=False)
        self._modals.pop(_text(body, "modal"), None)
        return self._told(person, outcome)

    # ---- writing and settings -----------------------------------------------------------------------------

    async def _send(self, person: User, body: Body) -> JsonObject:
        sent = self._human(person).send(self._channel(person, body), _text(body, "content"))
        return self._state.message_json(sent)

    async def _dm(self, person: User, body: Body) -> JsonObject:
        other = self._user(_text(body, "with"))
        return {"channel": str(self._human(person).open_dm(other).id)}

    async def _settings(self, person: User, body: Body) -> JsonObject:
        locale = body.get("locale", person.locale)
        if locale not in LOCALES:
            raise ClientRefusal(f"The page offers the languages {', '.join(LOCALES)}.")
        person.locale = locale
        self._human(person).send_dm_allowed(bool(body.get("dm_allowed", person.dm_allowed)))
        return self._state.person_json(person)

    # ---- the watched folder and the clock -----------------------------------------------------------------

    async def _drop_tomorrow(self, person: User, body: Body) -> JsonObject:
        return await self._files.drop_tomorrow()

    async def _skip(self, person: User, body: Body) -> JsonObject:
        if self._hooks.skip_to_digest is None:
            raise ClientRefusal("The clock of this sandbox can't be moved.")
        return {"said": await self._hooks.skip_to_digest()}

    # ---- helpers ------------------------------------------------------------------------------------------

    def _human(self, person: User) -> Human:
        return self._sandbox.human(person)

    def _channel(self, person: User, body: Body) -> Channel:
        return self._state.channel(person, _text(body, "channel"))

    def _user(self, text: str) -> User:
        found = self._world.users.get(id_of(text))
        if found is None:
            raise ClientRefusal("There is no such user.")
        return found

    def _told(self, person: User, outcome: Outcome) -> JsonObject:
        modal = None
        if outcome.modal is not None:
            handle = str(self._world.new_id())
            self._modals[handle] = (person.id, outcome.modal)
            while len(self._modals) > _KEPT_MODALS:
                self._modals.popitem(last=False)
            modal = {
                "id": handle,
                "title": outcome.modal.title,
                "components": outcome.modal.components,
            }
        shown = self._state.message_json(outcome.message) if outcome.message else None
        return {"seen": outcome.seen.value, "message": shown, "modal": modal, "error": outcome.error}

    def _values(self, person: User, channel: Channel, name: str, given: JsonObject) -> JsonObject:
        """The page's option values as `human` takes them: ids become records, texts become numbers."""
        first, *path = name.split() or [""]
        for command in self._human(person).commands(channel):
            if command.type == 1 and command.name == first:
                types = {option["name"]: option["type"] for option in leaf(command, path)[1]}
                return {
                    key: self._value(person, channel, key, types.get(key, 0), value)
                    for key, value in given.items()
                }
        return dict(given)  # an unknown command is refused by `human`, in its own words

    def _value(self, person: User, channel: Channel, name: str, kind: int, value: object) -> object:
        if kind in (INTEGER, NUMBER):
            return _number(name, value, whole=kind == INTEGER)
        if kind == CHANNEL:
            return self._state.channel(person, str(value))
        if kind == USER:
            return self._user(str(value))
        if kind in (ROLE, MENTIONABLE):
            return self._role(channel, str(value)) or self._user(str(value))
        if kind == ATTACHMENT:
            upload = self._files.uploaded(person, str(value))
            if upload is None:
                raise ClientRefusal(f"The file for {name!r} wasn't uploaded.")
            return upload
        return value

    def _role(self, channel: Channel, text: str) -> Role | None:
        guild = self._world.guilds.get(channel.guild_id or 0)
        return guild.roles.get(id_of(text)) if guild is not None else None


def _text(body: Body, name: str) -> str:
    value = body.get(name, "")
    if not isinstance(value, str):
        raise ClientRefusal(f"{name!r} must be a text.")
    return value


def _record(body: Body, name: str) -> JsonObject:
    value = body.get(name) or {}
    if not isinstance(value, dict):
        raise ClientRefusal(f"{name!r} must be an object.")
    return value


def _number(name: str, value: object, *, whole: bool) -> int | float:
    try:
        found = int(str(value)) if whole else float(str(value))
    except ValueError:
        found = math.nan
    if isinstance(found, float) and not math.isfinite(found):
        kind = "a whole number" if whole else "a number"
        raise ClientRefusal(f"{value!r} isn't {kind}, which {name!r} takes.")
    return found
