from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from azx.errors import GameError
from azx.games.rules.connect4 import STANDARD, Connect4, start


def playout(rng: np.random.Generator, rows: int = 6, columns: int = 7) -> list[Connect4]:
    """The states of one random game, the terminal one last."""
    states = [start(rows, columns)]
    while not states[-1].is_terminal:
        states.append(states[-1].apply(int(rng.choice(states[-1].legal_actions()))))
    return states


def grid(state: Connect4) -> list[str]:
    """The rows as text, read from board_text."""
    return [line.replace(" ", "") for line in state.board_text().splitlines()[:-1]]


def has_four(rows: list[str], mark: str) -> bool:
    """Brute force: every start, every direction, every step."""
    height, width = len(rows), len(rows[0])
    for row in range(height):
        for column in range(width):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + k * down, column + k * right) for k in range(4)]
                if all(0 <= r < height and 0 <= c < width and rows[r][c] == mark for r, c in cells):
                    return True
    return False


def drop(*columns: int) -> Connect4:
    state = Connect4()
    for column in columns:
        state = state.apply(state.landing(column))
    return state


def test_there_are_69_lines_of_four_cells() -> None:
    assert len(set(STANDARD.lines)) == 69
    assert {line.bit_count() for line in STANDARD.lines} == {4}


def test_random_games_end_exactly_when_brute_force_sees_four_or_a_full_board() -> None:
    rng = np.random.default_rng(3)
    results = set()
    for _ in range(300):
        for state in playout(rng):
            rows = grid(state)
            won = [has_four(rows, "X"), has_four(rows, "O")]
            full = not any("." in row for row in rows)
            assert state.is_terminal == (any(won) or full)
            assert state.returns() == won[0] - won[1]
        results.add(state.returns())
    assert results >= {1.0, -1.0}


@pytest.mark.parametrize(("rows", "columns"), [(4, 4), (4, 10), (5, 6), (7, 6), (8, 8), (10, 4), (10, 10)])
def test_a_game_on_another_board_is_what_brute_force_sees(rows: int, columns: int) -> None:
    rng = np.random.default_rng(rows * 100 + columns)
    for _ in range(20):
        for state in playout(rng, rows, columns):
            shown = grid(state)
            assert (len(shown), len(shown[0])) == state.board == (rows, columns)
            won = [has_four(shown, "X"), has_four(shown, "O")]
            assert state.is_terminal == (any(won) or not any("." in row for row in shown))
            assert state.returns() == won[0] - won[1]
            lowest = [max((r for r in range(rows) if shown[r][c] == "."), default=None) for c in range(columns)]
            open_ = sorted(row * columns + column for column, row in enumerate(lowest) if row is not None)
            assert list(state.legal_actions()) == ([] if state.is_terminal else open_)
            assert state.encode().shape == (2, rows, columns)


@pytest.mark.parametrize(("rows", "columns"), [(3, 7), (6, 11), (True, 7), (6.0, 7), (6, "7")])
def test_a_board_that_is_not_played_is_refused(rows: int, columns: int) -> None:
    with pytest.raises(
        GameError, match=r"^connect4: .* (rows|columns) are not played, choose a number from 4 to 10\.$"
    ):
        start(rows, columns)


def test_a_position_of_another_board_is_another_position_and_is_kept_with_its_board() -> None:
    assert start(7, 7) != start(7, 6)
    state = start(5, 8).apply(39)
    again = pickle.loads(pickle.dumps(state))  # noqa: S301 (our own)
    assert (again, again.last_action, again.board) == (state, 39, (5, 8))
    assert again.kind is state.kind


def test_a_full_board_without_four_is_a_draw() -> None:
    columns = [
        0,
        1,
        0,
        1,
        1,
        0,
        1,
        0,
        0,
        1,
        0,
        1,
        2,
        3,
        2,
        3,
        3,
        2,
        3,
        2,
        2,
        3,
        2,
        3,
        4,
        5,
        4,
        5,
        5,
        4,
        5,
        4,
        4,
        5,
        4,
        5,
    ]
    state = drop(*columns, 6, 6, 6, 6, 6, 6)
    assert state.is_terminal
    assert state.winner is None
    assert state.returns() == 0
    assert state.legal_actions() == ()


def test_legal_actions_are_the_lowest_empty_cells_ascending() -> None:
    assert Connect4().legal_actions() == tuple(range(35, 42))
    assert drop(3, 3, 0).legal_actions() == (24, 28, 36, 37, 39, 40, 41)
    assert drop(3, 3, 3, 3, 3, 3).legal_actions() == (35, 36, 37, 39, 40, 41)


