"""What a single line of a listing is: a label with its value, a meta line, navigation, or plain text.

Promises: one look at one line, without memory; a doubtful English label is marked as such. Leaves to
`listing`: which record a line belongs to, and whether a doubtful label was really the start of a title.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from bot.papers.identity import ARXIV_ID, canonical_arxiv_id


class Kind(StrEnum):
    """What a line is."""

    TEXT = "text"
    META = "meta"  # arXiv id, date, categories
    NAVIGATION = "navigation"
    TITLE = "title"
    TITLE_ZH = "title_zh"
    AUTHORS = "authors"
    INSTITUTIONS = "institutions"
    SUMMARY_ZH = "summary_zh"
    SUMMARY_EN = "summary_en"
    COMMENTS = "comments"
    JOURNAL_REF = "journal_ref"
    DETAILS = "details"
    ABSTRACT_ZH = "abstract_zh"
    ABSTRACT_EN = "abstract_en"
    DATE = "date"
    ARXIV = "arxiv"
    CATEGORIES = "categories"
    LINK = "link"


class Line(NamedTuple):
    """One line that isn't blank. `value` is the text behind a label, or the whole text of any other line."""

    kind: Kind
    number: int
    text: str
    value: str
    doubtful: bool = False  # may as well be a title that starts with the label's word


# A label of this table needs something behind it that sets it off: a star, a colon, a blank or the line's end.
_PLAIN: dict[Kind, str] = {
    Kind.SUMMARY_ZH: r"[aａ][iｉ][\s·-]*(?:总结|總結|摘要|概要|速览|导读)|智能(?:总结|摘要)|中文(?:总结|概要)",
    Kind.SUMMARY_EN: r"[aａ][iｉ]\s*英文(?:总结|摘要)|英文(?:总结|概要)",
    Kind.INSTITUTIONS: r"(?:发表|發表|作者|所属|所屬|研究)?(?:机构|機構)|(?:作者|所属|工作)?(?:单位|單位)",
    Kind.COMMENTS: r"comments?|备注|備註|备註",
    Kind.JOURNAL_REF: r"journal[\s-]*ref(?:erence)?s?\.?|期刊(?:引用|参考|參考|信息)",
    Kind.ABSTRACT_ZH: r"(?:[aａ][iｉ]\s*)?中文摘要",
    Kind.ABSTRACT_EN: r"英文(?:原文)?摘要|摘要原文|原文摘要",
    Kind.DETAILS: r"详情|詳情",
}
# These words begin titles too often: only with a colon, or alone on their line where the mark says so.
_COLON: dict[Kind, str] = {
    Kind.TITLE: r"title|(?:英文|论文)?(?:标题|標題|题目)",
    Kind.TITLE_ZH: r"(?:title[\s_-]*(?:zh|cn)|chinese\s+title|中文(?:标题|標題|题目))",
    Kind.AUTHORS: r"authors?|(?:论文)?作者",
    Kind.INSTITUTIONS: r"affiliations?|institutions?|organi[sz]ations?",
    Kind.SUMMARY_EN: r"(?:ai[\s-]*)?summary|tl;?dr|english\s+summary",
    Kind.ABSTRACT_EN: r"abstract|摘要",
    Kind.DATE: r"(?:(?:submission|submitted|published|updated?)\s+)?date|"
    r"(?:发布|发表|更新|提交|收录)?(?:日期|时间)",
    Kind.ARXIV: r"arxiv(?:\s*(?:id|编号|号))?",
    Kind.CATEGORIES: r"categor(?:y|ies)|subjects?|(?:学科)?分类|学科|领域",
    Kind.LINK: r"links?|urls?|pdf|code|project(?:\s+page)?|demo|openreview|doi|"
    r"(?:论文|代码|项目|原文)?(?:链接|地址|主页)|代码|项目",
}
_LEAD = r"[\s*#>•·▪◆\-–【\[「]*"
_TAIL = r"[\s】\]」]*"


def _any(table: dict[Kind, str]) -> str:
    return "|".join(table.values())


_PLAIN_LABEL = re.compile(
    rf"{_LEAD}(?P<label>{_any(_PLAIN)}){_TAIL}(?P<mark>(?:\*+\s*)?[:：]\s*\**|\*+\s*|(?<=[\s】\]」])|$)\s*(?P<value>.*)",
    re.IGNORECASE | re.DOTALL,
)
_COLON_LABEL = re.compile(
    rf"{_LEAD}(?P<label>{_any(_COLON)}){_TAIL}\**\s*[:：]\s*\**\s*(?P<value>.*)", re.IGNORECASE | re.DOTALL
)
_GLUED_SUMMARY = re.compile(r"AI\s?(?:总结|摘要)(?=[\w“「《])")
# The first characters that a label can have, and for Latin letters the first three: others are no label at once.
_FIRST = frozenset("ａＡ智中英机機发發作所研工单單備备期摘原详詳标標题论学领链地代项更提收日时*#>•·▪◆-–【[「")
_FIRST_THREE = """
com jou tit aut aff ins org sum tld tl; eng abs dat sub pub upd arx cat lin url pdf cod pro dem ope doi chi
"""
_LATIN_STARTS = frozenset(_FIRST_THREE.split())

