"""The canonical form of reductions over axes, and of the normalizations made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from ..checkpoint.layer_graph import Call, Layer
from .emitter import Emitter, Value, refuse
from .layers import Rule, one_axis
from .long_sums import emit_long_sum, is_long
from .network import Reduce, Reshape

Reduction = Literal["mean", "sum", "max", "min"]


def emit_reduction(emitter: Emitter, value: Value, function: Reduction, axes: Sequence[int], *, keep: bool) -> Value:
    """Mean, sum, maximum or minimum over logical axes; only a long sum moves anything in memory."""
    if function == "sum" and is_long(value, axes):
        made = emit_long_sum(emitter, value, axes)
        left = [size for axis, size in enumerate(value.shape) if axis not in axes]
        return made if keep else emitter.op(Reshape, [emitter.plain(made)], left)
    over = tuple(sorted(value.axes.index(axis) for axis in axes))
    if keep:
        shape = [1 if axis in axes else size for axis, size in enumerate(value.shape)]
        return emitter.op(Reduce, [value], shape, value.axes, function=function, over=over, keep=True)
    left = [axis for axis in range(len(value.shape)) if axis not in axes]
    shape = [value.shape[axis] for axis in left]
    order = tuple(left.index(axis) for axis in value.axes if axis in left)
    return emitter.op(Reduce, [value], shape, order, function=function, over=over, keep=False)


def several_axes(layer: Layer, axis: Any, rank: int) -> list[int]:
    """Logical axes, without the batch, from Keras' number or list; UnsupportedLayer if the batch is among them."""
    given = axis if isinstance(axis, (list, tuple)) else [axis]
    return sorted({one_axis(layer, item, rank) for item in given})


