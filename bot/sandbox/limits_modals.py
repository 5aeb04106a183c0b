"""What Discord refuses in a modal.

Promises: title 45, one to five inputs, text inputs' own limits (Discord's reference, "Text Input", "Label").
"""

from __future__ import annotations

from bot.sandbox.form import Form, Path
from bot.sandbox.limits_components import (
    FILE_UPLOAD,
    LABEL,
    MOST_TEXT,
    ROW,
    SELECTS,
    TEXT,
    TEXT_INPUT,
    check_select,
)
from bot.sandbox.model import JsonObject

RADIO, CHECKBOXES, CHECKBOX = 21, 22, 23
_IN_LABEL = (TEXT_INPUT, *SELECTS, FILE_UPLOAD, RADIO, CHECKBOXES, CHECKBOX)


def check_modal(data: object) -> None:
    """Refuse the `data` of a modal answer that Discord would refuse.

    Raises:
        ApiError: 50035 with the tree of errors.
    """
    form = Form()
    body = form.record(("data",), data)
    if body is not None:
        form.text(("data", "custom_id"), body.get("custom_id"), shortest=1, longest=100, required=True)
        form.text(("data", "title"), body.get("title"), shortest=1, longest=45, required=True)
        parts = form.items(("data", "components"), body.get("components"), least=1, most=5, required=True)
        seen: set[str] = set()
        for index, part in enumerate(parts):
            _check_top(form, ("data", "components", index), part, seen)
    form.finish()


def _check_top(form: Form, path: Path, value: object, seen: set[str]) -> None:
    part = form.record(path, value)
    if part is None:
        return
    kind = form.one_of((*path, "type"), part.get("type"), (ROW, TEXT, LABEL))
    if kind == ROW:
        children = form.items((*path, "components"), part.get("components"), least=1, most=1, required=True)
        for index, child in enumerate(children):
            _check_input(
                form, (*path, "components", index), child, seen, allowed=(TEXT_INPUT,), labelled=True
            )
    elif kind == LABEL:
        form.text((*path, "label"), part.get("label"), longest=45, required=True)
        form.text((*path, "description"), part.get("description"), longest=100)
        _check_input(
            form, (*path, "component"), part.get("component"), seen, allowed=_IN_LABEL, labelled=False
        )
    elif kind == TEXT:
        form.text((*path, "content"), part.get("content"), longest=MOST_TEXT, required=True)


def _check_input(
    form: Form, path: Path, value: object, seen: set[str], *, allowed: tuple[int, ...], labelled: bool
) -> None:
    part = form.record(path, value)
    if part is None or form.one_of((*path, "type"), part.get("type"), allowed) is None:
        return
    name = form.text((*path, "custom_id"), part.get("custom_id"), shortest=1, longest=100, required=True)
    if name in seen:
        message = "Component custom id cannot be duplicated"
        form.fail((*path, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", message)
    seen.add(name or "")
    if part["type"] == TEXT_INPUT:
        _check_text_input(form, path, part, labelled=labelled)
    elif part["type"] in SELECTS:
        check_select(form, path, part)


def _check_text_input(form: Form, path: Path, part: JsonObject, *, labelled: bool) -> None:
    form.one_of((*path, "style"), part.get("style"), (1, 2))
    if labelled:
        form.text((*path, "label"), part.get("label"), longest=45, required=True)
    elif part.get("label"):
        message = "The label must be given by the enclosing Label component"
        form.fail((*path, "label"), "TEXT_INPUT_COMPONENT_LABEL_NOT_ALLOWED", message)
    form.text((*path, "placeholder"), part.get("placeholder"), longest=100)
    form.text((*path, "value"), part.get("value"), longest=4000)
    least = form.whole((*path, "min_length"), part.get("min_length"), least=0, most=4000)
    most = form.whole((*path, "max_length"), part.get("max_length"), least=1, most=4000)
    if least is not None and most is not None and least > most:
        form.fail(
            (*path, "min_length"), "NUMBER_TYPE_MAX", f"int value should be less than or equal to {most}."
        )
    form.truth((*path, "required"), part.get("required"))
