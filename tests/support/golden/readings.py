"""What the golden files say of other people's readings: boards flipped, transposed; values, policies."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from azx.games.encoding import MIXED, WHOSE, Encoding, SecondInput, encode, split_inputs
from azx.games.evaluator import Evaluation
from azx.games.game import Game, Settings
from azx.games.policy import LOGITS, policy_range
from azx.games.state import State, play_line
from azx.games.value import ORDER, ValueReading, range_of

from .cases import PLAYED, actions_of

# (number of a played game, ply). Go has a capture and a pass. Dots and Boxes adds 2 x 2 boxes, so that two sizes of
# board occur. Gomoku has 9 x 9 points, which make short files.
STATES: dict[str, tuple[tuple[int, int], ...]] = {
    "connect4": ((2, 0), (2, 1), (2, 6), (3, 9), (4, 17)),
    "tictactoe": ((2, 0), (3, 1), (4, 4), (5, 5)),
    "dots_and_boxes": ((0, 0), (0, 9), (1, 15), (4, 25), (8, 6), (8, 11), (9, 12)),
    "gomoku": ((3, 0), (3, 1), (3, 9), (3, 14)),
    "go": ((0, 0), (0, 1), (0, 4), (0, 13), (0, 17), (1, 60)),
    "reversi": ((5, 0), (5, 3), (5, 11), (8, 9), (8, 20)),
    "hex": ((7, 0), (7, 1), (7, 2), (7, 5), (7, 8)),
}
COLOURS = ("player0", "player1", "last")
BOTH = ("mover", "opponent")
INTERLEAVED = ("mover", "opponent", "mover@1", "opponent@1", "mover@2", "opponent@2", "player0_to_move")
ABSOLUTE_HISTORY = ("player0", "player1", "player0@1", "player1@1", "player0@3", "player1@3")
BOXES = ("edges", "last", "mover_boxes", "opponent_boxes", "must_pass")
TOLERANCE = 1e-9


def readings(game: Game) -> dict[str, Any]:
    """States, given by the actions that lead to them, and their tensors under encodings that use each member."""
    cases = []
    for number, ply in STATES[game.name]:
        played = PLAYED[game.name][number]
        actions = list(actions_of(game, played))[:ply]
        state = play_line(game.begin(played.settings), actions)
        encodings = list(_encodings(game.name, state.board))
        # From the fourth ply on, before which planes of earlier plies are much alike: these files are large.
        encodings += [one for one in _ways(game, state.board) if one not in encodings] if len(actions) >= 4 else []
        cases += [_read(played.settings, actions, state, one) for one in encodings]
    return {"game": game.name, "states": cases}


def _read(settings: Settings, actions: list[int], state: State, encoding: Encoding) -> dict[str, Any]:
    tensor = encode(state, encoding)
    flat = [int(number) for number in tensor.reshape(-1)]
    about = {"settings": dict(settings), "actions": actions, "encoding": encoding.as_data()}
    return {**about, "shape": list(tensor.shape), "tensor": flat, **_inputs(tensor, encoding)}


def _inputs(tensor: NDArray[np.float32], encoding: Encoding) -> dict[str, Any]:
    """What each of several inputs reads of the tensor, flat."""
    if encoding.beside is None:
        return {}
    shapes = {str(number): shape for number, shape in enumerate(encoding.input_shapes)}
    return {"inputs": [part.ravel().astype(int).tolist() for part in split_inputs(tensor[None], shapes).values()]}


def _ways(game: Game, board: tuple[int, int]) -> Iterator[Encoding]:
    """The reference network's encoding of this board in every other way in which its networks are known to write it."""
    shape = next(shape for shape in game.shapes if shape.encodings[0].board == board)
    usual = shape.encodings[0]
    yield from (way.encoding(usual) for way in shape.conventions if way.encoding(usual) != usual)


def _encodings(name: str, board: tuple[int, int]) -> Iterator[Encoding]:
    """Encodings with each member alone and with all together, in every layout."""
    if name == "dots_and_boxes":
        yield Encoding("channels_first", board, ("edges", "last"), flip=True)
        yield Encoding("sum", board, BOXES[2:], transpose=True)
        yield Encoding("channels_last", board, BOXES, flip=True, transpose=True, value="player0")
        return
    yield Encoding("channels_first", board, BOTH, flip=True)
    yield Encoding("channels_last", board, (*BOTH, "last"), transpose=True)
    yield Encoding("flat", board, COLOURS, flip=True, transpose=True)
    yield Encoding("sum", board, ("signed",), flip=True)
    yield Encoding("channels_last", board, (*COLOURS, "player1_to_move"), value="player0")
    yield Encoding("cells", board, ("empty", "mover", "opponent"), transpose=True, value="opponent")
    yield Encoding("flat", board, ("codes_player0", "turn_player0"), flip=True, value="player1")
    yield Encoding("channels_first", board, tuple(MIXED), transpose=True)
    yield Encoding("channels_last", board, ("turn_player1", "signed_player1"))
    if name in ("connect4", "tictactoe"):
        cells = board[0] * board[1]
        yield Encoding("sum", board, ("signed_player0",), flip=True, beside=SecondInput(("turn_player0",)))
        yield Encoding("flat", board, ("codes_mover",), beside=SecondInput(("turn_player1",), cells, first=True))
        one_hot = SecondInput(("player1_to_move", "player0_to_move"))
        yield Encoding("channels_last", board, COLOURS[:2], transpose=True, value="player0", beside=one_hot)
    if name == "reversi":
        yield Encoding("channels_last", board, (*BOTH, "legal", "player0_to_move"), flip=True)
    if name == "hex":
        yield Encoding("sum", board, ("signed",), turned=True)
        yield Encoding("channels_first", board, BOTH, turned=True, flip=True)
        yield Encoding("channels_last", board, ("mover_joined", "opponent_joined", "last"), turned=True, transpose=True)
    if name in ("gomoku", "go"):
        yield Encoding("channels_last", board, INTERLEAVED, history="repeated")
        yield Encoding("channels_first", board, ABSOLUTE_HISTORY, flip=True, history="repeated", value="player0")