_CATEGORY = re.compile(
    r"[a-z]{2,8}(?:-[a-z]{2,5})?(?:\.[A-Za-z]{2}(?:-[a-z]{2,3})?|\.[a-z]{2,4}-[a-z]{2,4})?"
)
_BARE_ARCHIVES_WORDS = """
cs econ eess math physics stat q-bio q-fin quant-ph math-ph astro-ph cond-mat gr-qc hep-ex hep-lat
hep-ph hep-th nlin nucl-ex nucl-th
"""
_BARE_ARCHIVES = frozenset(_BARE_ARCHIVES_WORDS.split())
_META = re.compile(
    rf"(?:[\[(#]?\d{{1,6}}[\]).:：]\s*)?(?:arxiv\s*[:：]?\s*|https?://(?:www\.|export\.)?arxiv\.org/(?:abs|pdf)/)?"
    rf"(?P<id>{ARXIV_ID})(?:\.pdf)?(?=[\s,;|\[(]|$)(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
# "arXiv:2601.22400 …" is a meta line as a whole; "arXiv: 2601.22400" is a label with its value.
_NUMBERED = re.compile(rf"arxiv:{ARXIV_ID}(?=\s|$)(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)
_NAVIGATION = re.compile(
    r"iclr(?:[\s'’-]*\d{2,4})?|arxiv\s?daily\b.*|.*每日学术速递.*|全部学科分类.*|全部(?:分类|学科).*|专题追踪|重置|纠错|糾錯|收藏|分享|"
    r"展开|收起|首页|登录|注册|搜索|筛选|排序|导出|复制|下载|返回(?:顶部|首页)?|上一页.*|下一页|尾页|末页|更多|查看(?:更多|全文|详情|原文)|"
    r"阅读(?:全文|原文)|加载更多|关于我们|联系我们|共\s*\d+\s*(?:篇|页|条|项).*|第\s*\d+\s*(?:/\s*\d+\s*)?页.*|"
    r"pdf|html|abs|bibtex|tex|cite|share|save|\W*\d{1,5}\W*|(?:\d{1,4}\s+){2,}\d{1,4}|[\W_]+",
    re.IGNORECASE,
)


def read_line(text: str, number: int) -> Line:
    """Say what a clean, non-blank line is."""
    first = text[0]
    if first in "aA" and (meta := _NUMBERED.match(text)) and _is_meta(meta["rest"]):
        return Line(Kind.META, number, text, text)
    if first in _FIRST or _starts_like_label(text):
        label = _read_label(text, number)
        if label:
            return label
    if first.isdigit() or first.islower() or first in "A[(#":
        meta = _META.match(text)
        if meta and _is_meta(meta["rest"]):
            return Line(Kind.META, number, text, text)
    if len(text) < 80 and _NAVIGATION.fullmatch(text):
        return Line(Kind.NAVIGATION, number, text, text)
    if first in "hH" and (address := _ADDRESS.match(text)) and address.end() == len(text):
        return Line(Kind.LINK, number, text, text)
    return Line(Kind.TEXT, number, text, text)


def _starts_like_label(text: str) -> bool:
    start = text[:3].lower()
    return start[:2] == "ai" or start in _LATIN_STARTS


def _read_label(text: str, number: int) -> Line | None:
    match = _PLAIN_LABEL.match(text)
    if match:
        kind = _kind_of(match["label"].lower())
        value = match["value"]
        if kind is Kind.DETAILS and value:
            return None
        doubtful = bool(value) and kind in _ENGLISH and ":" not in match["mark"] and "*" not in match["mark"]
        return Line(kind, number, text, value, doubtful)
    match = _COLON_LABEL.match(text)
    if match:
        kind = _kind_of(match["label"].lower())
        return Line(kind, number, text, match["value"], bool(match["value"]) and kind in _METHOD_NAMES)
    match = _GLUED_SUMMARY.match(text)
    if match and len(text) > 40 and text.endswith(("。", "！", "？", ".", "”", "）")):
        return Line(Kind.SUMMARY_ZH, number, text, text[match.end() :])
    if text.strip("*#>【】[]: ：").lower() in ("abstract", "摘要"):
        return Line(Kind.ABSTRACT_EN, number, text, "")
    return None


_ENGLISH = frozenset({Kind.COMMENTS, Kind.JOURNAL_REF})
# "TLDR: Twin Learning for …", "DeMo: Decoupled …", "LINK: Learning …" are titles, and so are their translations.
_METHOD_NAMES = frozenset({Kind.SUMMARY_EN, Kind.ABSTRACT_EN, Kind.CATEGORIES, Kind.LINK, Kind.COMMENTS})


@lru_cache(maxsize=512)
def _kind_of(label: str) -> Kind:
    tables = [*_PLAIN.items(), *_COLON.items()]
    return next(kind for kind, pattern in tables if re.fullmatch(pattern, label, re.IGNORECASE))


def _is_meta(rest: str) -> bool:
    """Whether what follows an arXiv id is a date and categories, not a sentence."""
    return len(rest) < 160 and len(rest.split()) <= 16


def read_meta(text: str) -> tuple[str, str, tuple[str, ...]]:
    """Split a meta line into arXiv id without version, the date's text (may be empty), and categories."""
    match = _META.match(text)
    if match is None:
        return "", text, ()
    words = match["rest"].replace("|", " ").replace("·", " ").replace(",", " , ").split()
    categories = [word for word in (w.strip("[]();,") for w in words) if is_category(word)]
    rest = [word for word in words if not is_category(word.strip("[]();,"))]
    date_text = " ".join(rest).replace(" ,", ",").strip(" ,;[]()")
    return canonical_arxiv_id(match["id"]) or "", date_text, tuple(dict.fromkeys(categories))


def is_category(word: str) -> bool:
    """Whether a word is an arXiv category: ``cs.LG``, ``quant-ph``, ``cond-mat.mtrl-sci``."""
    return word in _BARE_ARCHIVES or (
        "." in word and word.split(".")[0] in _BARE_ARCHIVES and bool(_CATEGORY.fullmatch(word))
    )
