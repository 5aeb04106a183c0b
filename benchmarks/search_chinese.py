"""Plausible Chinese titles for papers that have none, so that Chinese lookups can be measured on big corpora.

Promises: the same English title always gives the same Chinese one; different titles nearly always differ.
They are made up for the benchmark, no translation.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import blake2b

_WORDS = """
learning=学习 deep=深度 neural=神经 network=网络 networks=网络 model=模型 models=模型 language=语言 large=大
diffusion=扩散 graph=图 graphs=图 reinforcement=强化 policy=策略 optimization=优化 optimal=最优 training=训练
adversarial=对抗 attack=攻击 attacks=攻击 robust=鲁棒 robustness=鲁棒性 representation=表示 representations=表示
representational=表征 generation=生成 generative=生成式 image=图像 images=图像 video=视频 text=文本 speech=语音
data=数据 dataset=数据集 federated=联邦 transfer=迁移 domain=领域 adaptation=自适应 generalization=泛化 causal=因果
inference=推理 reasoning=推理 attention=注意力 transformer=变换器 transformers=变换器 efficient=高效 fast=快速
memory=记忆 knowledge=知识 distillation=蒸馏 compression=压缩 quantization=量化 pruning=剪枝 sparse=稀疏 linear=线性
convolutional=卷积 recurrent=循环 bayesian=贝叶斯 gaussian=高斯 process=过程 processes=过程 stochastic=随机
gradient=梯度 descent=下降 convergence=收敛 theory=理论 bound=界 bounds=界 estimation=估计 regression=回归
classification=分类 detection=检测 segmentation=分割 recognition=识别 prediction=预测 forecasting=预报 time=时间
series=序列 sequence=序列 sequential=序贯 self-supervised=自监督 supervised=监督 unsupervised=无监督
semi-supervised=半监督 contrastive=对比 embedding=嵌入 embeddings=嵌入 latent=潜在 space=空间 variational=变分
autoencoder=自编码器 autoencoders=自编码器 flow=流 flows=流 matching=匹配 alignment=对齐 preference=偏好
preferences=偏好 human=人类 feedback=反馈 reward=奖励 agent=智能体 agents=智能体 multi-agent=多智能体 game=博弈
games=博弈 online=在线 offline=离线 exploration=探索 planning=规划 control=控制 robot=机器人 robotic=机器人
manipulation=操作 navigation=导航 vision=视觉 visual=视觉 multimodal=多模态 retrieval=检索 question=问题
answering=回答 translation=翻译 code=代码 program=程序 mathematical=数学 math=数学 molecular=分子 molecule=分子
protein=蛋白质 drug=药物 physics=物理 equations=方程 differential=微分 equation=方程 operator=算子 operators=算子
privacy=隐私 private=私有 fairness=公平性 fair=公平 safety=安全 safe=安全 uncertainty=不确定性 calibration=校准
benchmark=基准 evaluation=评估 evaluating=评估 understanding=理解 analysis=分析 framework=框架 method=方法
approach=方法 algorithm=算法 algorithms=算法 search=搜索 architecture=架构 architectures=架构 design=设计
structure=结构 structured=结构化 dynamic=动态 dynamics=动力学 temporal=时序 spatial=空间 local=局部 global=全局
hierarchical=层次化 multi-task=多任务 meta-learning=元学习 continual=持续 lifelong=终身 few-shot=少样本
zero-shot=零样本 pre-training=预训练 pretraining=预训练 fine-tuning=微调 prompt=提示 prompting=提示 context=上下文
long=长 short=短 scaling=缩放 scale=规模 scalable=可扩展 distributed=分布式 parallel=并行 random=随机 feature=特征
features=特征 kernel=核 metric=度量 distance=距离 similarity=相似度 clustering=聚类 sampling=采样 monte=蒙特 carlo=卡罗
energy=能量 noise=噪声 noisy=含噪 label=标签 labels=标签 weak=弱 weakly=弱 active=主动 interactive=交互式 imitation=模仿
inverse=逆 problems=问题 problem=问题 task=任务 tasks=任务 high-dimensional=高维 low-rank=低秩 matrix=矩阵 tensor=张量
point=点 cloud=云 object=物体 scene=场景 face=人脸 pose=姿态 motion=运动 medical=医学 clinical=临床 brain=大脑
hallucination=幻觉 hallucinations=幻觉 watermark=水印 token=词元 tokens=词元 cache=缓存 expert=专家 experts=专家
mixture=混合 teacher=教师 student=学生 curriculum=课程 audio=音频 music=音乐 explanation=解释 explanations=解释
interpretable=可解释 interpretability=可解释性 explainable=可解释 unlearning=遗忘 editing=编辑 world=世界
"""
# Stand-ins for words without an entry: common words of titles, chosen by the hash of the English word.
_OTHERS = re.findall(
    "..",
    "方向统一视角重新思考探究实现提升增强改进引导驱动感知融合协同联合解耦重构映射变换约束正则先验后验边界条件机制模块系统平台工具资源成本精度误差偏差方差稳定平衡均衡演化进化涌现涨落轨迹"
    "路径通道频率频谱相位尺度层级粒度语义语法词汇句子段落文档对话意图情感观点主题事件关系实体属性规则逻辑符号公理证明猜想假设实验观测测量信号信道编码解码压力温度材料晶体电池气候天气海洋"
    "遥感交通城市能源电力金融市场经济法律教育社会心理行为决策风险信任可信透明责任伦理偏见毒性攻防漏洞后门检验审计追踪定位重建渲染合成编排调度部署加速硬件芯片存储带宽延迟吞吐批量步长动量"
    "曲率流形拓扑几何对称不变等变群论谱图随机游走采集标注清洗筛选加权集成投票排序推荐用户物品点击转化广告搜集问答摘要改写纠错拼写分词句法篇章指代消歧翻新跨越迈向突破局限挑战机遇综述展望"
    "原理本质来源影响作用效应代价收益权衡取舍极限渐近有限无限连续离散凸性光滑鞍点极值全景微观宏观介观量子经典混沌分形",
)
_KEPT = re.compile(r"[A-Z][a-z]*[A-Z0-9]|[A-Z]{2,}|\d")
_SMALL = re.compile(
    r"an?|the|of|for|in|on|with|to|and|or|via|from|by|is|are|be|as|at|do(es)?|can|its|we|how|what"
)


@lru_cache(maxsize=1)
def _dictionary() -> dict[str, str]:
    return dict(pair.split("=") for pair in _WORDS.split())


def chinese_title(title: str) -> str:
    """A made-up Chinese title: names of methods stay Latin, small words go."""
    head, colon, rest = title.partition(":")
    return (_part(head) + "：" + _part(rest)) if colon else _part(title)


def _part(text: str) -> str:
    return _joined([_word(word.strip(".,;!?()\"'$")) for word in text.split()])


def _joined(words: list[str]) -> str:
    text = ""
    for word in words:
        gap = " " if text and word and text[-1].isascii() and word[0].isascii() else ""
        text += gap + word
    return text


@lru_cache(maxsize=1 << 18)
def _word(word: str) -> str:
    low = word.lower()
    if not word or _SMALL.fullmatch(low):
        return ""
    if known := _dictionary().get(low):
        return known
    if _KEPT.search(word):
        return word
    digest = blake2b(low.encode(), digest_size=4).digest()
    other: str = _OTHERS[int.from_bytes(digest, "big") % len(_OTHERS)]
    return other
