"""The networks of Zeta36's connect4- and chess-alpha-zero and mokemokechicken's reversi-alpha-zero, by their shapes.

They are residual networks, channels first: a convolution, blocks of two, and a 1x1 convolution before each head. Policy
(softmax) and value (tanh) each follow a dense layer. Each convolution has a batch norm, then a relu.
"""

from __future__ import annotations

from math import isqrt

from ..preset_spelling import Architecture, Network, StoredLayers, boards_of, shape_of
from ..stored import Board, StoredLayer

NAME = "zeta36"
_FIRST = "channels_first"


def architecture(stored: StoredLayers, board: Board | None) -> Architecture:
    """{"class_name", "config"}; CheckpointError, which names the layer, if the weights belong to another network."""
    stored.check_kinds("Conv2D", "BatchNormalization", "Dense")
    convs, norms, dense = stored.of("Conv2D"), stored.of("BatchNormalization"), stored.of("Dense")
    if len(dense) != 3 or len(convs) < 5 or len(convs) % 2 == 0 or len(norms) != len(convs):
        raise stored.error(
            f"it has {len(convs)} convolutions, {len(norms)} batch norms and {len(dense)} dense layers, and the family "
            "3 + 2n, as many, and 3"
        )
    *trunk, value_conv, policy_conv = convs
    *trunk_norms, value_norm, policy_norm = norms
    planes, channels = shape_of(trunk[0])[-2:]
    for at, (conv, norm) in enumerate(zip(trunk, trunk_norms, strict=True)):
        stored.check(conv, (None, shape_of(conv)[0], channels if at else planes, channels))
        stored.check(norm, (channels,))
    if (shape_of(value_norm), shape_of(policy_norm)) != ((shape_of(value_conv)[-1],), (shape_of(policy_conv)[-1],)):
        value_norm, policy_norm = policy_norm, value_norm
    hidden, policy, value = _dense(stored, dense)
    if _cells(policy, policy_conv) is None or _cells(policy, policy_conv) != _cells(hidden, value_conv):
        value_conv, policy_conv, value_norm, policy_norm = policy_conv, value_conv, policy_norm, value_norm
    for conv, norm in ((value_conv, value_norm), (policy_conv, policy_norm)):
        stored.check(conv, (1, 1, channels, None))
        stored.check(norm, (shape_of(conv)[-1],))
    cells = _cells(policy, policy_conv)
    if cells is None or cells != _cells(hidden, value_conv):
        raise stored.misfit(policy, f"and '{hidden.name}' {shape_of(hidden)} do not take the same board")
    size = stored.board(_boards(cells, shape_of(policy)[1]), board, cells)
    made = Network("zeta36")
    door = made.door((planes, *size))
    x = made.tower(door, trunk, trunk_norms)
    ends = [
        made.flatten(made.relu(made.norm(norm, made.conv(conv, x, "valid", _FIRST), 1)))
        for conv, norm in ((policy_conv, policy_norm), (value_conv, value_norm))
    ]
    heads = [
        made.dense(policy, ends[0], "softmax"),
        made.dense(value, made.dense(hidden, ends[1], "relu"), "tanh"),
    ]
    return made.model([door], heads, stored.layers)


def _dense(stored: StoredLayers, dense: list[StoredLayer]) -> tuple[StoredLayer, StoredLayer, StoredLayer]:
    """The value's hidden layer, the policy, the value; in the file the hidden layer is first, as it is the deepest."""
    hidden, *heads = dense
    ends = [head for head in heads if shape_of(head) == (shape_of(hidden)[1], 1)]
    if not ends:
        raise stored.misfit(hidden, "has no dense layer of one unit behind it")
    return hidden, next(head for head in heads if head is not ends[0]), ends[0]


def _cells(dense: StoredLayer, conv: StoredLayer) -> int | None:
    """The number of cells if the dense layer takes the convolution's output; None if it does not."""
    cells, rest = divmod(shape_of(dense)[0], shape_of(conv)[-1])
    return None if rest else cells


def _boards(cells: int, labels: int) -> list[Board]:
    """Boards of `cells` cells: with one label per column (Connect4), and square ones (Reversi, chess)."""
    side = isqrt(cells)
    square = [(side, side)] if side * side == cells else []
    return square + [sides for sides in boards_of(cells) if sides[1] == labels < cells]
