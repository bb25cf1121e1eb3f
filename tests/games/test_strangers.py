"""What networks by other people may be called by their shapes: a game, one of several, or none that azx knows.

A game is told where nothing else in use has the shapes. All else is said as it is, with options that work.
"""

from __future__ import annotations

import contextlib
import re

import numpy as np
import pytest

from azx.errors import GameError
from azx.export.checkpoint.head import OTHER, POLICY, Head
from azx.export.graph.heads import recognise as recognise_heads
from azx.games.known.catalogue import GAMES
from azx.games.known.recognition import name_fits, read_as, recognise, ways

Shape = tuple[int, ...]
NONE = ""

# What it is, its input, its policy's width, the game that azx may say it is, else those that it may say would fit.
STRANGERS: list[tuple[str, Shape, int | None, str, str]] = [
    ("Reversi, a plane a player", (2, 8, 8), 64, NONE, "connect4 gomoku reversi hex"),
    ("Reversi with a pass", (8, 8, 2), 65, NONE, "gomoku go reversi"),
    ("Othello of alpha-zero-general", (6, 6), 37, NONE, "gomoku go reversi"),
    ("Othello 8 x 8, one plane", (8, 8, 1), 65, NONE, "gomoku go reversi"),
    ("Othello with a plane of legal moves", (8, 8, 3), 65, NONE, "gomoku reversi"),
    ("Hex", (11, 11, 2), 121, NONE, "gomoku hex"),
    ("Hex, three planes", (11, 11, 3), 121, NONE, "gomoku hex"),
    ("Hex 5 x 5, one plane", (5, 5), 25, NONE, "connect4 gomoku hex"),
    ("Hex as azx's own", (7, 7, 6), 49, "hex", NONE),
    ("chess, one position", (8, 8, 18), 4672, NONE, NONE),
    ("chess with history", (119, 8, 8), 4672, NONE, NONE),
    ("chess, a plane a piece", (8, 8, 12), 1968, NONE, NONE),
    ("checkers", (8, 8, 5), 512, NONE, NONE),
    ("checkers, four planes", (4, 8, 8), 256, NONE, NONE),
    ("Ataxx", (2, 7, 7), 1177, NONE, NONE),
    ("Breakthrough", (8, 8, 2), 768, NONE, NONE),
    ("Dots and Boxes 5 x 5", (11, 6), 61, "dots_and_boxes", NONE),
    ("Dots and Boxes without a pass", (7, 4), 24, NONE, NONE),
    ("Dots and Boxes larger than azx plays", (15, 8), 113, NONE, NONE),
    ("Dots and Boxes drawn on a grid", (7, 7, 1), 24, NONE, NONE),
    ("Go 9 x 9, 17 planes", (9, 9, 17), 82, "go", NONE),
    ("Go 13 x 13, 17 planes", (17, 13, 13), 170, "go", NONE),
    ("Go 19 x 19, 17 planes", (19, 19, 17), 362, "go", NONE),
    ("Go 17 x 17, 17 planes in either layout", (17, 17, 17), 290, NONE, "go"),
    ("Go, 17 planes and no pass", (19, 19, 17), 361, NONE, NONE),
    ("Go of Leela Zero, 18 planes", (18, 19, 19), 362, NONE, NONE),
    ("Go 7 x 7", (7, 7, 17), 50, "go", NONE),
    ("Go 5 x 5", (5, 5, 2), 26, NONE, "gomoku go"),
    ("Go 5 x 5, nine planes", (9, 5, 5), 26, NONE, "gomoku"),
    ("Go 6 x 6, one plane", (6, 6), 37, NONE, "gomoku go reversi"),
    ("Go, three planes", (9, 9, 3), 82, NONE, "gomoku"),
    ("Go, five planes", (5, 9, 9), 82, NONE, NONE),
    ("Go, eight planes", (9, 9, 8), 82, NONE, NONE),
    ("Go, two planes", (9, 9, 2), 82, NONE, "gomoku go"),
    ("Go, one plane", (19, 19), 362, NONE, "gomoku go"),
    ("Gomoku as azx's own", (15, 15, 9), 225, "gomoku", NONE),
    ("Gomoku, two planes", (15, 15, 2), 225, NONE, "gomoku"),
    ("Gomoku with last move and turn", (4, 8, 8), 64, NONE, "connect4 gomoku reversi hex"),
    ("Gomoku, 17 planes", (15, 15, 17), 225, NONE, NONE),
    ("Gomoku 9 x 9, 17 planes", (9, 9, 17), 81, NONE, NONE),
    ("Connect4, two planes", (6, 7, 2), 7, "connect4", NONE),
    ("Connect4, a move a cell", (2, 6, 7), 42, "connect4", NONE),
    ("Connect4, one plane", (6, 7, 1), 7, "connect4", NONE),
    ("Connect4, no plane axis", (6, 7), 7, "connect4", NONE),
    ("Connect4 with a plane of the turn", (3, 6, 7), 7, "connect4", NONE),
    ("Connect4 on its side", (7, 6, 2), 7, "connect4", NONE),
    ("Connect4 on its side, a move a cell", (7, 6, 2), 42, "connect4", NONE),
    ("Connect4 as one vector", (42,), 7, "connect4", NONE),
    ("Connect4 8 x 8", (8, 8, 2), 8, NONE, "connect4"),
    ("Connect4 5 x 6", (2, 5, 6), 6, "connect4", NONE),
    ("Connect4 5 x 6, a move a cell", (2, 5, 6), 30, NONE, "connect4"),
    ("Connect4 10 x 8, one plane", (10, 8), 8, NONE, "connect4"),
    ("digits and eight classes", (8, 8, 1), 8, NONE, "connect4"),
    ("battlesnake", (6, 7, 7), 4, NONE, NONE),
    ("tic-tac-toe", (3, 3), 9, "tictactoe", NONE),
    ("tic-tac-toe of alpha-zero-general", (3, 3), 10, "tictactoe", NONE),
    ("tic-tac-toe, two planes", (3, 3, 2), 9, "tictactoe", NONE),
    ("tic-tac-toe, three planes", (3, 3, 3), 9, "tictactoe", NONE),
    ("tic-tac-toe, one-hot cells", (27,), 9, "tictactoe", NONE),
    ("nine numbers, ten classes", (9,), 10, NONE, "tictactoe"),
    ("four numbers, two actions", (4,), 2, NONE, NONE),
    ("handwritten digits", (28, 28, 1), 10, NONE, NONE),
    ("a value of Connect4's two planes", (6, 7, 2), None, "connect4", NONE),
    ("a value of one plane of 6 x 7", (6, 7), None, NONE, NONE),
    ("a value of 8 x 8", (8, 8, 2), None, NONE, NONE),
    ("a value of nine numbers", (9,), None, NONE, NONE),
    ("a value of Go's planes", (9, 9, 17), None, NONE, NONE),
]


