"""The gate over arrays: what counts, what fails, and which figure is the closest."""

from __future__ import annotations

import numpy as np
import pytest

from azx.errors import AzxError
from azx.export.checkpoint.head import OTHER, POLICY, VALUE, Head
from azx.games.value import ValueReading
from azx.validate.gate.gate import Gate
from azx.validate.gate.harm import harm
from azx.validate.gate.limits import Limits, limits_from, parse_limits
from azx.validate.gate.measure import best_moves, policy_divergences, win_rate_errors
from azx.validate.gate.positions import gate_positions
from azx.validate.gate.risk import risk
from azx.validate.gate.verdict import (
    BEST_MOVE,
    KL_P99,
    SCORE_MAX,
    SCORE_P99,
    WIN_RATE_MAX,
    WIN_RATE_P99,
    Verdict,
    judge,
    readings_of,
)
from azx.validate.positions import Positions
from azx.validate.proof.recorded import judge_recorded, note_answers, noted_answers

VALUES = Head("v", (1,), "tanh", VALUE, "value_head")
MOVES = Head("p", (3,), "linear", POLICY, "policy_head")
HEADS = (VALUES, MOVES)


def positions(count: int, legal: bool = True) -> Positions:
    mask = np.ones((count, 3), np.bool_) if legal else None
    return Positions({"main_input": np.zeros((count, 2), np.float32)}, mask, f"{count} positions")


def verdict(
    value_errors: np.ndarray, lost: int = 0, legal: bool = True, limits: Limits | None = None, split: int | None = None
) -> Verdict:
    """The gate on positions whose values are off by so much, and of which so many lose their best move."""
    count = len(value_errors)
    truth = {"value_head": np.zeros((count, 1)), "policy_head": np.tile([0.3, 0.0, -1.0], (count, 1))}
    answer = {"value_head": value_errors.reshape(-1, 1), "policy_head": truth["policy_head"].copy()}
    answer["policy_head"][:lost] = [0.25, 0.3, -1.0]
    parts = [("self-play", positions(split or count, legal))]
    if split:
        parts.append(("random legal", positions(count - split, legal)))
    told = gate_positions(parts)
    return judge(Gate(HEADS, readings_of(HEADS, {}), told, truth, limits or Limits()), answer)


def test_equal_answers_pass_and_every_kind_of_positions_has_its_lines() -> None:
    found = verdict(np.zeros(200), split=150)
    assert found.passed
    lines = [(check.kind, check.metric, check.counted) for check in found.checks]
    metrics = (WIN_RATE_P99, WIN_RATE_MAX, KL_P99, BEST_MOVE)
    kinds = (("self-play", 150), ("random legal", 50))
    assert sorted(lines) == sorted((kind, metric, count) for kind, count in kinds for metric in metrics)


def test_a_single_value_far_off_fails_by_its_largest_error_and_is_named() -> None:
    errors = np.zeros(1000)
    errors[137] = 0.11  # a win rate of 5.5 %
    found = verdict(errors)
    assert not found.passed
    assert [check.metric for check in found.checks if not check.passed] == [WIN_RATE_MAX]
    assert found.closest is not None
    assert (found.closest.metric, found.closest.position) == (WIN_RATE_MAX, 137)
    assert found.failures == ("value_head: win-rate error, largest 5.5 % (allowed 5 %) at position 137 of self-play",)


def test_many_values_a_little_off_fail_by_the_percentile() -> None:
    errors = np.zeros(1000)
    errors[:20] = 0.05
    found = verdict(errors)
    assert [check.metric for check in found.checks if not check.passed] == [WIN_RATE_P99]


def test_the_closest_margin_is_told_where_all_is_well() -> None:
    errors = np.zeros(1000)
    errors[5] = 0.098
    closest = verdict(errors).closest
    assert closest is not None
    assert closest.passed
    assert (closest.metric, closest.position, round(closest.used, 3)) == (WIN_RATE_MAX, 5, 0.98)


@pytest.mark.parametrize(("lost", "passes"), [(0, True), (4, True), (5, False)])
def test_two_best_moves_of_a_hundred_may_change(lost: int, passes: bool) -> None:
    found = verdict(np.zeros(200), lost=lost, limits=Limits(kl_p99=10))
    assert found.passed is passes
    [check] = [check for check in found.checks if check.metric == BEST_MOVE]
    assert check.value == 1 - lost / 200
    assert (check.position is None) is (lost == 0)


def test_of_few_positions_one_may_always_change() -> None:
    assert verdict(np.zeros(20), lost=1, limits=Limits(kl_p99=10)).passed
    assert not verdict(np.zeros(20), lost=2, limits=Limits(kl_p99=10)).passed
    assert not verdict(np.zeros(20), lost=1, limits=Limits(kl_p99=10, best_move=1)).passed


def test_two_moves_as_good_as_each_other_do_not_count() -> None:
    truth = np.array([[1.0, 1.001, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0]])
    answer = np.array([[1.001, 1.0, 0.0], [2.0, 1.0, 0.0], [1.0, 2.0, 0.0]])
    found = best_moves(answer, truth, np.ones((3, 3), np.bool_), "logits", 0.01)
    assert found.counted.tolist() == [False, True, True]
    assert found.kept.tolist() == [False, False, True]


