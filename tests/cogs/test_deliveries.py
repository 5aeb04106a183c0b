"""The buttons of what the bot sent by itself, and lookups where the bot is no member."""

from __future__ import annotations

import pytest

from bot.sandbox.model import Message
from bot.sandbox.outcome import Seen
from tests.cogs.listings import entry, listing
from tests.herald_fixtures import Herald, buttons, options

MANY = listing(
    *(
        entry(f"Otter Study Number {number} of Many", authors=f"Ada Lovelace{chr(97 + number)}")
        for number in range(24)
    )
)


async def _alert(herald: Herald) -> Message:
    await herald.reader.command(herald.general, "subscribe institution", {"name": "ETH Zurich"})
    await herald.load(MANY)
    dm = herald.dm(herald.reader)
    return next(one for one in herald.reader.messages(dm) if "Otter Study" in str(one.embeds))


@pytest.mark.asyncio
async def test_and_n_more_opens_the_rest_also_after_a_restart(herald: Herald) -> None:
    alert = await _alert(herald)
    await herald.restart()
    (label,) = [label for label in buttons(alert) if label.startswith("And ")]
    rest = await herald.reader.click(alert, buttons(alert)[label])
    assert rest.seen is Seen.MESSAGE
    assert rest.message is not None
    count = int(label.split()[1])
    assert f"1–10 of {count}" in rest.text
    turned = await herald.reader.click(rest.message, buttons(rest.message)["Next"])
    assert turned.message is rest.message
    assert f"of {count}" in turned.text
    shown = len(alert.embeds)
    assert shown + count == 24


@pytest.mark.asyncio
async def test_details_list_the_papers_of_the_part(herald: Herald) -> None:
    alert = await _alert(herald)
    answer = await herald.reader.click(alert, buttons(alert)["Details"])
    assert answer.message is not None
    custom_id, choices = options(answer.message)
    assert len(choices) == len(alert.embeds)
    card = await herald.reader.select(answer.message, custom_id, [choices[0]["value"]])
    assert "Report a mistake" in (buttons(card.message) if card.message else {})


@pytest.mark.asyncio
async def test_details_of_a_public_digest_answer_the_one_who_clicks(herald: Herald) -> None:
    given = {"channel": herald.demo.digest, "time": "09:00", "timezone": "UTC", "backfill": 12}
    await herald.admin.command(herald.general, "digest set", given)
    await herald.admin.command(herald.general, "digest now")
    await herald.settle()
    first = herald.posted(herald.demo.digest)[0]
    answer = await herald.chinese.click(first, next(iter(buttons(first).values())))
    assert answer.message is not None
    assert answer.message.seen_only_by == herald.chinese.user.id
    assert len(options(answer.message)[1]) >= 2


@pytest.mark.asyncio
async def test_lookups_work_where_only_the_person_installed_the_bot(herald: Herald) -> None:
    world = herald.sandbox.world
    guild = world.add_guild("Elsewhere", owner=herald.demo.reader)
    channel = world.add_channel(guild, "chat")
    found = await herald.reader.command(channel, "search", {"query": "learning graphs"})
    assert found.seen is Seen.MESSAGE
    card = await herald.reader.command(channel, "paper", {"query": "LogQuant"})
    assert card.message is not None
    saved = await herald.reader.click(card.message, buttons(card.message)["Save"])
    assert saved.text.startswith("Saved: LogQuant")
    refused = await herald.reader.command(channel, "settings", {"server": "zh"})
    assert refused.text == "This works only in a server that this bot is a member of."
    names = {command.name for command in herald.reader.commands(channel)}
    assert "paper" in names
    assert not names & {"digest", "import"}
