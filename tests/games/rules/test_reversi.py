from __future__ import annotations

import pickle

import numpy as np
import pytest

from azx.errors import GameError
from azx.games.encoding import Encoding, encode
from azx.games.known.catalogue import GAMES
from azx.games.random_play import generator, random_action
from azx.games.review.known import DISCS, known_of
from azx.games.rules.reversi import ENCODING, Reversi, start
from azx.games.rules.reversi_end import MOST_EMPTY, solve_end
from azx.games.rules.reversi_kind import SIZES
from azx.games.state import Refusal

# Leaves of all lines of play from the start of 8 x 8; a pass is a ply.
PERFT = (4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288)
# D3 D4 B1 A3 A4 C1 A2 D2 D1 B4 C4 on 4 x 4, after which white can turn nothing.
STUCK = (11, 15, 1, 8, 12, 2, 4, 7, 3, 13, 14)
WIPEOUT = (44, 29, 20, 45, 38, 43, 52, 37, 34)
Board = list[list[int]]


def after(*actions: int, size: int = 8) -> Reversi:
    state = start(size)
    for action in actions:
        state = state.apply(action)
    return state


def perft(state: Reversi, plies: int) -> int:
    legal = state.legal_actions()
    return len(legal) if plies == 1 else sum(perft(state.apply(action), plies - 1) for action in legal)


def turned(board: Board, row: int, column: int, player: int) -> list[tuple[int, int]]:
    """Another implementation, by lists: the discs that a disc of `player` (1 or 2) there turns over."""
    found: list[tuple[int, int]] = []
    for down, right in ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)):
        line, r, c = [], row + down, column + right
        while 0 <= r < len(board) and 0 <= c < len(board) and board[r][c] == 3 - player:
            line.append((r, c))
            r, c = r + down, c + right
        if line and 0 <= r < len(board) and 0 <= c < len(board) and board[r][c] == player:
            found += line
    return found