def test_an_illegal_move_is_no_best_move_and_a_single_legal_one_is_no_choice() -> None:
    truth, answer = np.array([[5.0, 1.0, 0.0]] * 2), np.array([[0.0, 1.0, 5.0]] * 2)
    legal = np.array([[False, True, False], [False, True, True]])
    found = best_moves(answer, truth, legal, "logits", 0.01)
    assert found.counted.tolist() == [False, True]
    assert found.kept.tolist() == [True, False]


def test_without_legal_moves_the_best_ones_are_not_counted_and_that_is_said() -> None:
    found = verdict(np.zeros(50), lost=50, legal=False, limits=Limits(kl_p99=10))
    assert BEST_MOVE not in [check.metric for check in found.checks]
    assert found.notes == ("policy_head: best legal moves were not counted on self-play: the legal moves are unknown",)


def test_nan_another_shape_and_nothing_at_all_are_failures() -> None:
    truth = {"value_head": np.zeros((4, 1))}
    told = gate_positions([("self-play", positions(4))])
    answers = (np.full((4, 1), np.nan), np.zeros((4, 2)), None)
    for answer, words in zip(answers, ("NaN", "2,) values", "no answer"), strict=True):
        given = {} if answer is None else {"value_head": answer}
        found = judge(Gate((VALUES,), readings_of((VALUES,), {}), told, truth), given)
        assert not found.passed
        assert words in found.failures[0]
    other = {"other": np.zeros((4, 2))}
    nothing = judge(Gate((Head("o", (2,), "linear", OTHER, "other"),), {}, told, other), other)
    assert not nothing.passed
    assert nothing.failures == ("nothing was measured",)


def test_a_win_rate_is_read_as_the_value_is() -> None:
    one = np.array([[0.5]]), np.array([[0.3]])
    assert win_rate_errors(ValueReading("tanh"), *one).round(9).tolist() == [0.1]
    assert win_rate_errors(ValueReading("sigmoid", "unit"), *one).round(9).tolist() == [0.2]
    three = np.array([[0.6, 0.2, 0.2]]), np.array([[0.4, 0.2, 0.4]])
    assert win_rate_errors(ValueReading("softmax", "wdl"), *three).round(9).tolist() == [0.2]


def test_divergence_is_of_the_legal_moves_alone() -> None:
    truth, answer = np.array([[1.0, 0.0, 0.0]]), np.array([[1.0, 0.0, 9.0]])
    assert policy_divergences(answer, truth, np.array([[True, True, False]]), "logits")[0] == 0
    assert policy_divergences(answer, truth, None, "logits")[0] > 1


def test_limits_are_set_by_name_and_a_wrong_one_is_a_sentence() -> None:
    assert parse_limits(["value-p99=0.03", "kl_p99=1.5"]) == Limits(value_p99=0.03, kl_p99=1.5)
    assert limits_from(Limits(best_move=0.9).as_data()) == Limits(best_move=0.9)
    for text, words in (
        ("value=1", "did you mean 'value-"),
        ("best-move=much", "give it as best-move=0.02"),
        ("best-move=2", "from 0 to 1"),
        ("kl-p99=-1", "from 0 on"),
        ("value-max=nan", "from 0 to 1"),
    ):
        with pytest.raises(AzxError, match=words):
            parse_limits([text])


def of_scores(error: float) -> tuple[Gate, dict[str, np.ndarray]]:
    """The gate of a policy of three win ratios, and answers of which one is off by `error` at each position."""
    truth = {"policy_head": np.tile([1e-9, 0.9, 0.2], (1_000, 1))}
    heads = (Head("p", (3,), "sigmoid", POLICY, "policy_head"),)
    gate = Gate(heads, {}, gate_positions([("self-play", positions(1_000))]), truth)
    return gate, {"policy_head": truth["policy_head"] + np.array([error, 0.0, 0.0])}


@pytest.mark.parametrize(("error", "passes"), [(0.0, True), (0.015, True), (0.03, False)])
def test_scores_are_held_to_their_own_errors_and_not_to_a_divergence(error: float, passes: bool) -> None:
    gate, answers = of_scores(error)
    found = judge(gate, answers)
    assert [check.metric for check in found.checks] == [SCORE_P99, SCORE_MAX, BEST_MOVE]
    assert found.passed == passes
    assert found.checks[0].value == pytest.approx(error, abs=1e-12)
    assert harm(gate, answers) == pytest.approx((error / 0.02) ** 2, rel=1e-3, abs=1e-9)
    assert (risk(gate, answers) < 1) == passes
    noted = noted_answers(note_answers(gate, answers, 1_000), gate.heads, 1_000)
    again = judge_recorded(gate, answers, noted, 1_000)
    assert again.passed
    assert all(
        check.metric.startswith("score")
        for check in (*again.checks, *judge_recorded(gate, answers, None, 1_000).checks)
    )
