"""The corpora of the search benchmark: documents of any size from real papers, and texts that must find nothing.

Promises: seeded. Chinese titles of the big corpora, arXiv and OpenReview ids are made up (`search_chinese`);
aliases of institutions come from the organisations' table where it is there. A million is mostly `search_filler`.
"""

from __future__ import annotations

import bisect
import csv
import gzip
import itertools
import json
import random
import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from rapidfuzz.distance import OSA
from rapidfuzz.process import extractOne

from benchmarks.search_chinese import chinese_title
from benchmarks.search_filler import filler
from bot.papers.files import read_listing
from bot.papers.model import Record
from bot.search.model import Document
from bot.text import normalise

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
ABSENT = 150
APART = 5  # slips between an absent title and any present one; a search that forgives four can't tell nearer ones apart

_EVERYDAY = """
what is the weather like in paris tomorrow|how do I cook pasta with tomato sauce|best pizza restaurants near me
my dog ate my homework again|who won the football match last night|please send me the invoice by friday
cheap flights from london to lisbon|the cat sat on the mat|where can I buy fresh bread on sunday
happy birthday to my grandmother|turn off the lights in the kitchen|I forgot my umbrella on the bus
do you want to go swimming this weekend|the train to the airport leaves at noon|my phone battery died yesterday
pick up the children from school|a nice recipe for apple pie|water the plants twice a week
the museum is closed on mondays|can you lend me twenty euros|let us meet at the coffee shop downtown
the bathroom sink is leaking again|we ran out of milk and eggs|what time does the bakery open
yoga class for beginners on tuesday|my neighbour plays the trumpet at night|buy two tickets for the opera
the soup is too salty|a haircut costs thirty dollars here|she wore a red dress to the wedding
the bus was late because of snow|put the laundry in the dryer|we painted the fence green last summer
our hotel room has no hot water|he broke his leg while skiing|grandpa's old bicycle needs new tyres
the cheese tastes like old socks|lost my passport at the beach|knitting a scarf for winter evenings
the landlord raised the rent again|bring sandwiches and lemonade|the orchestra rehearses every thursday
今天晚上吃什么好呢|明天会下雨吗|北京到上海的高铁票多少钱|我家的猫不爱喝水|周末一起去爬山吧|请帮我订一张电影票|附近哪里有好吃的火锅
妈妈做的红烧肉真香|这件衣服太贵了|孩子今年上小学三年级|帮我把窗户关上|昨天的足球比赛谁赢了|楼下超市几点关门|生日快乐我的朋友
手机没电了怎么办|地铁站离这里远吗|爷爷喜欢下象棋|冬天要多穿衣服|牛奶过期了别喝|这趟航班延误了三个小时
"""


@dataclass(frozen=True, slots=True)
class CorpusSpec:
    """What a corpus is called, how many papers it has, from which venues (empty = all), and whether a miss counts."""

    name: str
    size: int
    venues: tuple[str, ...] = ()
    gated: bool = True


_ALL = 200_000  # more than there are
SPECS = {
    "30": CorpusSpec("30 (listing)", 30),
    "5k": CorpusSpec("5k real ICLR", 5_000, ("ICLR",)),
    "50k": CorpusSpec("50k real ICLR/NeurIPS", 50_000, ("ICLR", "NeurIPS")),
    "150k": CorpusSpec("150k (all of papers-real)", _ALL),
    "1m": CorpusSpec("1m (150k real, the rest made up)", 1_000_000, gated=False),
}


def load(spec: CorpusSpec, data: Path, seed: int) -> tuple[list[Document], list[str]]:
    """The documents of a corpus, each with its place for an id, and real titles that are not among them."""
    # The listing needs strangers' titles only, and its tests shouldn't parse 150,000 lines for them.
    rows = list(_rows(data / "papers-real.jsonl.gz", step=40 if spec.size == 30 else 1))
    rng = random.Random(f"corpus/{seed}")
    rng.shuffle(rows)
    if spec.size == 30:
        records = read_listing(data / "listing-iclr.txt").records
        documents = [document_of(record, i) for i, record in enumerate(records)]
        return documents, _absent(documents, rows[:1000])
    fitting = [row for row in rows if not spec.venues or row["venue"] in spec.venues]
    aliases = _aliases(data / "ai-orgs.tsv")
    kept = fitting[: min(spec.size, len(fitting) - 3 * ABSENT)]
    others = fitting[len(kept) :] or rows
    more = filler(kept, spec.size - len(kept), seed) if spec.size > _ALL else ()
    documents = [_document(row, i, aliases) for i, row in enumerate(itertools.chain(kept, more))]
    return documents, _absent(documents, others)


