"""The same papers as three sources tell them: a listing, arXiv and iclr.cc, each in its own way.

Made from real titles and authors, with a seed: changed titles, orders and spellings, repetitions, near-by other papers.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

SEED = 20260504
PAPERS = 1_500


@dataclass(frozen=True)
class Told:
    """One telling of a paper: which paper it is, and its title and people as told."""

    paper: int
    title: str
    authors: tuple[str, ...]


@dataclass
class Mixed:
    """Three payloads and, for every title told, which papers it may be."""

    listing: bytes
    atom: bytes
    yearly: bytes
    tellings: list[Told] = field(default_factory=list)
    twice_in_yearly: int = 0  # those are one record: orals stand there twice
    ids: dict[int, str] = field(default_factory=dict)  # arXiv ids by paper


def real_papers(shared_data: Path) -> list[dict[str, Any]]:
    with gzip.open(shared_data / "papers-real.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [row for row in rows if row["venue"] == "ICLR" and row["year"] >= 2025 and row.get("authors")]


class Teller:
    """Tells papers differently each time, by a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 - a test's data, not a secret

    def title(self, title: str) -> str:
        ways: list[Callable[[str], str]] = [
            lambda text: text,
            lambda text: text if "\\" in text else text.upper(),
            lambda text: re.sub(r"[-–—:]", " ", text),
            lambda text: text.replace("-", "–"),
            lambda text: f"The {text}",
            lambda text: re.sub(r"^(?:A|An|The) ", "", text),
            lambda text: re.sub(r"(?<=[a-z]{4}[a-rt-z])(?= |$)", "s", text, count=1),
            lambda text: text.replace("Models", "Model"),
            lambda text: text.replace(" and ", " & "),
            lambda text: f"\\textbf{{{text.split()[0]}}} {' '.join(text.split()[1:])}".strip(),
            lambda text: text.replace("lambda", "$\\lambda$").replace("alpha", "$\\alpha$"),
            lambda text: f"{text}.",
            lambda text: text.replace("'", "’"),
        ]
        for way in self.random.sample(ways, self.random.choice((1, 1, 2, 3))):
            title = way(title)
        return title

    def authors(self, names: list[str]) -> tuple[str, ...]:
        told = [self.name(name) for name in names]
        way = self.random.random()
        if way < 0.12:
            self.random.shuffle(told)
        elif way < 0.22 and len(told) >= 4:
            del told[self.random.randrange(1, len(told))]
        elif way < 0.3 and len(told) >= 4:
            told.append("Extra Person")
        return tuple(told)

    def name(self, name: str) -> str:
        way, words = self.random.random(), name.split()
        if way < 0.03 and len(words) >= 2:
            return f"{words[0][0]}. {' '.join(words[1:])}"
        if way < 0.06:
            return name.replace("-", " ")
        if way < 0.08:
            return name.upper()
        return name


def mix(shared_data: Path, seed: int = SEED, size: int = PAPERS) -> Mixed:
    """Choose papers, add namesakes and neighbours, and tell each in two or three sources."""
    teller = Teller(seed)
    papers = real_papers(shared_data)
    teller.random.shuffle(papers)
    chosen = [(paper["title"], list(paper["authors"])) for paper in papers[:size]]
    chosen += list(_neighbours(teller, chosen))
    mixed = Mixed(b"", b"", b"")
    cards, entries, results = [], [], []
    for number, (title, authors) in enumerate(chosen):
        sources = teller.random.choice(("la", "li", "ai", "lai", "lai", "l", "a", "i"))
        for source in sources:
            times = 2 if teller.random.random() < 0.1 else 1
            told = Told(number, teller.title(title), teller.authors(authors))
            mixed.tellings += [told] * times
            if source == "l":
                cards += [_card(told)] * times
            elif source == "a":
                mixed.ids[number] = f"26{1 + number // 90_000:02}.{number:05}"
                entries += [_entry(told, mixed.ids[number])] * times
            else:
                results += [_result(told, number)] * times
                mixed.twice_in_yearly += times - 1
    for parts in (cards, entries, results):
        teller.random.shuffle(parts)
    mixed.listing = "\n\n".join(("ICLR", *cards)).encode()
    mixed.atom = (
        '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom">'
        + "".join(entries)
        + "</feed>"
    ).encode()
    mixed.yearly = json.dumps({"count": len(results), "results": results}).encode()
    return mixed


def _neighbours(teller: Teller, chosen: list[tuple[str, list[str]]]) -> list[tuple[str, list[str]]]:
    """Other papers that look like a chosen one: a sequel by the same people, and a namesake by others."""
    found = []
    for title, authors in teller.random.sample(chosen, len(chosen) // 10):
        found.append((f"{title} II", authors))
        found.append((f"{title} for Trees", authors))
        strangers = teller.random.choice(chosen)[1]
        if not set(strangers) & set(authors):
            found.append((title, strangers))
    return found


def _card(told: Told) -> str:
    return (
        f"{told.title}\n\n第{told.paper}篇\n\n{', '.join(told.authors)}\n\n"
        f"AI总结 本文是第{told.paper}篇论文的摘要。\n\nComments ICLR 2026"
    )


def _entry(told: Told, arxiv_id: str) -> str:
    people = "".join(f"<author><name>{escape(name)}</name></author>" for name in told.authors)
    return (
        f"<entry><id>http://arxiv.org/abs/{arxiv_id}v1</id><title>{escape(told.title)}</title>"
        f"<summary>We propose paper {told.paper}.</summary><published>2026-01-01T00:00:00Z</published>"
        f"<arxiv:comment>ICLR 2026</arxiv:comment>{people}</entry>"
    )


def _result(told: Told, number: int) -> dict[str, Any]:
    return {
        "name": told.title,
        "authors": [{"fullname": name, "institution": "Tsinghua University"} for name in told.authors],
        "abstract": f"We propose paper {told.paper}.",
        "decision": "Accept (Oral)" if number % 10 == 0 else "Accept (Poster)",
        "virtualsite_url": f"/virtual/2026/poster/{number}",
        "paper_url": f"https://openreview.net/forum?id=forum{number:06}",
    }
