"""The search for the layers that stay in float: harmful ones first, as few as the gate asks for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

import pytest

from azx.bundle.precision.mixing import Attempt, LayerMeasurement, mix_precisions, most_harmful_first, predict_count
from azx.errors import ConversionError
from azx.validate.gate.risk import RISK
from azx.validate.gate.verdict import Check, Verdict
from azx.validate.run import Run

LAYERS = [LayerMeasurement(name, weights, harm) for name, weights, harm in [
    ("wide", 10_000, 1.0), ("first", 100, 0.5), ("quiet", 10_000, 0.01), ("head", 50, 0.1), ("last", 10_000, 0.02),
]]  # fmt: skip
ORDER = ("first", "head", "wide", "last", "quiet")


def judged(used: Callable[[int], float], tried: list[int]) -> Callable[[tuple[str, ...]], Attempt]:
    """Attempts whose closest figure takes `used(layers in float)` of its limit."""

    def attempt(in_float: tuple[str, ...]) -> Attempt:
        tried.append(len(in_float))
        taken = used(len(in_float))
        check = Check("value_head", "self-play", "win-rate error, p99", taken, 1, taken, None, 10)
        return Attempt(in_float, {}, Run("runtime"), Verdict((check,)))

    return attempt


def measured() -> list[LayerMeasurement]:
    return LAYERS


def unasked() -> list[LayerMeasurement]:
    raise AssertionError("nothing needs to be measured")


def test_layers_go_by_their_harm_for_their_size() -> None:
    assert most_harmful_first(LAYERS) == ORDER


def test_what_is_inside_as_it_is_stays_so() -> None:
    best, attempts = mix_precisions(judged(lambda count: 0.9, []), unasked)
    assert best.in_float == ()
    assert len(attempts) == 1


@pytest.mark.parametrize("needed", [1, 2, 3, 4])
def test_the_fewest_layers_that_the_gate_asks_for(needed: int) -> None:
    tried: list[int] = []
    best, attempts = mix_precisions(judged(lambda count: 0.9 if count >= needed else 2, tried), measured)
    assert best.in_float == ORDER[:needed]
    assert len(attempts) == len(tried) <= 5


@pytest.mark.parametrize("needed", range(1, 40))
def test_of_many_layers_few_artifacts_are_tried(needed: int) -> None:
    many = [LayerMeasurement(str(at), 100, 100 / (at + 1)) for at in range(41)]
    order = most_harmful_first(many)

    def used(count: int) -> float:
        """As much as the harm that is left, so that `needed` layers in float bring it to the margin."""
        left = [sum(layer.harm for layer in many if layer.name not in order[:n]) for n in (count, needed)]
        return float(0.7499 * (left[0] / max(left[1], 1e-9)) ** 0.5)

    tried: list[int] = []
    judge = judged(used, tried)
    best, _ = mix_precisions(lambda layers: replace(judge(layers), risk=float(used(len(layers)) > 0.75)), lambda: many)
    assert len(best.in_float) == needed
    assert len(tried) <= 3
    assert predict_count(many, order, used(0)) == needed


def test_one_inside_its_gate_by_a_hair_is_not_chosen_while_another_is_by_more() -> None:
    judge = judged(lambda count: 0.99, [])
    best, _ = mix_precisions(lambda layers: replace(judge(layers), risk=0.4 if len(layers) < 2 else RISK / 2), measured)
    assert best.in_float == ORDER[:2]


def test_where_none_is_so_by_enough_the_least_risky_is_taken() -> None:
    judge = judged(lambda count: 0.99, [])
    best, _ = mix_precisions(lambda layers: replace(judge(layers), risk=0.5 - len(layers) / 20), measured)
    assert best.in_float == ORDER[:4]


def test_where_none_is_inside_the_nearest_is_taken_and_one_layer_stays_in_8_bits() -> None:
    tried: list[int] = []
    best, _ = mix_precisions(judged(lambda count: 9 - count, tried), measured)
    assert best.in_float == ORDER[:4]
    assert max(tried) == 4


def test_a_graph_that_cannot_be_mixed_stays_as_it_was() -> None:
    def attempt(in_float: tuple[str, ...]) -> Attempt:
        if in_float:
            raise ConversionError("The weights are another layer's too.")
        return judged(lambda count: 2, [])(in_float)

    best, attempts = mix_precisions(attempt, measured)
    assert attempts == [best]


def test_what_does_not_run_is_tried_once() -> None:
    broken = Attempt((), {}, Run("runtime", problems=("an output is missing",)), cast(Verdict, None))
    best, attempts = mix_precisions(lambda in_float: broken, unasked)
    assert best is broken
    assert len(attempts) == 1
