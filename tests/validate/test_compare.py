"""Comparisons: what a player would feel, and that nothing passes unseen."""

from __future__ import annotations

import numpy as np
import pytest

from azx.export.checkpoint.head import Head
from azx.validate.compare import compare_head, compare_policy, distance, probabilities, scaled_errors

LIMIT = 1e-5


def compare(answer: list[list[float]], expected: list[list[float]], role: str = "value", **details: object):  # type: ignore[no-untyped-def]
    legal = details.get("legal")
    return compare_head(
        f"{role}_head",
        role,
        str(details.get("policy_range", "logits")),
        np.array(answer, np.float32),
        np.array(expected, np.float32),
        None if legal is None else np.array(legal, np.bool_),
        LIMIT,
        1e-6,
    )


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
    result = compare_head("value_head", "value", "logits", np.zeros((0, 1)), np.zeros((0, 1)), None, LIMIT, None)
    assert result.problems == ("nothing was compared",)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_nan_and_infinity_fail(bad: float) -> None:
    assert compare([[bad]], [[0.0]]).problems == ("answers NaN or infinity",)


def test_another_number_of_values_fails() -> None:
    assert "answers (2,) values" in compare([[0.0, 1.0]], [[0.0]]).problems[0]


def test_another_best_move_fails_even_where_every_error_is_small() -> None:
    result = compare_policy(
        np.array([[1.0, 1.2]]), np.array([[1.2, 1.0]]), np.ones((1, 2), np.bool_), "logits", limit=1e-3
    )
    assert result.best_move == 0.0
    assert result.ties == 0


def test_a_tie_within_the_tolerance_counts_as_the_same_move() -> None:
    result = compare_policy(
        np.array([[1.0, 1.000001]]), np.array([[1.000001, 1.0]]), np.ones((1, 2), np.bool_), "logits", limit=LIMIT
    )
    assert (result.best_move, result.ties) == (1.0, 1)


def test_an_illegal_move_is_never_the_best_one() -> None:
    legal = np.array([[True, True, False]])
    result = compare_policy(np.array([[0.0, 1.0, 9.0]]), np.array([[0.0, 1.0, -9.0]]), legal, "logits", LIMIT)
    assert result.best_move == 1.0
    assert result.probability == 0.0


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
    truth, other = np.array([[0.5, 0.5]]), np.array([[0.25, 0.75]])
    result = compare_policy(other, truth, np.ones((1, 2), np.bool_), "probabilities", LIMIT)
    assert result.kl == pytest.approx(0.5 * np.log(2.0) + 0.5 * np.log(0.5 / 0.75))
    assert result.probability == pytest.approx(0.25)


def test_the_distance_is_the_largest_scaled_error() -> None:
    assert distance(np.array([1.0, 3.0]), np.array([1.0, 2.0])) == pytest.approx(0.5)
