"""What Discord refuses in the components of a message.

Promises: the rules of Discord's reference ("Component Reference") for classic rows and for Components V2.
Leaves modals to `limits_modals`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from bot.sandbox.form import Form, Path, units
from bot.sandbox.model import JsonObject

ROW, BUTTON, STRING_SELECT, TEXT_INPUT = 1, 2, 3, 4
OTHER_SELECTS = (5, 6, 7, 8)
SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR, CONTAINER = 9, 10, 11, 12, 13, 14, 17
LABEL, FILE_UPLOAD = 18, 19

SELECTS = (STRING_SELECT, *OTHER_SELECTS)
IN_CONTAINER = (ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR)
TOP_LEVEL_V2 = (*IN_CONTAINER, CONTAINER)

MOST_COMPONENTS = 40
MOST_TEXT = 4000
LINK_STYLE, PREMIUM_STYLE = 5, 6


def check_components(form: Form, path: Path, value: object, *, is_v2: bool) -> None:
    """Complain about the components of a message."""
    parts = form.items(path, value, most=MOST_COMPONENTS if is_v2 else 5)
    checker = _Checker(form)
    for index, part in enumerate(parts):
        checker.check((*path, index), part, TOP_LEVEL_V2 if is_v2 else (ROW,))
    checker.finish(path, is_v2=is_v2)


class _Checker:
    """One walk over a message's components."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self._ids: Counter[str] = Counter()
        self._numbers: Counter[int] = Counter()
        self._count = 0
        self._text = 0
        self._rules: dict[int, Callable[[Path, JsonObject], None]] = {
            ROW: self._row,
            BUTTON: self._button,
            **dict.fromkeys(SELECTS, self._select),
            SECTION: self._section,
            TEXT: self._text_display,
            THUMBNAIL: self._thumbnail,
            GALLERY: self._gallery,
            FILE: self._file,
            SEPARATOR: self._separator,
            CONTAINER: self._container,
        }

    def check(self, path: Path, value: object, allowed: tuple[int, ...]) -> None:
        part = self.form.record(path, value)
        if part is None:
            return
        kind = part.get("type")
        if isinstance(kind, bool) or kind not in allowed:
            message = f'Value of field "type" must be one of {allowed}.'
            self.form.fail((*path, "type"), "UNION_TYPE_CHOICES", message)
            return
        self._count += 1
        number = self.form.whole((*path, "id"), part.get("id"), least=0, most=(1 << 31) - 1)
        if number and self._numbers[number]:
            self.form.fail((*path, "id"), "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")
        self._numbers[number or 0] += 1
        self._rules[int(kind)](path, part)

    def finish(self, path: Path, *, is_v2: bool) -> None:
        if is_v2 and self._count > MOST_COMPONENTS:
            message = f"Total number of components exceeds the maximum of {MOST_COMPONENTS}"
            self.form.fail(path, "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", message)
        if self._text > MOST_TEXT:
            message = f"Component displayable text size exceeds maximum size of {MOST_TEXT}"
            self.form.fail(path, "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", message)

    # ---- classic ------------------------------------------------------------------------------------------

    def _row(self, path: Path, part: JsonObject) -> None:
        children = self.form.items(
            (*path, "components"), part.get("components"), least=1, most=5, required=True
        )
        for index, child in enumerate(children):
            self.check((*path, "components", index), child, (BUTTON, *SELECTS))
        wide = [child for child in children if isinstance(child, dict) and child.get("type") in SELECTS]
        if wide and len(children) > 1:
            message = "The specified component exceeds the maximum width"
            self.form.fail((*path, "components", 1), "COMPONENT_LAYOUT_WIDTH_EXCEEDED", message)

    def _custom_id(self, path: Path, part: JsonObject) -> None:
        name = self.form.text(
            (*path, "custom_id"), part.get("custom_id"), shortest=1, longest=100, required=True
        )
        if name is None:
            return
        if self._ids[name]:
            message = "Component custom id cannot be duplicated"
            self.form.fail((*path, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", message)
        self._ids[name] += 1

    def _button(self, path: Path, part: JsonObject) -> None:
        style = self.form.one_of((*path, "style"), part.get("style"), range(1, 7))
        self.form.text((*path, "label"), part.get("label"), longest=80)
        self.form.truth((*path, "disabled"), part.get("disabled"))
        if style == LINK_STYLE:
            self._link(path, part)
        elif style is not None and style != PREMIUM_STYLE:
            self._custom_id(path, part)
            if part.get("url"):
                message = "A url cannot be specified when using this style"
                self.form.fail((*path, "url"), "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", message)
        if style != PREMIUM_STYLE and not part.get("label") and not part.get("emoji"):
            message = "A button must have a label or an emoji"
            self.form.fail(path, "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", message)

    def _link(self, path: Path, part: JsonObject) -> None:
        if part.get("custom_id"):
            message = "A custom id and url cannot both be specified"
            self.form.fail(path, "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", message)
        if not part.get("url"):
            self.form.fail((*path, "url"), "BASE_TYPE_REQUIRED", "This field is required")
        else:
            self.form.url((*path, "url"), part["url"], ("http", "https", "discord"), longest=512)

    def _select(self, path: Path, part: JsonObject) -> None:
        self._custom_id(path, part)
        check_select(self.form, path, part)

    # ---- Components V2 ------------------------------------------------------------------------------------

    def _section(self, path: Path, part: JsonObject) -> None:
        children = self.form.items(
            (*path, "components"), part.get("components"), least=1, most=3, required=True
        )
        for index, child in enumerate(children):
            self.check((*path, "components", index), child, (TEXT,))
        if part.get("accessory") is None:
            self.form.fail((*path, "accessory"), "BASE_TYPE_REQUIRED", "This field is required")
        else:
            self.check((*path, "accessory"), part["accessory"], (BUTTON, THUMBNAIL))

    def _text_display(self, path: Path, part: JsonObject) -> None:
        content = self.form.text(
            (*path, "content"), part.get("content"), shortest=1, longest=MOST_TEXT, required=True
        )
        self._text += units(content or "")

    def _thumbnail(self, path: Path, part: JsonObject) -> None:
        self._media((*path, "media"), part.get("media"), ("http", "https", "attachment"))
        self.form.text((*path, "description"), part.get("description"), longest=1024)

    def _gallery(self, path: Path, part: JsonObject) -> None:
        items = self.form.items((*path, "items"), part.get("items"), least=1, most=10, required=True)
        for index, item in enumerate(items):
            entry = self.form.record((*path, "items", index), item)
            if entry is not None:
                media = (*path, "items", index, "media")
                self._media(media, entry.get("media"), ("http", "https", "attachment"))

    def _file(self, path: Path, part: JsonObject) -> None:
        self._media((*path, "file"), part.get("file"), ("attachment",))

    def _media(self, path: Path, value: object, schemes: tuple[str, ...]) -> None:
        media = self.form.record(path, value)
        if media is not None:
            if media.get("url") is None:
                self.form.fail((*path, "url"), "BASE_TYPE_REQUIRED", "This field is required")
            self.form.url((*path, "url"), media.get("url"), schemes)

    def _separator(self, path: Path, part: JsonObject) -> None:
        self.form.one_of((*path, "spacing"), part.get("spacing"), (1, 2), required=False)
        self.form.truth((*path, "divider"), part.get("divider"))

    def _container(self, path: Path, part: JsonObject) -> None:
        children = self.form.items(
            (*path, "components"), part.get("components"), least=1, most=MOST_COMPONENTS, required=True
        )
        self.form.whole((*path, "accent_color"), part.get("accent_color"), least=0, most=0xFFFFFF)
        for index, child in enumerate(children):
            self.check((*path, "components", index), child, IN_CONTAINER)


def check_select(form: Form, path: Path, part: JsonObject) -> None:
    """Complain about a select menu's own fields (not its custom_id)."""
    form.text((*path, "placeholder"), part.get("placeholder"), longest=150)
    least = form.whole((*path, "min_values"), part.get("min_values"), least=0, most=25)
    most = form.whole((*path, "max_values"), part.get("max_values"), least=1, most=25)
    if least is not None and most is not None and least > most:
        form.fail(
            (*path, "min_values"), "NUMBER_TYPE_MAX", f"int value should be less than or equal to {most}."
        )
    if part.get("type") == STRING_SELECT:
        _check_select_options(form, (*path, "options"), part, 1 if most is None else most)


def _check_select_options(form: Form, path: Path, part: JsonObject, most: int) -> None:
    # Discord wants at least as many options as may be chosen.
    options = form.items(path, part.get("options"), least=max(1, most), most=25, required=True)
    seen: set[str] = set()
    for index, item in enumerate(options):
        entry = form.record((*path, index), item)
        if entry is None:
            continue
        form.text((*path, index, "label"), entry.get("label"), longest=100, required=True)
        value = form.text((*path, index, "value"), entry.get("value"), longest=100, required=True)
        form.text((*path, index, "description"), entry.get("description"), longest=100)
        if value in seen:
            message = "The specified option value is already used"
            form.fail((*path, index, "value"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", message)
        seen.add(value or "")
    if sum(1 for item in options if isinstance(item, dict) and item.get("default")) > most:
        message = f"Must be {most} or fewer default options."
        form.fail(path, "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", message)
