from __future__ import annotations

import numpy as np
import pytest

from azx.export.errors import GameError
from azx.games.connect4 import Connect4
from azx.games.registry import by_name, read_as, recognise


@pytest.mark.parametrize(
    ("shape", "width", "actions", "layout"),
    [
        ((2, 6, 7), 42, "cell", "channels_first"),
        ((6, 7, 2), 42, "cell", "channels_last"),
        ((2, 6, 7), 7, "column", "channels_first"),
        ((6, 7, 2), 7, "column", "channels_last"),
        ((2, 6, 7), None, "none", "channels_first"),
    ],
)
def test_connect4_is_recognised_by_its_shapes(
    shape: tuple[int, ...], width: int | None, actions: str, layout: str
) -> None:
    found = recognise([shape], width)
    assert found is not None
    assert (found.game.name, found.actions, found.encoding.layout) == ("connect4", actions, layout)
    assert found.encoding.shape == shape


@pytest.mark.parametrize(
    ("shapes", "width"),
    [
        ([(2, 6, 7)], 43),
        ([(6, 7, 7)], 4),
        ([(2, 7, 7)], 1177),
        ([(3, 3, 1), (9,)], 9),
        ([(2, 6, 7), (2, 6, 7)], 42),
        ([], 42),
    ],
)
def test_other_networks_are_not_guessed_at(shapes: list[tuple[int, ...]], width: int) -> None:
    assert recognise(shapes, width) is None


def test_legal_masks_follow_the_policy_s_numbering() -> None:
    state = Connect4().apply(38)
    cells, columns = recognise([(2, 6, 7)], 42), recognise([(2, 6, 7)], 7)
    assert cells is not None
    assert columns is not None
    assert np.flatnonzero(cells.legal(state)).tolist() == [31, 35, 36, 37, 39, 40, 41]
    assert columns.legal(state).tolist() == [True] * 7
    for _ in range(5):
        state = state.apply(state.landing(3))
    assert np.flatnonzero(~columns.legal(state)).tolist() == [3]


def test_a_game_is_found_by_its_name() -> None:
    assert by_name("connect4").start() == Connect4()


def test_an_unknown_game_names_the_nearest_and_the_known_ones() -> None:
    with pytest.raises(GameError, match=r"game 'conect4' is unknown: did you mean connect4\? azx knows connect4"):
        by_name("conect4")
    with pytest.raises(GameError, match=r"game 'chess' is unknown: azx knows connect4"):
        by_name("chess")


def test_a_game_that_does_not_fit_says_what_would() -> None:
    with pytest.raises(
        GameError, match=r"take \(2, 6, 7\) or \(6, 7, 2\) and have 42 or 7 policy outputs, but this one takes"
    ):
        read_as(by_name("connect4"), [(6, 7, 7)], 4)
