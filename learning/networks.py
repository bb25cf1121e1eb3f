"""The networks that a run trains: a residual tower or dense layers, in Keras 3, channels last.

KERAS_BACKEND chooses TensorFlow, JAX or torch. The file has the usual outputs: policy softmax, value tanh.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import AzxError
from ..export.checkpoint.own_encoding import state_encoding
from ..games.encoding import Encoding
from ..games.game import Game, Reading, Value
from ..games.symmetry import EDGES
from ..system.durable import put_in_place
from ..system.quietly import quietly
from .counting import add_odd_edges

L2 = 1e-4
HIDDEN = 64
TO_MOVE = "player0_to_move"


@dataclass(frozen=True)
class Design:
    """A network: `kind` "tower" of `depth` residual blocks with `width` filters, or "dense" of `depth` layers.

    "cells" is a tower whose policy is one convolution: it scores each cell by the same weights. "counting" is dense
    layers that also see whether the number of drawn edges is odd.
    """

    kind: str
    depth: int
    width: int

    @staticmethod
    def read(text: str) -> Design:
        """The design "4x32", "cells:4x32", "dense:2x96" or "counting:2x96"; AzxError if the text is none of these."""
        match = re.fullmatch(r"(?:(dense|cells|counting):)?([1-9][0-9]?)x([1-9][0-9]{0,3})", text)
        if match is None:
            raise AzxError(
                f"the network '{text}' is no design: give BLOCKSxFILTERS such as 4x32, cells:BLOCKSxFILTERS, "
                f"dense:LAYERSxUNITS, or counting:LAYERSxUNITS."
            )
        return Design(match[1] or "tower", int(match[2]), int(match[3]))


def reading_for(game: Game, settings: Mapping[str, Value]) -> Reading:
    """The reading of a run's networks for these settings: the reference network's planes, channels last.

    If players have their own sides, the board is turned for the second player, and no plane shows whose turn it is. So
    the network learns the same from both players' positions. GameError if azx has no shape for the board.
    """
    start = game.begin(settings)
    shape = next(shape for shape in game.shapes if tuple(shape.encodings[0].board) == tuple(start.board))
    own = shape.encodings[0]
    layout = "channels_last" if own.layout == "channels_first" else own.layout
    planes = tuple(plane for plane in own.planes if not (game.sided and plane == TO_MOVE))
    encoding = Encoding(layout, own.board, planes, turned=own.turned or game.sided)
    # In the order that shapes imply, so that a bundle agrees with its checkpoint.
    return Reading(game, encoding, shape.numberings[0], dict(shape.settings))


def build(design: Design, reading: Reading) -> Any:
    """An untrained `keras.Model` to train: `main_input` to [policy logits, value]."""
    import keras

    numbering = reading.numbering
    if numbering is None:
        raise AzxError("a network that learns from searches needs a policy.")
    if design.kind == "cells" and not _by_cells(reading):
        raise AzxError(f"the network 'cells:' scores cells, a move of {reading.game.title} is no cell: leave it out.")
    if design.kind == "counting" and EDGES not in reading.encoding.planes:
        raise AzxError(f"the network 'counting:' counts edges, {reading.game.title} has none: give 'dense:' instead.")
    regular = keras.regularizers.l2(L2)
    board = keras.layers.Input(reading.encoding.board_shape, name="main_input")
    dense = _Dense(keras, regular)
    if design.kind in ("dense", "counting"):
        tower = keras.layers.Flatten(name="flatten")(board) if len(board.shape) > 2 else board
        if design.kind == "counting":
            tower = keras.layers.Concatenate(name="with_odd_edges")([tower, add_odd_edges(tower, reading)])
        for at in range(design.depth):
            tower = dense(tower, design.width, "relu", f"dense{at}")
        policy, value = tower, tower
    else:
        tower = _Tower(keras, regular)
        grid = tower.grid(board, reading.encoding)
        body = tower.convolve(grid, design.width, 3, "stem")
        for at in range(design.depth):
            body = tower.block(body, design.width, f"block{at}")
        if design.kind == "cells":
            policy = tower.convolve(body, design.width, 1, "policy")
        else:
            policy = keras.layers.Flatten(name="policy_flat")(tower.convolve(body, 4, 1, "policy"))
        value = keras.layers.Flatten(name="value_flat")(tower.convolve(body, 2, 1, "value"))
    heads = [
        _score_cells(keras, regular, policy)
        if design.kind == "cells"
        else dense(policy, numbering.width, "linear", "policy_head"),
        dense(dense(value, HIDDEN, "relu", "value_hidden"), 1, "tanh", "value_head"),
    ]
    return keras.Model(board, heads, name=reading.game.name)


def _by_cells(reading: Reading) -> bool:
    """Whether the policy has one number for each cell, in the order of the input's cells."""
    cells = math.prod(reading.encoding.plane_shape)
    width = reading.numbering.width if reading.numbering else 0
    return width == cells and np.array_equal(reading.indices_by_turn[0][:cells], np.arange(cells))