def gibberish(rng: random.Random, count: int) -> Iterator[str]:
    """Texts that mean nothing, in letters and in characters."""
    for number in range(count):
        if number % 4 == 3:
            yield "".join(chr(rng.randint(0x4E00, 0x9FA5)) for _ in range(rng.randint(3, 9)))
        elif number % 4 == 2:
            yield "".join(rng.choice("asdfghjkl;qwertyuiop") for _ in range(rng.randint(6, 14)))
        else:
            words = (
                "".join(rng.choices(string.ascii_lowercase, k=rng.randint(4, 10)))
                for _ in range(rng.randint(1, 4))
            )
            yield " ".join(words)


def nonsense(seed: int) -> list[str]:
    """More than a hundred texts that must find nothing."""
    everyday = [text for line in _EVERYDAY.strip().splitlines() for text in line.split("|")]
    return [*everyday, *gibberish(random.Random(f"nonsense/{seed}"), 60)]


def document_of(record: Record, number: int) -> Document:
    """A record of a listing as a document."""
    venue = record.venue
    return Document(
        id=number,
        title_en=record.title_en,
        title_zh=record.title_zh,
        authors=record.authors,
        institutions=tuple(n for i in record.institutions for n in (i.name_en, i.name_zh) if n),
        year=venue.year if venue else None,
        track=venue.track.value if venue else None,
        presentation=venue.presentation.value if venue and venue.presentation else None,
        keys=_made_keys(number),
        newest=number,
    )


def _rows(path: Path, step: int = 1) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in itertools.islice(file, 0, None, step):
            yield json.loads(line)


def _document(row: dict[str, Any], number: int, aliases: dict[str, tuple[str, ...]]) -> Document:
    institutions = tuple(row.get("affiliations") or ())
    known = tuple(a for name in institutions for a in aliases.get(_normal_name(name), ()))
    status = str(row.get("status") or "").casefold()
    return Document(
        id=number,
        title_en=row["title"],
        title_zh=chinese_title(row["title"]),
        authors=tuple(row.get("authors") or ()),
        institutions=(*institutions, *known),
        year=row.get("year"),
        track="workshop" if "workshop" in status else "main",
        presentation=next((p for p in ("oral", "spotlight", "poster") if p in status), None),
        keys=_made_keys(number),
        newest=number,
    )


_normal_name = lru_cache(maxsize=1 << 18)(normalise)


def _made_keys(number: int) -> tuple[str, ...]:
    rng = random.Random(f"keys/{number}")
    forum = "".join(rng.choices(string.ascii_letters + string.digits, k=10))
    rounds, low = divmod(number, 100_000)
    # The month moves on with each round of five digits: no two papers share an id.
    year, month = divmod((low * 7 + rounds) % 144, 12)
    return f"arxiv:{15 + year:02}{1 + month:02}.{low:05}", f"openreview:{forum}"


def _aliases(path: Path) -> dict[str, tuple[str, ...]]:
    """Canonical English name in the normal form → its Chinese name and aliases."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))[1:]
    return {normalise(row[0]): tuple(filter(None, (row[1], *row[2].split("|")))) for row in rows}


def _absent(documents: Iterable[Document], rows: list[dict[str, Any]]) -> list[str]:
    """Titles that aren't there: neither as another's part nor, by a few letters, in another spelling."""
    have = sorted({normalise(document.title_en) for document in documents}, key=len)
    text = "\n".join(f" {title} " for title in have)
    normal = ((row["title"], normalise(row["title"])) for row in rows if len(row["title"].split()) >= 4)
    absent = (title for title, n in normal if f" {n} " not in text and not _spelt_alike(n, have))
    return list(itertools.islice(absent, ABSENT))


def _spelt_alike(title: str, have: list[str]) -> bool:
    """Whether one of some titles, sorted by length, is but a few letters away."""
    first = bisect.bisect_left(have, len(title) - APART + 1, key=len)
    last = bisect.bisect_right(have, len(title) + APART - 1, key=len)
    return extractOne(title, have[first:last], scorer=OSA.distance, score_cutoff=APART - 1) is not None
