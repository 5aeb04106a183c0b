"""Answering an interaction: the first answer, the original message, and follow-ups.

Promises: 3 s and 15 minutes, one first answer, which answer suits which interaction, five follow-ups where the
application isn't a member. Leaves the records to `interactions` and bodies to `compose`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.sandbox.call import Call
from bot.sandbox.components import numbered
from bot.sandbox.compose import edited_message, new_message
from bot.sandbox.errors import refusal
from bot.sandbox.form import Form
from bot.sandbox.interactions import (
    FOLLOW_UPS_OF_A_STRANGER,
    Answer,
    Interaction,
    InteractionType,
)
from bot.sandbox.limits_choices import check_choices
from bot.sandbox.limits_modals import check_modal
from bot.sandbox.model import JsonObject, Message, MessageFlag
from bot.sandbox.options import focused_type
from bot.sandbox.payloads import answer_fields
from bot.sandbox.permissions import Permission
from bot.sandbox.ratelimit import Rate
from bot.sandbox.routing import Reply, Route

if TYPE_CHECKING:
    from bot.sandbox.world import World

_SUITABLE: dict[InteractionType, tuple[Answer, ...]] = {
    InteractionType.COMMAND: (Answer.MESSAGE, Answer.DEFERRED_MESSAGE, Answer.MODAL),
    InteractionType.COMPONENT: (
        Answer.MESSAGE,
        Answer.DEFERRED_MESSAGE,
        Answer.DEFERRED_UPDATE,
        Answer.UPDATE,
        Answer.MODAL,
    ),
    InteractionType.AUTOCOMPLETE: (Answer.CHOICES,),
    InteractionType.MODAL: (Answer.MESSAGE, Answer.DEFERRED_MESSAGE),
}


async def callback(call: Call) -> Reply:
    """POST the first answer."""
    made = call.world.interactions.for_callback(
        call.id("interaction_id"), call.request.match_info["interaction_token"]
    )
    body = call.json
    form = Form()
    answer = form.one_of(("type",), body.get("type"), _suitable(made))
    data = form.record(("data",), body.get("data") or {}) or {}
    form.whole(("data", "flags"), data.get("flags"), least=0, most=(1 << 31) - 1)
    form.finish()
    if answer is None:
        raise refusal(10062)
    _ANSWERS[answer](call, made, data)
    made.answer = answer
    call.world.interactions.note(made)
    if not call.query_flag("with_response"):
        return Reply()
    return Reply(_callback_json(call.world, made))


def _suitable(made: Interaction) -> tuple[Answer, ...]:
    allowed = _SUITABLE[made.type]
    if made.type is InteractionType.MODAL and made.source is not None:
        allowed = (*allowed, Answer.DEFERRED_UPDATE, Answer.UPDATE)
    return allowed


def _answer_message(call: Call, made: Interaction, data: JsonObject) -> None:
    made.hidden = _is_hidden(call.world, made, data)
    made.original_id = _post(call, made, data, hidden=made.hidden).id


def _answer_later(call: Call, made: Interaction, data: JsonObject) -> None:
    made.hidden, made.deferred = _is_hidden(call.world, made, data), True
    channel = call.world.channels[made.channel_id]
    fields = answer_fields(call.world, made, hidden=made.hidden)
    message = call.world.messages.post_loading(channel, made.application_id, hidden=made.hidden, **fields)
    made.original_id = message.id


def _answer_quietly(call: Call, made: Interaction, data: JsonObject) -> None:
    made.original_id = made.source.id if made.source else None
    made.deferred = True


def _answer_update(call: Call, made: Interaction, data: JsonObject) -> None:
    source = _source(call, made)
    changes = edited_message(call.world, source, data, call.files)
    call.world.messages.edit(source, **changes)
    made.original_id = source.id


def _answer_choices(call: Call, made: Interaction, data: JsonObject) -> None:
    made.choices = check_choices(data, focused_type(made.data))


def _answer_modal(call: Call, made: Interaction, data: JsonObject) -> None:
    check_modal(data)
    made.modal = {**data, "components": numbered(data["components"])}


def _source(call: Call, made: Interaction) -> Message:
    found = made.source
    if found is None or call.world.messages.get(found.channel_id, found.id) is None:
        raise refusal(10008)
    return found


_ANSWERS = {
    Answer.MESSAGE: _answer_message,
    Answer.DEFERRED_MESSAGE: _answer_later,
    Answer.DEFERRED_UPDATE: _answer_quietly,
    Answer.UPDATE: _answer_update,
    Answer.CHOICES: _answer_choices,
    Answer.MODAL: _answer_modal,
}


def _is_hidden(world: World, made: Interaction, data: JsonObject) -> bool:
    channel = world.channels[made.channel_id]
    # Without Use External Apps, answers of an app that is only the user's own are forced to be private.
    external = Permission.USE_EXTERNAL_APPS
    forced = made.stranger and not world.may(made.user_id, channel, external)
    flags = data.get("flags")
    return forced or (isinstance(flags, int) and bool(flags & MessageFlag.EPHEMERAL))


def _post(call: Call, made: Interaction, data: JsonObject, *, hidden: bool) -> Message:
    channel = call.world.channels[made.channel_id]
    draft = new_message(call.world, channel, made.application_id, data, call.files)
    draft.flags = draft.flags & ~MessageFlag.EPHEMERAL | (MessageFlag.EPHEMERAL if hidden else 0)
    draft.nonce = None
    fields = answer_fields(call.world, made, hidden=hidden)
    message = call.world.messages.post(channel, made.application_id, draft, **fields)
    made.message_ids.append(message.id)
    return message


def _callback_json(world: World, made: Interaction) -> JsonObject:
    inner: JsonObject = {"id": str(made.id), "type": int(made.type)}
    data: JsonObject = {"interaction": inner}
    message = world.messages.find(made.original_id or 0)
    if message is not None:
        inner |= {
            "response_message_id": str(message.id),
            "response_message_loading": message.loading,
            "response_message_ephemeral": message.ephemeral,
        }
    if made.answer in (Answer.MESSAGE, Answer.UPDATE) and message is not None:
        data["resource"] = {"type": int(made.answer), "message": world.messages.json(message)}
    elif made.answer is not None:
        data["resource"] = {"type": int(made.answer)}
    return data


# ---- the token as a webhook -------------------------------------------------------------------------------


def _of_token(call: Call) -> Interaction:
    made = call.world.interactions.for_webhook(
        call.id("webhook_id"), call.request.match_info["webhook_token"]
    )
    if made.type is InteractionType.AUTOCOMPLETE:
        raise refusal(10015)
    return made


async def follow_up(call: Call) -> Reply:
    """POST a follow-up; the first one after a deferral fills in the deferred answer instead."""
    made = _of_token(call)
    body = call.json
    waiting = call.world.messages.find(made.original_id or 0)
    if made.deferred and waiting is not None and waiting.loading:
        return Reply(_fill_in(call, made, waiting, body))
    if made.stranger:
        if made.follow_ups >= FOLLOW_UPS_OF_A_STRANGER:
            raise refusal(40094)
        made.follow_ups += 1
    hidden = _is_hidden(call.world, made, body)
    message = _post(call, made, body, hidden=hidden)
    made.deferred = False
    call.world.interactions.note(made)
    return Reply(call.world.messages.json(message))


def _fill_in(call: Call, made: Interaction, waiting: Message, body: JsonObject) -> JsonObject:
    changes = edited_message(call.world, waiting, body, call.files, must_show=waiting.loading)
    flags = changes.get("flags", waiting.flags)
    changes["flags"] = int(str(flags)) & ~MessageFlag.LOADING
    if not waiting.loading:
        changes["edited_at"] = call.world.clock.now()
    call.world.messages.edit(waiting, **changes)
    made.deferred = False
    call.world.interactions.note(made)
    return call.world.messages.json(waiting)


def _message_of(call: Call, made: Interaction) -> Message:
    wanted = call.request.match_info["message_id"]
    number = made.original_id if wanted == "@original" else call.id("message_id")
    found = call.world.messages.find(number or 0)
    own = number in (made.original_id, *made.message_ids)
    if found is None or not own:
        raise refusal(10008)
    return found


async def read(call: Call) -> Reply:
    """GET `@original` or a follow-up."""
    return Reply(call.world.messages.json(_message_of(call, _of_token(call))))


async def edit(call: Call) -> Reply:
    """PATCH `@original` or a follow-up."""
    made = _of_token(call)
    return Reply(_fill_in(call, made, _message_of(call, made), call.json))


async def delete(call: Call) -> Reply:
    """DELETE `@original` or a follow-up."""
    made = _of_token(call)
    message = _message_of(call, made)
    call.world.messages.delete(message)
    made.deferred = False
    call.world.interactions.note(made)
    return Reply()


_HOOK = "/webhooks/{webhook_id}/{webhook_token}"
_HOOK_RATE = Rate(5, 2.0, shared="webhook")

ROUTES = [
    Route("POST", "/interactions/{interaction_id}/{interaction_token}/callback", callback, open=True),
    Route("POST", _HOOK, follow_up, _HOOK_RATE, open=True),
    Route("GET", _HOOK + "/messages/{message_id}", read, _HOOK_RATE, open=True),
    Route("PATCH", _HOOK + "/messages/{message_id}", edit, _HOOK_RATE, open=True),
    Route("DELETE", _HOOK + "/messages/{message_id}", delete, _HOOK_RATE, open=True),
]
