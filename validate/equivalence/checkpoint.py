"""The checkpoint's side: a LayerGraph's layers, as Keras documents them, in the normal form.

It shares nothing with export/network, which the exporter simplifies with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce as fold
from math import prod
from typing import Any

import numpy as np

from ...export.checkpoint.layer_graph import Call, LayerGraph
from ..witness.layer import number, per_axis
from ..witness.windows import same_padding
from . import linear, moves, pointwise, reductions
from .normal import NoRuleError, View, make_input
from .weights import ROUNDING, Weights, add, multiply, round_first, stored


@dataclass(frozen=True, eq=False)
class Layered:
    """A layer applied to views: the argument of every rule here."""

    call: Call
    inputs: tuple[View, ...]
    keras_major: int

    @property
    def name(self) -> str:
        """The layer's name."""
        return self.call.layer.name

    @property
    def config(self) -> Mapping[str, Any]:
        """The layer's configuration."""
        return self.call.layer.config

    @property
    def channels_first(self) -> bool:
        """Whether the layer's channels follow the batch."""
        return bool(self.config.get("data_format") == "channels_first")

    def weight(self, name: str) -> Weights:
        """A weight as the file holds it."""
        if name not in self.call.layer.weights:
            raise self.refusal(f"it has no weight '{name}'")
        return stored(self.call.layer.weights[name])

    def refusal(self, reason: str) -> NoRuleError:
        """The error to raise if there is no rule for what the layer asks."""
        return NoRuleError(self.call.layer.kind, self.name, reason)


Rule = Callable[[Layered, View], View]


def read_graph(graph: LayerGraph) -> dict[str, View]:
    """Each output of the network in the normal form, by its Keras name; NoRuleError if a layer has no rule."""
    tensors = {spec.tensor: make_input(spec.name, (1, *spec.shape)) for spec in graph.inputs}
    needed = _needed(graph)
    for call in graph.calls:
        if call.output in needed:
            tensors[call.output] = _apply(graph, call, tensors)
    missing = next((head for head in graph.outputs if head.tensor not in tensors), None)
    if missing is not None:
        raise NoRuleError("output", missing.source_name, "a layer with several outputs makes it")
    return {head.source_name: tensors[head.tensor] for head in graph.outputs}


def _needed(graph: LayerGraph) -> set[str]:
    """The tensors that the outputs are calculated from."""
    needed = {head.tensor for head in graph.outputs}
    for call in reversed(graph.calls):
        if call.output in needed:
            needed.update(call.inputs)
    return needed


def _apply(graph: LayerGraph, call: Call, tensors: Mapping[str, View]) -> View:
    kind = call.layer.kind.rsplit(">", 1)[-1]
    if kind not in RULES or any(name not in tensors for name in call.inputs):
        raise NoRuleError(call.layer.kind, call.layer.name)
    layer = Layered(call, tuple(tensors[name] for name in call.inputs), graph.source.keras_major)
    try:
        return RULES[kind](layer, layer.inputs[0])
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise layer.refusal(f"its configuration is not understood ({error})") from error


def _last(layer: Layered, view: View) -> View:
    """The view with its channels last."""
    return View(view.node, np.moveaxis(view.index, 1, -1)) if layer.channels_first else view


def _back(layer: Layered, view: View) -> View:
    """The inverse of `_last`."""
    return View(view.node, np.moveaxis(view.index, -1, 1)) if layer.channels_first else view


def _function(layer: Layered, view: View, activation: Any) -> View:
    """`view` through the activation that a layer names."""
    if isinstance(activation, Mapping) and isinstance(activation.get("config"), str):
        activation = activation["config"]
    if activation is not None and not isinstance(activation, str):
        raise layer.refusal("its activation is an object")
    name = (activation or "linear").rsplit(">", 1)[-1]
    if name in ("softmax", "softmax_v2"):
        return reductions.softmax(view, [-1], layer.name)
    if name not in _FUNCTIONS:
        raise layer.refusal(f"the activation '{name}' has no rule")
    return _FUNCTIONS[name](view, layer.name)


