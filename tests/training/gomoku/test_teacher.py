from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("numba")

from azx.training.gomoku import data
from azx.training.gomoku.lines import (
    CENTRE,
    CLASS,
    DOUBLE_FOUR,
    DOUBLE_THREE,
    FOUR_THREE,
    QUIET,
    SINGLE_FOUR,
    SINGLE_THREE,
    SIZE,
    WINS,
    Board,
    board_of,
    lift,
    new_board,
    place,
)
from azx.training.gomoku.one_ply import choose, score_moves
from azx.training.gomoku.teacher import PROVED, WIN, answer
from azx.training.shards import write_arrays, write_shard

SIGNS = {".": 0, "X": 1, "O": 2, "?": 0}


def drawn(text: str, row: int = 4, column: int = 3) -> tuple[Board, list[int]]:
    """The board with the drawing put at a row and column, and the cells drawn as question marks."""
    stones, marked = np.zeros((SIZE, SIZE), np.int8), []
    for down, line in enumerate(text.split()):
        for right, sign in enumerate(line):
            stones[row + down, column + right] = SIGNS[sign]
            if sign == "?":
                marked.append((row + down) * SIZE + column + right)
    return board_of(stones.ravel()), marked


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("XXXX?", WINS),
        ("XX?XX", WINS),
        ("XXX?XXX", WINS),
        (".XXX?.", DOUBLE_FOUR),
        ("OXXX?.", SINGLE_FOUR),
        ("XX.X?", SINGLE_FOUR),
        ("X.XX?.XX", DOUBLE_FOUR),
        ("X.XX?X.X", DOUBLE_FOUR),
        ("..XX?..", SINGLE_THREE),
        (".X.X?..", SINGLE_THREE),
        ("OXX?...", QUIET),
        ("O.XX?.O", QUIET),
        ("OX.X?..O", QUIET),
        ("...XX?...\n......X..\n.......X.", DOUBLE_THREE),
        (".OXXX?....\n......X...\n.......X..", FOUR_THREE),
        (".OXXX?....\n......X...\n.......X..\n........X.", DOUBLE_FOUR),
    ],
)
def test_a_cell_has_the_class_of_what_a_stone_would_make_there(text: str, kind: int) -> None:
    board, (cell,) = drawn(text)
    assert CLASS[board.shapes[0, cell]] == kind


def test_the_edge_closes_a_line() -> None:
    open_board, (cell,) = drawn(".XXX?.", row=0, column=1)
    edge, (edge_cell,) = drawn("XXX?.", row=0, column=0)
    assert CLASS[open_board.shapes[0, cell]] == DOUBLE_FOUR
    assert CLASS[edge.shapes[0, edge_cell]] == SINGLE_FOUR


def test_a_board_kept_up_to_date_is_the_board_made_anew() -> None:
    rng = np.random.default_rng(5)
    board, placed = new_board(), list[int]()
    for _ in range(400):
        if placed and rng.random() < 0.4:
            lift(board, placed.pop(int(rng.integers(len(placed)))))
        else:
            placed.append(int(rng.choice(np.flatnonzero(board.stones == 0))))
            place(board, placed[-1], int(rng.integers(2)))
    fresh, empty = board_of(board.stones), board.stones == 0
    assert np.array_equal(board.shapes[:, empty], fresh.shapes[:, empty])
    for name in ("codes", "counts", "values", "near"):
        assert np.array_equal(getattr(board, name), getattr(fresh, name)), name


@pytest.mark.parametrize(
    ("text", "mover"),
    [
        ("OXXXX?\nOOOO..", 0),
        ("OXXXX?\n.O.O..", 1),
        ("..?XXX?..\n....OO...\n.O.......", 0),
        ("?XXX?.O..\n..O......", 1),
    ],
)
def test_the_one_ply_player_takes_a_win_and_stops_one(text: str, mover: int) -> None:
    board, marked = drawn(text)
    assert choose(board, mover, np.random.default_rng(0)) in marked


def test_the_one_ply_player_draws_among_equals_and_leaves_the_stones_alone() -> None:
    stones = np.zeros(SIZE * SIZE, np.int8)
    stones[CENTRE] = 1
    moves = {choose(board_of(stones), 1, np.random.default_rng(seed)) for seed in range(40)}
    best = score_moves(board_of(stones), 1)
    assert moves <= set(np.flatnonzero(best == best.max()).tolist())
    assert len(moves) > 1
    assert stones.sum() == 1


