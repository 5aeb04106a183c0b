"""A small collection made up for the tests: every trap of the field reports has its paper here."""

from __future__ import annotations

from bot.search.index import Index
from bot.search.model import Document, Query

LOGQUANT = 1
STATE_OF_THE_ART = 2
DIFFUSION_ZH = 3
LLM_ZH = 4
STAR_WARS = 5
STAR_NEAR = 6
GPT4 = 7
GPT3 = 8
CPLUSPLUS = 9
ALPHA = 10
QLAMBDA = 11
WORLD = 12
SUMMIT = 13
MIT = 14
ETHIOPIA = 15
FEW_SHOT = 16
SURVEY_ZH = 17
R_SQUARED = 18
NAIVE = 19
ADA = 20
SAN_ZHANG = 21
OUYANG = 22
GUANGXI = 23
GRAPH_ORAL = 24
GRAPH_POSTER = 25

PAPERS = (
    Document(
        LOGQUANT,
        "LogQuant: Log-Distributed 2-Bit Quantization of Key Caches",
        "LogQuant：基于对数分布的2位量化键缓存",
        ("Han Müller", "Łukasz Kowalski", "Jürgen Röell"),
        ("Paradigm", "第四范式"),
        2026,
        "main",
        "poster",
        ("arxiv:2601.01234", "openreview:AbC_dEf-12"),
        newest=26,
        organisations=("paradigm",),
    ),
    Document(
        STATE_OF_THE_ART,
        "What? A State-of-the-Art Parser That Doesn't Fail",
        "一个不会失败的先进解析器",
        ("Robin",),
        year=2025,
        newest=2,
    ),
    Document(DIFFUSION_ZH, "Faster Sampling for Latent Diffusion", "潜在扩散模型的加速采样", year=2026, newest=3),
    Document(LLM_ZH, "Reasoning at Scale", "大语言模型LLM推理", year=2024, newest=4),
    Document(STAR_WARS, "Star Wars as a Benchmark for Plot Understanding", "星球大战", newest=5),
    Document(STAR_NEAR, "Planets at War", "星际大战", newest=6),
    Document(GPT4, "Jailbreaking GPT-4 with Riddles", "用谜语越狱GPT-4", newest=7),
    Document(GPT3, "Jailbreaking GPT-3 with Riddles", "用谜语越狱GPT-3", newest=8),
    Document(CPLUSPLUS, "Generating C++ Programs from Tests", None, newest=9),
    Document(ALPHA, r"$\alpha$-Mixture Distillation", None, newest=10),
    Document(QLAMBDA, "Expected Q(λ) without Traces", None, newest=11),
    Document(WORLD, "World Models for Robots", "机器人的世界模型", ("Wei Wang",), newest=12),
    Document(SUMMIT, "Climbing Loss Landscapes", None, ("Ann Hill",), ("Summit Institute", "Venus Labs"), newest=13),
    Document(
        MIT,
        "Folding Proteins with Patience",
        None,
        ("Bo Li",),
        ("Massachusetts Institute of Technology", "MIT", "麻省理工学院"),
        year=2026,
        track="workshop",
        newest=14,
        organisations=("mit",),
    ),
    Document(ETHIOPIA, "Crop Yields from Space", None, ("Abebe Bekele",), ("Ethiopian Research Centre",), newest=15),
    Document(FEW_SHOT, "Few-Shot Tuning in Phase-2 Trials", None, newest=16),
    Document(SURVEY_ZH, "Large Models: A Survey (Part One)", "大模型：综述（上）", newest=17),
    Document(R_SQUARED, "Why R² Misleads", None, newest=18),
    Document(NAIVE, "Nai\u0308ve Bayes Revisited", None, newest=19),
    Document(ADA, "AdaDiffuser: Adaptive Denoising in Real Time", None, newest=20),
    Document(SAN_ZHANG, "Caching for Long Contexts", None, ("San Zhang", "Yu-Xiong Wang"), newest=21),
    Document(OUYANG, "Painting with Equations", None, ("欧阳明", "Max J. Feld"), newest=22),
    Document(GUANGXI, "Rainfall of Guilin", "广西桂林的降雨", (), ("广西大学",), newest=23),
    Document(
        GRAPH_ORAL,
        "Graph Transformers Count Triangles",
        "图变换器能数三角形",
        year=2026,
        track="main",
        presentation="oral",
        newest=24,
    ),
    Document(
        GRAPH_POSTER,
        "Graph Transformers Forget Edges",
        "图变换器会忘记边",
        year=2025,
        track="main",
        presentation="poster",
        newest=25,
    ),
)  # fmt: skip


def ids(index: Index, text: str, limit: int = 5, **filters: object) -> list[int]:
    """The ids found for a text."""
    return [hit.id for hit in index.search(Query(text, **filters), limit)]  # type: ignore[arg-type]
