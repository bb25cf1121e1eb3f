from __future__ import annotations

import numpy as np
import pytest

from azx.errors import GameError
from azx.games.rules.tictactoe import TicTacToe


def after(*actions: int) -> TicTacToe:
    state = TicTacToe()
    for action in actions:
        state = state.apply(action)
    return state


def has_three(cells: list[str], mark: str) -> bool:
    """Brute force on the nine cells as text."""
    rows = [cells[start : start + 3] for start in (0, 3, 6)]
    columns = [cells[start::3] for start in range(3)]
    return [mark] * 3 in [*rows, *columns, cells[0::4], cells[2:7:2]]


def every_position() -> set[TicTacToe]:
    found, open_ = {TicTacToe()}, [TicTacToe()]
    while open_:
        state = open_.pop()
        new = {state.apply(action) for action in state.legal_actions()} - found
        found |= new
        open_ += new
    return found


def test_there_are_5478_positions_958_of_them_at_the_end() -> None:
    found = every_position()
    assert len(found) == 5478
    results = [state.returns() for state in found if state.is_terminal]
    assert [results.count(result) for result in (1, -1, 0)] == [626, 316, 16]


def test_every_position_is_over_exactly_when_brute_force_sees_three_or_a_full_board() -> None:
    for state in every_position():
        cells = state.board_text().split()
        won = [has_three(cells, "X"), has_three(cells, "O")]
        empty = [int(cell) for cell in cells if cell not in "XO"]
        assert state.returns() == won[0] - won[1]
        assert state.is_terminal == (any(won) or not empty)
        assert list(state.legal_actions()) == ([] if state.is_terminal else empty)
        assert state.to_move == (9 - len(empty)) % 2


def test_the_board_shows_marks_and_the_numbers_of_empty_cells() -> None:
    assert after(4, 0, 8).board_text().splitlines() == ["O 1 2", "3 X 5", "6 7 X"]


def test_the_tensor_is_signed_by_who_is_to_move() -> None:
    state = after(0, 3, 4, 8, 5)
    assert state.encode().tolist() == [-1, 0, 0, 1, -1, -1, 0, 0, 1]
    assert state.encode().dtype == np.float32
    assert after(0, 3, 4, 8).encode().tolist() == [1, 0, 0, -1, 1, 0, 0, 0, -1]


def test_planes_are_the_mover_s_and_the_opponent_s_marks() -> None:
    state = after(0, 3, 4)
    assert np.argwhere(state.plane("mover")).tolist() == [[1, 0]]
    assert np.argwhere(state.plane("opponent")).tolist() == [[0, 0], [1, 1]]
    assert np.array_equal(state.plane("signed"), state.plane("mover") - state.plane("opponent"))


def test_an_unknown_plane_is_refused() -> None:
    with pytest.raises(GameError, match="no plane 'kings', use mover, opponent, signed"):
        TicTacToe().plane("kings")


@pytest.mark.parametrize("action", [4, -1, 9, 2**70, True, False, "3", None, [1]])
def test_an_illegal_action_is_named_with_the_legal_ones_and_changes_nothing(action: int) -> None:
    state = after(4, 0)
    with pytest.raises(GameError, match=r"is illegal here, choose action 1, 2, 3, 5, 6, 7, 8\.$"):
        state.apply(action)
    assert state == after(4, 0)


def test_a_move_after_the_end_says_that_the_game_is_over() -> None:
    with pytest.raises(GameError, match="action 8 is illegal here, the game is over"):
        after(0, 3, 1, 4, 2).apply(8)


def test_numpy_s_integers_are_actions_too() -> None:
    state = TicTacToe().apply(np.int64(4))  # type: ignore[arg-type]
    assert state == after(4)
    assert type(state.marks[0]) is int


def test_an_action_is_typed_as_its_number() -> None:
    assert TicTacToe().label(7) == "7"