def _score_cells(keras: Any, regular: Any, tensor: Any) -> Any:
    """The policy's logits by one convolution of a single cell."""
    scored = keras.layers.Conv2D(1, 1, kernel_regularizer=regular, name="policy_cells")(tensor)
    return keras.layers.Flatten(name="policy_head")(scored)


class _Dense:
    def __init__(self, keras: Any, regular: Any) -> None:
        self._keras, self._regular = keras, regular

    def __call__(self, tensor: Any, units: int, activation: str, name: str) -> Any:
        return self._keras.layers.Dense(units, activation, kernel_regularizer=self._regular, name=name)(tensor)


class _Tower:
    """Convolutions with batch normalisation, and residual blocks of them."""

    def __init__(self, keras: Any, regular: Any) -> None:
        self._layers, self._regular = keras.layers, regular

    def grid(self, board: Any, encoding: Encoding) -> Any:
        """The board with a channel axis, whatever its layout."""
        rows, columns = encoding.plane_shape
        if encoding.layout == "channels_last":
            return board
        if encoding.layout == "sum":
            return self._layers.Reshape((rows, columns, 1), name="grid")(board)
        planes = self._layers.Reshape((len(encoding.planes), rows, columns), name="grid")(board)
        return self._layers.Permute((2, 3, 1), name="channels_last")(planes)

    def convolve(self, tensor: Any, filters: int, kernel: int, name: str, *, activate: bool = True) -> Any:
        """A convolution without a bias, its batch normalisation, and a ReLU unless it is left out."""
        tensor = self._layers.Conv2D(
            filters,
            kernel,
            padding="same",
            use_bias=False,
            kernel_initializer="he_normal",
            kernel_regularizer=self._regular,
            name=f"{name}_conv",
        )(tensor)
        # A short momentum, so that short runs' statistics forget their start.
        tensor = self._layers.BatchNormalization(momentum=0.95, name=f"{name}_norm")(tensor)
        return self._layers.Activation("relu", name=f"{name}_relu")(tensor) if activate else tensor

    def block(self, tensor: Any, filters: int, name: str) -> Any:
        """Two convolutions, added to their input."""
        inner = self.convolve(tensor, filters, 3, f"{name}_first")
        inner = self.convolve(inner, filters, 3, f"{name}_second", activate=False)
        added = self._layers.Add(name=f"{name}_add")([tensor, inner])
        return self._layers.Activation("relu", name=f"{name}_relu")(added)


def with_softmax(model: Any) -> Any:
    """An untrained network of the same layers and one more: its policy ends with a softmax, as in the kept files."""
    import keras

    policy, value = model.outputs
    soft = keras.layers.Activation("softmax", name="policy_head")
    config = keras.Model(model.inputs, [policy, value]).get_config()
    renamed = _rename(config, "policy_head", "policy_logits")
    copy = keras.Model.from_config(renamed)
    logits, result = copy.outputs
    return keras.Model(copy.inputs, [soft(logits), result], name=model.name)


def save(model: Any, path: Path, encoding: Mapping[str, Any] | None = None, *, whole: Any = None) -> None:
    """Write the network with a softmax policy as a full-model .h5 or .keras, first under another name, then renamed.

    An .h5 then states its `encoding`, in the form of an --encoding file. `whole` is `with_softmax(model)`, if it is at
    hand: it takes the weights.
    """
    whole = whole or with_softmax(model)
    for layer in model.layers:
        name = "policy_logits" if layer.name == "policy_head" else layer.name
        whole.get_layer(name).set_weights(layer.get_weights())
    beside = path.with_name(f".{path.stem}.part{path.suffix}")
    # Keras warns on each save to use another file type.
    with quietly():
        whole.save(beside)
    if encoding is not None:
        state_encoding(beside, encoding)
    put_in_place(beside, path)


def _rename(value: Any, old: str, new: str) -> Any:
    """A model's configuration with one layer's name replaced wherever it stands."""
    if isinstance(value, dict):
        return {key: _rename(each, old, new) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_rename(each, old, new) for each in value)
    return new if isinstance(value, str) and value == old else value
