"""The words that a venue statement is made of, as patterns.

Promises: nothing but tables; each pattern says what it is for. Leaves to `venue`: what they mean together.
"""

from __future__ import annotations

import re

_I = re.IGNORECASE

_ORDINALS_WORDS = """
first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth
"""
ORDINALS = {
    word: number
    for number, word in enumerate(
        _ORDINALS_WORDS.split(),
        start=1,
    )
} | {"twenty-first": 21, "twenty-second": 22, "twenty-third": 23, "twenty-fourth": 24, "twenty-fifth": 25}
_ORDINAL = rf"(?:(?P<ordinal>{'|'.join(sorted(ORDINALS, key=len, reverse=True))}|\d{{1,2}}[\s-]?(?:st|nd|rd|th))\s+)?"
_YEAR = r"(?:20[1-4]\d)(?!\d)"
_TWO = r"(?:1[3-9]|[2-4]\d)"
_SHORT_YEAR = rf"(?:['’‘`´]\s?{_TWO}(?!\d)|[\s-]?{_TWO}(?![\d.,]*\d|\s*(?:pages?|pp|figures?|tables?|p\b)|%))"

# One mention of the conference: its name, its acronym, or both, with ordinal and year around them.
_FULL = (
    r"(?:the\s+)?(?:annual\s+)?(?:int(?:ernational|erantional|[’']?l|\.|l\.)?\s*conf(?:erence|\.)?|conference)\s+(?:on|of|for)\s+"
    r"(?:the\s+)?learn(?:ing|ings|\.)?\s+repres(?:entations?|entaions?|\.)?(?:\s+learning)?"
)
_ACRONYM = r"(?<![A-Za-z])ICLR(?=[\d\s\W_]|s\b|W\b|W[\s-]?\d|$)(?:-?W(?![A-Za-z]))?"
MENTION = re.compile(
    rf"{_ORDINAL}(?:(?P<before>{_YEAR})\s+(?:{_ORDINAL.replace('ordinal', 'ordinal2')}))?"
    rf"(?:{_FULL}(?:\s*[,:;-]?\s*[(\[]?\s*{_ACRONYM})?|{_ACRONYM})"
    rf"(?P<after>[\s,'’‘`´()\[\]\-–_:/]{{0,4}}{_YEAR}|\s?{_SHORT_YEAR})?[)\]]?",
    _I,
)
ANY_YEAR = re.compile(rf"(?<![\d.:/-]){_YEAR}(?![.:/-]?\d)")
QUICK = re.compile(r"iclr|repres", _I)

# Other venues: what they govern isn't said of ICLR.
_OTHERS_WORDS = """
NeurIPS NIPS ICML CVPR ICCV ECCV WACV BMVC ACCV 3DV AAAI IJCAI ACL EMNLP NAACL EACL AACL COLING TACL
CoNLL COLM KDD WWW SIGIR WSDM CIKM RecSys UAI AISTATS COLT ALT ICRA IROS CoRL RSS ICASSP INTERSPEECH
MICCAI MIDL ISBI TMLR JMLR TPAMI PAMI IJCV TIP TNNLS TKDE TIFS ICME ICDM SDM SIGGRAPH CHI CSCW UIST
IUI ICSE FSE ASE ISSTA OOPSLA PLDI POPL OSDI SOSP NSDI ASPLOS ISCA HPCA MLSys DAC ICCAD DATE CCS
NDSS USENIX LREC LoG CLeaR AutoML ECML PKDD PAKDD ECAI AAMAS CogSci ISMIR ISMB RECOMB ICCC ACML
IJCNN ICANN ICPR ICIP SaTML FAccT AIES VLDB SIGMOD ICDE EDBT ICAPS KR SIAM Nature PNAS ACIVS ECIR
JCDL CSUR TOIS TASLP PRL ACM IEEE Springer Elsevier
"""
_OTHERS = _OTHERS_WORDS.split()
OTHER_VENUE = re.compile(
    rf"(?<![A-Za-z])(?:{'|'.join(map(re.escape, _OTHERS))})(?![a-z])(?:\s*['’]?\s*(?:{_YEAR}|\d\d(?!\d)))?"
    rf"|(?<![A-Za-z])(?!ICLR)[A-Z][A-Za-z]*[A-Z]{{2,}}[A-Za-z]*[\s'’-]{{0,2}}{_YEAR}"
    r"|\b(?:transactions\s+on|journal\s+of|(?:international\s+)?conference\s+on(?!\s+learning\s+repr))\s+[A-Z]\w+"
)

WORKSHOP = re.compile(
    r"\bworkshops?\b|\bw[a-z]{3,8}\b|\bWS\b|研讨会|工作坊|\bco-?l?located\s+with\b|\bin\s+conjunction\s+with\b|\balongside\b",
    _I,
)
OTHER_TRACK = re.compile(
    r"\bblog\s?-?\s?posts?\b|\bblog\s?(?:post\s?)?track\b|\bblogs?\b(?=\s*(?:@|at|track|$))|\btiny\s?-?\s?papers?\b"
    r"|\btutorials?\b|\bsocials?\b(?=\s+(?:event|at|@))|\baffinity\b|\bkeynote\b|\binvited\s+talk\b|\breproducibility\s+challenge\b"
    r"|\bcompetition\s+track\b|\bdemo(?:nstration)?\s+track\b|\bjournal(?:[\s-]to[\s-]conference)?\s+track\b|博客",
    _I,
)

