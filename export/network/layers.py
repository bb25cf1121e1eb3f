"""The canonical form of each Keras layer: one rule per kind, from its inputs to its output."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from ..checkpoint.layer_graph import Array, Call, Layer
from .activations import LAYERS as ACTIVATION_LAYERS
from .activations import activation_of
from .emitter import Emitter, Value, float32, misfit, refuse
from .long_sums import emit_long_sum, is_distribution, is_long
from .network import Combine, Concat, Conv, Crop, Dense, PRelu, Reshape

# The result of a layer: one tensor, or a list with each of its outputs.
Rule = Callable[[Emitter, Call, list[Value]], "Value | list[Value]"]


def own_activation(emitter: Emitter, layer: Layer, value: Value) -> Value:
    """`value` after the layer's own `activation`."""
    return emitter.activation(value, activation_of(layer, layer.config.get("activation"), emitter.keras_major))


def emit_part(emitter: Emitter, value: Value, axis: int, first: int, size: int) -> Value:
    """`size` places of the tensor along a logical axis, beginning at `first`."""
    if size == value.shape[axis]:
        return value
    value = emitter.unfolded(value)
    shape = tuple(size if at == axis else whole for at, whole in enumerate(value.shape))
    begin = tuple(first if at == axis else 0 for at in value.axes)
    return emitter.op(Crop, [value], shape, value.axes, begin=begin)


