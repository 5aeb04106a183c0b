"""A bot's gateway session: it outlives its connection, so that it can be resumed.

Promises: numbered events, kept for the replay. Leaves who gets which event to `gateway`.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from bot.sandbox.gateway_socket import Close, GatewayCloseError, Socket
from bot.sandbox.model import Application, JsonObject

DISPATCH = 0
KEPT_EVENTS = 2000


@dataclass(slots=True, eq=False)
class Session:
    """A bot's session; it outlives its socket, so that it can be resumed.

    Attributes:
        sent: the events sent so far with their numbers, for the replay.
        socket: the open connection, or None.
    """

    id: str
    app: Application
    intents: int
    shard: tuple[int, int]
    sequence: int = 0
    sent: deque[tuple[int, JsonObject]] = field(default_factory=lambda: deque(maxlen=KEPT_EVENTS))
    socket: Socket | None = None
    lost_at: float = 0.0

    def dispatch(self, name: str, data: JsonObject) -> None:
        """Send an event, or keep it for the resume."""
        self.sequence += 1
        frame = {"op": DISPATCH, "t": name, "s": self.sequence, "d": data}
        self.sent.append((self.sequence, frame))
        if self.socket is not None:
            self.socket.send(frame)

    def can_replay(self, sequence: int) -> bool:
        """Whether everything after a number is still known."""
        oldest = self.sent[0][0] if self.sent else self.sequence + 1
        return oldest - 1 <= sequence <= self.sequence


def shard_of(value: object) -> tuple[int, int]:
    """The `shard` of an identify; (0, 1) when it was left out.

    Raises:
        GatewayCloseError: it is no pair of a number and a larger count.
    """
    if value is None:
        return (0, 1)
    if isinstance(value, list) and len(value) == 2 and all(isinstance(part, int) for part in value):
        number, count = value
        if 0 <= number < count:
            return (number, count)
    raise GatewayCloseError(Close.INVALID_SHARD)
