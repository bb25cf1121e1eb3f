from __future__ import annotations

import itertools
import pickle
from typing import Any

import numpy as np
import pytest

from azx.errors import GameError
from azx.games.encoding import Encoding, encode
from azx.games.rules.gomoku import ENCODING, SIZES, Gomoku, start


def play(*labels: str, size: int = 15, rule: str = "freestyle") -> Gomoku:
    """The position after moves given as on the board's edge, H8."""
    state = start(size, rule)
    points = {state.label(point): point for point in range(state.actions)}
    for label in labels:
        state = state.apply(points[label])
    return state


def filled(rows: str, rule: str = "freestyle") -> Gomoku:
    """The position that X and O, drawn in equal or nearly equal number, are played to from the left and the top."""
    cells = rows.split()
    state = start(len(cells), rule)
    black, white = ([at for at, mark in enumerate("".join(cells)) if mark == colour] for colour in "XO")
    for turn in range(len(black) + len(white)):
        state = state.apply((white if turn % 2 else black).pop(0))
    return state


def grid(state: Gomoku) -> list[str]:
    """The rows as text, read from board_text."""
    size = state.size
    lines = state.board_text().splitlines()[:size]
    return ["".join(mark for mark in line[2:] if mark in "XO.") for line in lines]


def has_five(rows: list[str], mark: str) -> bool:
    """Brute force: every start, every direction, every step."""
    size = len(rows)
    steps = ((0, 1), (1, 0), (1, 1), (1, -1))
    for row, column, (down, right) in itertools.product(range(size), range(size), steps):
        cells = [(row + k * down, column + k * right) for k in range(5)]
        if all(0 <= r < size and 0 <= c < size and rows[r][c] == mark for r, c in cells):
            return True
    return False


@pytest.mark.parametrize("size", [5, 8, 15])
def test_random_games_end_exactly_when_brute_force_sees_five_or_a_full_board(size: int) -> None:
    rng = np.random.default_rng(size)
    results = set()
    for _ in range({5: 100, 8: 30, 15: 4}[size]):
        state = start(size)
        while True:
            rows = grid(state)
            won = [has_five(rows, "X"), has_five(rows, "O")]
            empty = [at for at, mark in enumerate("".join(rows)) if mark == "."]
            assert state.is_terminal == (any(won) or not empty)
            assert state.returns() == won[0] - won[1]
            assert list(state.legal_actions()) == ([] if state.is_terminal else empty)
            if state.is_terminal:
                break
            state = state.apply(int(rng.choice(state.legal_actions())))
        results.add(state.returns())
    assert results >= {5: {1.0, -1.0, 0.0}, 8: {1.0, -1.0}, 15: set()}[size]


@pytest.mark.parametrize("step", [1, 15, 16, 14], ids=["row", "column", "diagonal", "other diagonal"])
@pytest.mark.parametrize("last", range(5))
def test_five_in_a_row_win_whichever_stone_comes_last(step: int, last: int) -> None:
    line = [34 + k * step for k in range(5)]
    line.append(line.pop(last))
    state = start()
    for black, white in zip(line, (200, 203, 206, 209), strict=False):
        assert not state.is_terminal
        state = state.apply(black).apply(white)
    state = state.apply(line[-1])
    assert state.winner == 0
    assert state.returns() == 1
    assert state.legal_actions() == ()


def test_white_s_five_returns_minus_one() -> None:
    state = play("A1", "H8", "C1", "H9", "E1", "H10", "G1", "H11", "I1", "H12")
    assert state.winner == 1
    assert state.returns() == -1


@pytest.mark.parametrize("rule", ["freestyle", "renju"])
def test_four_and_a_gap_do_not_win_and_white_s_six_do(rule: str) -> None:
    state = play("A1", "C8", "C1", "D8", "E1", "E8", "A3", "G8", "C3", "H8", "E3", rule=rule)
    assert not state.is_terminal
    assert state.apply(7 * 15 + 5).winner == 1


def test_six_in_freestyle_win() -> None:
    assert play("C8", "A1", "D8", "C1", "E8", "E1", "G8", "G1", "H8", "I1", "F8").winner == 0


def test_lines_do_not_wrap_around_the_edge() -> None:
    # Numbers in steps of 1, 14 and 16, each across the left or the right edge.
    for line in ([12, 13, 14, 15, 16], [16, 30, 44, 58, 72], [12, 28, 44, 60, 76]):
        state = start()
        for black, white in zip(line, (204, 207, 210, 213, 216), strict=True):
            state = state.apply(black).apply(white)
        assert not state.is_terminal


def test_a_full_board_without_five_is_a_draw() -> None:
    state = filled("XXOXX OOXOO XXOXX OOXOO XXOXO")
    assert state.is_terminal
    assert state.winner is None
    assert state.returns() == 0
    assert state.legal_actions() == ()


def test_a_five_that_fills_the_board_wins() -> None:
    state = filled("XOOXO OXOOX XOXOO OOXOX XXXXX")
    assert state.mover.bit_count() + state.opponent.bit_count() == 25
    assert state.returns() == 1


@pytest.mark.parametrize("action", [-1, 225, 10**30, 112, True, False, "7", None, 1.0, np.True_, np.int64(-1)])
def test_an_illegal_action_is_refused_and_changes_nothing(action: Any) -> None:
    state = play("H8")
    with pytest.raises(GameError, match="is illegal here, choose action 0, 1, 2"):
        state.apply(action)
    assert state == play("H8")


