"""The catalogue: complete, in step in all languages, used as it is written."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.locales import Catalogue, described, language_of
from bot.papers.model import Language

ROOT = Path(__file__).resolve().parents[1]
CATALOGUE = Catalogue.shipped()
KEYS = sorted(CATALOGUE.keys())
SURFACES = {key.partition(".")[0] for key in KEYS}
KEY = re.compile(r"[a-z_]+(?:\.[a-z0-9_]+)+")
SOURCES = [path for folder in ("bot", "cogs") for path in sorted((ROOT / folder).rglob("*.py"))]
OTHERS = (Language.ZH, Language.ZH_TW)


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_same_keys(language: Language) -> None:
    assert CATALOGUE.keys(language) == CATALOGUE.keys(Language.EN)


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_takes_the_same_values(language: Language) -> None:
    different = {
        key: (sorted(CATALOGUE.placeholders(Language.EN, key)), sorted(CATALOGUE.placeholders(language, key)))
        for key in KEYS
        if CATALOGUE.placeholders(Language.EN, key) != CATALOGUE.placeholders(language, key)
    }
    assert different == {}


@pytest.mark.parametrize("language", Language)
def test_every_text_can_be_said(language: Language) -> None:
    for key in KEYS:
        names = CATALOGUE.placeholders(language, key)
        for count in (1, 2):
            text = CATALOGUE.text(language, key, **{name: f"<{name}>" for name in names} | {"count": count})
            assert text.strip() == text.strip("\n ") != ""
            assert not re.search(r"\{\w*\}|\{\{|\}\}", text), key


@pytest.mark.parametrize("language", Language)
def test_brackets_and_markup_are_in_pairs(language: Language) -> None:
    for key in KEYS:
        text = CATALOGUE.text(
            language, key, **dict.fromkeys(CATALOGUE.placeholders(language, key), "x") | {"count": 2}
        )
        assert text.count("**") % 2 == 0, key
        assert text.count("`") % 2 == 0, key
        for opening, closing in ("()", "“”", "「」", "（）", "[]"):
            assert text.count(opening) == text.count(closing), key


@pytest.mark.parametrize("language", Language)
def test_command_texts_are_what_discord_takes(language: Language) -> None:
    for key in KEYS:
        if key.startswith(("commands.", "choices.")):
            text = CATALOGUE.text(language, key)
            assert 1 <= len(text) <= 100, key
    assert len(CATALOGUE.text(language, "commands.find_papers_here.name")) <= 32


@pytest.mark.parametrize("language", OTHERS)
def test_chinese_is_chinese(language: Language) -> None:
    """A text left in English by mistake has no Han character; product names may stand alone."""
    alone = {"PDF", "arXiv", "OpenReview", "BibTeX", "RIS", "CSL-JSON", "Markdown", "ICLR Herald"}
    for key in KEYS:
        text = CATALOGUE.text(
            language, key, **dict.fromkeys(CATALOGUE.placeholders(language, key), "") | {"count": 2}
        )
        letters = re.sub(r"[^A-Za-z]+", "", text)
        assert not letters or text.strip() in alone or re.search(r"[\u4e00-\u9fff]", text), key


def test_traditional_text_has_no_simplified_characters() -> None:
    simplified = set(
        "们这个为时会对发经说过还没开关问题语论录载条设备请读错误选择处机构认识标订阅频单页开头义书买来东车长门见贝"
    )
    traditional = {
        key: "".join(
            sorted(
                simplified
                & set(
                    CATALOGUE.text(
                        Language.ZH_TW, key, **dict.fromkeys(CATALOGUE.placeholders(Language.ZH_TW, key), "")
                    )
                )
            )
        )
        for key in KEYS
    }
    allowed = set("來")
    assert {key: found for key, found in traditional.items() if set(found) - allowed} == {}


def test_english_counts() -> None:
    assert CATALOGUE.text(Language.EN, "digest.count", count=1) == "1 new paper"
    assert CATALOGUE.text(Language.EN, "digest.count", count=0) == "0 new papers"
    assert CATALOGUE.text(Language.EN, "digest.count", count=2) == "2 new papers"
    assert CATALOGUE.text(Language.ZH, "digest.count", count=1) == "新论文 1 篇"


def test_values_are_put_in_as_they_are() -> None:
    text = CATALOGUE.text(Language.EN, "search.nothing", query="{count} {0} %s \\1")
    assert text == "Nothing found for “{count} {0} %s \\1”."


def test_what_is_missing_raises() -> None:
    with pytest.raises(KeyError):
        CATALOGUE.text(Language.EN, "no.such_key")
    with pytest.raises(KeyError):
        CATALOGUE.text(Language.EN, "search.nothing")


def test_discord_locales() -> None:
    assert language_of("zh-CN") is Language.ZH
    assert language_of("zh-TW") is Language.ZH_TW
    assert language_of("en-GB") is Language.EN
    assert language_of(None) is Language.EN


def test_commands_are_described_with_their_key() -> None:
    text = described("commands.paper.description")
    assert text.extras == {"key": "commands.paper.description"}
    assert text.message == CATALOGUE.text(Language.EN, "commands.paper.description")
    assert CATALOGUE.command_text("commands.paper.description", "zh-CN") == CATALOGUE.text(
        Language.ZH, "commands.paper.description"
    )
    assert CATALOGUE.command_text("commands.paper.description", "de") is None
    assert CATALOGUE.command_text("no.key", "zh-CN") is None


def nodes() -> Iterator[tuple[Path, ast.AST]]:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            yield path, node


def literals() -> Iterator[tuple[Path, str]]:
    """Whole strings of the program that look like a key."""
    pieces = {id(value) for _, node in PROGRAM if isinstance(node, ast.JoinedStr) for value in node.values}
    for path, node in PROGRAM:
        if isinstance(node, ast.Constant) and id(node) not in pieces and KEY.fullmatch(str(node.value)):
            yield path, str(node.value)


def patterns() -> list[re.Pattern[str]]:
    """Keys put together at run time: f-strings with a surface in front or a last part behind."""
    found = []
    for _, node in PROGRAM:
        if isinstance(node, ast.JoinedStr):
            parts = [str(v.value) if isinstance(v, ast.Constant) else "" for v in node.values]
            surface, dot, _ = parts[0].partition(".")
            if (dot and surface in SURFACES) or (not parts[0] and re.fullmatch(r"\.[a-z_]+", parts[-1])):
                found.append(re.compile("".join(re.escape(part) or "[a-z0-9_.]*" for part in parts)))
    return found


def calls() -> Iterator[tuple[Path, ast.Call, str]]:
    """Calls that say a text under a key written out: `say`, `sentence`, `tell`, `text`."""
    for path, node in PROGRAM:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        if node.func.attr in {"say", "sentence", "tell", "text"}:
            for argument in node.args:
                if isinstance(argument, ast.Constant) and KEY.fullmatch(str(argument.value)):
                    yield path, node, str(argument.value)


PROGRAM = list(nodes())


def test_no_key_is_missing() -> None:
    missing = {
        f"{path.relative_to(ROOT)}: {key}"
        for path, key in literals()
        if key.partition(".")[0] in SURFACES
        and not CATALOGUE.has(key)
        and not any(k.startswith(f"{key}.") for k in KEYS)
    }
    # A file name or a module path may look like a key; those are no surface's texts.
    assert {
        entry for entry in missing if not entry.endswith((".py", ".toml", ".json", ".txt", ".db"))
    } == set()


def test_every_call_gives_the_values_that_its_text_takes() -> None:
    wrong = []
    for path, call, key in calls():
        names = {keyword.arg for keyword in call.keywords}
        if CATALOGUE.has(key) and None not in names:
            missing = CATALOGUE.placeholders(Language.EN, key) - names
            wrong += (
                [f"{path.relative_to(ROOT)}:{call.lineno}: {key} needs {sorted(missing)}"] if missing else []
            )
    assert wrong == []


def test_no_key_is_unused() -> None:
    used = {key for _, key in literals()}
    made = patterns()
    unused = [key for key in KEYS if key not in used and not any(p.fullmatch(key) for p in made)]
    assert sorted(unused) == []
