"""Twenty recorded positions as a gate: nothing that passed it at the export fails on them, and no other file passes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from azx.export.checkpoint.head import POLICY, VALUE, Head
from azx.validate.gate.gate import Gate
from azx.validate.gate.positions import GOLDEN, RANDOM, SELF_PLAY, gate_positions
from azx.validate.gate.verdict import CHANGED_KL, CHANGED_WIN_RATE, WIN_RATE_AT_EXPORT, Verdict, judge, readings_of
from azx.validate.positions import Positions
from azx.validate.proof.recorded import NOT_NOTED, RecordedGate, note_answers, noted_answers
from azx.validate.run import Run

HEADS = (Head("v", (1,), "tanh", VALUE, "value_head"), Head("p", (3,), "linear", POLICY, "policy_head"))
RECORDED, COUNT = 20, 1000
Answers = dict[str, NDArray[Any]]


def positions(count: int) -> Positions:
    return Positions({"main_input": np.zeros((count, 2), np.float32)}, np.ones((count, 3), np.bool_), f"{count}")


def truth_of(count: int) -> Answers:
    return {"value_head": np.zeros((count, 1)), "policy_head": np.tile([0.3, 0.0, -1.0], (count, 1))}


def gate(*kinds: tuple[str, int]) -> Gate:
    every = gate_positions([(name, positions(count)) for name, count in kinds])
    return Gate(HEADS, readings_of(HEADS, {}), every, truth_of(len(every)))


@pytest.fixture
def sound() -> Answers:
    """Answers that a gate passes: ten rows of a thousand are far off, all of them among golden.json's twenty."""
    answers = truth_of(COUNT)
    answers["value_head"][:10] = 0.09  # a win rate of 4.5 %
    answers["policy_head"][:10, 1] = -0.6
    return answers


def of_recorded(answers: Answers) -> Answers:
    return {name: rows[:RECORDED].copy() for name, rows in answers.items()}


def again(answers: Answers, parity: dict[str, Any], proved: int = COUNT) -> Verdict:
    return RecordedGate(parity, proved).judge(gate((GOLDEN, RECORDED)), Run("LiteRT", answers), "net.int8.tflite")


def parity_of(answers: Answers) -> dict[str, Any]:
    noted = note_answers(gate((RANDOM, COUNT)), answers, RECORDED)
    return {"artifacts": [{"file": "net.int8.tflite", "golden": noted}]}


def test_what_passed_on_a_thousand_passes_on_the_worst_twenty_of_them(sound: Answers) -> None:
    assert judge(gate((RANDOM, COUNT)), sound).passed
    assert not judge(gate((GOLDEN, RECORDED)), of_recorded(sound)).passed, "of twenty a p99 is the largest"
    assert again(of_recorded(sound), parity_of(sound)).passed


def test_a_bundle_of_before_that_notes_no_answers_passes_too(sound: Answers) -> None:
    found = again(of_recorded(sound), {})
    assert found.passed
    assert found.notes == (NOT_NOTED,)


def test_without_notes_one_row_more_than_any_passed_gate_leaves_is_a_failure(sound: Answers) -> None:
    sound["policy_head"][10, 1] = -0.6
    assert not judge(gate((RANDOM, COUNT)), sound).passed
    assert not again(of_recorded(sound), {}).passed


def test_without_notes_a_value_farther_off_than_the_gate_allows_anywhere_is_a_failure(sound: Answers) -> None:
    sound["value_head"][3] = 0.102
    assert not again(of_recorded(sound), {}).passed


@pytest.mark.parametrize(("head", "change", "metric"), [
    ("value_head", 0.06, CHANGED_WIN_RATE), ("policy_head", 0.4, CHANGED_KL),
])  # fmt: skip
def test_a_file_that_answers_otherwise_than_at_its_export_is_named(
    sound: Answers, head: str, change: float, metric: str
) -> None:
    answers = of_recorded(sound)
    answers[head][15, 0] += change
    found = again(answers, parity_of(sound))
    assert [check.metric for check in found.checks if not check.passed] == [metric]
    assert "at position 15 of golden.json" in found.failures[0]


def test_a_step_of_other_kernels_is_none(sound: Answers) -> None:
    answers = of_recorded(sound)
    answers["value_head"][15] += 0.023  # 1.15 % of the win rate, as measured
    assert again(answers, parity_of(sound)).passed


def test_forged_notes_excuse_nothing(sound: Answers) -> None:
    sound["value_head"][3] = 0.2
    found = again(of_recorded(sound), parity_of(sound))
    assert [check.metric for check in found.checks if not check.passed] == [WIN_RATE_AT_EXPORT]


@pytest.mark.parametrize("golden", [
    None, 7, {}, {"value_head": ["0"] * 20}, {"value_head": ["0"] * 19, "policy_head": ["0 0 0"] * 20},
    {"value_head": ["nan"] * 20, "policy_head": ["0 0 0"] * 20}, {"value_head": [0] * 20, "policy_head": [1] * 20},
    {"value_head": ["0*99999999"] * 20, "policy_head": ["0 0 0"] * 20},
])  # fmt: skip
def test_notes_that_are_none_are_passed_over(golden: Any) -> None:
    assert noted_answers(golden, HEADS, RECORDED) is None


def test_the_noted_rows_are_those_of_golden_json_which_begin_the_last_kind() -> None:
    answers = truth_of(COUNT + 50)
    answers["value_head"][:, 0] = np.arange(COUNT + 50) / 4096
    noted = note_answers(gate((SELF_PLAY, 50), (RANDOM, COUNT)), answers, RECORDED)
    found = noted_answers(noted, HEADS, RECORDED)
    assert found is not None
    np.testing.assert_array_equal(found["value_head"], answers["value_head"][50:70].astype(np.float32))


def test_a_further_runtime_is_held_to_its_own_notes(sound: Answers) -> None:
    parity = parity_of(sound)
    mine = parity["artifacts"][0]
    mine["also"] = [{"further": "LiteRT.js", "golden": mine.pop("golden")}]
    judged = RecordedGate(parity, COUNT)
    run = Run("LiteRT.js", of_recorded(sound), further="LiteRT.js")
    assert judged.judge(gate((GOLDEN, RECORDED)), run, "net.int8.tflite").notes == ()