def dense(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """A dense layer on the last axis; its rows take the order of a flattened board in memory.

    Keras applies it to each row of a tensor with several axes: here that is a 1x1 convolution over (rows, 1, features).
    """
    made = emit_dense(emitter, call.layer, inputs[0], call.layer.weights["kernel"], call.layer.weights.get("bias"))
    return own_activation(emitter, call.layer, made)


def emit_dense(emitter: Emitter, layer: Layer, value: Value, kernel: Array, bias: Array | None) -> Value:
    """The last axis of the tensor times `kernel` (features, units), plus `bias` (units,) or nothing."""
    if kernel.shape[0] != value.shape[-1]:
        raise misfit(layer, f"its kernel has {kernel.shape[0]} rows and its input {value.shape[-1]} features")
    bias = None if bias is None else float32(bias)
    if kernel.shape[1] == 1 and is_long(value, [len(value.shape) - 1]) and is_distribution(emitter, value):
        # The mean of a distribution over many places: the numbers nearly cancel.
        weighted = emitter.affine(value, kernel[:, 0].reshape(*(1,) * (len(value.shape) - 1), -1), None)
        mean = emit_long_sum(emitter, weighted, [len(value.shape) - 1])
        return mean if bias is None else emitter.affine(mean, None, bias)
    if len(value.shape) == 1:
        order = value.order()
        rows = kernel if order is None else kernel[order]
        made = emitter.op(Dense, [value], kernel.shape[1:], kernel=float32(rows), bias=bias)
    else:
        value = emitter.plain(value)
        board = (prod(value.shape[:-1]), 1, kernel.shape[0])
        made = emitter.op(
            Conv,
            [emitter.op(Reshape, [value], board)],
            (*board[:2], kernel.shape[1]),
            kernel=float32(kernel[None, None]),
            bias=bias,
            strides=(1, 1),
            padding="VALID",
            dilations=(1, 1),
        )
        made = emitter.op(Reshape, [made], (*value.shape[:-1], kernel.shape[1]))
    return made


def batch_normalization(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """Gamma (x - mean) / sqrt(variance + epsilon) + beta along one axis, as one scale and one shift.

    `simplify.fold` puts them into the linear layer beside it. They are calculated in float64: if beta and mean times
    scale are nearly equal, float32 would leave only rounding error.
    """
    layer, value = call.layer, inputs[0]
    axis = one_axis(layer, layer.config.get("axis", -1), len(value.shape))
    # The axis is used as written: real channels_last checkpoints normalise axis 1, the board's rows.
    weights = {name: array.astype(np.float64) for name, array in layer.weights.items()}
    epsilon = float(layer.config.get("epsilon", 1e-3))
    scale = weights.get("gamma", np.float64(1)) / np.sqrt(weights["moving_variance"] + epsilon)
    shift = weights.get("beta", np.float64(0)) - weights["moving_mean"] * scale
    if scale.shape[0] != value.shape[axis]:
        raise misfit(layer, f"it normalises {scale.shape[0]} channels and axis {axis + 1} has {value.shape[axis]}")
    along = [1] * len(value.shape)
    along[axis] = scale.shape[0]
    return emitter.affine(value, scale.reshape(along), shift.reshape(along))


def one_axis(layer: Layer, axis: Any, rank: int) -> int:
    """A single axis, counted without the batch, from Keras' number or list of one number."""
    axes = axis if isinstance(axis, (list, tuple)) else [axis]
    if len(axes) != 1 or axes[0] == 0:
        raise refuse(layer, f"it works along axes {axes}")
    return int(axes[0]) - 1 if axes[0] > 0 else rank + int(axes[0])


def softmax(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """Softmax(axis), over the entries that its mask allows."""
    value, axis = inputs[0], one_axis(call.layer, call.layer.config.get("axis", -1), len(inputs[0].shape))
    if len(inputs) > 1:
        return emit_masked_softmax(emitter, value, inputs[1], axis)
    return emitter.softmax(value, "softmax", axis)


def emit_masked_softmax(emitter: Emitter, value: Value, mask: Value, axis: int) -> Value:
    """Softmax over a logical axis; where `mask` is false, a large negative number replaces the value.

    Keras 3 replaces the value, reads numbers above a half as true, and answers zeros if the mask allows nothing. Keras
    2 adds the large negative number.
    """
    if emitter.keras_major == 2:
        shifted = emit_combination(emitter, [value, emitter.affine(mask, MASKED, -MASKED)], "add")
        return emitter.softmax(shifted, "softmax", axis)
    mask = emitter.activation(mask, ("above", (0.5,)))
    allowed = emit_combination(emitter, [value, mask], "multiply")
    whole = emit_combination(emitter, [allowed, emitter.affine(mask, MASKED, -MASKED)], "add")
    return emit_combination(emitter, [emitter.softmax(whole, "softmax", axis), mask], "multiply")


def prelu(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """PReLU; `alpha` has size 1 along the axes that share their slopes."""
    alpha, shape = call.layer.weights["alpha"], inputs[0].shape
    if alpha.ndim != len(shape) or any(own not in (1, size) for own, size in zip(alpha.shape, shape, strict=True)):
        raise misfit(call.layer, f"its slopes are of shape {alpha.shape} and its input of {shape}")
    return emitter.like(PRelu, inputs[0], alpha=float32(inputs[0].physical(alpha)))


def combine(function: str) -> Rule:
    """The rule of Add, Subtract, Multiply, Maximum or Minimum: elementwise, in the layout of the largest input."""
    return lambda emitter, call, inputs: emit_combination(emitter, inputs, function)


def emit_combination(emitter: Emitter, inputs: Sequence[Value], function: str) -> Value:
    """The inputs in one elementwise operation, broadcast as NumPy would."""
    rank = max(len(value.shape) for value in inputs)
    aligned = []
    for value in inputs:
        if len(value.shape) < rank:
            value = emitter.op(Reshape, [emitter.plain(value)], (1,) * (rank - len(value.shape)) + value.shape)
        aligned.append(value)
    # The largest input keeps its layout and the others adapt. In a squeeze-and-excite block the gates (1, 1, C) move,
    # which is a free reshape; the board (H, W, C) stays.
    largest = max(aligned, key=lambda value: prod(value.shape))
    # Vectors that were flattened the same way keep their order: each entry belongs to the same place of a board. Equal
    # shapes are not enough. If one vector was flattened differently or never was a board, entry j means something else,
    # so all of them take the order that Keras knows.
    if len({value.folded for value in aligned}) > 1:
        aligned, largest = [emitter.plain(value) for value in aligned], emitter.plain(largest)
    aligned = [value if value.folded else emitter.with_axes(value, largest.axes) for value in aligned]
    shape = np.broadcast_shapes(*(value.shape for value in aligned))
    made = emitter.op(Combine, aligned, shape, largest.axes, function=function)
    return Value(made.name, made.shape, made.axes, largest.folded)


def average(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """The mean of several tensors."""
    total = emit_combination(emitter, inputs, "add")
    return emitter.affine(total, 1 / len(inputs), None)


def emit_concatenation(emitter: Emitter, layer: Layer, inputs: Sequence[Value], axis: Any) -> Value:
    """Tensors joined along a Keras axis, in the layout of the first."""
    rank = len(inputs[0].shape)
    along = one_axis(layer, axis, rank)
    aligned = [emitter.with_axes(value, inputs[0].axes) for value in inputs]
    shape = list(inputs[0].shape)
    shape[along] = sum(value.shape[along] for value in inputs)
    axes = aligned[0].axes
    return emitter.op(Concat, aligned, shape, axes, axis=axes.index(along))


def flatten(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """Flatten; with data_format channels_first Keras moves the channels last before it flattens."""
    value = inputs[0]
    rank = len(value.shape)
    if call.layer.config.get("data_format") == "channels_first" and rank > 1:
        value = relabel(value, (*range(1, rank), 0))
    return emitter.flat(value)


def relabel(value: Value, order: Sequence[int]) -> Value:
    """The tensor under a logical transpose: its axes get other names, and nothing moves."""
    shape = tuple(value.shape[axis] for axis in order)
    return Value(value.name, shape, tuple(list(order).index(axis) for axis in value.axes))


def permute(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """Permute(dims), counted from 1."""
    value = emitter.unfolded(inputs[0])
    return relabel(value, [int(axis) - 1 for axis in call.layer.config["dims"]])


def emit_reshape(emitter: Emitter, value: Value, target: Sequence[int]) -> Value:
    """The tensor's values, in logical order, in another shape."""
    known = prod(size for size in target if size != -1)
    shape = tuple(prod(value.shape) // known if size == -1 else int(size) for size in target)
    if prod(shape) != prod(value.shape):
        raise ValueError(f"{value.shape} as {tuple(target)}")
    if shape == value.shape:
        return value
    if len(shape) == 1:
        return emitter.flat(value)
    return emitter.op(Reshape, [emitter.plain(value)], shape)


def rescaling(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """Rescaling(scale, offset)."""
    ones = np.ones((1,) * len(inputs[0].shape))
    scale, offset = call.layer.config.get("scale", 1.0), call.layer.config.get("offset", 0.0)
    return emitter.affine(inputs[0], ones * scale, ones * offset)


def repeat_vector(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """RepeatVector(n): n rows, each equal to the vector."""
    return emit_repeated(
        emitter, emit_reshape(emitter, inputs[0], (1, *inputs[0].shape)), 0, int(call.layer.config["n"])
    )


def emit_repeated(emitter: Emitter, value: Value, axis: int, times: int) -> Value:
    """The whole tensor repeated `times` along a logical axis, one copy after the other."""
    if not 1 <= times <= _COPIES:
        raise ValueError(f"{times} copies")
    if times == 1:
        return value
    value = emitter.plain(value)
    shape = tuple(size * times if at == axis else size for at, size in enumerate(value.shape))
    return emitter.op(Concat, [value] * times, shape, axis=axis)


# Where Keras masks a value, it is replaced by minus this number.
MASKED = 1e9
_COPIES = 1024
# Layers that work only in training: dropout, noise, regularisation, random changes to pictures.
_NOISE = ("Dropout", "SpatialDropout1D", "SpatialDropout2D", "GaussianNoise", "GaussianDropout", "AlphaDropout")
_TURNS = ("RandomFlip", "RandomRotation", "RandomTranslation", "RandomZoom", "RandomContrast", "RandomBrightness")
IGNORED_KINDS = (*_NOISE, *_TURNS, "SpatialDropout3D", "ActivityRegularization", "Identity", "InputLayer")
RULES: dict[str, Rule] = {
    **dict.fromkeys(IGNORED_KINDS, lambda emitter, call, inputs: inputs[0]),
    **dict.fromkeys(
        ACTIVATION_LAYERS,
        lambda emitter, call, inputs: emitter.activation(inputs[0], ACTIVATION_LAYERS[call.layer.kind](call.layer)),
    ),
    "Softmax": softmax,
    "Dense": dense,
    "BatchNormalization": batch_normalization,
    "Activation": lambda emitter, call, inputs: own_activation(emitter, call.layer, inputs[0]),
    "PReLU": prelu,
    "Add": combine("add"),
    "Subtract": combine("subtract"),
    "Multiply": combine("multiply"),
    "Maximum": combine("maximum"),
    "Minimum": combine("minimum"),
    "Average": average,
    "Concatenate": lambda emitter, call, inputs: emit_concatenation(
        emitter, call.layer, inputs, call.layer.config.get("axis", -1)
    ),
    "Flatten": flatten,
    "Permute": permute,
    "Reshape": lambda emitter, call, inputs: emit_reshape(emitter, inputs[0], call.layer.config["target_shape"]),
    "Rescaling": rescaling,
    "RepeatVector": repeat_vector,
}
