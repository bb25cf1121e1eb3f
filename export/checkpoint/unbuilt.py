"""Finds the input of a Sequential model that a builder returned without one, as far as stored weights determine it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...errors import CheckpointError
from .stored import Shape, StoredLayer

# Layers that have no weights and keep the axes of the board.
_PASSING = frozenset({"Activation", "ReLU", "LeakyReLU", "Dropout", "GaussianNoise", "Rescaling", "ZeroPadding2D"})
_CONVOLUTIONS = frozenset({"Conv2D", "SeparableConv2D", "DepthwiseConv2D"})


def find_input(model: Any, stored: Sequence[StoredLayer], board: tuple[int, int] | None, builder: str) -> Shape:
    """The input's shape without the batch, from the first kernel and the board.

    CheckpointError, which says what to give, if these two do not determine it.
    """
    first = next((layer for layer in model.layers if type(layer).__name__ not in _PASSING), None)
    kind = type(first).__name__
    kernel = next((layer.weights[0][1] for layer in stored if layer.kind == kind), ())
    if kind == "Dense" and len(kernel) == 2:
        return kernel[:1]
    if first is not None and kind in _CONVOLUTIONS and len(kernel) == 4:
        channels = kernel[2]
        if board is not None:
            return (*board, channels) if first.data_format == "channels_last" else (channels, *board)
        raise CheckpointError(
            f"--builder {builder}: its Sequential model has no input shape: begin it with "
            f"keras.Input((ROWS, COLUMNS, {channels})), or give --board ROWSxCOLUMNS."
        )
    raise CheckpointError(
        f"--builder {builder}: its Sequential model has no input shape: begin it with keras.Input(SHAPE)."
    )
