"""The canonical form of layers that know the rows, columns and channels of a board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from ..checkpoint.door.limits import TENSOR_VALUES
from ..checkpoint.layer_graph import Array, Call, Layer
from .emitter import Emitter, Value, float32, misfit, refuse
from .layers import Rule, own_activation
from .network import Concat, Conv, Crop, DepthwiseConv, Pad, Padding, Pair, Pool, Reshape, WindowOp
from .norm_layers import Reduction, emit_reduction

# Physical order (rows, columns, channels) in each of Keras' data formats.
BOARD_AXES = {"channels_last": (0, 1, 2), "channels_first": (1, 2, 0)}


def board(emitter: Emitter, layer: Layer, value: Value) -> Value:
    """The tensor as (rows, columns, channels) in memory, whatever the layer's data format."""
    if len(value.shape) != 3:
        raise refuse(layer, f"its input has shape {value.shape}, not rows, columns and channels")
    return emitter.with_axes(value, BOARD_AXES[layer.config.get("data_format") or "channels_last"])


def logical(value: Value, rows: int, columns: int, channels: int) -> tuple[int, ...]:
    """A board's shape as Keras names it, for the layout of `value`."""
    shape = [0, 0, 0]
    for axis, size in zip(value.axes, (rows, columns, channels), strict=True):
        shape[axis] = size
    return tuple(shape)


def pair(value: Any) -> Pair:
    """A (rows, columns) pair from one number for both, or from two numbers."""
    if isinstance(value, (list, tuple)):
        return int(value[0]), int(value[-1])
    return int(value), int(value)


def padding_of(layer: Layer) -> Padding:
    """SAME or VALID; UnsupportedLayer for any other padding."""
    padding = str(layer.config.get("padding", "valid")).upper()
    if padding not in ("SAME", "VALID"):
        raise refuse(layer, f"padding '{padding.lower()}' has no canonical form")
    return "SAME" if padding == "SAME" else "VALID"


