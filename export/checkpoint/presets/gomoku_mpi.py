"""The networks of AlphaZero_Gomoku_MPI (initial-h), which TensorLayer trains and TensorFlow 1 saves without a graph.

The board gets two more points on each side, and a convolution of 1x1. Then come residual blocks of two convolutions of
3x3, each followed by a batch norm. Each head begins with a convolution of 1x1 and a batch norm; the policy is one dense
layer with log softmax, the value two with tanh. The input has planes first, the network channels last.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ..preset_spelling import Architecture, Network, StoredLayers, shape_of
from ..stored import Board, StoredLayer

NAME = "gomoku-mpi"
_AROUND, _LAST, _EPSILON = 2, "channels_last", 1e-5
# Its planes: the opponent's stones and the mover's in turn, each without that player's last 0 to 3 moves.
NOT_READ = (
    f"the code of {NAME} shows each player's stones without that player's own last moves, for which azx has no planes: "
    "to play it by near ones say --encoding gomoku-history-opponent-in-turn-player0-to-move-input-flipped"
)


def architecture(stored: StoredLayers, board: Board | None) -> Architecture:
    """{"class_name", "config"}; CheckpointError, which names the layer, if the weights belong to another network."""
    stored.check_kinds("Conv2D", "BatchNormalization", "Dense")
    convs, norms, dense = (sorted(stored.of(kind), key=_place) for kind in ("Conv2D", "BatchNormalization", "Dense"))
    inner = [conv for conv in convs if "resnet_" in conv.name]
    inner_norms, outer_norms = ([norm for norm in norms if ("resnet_" in norm.name) == is_inner] for is_inner in (1, 0))
    outer = [conv for conv in convs if conv not in inner]
    counts = (len(outer), len(outer_norms), len(dense), len(inner) % 2, len(inner_norms))
    if counts != (3, 2, 3, 0, len(inner)) or not inner:
        raise stored.error("it is not three convolutions, two batch norms, three dense layers and residual blocks")
    first, policy_conv, value_conv = outer
    planes, channels = shape_of(first)[2:]
    stored.check(first, (1, 1, planes, channels))
    for conv, norm in zip(inner, inner_norms, strict=True):
        stored.check(conv, (3, 3, channels, channels))
        stored.check(norm, (channels,))
    for conv, norm in zip((policy_conv, value_conv), outer_norms, strict=True):
        stored.check(conv, (1, 1, channels, None))
        stored.check(norm, shape_of(conv)[3:])
    # The value's last layer is named like a flattening layer; only its shape identifies it.
    value = next((layer for layer in dense if shape_of(layer)[1] == 1), dense[-1])
    policy, hidden = (layer for layer in dense if layer is not value)
    cells = shape_of(policy)[1]
    size = stored.square_board(cells, board)
    wide = (size[0] + 2 * _AROUND) * (size[1] + 2 * _AROUND)
    for layer, rows in (
        (policy, shape_of(policy_conv)[3] * wide),
        (hidden, shape_of(value_conv)[3] * wide),
        (value, shape_of(hidden)[1]),
    ):
        stored.check(layer, (rows, None))
    made = Network("gomoku_mpi", replace(stored.dialect, epsilon=_EPSILON))
    door = made.door((planes, *size))
    x = made.add("Permute", "planes_last", [(door, 0)], dims=[2, 3, 1])
    x = made.add("ZeroPadding2D", "around", [(x, 0)], padding=[[_AROUND] * 2] * 2, data_format=_LAST)
    x = made.conv(first, x, "same", _LAST)
    for at in range(0, len(inner), 2):
        x = made.block(at // 2 + 1, x, inner[at : at + 2], inner_norms[at : at + 2], _LAST)
    flat = [
        made.flatten(made.relu(made.norm(norm, made.conv(conv, x, "same", _LAST), 3)))
        for conv, norm in zip((policy_conv, value_conv), outer_norms, strict=True)
    ]
    worth = made.dense(value, made.dense(hidden, flat[1], "relu"), "tanh")
    return made.model([door], [made.dense(policy, flat[0], stored.dialect.policy), worth], stored.layers)


def _place(layer: StoredLayer) -> list[int]:
    """The numbers in a layer's name, which give its place among layers of its kind."""
    return [int(digits) for digits in re.findall(r"\d+", layer.name.rpartition("/")[2].removeprefix("resnet_conv2d"))]
