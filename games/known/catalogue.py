"""The games that azx knows: one entry each, the reference network's encoding and numbering first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ..encoding import Encoding
from ..frontiers import FRONTIERS
from ..game import Convention, Game, Numbering, Shape, number_as_input
from ..rules import connect4, dots_and_boxes, go, gomoku, hex, reversi, tictactoe
from ..state import State
from ..symmetry import DIAGONALS, HALF_TURN, MIRROR, SQUARE
from ..tables import Board, shapes_of
from ..tactics import only_block, only_win

LAYOUTS = ("channels_last", "channels_first")
BLACK_AND_WHITE = ("black", "white")


def _with_layouts(encoding: Encoding) -> tuple[Encoding, ...]:
    """`encoding` first, then encodings of the same planes in the other layouts."""
    others = [Encoding(layout, encoding.board, encoding.planes) for layout in LAYOUTS if layout != encoding.layout]
    return (encoding, *others)


def _two_planes(board: tuple[int, ...]) -> tuple[Encoding, ...]:
    """The mover's pieces and the opponent's, as many networks read a board."""
    return _with_layouts(Encoding("channels_last", board, ("mover", "opponent")))


def _signed_encodings(board: tuple[int, ...]) -> tuple[Encoding, ...]:
    """One plane, +1 for the mover's pieces and -1 for the opponent's: (rows, columns), with or without a plane axis."""
    return _with_layouts(Encoding("sum", board, ("signed",)))


def _layouts_of(board: tuple[int, ...], most: int) -> tuple[Encoding, ...]:
    """Encodings of one to `most` planes in every layout, also transposed; only their shapes matter."""
    counts = [("mover",) * count for count in range(1, most + 1)]
    stacked = [Encoding(layout, board, planes) for layout in (*LAYOUTS, "flat") for planes in counts]
    straight = (Encoding("sum", board, counts[0]), *stacked)
    return (*straight, *(replace(encoding, transpose=True) for encoding in straight))


def _pair_shapes(
    encodings: Sequence[Encoding], numberings: Sequence[Numbering]
) -> frozenset[tuple[tuple[int, ...], int | None]]:
    """The shape of each encoding, paired with the width of each numbering."""
    return frozenset((encoding.shape, numbering.width) for encoding in encodings for numbering in numberings)


def _from_below(numbering: Numbering, board: tuple[int, ...]) -> Numbering:
    """Cells counted from the bottom row up; columns stay the same."""
    if numbering.name != "cell":
        return numbering
    return number_as_input(numbering, Encoding("sum", board, ("signed",), flip=True))


TOP_FIRST = Convention("connect4-top-first", "row 0 on top")
# Row 0 is the bottom row, as in github.com/Zeta36/connect4-alpha-zero and networks made after it (whose planes are the
# opponent's and the mover's).
BOTTOM_FIRST = Convention(
    "connect4-bottom-first", "row 0 at the bottom", lambda encoding: replace(encoding, flip=True), _from_below
)


def _game(name: str, start: Callable[..., State], shape: Callable[[Board], Shape], **more: Any) -> Game:
    """A game with the title and settings of its table, and a shape for each of the table's boards."""
    table = shapes_of(name)
    return Game(name, table.title, start, tuple(map(shape, table.boards)), table.settings, **more)


def _connect4_shape(board: Board) -> Shape:
    points, (cell, column) = board.encoding.board, board.numberings
    two, ways = _with_layouts(board.encoding), (TOP_FIRST, BOTTOM_FIRST)
    encodings = (*two, *_signed_encodings(points), Encoding("flat", points, ("signed",)))
    if board.encoding != connect4.ENCODING:
        # On another board, a policy with a move per cell may be any game's. A move per column means Connect4, except
        # on a square board or with one plane: that may be an image and its classes.
        telling = _pair_shapes(two, [column]) if points[0] != points[1] else frozenset()
        return Shape(board.settings, encodings, (cell, column), telling, ways)
    # No other game has 6 rows by 7 columns with 42 or 7 moves; its two planes identify it even without a policy.
    alone: frozenset[tuple[tuple[int, ...], int | None]] = frozenset((encoding.shape, None) for encoding in two)
    # Its settings are omitted, because older bundles of it had none before other boards existed.
    return Shape({}, encodings, (cell, column), _pair_shapes(_layouts_of(points, 3), (cell, column)) | alone, ways)


CONNECT4 = _game(
    "connect4",
    connect4.start,
    _connect4_shape,
    noun="column",
    sides=("red", "yellow"),
    turns=MIRROR,
    plies=(2, 6),
    tactics=(only_win, only_block),
    upright=True,
)


def _tictactoe_shape(board: Board) -> Shape:
    others = (*_signed_encodings(board.encoding.board), *_two_planes(board.encoding.board))
    # A board of 3x3 with a move per cell identifies the game. A vector of nine numbers does so only with nine moves,
    # not with tic-tac-toe's other numbering: a network with ten outputs may classify anything.
    every = _layouts_of(board.encoding.board, 3)
    flat = [encoding for encoding in every if encoding.layout == "flat"]
    telling = _pair_shapes([*others, *(one for one in every if one not in flat)], board.numberings)
    telling |= _pair_shapes(flat, board.numberings[:1])
    return Shape({}, (board.encoding, *others), board.numberings, telling)