def test_the_one_ply_player_begins_in_the_centre() -> None:
    assert choose(new_board(), 0, np.random.default_rng(0)) == CENTRE


def play(board: Board, mover: int, plies: int) -> int:
    """Play on with the teacher on both sides; the winner, -1 where there is none in so many plies."""
    for _ in range(plies):
        action = answer(board, mover).action
        if CLASS[board.shapes[mover, action]] == WINS:
            return mover
        place(board, action, mover)
        mover = 1 - mover
    return -1


@pytest.mark.whole
@pytest.mark.parametrize(
    "text",
    [
        "XXXX?",
        "..XXX..",
        "OXXX....\n.....X..\n.....X..\n.....X..\n.....O..",
        "OXXX.....\n....OXXX.\n.......X.\n.......X.",
    ],
)
def test_the_teacher_sees_and_plays_a_win_by_fours(text: str) -> None:
    board, _ = drawn(text)
    assert answer(board, 0).score > PROVED
    assert play(board, 0, 12) == 0


def test_the_teacher_knows_a_lost_position() -> None:
    board, _ = drawn(".XXXX.\n..OO..")
    assert answer(board, 1).score < -PROVED


def test_the_teacher_leaves_the_board_as_it_was() -> None:
    board, _ = drawn("..XX...\n..OX...\n...OO..")
    before = {name: getattr(board, name).copy() for name in Board._fields}
    first, again = answer(board, 0), answer(board, 0)
    assert first == again
    for name, part in before.items():
        assert np.array_equal(getattr(board, name), part), name


def test_the_teacher_beats_the_one_ply_player() -> None:
    rng, won = np.random.default_rng(11), 0
    for number in range(12):
        board = data.board_after(data.fair_opening(rng))
        mover = int((board.stones > 0).sum()) % 2
        while (board.stones == 0).any():
            action = answer(board, mover).action if mover == number % 2 else choose(board, mover, rng)
            if CLASS[board.shapes[mover, action]] == WINS:
                won += mover == number % 2
                break
            place(board, action, mover)
            mover = 1 - mover
    assert won >= 10


def games(moves: list[int], best: list[int], scores: list[int], winner: int) -> data.Games:
    return data.Games(
        np.array([len(moves)], np.int16),
        np.array([winner], np.uint8),
        np.array(moves, np.uint8),
        np.array(best, np.uint8),
        np.array(scores, np.int16),
    )


def test_values_run_back_from_the_result_as_far_as_the_teachers_moves_were_played() -> None:
    values = games([3, 4, 5, 6], [data.NO_ADVICE, 9, 5, 6], [0, 0, 0, 0], winner=1).values()
    assert np.isnan(values[0])
    assert values[1:].tolist() == pytest.approx([0.0, -(data.LAMBDA**2), data.LAMBDA])


def test_a_proved_position_is_worth_its_result_whatever_followed() -> None:
    values = games([3, 4, 5], [3, 4, 5], [0, WIN - 5, 0], winner=data.DRAW).values()
    assert values.tolist() == pytest.approx([-data.LAMBDA, 1.0, 0.0])


def test_a_shard_is_the_same_each_time_and_its_games_are_legal() -> None:
    made, again = data.shard(3, 1, games=2), data.shard(3, 1, games=2)
    for start, length, winner in zip(made.starts, made.lengths, made.winners, strict=True):
        moves = made.moves[start : start + length].tolist()
        assert len(set(moves)) == length
        board, last = data.board_after(moves[:-1]), (length - 1) % 2
        assert (CLASS[board.shapes[last, moves[-1]]] == WINS) == (winner == last)
    assert all(np.array_equal(getattr(made, key), getattr(again, key)) for key in vars(made))


def test_shards_on_disk_come_back_in_order(tmp_path: Path) -> None:
    made = partial(write_arrays, lambda seed, number: games([number], [number], [seed], winner=2))
    for number in (1, 0):
        write_shard((replace(data.SHARDS, write=made), tmp_path, 7, number))
    loaded = data.load(tmp_path, 7, 3 * data.SHARD)
    assert loaded.moves.tolist() == [0, 1]
    assert loaded.scores.tolist() == [7, 7]
    assert len(loaded) == 2
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["seed7-00000.npz", "seed7-00001.npz"]
