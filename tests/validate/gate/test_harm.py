"""What an approximation does, as a number that adds up; and a part of a gate's positions to measure it on."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from azx.export.checkpoint.head import POLICY, VALUE, Head
from azx.validate.gate.gate import Gate
from azx.validate.gate.harm import harm
from azx.validate.gate.limits import Limits
from azx.validate.gate.positions import GatePositions, gate_positions
from azx.validate.gate.verdict import readings_of
from azx.validate.positions import Positions

HEADS = (Head("v", (1,), "tanh", VALUE, "value_head"), Head("p", (3,), "linear", POLICY, "policy_head"))


def kind(name: str, count: int, legal: NDArray[np.bool_] | None = None) -> tuple[str, Positions]:
    mask = np.ones((count, 3), np.bool_) if legal is None else legal
    return name, Positions({"main_input": np.arange(count, dtype=np.float32).reshape(-1, 1)}, mask, f"{count} of them")


@pytest.fixture
def told() -> GatePositions:
    return gate_positions([kind("self-play", 300), kind("random legal", 100)])


def measured(told: GatePositions, values: NDArray[np.float64], logits: NDArray[np.float64]) -> float:
    count = len(told)
    truth = {"value_head": np.zeros((count, 1)), "policy_head": np.zeros((count, 3))}
    answers = {"value_head": values.reshape(-1, 1), "policy_head": logits}
    return harm(Gate(HEADS, readings_of(HEADS, {}), told, truth), answers)


def test_errors_of_independent_causes_add_up(told: GatePositions) -> None:
    rng = np.random.default_rng(0)
    none = np.zeros((400, 3))
    one, other = rng.normal(0, 0.01, 400), rng.normal(0, 0.02, 400)
    assert measured(told, np.zeros(400), none) == 0
    apart = measured(told, one, none) + measured(told, other, none)
    assert measured(told, one + other, none) == pytest.approx(apart, rel=0.1)
    tilted = rng.normal(0, 0.1, (400, 3))
    apart = measured(told, one, none) + measured(told, np.zeros(400), tilted)
    assert measured(told, one, tilted) == pytest.approx(apart)


def test_an_error_as_large_as_its_limit_everywhere_is_one(told: GatePositions) -> None:
    assert measured(told, np.full(400, 2 * Limits().value_p99), np.zeros((400, 3))) == pytest.approx(1)


def test_illegal_moves_do_no_harm() -> None:
    legal = np.array([[True, True, False]] * 50)
    told = gate_positions([kind("self-play", 50, legal)])
    far = np.zeros((50, 3))
    far[:, 2] = 9
    assert measured(told, np.zeros(50), far) == 0


def test_what_is_no_answer_does_all_the_harm_there_is(told: GatePositions) -> None:
    assert measured(told, np.full(400, np.nan), np.zeros((400, 3))) == np.inf


def test_a_part_is_spread_over_all_kinds_and_keeps_their_legal_moves() -> None:
    legal = np.zeros((300, 3), np.bool_)
    legal[::3] = True
    part, rows = gate_positions([kind("self-play", 300, legal), kind("random legal", 100)]).thin(130)
    assert [(each.name, len(each)) for each in part.kinds] == [("self-play", 100), ("random legal", 34)]
    assert rows.tolist() == [*range(0, 300, 3), *range(300, 400, 3)]
    assert part.feeds["main_input"][:, 0].tolist() == [*range(0, 300, 3), *range(0, 100, 3)]
    first = part.kinds[0].legal
    assert first is not None
    assert first.all()
    whole = gate_positions([kind("self-play", 20)])
    assert len(whole.thin(300)[0]) == 20
