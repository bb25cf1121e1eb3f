"""A residual network for a square board, channels_last, softmax policy, tanh value: Go's and Gomoku's.

The network that is trained ends in logits. It may have a second output for each point (who owns it at the end). That
output teaches the tower and is left out of the file.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import legacy_file, recipe
from .trainer import Losses

L2 = 1e-4


@dataclass(frozen=True)
class Design:
    """`board` points a side, `planes` of input, `actions` of the policy, and how large the tower is.

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
    """A `tf_keras.Model` to train: outputs [policy logits, value], and ownership (N, points) where designed."""
    return _model(design, "linear", "mixed_bfloat16", design.ownership)


def _model(design: Design, head: str, precision: str, ownership: bool) -> Any:
    import tf_keras

    tf_keras.backend.clear_session()
    build = _Builder(tf_keras, precision)
    board = tf_keras.layers.Input((design.board, design.board, design.planes), name="main_input")
    tower = build.convolve(board, design.filters, 3, "stem")
    for block in range(design.blocks):
        tower = build.block(tower, design.filters, f"block{block}")
    value = build.flat(build.convolve(tower, 2, 1, "value"))
    hidden = build.dense(value, design.value_units, "relu", "value_hidden")
    outputs = [
        build.policy(tower, design, head),
        build.dense(hidden, 1, "tanh", "value_head"),
    ]
    if ownership:
        owner = tf_keras.layers.Conv2D(1, 1, activation="tanh", name="ownership", dtype="float32")(tower)
        outputs.append(build.flat(owner))
    return tf_keras.Model(board, outputs, name=design.name)


class _Builder:
    """Keras layers with one precision (float32 heads) and one regularizer, every layer named: weights find it so."""

    def __init__(self, keras: Any, precision: str) -> None:
        self.keras, self.layers, self.precision = keras, keras.layers, precision

    def convolve(self, tensor: Any, filters: int, kernel: int, name: str, activate: bool = True) -> Any:
        convolution = self.layers.Conv2D(
            filters,
            kernel,
            padding="same",
            use_bias=False,
            kernel_initializer="he_normal",
            kernel_regularizer=self.keras.regularizers.l2(L2),
            name=f"{name}_conv",
            dtype=self.precision,
        )
        # Short runs must not be judged by averages that still remember their start.
        norm = self.layers.BatchNormalization(momentum=0.95, name=f"{name}_norm", dtype=self.precision)
        tensor = norm(convolution(tensor))
        return self.apply_relu(tensor, name) if activate else tensor

    def apply_relu(self, tensor: Any, name: str) -> Any:
        return self.layers.Activation("relu", name=f"{name}_relu", dtype=self.precision)(tensor)

    def block(self, tensor: Any, filters: int, name: str) -> Any:
        inner = self.convolve(tensor, filters, 3, f"{name}_first")
        second = self.convolve(inner, filters, 3, f"{name}_second", activate=False)
        return self.apply_relu(
            self.layers.Add(name=f"{name}_add", dtype=self.precision)([tensor, second]), f"{name}_out"
        )

    def policy(self, tower: Any, design: Design, activation: str) -> Any:
        if design.actions != design.board**2:
            return self.dense(
                self.flat(self.convolve(tower, 2, 1, "policy")), design.actions, activation, "policy_head"
            )
        regular = self.keras.regularizers.l2(L2)
        points = self.layers.Conv2D(1, 1, kernel_regularizer=regular, name="policy_conv", dtype="float32")(tower)
        return self.layers.Activation(activation, name="policy_head", dtype="float32")(self.flat(points))

    def flat(self, tensor: Any) -> Any:
        return self.layers.Flatten(dtype="float32")(tensor)

    def dense(self, tensor: Any, units: int, activation: str, name: str) -> Any:
        regular = self.keras.regularizers.l2(L2)
        return self.layers.Dense(units, activation, kernel_regularizer=regular, name=name, dtype="float32")(tensor)


def save(design: Design, trained: Any, path: Path) -> None:
    """Write what people have of such a network: a legacy full-model .h5, softmax policy, tanh value, float32."""
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
