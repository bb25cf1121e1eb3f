"""The gate on fresh positions, for a policy whose scores do not add up to 1."""

from __future__ import annotations

import numpy as np
import pytest

from azx.export.checkpoint.head import POLICY, Head
from azx.validate.asked import RepeatedRun, Sample
from azx.validate.gate.fresh import faults_again, faults_on_fresh
from azx.validate.gate.gate import Gate
from azx.validate.gate.limits import Limits
from azx.validate.gate.positions import gate_positions
from azx.validate.positions import Positions
from azx.validate.run import Run

COUNT = 100
SCORES_HEAD = Head("p", (3,), "sigmoid", POLICY, "policy_head")
# The sum of a row is far from 1, so a share would enlarge a small error without limit.
TRUTH = np.tile([4e-4, 1e-4, 1e-5], (COUNT, 1))


@pytest.fixture
def gate() -> Gate:
    drawn = Positions({"main_input": np.zeros((COUNT, 2), np.float32)}, np.ones((COUNT, 3), np.bool_), "positions")
    return Gate((SCORES_HEAD,), {}, gate_positions([("fresh", drawn)]), {"policy_head": TRUTH}, Limits())


@pytest.mark.parametrize(("error", "is_fault"), [(1e-3, False), (0.1, True)])
def test_scores_are_judged_by_their_difference_as_at_export(gate: Gate, error: float, is_fault: bool) -> None:
    clauses = list(faults_on_fresh(gate, {"policy_head": TRUTH + error}))
    assert ["a score is off" in clause for clause in clauses] == [True] * is_fault


@pytest.mark.parametrize(("error", "is_another"), [(1e-4, False), (0.1, True)])
def test_scores_asked_again_may_differ_as_kernels_do(gate: Gate, error: float, is_another: bool) -> None:
    rows = np.arange(COUNT) < 10
    again = RepeatedRun("one by one", {"policy_head": TRUTH[rows] + error})
    run = Run("runtime", {"policy_head": TRUTH}, again=(again,), sample=Sample(rows, 8))
    clauses = list(faults_again(gate, run))
    assert ["a score is another" in clause for clause in clauses] == [True] * is_another
