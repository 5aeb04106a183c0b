from __future__ import annotations

import pytest

from tests.herald_fixtures import Herald


@pytest.mark.asyncio
async def test_the_bot_starts_on_the_sandbox_and_stops_cleanly(herald: Herald) -> None:
    assert herald.sandbox.bot_online(herald.demo.app.id)
    assert await herald.app.knowledge.lookups.count() >= 30
    await herald.restart()
    assert herald.sandbox.bot_online(herald.demo.app.id)
