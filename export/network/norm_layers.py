"""The canonical form of what takes means: reductions over axes, and the normalizations made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from ..checkpoint.layer_graph import Call, Layer
from .emitter import Emitter, Value, refuse
from .layers import Rule, one_axis
from .network import Reduce, Reshape

Reduction = Literal["mean", "sum", "max", "min"]


def reduced(emitter: Emitter, value: Value, function: Reduction, axes: Sequence[int], *, keep: bool) -> Value:
    """Mean, sum, maximum or minimum over logical axes: nothing moves in memory."""
    over = tuple(sorted(value.axes.index(axis) for axis in axes))
    if keep:
        shape = [1 if axis in axes else size for axis, size in enumerate(value.shape)]
        return emitter.op(Reduce, [value], shape, value.axes, function=function, over=over, keep=True)
    left = [axis for axis in range(len(value.shape)) if axis not in axes]
    shape = [value.shape[axis] for axis in left]
    order = tuple(left.index(axis) for axis in value.axes if axis in left)
    return emitter.op(Reduce, [value], shape, order, function=function, over=over, keep=False)


def several_axes(layer: Layer, axis: Any, rank: int) -> list[int]:
    """Logical axes, without the batch, from Keras' number or list; UnsupportedLayer where the batch is among them."""
    given = axis if isinstance(axis, (list, tuple)) else [axis]
    return sorted({one_axis(layer, item, rank) for item in given})


def layer_normalization(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """Gamma (x - mean) / sqrt(variance + epsilon) + beta, mean and variance of each position over some axes."""
    layer, value = call.layer, inputs[0]
    if layer.config.get("rms_scaling"):
        raise refuse(layer, "root mean square scaling has no canonical form")
    axes = several_axes(layer, layer.config.get("axis", -1), len(value.shape))
    made = _normalised(emitter, value, axes, float(layer.config.get("epsilon", 1e-3)))
    return emitter.affine(made, *_scale_and_shift(layer, value.shape, axes))


def group_normalization(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """The same over a board and some of its channels; groups = -1 makes each channel a group."""
    layer, value = call.layer, inputs[0]
    axis = one_axis(layer, layer.config.get("axis", -1), len(value.shape))
    if value.folded or value.axes[-1] != axis:
        value = emitter.with_axes(value, (*(other for other in value.axes if other != axis), axis))
    channels = value.shape[axis]
    groups = channels if layer.config.get("groups", 32) == -1 else int(layer.config.get("groups", 32))
    others = value.physical_shape[:-1]
    split = emitter.op(Reshape, [value], (*others, groups, channels // groups))
    over = [*range(len(others)), len(others) + 1]
    made = _normalised(emitter, split, over, float(layer.config.get("epsilon", 1e-3)))
    back = emitter.op(Reshape, [made], value.shape, value.axes)
    return emitter.affine(back, *_scale_and_shift(layer, value.shape, [axis]))


def _normalised(emitter: Emitter, value: Value, axes: Sequence[int], epsilon: float) -> Value:
    """(x - mean) / sqrt(variance + epsilon), mean and variance of each position over some axes."""
    centred = emitter.pairwise(value, reduced(emitter, value, "mean", axes, keep=True), "subtract")
    variance = reduced(emitter, emitter.pairwise(centred, centred, "multiply"), "mean", axes, keep=True)
    above_zero = emitter.affine(variance, None, epsilon)
    return emitter.pairwise(centred, emitter.activation(above_zero, ("rsqrt", ())), "multiply")


def _scale_and_shift(layer: Layer, shape: Sequence[int], axes: Sequence[int]) -> list[Any]:
    """Gamma and beta, of which the layer may have neither, shaped to broadcast against its input."""
    along = [size if axis in axes else 1 for axis, size in enumerate(shape)]
    weights = list(layer.weights.values())
    return [weights.pop(0).reshape(along) if layer.config.get(key, True) else None for key in ("scale", "center")]


RULES: dict[str, Rule] = {"LayerNormalization": layer_normalization, "GroupNormalization": group_normalization}