# (what the network ends with, what the manifest states, the order, the outputs)
VALUES: tuple[tuple[str, str | None, tuple[str, ...] | None, tuple[float, ...]], ...] = (
    ("tanh", None, None, (0.25,)),
    ("tanh", "signed", None, (-0.75,)),
    ("linear", None, None, (0.5,)),
    ("sigmoid", None, None, (0.75,)),
    ("hard_sigmoid", None, None, (0.0,)),
    ("sigmoid", "unit", None, (0.125,)),
    ("sigmoid", "signed", None, (0.75,)),
    ("linear", "unit", None, (0.625,)),
    ("unknown", "unit", None, (1.0,)),
    ("softmax", "wdl", ("win", "draw", "loss"), (0.5, 0.25, 0.25)),
    ("softmax", "wdl", ("loss", "draw", "win"), (0.5, 0.375, 0.125)),
    ("softmax", "wdl", ("draw", "win", "loss"), (0.5, 0.375, 0.125)),
    ("softmax", "wdl", None, (0.125, 0.25, 0.625)),
    ("linear", "wdl", ("win", "draw", "loss"), (2.0, 0.5, -1.0)),
    # The draw is neither in the middle nor between the two, and they differ: a wrong place shows.
    ("linear", "wdl", ("loss", "win", "draw"), (0.25, 1.0, -0.5)),
    ("linear", "wdl", ("win", "draw", "loss"), (1000.0, 999.0, 998.0)),
    ("unknown", "wdl", ("win", "draw", "loss"), (0.5, 0.25, 0.25)),
    ("unknown", "wdl", ("win", "draw", "loss"), (1.5, -0.5, 0.25)),
    ("sigmoid", "wdl", ("win", "loss", "draw"), (0.75, 0.5, 0.25)),
)


# (what the network ends with, what the manifest states)
POLICIES: tuple[tuple[str, str | None], ...] = (
    ("softmax", None),
    ("softmax", "probabilities"),
    ("sigmoid", None),
    ("hard_sigmoid", None),
    ("hard_sigmoid", "probabilities"),
    ("linear", None),
    ("relu", None),
    ("relu", "logits"),
    ("tanh", None),
    ("unknown", None),
    ("unknown", "logits"),
    ("unknown", "probabilities"),
)
# A network's numbers in three positions. The first add up to 1, which decides nothing.
ANSWERS = ((0.5, 0.25, 0.25, 0.0), (1.0, 1.0, 0.5, 0.25), (0.0, 3.0, 0.0, 1.0))
LEGAL = (0, 1, 3)


def policies() -> dict[str, Any]:
    """Policies' outputs in several positions of one network, and the priors of the legal moves by them."""
    cases = []
    for activation, stated in POLICIES:
        logits = (stated or policy_range(activation)) == LOGITS
        answers = [Evaluation(0.0, np.array(outputs), logits).priors(LEGAL) for outputs in ANSWERS]
        priors = [[round(float(prior), 12) for prior in answer] for answer in answers]
        told = {"activation": activation, "policy_range": stated, "logits": logits, "legal": list(LEGAL)}
        cases.append({**told, "outputs": [list(outputs) for outputs in ANSWERS], "priors": priors})
    return {"tolerance": TOLERANCE, "cases": cases}


def values() -> dict[str, Any]:
    """Value heads' outputs, and the value that the player to move has by them."""
    cases = []
    for activation, stated, order, outputs in VALUES:
        for whose, to_move in product(WHOSE, (0, 1)):
            kind = stated or range_of(len(outputs), activation)
            reading = ValueReading(activation, kind, order or ORDER, whose)
            value = round(float(reading.seen_by_mover(np.array([outputs]), [to_move])[0]), 12) + 0.0
            told = {"activation": activation, "value_range": stated, "order": list(order) if order else None}
            cases.append({**told, "whose": whose, "to_move": to_move, "outputs": list(outputs), "value": value})
    return {"tolerance": TOLERANCE, "cases": cases}