@pytest.mark.parametrize(
    ("shape", "width", "game", "fits"), [row[1:] for row in STRANGERS], ids=[r[0] for r in STRANGERS]
)
def test_a_stranger_is_called_what_it_can_only_be(shape: Shape, width: int | None, game: str, fits: str) -> None:
    found = recognise([shape], width)
    assert (found.game.name if found else NONE) == game
    if found:
        return
    said = name_fits([shape], width)
    if not fits:
        assert said is None or said.startswith(("its board and its ", "its shapes are Go's without a pass"))
        return
    titles = ", ".join(GAMES[name].title for name in fits.split())
    assert said is not None
    assert said.startswith(f"its shapes fit {titles} and other games: say ")
    assert re.findall(r"--game (\w+)", said) == fits.split()


@pytest.mark.parametrize(
    ("shape", "width", "says"),
    [
        ((9, 5, 5), 26, "its board and its 26 moves fit Go too, with other planes"),
        ((9, 9, 3), 82, "its board and its 82 moves fit Go too, with other planes"),
        ((9, 9, 5), 82, "its board and its 82 moves fit Gomoku, Go, but not its planes"),
        ((6, 6, 7), 6, "its board and its 6 moves fit Connect4, but not its planes"),
        ((3, 3, 5), 9, "its board and its 9 moves fit Tic-tac-toe, Hex, but not its planes"),
        ((7, 8, 8), 64, "its board and its 64 moves fit Connect4, Gomoku, Reversi, Hex, but not its planes"),
    ],
)
def test_a_board_whose_planes_are_unknown_names_the_games_that_are_played_on_it(
    shape: Shape, width: int, says: str
) -> None:
    said = name_fits([shape], width)
    assert said is not None
    assert says in said
    assert said.endswith("say what they are with `azx describe`")