_FUNCTIONS: dict[str, Callable[[View, str], View]] = {
    "linear": lambda view, _: view,
    "relu": pointwise.relu,
    "relu6": lambda view, name: pointwise.clip(view, 0, 6, name),
    "leaky_relu": lambda view, name: pointwise.activate(view, "leaky", (0.2,), name),
    "elu": lambda view, name: pointwise.activate(view, "elu", (1.0,), name),
    "swish": pointwise.swish,
    "silu": pointwise.swish,
    **{name: pointwise.plain(name) for name in ("tanh", "sigmoid", "selu", "softplus", "softsign")},
}


def _relu(layer: Layered, view: View) -> View:
    slope, low = number(layer.config.get("negative_slope")), number(layer.config.get("threshold"))
    most = layer.config.get("max_value")
    if low or (slope and most is not None):
        raise layer.refusal("a threshold, or a slope with a largest value, has no rule")
    if slope:
        return pointwise.activate(view, "leaky", (slope,), layer.name)
    return pointwise.relu(view, layer.name) if most is None else pointwise.clip(view, 0, number(most), layer.name)


def _leaky(layer: Layered, view: View) -> View:
    slope = number(layer.config.get("alpha", layer.config.get("negative_slope")), 0.3)
    return pointwise.activate(view, "leaky", (slope,), layer.name)


def _softmax(layer: Layered, view: View) -> View:
    axis = layer.config.get("axis", -1)
    return reductions.softmax(view, axis if isinstance(axis, list) else [int(axis)], layer.name)


def _pads(layer: Layered, view: View, size: Sequence[int], strides: Sequence[int]) -> list[tuple[int, int]]:
    padding = layer.config.get("padding", "valid")
    if padding == "same":
        sides = zip(view.shape[1:-1], size, strides, strict=True)
        return [same_padding(side, window, stride) for side, window, stride in sides]
    if padding != "valid":
        raise layer.refusal(f"the padding '{padding}' has no rule")
    return [(0, 0)] * len(size)


def _finish(layer: Layered, view: View) -> View:
    """A linear operation's own bias and activation."""
    if layer.config.get("use_bias", True):
        view = linear.affine(view, linear.ones(), layer.weight("bias"), layer.name)
    return _function(layer, _back(layer, view), layer.config.get("activation"))


def _windowed(layer: Layered, view: View, kernel: Weights, operation: Callable[..., View]) -> View:
    rank = kernel.values.ndim - 2
    strides = per_axis(layer.config.get("strides", 1), rank)
    holes = per_axis(layer.config.get("dilation_rate", 1), rank)
    spans = [(size - 1) * hole + 1 for size, hole in zip(kernel.values.shape[:rank], holes, strict=True)]
    return operation(view, kernel, _pads(layer, view, spans, strides), strides, holes, layer.name)


def _convolution(layer: Layered, view: View) -> View:
    return _finish(layer, _windowed(layer, _last(layer, view), layer.weight("kernel"), linear.convolution))


def _depthwise(layer: Layered, view: View) -> View:
    return _finish(layer, _windowed(layer, _last(layer, view), layer.weight("depthwise_kernel"), linear.depthwise))


def _separable(layer: Layered, view: View) -> View:
    between = _windowed(layer, _last(layer, view), layer.weight("depthwise_kernel"), linear.depthwise)
    pointwise_kernel = layer.weight("pointwise_kernel")
    matrix = pointwise_kernel.reshape(*pointwise_kernel.values.shape[-2:])
    return _finish(layer, linear.dense(between, matrix, layer.name))


def _dense(layer: Layered, view: View) -> View:
    made = linear.dense(view, layer.weight("kernel"), layer.name)
    if layer.config.get("use_bias", True):
        made = linear.affine(made, linear.ones(), layer.weight("bias"), layer.name)
    return _function(layer, made, layer.config.get("activation"))


def _batch_normalization(layer: Layered, view: View) -> View:
    """A scale and a shift: gamma over the root of variance plus epsilon, beta minus the mean times that."""
    axis = layer.config.get("axis", -1)
    axes = [int(item) % len(view.shape) for item in (axis if isinstance(axis, list) else [axis])]
    weights = [layer.weight(name) for name in layer.call.layer.weights]
    *rest, mean, variance = weights
    values = 1 / np.sqrt(variance.values + number(layer.config.get("epsilon"), 1e-3))
    scale = Weights(values, 4 * ROUNDING * np.abs(values))
    if layer.config.get("scale", True):
        scale = multiply(scale, rest.pop(0))
    shift = multiply(mean.negative(), scale)
    if layer.config.get("center", True):
        shift = add(shift, rest.pop(0))
    shape = tuple(size if at in axes else 1 for at, size in enumerate(view.shape))
    scale, shift = (round_first(part).reshape(*shape) for part in (scale, shift))
    return linear.affine(view, scale, shift, layer.name)


