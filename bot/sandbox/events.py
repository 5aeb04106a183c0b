"""How the world tells what happened.

Promises: every subscriber hears every event, in order, at once; one that raises doesn't stop the others.
Leaves to subscribers: who may see it (`World.sees`) and how it travels (`gateway`, `page`).
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable

from bot.sandbox.model import Event, JsonObject

_log = logging.getLogger(__name__)

Listener = Callable[[Event], None]


class EventStream:
    """Numbers events, keeps the last few hundred, and passes each to the listeners."""

    def __init__(self, kept: int = 500) -> None:
        self._listeners: list[Listener] = []
        self._sequence = 0
        self.recent: deque[Event] = deque(maxlen=kept)

    @property
    def sequence(self) -> int:
        """The number of the last event."""
        return self._sequence

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Hear every event from now on; call what is returned to stop."""
        self._listeners.append(listener)

        def stop() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return stop

    async def until(
        self, name: str, where: Callable[[Event], bool] = lambda _: True, *, seconds: float = 10.0
    ) -> Event:
        """Wait for the next event of a name that fits.

        Raises:
            TimeoutError: none came within so many real seconds.
        """
        found: asyncio.Future[Event] = asyncio.get_running_loop().create_future()

        def listen(event: Event) -> None:
            if event.name == name and not found.done() and where(event):
                found.set_result(event)

        stop = self.subscribe(listen)
        try:
            return await asyncio.wait_for(found, seconds)
        finally:
            stop()

    def emit(
        self,
        name: str,
        data: JsonObject,
        *,
        guild_id: int | None = None,
        channel_id: int | None = None,
        user_id: int | None = None,
        application_id: int | None = None,
    ) -> Event:
        """Tell the listeners; see `Event` for the fields."""
        self._sequence += 1
        event = Event(name, data, self._sequence, guild_id, channel_id, user_id, application_id)
        self.recent.append(event)
        for listener in tuple(self._listeners):
            try:
                listener(event)
            except Exception:
                _log.exception("a listener failed on %s", name)
        return event
