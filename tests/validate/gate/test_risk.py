"""The chance to be outside a gate on other positions: the formula by simulation, and what it makes of small games."""

from __future__ import annotations

import numpy as np
import pytest

from azx.export.checkpoint.head import VALUE, Head
from azx.validate.gate.gate import Gate
from azx.validate.gate.positions import OWN, RANDOM, SELF_PLAY, gate_positions
from azx.validate.gate.risk import RISK, more_than, risk
from azx.validate.gate.verdict import judge, readings_of, rows_beyond_p99
from azx.validate.positions import Positions

HEADS = (Head("v", (1,), "tanh", VALUE, "value_head"),)
READINGS = readings_of(HEADS, {})


def gate(*kinds: tuple[str, int]) -> Gate:
    told = gate_positions([(name, Positions({"x": np.zeros((n, 1), np.float32)}, None, name)) for name, n in kinds])
    return Gate(HEADS, READINGS, told, {"value_head": np.zeros((len(told), 1))})


CHOOSING, OTHERS = gate((SELF_PLAY, 1000), (RANDOM, 1000)), gate((SELF_PLAY, 1000), (RANDOM, 500))


def answers(rng: np.random.Generator, count: int, p99: float) -> dict[str, np.ndarray]:
    """Values off by a win rate whose tail is exponential and whose 99th percentile is `p99`."""
    return {"value_head": 2 * rng.exponential(p99 / np.log(100), (count, 1))}


@pytest.mark.parametrize(("seen", "expected"), [(0, 2.0**-11), (1, 13 / 4096)])
def test_the_number_of_exceedances_is_the_known_one(seen: int, expected: float) -> None:
    # Of equal samples each next number is of either with chance 1/2 (Gumbel and von Schelling's limit of large ones).
    assert more_than(10, 10**6, seen, 10**6) == pytest.approx(expected, rel=1e-3)


def test_it_is_the_share_of_other_samples_that_exceed() -> None:
    rng, many = np.random.default_rng(5), 4000
    first, second = rng.random((many, 200)), rng.random((many, 100))
    limit = np.sort(first, axis=1)[:, -4]  # exceeded by three
    beyond = (second > limit[:, None]).sum(axis=1) > 3
    assert more_than(3, 100, 3, 200) == pytest.approx(beyond.mean(), abs=0.02)


def test_what_is_chosen_by_it_passes_on_other_positions_in_99_of_100() -> None:
    rng = np.random.default_rng(0)
    passed = []
    for p99 in np.repeat(np.linspace(0.01, 0.022, 13), 60):
        if risk(CHOOSING, answers(rng, 2000, p99)) <= RISK:
            passed += [judge(OTHERS, answers(rng, 1500, p99)).passed for _ in range(5)]
    assert len(passed) > 500
    assert np.mean(passed) >= 0.99


def test_what_is_inside_by_a_hair_is_not_chosen_though_it_passes() -> None:
    errors = np.full((2000, 1), 2 * 0.0199)
    assert judge(CHOOSING, {"value_head": errors}).passed
    near = answers(np.random.default_rng(1), 2000, 0.0195)
    assert risk(CHOOSING, near) > RISK


def test_what_is_outside_has_the_risk_one_and_what_is_equal_none() -> None:
    assert risk(CHOOSING, {"value_head": np.full((2000, 1), 0.2)}) == 1
    assert risk(CHOOSING, {"value_head": np.zeros((2000, 1))}) == 0
    assert risk(CHOOSING, {"value_head": np.random.default_rng(2).random((2000, 1)) * 1e-4}) < 1e-6


@pytest.mark.parametrize("kind", [(SELF_PLAY, 300), (OWN, 300)])
def test_where_all_positions_there_are_have_been_asked_nothing_is_left_to_chance(kind: tuple[str, int]) -> None:
    assert risk(gate(kind), answers(np.random.default_rng(1), 300, 0.0185)) == 0


def test_behind_a_99th_percentile_lie_as_many_as_are_said() -> None:
    for count in (20, 60, 374, 1000, 2000):
        errors = np.zeros(count)
        errors[: rows_beyond_p99(count)] = 1
        assert np.quantile(errors, 0.99) < 1
        errors[rows_beyond_p99(count)] = 1
        assert np.quantile(errors, 0.99) == 1