def _merge(function: str) -> Rule:
    def rule(layer: Layered, _: View) -> View:
        rank = max(len(view.shape) for view in layer.inputs)
        views = [
            View(view.node, view.index.reshape(1, *(1,) * (rank - len(view.shape)), *view.shape[1:]))
            for view in layer.inputs
        ]
        return fold(lambda one, other: pointwise.combine(function, one, other, layer.name), views)

    return rule


def _flatten(layer: Layered, view: View) -> View:
    view = _last(layer, view) if len(view.shape) > 2 else view
    return View(view.node, view.index.reshape(1, -1))


def _zero_padding(layer: Layered, view: View) -> View:
    view, padding = _last(layer, view), layer.config["padding"]
    rank = len(view.shape) - 2
    margins = [(padding, padding)] * rank if isinstance(padding, int) else [per_axis(item, 2) for item in padding]
    pairs = [(int(pair[0]), int(pair[-1])) for pair in margins]
    return _back(layer, moves.pad(view, [(0, 0), *pairs, (0, 0)], layer.name))


def _pool(function: str) -> Rule:
    def rule(layer: Layered, view: View) -> View:
        view = _last(layer, view)
        size = per_axis(layer.config.get("pool_size", 2), len(view.shape) - 2)
        strides = per_axis(layer.config.get("strides") or size, len(size))
        made = reductions.pool(view, function, size, _pads(layer, view, size, strides), strides, layer.name)
        return _back(layer, made)

    return rule


def _global_pool(function: str) -> Rule:
    def rule(layer: Layered, view: View) -> View:
        first = 2 if layer.channels_first else 1
        axes = range(first, first + len(view.shape) - 2)
        return reductions.reduce(view, function, axes, layer.name, keep=bool(layer.config.get("keepdims", False)))

    return rule


def _reshape(layer: Layered, view: View) -> View:
    shape = [int(size) for size in layer.config["target_shape"]]
    if prod(size for size in shape if size != -1) == 0:
        raise layer.refusal("a shape with a zero has no rule")
    return moves.reshape(view, [1, *shape], layer.name)


_ONLY_TRAINING = ("Dropout", "SpatialDropout2D", "GaussianDropout", "GaussianNoise", "ActivityRegularization")

RULES: dict[str, Rule] = {
    **dict.fromkeys((*_ONLY_TRAINING, "AlphaDropout", "Identity"), lambda _, view: view),
    "Conv1D": _convolution,
    "Conv2D": _convolution,
    "DepthwiseConv2D": _depthwise,
    "SeparableConv2D": _separable,
    "Dense": _dense,
    **dict.fromkeys(("BatchNormalization", "BatchNormalizationV1", "BatchNormalizationV2"), _batch_normalization),
    "Activation": lambda layer, view: _function(layer, view, layer.config.get("activation")),
    "ReLU": _relu,
    "LeakyReLU": _leaky,
    "ELU": lambda layer, view: pointwise.activate(view, "elu", (number(layer.config.get("alpha"), 1.0),), layer.name),
    "PReLU": lambda layer, view: pointwise.prelu(view, layer.weight("alpha"), layer.name),
    "Softmax": _softmax,
    "Add": _merge("add"),
    "Subtract": _merge("subtract"),
    "Multiply": _merge("multiply"),
    "Maximum": _merge("maximum"),
    "Minimum": _merge("minimum"),
    "Concatenate": lambda layer, _: moves.join(layer.inputs, int(layer.config.get("axis", -1)), layer.name),
    "Flatten": _flatten,
    "Reshape": _reshape,
    "Permute": lambda layer, view: moves.transpose(view, [0, *map(int, layer.config["dims"])], layer.name),
    "ZeroPadding2D": _zero_padding,
    "MaxPooling2D": _pool("max"),
    "AveragePooling2D": _pool("mean"),
    "GlobalMaxPooling2D": _global_pool("max"),
    "GlobalAveragePooling2D": _global_pool("mean"),
}
