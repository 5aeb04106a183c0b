from __future__ import annotations

import pytest

from bot.wording import Wording


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("Graph Neural Networks for Molecules", "neural networks"),
        ("Few-Shot Learning", "few shot"),
        ("Reinforcement learning (RL) at scale", "rl"),
        ("大语言模型LLM推理", "LLM"),
        ("潜在扩散模型的加速采样", "扩散"),
        ("潛在擴散模型", "扩散模型"),
        ("Müller and Q(λ)", "muller"),
    ],
)
def test_words_that_stand_there_are_found(text: str, phrase: str) -> None:
    assert Wording([text]).has_phrase(phrase)


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("World Models", "rl"),
        ("Summit Institute", "mit"),
        ("Neural graph networks", "graph neural"),
        ("Scaling GPT-4", "gpt-3"),
        ("anything", ""),
        ("anything", "？！"),
    ],
)
def test_parts_of_words_and_other_orders_are_not(text: str, phrase: str) -> None:
    assert not Wording([text]).has_phrase(phrase)


def test_a_phrase_does_not_run_from_the_title_into_the_summary() -> None:
    assert not Wording(["Learning to Rank", "Diffusion is used."]).has_phrase("rank diffusion")


def test_all_words_may_stand_anywhere() -> None:
    wording = Wording(["Diffusion for Molecules", "我们提出一种扩散模型"])
    assert wording.has_all("molecules 扩散")
    assert not wording.has_all("molecules proteins")
    assert not wording.has_all("")