# What is said of a venue, strongest first where several are said of the same one.
STATUS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("withdrawn", re.compile(r"\bwithdr(?:awn|ew|awal)\b|\bretracted\b|撤稿|撤回", _I)),
    (
        "rejected",
        re.compile(
            r"\b(?:desk[\s-]?)?reject(?:ed|ion|s)?\b|\bnot\s+(?:been\s+)?accepted\b|\bwas(?:n'?t|\s+not)\s+accepted\b|\bdeclined\b|被拒|拒稿",
            _I,
        ),
    ),
    (
        "accepted",
        re.compile(
            r"\bac{1,2}(?:e|c)?p?(?:e|p)?te?d\b|\bacce?pt(?:ed|ance)?\b|\bacc?etped\b|\baccpeted\b|\bpublish(?:ed|es|ing)?\b"
            r"|\bto\s+(?:appear|be\s+(?:published|presented|appear))\b|\bappear(?:s|ed|ing)?\b|\bpresent(?:ed|ing|ation)?\b(?=\s+(?:at|in|on|during|@))"
            r"|\bin\s+(?:the\s+)?proceedings\b|\bproceedings\s+of\b|\bcamera[\s-]?ready\b|\bforthcoming\b|接收|录用|发表|入选|中稿",
            _I,
        ),
    ),
    (
        "submitted",
        re.compile(
            r"\b(?:to\s+be\s+|will\s+be\s+)?(?:re-?)?submit(?:ted|ting)?\b|\bsubmi(?:s{1,2}ion|tion|ted)s?\b|\bunder\s+(?:[\w-]+\s+){0,2}review(?:ing)?\b"
            r"|\bin\s+(?:[\w-]+\s+)?review\b|\bbeing\s+reviewed\b|\b(?:double[\s-]blind|peer)\s+review\b|\bawaiting\b|\bpending\b|投稿|在审|审稿|审核中",
            _I,
        ),
    ),
    (
        "unknown",
        re.compile(
            r"\b(?:template|style|format(?:ted|ting)?|latex|preparation|prepared|intended|targeting|targeted|planned)\b|模板",
            _I,
        ),
    ),
)
EARLIER = re.compile(
    r"\b(?:earlier|previous|prior|preliminary|early|initial|original|short(?:er|ened)?|condensed|abridged|first|partial|workshop|conference|older)\s+"
    r"(?:and\s+\w+\s+)?(?:(?:workshop|conference|paper|short|abstract)\s+)?(?:versions?|drafts?|results?|work|iterations?|form|edition|findings)\b"
    r"|\b(?:portions?|parts?|sections?|some|subset|chapters?)\s+of\s+(?:this|the|our|these)\b"
    r"|\b(?:extend(?:ed|s|ing)|expand(?:ed|s|ing)|journal|long(?:er)?)\s+(?:and\s+\w+\s+)?(?:journal\s+|arxiv\s+)?(?:version|extension)s?\s+(?:of|to)\b"
    r"|\bextensions?\s+of\b|\bextend(?:s|ing)\s+(?:our|the|a|an)\b|\bbuil(?:ds|ding|t)\s+(?:up)?on\b|\bsupersedes?\b|\bfollow[\s-]?up\s+(?:of|to)\b"
    r"|\bbased\s+on\s+(?:our|the|an?)\b|\b(?:previously|originally|first|initially|earlier)\s+(?:presented|published|appeared|accepted|submitted|released)\b"
    r"|早期版本|先前版本|初版|扩展版",
    _I,
)
# "An extended version of this paper was accepted at": the conference's is the later one, not the earlier.
NOT_EARLIER = re.compile(
    r"\b(?:extended|full|longer|final|revised)\s+version\s+of\s+(?:this|the\s+present)\b", _I
)
VERSION_OF_ELSEWHERE = re.compile(r"\b(?:versions?|extensions?|journal|follow[\s-]?up|thesis|book)\b", _I)

PRESENTATION: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "oral",
        re.compile(
            r"\borals?\b(?!\s+(?:cancer|cavity|health|histor|exam|squamous|microb|lesion|drug|care|med))|\bcontributed\s+talk\b|\bnotable[\s-]+top[\s-]+5\s?%"
            r"|\btop[\s-]+5\s?%|口头|大会报告",
            _I,
        ),
    ),
    (
        "spotlight",
        re.compile(
            r"\bspotlights?\b|\bhighlights?\s+paper\b|\b(?:notable[\s-]+)?top[\s-]+25\s?%|焦点|亮点论文", _I
        ),
    ),
    ("poster", re.compile(r"\bposters?\b|海报|墙报", _I)),
)
# A clause of its own that says nothing but how the paper is presented.
ONLY_PRESENTATION = re.compile(
    r"\W*(?:(?:selected|accepted|presented|chosen|invited)\s+)?(?:(?:as|for)\s+)?(?:an?\s+)?(?:contributed\s+)?"
    r"(?:orals?|spotlights?|posters?|notable[\s-]top[\s-]\d+\s?%)(?:\s+(?:presentation|paper|talk|session|track))?(?:\s*\([^()]{0,40}\))?\W*",
    _I,
)
