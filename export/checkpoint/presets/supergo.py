"""The networks of SuperGo (dylandjian), which are saved in three files: extractor, policy and value.

The extractor is residual: a convolution of 3x3, then blocks of two, each followed by a batch norm. Each head begins
with a convolution of 1x1 and a batch norm. The policy is one dense layer with softmax, the value two with tanh. Planes
come first, and only the heads' convolutions have a bias.
"""

from __future__ import annotations

from math import isqrt

from ..foreign_parts import PARTS
from ..preset_spelling import Architecture, Network, StoredLayers, boards_of, shape_of
from ..stored import Board, StoredLayer

NAME = "supergo"
_FIRST = "channels_first"
# Its planes: each player's boards after that player's last eight moves, black's first, then ones for white.
NOT_READ = (
    f"the code of {NAME} shows each player's stones as they stood after that player's own last eight moves, for which "
    "azx has no planes: to play it by near ones say --encoding go-mover-first"
)


def architecture(stored: StoredLayers, board: Board | None) -> Architecture:
    """{"class_name", "config"}; CheckpointError, which names the layer, if the weights belong to another network."""
    stored.check_kinds("Conv2D", "BatchNormalization", "Dense")
    (trunk, norms, rest), policy, value = (_of_part(stored, part) for part in PARTS)
    if len(trunk) < 3 or len(trunk) % 2 == 0 or len(norms) != len(trunk) or rest:
        raise stored.error(
            f"its extractor has {len(trunk)} convolutions, {len(norms)} batch norms and {len(rest)} dense layers, and "
            "in the family 1 + 2n, as many, and none"
        )
    for head, dense, part in ((policy, 1, PARTS[1]), (value, 2, PARTS[2])):
        if [len(layers) for layers in head] != [1, 1, dense]:
            raise stored.error(f"its {part} is not a convolution, a batch norm and {dense} dense")
    planes, channels = shape_of(trunk[0])[2:]
    for at, (conv, norm) in enumerate(zip(trunk, norms, strict=True)):
        stored.check(conv, (3, 3, channels if at else planes, channels))
        stored.check(norm, (channels,))
    cells = [_cells(stored, head, channels) for head in (policy, value)]
    if cells[0] != cells[1]:
        raise stored.misfit(value[2][0], f"and '{policy[2][0].name}' do not take the same board")
    hidden, worth = value[2]
    stored.check(worth, (shape_of(hidden)[1], 1))
    side, moves = isqrt(cells[0]), shape_of(policy[2][0])[1]
    is_square = side * side == cells[0] and moves in (cells[0], cells[0] + 1) and (side, side) in boards_of(cells[0])
    size = stored.board([(side, side)] if is_square else [], board, cells[0])
    made = Network("supergo", stored.dialect)
    door = made.door((planes, *size))
    x = made.tower(door, trunk, norms)
    flat = [
        made.flatten(made.relu(made.norm(norm, made.conv(conv, x, "same", _FIRST), 1)))
        for (conv,), (norm,), _ in (policy, value)
    ]
    heads = [
        made.dense(policy[2][0], flat[0], "softmax"),
        made.dense(worth, made.dense(hidden, flat[1], "relu"), "tanh"),
    ]
    return made.model([door], heads, stored.layers)


def _of_part(stored: StoredLayers, part: str) -> tuple[list[StoredLayer], list[StoredLayer], list[StoredLayer]]:
    """The convolutions, the batch norms and the dense layers of one of the three files."""
    convs, norms, dense = (
        [layer for layer in stored.of(kind) if layer.name.startswith(f"{part}.")]
        for kind in ("Conv2D", "BatchNormalization", "Dense")
    )
    return convs, norms, dense


def _cells(
    stored: StoredLayers, head: tuple[list[StoredLayer], list[StoredLayer], list[StoredLayer]], channels: int
) -> int:
    """The number of cells of a head's board; CheckpointError if its layers do not fit together."""
    (conv,), (norm,), (dense, *_) = head
    stored.check(conv, (1, 1, channels, None))
    stored.check(norm, shape_of(conv)[3:])
    cells, rest = divmod(shape_of(dense)[0], shape_of(conv)[3])
    if rest:
        raise stored.misfit(dense, f"does not take whole boards of {shape_of(conv)[3]} channels")
    return cells
