"""What the tests of deliveries share: a digest or an alert on its way, and what Discord saw of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import timedelta

import discord

from bot.sandbox.human import Human
from bot.sandbox.model import Channel, Message
from bot.sandbox.permissions import Permission
from storage.database import Database
from storage.digests import DigestSettings
from storage.outbox import OutboxStore, Part
from storage.subscriptions import Subscription, SubscriptionStore
from tests.cogs.listings import entry, listing
from tests.herald_fixtures import PATIENCE, Herald

TOPIC = "tidal"


def paper(number: int) -> str:
    """A listing's entry that everybody in these tests follows."""
    return entry(
        f"Tidal Networks Number {number} of the Sea", authors=f"Ada Lovelace{'x' * number}, Alan Turing"
    )


def papers(count: int, start: int = 1) -> str:
    """A listing of so many papers."""
    return listing(*(paper(number) for number in range(start, start + count)))


def database(herald: Herald) -> Database:
    """The running bot's database."""
    return herald.app.knowledge.database


async def set_digest(herald: Herald, channel: Channel, **changed: object) -> DigestSettings:
    """A digest at 10:00 UTC, an hour after the tests' start."""
    assert channel.guild_id is not None
    wanted = DigestSettings(
        guild_id=channel.guild_id,
        channel_id=channel.id,
        hour=10,
        minute=0,
        timezone="UTC",
        language="en",
        days=frozenset(range(7)),
        tracks="all",
        include=(),
        exclude=(),
        paused=False,
        since_seq=0,
        set_by=herald.demo.admin.id,
        set_at=herald.clock.now(),
    )
    wanted = replace(wanted, **changed)  # type: ignore[arg-type] # the fields' own types
    await herald.app.digests.configure(wanted, 0)
    stored = await herald.app.digests._digests.get(channel.guild_id)
    assert stored is not None
    return stored


async def follow(herald: Herald, human: Human, topic: str = TOPIC, channel: Channel | None = None) -> None:
    """A person follows a topic by DM, or makes a channel follow it."""
    async with database(herald).transaction() as transaction:
        wanted = Subscription(
            id=0,
            user_id=human.user.id,
            guild_id=channel.guild_id if channel else None,
            channel_id=channel.id if channel else None,
            kind="keyword",
            value=topic,
            label=topic,
            children=True,
            language="en",
            since_seq=0,
            created_at=herald.clock.now(),
        )
        await SubscriptionStore(database(herald)).add(transaction, wanted)


async def parts(herald: Herald, kind: str | None = None) -> list[Part]:
    """Everything in the outbox, oldest first."""
    rows = await database(herald).all("SELECT id FROM outbox ORDER BY id")
    store = OutboxStore(database(herald))
    found = [part for row in rows if (part := await store.get(row["id"])) is not None]
    return [part for part in found if kind is None or part.kind == kind]


async def wait(herald: Herald, delay: timedelta) -> None:
    """Let time pass, and the bot do what is due then."""
    herald.clock.advance(delay)
    await herald.settle()


@dataclass
class Delivery:
    """One digest part or alert that is sent into a channel or a DM.

    Attributes:
        kind: digest | alert.
        channel: where it goes.
    """

    herald: Herald
    kind: str
    channel: Channel

    @classmethod
    async def prepared(cls, herald: Herald, kind: str) -> Delivery:
        """Everything is set up; nothing is sent yet."""
        if kind == "digest":
            await set_digest(herald, herald.demo.digest)
            return cls(herald, kind, herald.demo.digest)
        await follow(herald, herald.reader)
        return cls(herald, kind, herald.dm(herald.reader))

    async def go(self, count: int = 1) -> None:
        """Load papers and let the bot make its first attempt."""
        await self.herald.load(papers(count))
        if self.kind == "digest":
            await wait(self.herald, timedelta(hours=1, seconds=5))

    async def part(self) -> Part:
        """Its row in the outbox."""
        return (await parts(self.herald, self.kind))[0]

    @property
    def sends(self) -> int:
        """How many requests to store it Discord has seen."""
        path = f"/channels/{self.channel.id}/messages"
        return sum(one.method == "POST" and one.path == path for one in self.herald.sandbox.api.exchanges)

    @property
    def stored(self) -> list[Message]:
        """The bot's messages that stand there."""
        found = self.herald.sandbox.world.messages.all_in(self.channel.id)
        return [one for one in found if one.author_id == self.herald.demo.bot.id]


async def eventually(condition: Callable[[], bool] | Callable[[], Awaitable[bool]]) -> None:
    """Wait until the bot has noticed something: an event of the gateway, a row of its database."""
    async with asyncio.timeout(PATIENCE):
        while True:
            met = condition()
            if met if isinstance(met, bool) else await met:
                return
            await asyncio.sleep(0.01)


def rights(herald: Herald, channel: Channel) -> discord.Permissions:
    """The bot's permissions in a channel, as its client knows them."""
    known = herald.app.client.get_channel(channel.id)
    assert isinstance(known, (discord.abc.GuildChannel, discord.Thread))
    return known.permissions_for(known.guild.me)


async def deny(herald: Herald, channel: Channel, permission: Permission, name: str) -> None:
    """Take a right from the bot, and wait until it knows."""
    herald.sandbox.world.set_overwrite(channel, herald.demo.bot, deny=permission)
    await eventually(lambda: not getattr(rights(herald, channel), name))


async def allow(herald: Herald, channel: Channel, name: str) -> None:
    """Give it back."""
    herald.sandbox.world.set_overwrite(channel, herald.demo.bot)
    await eventually(lambda: bool(getattr(rights(herald, channel), name)))


async def states(herald: Herald, kind: str = "digest") -> list[str]:
    """The states of all parts of a kind, oldest first."""
    return [part.state for part in await parts(herald, kind)]
