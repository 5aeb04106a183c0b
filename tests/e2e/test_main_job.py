"""The main job from listing to lookup, digest and alert, with the real client over sockets."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.sandbox.outcome import Seen, text_of
from tests.herald_fixtures import Herald
from tests.openapi import Checker

NEW_LISTING = """ICLR

Tidal Transformers: Sequence Models That Learn When to Listen

潮汐变换器：学会何时倾听的序列模型

Lin Tang, Greta Öberg

机构 * Tsinghua University（清华大学） ； ETH Zurich（苏黎世联邦理工学院） 纠错

AI总结 本文提出潮汐变换器，在测试中提升了3.5%的准确率。

Comments Accepted at ICLR 2026 (oral)

Small Notes on Big Batches

关于大批量训练的小笔记

Ana Souza

机构 * University of Lisbon（里斯本大学） 纠错

AI总结 本文研究大批量训练的稳定性。

Comments Accepted at ICLR 2026 Workshop on Scaling Post-training for LLMs (SPOT)

A Paper That Is Not Accepted Yet

尚未被接收的论文

Bo Chen

机构 * Tsinghua University（清华大学） 纠错

AI总结 本文仍在审稿中。

Comments Under review at ICLR 2026
"""


@pytest.mark.asyncio
async def test_autocomplete_leads_to_a_card_with_both_languages(herald: Herald) -> None:
    choices = await herald.reader.autocomplete(herald.general, "paper", "query", "log qunat")
    assert choices[0].name.startswith("LogQuant")
    outcome = await herald.reader.command(herald.general, "paper", {"query": choices[0].value})
    assert outcome.seen is Seen.MESSAGE
    text = outcome.text
    for expected in ("LogQuant", "一种基于对数分布的2位KV缓存量化技术", "Bingsheng He", "ICLR 2025"):
        assert expected in text


@pytest.mark.asyncio
async def test_a_scheduled_digest_comes_once_with_both_languages(herald: Herald) -> None:
    await _set_digest(herald)
    await herald.load(NEW_LISTING)
    assert herald.posted(herald.demo.digest) == []
    herald.clock.set(datetime(2026, 5, 5, 1, 0, 5, tzinfo=UTC))  # 09:00:05 in Shanghai
    await herald.settle()
    posted = herald.posted(herald.demo.digest)
    assert len(posted) == 1
    text = text_of(posted[0])
    assert "Tidal Transformers" in text
    assert "潮汐变换器" in text
    assert "Small Notes on Big Batches" in text
    assert "Not Accepted" not in text
    await herald.settle()
    await herald.restart()
    await herald.settle()
    assert len(herald.posted(herald.demo.digest)) == 1


@pytest.mark.asyncio
async def test_loading_the_same_again_or_a_silent_day_posts_nothing(herald: Herald) -> None:
    await _set_digest(herald)
    await herald.load(NEW_LISTING)
    for day in range(3):
        herald.clock.set(datetime(2026, 5, 5, 1, 0, 5, tzinfo=UTC) + timedelta(days=day))
        await herald.settle()
        report = await herald.load(NEW_LISTING)
        assert (report.new, report.updated, report.unchanged) == (0, 0, 3)
    assert len(herald.posted(herald.demo.digest)) == 1


@pytest.mark.asyncio
async def test_acceptance_that_comes_later_is_news_once(herald: Herald) -> None:
    await _set_digest(herald)
    await herald.load(NEW_LISTING)
    herald.clock.set(datetime(2026, 5, 5, 1, 0, 5, tzinfo=UTC))
    await herald.settle()
    report = await herald.load(NEW_LISTING.replace("Under review at ICLR 2026", "Accepted at ICLR 2026"))
    assert (report.updated, report.unchanged) == (1, 2)
    for day in (6, 7):
        herald.clock.set(datetime(2026, 5, day, 1, 0, 5, tzinfo=UTC))
        await herald.settle()
    posted = herald.posted(herald.demo.digest)
    assert len(posted) == 2
    assert "Not Accepted Yet" in text_of(posted[1])
    assert "Tidal" not in text_of(posted[1])


@pytest.mark.asyncio
async def test_a_subscriber_gets_one_dm_that_says_why(herald: Herald) -> None:
    before = await _follow(herald, "tsinghua", "Tsinghua University")
    await herald.load(NEW_LISTING)
    news = herald.direct(herald.reader)[before:]
    assert len(news) == 1
    assert "Tidal Transformers" in news[0]
    assert "Tsinghua University" in news[0]
    assert "Not Accepted" not in news[0]
    await herald.load(NEW_LISTING)
    await herald.restart()
    await herald.settle()
    assert len(herald.direct(herald.reader)) == before + 1


@pytest.mark.asyncio
async def test_an_import_in_another_process_is_noticed_and_told_once(herald: Herald, tmp_path: Path) -> None:
    before = await _follow(herald, "ETH Zürich", "ETH Zurich")
    listing = tmp_path / "new.txt"
    listing.write_text(NEW_LISTING, "utf-8")
    report = await _import(herald, listing)
    assert report["new"] == 3
    await herald.until(lambda: len(herald.direct(herald.reader)) > before)
    found = await herald.app.knowledge.lookups.paper("tidal transformers")
    assert found.paper is not None
    assert len(herald.direct(herald.reader)) == before + 1


@pytest.mark.asyncio
async def test_a_file_in_the_watched_folder_is_loaded(herald: Herald, tmp_path: Path) -> None:
    folder = tmp_path / "listings"
    folder.mkdir()
    await herald.restart(listing_dir=folder)
    before = await _follow(herald, "Tsinghua", "Tsinghua University")
    (folder / "new.txt").write_text(NEW_LISTING, "utf-8")
    await herald.until(lambda: len(herald.direct(herald.reader)) > before)
    assert "Tidal Transformers" in herald.direct(herald.reader)[-1]


@pytest.mark.asyncio
@pytest.mark.shared
async def test_every_outgoing_body_is_as_discord_describes_it(herald: Herald, shared_data: Path) -> None:
    await _set_digest(herald)
    await herald.reader.command(herald.general, "subscribe institution", {"name": "Tsinghua"})
    await herald.chinese.command(herald.general, "paper", {"query": "量化"})
    await herald.load(NEW_LISTING)
    herald.clock.set(datetime(2026, 5, 5, 1, 0, 5, tzinfo=UTC))
    await herald.settle()
    for message in herald.posted(herald.demo.digest):
        await herald.reader.click(message, next(_custom_ids(message.components)))
    checker = Checker(shared_data / "discord-openapi.json")
    served = list(herald.sandbox.api.exchanges)
    assert len(served) >= 12
    assert [complaint for one in served for complaint in checker.complaints(one)] == []
    assert [one.path for one in served if one.status == 400] == []


async def _set_digest(herald: Herald) -> None:
    outcome = await herald.admin.command(
        herald.general,
        "digest set",
        {"channel": herald.demo.digest, "time": "09:00", "timezone": "Asia/Shanghai"},
    )
    assert outcome.seen is Seen.MESSAGE
    assert "09:00" in outcome.text


async def _follow(herald: Herald, name: str, called: str) -> int:
    """Follow an institution; how many DMs there are once the test message is in."""
    outcome = await herald.reader.command(herald.general, "subscribe institution", {"name": name})
    assert called in outcome.text
    await herald.until(lambda: len(herald.direct(herald.reader)) == 1)
    return 1


async def _import(herald: Herald, listing: Path) -> dict[str, int]:
    environment = {**os.environ, "DATABASE_PATH": str(herald.settings.database_path)}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        "import",
        "--json",
        str(listing),
        stdout=asyncio.subprocess.PIPE,
        env=environment,
    )
    out, _ = await process.communicate()
    assert process.returncode == 0
    return dict(json.loads(out))


def _custom_ids(components: list[dict[str, object]]) -> Iterator[str]:
    for row in components:
        for part in row.get("components", ()):  # type: ignore[attr-defined]  # JSON
            if "custom_id" in part:
                yield part["custom_id"]
