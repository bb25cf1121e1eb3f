"""The families of networks that save only weights; a family's architecture follows from the shapes in the file.

The shapes give the sizes and show which family fits; activations and the batch norms' epsilon come from the family.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ....errors import CheckpointError
from ..preset_spelling import KERAS, RANKS, Architecture, BoardUnknown, Dialect, StoredLayers
from ..stored import Board, StoredLayer
from . import alpha_zero_general, alphazero_gomoku, gomoku_mpi, supergo, zeta36

PRESETS: dict[str, Callable[[StoredLayers, Board | None], Architecture]] = {
    alpha_zero_general.NAME: alpha_zero_general.architecture,
    zeta36.NAME: zeta36.architecture,
    alphazero_gomoku.NAME: alphazero_gomoku.architecture,
    supergo.NAME: supergo.architecture,
    gomoku_mpi.NAME: gomoku_mpi.architecture,
}
# The frameworks whose files hold a family's networks; "" means Keras and its HDF5 files.
FRAMEWORKS: dict[str, tuple[str, ...]] = {
    alpha_zero_general.NAME: ("", "PyTorch", "safetensors"),
    zeta36.NAME: ("",),
    alphazero_gomoku.NAME: ("PyTorch", "safetensors", "pickled NumPy arrays", "TensorFlow 1"),
    supergo.NAME: ("PyTorch", "safetensors"),
    gomoku_mpi.NAME: ("TensorFlow 1",),
}
# How a family's own code encodes the board, in the form of an --encoding file; a clause if azx cannot express it, None
# if it is unknown.
READINGS: dict[str, Callable[[Architecture], Mapping[str, Any] | str | None]] = {
    alphazero_gomoku.NAME: alphazero_gomoku.reading,
    supergo.NAME: lambda architecture: supergo.NOT_READ,
    gomoku_mpi.NAME: lambda architecture: gomoku_mpi.NOT_READ,
}


def preset_architecture(
    name: str,
    layers: Sequence[StoredLayer],
    board: Board | None,
    where: str,
    dialect: Dialect = KERAS,
    framework: str = "",
) -> Mapping[str, Any]:
    """{"class_name", "config"} of the family `name` for these weights, which `framework` wrote.

    Raises CheckpointError, which begins with `where`, if the family is unknown, or if neither the shapes nor `board`
    determine the board. If the weights belong to another network, the error names the layer.
    """
    if name not in PRESETS:
        raise CheckpointError(f"--preset '{name}' is not known: use {', '.join(PRESETS)}.")
    if framework not in FRAMEWORKS[name]:
        raise CheckpointError(
            f"{where} is of {framework or 'Keras'}, in which --preset {name} has no networks: leave --preset out."
        )
    stored = StoredLayers(where, name, tuple(layers), dialect)
    for layer in layers:
        shapes = [shape for _, shape in layer.weights]
        if not all(shape and all(shape) for shape in shapes) or len(shapes[0]) != RANKS.get(layer.kind, len(shapes[0])):
            raise stored.misfit(layer, f"has a wrong shape for a {layer.kind or 'layer'} has")
    return PRESETS[name](stored, board)


def find_preset(layers: Sequence[StoredLayer], dialect: Dialect = KERAS, framework: str = "") -> str | None:
    """The one family whose networks have these layers and shapes, None for none or several; only a guess."""
    fitting = []
    for name in PRESETS:
        try:
            preset_architecture(name, layers, None, "", dialect, framework)
        except BoardUnknown:
            pass  # it fits, and the user must still give the board
        except CheckpointError:
            continue
        fitting.append(name)
    return fitting[0] if len(fitting) == 1 else None
