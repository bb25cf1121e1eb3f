"""Each way to read a network has a name, is told in words, and makes a tensor that no other makes."""

from __future__ import annotations

import re

import numpy as np
import pytest

from azx.errors import GameError
from azx.games.encoding import encode
from azx.games.game import Reading
from azx.games.known.catalogue import GAMES
from azx.games.known.hypotheses import hypotheses, named
from azx.games.known.recognition import in_way, is_way, reading_from
from azx.games.random_play import generator, random_action
from azx.games.state import State

SHAPES = [
    ("connect4", (6, 7), 7, 16),
    ("connect4", (7, 6), 42, 16),
    ("connect4", (42,), 42, 32),
    ("connect4", (2, 6, 7), 7, 32),
    ("connect4", (6, 7, 3), None, 58),
    ("tictactoe", (9,), 9, 8),
    ("tictactoe", (27,), 9, 58),
    ("tictactoe", (3, 3, 3), 10, 58),
    ("gomoku", (9, 9, 4), 81, 16),
    ("gomoku", (15, 15, 9), 225, 1),
    ("hex", (7, 7), 49, 48),
    ("hex", (11, 11, 2), 121, 72),
    ("go", (9, 9, 17), 82, 4),
    ("dots_and_boxes", (7, 4), 25, 1),
]


def some_states(reading: Reading, count: int = 14) -> list[State]:
    rng, state = generator(3), reading.start()
    found = [state]
    while len(found) < count:
        state = reading.start() if state.is_terminal else state.apply(random_action(state, rng))
        found.append(state)
    return found


@pytest.mark.parametrize(("game", "shape", "width", "count"), SHAPES)
def test_readings_of_a_shape_have_names_and_differ(
    game: str, shape: tuple[int, ...], width: int | None, count: int
) -> None:
    every = hypotheses(GAMES[game], shape, width)
    assert len({one.name for one in every}) == len(every) >= count
    states = some_states(every[0].reading)
    drawn = [np.stack([encode(state, one.reading.encoding) for state in states]).tobytes() for one in every]
    moves = [one.reading.as_data()["actions"] for one in every]
    assert len({(tensor, str(numbers)) for tensor, numbers in zip(drawn, moves, strict=True)}) == len(every)
    for one in every:
        assert one.reading.encoding.shape == shape
        assert re.fullmatch(r"[a-z0-9-]+", one.name.removeprefix(game))
        assert is_way(one.name)
        assert in_way(one.name, [shape], width).as_data() == one.reading.as_data()
        assert "_" not in one.says


def test_the_usual_one_is_first() -> None:
    assert [hypotheses(GAMES[game], shape, width)[0].name for game, shape, width, _ in SHAPES] == [
        "connect4-signed",
        "connect4-signed-by-column",
        "connect4-signed",
        "connect4-mover-opponent",
        "connect4-mover-opponent-player0-to-move",
        "tictactoe-signed",
        "tictactoe-mover-opponent-player0-to-move",
        "tictactoe-mover-opponent-player0-to-move-channels-first",
        "gomoku-mover-opponent-last-player0-to-move",
        "gomoku-history-mover-player0-to-move",
        "hex-signed",
        "hex-mover-opponent",
        "go-mover-first",
        "dots_and_boxes-sum",
    ]


def test_a_name_goes_on_with_the_value() -> None:
    found = named(GAMES["tictactoe"], "tictactoe-codes-opponent-value-player0-loss-draw-win", [(9,)], 9)
    assert found is not None
    assert found.reading.encoding.planes == ("codes_opponent",)
    assert (found.reading.encoding.value, found.reading.value_order) == ("player0", ("loss", "draw", "win"))
    value = "the value is that of the player who began; its outputs are loss, draw, win"
    assert found.says == f"1 the opponent, 2 the player to move; {value}"


def test_the_moves_lie_where_the_input_has_their_cells() -> None:
    """A disc in the cell that a network answers lands there in its own input, whichever way it writes the board."""
    for one in hypotheses(GAMES["connect4"], (42,), 42):
        state = one.reading.start()
        assert one.reading.numbering is not None
        for action in state.legal_actions():
            before, after = (encode(each, one.reading.encoding) for each in (state, state.apply(action)))
            assert np.flatnonzero(before != after).tolist() == [one.reading.numbering.index(action)]
        again = reading_from(one.reading.as_data(), 42)
        assert again.legal(state).tolist() == one.reading.legal(state).tolist()


@pytest.mark.parametrize(
    ("name", "shape", "says"),
    [
        ("connect4-signed", (2, 6, 7), "choose connect4-mover-opponent or another name"),
        ("connect4-green", (42,), "choose connect4-signed or another name"),
        ("tictactoe-signed", (42,), r"\(42,\) cannot be read as tictactoe-signed: describe it with --encoding FILE"),
    ],
)
def test_a_name_that_does_not_fit_is_one_sentence(name: str, shape: tuple[int, ...], says: str) -> None:
    with pytest.raises(GameError, match=says):
        in_way(name, [shape], 7)


def test_a_file_s_name_is_no_way() -> None:
    assert not is_way("connect4-signed.json")
    assert not is_way("readings/connect4-signed")
    assert not is_way("chess-signed")
