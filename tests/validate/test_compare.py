"""Comparisons: what a player would feel, and that nothing passes unseen."""

from __future__ import annotations

import numpy as np
import pytest

from azx.export.checkpoint.head import Head
from azx.validate.compare import (
    HeadResult,
    PolicyResult,
    PolicyRule,
    compare_head,
    compare_policy,
    distance,
    policy_rule,
    probabilities,
    scaled_errors,
)

LIMIT = 1e-5


def rule(count: int, limit: float = LIMIT) -> PolicyRule:
    return PolicyRule(limit, None, np.ones(count, np.bool_))


def compare(answer: list[list[float]], expected: list[list[float]]) -> HeadResult:
    head = Head("v", (len(expected[0]),), "tanh", "value", "value_head")
    return compare_head(head, np.array(answer, np.float32), np.array(expected, np.float32), 1e-6)


def moves(
    answer: object, expected: object, legal: object = None, kind: str = "logits", limit: float = LIMIT
) -> PolicyResult:
    rows, truth = np.array(answer, np.float64), np.array(expected, np.float64)
    allowed = None if legal is None else np.array(legal, np.bool_)
    return compare_policy(rows, truth, allowed, kind, rule(len(truth), limit))


def test_equal_answers_pass_with_every_figure_zero() -> None:
    result = compare([[0.5], [-0.25]], [[0.5], [-0.25]])
    assert result.passed
    assert (result.maximum, result.p99, result.mean, result.positions) == (0.0, 0.0, 0.0, 2)


def test_an_error_over_the_limit_fails_and_says_both_figures() -> None:
    result = compare([[0.5], [0.3]], [[0.5], [0.2]])
    assert not result.passed
    assert result.problems == ("differs by 0.1 where 1e-05 is allowed",)


def test_errors_are_scaled_where_the_reference_is_large_but_never_enlarged() -> None:
    errors = scaled_errors(np.array([[100.001, 0.0011]]), np.array([[100.0, 0.001]]))
    assert errors[0, 0] == pytest.approx(1e-5, rel=1e-3)
    assert errors[0, 1] == pytest.approx(1e-4, rel=1e-3)


def test_comparing_nothing_is_a_failure() -> None:
    head = Head("v", (1,), "tanh", "value", "value_head")
    result = compare_head(head, np.zeros((0, 1)), np.zeros((0, 1)), None)
    assert result.problems == ("nothing was compared",)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_nan_and_infinity_fail(bad: float) -> None:
    assert compare([[bad]], [[0.0]]).problems == ("answers NaN or infinity",)


def test_another_number_of_values_fails() -> None:
    assert "answers (2,) values" in compare([[0.0, 1.0]], [[0.0]]).problems[0]


def test_another_best_move_fails_even_where_every_error_is_small() -> None:
    result = moves([[1.0, 1.2]], [[1.2, 1.0]], limit=1e-3)
    assert result.best_move == 0.0
    assert result.ties == 0


def test_a_tie_within_the_tolerance_counts_as_the_same_move() -> None:
    result = moves([[1.0, 1.000001]], [[1.000001, 1.0]])
    assert (result.best_move, result.ties) == (1.0, 1)


def test_an_illegal_move_is_never_the_best_one() -> None:
    result = moves([[0.0, 1.0, 9.0]], [[0.0, 1.0, -9.0]], [[True, True, False]])
    assert result.best_move == 1.0
    assert result.probability == 0.0


def test_what_little_a_softmax_leaves_to_the_legal_moves_decides() -> None:
    # The raw answers differ by 1e-8 alone; a player would make the other move.
    legal, truth, turned = [[True, True, False]], [[3e-8, 1e-8, 1.0]], [[1e-8, 3e-8, 1.0]]
    result = moves(turned, truth, legal, "probabilities")
    assert (result.best_move, result.ties) == (0.0, 0)
    assert result.probability == pytest.approx(0.5)
    assert [clause.split(" by")[0] for clause in result.problems] == [
        "moves the chance of a legal move",
        "keeps the best move in 0.0% of the positions only",
    ]


def test_large_logits_do_not_loosen_what_a_chance_may_change() -> None:
    # 0.09 is within 1e-5 of 10,000, and moves a chance by two in a hundred.
    result = moves([[10_000.09, 10_000.0]], [[10_000.0, 10_000.0]])
    assert scaled_errors(np.array([[10_000.09]]), np.array([[10_000.0]])).max() < LIMIT
    assert result.probability == pytest.approx(0.0225, abs=1e-3)
    assert result.problems