def free(board: Board, player: int) -> list[int]:
    cells = range(len(board) ** 2)
    size = len(board)
    return [at for at in cells if not board[at // size][at % size] and turned(board, *divmod(at, size), player)]


def test_black_begins_with_discs_on_e4_and_d5() -> None:
    assert start().board_text().splitlines() == [
        " 1 . . . . . . . .   X 2",
        " 2 . . . . . . . .   O 2",
        " 3 . . . + . . . .",
        " 4 . . + O X . . .",
        " 5 . . . X O + . .",
        " 6 . . . . + . . .",
        " 7 . . . . . . . .",
        " 8 . . . . . . . .",
        "   A B C D E F G H",
    ]
    assert [start().label(action) for action in start().legal_actions()] == ["D3", "C4", "F5", "E6"]


@pytest.mark.parametrize("plies", range(1, 7))
def test_as_many_lines_of_play_exist_as_others_count(plies: int) -> None:
    assert perft(start(), plies) == PERFT[plies - 1]


@pytest.mark.whole
@pytest.mark.parametrize("plies", range(7, 10))
def test_as_many_long_lines_of_play_exist_as_others_count(plies: int) -> None:
    assert perft(start(), plies) == PERFT[plies - 1]


@pytest.mark.parametrize("size", SIZES)
def test_random_games_are_those_of_another_implementation(size: int) -> None:
    rng, low, high = generator(size), size // 2 - 1, size // 2
    for _ in range(20):
        board = [[0] * size for _ in range(size)]
        board[low][low] = board[high][high] = 2
        board[low][high] = board[high][low] = 1
        state, player = start(size), 1
        while not state.is_terminal:
            expected = free(board, player) or [size * size]
            assert list(state.legal_actions()) == expected
            assert state.must_pass == (expected == [size * size])
            action = random_action(state, rng)
            if action < size * size:
                row, column = divmod(action, size)
                for r, c in [*turned(board, row, column, player), (row, column)]:
                    board[r][c] = player
            state, player = state.apply(action), 3 - player
            discs = [sum(line.count(mark) for line in board) for mark in (1, 2)]
            assert list(state.scores) == discs
        assert not free(board, 1)
        assert not free(board, 2)
        assert state.returns() == np.sign(discs[0] - discs[1])
        assert state.score() == discs[0] - discs[1]


def test_who_can_turn_nothing_must_pass_and_says_so() -> None:
    stuck = after(*STUCK, size=4)
    assert (stuck.must_pass, stuck.legal_actions(), stuck.label(16)) == (True, (16,), "pass")
    assert stuck.why_illegal(0) == Refusal("must_pass")
    assert "O must pass" in stuck.board_text()
    over = stuck.apply(16).apply(0)
    assert (over.is_terminal, over.scores, over.returns(), over.margin()) == (True, (13, 3), 1.0, ", 13 discs to 3")
    assert over.legal_actions() == ()


def test_a_game_ends_early_if_nobody_can_turn_a_disc() -> None:
    over = after(*WIPEOUT)
    assert (over.is_terminal, over.scores, over.returns()) == (True, (13, 0), 1.0)
    assert over.why_illegal(0) == Refusal("over")


def test_a_refusal_says_why() -> None:
    state = after(19)
    assert [state.why_illegal(action) for action in (18, 19, 0, 64, 65)] == [
        None,
        Refusal("occupied"),
        Refusal("turns_nothing"),
        Refusal("no_pass"),
        Refusal("no_such_action"),
    ]
    assert Refusal("turns_nothing").text == "a disc there turns none over"


@pytest.mark.parametrize("action", [0, 64, 65, -1, 2**70, True, "3", None, [1]])
def test_an_illegal_action_is_named_with_the_legal_ones_and_changes_nothing(action: int) -> None:
    with pytest.raises(GameError, match=r"is illegal here, choose action 18, 20, 34\.$"):
        after(19).apply(action)


@pytest.mark.parametrize("size", [3, 5, 12, 0, True, 8.0, "8"])
def test_other_sizes_are_refused(size: int) -> None:
    with pytest.raises(GameError, match=r"is not played, choose one of 4, 6, 8, 10\.$"):
        start(size)


def test_networks_read_the_discs_and_where_one_may_go() -> None:
    state = after(19)
    tensor = state.encode()
    assert (tensor.shape, ENCODING.planes) == ((8, 8, 3), ("mover", "opponent", "legal"))
    assert tensor.dtype == np.float32
    assert [np.flatnonzero(tensor[..., plane]).tolist() for plane in range(3)] == [
        [28 + 8],
        [19, 27, 28, 35],
        [18, 20, 34],
    ]
    signed = encode(state, Encoding("sum", (8, 8), ("signed",)))
    assert (signed.sum(), signed[4, 4]) == (-3, 1)
    with pytest.raises(GameError, match="there is no plane 'kings', use mover, opponent, legal"):
        state.plane("kings")


def test_a_policy_has_a_move_a_cell_with_or_without_a_pass() -> None:
    shape = GAMES["reversi"].shapes[0]
    assert [(one.name, one.width) for one in shape.numberings] == [("cell", 64), ("cell_and_pass", 65)]
    assert {one.shape for one in shape.encodings} >= {(8, 8, 3), (8, 8, 2), (2, 8, 8), (8, 8), (8, 8, 1), (1, 8, 8)}


def test_positions_reached_in_other_orders_are_equal_and_travel() -> None:
    assert after(19, 18, 26) == pickle.loads(pickle.dumps(after(19, 18, 26)))  # noqa: S301
    assert after(19) != after(26)
    assert len({after(19), after(19), after(26)}) == 2


def best_by_trying_all(state: Reversi) -> int:
    """The mover's margin, without any cut."""
    if state.is_terminal:
        return state.score() * (1 - 2 * state.to_move)
    return max(-best_by_trying_all(state.apply(action)) for action in state.legal_actions())


@pytest.mark.parametrize("seed", range(6))
def test_the_end_of_a_game_is_solved(seed: int) -> None:
    state, rng = start(6), generator(seed)
    while not state.is_terminal and 36 - sum(state.scores) > 5:
        state = state.apply(random_action(state, rng))
    solved = solve_end(state)
    assert solved is not None
    assert solved.margin == best_by_trying_all(state)
    kept = [at for at in state.legal_actions() if -best_by_trying_all(state.apply(at)) == solved.margin]
    assert list(solved.best) == kept
    known = known_of(state)
    assert (known.margin, known.left, known.unit) == (solved.margin, solved.best, DISCS)


def test_what_is_far_from_the_end_is_not_solved() -> None:
    assert solve_end(start()) is None
    assert solve_end(after(*WIPEOUT)) is not None
    assert known_of(start()).margin is None
    assert MOST_EMPTY == 8
