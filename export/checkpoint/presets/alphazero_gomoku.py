"""The networks of AlphaZero_Gomoku (junxiaosong) and of its many successors, from the shapes of their weights.

They have three convolutions of 3x3, then one of 1x1 and a dense layer for the policy, one of 1x1 and two dense layers
for the value; relu follows each except the last. A later version has residual blocks of two convolutions, `res_conv1`
and so on, after the first two. The versions in Theano and Lasagne, PyTorch, TensorFlow and Keras all have planes first;
TensorFlow's transposes them and flattens with channels last.

Its `board.current_state()` has four planes: the mover's stones, the opponent's, the last move, and ones if the number
of stones is even. It returns `square_state[:, ::-1, :]`, rows upside down, while move m stays row m // width.
"""

from __future__ import annotations

from typing import Any

from ..preset_spelling import Architecture, Network, StoredLayers, shape_of
from ..stored import Board, StoredLayer

NAME = "alphazero-gomoku"
_PLANES = ("mover", "opponent", "last", "player0_to_move")
_CONVOLUTIONS, _ENDS, _DENSE = 3, 2, 3
# The names of the two convolutions in a residual block, which one later version has after the first two.
_RESIDUAL = "res_conv"


def architecture(stored: StoredLayers, board: Board | None) -> Architecture:
    """{"class_name", "config"}; CheckpointError, which names the layer, if the weights belong to another network."""
    stored.check_kinds("Conv2D", "Dense")
    convs, dense = stored.of("Conv2D"), stored.of("Dense")
    trunk = [conv for conv in convs if shape_of(conv)[:2] != (1, 1)]
    ends = [conv for conv in convs if shape_of(conv)[:2] == (1, 1)]
    inner = [conv for conv in trunk if conv.name.startswith(_RESIDUAL)]
    if (len(trunk) - len(inner), len(ends), len(dense)) != (_CONVOLUTIONS, _ENDS, _DENSE):
        raise stored.error(
            f"it has {len(trunk)} convolutions, {len(ends)} of 1x1 and {len(dense)} dense layers, and the family 3, 2 "
            "and 3"
        )
    planes = channels = shape_of(trunk[0])[2]
    for conv in trunk:
        stored.check(conv, (3, 3, channels, channels if conv in inner else None))
        channels = shape_of(conv)[3]
    (policy_conv, policy), (value_conv, hidden), value = _heads(stored, ends, dense)
    for conv in ends:
        stored.check(conv, (1, 1, channels, None))
    cells = shape_of(policy)[1]
    size = stored.square_board(cells, board)
    made, first = Network("alphazero_gomoku"), stored.dialect.first
    layout = "channels_first" if first else "channels_last"
    x = door = made.door((planes, *size))
    if not first:
        x = made.add("Permute", "planes_last", [(x, 0)], dims=[2, 3, 1])
    for block in _blocks(stored, trunk):
        before = x
        for conv in block[:-1]:
            x = made.relu(made.conv(conv, x, "same", layout))
        x = made.conv(block[-1], x, "same", layout)
        x = made.relu(x if len(block) == 1 else made.add("Add", f"{x}_sum", [(x, 0), (before, 0)]))
    flat = [made.flatten(made.relu(made.conv(conv, x, "same", layout))) for conv in (policy_conv, value_conv)]
    moves = made.dense(policy, flat[0], stored.dialect.policy)
    worth = made.dense(value, made.relu(made.dense(hidden, flat[1])), "tanh")
    return made.model([door], [moves, worth], stored.layers)


def reading(architecture: Architecture) -> dict[str, Any] | None:
    """How the family's code encodes a board, in the form of an --encoding file; None for other planes."""
    planes, rows, columns = architecture["config"]["layers"][0]["config"]["batch_input_shape"][1:]
    game = {3: "tictactoe"}.get(rows, "gomoku" if rows > 4 else None)
    if planes != len(_PLANES) or game is None:
        return None
    settings = {"settings": {"size": rows}} if game == "gomoku" else {}
    how = {"layout": "channels_first", "board": [rows, columns], "planes": list(_PLANES), "flip": True}
    return {"game": game, **settings, **how, "actions": "cell"}


def _blocks(stored: StoredLayers, trunk: list[StoredLayer]) -> list[list[StoredLayer]]:
    """The convolutions one by one, and those of a residual block in pairs, in the file's order."""
    blocks: list[list[StoredLayer]] = []
    for conv in trunk:
        joins = bool(blocks) and len(blocks[-1]) == 1 and blocks[-1][0].name.startswith(_RESIDUAL)
        if not conv.name.startswith(_RESIDUAL):
            blocks.append([conv])
        elif joins:
            blocks[-1].append(conv)
        else:
            blocks.append([conv])
    odd = next((block[0] for block in blocks if block[0].name.startswith(_RESIDUAL) and len(block) == 1), None)
    if odd is not None:
        raise stored.misfit(odd, "is half of a residual block")
    return blocks


def _heads(
    stored: StoredLayers, ends: list[StoredLayer], dense: list[StoredLayer]
) -> tuple[tuple[StoredLayer, StoredLayer], tuple[StoredLayer, StoredLayer], StoredLayer]:
    """The policy's convolution and dense layer, the value's convolution and hidden layer, and the value."""
    value = next((layer for layer in dense if shape_of(layer)[1] == 1), None)
    # On 8x8 both have 64 units: the policy has more inputs, from four channels instead of two.
    policy_conv, value_conv = sorted(ends, key=lambda conv: -shape_of(conv)[3])
    rest = sorted((layer for layer in dense if layer is not value), key=lambda layer: -shape_of(layer)[0])
    if value is None or len(rest) < 2:
        raise stored.error("its dense layers are not a policy, a hidden layer and a value of one unit")
    policy, hidden = rest
    cells = shape_of(policy)[1]
    for layer, rows in (
        (policy, shape_of(policy_conv)[3] * cells),
        (hidden, shape_of(value_conv)[3] * cells),
        (value, shape_of(hidden)[1]),
    ):
        stored.check(layer, (rows, None))
    return (policy_conv, policy), (value_conv, hidden), value
