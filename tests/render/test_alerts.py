"""An alert: one message, and why."""

from __future__ import annotations

from bot.papers.model import Paper
from bot.render import ids
from bot.render.alerts import Item, Why, alert
from tests.render.discord_rules import faults
from tests.render.markdown import read
from tests.render.samples import BOTH, CHINESE, ENGLISH, HOSTILE_TITLES, markdown_of, paper, said

PART, MORE = ids.encode("part", "k"), ids.encode("more", "k")


def at(number: int, *why: Why, **changes: object) -> Item:
    one: Paper = paper(number, title_en=f"Paper number {number}", **changes)
    return Item(one, why or (Why(1, "institution", "MIT", "Department of Physics, MIT", "mit"),))


def test_an_alert_says_why() -> None:
    shown = said(alert(ENGLISH, [at(1)]).message)
    assert "1 new paper for you" in shown
    assert "> Because you follow **MIT**: matched “Department of Physics, MIT” of this paper" in shown
    assert "> 因为您关注了 **MIT**：与本文的“Department of Physics, MIT”相符" in said(
        alert(CHINESE, [at(1)]).message
    )


def test_every_kind_of_subscription_says_why() -> None:
    why = (
        Why(1, "institution", "MIT", "MIT CSAIL", "csail", child=True),
        Why(2, "author", "Dawn Song", "Dawn Song"),
        Why(3, "keyword", "diffusion", "Diffusion Models"),
    )
    private = said(alert(ENGLISH, [at(1, *why)]).message)
    assert "**MIT** and what belongs to it" in private
    assert "the author **Dawn Song**" in private
    assert "“diffusion”" in private
    public = said(alert(BOTH, [at(1, *why)], to_channel=True).message)
    assert public.count("Because this channel follows") == 3
    assert public.count("因为本频道关注了") == 3


def test_a_load_of_a_hundred_papers_is_one_message() -> None:
    result = alert(ENGLISH, [at(n) for n in range(1, 101)], more_id=MORE, part_id=PART)
    assert faults(result.message.payload()) == []
    assert result.shown + result.rest == tuple(range(1, 101))
    assert 5 <= len(result.shown) <= 10
    assert f"and {len(result.rest)} more papers" in said(result.message)
    assert result.message.custom_ids()[:2] == (PART, MORE)


def test_a_load_that_fits_has_no_more_button() -> None:
    assert alert(ENGLISH, [at(1), at(2)], more_id=MORE).rest == ()
    assert MORE not in alert(ENGLISH, [at(1), at(2)], more_id=MORE).message.custom_ids()


def test_each_subscription_can_be_muted_and_each_place_doubted() -> None:
    items = [at(1), at(2, Why(2, "keyword", "diffusion", "Diffusion")), at(3)]
    message = alert(ENGLISH, items).message
    assert message.custom_ids() == (
        ids.encode("mute", 1),
        ids.encode("mute", 2),
        ids.encode("notplace", 1, "mit"),
        ids.encode("notplace", 3, "mit"),
    )
    labels = [button.label for row in message.buttons for button in row]
    assert labels == ["Mute MIT", "Mute diffusion", "1: not MIT", "3: not MIT"]
    assert "1 · Paper number 1" in said(message)


def test_a_single_paper_has_no_number() -> None:
    message = alert(ENGLISH, [at(1)]).message
    assert message.embeds[0].title == "Paper number 1"
    assert [button.label for row in message.buttons for button in row] == ["Mute MIT", "Not MIT"]


def test_with_many_subscriptions_the_list_is_offered() -> None:
    why = tuple(Why(n, "keyword", f"word {n}", "text") for n in range(1, 9))
    assert alert(ENGLISH, [at(1, *why)]).message.custom_ids() == (ids.encode("subs"),)


def test_long_names_keep_the_buttons_within_the_limits() -> None:
    why = Why(1, "institution", "University of " + "Long " * 60, "x" * 2000, "o" * 60)
    message = alert(BOTH, [at(1, why)], part_id=PART).message
    assert faults(message.payload()) == []


def test_hostile_names_are_literal() -> None:
    for text in HOSTILE_TITLES:
        message = alert(ENGLISH, [at(1, Why(1, "institution", text, text, "x"))]).message
        assert set(read(markdown_of(message)).active) <= {"bold", "small print", "quote"}
        assert faults(message.payload()) == []
