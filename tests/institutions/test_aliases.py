"""Names that people use for an organisation, in both languages, and the organisation they mean."""

from __future__ import annotations

import pytest

from bot.institutions.resolver import Resolver

# One organisation a line: its id, then the ways to write it.
ALIASES = """
massachusetts-institute-of-technology | MIT | mit | m.i.t. | M.I.T. | MIT CSAIL | 麻省理工学院 | 麻省理工
stanford-university | Stanford | stanford university | Stanford Univ. | 斯坦福大学 | 斯坦福
university-of-california-berkeley | UC Berkeley | U.C. Berkeley | UCB | BAIR
university-of-california-berkeley | University of California at Berkeley | 加州大学伯克利分校 | 伯克利
university-of-california-los-angeles | UCLA | University of California Los Angeles | 加州大学洛杉矶分校
university-of-california-san-diego | UCSD | UC San Diego | University of California, San Diego | 加州大学圣地亚哥分校
carnegie-mellon-university | CMU | Carnegie-Mellon University | 卡内基梅隆大学 | 卡耐基梅隆大学
harvard-university | Harvard | Harvard Medical School | Harvard Business School | 哈佛大学 | 哈佛
princeton-university | Princeton University | 普林斯顿大学
university-of-pennsylvania | UPenn | Univ. Penn | U Penn | 宾夕法尼亚大学 | 宾大
new-york-university | NYU | Courant Institute | 纽约大学
columbia-university | Columbia University | 哥伦比亚大学
georgia-institute-of-technology | Georgia Tech | GaTech | 佐治亚理工学院
university-of-illinois-urbana-champaign | UIUC | University of Illinois at Urbana-Champaign | 伊利诺伊大学香槟分校
university-of-michigan | UMich | University of Michigan, Ann Arbor | 密歇根大学
university-of-texas-at-austin | UT Austin | The University of Texas at Austin | 德克萨斯大学奥斯汀分校
california-institute-of-technology | Caltech | 加州理工学院 | 加州理工
the-ohio-state-university | Ohio State University | 俄亥俄州立大学
university-of-maryland-college-park | UMD | University of Maryland at College Park | 马里兰大学帕克分校
university-of-wisconsin-madison | UW-Madison | University of Wisconsin – Madison | 威斯康星大学麦迪逊分校
university-of-massachusetts-amherst | UMass Amherst | 马萨诸塞大学阿默斯特分校
washington-university-in-st-louis | WashU | Washington University in Saint Louis | 圣路易斯华盛顿大学
texas-a-and-m-university | Texas A&M | TAMU | 德州农工大学
university-of-toronto | UofT | U of Toronto | 多伦多大学 | 多大
mila-quebec-ai-institute | Mila | MILA | Quebec AI Institute
universite-de-montreal | University of Montreal | UdeM | Université de Montréal | 蒙特利尔大学
university-of-british-columbia | UBC | 英属哥伦比亚大学 | 不列颠哥伦比亚大学
mcgill-university | McGill | 麦吉尔大学
university-of-oxford | Oxford | Oxford University | 牛津大学
university-of-cambridge | Cambridge University | 剑桥大学
imperial-college-london | Imperial College | 帝国理工学院 | 帝国理工 | 伦敦帝国学院
university-of-edinburgh | Edinburgh University | 爱丁堡大学
kings-college-london | KCL | King’s College London | 伦敦国王学院
queen-mary-university-of-london | QMUL | 伦敦玛丽女王大学
eth-zurich | ETH | ETHZ | ETH Zürich | Swiss Federal Institute of Technology Zurich | 苏黎世联邦理工学院
epfl | École Polytechnique Fédérale de Lausanne | EPF Lausanne | 洛桑联邦理工学院
technical-university-of-munich | TUM | TU München | TU Munich | Technische Universität München | 慕尼黑工业大学
ludwig-maximilian-university-of-munich | LMU | LMU Munich | Ludwig-Maximilians-Universität München | 慕尼黑大学
university-of-tubingen | Eberhard Karls University of Tübingen | University of Tuebingen | 图宾根大学
max-planck-institute-for-intelligent-systems | MPI-IS | MPI for Intelligent Systems
max-planck-institute-for-informatics | MPI Informatik | MPI for Informatics
technical-university-of-denmark | DTU | TU Denmark | 丹麦技术大学
kth-royal-institute-of-technology | KTH | 瑞典皇家理工学院
delft-university-of-technology | TU Delft | 代尔夫特理工大学
university-of-amsterdam | 阿姆斯特丹大学
ku-leuven | KULeuven | Katholieke Universiteit Leuven
inria | INRIA | Inria Paris | 法国国家信息与自动化研究所
ecole-polytechnique | Ecole Polytechnique | 巴黎综合理工学院
sorbonne-universite | Sorbonne University | 索邦大学
hebrew-university-of-jerusalem | HUJI | The Hebrew University | 耶路撒冷希伯来大学
technion-israel-institute-of-technology | Technion | 以色列理工学院
tsinghua-university | Tsinghua | THU | tsinghua univ. | 清华大学 | 清华 | 清華大學
peking-university | PKU | Beijing University | 北京大学 | 北大 | 北京大學
fudan-university | Fudan | 复旦大学 | 復旦大學 | 复旦
shanghai-jiao-tong-university | SJTU | Shanghai Jiaotong University | 上海交通大学 | 上海交大 | 上交
zhejiang-university | ZJU | 浙江大学 | 浙大
university-of-science-and-technology-of-china | USTC | 中国科学技术大学 | 中科大
nanjing-university | NJU | 南京大学
harbin-institute-of-technology | HIT | 哈尔滨工业大学 | 哈工大
harbin-institute-of-technology-shenzhen | HITSZ | Harbin Institute of Technology (Shenzhen)
harbin-institute-of-technology-shenzhen | 哈工大深圳 | 哈尔滨工业大学（深圳）
beihang-university | BUAA | Beijing University of Aeronautics and Astronautics | 北航 | 北京航空航天大学
renmin-university-of-china | RUC | Renmin University | 中国人民大学 | 人民大学
sun-yat-sen-university | SYSU | Sun Yat-sen University | 中山大学
huazhong-university-of-science-and-technology | HUST | Huazhong University of Science & Technology | 华中科技大学 | 华科
xian-jiaotong-university | XJTU | Xi’an Jiaotong University | Xian Jiaotong University | 西安交通大学
university-of-chinese-academy-of-sciences | UCAS | University of the Chinese Academy of Sciences
university-of-chinese-academy-of-sciences | 中国科学院大学 | 国科大
chinese-academy-of-sciences | Chinese Academy of Science | 中国科学院 | 中科院
institute-of-automation-chinese-academy-of-sciences | CASIA | 中科院自动化所 | 中国科学院自动化研究所
shanghai-artificial-intelligence-laboratory | Shanghai AI Lab | PJLab | 上海人工智能实验室
beijing-academy-of-artificial-intelligence | BAAI | 智源研究院 | 北京智源人工智能研究院
peng-cheng-laboratory | Peng Cheng Lab | Pengcheng Laboratory | 鹏城实验室
the-chinese-university-of-hong-kong | CUHK | Chinese University of Hong Kong | 香港中文大学 | 港中文
the-chinese-university-of-hong-kong-shenzhen | CUHK-Shenzhen | CUHKSZ | 香港中文大学（深圳） | 港中深
the-hong-kong-university-of-science-and-technology | HKUST | 香港科技大学 | 港科大
the-hong-kong-university-of-science-and-technology-guangzhou | HKUST(GZ) | HKUST-GZ | 香港科技大学（广州） | 港科广
the-university-of-hong-kong | HKU | 香港大学 | 港大
city-university-of-hong-kong | CityU | CityUHK | 香港城市大学
the-hong-kong-polytechnic-university | PolyU | 香港理工大学
national-university-of-singapore | NUS | 新加坡国立大学
nanyang-technological-university | NTU Singapore | 南洋理工大学 | 南洋理工
national-taiwan-university | NTU Taiwan | 国立台湾大学 | 臺灣大學 | 台大
national-tsing-hua-university | NTHU | 国立清华大学
korea-advanced-institute-of-science-and-technology | KAIST | 韩国科学技术院
seoul-national-university | SNU | 首尔国立大学 | 首尔大学
the-university-of-tokyo | UTokyo | University of Tokyo | 东京大学 | 東京大学
riken | RIKEN AIP | 理研
indian-institute-of-technology-bombay | IIT Bombay | IIT-Bombay | IITB
indian-institute-of-technology-delhi | IIT Delhi | Indian Institute of Technology, Delhi
indian-institute-of-science | IISc | IISc Bangalore | 印度科学理工学院
mohamed-bin-zayed-university-of-artificial-intelligence | MBZUAI | Mohamed bin Zayed University of AI
king-abdullah-university-of-science-and-technology | KAUST | 阿卜杜拉国王科技大学
australian-national-university | ANU | The Australian National University | 澳大利亚国立大学
the-university-of-sydney | University of Sydney | 悉尼大学
monash-university | Monash | 莫纳什大学
google | Google Research | Google Brain | Google LLC | 谷歌
google-deepmind | DeepMind | 谷歌DeepMind
microsoft | Microsoft Research | MSR | 微软 | 微软研究院
microsoft-research-asia | MSRA | 微软亚洲研究院
meta | Meta AI | FAIR | Facebook AI Research | 脸书
nvidia | NVIDIA Research | Nvidia Corporation | 英伟达
amazon | AWS | Amazon Web Services | AWS AI Labs | 亚马逊
ibm | IBM Research | International Business Machines
apple | Apple Inc. | 苹果公司
salesforce | Salesforce Research
alibaba-group | Alibaba | 阿里巴巴 | 阿里巴巴集团 | 阿里
alibaba-damo-academy | DAMO Academy | 达摩院 | 阿里巴巴达摩院 | 達摩院
alibaba-cloud | Aliyun | 阿里云
tongyi-lab | Qwen Team | 通义实验室
amap | AutoNavi | 高德地图 | 高德
ant-group | Ant Financial | 蚂蚁集团
tencent | Tencent AI Lab | WeChat AI | 腾讯 | 腾讯控股有限公司
bytedance | ByteDance Seed | TikTok | 字节跳动
baidu | Baidu Research | Baidu, Inc. | 百度
huawei | Huawei Noah’s Ark Lab | Noah's Ark Lab | 华为 | 华为技术有限公司 | 华为诺亚方舟实验室
sensetime | SenseTime Research | 商汤科技 | 商汤
kuaishou | Kuaishou Technology | 快手
4paradigm | Fourth Paradigm | 第四范式
moonshot-ai | Kimi Team | 月之暗面
zhipu-ai | Z.ai | 智谱
samsung | Samsung Research | Samsung Electronics | 三星 | 三星电子
allen-institute-for-artificial-intelligence | AI2 | Ai2 | Allen Institute for AI
vector-institute | Vector Institute for Artificial Intelligence | 向量研究所
alberta-machine-intelligence-institute | Amii | AMII
"""

PAIRS = [
    (spelling.strip(), fields[0].strip())
    for fields in (line.split("|") for line in ALIASES.strip().splitlines())
    for spelling in fields[1:]
]


def test_there_are_more_than_200_pairs_in_both_languages() -> None:
    chinese = [spelling for spelling, _ in PAIRS if any("一" <= char <= "鿿" for char in spelling)]
    assert len(PAIRS) >= 200
    assert len(chinese) >= 80


@pytest.mark.parametrize(("spelling", "expected"), PAIRS)
def test_alias_is_resolved_and_looked_up(resolver: Resolver, spelling: str, expected: str) -> None:
    for answer in (resolver.resolve(spelling), resolver.lookup(spelling)):
        assert answer.organisation is not None, (spelling, answer.status, [s.id for s in answer.suggestions])
        assert answer.organisation.id == expected
