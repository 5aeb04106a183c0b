"""Checking a body field by field and collecting what is wrong, as Discord does.

Promises: the tree of `errors` that comes with code 50035 "Invalid Form Body", with Discord's own codes and sentences.
Leaves which field has which limit to `limits*`. Lengths are UTF-16 units, the stricter of the two counts in use.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, TypeVar
from urllib.parse import urlsplit

from bot.sandbox.errors import ApiError
from bot.sandbox.model import JsonObject

Path = tuple[str | int, ...]
_T = TypeVar("_T")

REQUIRED = ("BASE_TYPE_REQUIRED", "This field is required")


def units(text: str) -> int:
    """Length in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def items_of(value: object) -> list[Any]:
    """A list as it is; anything else counts as an empty one, since another check complains about it."""
    return value if isinstance(value, list) else []


def record_of(value: object) -> JsonObject:
    """An object as it is; anything else counts as an empty one."""
    return value if isinstance(value, dict) else {}


class Form:
    """The complaints about one body."""

    def __init__(self) -> None:
        self.errors: JsonObject = {}

    def fail(self, path: Path, code: str, message: str) -> None:
        """Note a complaint at a place in the body."""
        node = self.errors
        for step in path:
            node = node.setdefault(str(step), {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    def finish(self) -> None:
        """Refuse the body when there was a complaint.

        Raises:
            ApiError: 400 with code 50035 and the tree of complaints.
        """
        if self.errors:
            raise ApiError(400, 50035, "Invalid Form Body", self.errors)

    # ---- single fields ------------------------------------------------------------------------------------

    def text(
        self, path: Path, value: object, *, longest: int, shortest: int = 0, required: bool = False
    ) -> str | None:
        """A text of a bounded length; None is fine unless `required`."""
        if value is None or (required and value == ""):
            if required:
                self.fail(path, *REQUIRED)
            return None
        if not isinstance(value, str):
            self.fail(path, "STRING_TYPE_CONVERT", f'Could not interpret "{value}" as string.')
            return None
        self._length(path, units(value), shortest, longest)
        return value

    def _length(self, path: Path, length: int, shortest: int, longest: int) -> None:
        if shortest <= length <= longest:
            return
        if shortest:
            self.fail(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {shortest} and {longest} in length.")
        else:
            self.fail(path, "BASE_TYPE_MAX_LENGTH", f"Must be {longest} or fewer in length.")

    def whole(
        self, path: Path, value: object, *, least: int, most: int, required: bool = False
    ) -> int | None:
        """A whole number within bounds."""
        if value is None:
            if required:
                self.fail(path, *REQUIRED)
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            self.fail(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
            return None
        if value < least:
            self.fail(path, "NUMBER_TYPE_MIN", f"int value should be greater than or equal to {least}.")
        if value > most:
            self.fail(path, "NUMBER_TYPE_MAX", f"int value should be less than or equal to {most}.")
        return value

    def one_of(self, path: Path, value: object, allowed: Iterable[_T], *, required: bool = True) -> _T | None:
        """A value out of a fixed set."""
        choices = tuple(allowed)
        if value is None:
            if required:
                self.fail(path, *REQUIRED)
            return None
        for choice in choices:
            if value == choice and not isinstance(value, bool):
                return choice
        self.fail(path, "BASE_TYPE_CHOICES", f"Value must be one of {set(choices)}.")
        return None

    def truth(self, path: Path, value: object) -> None:
        """A JSON boolean (or null)."""
        if value is not None and not isinstance(value, bool):
            self.fail(path, "BOOLEAN_TYPE_CONVERT", "Must be either true or false.")

    def items(
        self, path: Path, value: object, *, most: int, least: int = 0, required: bool = False
    ) -> list[Any]:
        """A list of a bounded length; an empty list comes back for anything else."""
        if value is None:
            if required:
                self.fail(path, *REQUIRED)
            return []
        if not isinstance(value, list):
            self.fail(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return []
        self._length(path, len(value), least, most)
        return value

    def record(self, path: Path, value: object) -> JsonObject | None:
        """A JSON object."""
        if not isinstance(value, dict):
            self.fail(path, "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
            return None
        return value

    def url(self, path: Path, value: object, schemes: tuple[str, ...], *, longest: int = 2048) -> None:
        """An absolute address with one of the schemes, or ``attachment://name``."""
        text = self.text(path, value, longest=longest)
        if text is None:
            return
        try:
            parts = urlsplit(text)
        except ValueError:
            self.fail(path, "URL_TYPE_INVALID_URL", "Not a well formed URL.")
            return
        if parts.scheme not in schemes:
            known = ", ".join(f"'{scheme}'" for scheme in schemes)
            message = f'Scheme "{parts.scheme}" is not supported. Scheme must be one of ({known}).'
            self.fail(path, "URL_TYPE_INVALID_SCHEME", message)
        elif not parts.netloc or any(sign.isspace() for sign in text):
            self.fail(path, "URL_TYPE_INVALID_URL", "Not a well formed URL.")

    def moment(self, path: Path, value: object) -> None:
        """An ISO 8601 time (or null)."""
        if value is None:
            return
        try:
            datetime.fromisoformat(str(value))
        except ValueError:
            self.fail(path, "DATE_TIME_TYPE_PARSE", f"Could not parse {value}. Should be ISO8601.")

    def snowflake(self, path: Path, value: object, *, required: bool = False) -> int | None:
        """An id, as text or number."""
        if value is None:
            if required:
                self.fail(path, *REQUIRED)
            return None
        if (
            not isinstance(value, bool)
            and isinstance(value, int | str)
            and str(value).isascii()
            and str(value).isdigit()
        ):
            return int(value)
        self.fail(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not snowflake.')
        return None