def test_the_limit_of_a_chance_grows_with_the_originals_own_rounding_alone() -> None:
    exact = np.array([[0.0, 0.0], [0.0, 1.0]])
    own = policy_rule(exact + np.array([[0.0, 1e-4], [0.0, 0.0]]), exact, None, "logits")
    assert own.distance == pytest.approx(2.5e-5, rel=1e-3)
    assert own.limit == pytest.approx(1e-4, rel=1e-3)
    assert own.unheld == 0
    assert policy_rule(exact, None, None, "logits").limit == LIMIT


def test_where_rounding_decides_the_originals_own_moves_nothing_is_said_of_them() -> None:
    exact = np.array([[0.0, 0.0], [0.0, 1.0]])
    own = policy_rule(np.array([[0.0, 0.5], [0.0, 1.0]]), exact, None, "logits")
    assert (own.held.tolist(), own.unheld, own.limit) == ([False, True], 1, LIMIT)
    result = compare_policy(np.array([[9.0, 0.0], [0.0, 1.0]]), exact, None, "logits", own)
    assert (result.best_move, result.unheld, result.problems) == (1.0, 1, [])
    wrong = compare_policy(np.array([[0.0, 0.0], [1.0, 0.0]]), exact, None, "logits", own)
    assert wrong.best_move == 0.0


@pytest.mark.parametrize(("activation", "rows"), [("relu", "logits"), ("hard_sigmoid", "probabilities")])
def test_a_policy_is_read_alike_in_every_position(activation: str, rows: str) -> None:
    legal = np.ones((2, 3), np.bool_)
    # The first position adds up to 1, the second does not: neither decides.
    answers = np.array([[0.25, 0.25, 0.5], [1.0, 0.5, 0.5]])
    found = probabilities(answers, legal, Head("p", (3,), activation, "policy").policy_range)
    weights = np.exp(answers) if rows == "logits" else answers
    assert found == pytest.approx(weights / weights.sum(axis=1, keepdims=True))


def test_logits_are_soft_maxed_and_probabilities_divided_over_legal_moves() -> None:
    legal = np.array([[True, True, False]])
    assert probabilities(np.array([[0.0, np.log(3.0), 5.0]]), legal, "logits")[0] == pytest.approx([0.25, 0.75, 0.0])
    assert probabilities(np.array([[0.1, 0.3, 0.6]]), legal, "probabilities")[0] == pytest.approx([0.25, 0.75, 0.0])


def test_probabilities_that_sum_to_nothing_are_uniform_over_legal_moves() -> None:
    legal = np.array([[True, False, True]])
    assert probabilities(np.zeros((1, 3)), legal, "probabilities")[0] == pytest.approx([0.5, 0.0, 0.5])


def test_kl_is_that_of_the_two_distributions() -> None:
    result = moves([[0.25, 0.75]], [[0.5, 0.5]], kind="probabilities")
    assert result.kl == pytest.approx(0.5 * np.log(2.0) + 0.5 * np.log(0.5 / 0.75))
    assert result.probability == pytest.approx(0.25)


def test_the_distance_is_the_largest_scaled_error() -> None:
    assert distance(np.array([1.0, 3.0]), np.array([1.0, 2.0])) == pytest.approx(0.5)


def test_independent_scores_are_compared_as_they_are() -> None:
    # Two win ratios that are all but 0: divided by their sum they would be chances of 0.1 and 0.9.
    head = Head("p", (3,), "sigmoid", "policy", "policy_head")
    expected, answer = np.array([[1e-9, 9e-9, 0.5]]), np.array([[2e-8, 0.0, 0.5]])
    legal, rules = np.array([[True, True, False]]), policy_rule(expected, expected, None, "scores")
    result = compare_head(head, answer, expected, 0.0, legal, rules)
    assert result.passed
    assert result.policy is not None
    assert (result.policy.best_move, result.policy.ties) == (1.0, 1)
    assert (result.policy.probability, result.policy.kl) == (None, None)
    truth = np.array([[0.2, 0.21, 0.5]])
    wrong = compare_head(
        head, np.array([[0.22, 0.21, 0.5]]), truth, 0.0, legal, policy_rule(truth, truth, None, "scores")
    )
    assert [clause.split(" by")[0].split(" in")[0] for clause in wrong.problems] == ["differs", "keeps the best move"]
