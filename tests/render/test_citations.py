"""Citations: right kind, right key, nothing that breaks out."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.papers.model import Paper, Presentation, Status
from bot.render import bibtex, ids
from bot.render.citations import FORMATS, Format, bibliography, citation, cite, facts, file_name, venue_cited
from bot.render.people import Person, person
from tests.render.discord_rules import faults
from tests.render.markdown import read
from tests.render.samples import CHINESE, ENGLISH, HOSTILE_TITLES, MAIN, ORAL, WORKSHOP, paper, said

SUBMITTED = replace(MAIN, status=Status.SUBMITTED)
FIELDS = frozenset(
    "title author booktitle year track note eprint archiveprefix primaryclass url".split()  # noqa: SIM905 - a list of words
)
EARLIER = replace(WORKSHOP, status=Status.EARLIER_VERSION)


def fields(entry: str) -> dict[str, str]:
    """The fields of one BibTeX entry, read by counting braces."""
    found = {}
    body = entry[entry.index(",") + 1 : entry.rindex("}")]
    for match in re.finditer(r"^  (\w+) +=", body, re.MULTILINE):
        start = position = body.index("{", match.end())
        depth = 0
        while True:
            ch = body[position]
            if ch == "\\":
                position += 2
                continue
            depth += {"{": 1, "}": -1}.get(ch, 0)
            position += 1
            if depth == 0:
                break
        found[match.group(1)] = body[start + 1 : position - 1]
    return found


def test_an_accepted_paper_is_a_conference_paper() -> None:
    entry = citation(paper(venues=(ORAL,)), "bibtex")
    assert entry.startswith("@inproceedings{zhao2026learning,\n")
    read_back = fields(entry)
    assert read_back["author"] == "Zhao, Xuandong and Kang, Zhewei and Song, Dawn"
    assert read_back["booktitle"] == "International Conference on Learning Representations"
    assert read_back["year"] == "2026"
    assert read_back["note"] == "Oral"
    assert read_back["eprint"] == "2601.01234"
    assert read_back["url"] == "https://openreview.net/forum?id=abc"


@pytest.mark.parametrize("venues", [(), (SUBMITTED,), (EARLIER,), (replace(MAIN, status=Status.REJECTED),)])
def test_what_is_not_accepted_is_a_preprint(venues: tuple[object, ...]) -> None:
    one = paper(venues=venues)
    assert citation(one, "bibtex").startswith("@misc{")
    assert "booktitle" not in citation(one, "bibtex")
    assert "TY  - UNPB" in citation(one, "ris")
    assert json.loads(citation(one, "csl-json"))[0]["type"] == "article"
    assert "Preprint" in citation(one, "markdown")
    assert "Conference on Learning" not in "".join(citation(one, format_) for format_ in FORMATS)
    assert "preprint" in said(cite(ENGLISH, one, "bibtex"))
    assert "预印本" in said(cite(CHINESE, one, "bibtex"))


def test_the_main_conference_is_cited_before_a_workshop() -> None:
    assert venue_cited(paper(venues=(WORKSHOP, MAIN))) == MAIN
    assert venue_cited(paper(venues=(EARLIER, MAIN))) == MAIN
    assert venue_cited(paper(venues=(EARLIER,))) is None


def test_a_workshop_paper_says_so_in_its_own_field() -> None:
    """Field report 132: a title that starts with "Findings" or "Workshop" says nothing about the track."""
    main = fields(citation(paper(title_en="Workshop Findings of Something"), "bibtex"))
    assert main["track"] == "Conference paper"
    workshop = fields(citation(paper(venues=(WORKSHOP,)), "bibtex"))
    assert workshop["track"] == "Workshop paper"
    assert workshop["booktitle"] == "ICLR 2025 Workshop on Sparsity in LLMs (SLLM)"
    assert (
        fields(citation(paper(venues=(replace(WORKSHOP, name="SCSL"),)), "bibtex"))["booktitle"]
        == "ICLR 2025 Workshop SCSL"
    )


@pytest.mark.parametrize(
    ("author", "title", "key"),
    [
        ("Robert Müller", "Sat3DGen: Something", "muller2026sat3dgen"),
        ("Müller, Robert", "The Cattle Trade", "muller2026cattle"),
        ("Łukasz Øster", "A Study", "oster2026study"),
        ("Anna Groß", "On the Way", "gross2026way"),
        ("Julius von Kügelgen", "$\\alpha$-Divergence", "kugelgen2026divergence"),
        ("王伟", "Something", "2026something"),
        ("Cher", "扩散", "cher2026"),
    ],
)
def test_keys_are_plain_ascii(author: str, title: str, key: str) -> None:
    assert facts(paper(authors=(author,), title_en=title)).key == key


def test_a_key_is_never_empty_or_taken_twice() -> None:
    assert facts(paper(7, authors=("王伟",), title_en="扩散", venues=(), date=None)).key == "paper7"
    text = bibliography([paper(1), paper(2), paper(3)], "bibtex")
    assert re.findall(r"@\w+\{(\w+),", text) == ["zhao2026learning", "zhao2026learningb", "zhao2026learningc"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Dawn Song", Person("Song", "Dawn")),
        ("Song, Dawn", Person("Song", "Dawn")),
        ("Juan de la Torre", Person("Torre", "Juan", "de la")),
        ("von Kügelgen, Julius", Person("Kügelgen", "Julius", "von")),
        ("J. McKay, Jr.", Person("McKay", "J.", suffix="Jr.")),
        ("McKay, J., Jr.", Person("McKay", "J.", suffix="Jr.")),
        ("John Smith III", Person("Smith", "John", suffix="III")),
        ("C. Van Bavel", Person("Bavel", "C. Van")),
        ("王伟", Person(whole="王伟")),
        ("Robin", Person(whole="Robin")),
        ("The ATLAS Collaboration", Person(whole="The ATLAS Collaboration")),
        ("DeepSeek-AI", Person(whole="DeepSeek-AI")),
        ("L\\'evy M{\\\"u}ller", Person("Müller", "Lévy")),
        ("", Person(whole="")),
    ],
)
def test_names_are_taken_apart(name: str, expected: Person) -> None:
    assert person(name) == expected


def test_groups_stay_whole_in_every_format() -> None:
    one = paper(authors=("The ATLAS Collaboration", "王伟"))
    assert fields(citation(one, "bibtex"))["author"] == "{The ATLAS Collaboration} and {王伟}"
    assert json.loads(citation(one, "csl-json"))[0]["author"] == [
        {"literal": "The ATLAS Collaboration"},
        {"literal": "王伟"},
    ]
    assert "AU  - The ATLAS Collaboration\nAU  - 王伟" in citation(one, "ris")


def test_the_word_and_in_a_name_makes_no_second_author() -> None:
    one = paper(authors=("Ann and Bob", "Ltd. and Sons Group"))
    assert len(re.split(r" and (?![^{]*\})", fields(citation(one, "bibtex"))["author"])) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("100% of A & B_c #1 $5 {x}", r"100\% of {A} \& {B\_c} \#1 \$5 \{x\}"),
        ("α-Divergence and Ω", r"$\alpha$-Divergence and $\Omega$"),
        ("LogQuant: KV Cache of GPT-4", r"{LogQuant}: {KV} Cache of {GPT-4}"),
        ("Plain Words Here", "Plain Words Here"),
        ("a~b^c|d", r"a{\textasciitilde}b{\textasciicircum}c{\textbar}d"),
        ("`e<f>\\g", r"{\textasciigrave}e{\textless}f{\textgreater}{\textbackslash}g"),
    ],
)
def test_bibtex_is_escaped(text: str, expected: str) -> None:
    assert bibtex.title(text) == expected


@given(st.text(max_size=60), st.lists(st.text(max_size=20), max_size=3), st.text(max_size=20))
def test_any_text_stays_in_its_field(title: str, names: list[str], venue: str) -> None:
    one = paper(
        title_en=title, authors=tuple(names), venues=(replace(WORKSHOP, name=venue),), categories=(title,)
    )
    entry = citation(one, "bibtex")
    plain = re.sub(r"\\[{}]", "", entry)
    assert plain.count("{") == plain.count("}")
    assert set(fields(entry)) <= FIELDS
    assert re.fullmatch(r"@\w+\{[a-z0-9_]+,", entry.splitlines()[0])
    assert not re.search(r"(?<!\\)[%&#]", entry.replace("?id=", ""))
    commands = set(re.findall(r"\\([A-Za-z]+)", entry))
    assert all(command.startswith("text") or len(command) > 1 for command in commands)
    assert not commands & {"input", "include", "write", "def", "immediate", "openout", "catcode"}
    assert len(json.loads(citation(one, "csl-json"))) == 1
    ris = citation(one, "ris").splitlines()
    assert all(re.match(r"[A-Z][A-Z0-9]  - ", line) for line in ris)


def test_ris_and_csl_say_the_same() -> None:
    one = paper(venues=(replace(WORKSHOP, presentation=Presentation.ORAL),))
    ris = citation(one, "ris")
    for line in (
        "TY  - CPAPER",
        "TI  - Learning to Reason without External Rewards",
        "AU  - Zhao, Xuandong",
        "PY  - 2025",
        "T2  - ICLR 2025 Workshop on Sparsity in LLMs (SLLM)",
        "M3  - Workshop paper",
        "N1  - Oral",
        "AN  - arXiv:2601.01234",
        "ER  - ",
    ):
        assert line in ris.splitlines()
    item = json.loads(citation(one, "csl-json"))[0]
    assert item["issued"] == {"date-parts": [[2025]]}
    assert item["author"][0] == {"family": "Zhao", "given": "Xuandong"}
    assert item["genre"] == "Workshop paper"


def test_a_preprint_has_the_year_of_its_day() -> None:
    one = paper(venues=(SUBMITTED,), date=date(2025, 10, 1))
    assert fields(citation(one, "bibtex"))["year"] == "2025"
    assert "year" not in fields(citation(paper(venues=(), date=None), "bibtex"))


def test_markdown_is_escaped() -> None:
    text = citation(paper(title_en="A*-Search: f_1 [x](y)", authors=("A_B C",)), "markdown")
    assert r"*A\*-Search: f\_1 \[x\](y)*" in text
    assert r"A\_B C (2026)." in text


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("title", HOSTILE_TITLES)
def test_a_citation_stays_inside_its_code_block(format_: Format, title: str) -> None:
    message = cite(ENGLISH, paper(title_en=title), format_)
    assert faults(message.payload()) == []
    assert set(read(message.content or "").active) <= {"bold", "code block"}


@pytest.mark.parametrize("format_", FORMATS)
def test_a_long_citation_is_a_file(format_: Format) -> None:
    many: Paper = paper(authors=tuple(f"Firstname{n} Lastname" for n in range(120)))
    message = cite(ENGLISH, many, format_)
    assert faults(message.payload()) == []
    if format_ == "markdown":
        assert "et al." in (message.content or "")
    else:
        assert message.files[0].text == citation(many, format_)
        assert "Lastname" in message.files[0].text


def test_the_other_formats_are_a_click_away() -> None:
    message = cite(ENGLISH, paper(5), "ris")
    assert message.custom_ids() == tuple(ids.encode("cite", 5, format_) for format_ in FORMATS)
    assert [button.disabled for row in message.buttons for button in row] == [False, True, False, False]


def test_exports_are_named_by_their_format() -> None:
    names = [file_name(format_) for format_ in FORMATS]
    assert names == ["iclr-herald.bib", "iclr-herald.ris", "iclr-herald.json", "iclr-herald.md"]
