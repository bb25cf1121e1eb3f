"""Networks of the sizes that people train, untrained: written by h5py alone, the same numbers every time.

The kernels keep the spread of what goes through them, and the batch norms have means and variances of their own, so
that outputs differ from board to board and every weight has a part in them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
# Blocks of 256 filters on a board of 9 x 9, by the megabytes of their file; 19 blocks have 91.
BLOCKS = {28: 6, 43: 9, 71: 15, 120: 25}


class Written:
    """A Functional model in the making: layers as Keras 2 configures them, and their weights."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self.layers: list[dict[str, Any]] = []
        self.weights: dict[str, dict[str, Array]] = {}

    def layer(self, kind: str, name: str, before: Sequence[str] = (), **config: Any) -> str:
        """A layer that is called once; its own name, which is its output's."""
        nodes = [[[other, 0, 0, {}] for other in before]] if before else []
        self.layers.append(
            {"class_name": kind, "name": name, "config": {"name": name, **config}, "inbound_nodes": nodes}
        )
        return name

    def board(self, shape: Sequence[int]) -> str:
        """The input, (rows, columns, planes) or (rows, columns)."""
        return self.layer("InputLayer", "board", batch_input_shape=[None, *shape], dtype="float32")

    def conv(self, name: str, before: str, planes: int, filters: int, size: int = 3, padding: str = "same") -> str:
        """A convolution without bias, its batch norm behind it."""
        sides = {"kernel_size": [size, size], "strides": [1, 1], "padding": padding, "data_format": "channels_last"}
        self.layer("Conv2D", name, [before], filters=filters, use_bias=False, activation="linear", **sides)
        self.weights[name] = {"kernel:0": self._kernel((size, size, planes, filters))}
        return self.norm(f"{name}_norm", name, filters, 3)

    def norm(self, name: str, before: str, width: int, axis: int) -> str:
        """A batch norm that scales by 0.7 to 1.3 and moves by some tenths."""
        self.layer("BatchNormalization", name, [before], axis=[axis], momentum=0.99, epsilon=1e-3)
        near, small = (self._rng.uniform(0.7, 1.3, (2, width)), self._rng.normal(0, 0.2, (2, width)))
        told = {"gamma": near[0], "beta": small[0], "moving_mean": small[1], "moving_variance": near[1]}
        self.weights[name] = {f"{key}:0": value.astype(np.float32) for key, value in told.items()}
        return name

    def relu(self, before: str) -> str:
        """An activation behind a layer."""
        return self.layer("Activation", f"{before}_relu", [before], activation="relu")

    def flat(self, before: str) -> str:
        """All of a tensor in one row."""
        return self.layer("Flatten", f"{before}_flat", [before], data_format="channels_last")

    def dense(self, name: str, before: str, width: int, units: int, activation: str = "linear") -> str:
        """A dense layer with a bias."""
        self.layer("Dense", name, [before], units=units, activation=activation, use_bias=True)
        bias = self._rng.normal(0, 0.1, units).astype(np.float32)
        self.weights[name] = {"kernel:0": self._kernel((width, units)), "bias:0": bias}
        return name

    def save(self, path: Path, heads: Sequence[str], *, optimizer: bool = False, architecture: bool = True) -> Path:
        """The file, with Adam's two moments of every trained weight if `optimizer`, or weights alone."""
        path.parent.mkdir(parents=True, exist_ok=True)
        config = {"name": "net", "layers": self.layers, "input_layers": [["board", 0, 0]]}
        config["output_layers"] = [[head, 0, 0] for head in heads]
        with h5py.File(path, "w") as file:
            root = file.create_group("model_weights") if architecture else file
            if architecture:
                file.attrs["model_config"] = json.dumps({"class_name": "Model", "config": config})
            for holder in (file, root):
                holder.attrs.update(keras_version="2.2.4", backend="tensorflow")
            root.attrs["layer_names"] = [layer["name"].encode() for layer in self.layers]
            for layer in self.layers:
                name = layer["name"]
                told = self.weights.get(name, {})
                root.create_group(name).attrs["weight_names"] = [f"{name}/{key}".encode() for key in told]
                for key, value in told.items():
                    root[f"{name}/{name}/{key}"] = value
            for name, told in self.weights.items() if optimizer else ():
                for key, value in told.items():
                    if not key.startswith("moving"):
                        file[f"optimizer_weights/Adam/{name}/m/{key}"] = 1e-3 * value
                        file[f"optimizer_weights/Adam/{name}/v/{key}"] = 1e-6 * value**2
        return path

    def _kernel(self, shape: tuple[int, ...]) -> Array:
        spread = np.float32((2 / np.prod(shape[:-1])) ** 0.5)
        return self._rng.standard_normal(shape, np.float32) * spread


def residual(
    path: Path,
    blocks: int,
    filters: int = 256,
    *,
    board: tuple[int, int] = (9, 9),
    actions: int = 81,
    optimizer: bool = False,
) -> Path:
    """A residual network as of AlphaZero on two planes: `blocks` of two convolutions, policy and value behind them."""
    made, cells = Written(blocks), board[0] * board[1]
    x = made.relu(made.conv("first", made.board((*board, 2)), 2, filters))
    for at in range(blocks):
        inner = made.relu(made.conv(f"block{at}_one", x, filters, filters))
        inner = made.conv(f"block{at}_two", inner, filters, filters)
        made.weights[inner]["gamma:0"] *= np.float32(0.3)  # else the sum of many blocks grows without end
        x = made.relu(made.layer("Add", f"block{at}", [x, inner]))
    # In the order in which Keras lists layers: what is further from the outputs comes before.
    value = made.flat(made.relu(made.conv("value_conv", x, filters, 1, 1)))
    policy = made.flat(made.relu(made.conv("policy_conv", x, filters, 2, 1)))
    hidden = made.relu(made.dense("value_hidden", value, cells, 256))
    heads = [made.dense("policy_head", policy, 2 * cells, actions, "softmax")]
    heads.append(made.dense("value_head", hidden, 256, 1, "tanh"))
    return made.save(path, heads, optimizer=optimizer)


def alpha_zero_general(path: Path, filters: int = 512, wide: int = 1024, *, architecture: bool = True) -> Path:
    """alpha-zero-general's default network for Othello on 8 x 8: four convolutions, dense 1024 and 512."""
    made, rows = Written(8), 8
    x = made.layer("Reshape", "plane", [made.board((rows, rows))], target_shape=[rows, rows, 1])
    for at, padding in enumerate(("same", "same", "valid", "valid")):
        x = made.relu(made.conv(f"conv{at}", x, filters if at else 1, filters, padding=padding))
    x, width = made.flat(x), (rows - 4) ** 2 * filters
    for at, units in enumerate((wide, wide // 2)):
        x = made.relu(made.norm(f"dense{at}_norm", made.dense(f"dense{at}", x, width, units), units, 1))
        x, width = made.layer("Dropout", f"dropout{at}", [x], rate=0.3), units
    heads = [made.dense("pi", x, width, rows * rows + 1, "softmax"), made.dense("v", x, width, 1, "tanh")]
    return made.save(path, heads, architecture=architecture)
