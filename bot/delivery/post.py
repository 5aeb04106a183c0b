"""One part, one attempt: where it goes, whether it stands there already, and the send itself.

Promises: a part that may have been stored is looked for before it is posted again; without the right to read
the history it isn't posted. Leaves to `worker`: the states of the outbox and what an error means.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from typing import Any, Protocol

import discord

from bot.clock import Clock
from bot.delivery.history import History
from bot.delivery.pace import Pacer
from bot.delivery.places import Place, Places
from bot.delivery.verdict import EMPTY, NoHistoryError, ThreadGoneError, UnsettledError
from bot.render.cutting import cut
from bot.render.ids import encode
from bot.render.message import Message, marked
from storage.outbox import OutboxStore, Part

SEND_TIMEOUT = 120.0  # seconds; discord.py's own retries and waits are within it
SETTLED_AFTER = timedelta(seconds=60)
POST_NAME = 100  # Discord: characters of a thread's name


class Nonce(Enum):
    """Whether Discord still knows the nonce of an uncertain part, so that a repeated send gives what is there."""

    KNOWN = "known"  # this process tried a moment ago
    LIKELY = "likely"  # another process tried a moment ago, if the clock is to be believed
    FORGOTTEN = "forgotten"


@dataclass(frozen=True, slots=True)
class Posted:
    """Where a part stands."""

    channel_id: int
    message_id: int
    adopted: bool  # found there rather than sent now


@dataclass(frozen=True, slots=True)
class Ready:
    """A part that has to be sent now; `send` makes the one request that may store it."""

    send: Callable[[], Awaitable[Posted]]


class Post(Protocol):
    """Makes attempts at parts."""

    async def prepare(self, part: Part, nonce: Nonce) -> Posted | Ready:
        """Find that the part stands already, or make it ready to send. Stores nothing."""
        ...

    async def turn(self) -> None:
        """Wait for a turn within Discord's global allowance."""
        ...

    async def forget_dm(self, user_id: int) -> None:
        """The stored DM channel is no good; the next attempt opens it anew."""
        ...

    def slow_down(self, seconds: float) -> None:
        """DM channels are opened too fast."""
        ...


class DiscordPost:
    """Attempts through a connected discord.py client."""

    def __init__(
        self, *, outbox: OutboxStore, places: Places, history: History, pace: Pacer, clock: Clock
    ) -> None:
        self._clock = clock
        self._outbox = outbox
        self._places = places
        self._history = history
        self._pace = pace
        self.turn = pace.turn
        self.forget_dm = places.forget_dm
        self.slow_down = places.slow_down

    async def prepare(self, part: Part, nonce: Nonce) -> Posted | Ready:
        """Find that the part stands already, or make it ready to send.

        Raises:
            NoHistoryError: it may stand already, and the history can't be read.
            EmptyHistoryError: the same, perhaps; to be asked again.
            NotAllowedError: the bot may not write there.
            UnsettledError: a forum post was asked for a moment ago.
            ThreadGoneError: the forum post that it belongs in was deleted.
            discord.HTTPException, aiohttp.ClientError, OSError: as discord.py raises them.
        """
        place = await self._place(part)
        mark = encode("part", part.mark)
        found = await self._find(place, part, mark, nonce)
        if found is not None:
            return found
        place.require_writing()
        message = marked(Message.from_json(part.body), mark)
        if not place.embeds:
            message = message.plain()
        kwargs = message.send_kwargs()
        if place.forum is not None:
            return _opening(place.forum, message, kwargs)
        if place.channel is None:  # pragma: no cover - a place has a channel or a forum
            raise NoHistoryError
        channel = place.channel
        return Ready(lambda: _send(channel, place.id, kwargs, part.nonce))

    async def _place(self, part: Part) -> Place:
        """Where the part goes; the later parts of an announcement in a forum go into the post of the first."""
        place = await self._places.find(part.whom)
        if place.forum is None:
            return place
        thread = await self._outbox.thread_of(part)
        if thread is None:
            return place
        try:
            return await self._places.channel(thread)
        except discord.NotFound as error:
            raise ThreadGoneError from error

    async def _find(self, place: Place, part: Part, mark: str, nonce: Nonce) -> Posted | None:
        """Where a part that was tried before stands, or None when a send can't double it.

        A refusal says that nothing was stored; where it costs only a look, even that isn't taken on trust.
        """
        if part.first_attempt_at is None or not self._is_doubtful(place, part, nonce):
            return None
        if place.forum is not None and part.uncertain:
            self._require_settled(part)
        if not place.readable:
            # Discord answers an empty list with 200 without the permission: that proves nothing.
            raise NoHistoryError
        if place.forum is not None:
            post = await self._history.find_post(place.forum, mark, part.first_attempt_at)
            return None if post is None else Posted(*post, adopted=True)
        doubt = part.uncertain and EMPTY not in (part.last_error or "")
        found = await self._history.find(place, mark, part.first_attempt_at, doubt=doubt)
        return None if found is None else Posted(place.id, found, adopted=True)

    @staticmethod
    def _is_doubtful(place: Place, part: Part, nonce: Nonce) -> bool:
        """Whether the part has to be looked for: it may stand there, and its nonce may be forgotten."""
        if place.forum is None and nonce is Nonce.KNOWN:
            return False
        if place.readable:
            return True
        return part.uncertain and (place.forum is not None or nonce is Nonce.FORGOTTEN)

    def _require_settled(self, part: Part) -> None:
        """No nonce catches a request that is still on its way, so it gets the time to end."""
        if part.last_attempt_at is None:
            return
        passed = self._clock.now() - part.last_attempt_at
        if timedelta() <= passed < SETTLED_AFTER:
            raise UnsettledError(SETTLED_AFTER - passed)


async def _send(
    channel: discord.abc.Messageable, channel_id: int, kwargs: dict[str, Any], nonce: str
) -> Posted:
    async with asyncio.timeout(SEND_TIMEOUT):
        sent = await channel.send(**kwargs, nonce=nonce)
    return Posted(channel_id, sent.id, adopted=False)


def _opening(forum: discord.ForumChannel, message: Message, kwargs: dict[str, Any]) -> Ready:
    """The first part of an announcement in a forum opens a post. Discord takes no nonce for it."""
    tags = [tag for tag in forum.available_tags if not tag.moderated][:1] if forum.flags.require_tag else []

    async def send() -> Posted:
        async with asyncio.timeout(SEND_TIMEOUT):
            opened = await forum.create_thread(name=post_name(message), applied_tags=tags, **kwargs)
        return Posted(opened.thread.id, opened.message.id, adopted=False)

    return Ready(send)


def post_name(message: Message) -> str:
    """A forum post's name: the first line of its text without markup."""
    lines = (message.content or "").strip().splitlines()
    name = lines[0].strip("#*_ ") if lines else ""
    return cut(name, POST_NAME, markup=False) or "ICLR Herald"
