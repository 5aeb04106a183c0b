"""In which languages something is said, and how: given to every renderer instead of five parameters.

Promises: one place that knows the interface's languages and those of titles and summaries.
Leaves to others: who wants which (`storage`), the strings (`bot.locales`), the organisations (`bot.institutions`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from bot.locales import Catalogue
from bot.papers.model import Language

# An organisation's id → its English and its Chinese name for display.
Names = Callable[[str], tuple[str, str | None]]
Content = Literal["en", "zh", "both"]

_CONTENT: dict[str, tuple[Language, ...]] = {
    "en": (Language.EN,),
    "zh": (Language.ZH,),
    "both": (Language.EN, Language.ZH),
}


def unnamed(organisation: str) -> tuple[str, str | None]:
    """Names where no directory of organisations is at hand: the id itself."""
    return organisation, None


@dataclass(frozen=True, slots=True)
class Voice:
    """How the bot speaks to one reader or in one channel.

    Attributes:
        catalogue: the strings.
        interface: the languages of labels and sentences; two in a bilingual channel.
        papers: the languages of titles and summaries (`EN`, `ZH`), the leading one first.
        names: display names of organisations by id.
    """

    catalogue: Catalogue
    interface: tuple[Language, ...] = (Language.EN,)
    papers: tuple[Language, ...] = (Language.EN, Language.ZH)
    names: Names = unnamed

    @classmethod
    def for_reader(
        cls, catalogue: Catalogue, interface: Language, content: Content = "both", names: Names = unnamed
    ) -> Voice:
        """One person: labels in their language, papers in what they want, their own language leading."""
        papers = _CONTENT[content]
        chinese = interface is not Language.EN
        return cls(catalogue, (interface,), papers[::-1] if chinese else papers, names)

    @classmethod
    def for_channel(
        cls, catalogue: Catalogue, content: Content, chinese: Language = Language.ZH, names: Names = unnamed
    ) -> Voice:
        """A channel: labels in the languages of its papers; `chinese` is the script of its Chinese labels."""
        papers = _CONTENT[content]
        interface = tuple(Language.EN if language is Language.EN else chinese for language in papers)
        return cls(catalogue, interface, papers, names)

    def say(self, key: str, /, **values: object) -> str:
        """A label in every language of the interface, a dot between them, said once where they agree."""
        return " · ".join(dict.fromkeys(self.tell(language, key, **values) for language in self.interface))

    def sentence(self, key: str, /, **values: object) -> str:
        """A sentence in every language of the interface, one a line."""
        return "\n".join(dict.fromkeys(self.tell(language, key, **values) for language in self.interface))

    def tell(self, language: Language, key: str, /, **values: object) -> str:
        """A text in one given language."""
        return self.catalogue.text(language, key, **values)

    def label_language(self, papers: Language) -> Language:
        """The interface language in which to label a summary: its own where the interface has it."""
        same = (i for i in self.interface if (i is Language.EN) == (papers is Language.EN))
        return next(same, self.interface[0])


def moment(when: datetime, style: str = "f") -> str:
    """A moment as Discord shows it, in each reader's own zone and language.

    Args:
        when: an aware datetime.
        style: Discord's timestamp style: t, T, d, D, f, F or R.

    Raises:
        ValueError: `when` is naive, so that no zone can be told.
    """
    if when.tzinfo is None:
        raise ValueError("a moment without a time zone can't be shown")
    return f"<t:{int(when.timestamp())}:{style}>"


def day(when: date) -> str:
    """A date without a time as it was printed, never moved by anybody's zone."""
    return f"{when.year:04}-{when.month:02}-{when.day:02}"