@pytest.mark.parametrize(
    ("shape", "width", "says"),
    [
        ((19, 19, 17), 361, "its shapes are Go's without a pass, 361 moves, which azx cannot play: say --game none"),
        ((9, 9, 17), 81, "its shapes are Go's without a pass, 81 moves, which azx cannot play: say --game none"),
        ((15, 15, 9), 300, "perhaps an index into the legal moves, azx cannot play: say --game none"),
        ((7, 7, 6), 50, "perhaps an index into the legal moves, azx cannot play: say --game none"),
    ],
)
def test_moves_that_no_numbering_has_are_called_what_they_may_be(shape: Shape, width: int, says: str) -> None:
    assert (name_fits([shape], width) or "").endswith(says)


def test_a_known_shape_that_is_read_in_several_ways_is_not_known_by_its_shapes() -> None:
    """Which of them is another question, asked of the network."""
    several = {
        name for name, shape, width, game, _ in STRANGERS if game and (f := recognise([shape], width)) and ways(f)
    }
    assert {name.split()[0].rstrip(",") for name in several} == {"Go", "Connect4", "a"}


def _can_be_named(name: str, shape: Shape, width: int) -> bool:
    """Whether --game `name` is taken of a network whose layers say either layout."""
    for layout in ("channels_first", "channels_last"):
        with contextlib.suppress(GameError):
            return read_as(GAMES[name], [shape], width, layout).encoding.shape == shape
    return False


@pytest.mark.parametrize("seed", range(4))
def test_what_is_said_to_fit_can_be_named_and_nothing_else_can(seed: int) -> None:
    """Of 500 seeded shapes: --game takes exactly what `name_fits` names, and what is told is among it."""
    rng = np.random.default_rng(seed)
    for _ in range(500):
        rows, columns = int(rng.integers(3, 20)), int(rng.integers(3, 20))
        columns = rows if rng.random() < 0.6 else columns
        planes = int(rng.choice([1, 2, 3, 4, 5, 8, 9, 17, 18]))
        shapes: list[Shape] = [(rows, columns, planes), (planes, rows, columns), (rows, columns), (rows * columns,)]
        shape = shapes[int(rng.integers(4))]
        cells = rows * columns
        width = int(rng.choice([cells, cells + 1, columns, rows, 2 * cells, 2 * rows * (rows + 1) + 1]))
        said = re.findall(r"--game (?!none)(\w+)", name_fits([shape], width) or "")
        assert said == [name for name in GAMES if _can_be_named(name, shape, width)], (shape, width)
        told = recognise([shape], width)
        assert told is None or told.game.name in said


@pytest.mark.parametrize(("shape", "game"), [((6, 7, 2), "connect4"), ((3, 3), NONE), ((9,), NONE), ((8, 8, 2), NONE)])
def test_one_softmax_of_three_may_be_anything_and_no_policy(shape: Shape, game: str) -> None:
    (head,) = recognise_heads([Head("dense_4", (3,), "softmax")], "'net.h5'")
    assert head.role == OTHER
    found = recognise([shape], None)
    assert (found.game.name if found else NONE) == game
    assert name_fits([shape], None) is None


def test_a_softmax_of_seven_beside_a_result_is_the_policy() -> None:
    heads = recognise_heads([Head("a", (3,), "softmax"), Head("b", (7,), "softmax"), Head("c", (1,), "tanh")], "'x'")
    assert [head.source_name for head in heads if head.role == POLICY] == ["b"]


def test_two_boards_are_none_that_azx_plays() -> None:
    assert recognise([(6, 7, 2), (6, 7, 2)], 7) is None
    assert name_fits([(6, 7, 2), (7,)], 7) is None
