"""Scripted faults: what goes wrong on the way, when the test says so.

Promises: a fault applies to the requests it matches, as often as it says, before or after the request is accepted;
random ones follow their seed. Leaves carrying them out to `rest`.
"""

from __future__ import annotations

import asyncio
import random
import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from bot.sandbox.errors import KNOWN
from bot.sandbox.model import JsonObject


class When(StrEnum):
    """Whether the request was accepted (the message stored) when it goes wrong."""

    BEFORE = "before"
    AFTER = "after"


class Action(StrEnum):
    """What goes wrong."""

    CUT = "cut"  # the connection closes without an answer
    HANG = "hang"  # no answer for `seconds`, or until `release()`; then the connection is cut
    SLOW = "slow"  # the answer comes after `seconds`, or after `release()`
    STATUS = "status"  # a bare HTTP `status` such as 502, as a proxy in front sends it
    CODE = "code"  # Discord's JSON error `code`
    RATE_LIMIT = "rate_limit"  # 429 with `retry_after`, with or without Via


@dataclass(slots=True, eq=False)
class Fault:
    """One scripted fault.

    Attributes:
        action: what goes wrong.
        when: before or after acceptance.
        method: HTTP method, or "" for any.
        path: regular expression searched in the path below ``/api/v10``.
        channel_id: only requests that name this channel.
        times: how often it still applies; None for ever.
        chance: share of the matching requests it hits, by `seed`.
        skip: matching requests that pass before it starts.
        hits: how often it has applied.
        via: whether a 429 carries the `Via` header; Cloudflare's own come without and as HTML.
    """

    action: Action
    when: When = When.BEFORE
    method: str = ""
    path: str = ""
    channel_id: int | None = None
    times: int | None = 1
    chance: float = 1.0
    seed: int = 0
    skip: int = 0
    status: int = 500
    code: int = 0
    seconds: float | None = None
    retry_after: float = 1.0
    is_global: bool = False
    via: bool = True
    hits: int = 0
    _released: asyncio.Event = field(default_factory=asyncio.Event)
    _hit: asyncio.Event = field(default_factory=asyncio.Event)
    _random: random.Random = field(init=False)

    def __post_init__(self) -> None:
        re.compile(self.path)
        if self.action is Action.CODE and self.code not in KNOWN:
            raise ValueError(f"the error code {self.code} is unknown to the sandbox")
        self._random = random.Random(self.seed)  # noqa: S311 - repeatable faults, no secret

    def matches(self, method: str, path: str, channel_id: int | None) -> bool:
        """Whether it applies to a request; counts `skip`, `times` and the dice."""
        if self.times == 0 or (self.method and self.method != method):
            return False
        if self.channel_id is not None and self.channel_id != channel_id:
            return False
        # The dice are thrown for matching requests only, so other traffic doesn't change the sequence.
        if not re.search(self.path, path) or self._random.random() >= self.chance:
            return False
        if self.skip:
            self.skip -= 1
            return False
        if self.times is not None:
            self.times -= 1
        self.hits += 1
        self._hit.set()
        return True

    async def until_hit(self) -> None:
        """Wait until it has applied to a request."""
        await self._hit.wait()

    def release(self) -> None:
        """End a hang or a slow answer now."""
        self._released.set()

    async def wait(self) -> None:
        """Wait out a hang or a slow answer."""
        try:
            await asyncio.wait_for(self._released.wait(), self.seconds)
        except TimeoutError:
            return


class Faults:
    """The faults in force."""

    def __init__(self) -> None:
        self._active: list[Fault] = []

    def add(self, action: Action, **fields: Any) -> Fault:  # noqa: ANN401 - the fields of `Fault`, each of its own type
        """Script a fault; see `Fault` for the fields."""
        made = Fault(action, **fields)
        self._active.append(made)
        return made

    def add_json(self, data: JsonObject) -> Fault:
        """Script a fault given as JSON, e.g. ``{"action": "cut", "when": "after", "method": "POST"}``.

        Raises:
            ValueError: an unknown field or value.
        """
        known = {name for name in Fault.__dataclass_fields__ if not name.startswith("_")}
        unknown = set(data) - known
        if unknown:
            raise ValueError(f"unknown field of a fault: {', '.join(sorted(unknown))}")
        fields = {name: value for name, value in data.items() if name not in ("action", "when")}
        if fields.get("channel_id") is not None:
            fields["channel_id"] = int(fields["channel_id"])
        return self.add(Action(data["action"]), when=When(data.get("when", "before")), **fields)

    def remove(self, fault: Fault) -> None:
        """End a fault and let go what it holds."""
        fault.release()
        if fault in self._active:
            self._active.remove(fault)

    def clear(self) -> None:
        """End all faults and let go what they hold."""
        for fault in tuple(self._active):
            self.remove(fault)

    def take(self, method: str, path: str, channel_id: int | None) -> Fault | None:
        """The first fault that applies to a request, or None."""
        for fault in self._active:
            if fault.matches(method, path, channel_id):
                return fault
        return None
