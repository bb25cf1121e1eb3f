"""A second input that says who is to move: found where the network's answers show it, and not said otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from azx.errors import GameError, Undecided
from azx.export.checkpoint.head import POLICY
from azx.games.encoding import Encoding, SecondInput, encode, split_inputs
from azx.games.game import Reading
from azx.games.known.catalogue import GAMES
from azx.games.known.hypotheses import hypotheses_of
from azx.games.known.recognition import candidates, from_description, in_way, makes_inputs, name_fits, recognise
from azx.games.symmetry import symmetries
from azx.statement import Degree
from azx.validate.positions import positions
from azx.validate.reading.probe import detect_encoding, without_detection

CELLS = 9
LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]]
NUMBER, ONE_HOT, PLANE = 1, 2, 9
Board = NDArray[np.float32]
# What a network sees of one position: the board and the second input, to the mover's pieces less the opponent's.
See = Callable[[Board, Board], Board]


def tactics(see: See) -> Callable[[Board], dict[str, NDArray[Any]]]:
    """Wins where it can, else blocks, by the board that it sees."""

    def answer(numbers: Board) -> Board:
        own = see(numbers[:CELLS], numbers[CELLS:])
        policy = np.where(own == 0, 1.0, 0.0)
        for mine, weight in ((-1, 10), (1, 100)):
            for line in LINES:
                sums = [own[cell] for cell in line]
                if sum(sums) == 2 * mine and 0 in sums:
                    policy[line[sums.index(0)]] += weight
        return policy.astype(np.float32)

    return lambda boards: {POLICY: np.stack([answer(board) for board in boards])}


def reading(beside: int) -> Reading:
    (found,) = [one for one in candidates([(CELLS,), (beside,)], CELLS) if one.game.name == "tictactoe"]
    return found


@pytest.mark.parametrize(
    ("beside", "see", "name"),
    [
        (NUMBER, lambda board, turn: board * turn[0], "tictactoe-signed-player0-beside-turn-player0"),
        (NUMBER, lambda board, turn: board * (1 - 2 * turn[0]), "tictactoe-signed-player0-beside-player1-to-move"),
        (
            ONE_HOT,
            lambda board, turn: board * (turn[0] - turn[1]),
            "tictactoe-signed-player0-beside-player0-to-move-player1-to-move",
        ),
        (PLANE, lambda board, turn: board * turn, "tictactoe-signed-player0-beside-turn-player0"),
    ],
)
def test_who_moves_is_found_in_the_second_input(beside: int, see: See, name: str) -> None:
    found = detect_encoding(reading(beside), tactics(see), {POLICY: CELLS}, assume=False)
    # With both colours exchanged it plays alike: either is true of it.
    alike = name.replace("player0", "player?").replace("player1", "player0").replace("player?", "player1")
    names = {one.name for one in hypotheses_of(found.game, [(CELLS,), (beside,)], CELLS) if one.reading == found}
    assert names <= {name, alike}
    assert names
    # Of the two nothing says which is its own, so that the other one is kept beside it.
    assert found.statement is not None
    assert found.statement.degree is Degree.ASSUMED
    assert name in found.statement.figures
    assert found.rivals


def test_a_second_input_that_changes_nothing_is_not_said_to_be_who_moves() -> None:
    network = tactics(lambda board, other: board)
    with pytest.raises(Undecided, match="say --encoding tictactoe-signed-beside-") as caught:
        detect_encoding(reading(NUMBER), network, {POLICY: CELLS}, assume=False)
    assert "it plays alike if read as tictactoe-signed-beside-" in caught.value.figures
    # Where its user says the game one is taken, and said to be assumed.
    assumed = detect_encoding(reading(NUMBER), network, {POLICY: CELLS})
    assert assumed.encoding.planes == ("signed",)
    assert assumed.statement is not None
    assert assumed.statement.degree is Degree.ASSUMED
    assert assumed.rivals
    assert all("beside" in name for name in assumed.rivals)


def test_a_second_input_of_legal_moves_or_of_anything_else_is_not_who_moves() -> None:
    def masked(boards: Board) -> dict[str, NDArray[Any]]:
        answers = tactics(lambda board, mask: board)(boards)
        return {POLICY: answers[POLICY] * boards[:, CELLS:]}

    rng = np.random.default_rng(3)
    kernel = rng.normal(size=(2 * CELLS, CELLS)).astype(np.float32)
    for network in (masked, lambda boards: {POLICY: boards @ kernel}):
        for assume in (True, False):
            with pytest.raises(Undecided):
                detect_encoding(reading(PLANE), network, {POLICY: CELLS}, assume=assume)


def test_shapes_alone_tell_no_game_of_two_inputs() -> None:
    assert recognise([(3, 3), (1,)], CELLS) is None
    assert "say --game tictactoe" in str(name_fits([(3, 3), (1,)], CELLS))
    assert hypotheses_of(GAMES["tictactoe"], [(3, 3), (4,)], CELLS) == ()
    assert hypotheses_of(GAMES["tictactoe"], [(3, 3), (1,), (1,)], CELLS) == ()
    assert hypotheses_of(GAMES["go"], [(9, 9, 17), (1,)], 82) == ()


@pytest.mark.parametrize(
    ("game", "shapes", "width"),
    [
        ("tictactoe", [(3, 3), (1,)], 9),
        ("tictactoe", [(2,), (3, 3, 2)], 9),
        ("connect4", [(6, 7, 1), (6, 7, 1)], 7),
        ("connect4", [(42,), (42,)], 7),
        ("gomoku", [(1,), (2, 15, 15)], 225),
    ],
)
def test_each_reading_has_a_name_and_a_tensor_of_its_own(
    game: str, shapes: Sequence[tuple[int, ...]], width: int
) -> None:
    every = hypotheses_of(GAMES[game], shapes, width)
    seen = set()
    states = [every[0].reading.start()]
    for action in (3, 4, 5):
        states.append(states[-1].apply(states[-1].legal_actions()[action % 3]))
    for one in every:
        assert makes_inputs(one.reading.encoding, shapes), one.name
        assert in_way(one.name, shapes, width) == one.reading
        tensors = np.stack([encode(state, one.reading.encoding) for state in states])
        parts = split_inputs(tensors, {str(at): shape for at, shape in enumerate(shapes)})
        assert [part.shape[1:] for part in parts.values()] == list(shapes)
        seen.add((tensors.tobytes(), str(one.reading.as_data()["actions"])))
    assert len(seen) == len(every) > 1


def test_the_inputs_of_one_size_have_a_name_for_either_order() -> None:
    first = in_way("connect4-signed-beside-turn-player0-first", [(6, 7, 1), (6, 7, 1)], 7).encoding
    assert first.beside == SecondInput(("turn_player0",), 42, first=True)
    assert first.input_shapes == ((6, 7, 1), (6, 7, 1))
    state = GAMES["connect4"].begin()
    assert encode(state.apply(38), first).tolist() == [-1] * 42 + [-float(cell == 38) for cell in range(42)]


def test_positions_are_split_over_the_inputs_and_turned_with_the_board() -> None:
    found = in_way("tictactoe-signed-player0-beside-turn-player0", [(3, 3), (1,)], CELLS)
    drawn = positions(found, {"board": (3, 3), "turn": (1,)}, 60)
    boards, turns = drawn.feeds["board"], drawn.feeds["turn"]
    assert (boards.shape[1:], turns.shape[1:]) == ((3, 3), (1,))
    assert turns.ravel().tolist() == [1 if board.sum() == 0 else -1 for board in boards]
    rows = [
        (np.array([*board.ravel(), *turn]), np.ones(CELLS, bool)) for board, turn in zip(boards, turns, strict=True)
    ]
    again = drawn.first(1).followed_by(rows[1:], (), "again")
    assert all(np.array_equal(again.feeds[name], drawn.feeds[name]) for name in drawn.feeds)
    (turned,) = symmetries([(1, False)], found.encoding, CELLS)
    tensor = np.array([*boards[7].ravel(), 5])
    assert tensor[turned.cells].tolist() == [*np.rot90(boards[7]).ravel(), 5]


def test_a_description_has_it_and_is_refused_where_it_does_not_fit() -> None:
    told = {"game": "tictactoe", "layout": "sum", "board": [3, 3], "planes": ["signed"]}
    beside = {**told, "beside": {"planes": ["turn_player0"]}}
    found = from_description(beside, [(3, 3), (1,)], CELLS)
    assert found.as_data()["encoding"] == {name: value for name, value in beside.items() if name != "game"}
    assert found.line == "input: 9 numbers, 3 x 3; beside it turn_player0; +1 player to move, -1 opponent"
    for data, shapes, said in (
        (beside, [(1,), (3, 3)], r"an input of shape \(3, 3\), \(1,\), but the network takes \(1,\), \(3, 3\)"),
        (beside, [(3, 3)], r"an input of shape \(3, 3\), \(1,\), but the network takes \(3, 3\)"),
        (told, [(3, 3), (1,)], r"an input of shape \(3, 3\), but the network takes \(3, 3\), \(1,\)"),
        ({**told, "beside": {"planes": ["mover"]}}, [(3, 3), (1,)], "beside: 'mover' is unknown, use one of ones,"),
        ({**told, "beside": {"planes": []}}, [(3, 3), (1,)], "beside: 'planes' is empty"),
        ({**told, "beside": {"planes": ["ones"], "cells": 4}}, [(3, 3), (4,)], "'cells' is 4, give 1 or the board's 9"),
        ({**told, "beside": 5}, [(3, 3), (1,)], "'beside' is 5, give its planes as a list"),
        ({**told, "beside": {"planes": ["ones"], "first": 1}}, [(3, 3), (1,)], "'first' is 1, give true or false"),
    ):
        with pytest.raises(GameError, match=said):
            from_description(data, shapes, CELLS)
    assert Encoding("flat", (3, 3), ("signed",), beside=SecondInput(("ones",))).shape == (10,)


def test_what_is_not_known_names_the_readings_of_both_inputs() -> None:
    with pytest.raises(Undecided, match="say --encoding tictactoe-signed-beside-player0-to-move or "):
        without_detection(reading(NUMBER), "nobody asked it")