def test_a_move_after_the_end_says_that_the_game_is_over() -> None:
    won = play("A1", "A3", "B1", "B3", "C1", "C3", "D1", "D3", "E1")
    with pytest.raises(GameError, match="action 7 is illegal here, the game is over"):
        won.apply(7)


def test_numpy_numbers_are_actions_and_become_ints() -> None:
    state = start().apply(np.int64(112)).apply(np.uint8(3))  # type: ignore[arg-type]
    assert state.recent == (3, 112)
    assert {type(point) for point in state.recent} == {int}


@pytest.mark.parametrize("size", [4, 20, 0, -15, 15.0, True, "15", None])
def test_a_size_that_no_board_has_is_refused(size: Any) -> None:
    with pytest.raises(GameError, match=f"size {size!r} is not possible, choose a number from 5 to 19"):
        start(size)


@pytest.mark.parametrize("rule", ["standard", "", None, 1])
def test_an_unknown_rule_is_refused(rule: Any) -> None:
    with pytest.raises(GameError, match=f"rule {rule!r} is unknown, use freestyle or renju"):
        start(15, rule)


@pytest.mark.parametrize("size", SIZES)
def test_every_size_begins_with_black_on_an_empty_board(size: int) -> None:
    state = start(size)
    assert (state.size, state.actions, state.to_move) == (size, size * size, 0)
    assert state.legal_actions() == tuple(range(size * size))
    assert state.encode().shape == start(size).encoding.shape == (size, size, 9)
    assert not state.encode()[..., :8].any()


def test_planes_are_both_players_stones_now_and_up_to_three_plies_ago() -> None:
    moves = ["H8", "I9", "G7", "J10", "F6", "K11", "A1"]
    state = play(*moves)
    assert state.to_move == 1
    tensor = state.encode()
    assert tensor.shape == (15, 15, 9)
    assert tensor.dtype == np.float32
    assert ENCODING.planes[:4] == ("mover", "mover@1", "mover@2", "mover@3")
    for ago in range(4):
        before = moves[: len(moves) - ago]
        assert stones(tensor[..., ago]) == set(before[1::2])
        assert stones(tensor[..., 4 + ago]) == set(before[0::2])
    assert not tensor[..., 8].any()


def stones(plane: Any) -> set[str]:
    return {start().label(15 * int(row) + int(column)) for row, column in np.argwhere(plane)}


def test_history_before_the_first_move_is_zeros_and_the_last_plane_tells_that_black_is_to_move() -> None:
    tensor = play("H8", "I9").encode()
    counts = [int(tensor[..., plane].sum()) for plane in range(9)]
    assert counts == [1, 1, 0, 0, 1, 0, 0, 0, 225]


def test_every_plane_of_random_games_is_that_of_the_position_so_many_plies_ago() -> None:
    rng = np.random.default_rng(7)
    states = [start(7)]
    while not states[-1].is_terminal:
        states.append(states[-1].apply(int(rng.choice(states[-1].legal_actions()))))
        for ago in range(1, 4):
            then = states[-1 - ago] if ago < len(states) else start(7)
            names = ("mover", "opponent") if ago % 2 == 0 else ("opponent", "mover")
            assert np.array_equal(states[-1].plane(f"mover@{ago}"), then.plane(names[0]))
            assert np.array_equal(states[-1].plane(f"opponent@{ago}"), then.plane(names[1]))


def test_a_signed_plane_has_both_players_stones() -> None:
    signed = encode(play("A15", "O1", "B15"), Encoding("sum", (15, 15), ("signed",)))
    assert signed.sum() == -1
    assert (signed[0, 0], signed[0, 1], signed[14, 14]) == (-1, -1, 1)


@pytest.mark.parametrize("name", ["kings", "mover@4", "mover@0", "mover@", "opponent@-1"])
def test_an_unknown_plane_is_refused(name: str) -> None:
    with pytest.raises(GameError, match=f"no plane '{name}', use mover, mover@1"):
        start().plane(name)


def test_labels_count_rows_from_the_bottom_and_leave_no_letter_out() -> None:
    state = start()
    assert [state.label(point) for point in (0, 14, 112, 7 * 15 + 8, 210, 224)] == [
        "A15",
        "O15",
        "H8",
        "I8",
        "A1",
        "O1",
    ]
    assert start(19).label(18) == "S19"
    for point in (-1, 225):
        with pytest.raises(GameError, match=f"action {point} is no point of this board, choose 0 to 224"):
            state.label(point)


def test_the_board_is_shown_with_its_coordinates_and_the_last_move_in_brackets() -> None:
    assert play("C3", "E5", "A1", size=5).board_text().splitlines() == [
        " 5 . . . . O",
        " 4 . . . . .",
        " 3 . . X . .",
        " 2 . . . . .",
        " 1[X]. . . .",
        "   A B C D E",
    ]
    assert play("C3", "E5", size=5).board_text().splitlines()[0] == " 5 . . . .[O]"
    assert "[" not in start(19).board_text()
    assert start(19).board_text().splitlines()[0].startswith("19 .")


@pytest.mark.parametrize("rule", ["freestyle", "renju"])
def test_a_position_survives_pickling(rule: str) -> None:
    state = play("H8", "I9", "G7", rule=rule)
    again = pickle.loads(pickle.dumps(state))  # noqa: S301
    assert again == state
    assert again.kind is state.kind
    assert again.legal_actions() == state.legal_actions()
