from __future__ import annotations

import numpy as np
import pytest

from azx.errors import GameError
from azx.games.value import ORDER, ValueReading, order_of, range_of, reading_of_value


@pytest.mark.parametrize(
    ("width", "activation", "found"),
    [
        (1, "tanh", "signed"),
        (1, "sigmoid", "unit"),
        (1, "unknown", "signed"),
        (3, "softmax", "wdl"),
        (3, "tanh", "wdl"),
    ],
)
def test_width_and_activation_tell_the_range_where_nothing_is_stated(width: int, activation: str, found: str) -> None:
    assert range_of(width, activation) == found
    assert reading_of_value(width, activation).range == found


def test_a_chance_to_win_is_stretched_unless_it_is_stated_to_be_signed() -> None:
    half = np.array([[0.75]])
    assert reading_of_value(1, "sigmoid").seen_by_mover(half, [1]).tolist() == [0.5]
    assert reading_of_value(1, "sigmoid", "signed").seen_by_mover(half, [1]).tolist() == [0.75]


def test_three_chances_are_the_win_less_the_loss_in_their_order() -> None:
    chances = np.array([[0.5, 0.25, 0.25]])
    assert reading_of_value(3, "softmax").seen_by_mover(chances, [0]).tolist() == [0.25]
    assert reading_of_value(3, "softmax", "wdl", ["draw", "loss", "win"]).seen_by_mover(chances, [0]).tolist() == [0.0]


def test_three_logits_are_soft_maxed_whatever_their_size() -> None:
    logits = np.array([[0.0, 0.0, 0.0], [1000.0, 0.0, 0.0]])
    assert reading_of_value(3, "linear").seen_by_mover(logits, [0, 0]).tolist() == [0.0, 1.0]


def test_what_is_not_known_to_be_chances_is_told_row_by_row() -> None:
    rows = np.array([[0.5, 0.25, 0.25], [3.0, 0.0, 0.0]])
    found = reading_of_value(3, "unknown").seen_by_mover(rows, [0, 0])
    assert found[0] == 0.25
    assert found[1] == pytest.approx((np.exp(3) - 1) / (np.exp(3) + 2))


def test_the_value_of_who_began_is_turned_for_the_other() -> None:
    reading = ValueReading("tanh", whose="player0")
    values = reading.seen_by_mover(np.array([[0.5], [0.5], [0.0]]), [0, 1, 1])
    assert values.tolist() == [0.5, -0.5, 0.0]
    assert not np.signbit(values[2])


def test_an_order_is_win_draw_and_loss_once_each() -> None:
    assert order_of(["loss", "draw", "win"]) == ("loss", "draw", "win")
    for wrong in (["win", "draw"], ["win", "win", "loss"], "win", [1, 2, 3], None):
        with pytest.raises(GameError, match="list win, draw and loss"):
            order_of(wrong)
    assert order_of(list(ORDER)) == ORDER


@pytest.mark.parametrize(("width", "stated"), [(2, None), (3, "unit"), (1, "wdl"), (1, "tall")])
def test_a_value_that_cannot_be_read_so_is_refused(width: int, stated: str | None) -> None:
    with pytest.raises(GameError, match=f"a value of {width} outputs cannot be read as"):
        reading_of_value(width, "linear", stated)