def count_windows(size: int, kernel: int, stride: int, dilation: int, padding: Padding) -> int:
    """The number of windows that fit along one side, by TensorFlow's rule."""
    if padding == "SAME":
        return -(-size // stride)
    return -(-(size - (kernel - 1) * dilation) // stride)


def convolution(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """Conv2D. Groups become one kernel with zeros between them, so that a runtime needs no support for groups."""
    layer, value = call.layer, board(emitter, call.layer, inputs[0])
    kernel, groups = layer.weights["kernel"], int(layer.config.get("groups", 1))
    depth, channels = kernel.shape[2], value.physical_shape[2]
    if depth * groups != channels:
        raise misfit(layer, f"its kernel takes {depth * groups} channels and its input has {channels}")
    if groups > 1 and kernel.size * groups > TENSOR_VALUES:
        raise refuse(layer, f"its {groups} groups as one kernel would take over {TENSOR_VALUES:,} values")
    if groups > 1:
        grouped, filters = kernel, kernel.shape[3] // groups
        kernel = np.zeros((*grouped.shape[:2], channels, grouped.shape[3]), grouped.dtype)
        for group in range(groups):
            rows, columns = slice(group * depth, (group + 1) * depth), slice(group * filters, (group + 1) * filters)
            kernel[:, :, rows, columns] = grouped[..., columns]
    made = emit_convolution(emitter, layer, value, Conv, kernel, kernel.shape[3], layer.weights.get("bias"))
    return own_activation(emitter, layer, made)


def emit_convolution(
    emitter: Emitter,
    layer: Layer,
    value: Value,
    kind: type[WindowOp],
    kernel: Array,
    filters: int,
    bias: Array | None,
) -> Value:
    """Emit a convolution with the layer's strides, dilation and padding."""
    strides, dilations = pair(layer.config.get("strides", 1)), pair(layer.config.get("dilation_rate", 1))
    padding = padding_of(layer)
    if kernel.shape[2] != value.physical_shape[2]:
        raise misfit(layer, f"its kernel takes {kernel.shape[2]} channels and its input has {value.physical_shape[2]}")
    sides = [count_windows(value.physical_shape[i], kernel.shape[i], strides[i], dilations[i], padding) for i in (0, 1)]
    if min(sides) < 1:
        raise refuse(layer, f"its kernel {kernel.shape[:2]} is larger than the board {value.physical_shape[:2]}")
    return emitter.op(
        kind,
        [value],
        logical(value, sides[0], sides[1], filters),
        value.axes,
        kernel=float32(kernel),
        bias=None if bias is None else float32(bias),
        strides=strides,
        padding=padding,
        dilations=dilations,
    )


def depthwise(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """DepthwiseConv2D."""
    layer, value = call.layer, board(emitter, call.layer, inputs[0])
    kernel = layer.weights["depthwise_kernel"]
    filters = kernel.shape[2] * kernel.shape[3]
    made = emit_convolution(emitter, layer, value, DepthwiseConv, kernel, filters, layer.weights.get("bias"))
    return own_activation(emitter, layer, made)


def separable(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """SeparableConv2D: a convolution of each channel by itself, then a 1x1 convolution."""
    layer, value = call.layer, board(emitter, call.layer, inputs[0])
    kernel, pointwise = layer.weights["depthwise_kernel"], layer.weights["pointwise_kernel"]
    deep = emit_convolution(emitter, layer, value, DepthwiseConv, kernel, kernel.shape[2] * kernel.shape[3], None)
    plain = Layer(layer.name, layer.kind, {"padding": "valid"})
    made = emit_convolution(emitter, plain, deep, Conv, pointwise, pointwise.shape[3], layer.weights.get("bias"))
    return own_activation(emitter, layer, made)


def pooling(function: Literal["max", "average"]) -> Rule:
    """The rule of MaxPooling2D or AveragePooling2D."""

    def rule(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
        layer, value = call.layer, board(emitter, call.layer, inputs[0])
        size = pair(layer.config.get("pool_size", 2))
        strides = pair(layer.config.get("strides") or size)
        padding = padding_of(layer)
        sides = [count_windows(value.physical_shape[i], size[i], strides[i], 1, padding) for i in (0, 1)]
        shape = logical(value, sides[0], sides[1], value.physical_shape[2])
        details = {"size": size, "strides": strides, "padding": padding}
        return emitter.op(Pool, [value], shape, value.axes, function=function, **details)

    return rule


def global_pooling(function: Reduction) -> Rule:
    """The rule of GlobalMaxPooling2D or GlobalAveragePooling2D.

    The board's axes stay with size 1 if the layer says so.
    """

    def rule(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
        value, keep = board(emitter, call.layer, inputs[0]), bool(call.layer.config.get("keepdims", False))
        return emit_reduction(emitter, value, function, value.axes[:2], keep=keep)

    return rule


def zero_padding(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """ZeroPadding2D."""
    sides = _sides(call.layer.config, "padding")
    return _pad(emitter, board(emitter, call.layer, inputs[0]), sides[0], sides[1])


def _pad(emitter: Emitter, value: Value, above_below: Pair, left_right: Pair) -> Value:
    rows, columns, channels = value.physical_shape
    shape = logical(value, rows + sum(above_below), columns + sum(left_right), channels)
    return emitter.op(Pad, [value], shape, value.axes, rows=above_below, columns=left_right)


def cropping(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """Cropping2D."""
    value, sides = board(emitter, call.layer, inputs[0]), _sides(call.layer.config, "cropping")
    rows, columns, channels = value.physical_shape
    shape = logical(value, rows - sum(sides[0]), columns - sum(sides[1]), channels)
    return emitter.op(Crop, [value], shape, value.axes, begin=(sides[0][0], sides[1][0], 0))


def up_sampling(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """UpSampling2D by repetition, from operations that every runtime has: copies side by side, then a reshape."""
    layer, value = call.layer, board(emitter, call.layer, inputs[0])
    if layer.config.get("interpolation", "nearest") != "nearest":
        raise refuse(layer, f"interpolation '{layer.config['interpolation']}' has no canonical form")
    down, across = pair(layer.config.get("size", 2))
    rows, columns, channels = value.physical_shape
    made = _repeat(emitter, value, (rows, columns, channels), across)
    made = _repeat(emitter, made, (rows, 1, columns * across * channels), down)
    shape = logical(value, rows * down, columns * across, channels)
    return emitter.op(Reshape, [made], shape, value.axes)


def _repeat(emitter: Emitter, value: Value, shape: tuple[int, int, int], times: int) -> Value:
    """The values reshaped to `shape`, with each row of the last axis repeated `times`."""
    rows = emitter.op(Reshape, [value], shape) if value.physical_shape != shape else value
    lying = Value(rows.name, shape, (0, 1, 2))
    return emitter.op(Concat, [lying] * times, (*shape[:2], shape[2] * times), axis=2) if times > 1 else lying


def transposed_convolution(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """Conv2DTranspose: zeros between the places, then a convolution with the rotated kernel.

    TensorFlow's own op needs the size of its result, batch included, as an input. A graph with a free batch would have
    to compute that size.
    """
    layer, value = call.layer, board(emitter, call.layer, inputs[0])
    strides = pair(layer.config.get("strides", 1))
    if layer.config.get("output_padding") is not None or pair(layer.config.get("dilation_rate", 1)) != (1, 1):
        raise refuse(layer, "output padding and dilation have no canonical form in a transposed convolution")
    kernel, same = layer.weights["kernel"], padding_of(layer) == "SAME"
    # Each place becomes the upper left of a block of zeros as large as the strides.
    rows, columns, channels = value.physical_shape
    made = _followed_by_zeros(emitter, value, (rows * columns, channels, 1), strides[1])
    made = _followed_by_zeros(emitter, made, (rows, columns * strides[1] * channels, 1), strides[0])
    shape = logical(value, rows * strides[0], columns * strides[1], channels)
    spread = emitter.op(Reshape, [made], shape, value.axes)
    # A kernel of size k reaches k - stride places beyond its last block. 'valid' keeps them all. 'same' ends with size
    # * stride places: it cuts the smaller half off in front, where its convolution would have padded.
    beyond = [max(size - stride, 0) for size, stride in zip(kernel.shape, strides, strict=False)]
    before = [more // 2 if same else 0 for more in beyond]
    after = before if same else beyond
    margins = [(size - 1 - skipped, end) for size, skipped, end in zip(kernel.shape, before, after, strict=False)]
    padded = _pad(emitter, spread, margins[0], margins[1])
    turned = kernel[::-1, ::-1].transpose(0, 1, 3, 2)
    plain = Layer(layer.name, layer.kind, {"padding": "valid"})
    made = emit_convolution(emitter, plain, padded, Conv, turned, turned.shape[3], layer.weights.get("bias"))
    return own_activation(emitter, layer, made)


def _followed_by_zeros(emitter: Emitter, value: Value, shape: tuple[int, int, int], times: int) -> Value:
    """The values reshaped to `shape`, followed by zeros until its second axis is `times` as long."""
    if times == 1:
        return value
    rows, columns, _ = shape
    lying = emitter.op(Reshape, [value], shape)
    longer = (0, (times - 1) * columns)
    return emitter.op(Pad, [lying], (rows, times * columns, 1), rows=(0, 0), columns=longer)


def _sides(config: Mapping[str, Any], key: str) -> tuple[Pair, Pair]:
    """((top, bottom), (left, right)) from a number, two numbers or two pairs."""
    value = config.get(key, 1)
    if isinstance(value, (list, tuple)):
        return pair(value[0]), pair(value[1])
    return pair(value), pair(value)


RULES: dict[str, Rule] = {
    "Conv2D": convolution,
    "Conv2DTranspose": transposed_convolution,
    "DepthwiseConv2D": depthwise,
    "SeparableConv2D": separable,
    "MaxPooling2D": pooling("max"),
    "AveragePooling2D": pooling("average"),
    "GlobalMaxPooling2D": global_pooling("max"),
    "GlobalAveragePooling2D": global_pooling("mean"),
    "ZeroPadding2D": zero_padding,
    "Cropping2D": cropping,
    "UpSampling2D": up_sampling,
}