def layer_normalization(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """Gamma (x - mean) / sqrt(variance + epsilon) + beta; each position has its mean and variance over some axes."""
    layer, value = call.layer, inputs[0]
    if layer.config.get("rms_scaling"):
        raise refuse(layer, "root mean square scaling has no canonical form")  # it is RMSNormalization's, with a bias
    axes = several_axes(layer, layer.config.get("axis", -1), len(value.shape))
    made = _emit_normalisation(emitter, value, axes, float(layer.config.get("epsilon", 1e-3)))
    scale, shift = _scale_and_shift(layer, value.shape, axes)
    return emitter.affine(made, scale, shift)


def group_normalization(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """Layer normalization over a board and some of its channels; groups = -1 makes each channel a group."""
    layer, value = call.layer, inputs[0]
    axis = one_axis(layer, layer.config.get("axis", -1), len(value.shape))
    if value.folded or value.axes[-1] != axis:
        value = emitter.with_axes(value, (*(other for other in value.axes if other != axis), axis))
    channels = value.shape[axis]
    groups = channels if layer.config.get("groups", 32) == -1 else int(layer.config.get("groups", 32))
    others = value.physical_shape[:-1]
    split = emitter.op(Reshape, [value], (*others, groups, channels // groups))
    over = [*range(len(others)), len(others) + 1]
    made = _emit_normalisation(emitter, split, over, float(layer.config.get("epsilon", 1e-3)))
    back = emitter.op(Reshape, [made], value.shape, value.axes)
    scale, shift = _scale_and_shift(layer, value.shape, [axis])
    return emitter.affine(back, scale, shift)


def rms_normalization(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """Gamma x / sqrt(mean(x^2) + epsilon), with the mean of each position over some axes."""
    layer, value = call.layer, inputs[0]
    axes = several_axes(layer, layer.config.get("axis", -1), len(value.shape))
    made = emit_by_root_mean_square(emitter, value, axes, float(layer.config.get("epsilon", 1e-6)))
    scale, _ = _scale_and_shift(Layer(layer.name, layer.kind, {"center": False}, layer.weights), value.shape, axes)
    return emitter.affine(made, scale, None)


def emit_by_root_mean_square(emitter: Emitter, value: Value, axes: Sequence[int], epsilon: float) -> Value:
    """X / sqrt(mean(x^2) + epsilon) over logical axes."""
    squares = emit_reduction(emitter, emitter.pairwise(value, value, "multiply"), "mean", axes, keep=True)
    above_zero = emitter.affine(squares, None, epsilon)
    return emitter.pairwise(value, emitter.activation(above_zero, ("rsqrt", ())), "multiply")


def unit_normalization(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """The tensor divided by its length along some axes."""
    axes = several_axes(call.layer, call.layer.config.get("axis", -1), len(inputs[0].shape))
    return emit_unit(emitter, inputs[0], axes)


def emit_unit(emitter: Emitter, value: Value, axes: Sequence[int], least: float = 1e-12) -> Value:
    """X / sqrt(max(sum(x^2), least)) over logical axes."""
    total = emit_reduction(emitter, emitter.pairwise(value, value, "multiply"), "sum", axes, keep=True)
    above_zero = emitter.activation(total, ("maximum", (least,)))
    return emitter.pairwise(value, emitter.activation(above_zero, ("rsqrt", ())), "multiply")


def normalization(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """Normalization: x minus the file's mean, divided by the root of the file's variance."""
    layer, value = call.layer, inputs[0]
    rank, config = len(value.shape), layer.config
    if config.get("invert"):
        raise refuse(layer, "its inverse has no canonical form")
    given = config.get("axis", -1)
    axes = several_axes(layer, given, rank) if given not in (None, [], ()) else []
    statistics: list[Any] = [config.get("mean"), config.get("variance")]
    if None in statistics:
        statistics = list(layer.weights.values())[:2]
    mean, variance = (np.asarray(plain_numbers(part), np.float64) for part in statistics)
    along = [size if axis in axes else 1 for axis, size in enumerate(value.shape)]
    mean, variance = (
        np.broadcast_to(part, [s for s in along if s > 1] or [1]).reshape(along) for part in (mean, variance)
    )
    scale = 1 / np.maximum(np.sqrt(variance), 1e-7)
    return emitter.affine(value, scale, -mean * scale)


def plain_numbers(value: Any) -> Any:
    """Numbers from the object in which Keras may write them: {"class_name": "__numpy__", "config": {"value": ...}}."""
    config = value.get("config") if isinstance(value, dict) else None
    return config["value"] if isinstance(config, dict) else value


def emit_variance(emitter: Emitter, value: Value, axes: Sequence[int], *, keep: bool) -> tuple[Value, Value]:
    """The distances from the mean of each position over some axes, and the mean of their squares."""
    centred = emitter.pairwise(value, emit_reduction(emitter, value, "mean", axes, keep=True), "subtract")
    squares = emitter.pairwise(centred, centred, "multiply")
    return centred, emit_reduction(emitter, squares, "mean", axes, keep=keep)


def _emit_normalisation(emitter: Emitter, value: Value, axes: Sequence[int], epsilon: float) -> Value:
    """(x - mean) / sqrt(variance + epsilon), with the mean and variance of each position over some axes."""
    centred, variance = emit_variance(emitter, value, axes, keep=True)
    above_zero = emitter.affine(variance, None, epsilon)
    return emitter.pairwise(centred, emitter.activation(above_zero, ("rsqrt", ())), "multiply")


def _scale_and_shift(layer: Layer, shape: Sequence[int], axes: Sequence[int]) -> tuple[Any, Any]:
    """Gamma and beta (None if absent), with axes of size 1 added so that they broadcast against `shape`."""
    along = [size if axis in axes else 1 for axis, size in enumerate(shape)]
    weights = list(layer.weights.values())
    scale = weights.pop(0).reshape(along) if layer.config.get("scale", True) else None
    shift = weights.pop(0).reshape(along) if layer.config.get("center", True) else None
    return scale, shift


RULES: dict[str, Rule] = {
    "LayerNormalization": layer_normalization,
    "GroupNormalization": group_normalization,
    "RMSNormalization": rms_normalization,
    "UnitNormalization": unit_normalization,
    "Normalization": normalization,
}
