"""The 85 affiliations of the user's listing, each with the organisation a person reads in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.institutions.resolver import Resolver
from bot.papers.files import read_listing

# One line a paper, one organisation id a mention, in the order of the listing; "unknown" is a house that is in no
# table, "none" a text that names no house.
EXPECTED = """
city-university-of-hong-kong harbin-institute-of-technology nanyang-technological-university central-south-university
nvidia
fudan-university stepfun university-of-science-and-technology-of-china zhejiang-university
university-of-california-berkeley yale-university
4paradigm
unknown imperial-college-london
university-of-california-san-diego carnegie-mellon-university mohamed-bin-zayed-university-of-artificial-intelligence \
stanford-university johns-hopkins-university
university-of-mannheim adobe
eth-zurich eth-zurich german-center-for-neurodegenerative-diseases university-of-washington
national-university-of-singapore singapore-mit-alliance-for-research-and-technology \
the-chinese-university-of-hong-kong-shenzhen massachusetts-institute-of-technology national-university-of-singapore
none university-of-pennsylvania none
wuhan-university epfl the-hong-kong-university-of-science-and-technology northeastern-university-china \
zhejiang-university ant-group amap
earth-species-project
seoul-national-university
university-of-virginia princeton-university southern-university-of-science-and-technology
peking-university huazhong-university-of-science-and-technology microsoft-research-asia zhongguancun-academy
university-of-pennsylvania aalto-university indian-institute-of-technology-bombay unknown
university-of-manchester featurespace visa university-of-cambridge
harvard-university harvard-university
csiro-data61
korea-advanced-institute-of-science-and-technology
institute-of-science-and-technology-austria chan-zuckerberg-initiative
yonsei-university
columbia-university university-of-california-los-angeles zhejiang-university \
university-of-science-and-technology-of-china
university-of-fribourg helmholtz-munich technical-university-of-munich eth-zurich university-of-basel
fudan-university alibaba-group alibaba-group university-of-southern-california shanghai-innovation-institute
saarland-university
university-of-alberta alberta-machine-intelligence-institute alberta-machine-intelligence-institute
pontificia-universidad-catolica-de-chile national-center-for-artificial-intelligence-cenia universidad-de-chile
"""


@pytest.mark.shared
def test_every_mention_of_the_listing_is_resolved_as_a_person_reads_it(
    shared_data: Path, resolver: Resolver
) -> None:
    papers = [paper.institutions for paper in read_listing(shared_data / "listing-iclr.txt").records]
    expected = [line.split() for line in EXPECTED.strip().splitlines()]
    found = [
        [_said(resolver, affiliation.name_en, affiliation.name_zh) for affiliation in affiliations]
        for affiliations in papers
        if affiliations
    ]
    assert sum(map(len, found)) == 85
    assert found == expected


def _said(resolver: Resolver, name_en: str, name_zh: str | None) -> str:
    answer = resolver.resolve(name_en, name_zh)
    return answer.organisation.id if answer.organisation else answer.status.value