TICTACTOE = _game(
    "tictactoe",
    tictactoe.TicTacToe,
    _tictactoe_shape,
    noun="cell",
    turns=SQUARE,
    plies=(0, 3),
    tactics=(only_win, only_block),
)


def _boxes_shape(board: Board) -> Shape:
    return Shape(board.settings, (board.encoding,), board.numberings, _pair_shapes([board.encoding], board.numberings))


DOTS_AND_BOXES = _game(
    "dots_and_boxes",
    dots_and_boxes.start,
    _boxes_shape,
    noun="edge",
    turns=SQUARE,
    plies=(2, 8),
)


def _shape_of_pieces(board: Board, telling: Encoding | None = None) -> Shape:
    """The reference network's planes, two planes, or one; the planes of `telling` identify the game."""
    points, reference = board.encoding.board, _with_layouts(board.encoding)
    encodings = (*reference, *_two_planes(points), *_signed_encodings(points))
    pairs = _pair_shapes(reference, board.numberings[:1]) if board.encoding == telling else frozenset()
    return Shape(board.settings, encodings, board.numberings, pairs)


GOMOKU = _game(
    "gomoku",
    gomoku.start,
    # Reversi, Hex, Go and many more use a square board with a move per cell. Only the reference network's nine planes
    # on its own board identify Gomoku.
    partial(_shape_of_pieces, telling=gomoku.ENCODING),
    noun="point",
    sides=BLACK_AND_WHITE,
    turns=SQUARE,
    plies=(2, 5),
    per_game=8,
    tactics=(only_win, only_block),
)


def _in_turn(encoding: Encoding) -> Encoding:
    """AlphaGo Zero's 17 planes, alternating between players: X(t), Y(t), X(t-1), Y(t-1), ..., then the colour."""
    if len(encoding.planes) != len(go.ENCODING.planes):
        return encoding
    *boards, colour = encoding.planes
    pairs = zip(boards[: go.HISTORY], boards[go.HISTORY :], strict=True)
    return replace(encoding, planes=(*(plane for pair in pairs for plane in pair), colour))


def _whites_turn(encoding: Encoding) -> Encoding:
    """The same planes, but the last one is all ones if white is to move instead of black."""
    planes = tuple("player1_to_move" if plane == "player0_to_move" else plane for plane in encoding.planes)
    return replace(encoding, planes=planes)


# D. Silver et al., Mastering the game of Go without human knowledge, Nature 550 (2017), alternates the boards and has
# ones for black; so do github.com/tensorflow/minigo and github.com/Tencent/PhoenixGo. Leela Zero has one player's eight
# boards, then the other's, and two planes of colour. github.com/Farama-Foundation/PettingZoo has ones for white.
GO_WAYS = (
    Convention("go-mover-first", "the mover's eight boards first"),
    Convention("go-interleaved", "both players' boards in turn", _in_turn),
    Convention("go-mover-first-white", "the mover's eight boards first, ones for white", _whites_turn),
    Convention(
        "go-interleaved-white",
        "both players' boards in turn, ones for white",
        lambda encoding: _whites_turn(_in_turn(encoding)),
    ),
)


def _go_shape(board: Board) -> Shape:
    reference = _with_layouts(board.encoding)
    # AlphaGo Zero's 17 planes identify Go; many games have one or two planes on a square board.
    encodings = (*reference, *_two_planes(board.encoding.board), *_signed_encodings(board.encoding.board))
    # 17 planes of 17 by 17 points have the same shape in two layouts; once the game is known, the layers decide.
    is_clear = len({encoding.shape for encoding in reference}) > 1
    telling = _pair_shapes(reference, board.numberings) if is_clear else frozenset()
    return Shape(board.settings, encodings, board.numberings, telling, GO_WAYS)


GO = _game(
    "go",
    go.start,
    _go_shape,
    noun="point",
    sides=BLACK_AND_WHITE,
    turns=SQUARE,
    plies=(2, 6),
    per_game=16,
    frontiers=FRONTIERS,
    must_tell=True,
)


REVERSI = _game(
    "reversi",
    reversi.start,
    # Many games have one to three planes on a square board; only a network's moves show that it plays Reversi.
    _shape_of_pieces,
    noun="point",
    sides=BLACK_AND_WHITE,
    turns=DIAGONALS,
    plies=(2, 8),
    per_game=4,
    legality=True,
)


HEX = _game(
    "hex",
    hex.start,
    # Many games have a square board with a move per cell; the reference network's six planes on its board identify Hex.
    partial(_shape_of_pieces, telling=hex.ENCODING),
    noun="hexagon",
    sides=("red", "blue"),
    turns=HALF_TURN,
    plies=(1, 4),
    per_game=4,
    tactics=(only_win, only_block),
    upright=True,
    sided=True,
)

GAMES = {
    game.name: game
    for game in (
        CONNECT4,
        TICTACTOE,
        DOTS_AND_BOXES,
        GOMOKU,
        GO,
        REVERSI,
        HEX,
    )
}


def title_of(name: str) -> str:
    """The title of the game of this name for people; an unknown name stays as it is."""
    return GAMES[name].title if name in GAMES else name
