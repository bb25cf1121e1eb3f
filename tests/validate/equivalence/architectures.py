"""Networks of every layer that azx exports, made from a number: the same number makes the same network."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from azx.export.checkpoint.head import Head
from azx.export.checkpoint.layer_graph import Call, InputSpec, Layer, LayerGraph, Source

ACTIVATIONS = (
    *("relu", "tanh", "elu", "swish", "softplus", "gelu", "hard_sigmoid", "selu", "leaky_relu", "relu6", "sigmoid"),
    *("softsign", "mish", "exponential", "hard_swish", "hard_tanh", "tanh_shrink", "log_sigmoid", "squareplus", "celu"),
)
BLOCKS = (
    *("convolution", "norm", "residual", "norm_odd", "squeeze", "separable", "layer_norm", "depthwise", "group_norm"),
    *("transposed", "pool", "activation_layer", "up_sampling", "cropping", "concatenate", "merge", "prelu", "padding"),
    *("grouped", "permute", "instance_norm", "strided", "dilated", "average", "reshape", "rescaling"),
)
HEADS = ("flat", "global_mean", "global_max", "convolution", "norm", "two_dense")


class Maker:
    """A network under way: `shape` is that of its last tensor, without the batch."""

    def __init__(self, seed: int) -> None:
        self.seed, self.random = seed, np.random.default_rng(seed)
        self.keras = "2.15.0" if seed % 2 else "3.5.0"
        self.layout = "channels_first" if seed % 3 == 0 else "channels_last"
        self.calls: list[Call] = []
        planes, board = int(self.random.integers(2, 5)), [int(size) for size in self.random.integers(5, 8, 2)]
        self.tensor, self.shape = "board", (planes, *board) if self.first else (*board, planes)
        self.inputs = [InputSpec("board", "board", self.shape)]

    @property
    def first(self) -> bool:
        return self.layout == "channels_first"

    @property
    def channels(self) -> int:
        return self.shape[0] if self.first and len(self.shape) == 3 else self.shape[-1]

    @property
    def sides(self) -> tuple[int, ...]:
        return self.shape[1:] if self.first else self.shape[:2]

    def numbers(self, *shape: int) -> Any:
        return self.random.normal(0, 0.6 / np.sqrt(max(prod(shape[:-1]), 1)), shape).astype(np.float32)

    def add(self, kind: str, shape: tuple[int, ...], weights: Mapping[str, Any] | None = None, **config: Any) -> str:
        inputs = config.pop("inputs", (self.tensor,))
        name = f"{kind.lower()}_{len(self.calls)}"
        layer = Layer(name, kind, {"name": name, "trainable": True, **config}, weights or {})
        self.calls.append(Call(layer, tuple(inputs), name))
        self.tensor, self.shape = name, tuple(int(size) for size in shape)
        return name

    def board(self, sides: tuple[int, ...], channels: int) -> tuple[int, ...]:
        return (channels, *sides) if self.first else (*sides, channels)

    def convolve(self, filters: int, size: tuple[int, int] = (3, 3), **config: Any) -> None:
        groups, sides = config.get("groups", 1), self.sides
        weights = {"kernel": self.numbers(*size, self.channels // groups, filters)}
        if config.setdefault("use_bias", True):
            weights["bias"] = self.numbers(filters)
        padding = config.setdefault("padding", "same")
        strides, holes = config.setdefault("strides", [1, 1]), config.setdefault("dilation_rate", [1, 1])
        spans = [(side - 1) * hole + 1 for side, hole in zip(size, holes, strict=True)]
        cut = [0, 0] if padding == "same" else [span - 1 for span in spans]
        out = tuple(-(-(side - less) // step) for side, less, step in zip(sides, cut, strides, strict=True))
        self.add("Conv2D", self.board(out, filters), weights, data_format=self.layout, **config)

    def normalise(self, axis: int, *, kind: str = "BatchNormalization", scale: bool = True) -> None:
        size = self.shape[axis - 1 if axis > 0 else axis]
        weights = {"gamma": 1 + self.numbers(size)} if scale else {}
        weights |= {"beta": self.numbers(size)}
        if kind == "BatchNormalization":
            weights |= {"moving_mean": self.numbers(size), "moving_variance": np.abs(self.numbers(size)) + 0.5}
        extra = {"groups": -1} if kind == "InstanceNormalization" else {}
        if kind == "GroupNormalization":
            extra = {"groups": 2}
        named = "GroupNormalization" if kind == "InstanceNormalization" else kind
        weights = {name: value.astype(np.float32) for name, value in weights.items()}
        self.add(named, self.shape, weights, axis=axis, epsilon=1e-3, center=True, scale=scale, **extra)

    @property
    def channel_axis(self) -> int:
        return 1 if self.first and len(self.shape) == 3 else -1

    def activate(self, name: str) -> None:
        self.add("Activation", self.shape, activation=name)

    def dense(self, units: int, activation: str = "linear") -> None:
        weights = {"kernel": self.numbers(self.shape[-1], units), "bias": self.numbers(units)}
        self.add("Dense", (*self.shape[:-1], units), weights, activation=activation, units=units, use_bias=True)

    def flatten(self) -> None:
        self.add("Flatten", (prod(self.shape),), data_format=self.layout)

    def merge(self, kind: str, other: str, shape: tuple[int, ...], **config: Any) -> None:
        self.add(kind, shape, inputs=(self.tensor, other), **config)

    def block(self, kind: str, activation: str) -> None:
        getattr(self, f"_{kind}")(activation)

    def _convolution(self, activation: str) -> None:
        self.convolve(6, (2, 3), activation=activation)

    def _norm(self, activation: str) -> None:
        self.convolve(6, use_bias=False)
        self.normalise(self.channel_axis)
        self.activate(activation)

    def _norm_odd(self, activation: str) -> None:
        self.convolve(4)
        self.normalise(2, scale=False)
        self.activate(activation)

    def _residual(self, activation: str) -> None:
        self.convolve(6)
        before = self.tensor
        self.convolve(6, activation=activation, use_bias=False)
        self.normalise(self.channel_axis)
        self.merge("Add", before, self.shape)
        self.activate(activation)

    def _squeeze(self, activation: str) -> None:
        self.convolve(6)
        board, shape = self.tensor, self.shape
        self.add("GlobalAveragePooling2D", (6,), data_format=self.layout, keepdims=False)
        self.dense(3, activation)
        self.dense(6, "sigmoid")
        self.add("Reshape", (6, 1, 1) if self.first else (1, 1, 6), target_shape=[6, 1, 1] if self.first else [1, 1, 6])
        self.merge("Multiply", board, shape)

    def _separable(self, activation: str) -> None:
        weights = {"depthwise_kernel": self.numbers(3, 3, self.channels, 2)}
        weights |= {"pointwise_kernel": self.numbers(1, 1, 2 * self.channels, 5), "bias": self.numbers(5)}
        shape = self.board(self.sides, 5)
        self.add("SeparableConv2D", shape, weights, padding="same", data_format=self.layout, activation=activation)

    def _depthwise(self, activation: str) -> None:
        weights = {"depthwise_kernel": self.numbers(3, 3, self.channels, 2), "bias": self.numbers(2 * self.channels)}
        shape = self.board(self.sides, 2 * self.channels)
        self.add("DepthwiseConv2D", shape, weights, padding="same", data_format=self.layout, activation=activation)
        self.normalise(self.channel_axis)

    def _layer_norm(self, activation: str) -> None:
        self.convolve(4, activation=activation)
        self.normalise(self.channel_axis, kind="LayerNormalization")

    def _group_norm(self, activation: str) -> None:
        self.convolve(6, activation=activation)
        self.normalise(self.channel_axis, kind="GroupNormalization")

    def _instance_norm(self, activation: str) -> None:
        self.convolve(6)
        self.normalise(self.channel_axis, kind="InstanceNormalization")
        self.activate(activation)

    def _transposed(self, activation: str) -> None:
        strides, padding = ([2, 2], "same") if self.random.integers(2) else ([1, 2], "valid")
        weights = {"kernel": self.numbers(3, 3, 4, self.channels), "bias": self.numbers(4)}
        more = [0 if padding == "same" else max(3 - step, 0) for step in strides]
        sides = tuple(side * step + end for side, step, end in zip(self.sides, strides, more, strict=True))
        given: dict[str, Any] = {
            "strides": strides,
            "padding": padding,
            "data_format": self.layout,
            "activation": activation,
        }
        self.add("Conv2DTranspose", self.board(sides, 4), weights, use_bias=True, **given)
        self.convolve(4, strides=[2, 2])

    def _pool(self, activation: str) -> None:
        self.convolve(5, activation=activation)
        kind = ("MaxPooling2D", "AveragePooling2D")[self.seed % 2]
        given: dict[str, Any] = {"pool_size": [2, 3], "strides": [1, 1], "padding": "same", "data_format": self.layout}
        self.add(kind, self.shape, **given)

    def _activation_layer(self, activation: str) -> None:
        kind, config = (
            ("LeakyReLU", {"alpha": 0.25}),
            ("ELU", {"alpha": 0.5}),
            ("ReLU", {"max_value": 4.0}),
            ("ReLU", {"negative_slope": 0.125, "threshold": 0.5, "max_value": 3.0}),
            ("Softmax", {"axis": -1}),
            ("ThresholdedReLU", {"theta": 0.25}),
        )[self.seed // 2 % 6]
        self.convolve(4)
        self.add(kind, self.shape, **config)

    def _up_sampling(self, activation: str) -> None:
        self.convolve(3, activation=activation, strides=[2, 2])
        sides = (self.sides[0] * 2, self.sides[1] * 3)
        self.add("UpSampling2D", self.board(sides, 3), size=[2, 3], data_format=self.layout)
        self.convolve(4, strides=[2, 3])

    def _cropping(self, activation: str) -> None:
        self.add(
            "ZeroPadding2D",
            self.board((self.sides[0] + 3, self.sides[1] + 2), self.channels),
            padding=[[1, 2], [1, 1]],
            data_format=self.layout,
        )
        self.convolve(5, activation=activation)
        self.add(
            "Cropping2D",
            self.board((self.sides[0] - 3, self.sides[1] - 1), 5),
            cropping=[[2, 1], [1, 0]],
            data_format=self.layout,
        )

    def _concatenate(self, activation: str) -> None:
        before, channels = self.tensor, self.channels
        self.convolve(3, activation=activation)
        axis = self.channel_axis
        self.merge("Concatenate", before, self.board(self.sides, channels + 3), axis=axis)

    def _merge(self, activation: str) -> None:
        self.convolve(4)
        before = self.tensor
        self.convolve(4, activation=activation)
        kind = ("Subtract", "Maximum", "Minimum", "Multiply", "Average")[self.seed % 5]
        self.merge(kind, before, self.shape)

    def _average(self, activation: str) -> None:
        self.convolve(4)
        one = self.tensor
        self.activate(activation)
        other = self.tensor
        self.convolve(4)
        self.add("Average", self.shape, inputs=(self.tensor, one, other))

    def _prelu(self, activation: str) -> None:
        self.convolve(5)
        shape = (
            self.shape
            if self.random.integers(2)
            else tuple(size if at == (0 if self.first else 2) else 1 for at, size in enumerate(self.shape))
        )
        self.add("PReLU", self.shape, {"alpha": self.numbers(*shape)}, shared_axes=None)

    def _padding(self, activation: str) -> None:
        self.convolve(4)
        sides = (self.sides[0] + 2, self.sides[1] + 2)
        self.add("ZeroPadding2D", self.board(sides, 4), padding=[[1, 1], [1, 1]], data_format=self.layout)
        self.activate(activation)
        self.convolve(4, padding="valid")

    def _grouped(self, activation: str) -> None:
        self.convolve(6)
        self.convolve(4, groups=2, activation=activation)

    def _permute(self, activation: str) -> None:
        self.convolve(4, activation=activation)
        one, two, three = self.shape
        self.add("Permute", (one, three, two), dims=[1, 3, 2])
        self.convolve(three if self.first else 4, (1, 1))

    def _strided(self, activation: str) -> None:
        self.convolve(4, (3, 3), strides=[2, 1], padding="valid", activation=activation)

    def _dilated(self, activation: str) -> None:
        self.convolve(4, (3, 3), dilation_rate=[2, 2], activation=activation)

    def _reshape(self, activation: str) -> None:
        self.convolve(4, activation=activation)
        flat = prod(self.shape)
        self.add("Reshape", (flat // 4, 4), target_shape=[-1, 4])
        self.dense(6, activation)
        last = self.shape
        self.add("Reshape", self.board((last[0], 2), 3), target_shape=list(self.board((last[0], 2), 3)))
        self.convolve(4)

    def _rescaling(self, activation: str) -> None:
        self.add("Rescaling", self.shape, scale=1 / 3, offset=-0.5)
        self.convolve(4, activation=activation)

    def head(self, kind: str, units: int, activation: str) -> str:
        if kind == "convolution":
            self.convolve(2, (1, 1))
            self.activate("relu")
        if kind == "norm":
            self.convolve(2, (1, 1), use_bias=False)
            self.normalise(self.channel_axis)
            self.activate("relu")
        if kind.startswith("global"):
            name = "GlobalAveragePooling2D" if kind == "global_mean" else "GlobalMaxPooling2D"
            self.add(name, (self.channels,), data_format=self.layout, keepdims=False)
        else:
            self.flatten()
        if kind == "two_dense":
            self.dense(7, "relu")
            self.normalise(-1)
            self.add("Dropout", self.shape, rate=0.3)
        self.dense(units, activation)
        return self.tensor


def architecture(seed: int) -> LayerGraph:
    """The network of a number: layers, board, layout, Keras' version and weights follow from it."""
    made = Maker(seed)
    if seed % 7 == 3:
        made.inputs.append(InputSpec("more", "more", made.shape))
        made.add(
            "Concatenate", made.board(made.sides, 2 * made.channels), inputs=("board", "more"), axis=made.channel_axis
        )
    for at in range(3):
        kind = BLOCKS[(3 * seed + at) % len(BLOCKS)]
        made.block(kind, ACTIVATIONS[(7 * seed + 3 * at) % len(ACTIVATIONS)])
    trunk, shape = made.tensor, made.shape
    heads = []
    for at, role in enumerate(("value", "policy")[seed % 5 == 4 :]):
        made.tensor, made.shape = trunk, shape
        units, activation = (1, "tanh") if role == "value" else (9, ("softmax", "linear", "log_softmax")[seed % 3])
        tensor = made.head(HEADS[(seed + 2 * at) % len(HEADS)], units, activation)
        heads.append(Head(f"{role}_out", (units,), activation, tensor=tensor))
    source = Source(Path(f"net{seed}.h5"), "h5", "", made.keras, {})
    return LayerGraph(source, f"net{seed}", tuple(made.calls), tuple(made.inputs), tuple(heads))


def write(graph: LayerGraph, name: str, path: Path, batch: int | None = 1, precision: str = "fp32") -> Path:
    """A network as an artifact of a format, without a bundle and without a proof."""
    from azx.export.formats.table import FORMATS
    from azx.export.graph.build import build
    from azx.export.graph.heads import recognise
    from azx.export.network.simplify import simplify

    network = simplify(graph)
    frozen = build(network, recognise(list(network.outputs), graph.name), batch)
    target = path / FORMATS[name].path(graph.name, precision)
    FORMATS[name].write(frozen, target, **({} if precision == "fp32" else {"precision": precision}))
    return target


def ports(graph: LayerGraph) -> tuple[dict[str, str], dict[str, str]]:
    """The artifacts' names of outputs and inputs, to the checkpoint's."""
    from azx.export.graph.heads import recognise
    from azx.export.graph.names import input_names
    from azx.export.network.simplify import simplify

    heads = recognise(list(simplify(graph).outputs), graph.name)
    names = input_names([spec.name for spec in graph.inputs], heads)
    return (
        {head.name: head.source_name for head in heads},
        {name: spec.name for name, spec in zip(names, graph.inputs, strict=True)},
    )
