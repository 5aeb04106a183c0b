"""Discord's rate limits: buckets by route and major parameter, 50 requests a second in all, and the invalid ones.

Promises: the X-RateLimit-* headers and 429 bodies of Discord's reference. Time is the machine's monotonic clock, since
clients wait in real time. Leaves where a route belongs to `rest`.
"""

from __future__ import annotations

import hashlib
import time
from collections import deque
from dataclasses import dataclass, field

from bot.sandbox.model import JsonObject

GLOBAL_PER_SECOND = 50
INVALID_WINDOW = 600.0
INVALID_MOST = 10_000


@dataclass(frozen=True, slots=True)
class Rate:
    """`limit` requests in each window of `seconds`; `shared` is the name of a bucket that several routes share."""

    limit: int
    seconds: float
    shared: str | None = None


ORDINARY = Rate(50, 1.0)


@dataclass(slots=True)
class _Bucket:
    rate: Rate
    hash: str
    used: int = 0
    ends: float = 0.0


@dataclass(slots=True)
class Verdict:
    """What a request is told: the headers, and for a refused one the seconds to wait."""

    headers: dict[str, str] = field(default_factory=dict)
    retry_after: float | None = None
    is_global: bool = False

    def body(self) -> JsonObject:
        """The JSON of a 429."""
        wait = round(self.retry_after or 0.0, 3)
        return {"message": "You are being rate limited.", "retry_after": wait, "global": self.is_global}


class RateLimiter:
    """The limits of one server; `enabled` False grants everything and sends no headers."""

    def __init__(self, *, enabled: bool = True) -> None:
        self.enabled = enabled
        self._buckets: dict[tuple[str, str, str], _Bucket] = {}
        self._seconds: dict[str, deque[float]] = {}
        self._invalid: deque[float] = deque()

    def ask(self, who: str, route: str, major: str, rate: Rate, *, counts_globally: bool = True) -> Verdict:
        """Count one request.

        Args:
            who: the token or webhook it is charged to.
            route: method and path template.
            major: the ids that split the bucket (channel, server, webhook).
            rate: the route's rate.
            counts_globally: False for interaction endpoints, which Discord doesn't bind to the global limit.
        """
        if not self.enabled:
            return Verdict()
        now = time.monotonic()
        if counts_globally and (wait := self._global_wait(who, now)):
            headers = {
                "X-RateLimit-Global": "true",
                "X-RateLimit-Scope": "global",
                "Retry-After": _whole(wait),
            }
            return Verdict(headers, wait, is_global=True)
        bucket = self._bucket(who, route, major, rate, now)
        bucket.used += 1
        left = bucket.ends - now
        verdict = Verdict(self._headers(bucket, left))
        if bucket.used > rate.limit:
            verdict.retry_after = left
            verdict.headers |= {"X-RateLimit-Scope": "user", "Retry-After": _whole(left)}
        return verdict

    def _bucket(self, who: str, route: str, major: str, rate: Rate, now: float) -> _Bucket:
        key = (who, rate.shared or route, major)
        bucket = self._buckets.get(key)
        if bucket is None:
            # A bucket a channel adds up in a fan-out; one whose window is over holds nothing.
            if len(self._buckets) > 20_000:
                self._buckets = {k: b for k, b in self._buckets.items() if b.ends > now}
            digest = hashlib.sha256((rate.shared or route).encode()).hexdigest()[:32]
            bucket = self._buckets[key] = _Bucket(rate, digest)
        if now >= bucket.ends:
            bucket.used, bucket.ends = 0, now + rate.seconds
        return bucket

    def _headers(self, bucket: _Bucket, left: float) -> dict[str, str]:
        return {
            "X-RateLimit-Limit": str(bucket.rate.limit),
            "X-RateLimit-Remaining": str(max(0, bucket.rate.limit - bucket.used)),
            "X-RateLimit-Reset": f"{time.time() + left:.3f}",
            "X-RateLimit-Reset-After": f"{left:.3f}",
            "X-RateLimit-Bucket": bucket.hash,
        }

    def _global_wait(self, who: str, now: float) -> float:
        # Any window of one second, not the clock's seconds: a burst across a boundary is refused as well.
        recent = self._seconds.setdefault(who, deque())
        while recent and recent[0] <= now - 1.0:
            recent.popleft()
        if len(recent) >= GLOBAL_PER_SECOND:
            return recent[0] + 1.0 - now
        recent.append(now)
        return 0.0

    # ---- invalid requests ---------------------------------------------------------------------------------

    def note_invalid(self) -> None:
        """Count an answer of 401, 403 or 429 (the shared-scope 429 doesn't count)."""
        self._invalid.append(time.monotonic())

    @property
    def invalid(self) -> int:
        """Invalid requests of the last ten minutes; at 10,000 Discord bans the address."""
        while self._invalid and self._invalid[0] < time.monotonic() - INVALID_WINDOW:
            self._invalid.popleft()
        return len(self._invalid)

    @property
    def banned(self) -> bool:
        """Whether the address is banned for too many invalid requests."""
        return self.invalid >= INVALID_MOST


def _whole(seconds: float) -> str:
    # The header has whole seconds; rounded down it would ask clients back too early.
    return str(int(seconds) + 1)