def test_legal_actions_ascend_in_every_position_of_random_games() -> None:
    rng = np.random.default_rng(5)
    for state in (state for _ in range(50) for state in playout(rng)):
        rows = grid(state)
        lowest = [max((r for r in range(6) if rows[r][c] == "."), default=None) for c in range(7)]
        expected = sorted(7 * row + column for column, row in enumerate(lowest) if row is not None)
        assert list(state.legal_actions()) == ([] if state.is_terminal else expected)


def test_an_illegal_action_is_named_with_the_legal_ones_and_changes_nothing() -> None:
    state = drop(3)
    with pytest.raises(GameError, match=r"action 38 is illegal here, choose action 31, 35, 36, 37, 39, 40, 41"):
        state.apply(38)
    assert state == drop(3)


def test_a_move_after_the_end_says_that_the_game_is_over() -> None:
    won = drop(0, 1, 0, 1, 0, 1, 0)
    assert won.returns() == 1
    with pytest.raises(GameError, match="the game is over"):
        won.apply(37)


def test_a_full_column_takes_no_disc() -> None:
    with pytest.raises(GameError, match="column 3, choose column 0, 1, 2, 4, 5, 6"):
        drop(3, 3, 3, 3, 3, 3).landing(3)


def test_the_second_player_s_win_returns_minus_one() -> None:
    assert drop(0, 1, 0, 1, 0, 1, 2, 1).returns() == -1


def test_a_line_does_not_wrap_around_the_edge() -> None:
    # Cells 32, 33, 34 end one row and 35 begins the next: four numbers in a row, no line.
    state = Connect4(discs=(1 << 32 | 1 << 33 | 1 << 34, 1 << 39 | 1 << 40 | 1 << 41)).apply(35)
    assert not state.is_terminal


def test_planes_are_the_mover_s_then_the_opponent_s() -> None:
    tensor = drop(3, 0).apply(37).encode()
    assert tensor.shape == (2, 6, 7)
    assert tensor.dtype == np.float32
    assert np.argwhere(tensor[0]).tolist() == [[5, 0]]
    assert np.argwhere(tensor[1]).tolist() == [[5, 2], [5, 3]]


def test_an_unknown_plane_is_refused() -> None:
    with pytest.raises(GameError, match="no plane 'kings', use mover, opponent"):
        Connect4().plane("kings")


def test_the_board_is_shown_with_its_columns_numbers() -> None:
    assert drop(3, 3, 0).board_text().splitlines()[4:] == [". . . O . . .", "X . . X . . .", "0 1 2 3 4 5 6"]


def test_rules_agree_with_bitbully_on_random_games() -> None:
    bitbully = pytest.importorskip("bitbully")
    rng = np.random.default_rng(11)
    for _ in range(200):
        theirs, ours = bitbully.Board(), Connect4()
        while not ours.is_terminal:
            columns = sorted(action % 7 for action in ours.legal_actions())
            assert columns == sorted(theirs.legal_moves())
            column = int(rng.choice(columns))
            theirs.play(column)
            ours = ours.apply(ours.landing(column))
            assert ours.is_terminal == theirs.is_game_over()
        assert ours.returns() == {1: 1, 2: -1}.get(theirs.winner(), 0)


def test_legal_cells_are_those_of_the_recorded_positions(shared_data: Path) -> None:
    recorded = np.load(shared_data / "connect4_version0019.expected.npz")
    powers = [1 << cell for cell in range(42)]
    for board, legal in zip(recorded["main_input"], recorded["legal"], strict=True):
        own, other = (sum(p for p, disc in zip(powers, plane.ravel(), strict=True) if disc) for plane in board)
        state = Connect4(discs=(own, other) if int(board.sum()) % 2 == 0 else (other, own))
        assert list(state.legal_actions()) == np.flatnonzero(legal).tolist()
        assert np.array_equal(state.encode(), board)


@pytest.mark.parametrize(
    ("discs", "action", "code"),
    [([], 34, "not_lowest"), ([38], 38, "occupied"), ([38, 31, 24, 17, 10, 3], 3, "full"), ([], 42, "no_such_action")],
)
def test_a_disc_that_cannot_land_is_refused_by_its_reason(discs: list[int], action: int, code: str) -> None:
    state = Connect4()
    for disc in discs:
        state = state.apply(disc)
    refusal = state.why_illegal(action)
    assert refusal is not None
    assert refusal.code == code
