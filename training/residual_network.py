"""A residual network for a square board, channels_last, softmax policy, tanh value: Go's and Gomoku's.

The network that is trained ends in logits. It may have a second output for each point (who owns it at the end). That
output teaches the tower and is left out of the file.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from . import legacy_file, recipe
from .trainer import Losses

L2 = 1e-4
# The tower's precision in training: bfloat16 is much faster if the processor has it, and much slower otherwise.
PRECISION = "mixed_bfloat16"


@dataclass(frozen=True)
class Design:
    """A network: `board` points a side, `planes` of input, `actions` of the policy, and the size of the tower.

    A policy of one output a point needs no dense layer. One 1x1 convolution learns from each position what a dense
    layer would have to learn at each point.
    """

    name: str
    board: int
    planes: int
    actions: int
    filters: int
    blocks: int
    value_units: int = 64
    ownership: bool = False


def trainable(design: Design) -> Any:
    """A `tf_keras.Model` to train: outputs [policy logits, value], and ownership (N, points) if the design has it."""
    return _model(design, "linear", PRECISION, design.ownership)


def _model(design: Design, head: str, precision: str, ownership: bool) -> Any:
    import tf_keras

    tf_keras.backend.clear_session()
    relu = partial(tf_keras.layers.Activation, "relu")
    build = Layers(tf_keras, precision, relu, initializer="he_normal")
    board = tf_keras.layers.Input((design.board, design.board, design.planes), name="main_input")
    tower = build.convolve(board, design.filters, 3, "stem")
    for block in range(design.blocks):
        tower = build.block(tower, design.filters, 3, f"block{block}")
    value = build.flat(build.convolve(tower, 2, 1, "value"))
    hidden = build.dense(value, design.value_units, "relu", "value_hidden")
    outputs = [_policy(build, tower, design, head), build.dense(hidden, 1, "tanh", "value_head")]
    if ownership:
        owner = tf_keras.layers.Conv2D(1, 1, activation="tanh", name="ownership", dtype="float32")(tower)
        outputs.append(build.flat(owner))
    return tf_keras.Model(board, outputs, name=design.name)


class Layers:
    """Keras layers with one precision (float32 heads) and one regularizer; a layer without a name gets Keras' name.

    `activation` makes the layer after a convolution; `initializer` is that of convolutions, `use_bias` of dense layers.
    """

    def __init__(
        self,
        keras: Any,
        precision: str,
        activation: Callable[..., Any],
        *,
        data_format: str = "channels_last",
        # In short runs the averages must not still depend on their first values.
        momentum: float = 0.95,
        initializer: str = "glorot_uniform",
        use_bias: bool = True,
    ) -> None:
        self.layers, self.l2, self.precision = keras.layers, keras.regularizers.l2(L2), precision
        self.activation, self.use_bias = activation, use_bias
        self.window = {"padding": "same", "data_format": data_format, "kernel_initializer": initializer}
        self.norm = {"axis": 1 if data_format == "channels_first" else -1, "momentum": momentum}

    def _options(self, name: str, kind: str) -> dict[str, Any]:
        return {"name": f"{name}_{kind}" if name else None, "dtype": self.precision}

    def convolve(self, tensor: Any, filters: int, kernel: int, name: str = "", activate: bool = True) -> Any:
        """A convolution without a bias, its batch norm, and the activation unless it is left out."""
        convolution = self.layers.Conv2D(
            filters, kernel, use_bias=False, kernel_regularizer=self.l2, **self.window, **self._options(name, "conv")
        )
        normalise = self.layers.BatchNormalization(**self.norm, **self._options(name, "norm"))
        tensor = normalise(convolution(tensor))
        return self.activation(**self._options(name, "relu"))(tensor) if activate else tensor

    def block(self, tensor: Any, filters: int, kernel: int, name: str = "") -> Any:
        """Two convolutions, added to what went in."""
        first, second, out = (f"{name}_{part}" if name else "" for part in ("first", "second", "out"))
        inner = self.convolve(tensor, filters, kernel, first)
        both = [tensor, self.convolve(inner, filters, kernel, second, activate=False)]
        return self.activation(**self._options(out, "relu"))(self.layers.Add(**self._options(name, "add"))(both))

    def flat(self, tensor: Any) -> Any:
        """All numbers of a position in a row."""
        return self.layers.Flatten(dtype="float32")(tensor)

    def dense(self, tensor: Any, units: int, activation: str = "linear", name: str | None = None) -> Any:
        """A dense layer of a head."""
        return self.layers.Dense(
            units, activation, use_bias=self.use_bias, kernel_regularizer=self.l2, name=name, dtype="float32"
        )(tensor)


def _policy(build: Layers, tower: Any, design: Design, activation: str) -> Any:
    if design.actions != design.board**2:
        return build.dense(build.flat(build.convolve(tower, 2, 1, "policy")), design.actions, activation, "policy_head")
    points = build.layers.Conv2D(1, 1, kernel_regularizer=build.l2, name="policy_conv", dtype="float32")(tower)
    return build.layers.Activation(activation, name="policy_head", dtype="float32")(build.flat(points))


def save(design: Design, trained: Any, path: Path) -> None:
    """Write the network in the form that people have: a legacy full-model .h5, softmax policy, tanh value, float32."""
    model = _model(design, "softmax", "float32", ownership=False)
    for layer in model.layers:
        layer.set_weights(trained.get_layer(layer.name).get_weights() if layer.weights else [])
    legacy_file.save(model, path)


def train(
    design: Design, parts: Sequence[recipe.Examples], losses: Losses, names: Sequence[str], options: Namespace
) -> None:
    """Train the network from scratch on the first of the `parts`, and write the checkpoint after every epoch."""
    recipe.train(
        parts, lambda: trainable(design), lambda model: save(design, model, options.output), losses, names, options
    )
