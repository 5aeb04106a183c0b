"""What arXiv and iclr.cc send, read as records; and what nobody should send."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from bot.papers.files import ListingError, parse_bytes
from bot.papers.model import Link, Origin, Presentation, Record, Status, Track, Venue

FEED = '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:x="http://arxiv.org/schemas/atom">'


def atom(*entries: str, head: str = "") -> tuple[Record, ...]:
    return parse_bytes(f"{head}{FEED}{''.join(entries)}</feed>".encode(), name="reply.xml").records


def entry(inside: str = "", title: str = "A Title", number: str = "2601.00001v2") -> str:
    return f"<entry><id>http://arxiv.org/abs/{number}</id><title>{title}</title>{inside}</entry>"


# --- arXiv ---------------------------------------------------------------------------------------------------


@pytest.mark.shared
def test_the_real_replies(shared_data: Path) -> None:
    folder = shared_data / "arxiv-atom"

    def read(name: str) -> tuple[Record, ...]:
        parsed = parse_bytes((folder / f"{name}.xml").read_bytes(), name=name)
        assert (parsed.source, parsed.rejected) == ("arxiv", ())
        return parsed.records

    assert read("arxiv_id_0000.0000") == ()
    (one,) = read("arxiv_id_1605.08386")
    assert (one.arxiv_id, one.title_en) == ("1605.08386", "Heat-bath random walks with Markov bases")
    assert one.authors == ("Caprice Stanley", "Tobias Windisch")
    assert (one.date, one.categories) == (date(2016, 5, 26), ("math.CO", "math.ST"))
    assert one.comments == "20 pages, 3 figures"
    assert one.abstract_en is not None
    assert one.abstract_en.startswith("Graphs on lattice points are studied")
    many = read("arxiv_q_testing")
    assert len(many) == 10
    assert "Aurora Ramírez" in many[1].authors, "names that arXiv encoded twice are mended"
    with pytest.raises(ListingError, match="arXiv refuses the request: incorrect id format for abc"):
        read("arxiv_id_abc")


def test_an_entry_says_all_it_knows() -> None:
    (record,) = atom(
        entry(
            "<summary>\n  We propose\n  $\\alpha$ &lt; 1.\n</summary><published>2026-01-02T03:04:05Z</published>"
            "<updated>2026-03-01T00:00:00Z</updated><x:comment>ICLR 2026 Oral, code: https://github.com/a/b</x:comment>"
            "<x:primary_category term='cs.LG'/><category term='cs.AI'/><category term='cs.LG'/>"
            "<author><name>Ann One</name><x:affiliation>Tsinghua University</x:affiliation></author>"
            "<author><name>Ann One</name></author>"
        )
    )
    assert record.abstract_en == "We propose $\\alpha$ < 1."
    assert record.date == date(2026, 1, 2)
    assert record.categories == ("cs.LG", "cs.AI")
    assert record.authors == ("Ann One", "Ann One"), "two people may share a name"
    assert [item.name_en for item in record.institutions] == ["Tsinghua University"]
    assert record.links == (
        Link("arxiv", "https://arxiv.org/abs/2601.00001"),
        Link("code", "https://github.com/a/b"),
    )
    assert record.venue == Venue("ICLR", 2026, Track.MAIN, Presentation.ORAL, Status.ACCEPTED)


def test_prefixes_do_not_matter_and_foreign_elements_are_not_read() -> None:
    (record,) = parse_bytes(
        b'<a:feed xmlns:a="http://www.w3.org/2005/Atom" xmlns:b="urn:else"><a:entry><b:title>Wrong</b:title>'
        b"<a:id>https://arxiv.org/abs/cs/0112017v1</a:id><a:title>Right</a:title><a:source><a:title>Wrong</a:title>"
        b"</a:source></a:entry></a:feed>",
        name="x",
    ).records
    assert (record.title_en, record.arxiv_id) == ("Right", "cs/0112017")


def test_an_entry_that_is_no_paper_is_rejected_and_the_rest_loads() -> None:
    parsed = parse_bytes(
        (
            FEED + entry(title="", number="2601.00001") + "\n" + entry(number="zzz") + entry() + "</feed>"
        ).encode(),
        name="reply.xml",
    )
    assert len(parsed.records) == 1
    assert [(one.line, one.reason) for one in parsed.rejected] == [
        (1, "2601.00001 has no title"),
        (2, "no arXiv id in “http://arxiv.org/abs/zzz”"),
    ]


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' if n else '<!ENTITY l0 "lol">' for n in range(10))


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (f'<?xml version="1.0"?><!DOCTYPE feed [{LAUGHS}]>{FEED}{entry("&l9;")}</feed>', "DOCTYPE"),
        (f'<!DOCTYPE feed [<!ENTITY x SYSTEM "file:///etc/passwd">]>{FEED}{entry("&x;")}</feed>', "DOCTYPE"),
        (f'<!DOCTYPE feed SYSTEM "http://evil.example/x.dtd">{FEED}</feed>', "DOCTYPE"),
        (f"{FEED}{entry('&undeclared;')}</feed>", "no well-formed XML"),
        (f"{FEED}{entry()}", "no well-formed XML"),
        (f"{FEED}{entry()[:40]}", "no well-formed XML"),
        (f"{FEED}<entry><b></entry></feed>", "no well-formed XML"),
        ('<?xml version="1.0"?><rss><channel/></rss>', "no Atom feed but “rss”"),
        ('<?xml version="1.0" encoding="klingon"?><feed/>', "no XML that can be read (unknown encoding"),
        (f"{FEED}{'<a>' * 50}{'</a>' * 50}</feed>", "nested too deeply"),
    ],
)
def test_hostile_and_broken_xml_is_refused_with_a_reason(body: str, reason: str) -> None:
    with pytest.raises(ListingError, match=r"^reply\.xml: ") as caught:
        parse_bytes(body.encode(), name="reply.xml")
    assert reason in str(caught.value)
    assert "passwd" not in str(caught.value)


# --- iclr.cc -------------------------------------------------------------------------------------------------


def result(**changed: object) -> dict[str, Any]:
    values = {
        "name": "Deep Trees",
        "authors": [{"fullname": "Ann One", "institution": "Tsinghua University"}, {"fullname": "Bob Two"}],
        "abstract": "We propose deep trees.",
        "decision": "Accept (Poster)",
        "session": "Poster Session 1",
        "eventtype": "Poster",
        "virtualsite_url": "/virtual/2026/poster/7",
        "paper_url": "https://openreview.net/forum?id=abcDEF1234",
    }
    return values | changed


def yearly(*results: object, name: str = "list.json") -> tuple[Record, ...]:
    parsed = parse_bytes(json.dumps({"count": len(results), "results": results}).encode(), name=name)
    assert parsed.source == "iclr"
    return parsed.records


def test_a_result_says_all_it_knows() -> None:
    (record,) = yearly(result())
    assert (record.title_en, record.authors) == ("Deep Trees", ("Ann One", "Bob Two"))
    assert [item.name_en for item in record.institutions] == ["Tsinghua University"]
    assert record.abstract_en == "We propose deep trees."
    assert record.venue == Venue("ICLR", 2026, Track.MAIN, Presentation.POSTER, Status.ACCEPTED)
    assert record.links == (
        Link("openreview", "https://openreview.net/forum?id=abcDEF1234"),
        Link("paper", "https://iclr.cc/virtual/2026/poster/7"),
    )


def test_an_oral_stands_there_twice_and_is_one() -> None:
    poster = result(decision="Accept (Oral)")
    oral = result(
        decision="Accept (Oral)", eventtype="Oral", abstract="", virtualsite_url="/virtual/2026/oral/9"
    )
    for order in ((poster, oral), (oral, poster)):
        (record,) = yearly(*order)
        assert record.venue is not None
        assert record.venue.presentation is Presentation.ORAL
        assert record.abstract_en == "We propose deep trees."
        assert len(record.links) == 3


def test_an_oral_without_paper_address_is_one_by_title_and_people() -> None:
    bare = result(paper_url=None, decision="Accept (Oral)")
    other = result(paper_url=None, authors=[{"fullname": "Cem Three"}])
    assert len(yearly(bare, bare | {"eventtype": "Oral"}, other)) == 2
    nobody = result(paper_url=None, authors=[])
    assert len(yearly(nobody, nobody)) == 2, "a title alone makes no two entries one"


@pytest.mark.parametrize(
    ("decision", "kind", "presentation", "status"),
    [
        ("Accept (Oral)", "Poster", Presentation.ORAL, Status.ACCEPTED),
        ("Accept (Spotlight)", "Poster", Presentation.SPOTLIGHT, Status.ACCEPTED),
        ("Accept: notable-top-5%", "Poster", Presentation.ORAL, Status.ACCEPTED),
        ("Accept: notable-top-25%", "Poster", Presentation.SPOTLIGHT, Status.ACCEPTED),
        ("Accept: poster", "", Presentation.POSTER, Status.ACCEPTED),
        ("Accept (Talk)", "", Presentation.ORAL, Status.ACCEPTED),
        (None, "Poster", Presentation.POSTER, Status.ACCEPTED),
        (None, "", None, Status.ACCEPTED),
        ("Reject", "", None, Status.REJECTED),
        ("Withdrawn", "", None, Status.WITHDRAWN),
        ("Submitted", "Poster", Presentation.POSTER, Status.SUBMITTED),
        ("Whatever", "", None, Status.UNKNOWN),
    ],
)
def test_decisions(
    decision: str | None, kind: str, presentation: Presentation | None, status: Status
) -> None:
    (record,) = yearly(result(decision=decision, eventtype=kind))
    assert record.venue is not None
    assert (record.venue.presentation, record.venue.status) == (presentation, status)


def test_the_year_is_the_entrys_own_or_the_files() -> None:
    (record,) = yearly(result(virtualsite_url=""), name="/x/iclr-2025-orals-posters.json")
    assert record.venue is not None
    assert record.venue.year == 2025
    (record,) = yearly(result(), name="iclr-2025-orals-posters.json")
    assert record.venue is not None
    assert record.venue.year == 2026


def test_workshops_and_journal_papers_are_not_main() -> None:
    tracks = [
        record.venue.track
        for record in yearly(
            result(eventtype="Workshop Poster", paper_url=""),
            result(eventtype="Journal Track Poster", name="Other", paper_url=""),
        )
        if record.venue
    ]
    assert tracks == [Track.WORKSHOP, Track.OTHER]


def test_the_authors_own_sentence_is_known_as_theirs() -> None:
    (record,) = yearly(result(TLDR="Trees can be deep."))
    assert (record.summary_en, record.summary_en_origin) == ("Trees can be deep.", Origin.TLDR)


def test_odd_values_are_left_out_or_rejected_with_their_place() -> None:
    odd = result(
        authors="Ann One, Bob Two", abstract=7, paper_url="javascript:alert(1)", name="Odd &amp; Even"
    )
    parsed = parse_bytes(
        json.dumps({"results": [odd, result(name=" "), None, "x", {}]}).encode(), name="list.json"
    )
    (record,) = parsed.records
    assert (record.title_en, record.authors, record.abstract_en) == ("Odd & Even", (), None)
    assert [link.url for link in record.links] == ["https://iclr.cc/virtual/2026/poster/7"]
    assert [(one.line, one.reason) for one in parsed.rejected] == [
        (2, "no name"),
        (3, "not an object"),
        (4, "not an object"),
        (5, "no name"),
    ]


@pytest.mark.parametrize(
    "body",
    [
        b'{"count": 2, "results": [{"name": "A"',
        b'{"count": 2, "results": 7}',
        b'{"count": 2, "results": [' + b"[" * 100_000,
        b'{"results": [{"name": "\xff\xfe"}]}',
    ],
)
def test_broken_json_is_refused_with_a_reason(body: bytes) -> None:
    with pytest.raises(ListingError, match=r"^list\.json: (?:no valid JSON|the JSON has no list)"):
        parse_bytes(body, name="list.json")
