"""Looking for a part that may stand already: in a channel's history, or among a forum's posts.

Promises: everything from a minute before the first attempt to the end is looked through, page by page at the
bot's pace; only the bot's own messages with the part's mark count. Leaves to `post`: whether looking is allowed.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import discord
from discord.abc import Messageable

from bot.delivery.pace import Pacer
from bot.delivery.places import Place
from bot.delivery.verdict import EmptyHistoryError

# How far before the first attempt a look-up starts: the clocks of two machines may differ.
LOOK_BACK = timedelta(seconds=60)
PAGE = 100  # Discord: messages a request
# So many of a forum's newest posts are looked at however old they seem, for clocks that were far ahead.
RECENT_POSTS = 10


class History:
    """Finds the bot's own marked messages."""

    def __init__(self, client: discord.Client, pace: Pacer) -> None:
        self._client = client
        self._pace = pace

    async def find(self, place: Place, mark: str, since: datetime, *, doubt: bool) -> int | None:
        """The id of the message with a mark, or None.

        Args:
            place: a channel, thread or DM whose history may be read as far as the cache knows.
            mark: the `custom_id` that the message carries.
            since: the first attempt.
            doubt: whether an empty answer is to be checked against what else is there.

        Raises:
            EmptyHistoryError: the history is empty although something was posted there once.
        """
        if place.channel is None:
            return None
        after = discord.utils.time_snowflake(since - LOOK_BACK)
        while page := await self._page(place.channel, after):
            if (found := self._marked(page, mark)) is not None:
                return found
            after = page[-1].id
            if len(page) < PAGE:
                break
        # If the clock was far ahead at the first attempt, the message stands before the moment it was looked for.
        newest = await self._page(place.channel, None)
        if not newest and doubt and place.last_message_id is not None:
            # Nothing at all where something was: perhaps the right to read has just been taken away.
            raise EmptyHistoryError
        return self._marked(newest, mark)

    async def _page(self, channel: Messageable, after: int | None) -> list[discord.Message]:
        """A page after a message, oldest first; or the newest one."""
        await self._pace.turn()
        if after is None:
            return [message async for message in channel.history(limit=PAGE)]
        start = discord.Object(after)
        return [message async for message in channel.history(limit=PAGE, after=start, oldest_first=True)]

    def _marked(self, page: list[discord.Message], mark: str) -> int | None:
        return next((message.id for message in page if self._carries(message, mark)), None)

    async def find_post(
        self, forum: discord.ForumChannel, mark: str, since: datetime
    ) -> tuple[int, int] | None:
        """The ids of the post whose starter carries a mark, and of that starter, or None."""
        await self._pace.turn()
        threads = [thread for thread in await forum.guild.active_threads() if thread.parent_id == forum.id]
        await self._pace.turn()
        # Newest archived first: one that was archived before the first attempt was opened before it too.
        async for thread in forum.archived_threads(limit=None):
            if thread.archive_timestamp < since - LOOK_BACK and len(threads) >= RECENT_POSTS:
                break
            threads.append(thread)
        oldest = discord.utils.time_snowflake(since - LOOK_BACK)
        own = sorted(
            (one for one in threads if one.owner_id == self._me), key=lambda one: one.id, reverse=True
        )
        for number, thread in enumerate(own):
            if thread.id <= oldest and number >= RECENT_POSTS:
                break
            if await self._starts_with(thread, mark):
                return thread.id, thread.id
        return None

    async def _starts_with(self, thread: discord.Thread, mark: str) -> bool:
        await self._pace.turn()
        try:
            starter = await thread.fetch_message(thread.id)  # Discord: a post's starter has the thread's id
        except discord.NotFound:
            return False
        return self._carries(starter, mark)

    @property
    def _me(self) -> int:
        return self._client.user.id if self._client.user else 0

    def _carries(self, message: discord.Message, mark: str) -> bool:
        return message.author.id == self._me and any(
            getattr(child, "custom_id", None) == mark
            for row in message.components
            for child in getattr(row, "children", ())
        )
