"""48 small files: boards, outputs and names of many kinds, and shipped networks whose planes are exchanged."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import h5py
import numpy as np

SHIPPED = Path(__file__).parents[2] / "mobile_assets" / "checkpoints"
# A board's shape and how many moves its game may have; None where nothing known has such a board.
BOARDS: tuple[tuple[tuple[int, ...], int], ...] = (
    ((6, 7, 2), 7),
    ((2, 6, 7), 42),
    ((42,), 7),
    ((6, 7), 7),
    ((9,), 9),
    ((3, 3, 2), 9),
    ((27,), 9),
    ((15, 15, 9), 225),
    ((9, 15, 15), 225),
    ((15, 15, 2), 225),
    ((7, 7, 6), 49),
    ((11, 11), 121),
    ((13, 13, 2), 169),
    ((8, 8, 3), 65),
    ((10, 10, 2), 100),
    ((9, 9, 17), 82),
    ((9, 9, 17), 81),
    ((9, 9, 2), 82),
    ((7, 7, 6), 50),
    ((8, 8, 12), 4672),
    ((7, 4), 25),
    ((8, 9, 2), 9),
)
# The outputs: a name in the file ("" for Keras' own), what it is wide ("moves" for the board's), its activation.
HEADS: tuple[tuple[tuple[str, int | str, str], ...], ...] = (
    (("", "moves", "softmax"), ("", 1, "tanh")),
    (("policy_head", "moves", "linear"), ("value_head", 1, "tanh")),
    (("pi", "moves", "sigmoid"), ("v", 1, "sigmoid")),
    (("pi", "moves", "softmax"), ("wdl", 3, "softmax")),
    (("", "moves", "linear"),),
    (("", 1, "tanh"),),
    (("", "moves", "softmax"), ("", "moves", "softmax")),
    (("style", 3, "softmax"),),
    (("", 2, "sigmoid"),),
    (("value", "moves", "softmax"), ("policy", 1, "tanh")),
    (("policy", "moves", "softmax"), ("opp_policy", "moves", "softmax"), ("value", 1, "tanh"), ("left", 1, "relu")),
    (("", "moves", "softmax"), ("", 3, "softmax"), ("ownership", 1, "tanh")),
    (("q_values", "moves", "linear"),),
)  # fmt: skip
SEEDED = 40
# Shipped networks and the order that their first kernels' planes get.
EXCHANGED = (
    ("connect4", (1, 0)),
    ("gomoku", (4, 5, 6, 7, 0, 1, 2, 3, 8)),
    ("gomoku", (0, 4, 1, 5, 2, 6, 3, 7, 8)),
    ("gomoku", (8, 0, 1, 2, 3, 4, 5, 6, 7)),
    ("reversi", (1, 0, 2)),
    ("hex", (1, 0, 2, 3, 4, 5)),
    ("hex", (5, 4, 3, 2, 1, 0)),
    ("go", (*range(0, 16, 2), *range(1, 16, 2), 16)),
)


def write_files(folder: Path) -> Iterator[Path]:
    """Write them, the seeded ones first."""
    import tf_keras

    for seed in range(SEEDED):
        tf_keras.backend.clear_session()
        tf_keras.utils.set_random_seed(seed)
        path = folder / f"seeded_{seed:02}.h5"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _network(seed).save(path, save_format="h5")
        yield path
    for number, (name, order) in enumerate(EXCHANGED):
        yield exchanged(name, order, folder / f"{name}_exchanged_{number}.h5")


def exchanged(name: str, order: tuple[int, ...], path: Path) -> Path:
    """A shipped network that finds its planes in this order, written to `path`."""
    path.write_bytes((SHIPPED / f"{name}.h5").read_bytes())
    _exchange(path, order)
    return path


def _network(seed: int) -> Any:
    from tf_keras import Model, layers

    shape, moves = BOARDS[seed % len(BOARDS)]
    heads = HEADS[(seed * 5 + seed // len(BOARDS)) % len(HEADS)]
    board = layers.Input(shape, name="board")
    x = board
    if len(shape) == 3:
        first = "channels_first" if shape[0] < shape[2] else "channels_last"
        # Keras runs no convolution of planes that come first on a CPU: nobody asks it here.
        x = layers.Conv2D(2, 3 if shape[1] > 2 else 1, padding="same", activation="relu", data_format=first)(x)
    x = layers.Flatten()(x) if len(shape) > 1 else x
    x = layers.Dense(8, activation="relu")(x)
    outputs = [
        layers.Dense(moves if width == "moves" else int(width), activation, name=name or None)(x)
        for name, width, activation in heads
    ]
    return Model(board, outputs)


def _exchange(path: Path, order: tuple[int, ...]) -> None:
    """Exchange the planes that the network reads: the input channels of its first kernel."""
    with h5py.File(path, "r+") as opened:
        kernels: list[h5py.Dataset] = []

        def is_first(_: str, item: Any) -> None:
            if getattr(item, "ndim", 0) == 4 and item.shape[2] == len(order):
                kernels.append(item)

        opened.visititems(is_first)
        for kernel in kernels[:1]:
            kernel[...] = kernel[...][:, :, np.argsort(order)]
