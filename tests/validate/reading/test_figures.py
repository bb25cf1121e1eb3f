"""The figures of a reading: what a network that knows the game finds, if it is shown the board as it sees it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from azx.games.game import Reading
from azx.games.known.recognition import from_description
from azx.games.rules.tictactoe import LINES
from azx.validate.reading.figures import Figures, Measurement, best_of, key_of, measure


def tictactoe(planes: str, value: str = "mover") -> Reading:
    described = {"game": "tictactoe", "board": [3, 3], "layout": "flat", "planes": [planes], "value": value}
    return from_description({**described, "actions": "cell"}, [(9,)], 9)


def knowing(boards: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
    """Wins where +1 can, else blocks; the value is +1 if +1 wins at once, -1 if it cannot and -1 would, else 0."""

    def wins(board: NDArray[np.float32], mark: int) -> list[int]:
        mine = sum(1 << at for at in range(9) if board[at] == mark)
        return [at for at in range(9) if not board[at] and any((mine | 1 << at) & line == line for line in LINES)]

    policy, value = np.zeros((len(boards), 9)), np.zeros((len(boards), 1))
    for row, board in enumerate(boards):
        own, other = wins(board, 1), wins(board, -1)
        policy[row] = -np.abs(board)
        policy[row, (own or other or [4])[0]] += 2
        value[row] = 1 if own else -1 if other else 0
    return {"policy": policy, "value": value}


def figures_of(reading: Reading) -> Figures:
    known: dict[str, Measurement] = {}
    assert measure([reading], knowing, ["policy", "value"], known)
    found = best_of([reading], known)
    assert found is not None
    return found


def test_who_sees_the_board_as_it_is_finds_everything() -> None:
    found = figures_of(tictactoe("signed"))
    assert (found.wins, found.blocks, found.both, found.legal, found.values) == (1, 1, 1, 1, 1)
    assert found.chance is not None
    assert 0.1 < found.chance < 0.5


def test_with_the_colours_exchanged_a_block_is_taken_for_a_win() -> None:
    found = figures_of(tictactoe("signed_opponent"))
    assert found.wins is not None
    assert found.wins > 0.5
    assert (found.blocks, found.both) == (1, 0)
    assert found.values is not None
    assert found.values < 0.5


@pytest.mark.parametrize(
    ("whose", "least", "most"), [("opponent", 0, 0), ("player0", 0.3, 0.7), ("unknown", None, None)]
)
def test_whose_value_it_is_changes_the_values_alone(whose: str, least: float | None, most: float | None) -> None:
    usual, other = figures_of(tictactoe("signed")), figures_of(tictactoe("signed", whose))
    assert replace(other, values=None) == replace(usual, values=None)
    if other.values is None or least is None or most is None:
        assert other.values is None
        assert least is None
    else:
        assert least <= other.values <= most


@pytest.mark.usefixtures("no_stored_positions")
def test_boards_without_stored_positions_have_drawn_ones() -> None:
    described = {"game": "connect4", "board": [5, 6], "layout": "sum", "planes": ["signed"]}
    reading = from_description({**described, "actions": "column"}, [(5, 6)], 6)
    known: dict[str, Measurement] = {}
    assert measure([reading], lambda boards: {"policy": np.zeros((len(boards), 6))}, ["policy"], known)
    found = best_of([reading], known)
    assert found is not None
    assert (found.both, found.values) == (None, None)
    assert found.wins is not None
    assert found.wins < 0.8


def test_of_go_the_larger_side_has_the_higher_value() -> None:
    described = {"game": "go", "board": [5, 5], "layout": "channels_first", "planes": ["mover", "opponent"]}

    def counting(boards: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
        """Whose stones lie nearer to the middle, column by column and row by row: that player has more."""
        middle = np.abs(np.arange(5) - 2)
        distance = [
            np.minimum((plane @ middle).sum(-1), (plane.swapaxes(1, 2) @ middle).sum(-1))
            for plane in (boards[:, 0], boards[:, 1])
        ]
        return {
            "policy": np.pad(-boards.sum(1).reshape(len(boards), -1), ((0, 0), (0, 1)), constant_values=-2),
            "value": (distance[1] - distance[0])[:, None],
        }

    shares = {}
    for whose in ("mover", "opponent"):
        reading = from_description({**described, "value": whose, "actions": "point"}, [(2, 5, 5)], 26)
        known: dict[str, Measurement] = {}
        assert measure([reading], counting, ["policy", "value"], known)
        found = best_of([reading], known)
        assert found is not None
        assert (found.wins, found.chance, found.legal) == (None, None, 1)
        shares[whose] = found.values
    assert shares == {"mover": 1, "opponent": 0}


def test_a_game_without_tactics_has_no_figures_and_that_a_network_is_too_large_is_said() -> None:
    boxes = from_description(
        {
            "game": "dots_and_boxes",
            "board": [7, 4],
            "layout": "sum",
            "planes": ["edges", "mover_boxes", "opponent_boxes", "must_pass"],
        },
        [(7, 4)],
        25,
    )
    known: dict[str, Measurement] = {}
    assert measure([boxes], knowing, ["policy"], known)
    assert best_of([boxes], known) is None
    assert not measure([tictactoe("signed")], knowing, ["policy"], known, boards=20)
    assert key_of(tictactoe("signed")) == key_of(tictactoe("signed", "player0"))
