from __future__ import annotations

import numpy as np
import pytest

from azx.games.policy import LOGITS, PROBABILITIES, SCORES, measured_as, policy_range


@pytest.mark.parametrize(
    ("activation", "found"),
    [
        ("softmax", PROBABILITIES),
        ("sigmoid", PROBABILITIES),
        ("hard_sigmoid", PROBABILITIES),
        ("linear", LOGITS),
        ("relu", LOGITS),
        ("tanh", LOGITS),
        ("unknown", LOGITS),
    ],
)
def test_the_activation_decides(activation: str, found: str) -> None:
    assert policy_range(activation) == found


@pytest.mark.parametrize("activation", ["relu", "hard_sigmoid", "softmax", "linear"])
def test_no_answer_is_asked_where_the_activation_is_known(activation: str) -> None:
    sums_to_one, anything = np.array([[0.25, 0.75]]), np.array([[0.25, 3.0]])
    assert policy_range(activation, sums_to_one) == policy_range(activation, anything) == policy_range(activation)


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ([[0.25, 0.75], [1.0, 0.0]], PROBABILITIES),
        ([[0.25, 0.7505], [1.0, 0.0]], PROBABILITIES),
        ([[0.25, 0.75], [1.0, 0.5]], LOGITS),
        ([[0.25, 0.75], [1.5, -0.5]], LOGITS),
        ([], LOGITS),
    ],
)
def test_all_answers_together_decide_where_it_is_unknown(rows: list[list[float]], found: str) -> None:
    assert policy_range("unknown", np.array(rows)) == found


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ([[0.25, 0.75], [1.0, 0.0]], PROBABILITIES),
        ([[0.25, 0.75], [0.9, 0.8]], SCORES),  # one position that does not add up to 1 is enough
        ([[0.0, 0.0]], SCORES),
        ([], PROBABILITIES),
    ],
)
def test_probabilities_that_do_not_add_up_are_compared_as_scores(rows: list[list[float]], found: str) -> None:
    answers = np.array(rows, np.float64).reshape(len(rows), 2)
    assert measured_as(PROBABILITIES, answers) == found
    assert measured_as(LOGITS, answers) == LOGITS
