from __future__ import annotations

from datetime import date

from bot.papers.merge import first_state, is_accepted, merge
from bot.papers.model import Affiliation, Link, Origin, Presentation, Record, Status, Track, Venue

MAIN_2026 = Venue("ICLR", 2026, Track.MAIN, None, Status.ACCEPTED)


def _record(**changed: object) -> Record:
    values: dict[str, object] = {
        "title_en": "A Title",
        "authors": ("Ann One", "Bob Two"),
        "venue": MAIN_2026,
    }
    return Record(**(values | changed))  # type: ignore[arg-type]  # fields by name


def test_the_same_record_again_changes_nothing() -> None:
    record = _record(summary_zh="摘要", links=(Link("code", "https://a.example"),))
    state = first_state(record, "listing")
    assert merge(state, record, "listing").state == state


def test_a_source_replaces_its_own_word_and_silence_erases_nothing() -> None:
    state = first_state(_record(title_zh="旧", comments="old"), "listing")
    merged = merge(state, _record(title_zh="新"), "listing").state
    assert merged.record.title_zh == "新"
    assert merged.record.comments == "old"


def test_the_better_source_of_a_field_wins_whatever_comes_first() -> None:
    listing = _record(title_zh="标题", abstract_en="short", date=date(2026, 1, 1))
    arxiv = _record(abstract_en="the whole abstract", arxiv_id="2601.00001", date=date(2025, 12, 31))
    one = merge(first_state(listing, "listing"), arxiv, "arxiv").state
    other = merge(first_state(arxiv, "arxiv"), listing, "listing").state
    for state in (one, other):
        assert state.record.abstract_en == "the whole abstract"
        assert state.record.arxiv_id == "2601.00001"
        assert state.record.date == date(2025, 12, 31)
        assert state.record.title_zh == "标题"
        assert state.origins["abstract_en"] == "arxiv"
        assert state.origins["title_zh"] == "listing"


def test_sources_that_disagree_on_people_are_reported() -> None:
    merged = merge(first_state(_record(), "listing"), _record(authors=("Ann One",)), "arxiv")
    assert merged.state.record.authors == ("Ann One", "Bob Two")
    assert "authors" in merged.conflicts[0]


def test_a_sidecar_fills_in_english_but_never_replaces_the_listings_own() -> None:
    sidecar = Record(title_en="", summary_en="From a person.", summary_en_origin=Origin.PERSON)
    filled = merge(first_state(_record(), "listing"), sidecar, "sidecar").state
    assert filled.record.summary_en == "From a person."
    assert filled.record.summary_en_origin is Origin.PERSON
    own = first_state(_record(summary_en="From the listing."), "listing")
    assert merge(own, sidecar, "sidecar").state.record.summary_en == "From the listing."


def test_acceptance_updates_the_edition_and_another_edition_is_added() -> None:
    submitted = first_state(_record(venue=Venue("ICLR", 2026, Track.MAIN, None, Status.SUBMITTED)), "listing")
    assert not is_accepted(submitted.venues)
    oral = Venue("ICLR", 2026, Track.MAIN, Presentation.ORAL, Status.ACCEPTED)
    accepted = merge(submitted, _record(venue=oral), "listing").state
    assert accepted.venues == (oral,)
    workshop = Venue("SPOT", 2025, Track.WORKSHOP, None, Status.ACCEPTED)
    both = merge(accepted, _record(venue=workshop), "listing").state
    assert both.venues == (oral, workshop)
    assert both.record.venue == oral


def test_the_conference_decides_on_the_presentation() -> None:
    poster = Venue("ICLR", 2026, Track.MAIN, Presentation.POSTER, Status.ACCEPTED)
    state = merge(first_state(_record(), "listing"), _record(venue=poster), "iclr").state
    oral = Venue("ICLR", 2026, Track.MAIN, Presentation.ORAL, Status.ACCEPTED)
    assert merge(state, _record(venue=oral), "listing").state.record.venue == poster


def test_a_missing_year_is_the_known_edition() -> None:
    state = first_state(_record(), "listing")
    vague = Venue("ICLR", None, Track.MAIN, Presentation.POSTER, Status.ACCEPTED)
    merged = merge(state, _record(venue=vague), "arxiv").state
    assert len(merged.venues) == 1
    assert merged.venues[0].year == 2026
    assert merged.venues[0].presentation is Presentation.POSTER


def test_links_are_joined() -> None:
    state = first_state(_record(links=(Link("code", "https://a.example"),)), "listing")
    merged = merge(state, _record(links=(Link("demo", "https://b.example"),)), "arxiv").state
    assert [link.url for link in merged.record.links] == ["https://a.example", "https://b.example"]


def test_institutions_come_from_the_listing_first() -> None:
    iclr = first_state(_record(institutions=(Affiliation("MIT"),)), "iclr")
    merged = merge(iclr, _record(institutions=(Affiliation("MIT", "麻省理工学院"),)), "listing").state
    assert merged.record.institutions[0].name_zh == "麻省理工学院"
