"""The canonical form of layers along a line of steps, and over boards in three dimensions.

A line becomes a board with one column, so that the rules for boards apply. In three dimensions the depth becomes part
of the channels: a kernel over it becomes a kernel over all channels, with zeros where it does not reach.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, Literal

import numpy as np

from ..checkpoint.door.limits import TENSOR_VALUES
from ..checkpoint.layer_graph import Call, Layer
from . import board_layers
from .board_layers import count_windows, emit_convolution, padding_of
from .emitter import Emitter, Value, misfit, refuse
from .layers import Rule, emit_combination, emit_part, emit_reshape, own_activation, relabel
from .network import Concat, Conv, Pad, Pool, Reshape
from .norm_layers import Reduction, emit_reduction

_OF_TWO = ("kernel_size", "strides", "dilation_rate", "pool_size")


def along_a_line(kind: str) -> Rule:
    """The rule of a layer over steps: the rule of `kind` over a board with one column."""

    def rule(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
        layer, value = call.layer, inputs[0]
        config = dict(layer.config)
        steps = 1 if config.get("data_format") == "channels_first" else 0
        if len(value.shape) != 2:
            raise refuse(layer, f"its input has shape {value.shape}, not steps and channels")
        if config.get("padding") == "causal":
            value = _emit_zeros_before(emitter, layer, value, steps)
            config["padding"] = "valid"
        even = ("strides", "dilation_rate") if kind in ("DepthwiseConv2D", "SeparableConv2D") else ()
        for name in _OF_TWO:
            if config.get(name) is not None:
                # TensorFlow's depthwise convolutions need equal strides; over one column the second stride has no
                # effect.
                config[name] = [_first(config[name]), _first(config[name]) if name in even else 1]
        if kind in ("ZeroPadding2D", "Cropping2D"):
            name = "padding" if kind == "ZeroPadding2D" else "cropping"
            sides = config.get(name, 1)
            config[name] = [[sides, sides] if isinstance(sides, int) else [int(side) for side in sides], [0, 0]]
        if kind == "UpSampling2D":
            config["size"] = [_first(config.get("size", 2)), 1]
        weights = {
            name: np.expand_dims(array, 1) if name.endswith("kernel") else array
            for name, array in layer.weights.items()
        }
        board = emit_reshape(emitter, value, (*value.shape[: steps + 1], 1, *value.shape[steps + 1 :]))
        wide = Layer(layer.name, kind, config, weights)
        made = board_layers.RULES[kind](emitter, replace(call, layer=wide), [board])
        assert isinstance(made, Value)  # noqa: S101 - the rules of boards have one output
        if kind.startswith("Global"):
            return emit_reshape(emitter, made, _without_column(made.shape, steps)) if len(made.shape) == 3 else made
        return emit_reshape(emitter, made, _without_column(made.shape, steps))

    return rule


def _without_column(shape: Sequence[int], steps: int) -> tuple[int, ...]:
    return (*shape[: steps + 1], *shape[steps + 2 :])


def _first(value: Any) -> int:
    return int(value[0]) if isinstance(value, (list, tuple)) else int(value)


def _emit_zeros_before(emitter: Emitter, layer: Layer, value: Value, steps: int) -> Value:
    """The tensor with zeros before its first step, so that no step sees a later one."""
    first = next(iter(layer.weights.values()))
    before = (first.shape[0] - 1) * _first(layer.config.get("dilation_rate", 1))
    return emit_padding(emitter, value, steps, (before, 0))


def emit_padding(emitter: Emitter, value: Value, axis: int, margins: tuple[int, int]) -> Value:
    """The tensor with zeros before and after it along a logical axis."""
    if not any(margins):
        return value
    value = emitter.plain(value)
    before, after = (int(np.prod(part, dtype=int)) for part in (value.shape[:axis], value.shape[axis + 1 :]))
    size = value.shape[axis]
    board = emitter.op(Reshape, [value], (before, size, after))
    longer = size + sum(margins)
    made = emitter.op(Pad, [board], (before, longer, after), rows=(0, 0), columns=margins)
    return emitter.op(Reshape, [made], (*value.shape[:axis], longer, *value.shape[axis + 1 :]))


def _last(emitter: Emitter, layer: Layer, value: Value) -> Value:
    """The tensor with its axes named (depth, rows, columns, channels)."""
    if len(value.shape) != 4:
        raise refuse(layer, f"its input has shape {value.shape}, not depth, rows, columns and channels")
    return relabel(value, (1, 2, 3, 0)) if layer.config.get("data_format") == "channels_first" else value


def _named(layer: Layer, value: Value) -> Value:
    return relabel(value, (3, 0, 1, 2)) if layer.config.get("data_format") == "channels_first" else value


def _flat(emitter: Emitter, value: Value) -> Value:
    """A tensor (depth, rows, columns, channels) as a board of depth times channels."""
    moved = emitter.plain(relabel(value, (1, 2, 0, 3)))
    rows, columns, depth, channels = moved.shape
    return emitter.op(Reshape, [moved], (rows, columns, depth * channels))


def _deep(emitter: Emitter, board: Value, depth: int) -> Value:
    """The inverse of `_flat`."""
    rows, columns, channels = board.shape
    made = emitter.op(Reshape, [board], (rows, columns, depth, channels // depth))
    return relabel(made, (2, 0, 1, 3))


def _three(value: Any) -> list[int]:
    return [int(item) for item in value] if isinstance(value, (list, tuple)) else [int(value)] * 3


def _margins(size: int, window: int, stride: int, dilation: int, padding: str) -> tuple[int, int]:
    """The numbers of zeros before and after an axis, as TensorFlow adds them."""
    if padding != "SAME":
        return 0, 0
    total = max((-(-size // stride) - 1) * stride + (window - 1) * dilation + 1 - size, 0)
    return total // 2, total - total // 2


def convolution_in_depth(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """Conv3D as a convolution over rows and columns, whose kernel holds each window of the depth."""
    layer, value = call.layer, _last(emitter, call.layer, inputs[0])
    kernel, padding = layer.weights["kernel"], padding_of(layer)
    window, *sides, taken, filters = kernel.shape
    stride, *strides = _three(layer.config.get("strides", 1))
    hole, *holes = _three(layer.config.get("dilation_rate", 1))
    depth, channels = value.shape[0], value.shape[3]
    if taken != channels or int(layer.config.get("groups", 1)) != 1:
        raise misfit(layer, f"its kernel takes {taken} channels and its input has {channels}")
    before, _ = _margins(depth, window, stride, hole, padding)
    count = count_windows(depth, window, stride, hole, padding)
    if count < 1 or int(np.prod(sides)) * depth * channels * count * filters > TENSOR_VALUES:
        raise refuse(layer, "as one kernel over all its depth it would be too large")
    whole = np.zeros((*sides, depth, channels, count, filters), kernel.dtype)
    for out in range(count):
        for tap in range(window):
            at = out * stride - before + tap * hole
            if 0 <= at < depth:
                whole[:, :, at, :, out] = kernel[tap]
    bias = np.tile(layer.weights["bias"], count) if "bias" in layer.weights else None
    plain = Layer(layer.name, layer.kind, {"padding": padding, "strides": strides, "dilation_rate": holes})
    whole = whole.reshape(*sides, depth * channels, count * filters)
    made = emit_convolution(emitter, plain, _flat(emitter, value), Conv, whole, count * filters, bias)
    return own_activation(emitter, layer, _named(layer, _deep(emitter, made, count)))


def pooling_in_depth(function: Literal["max", "average"]) -> Rule:
    """The rule of MaxPooling3D or AveragePooling3D: over rows and columns, then over the depth."""

    def rule(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
        layer, value = call.layer, _last(emitter, call.layer, inputs[0])
        window, *size = _three(layer.config.get("pool_size", 2))
        stride, *strides = _three(layer.config.get("strides") or layer.config.get("pool_size", 2))
        padding, depth = padding_of(layer), value.shape[0]
        if padding == "SAME" and function == "average":
            raise refuse(layer, "a mean with padding over depth has no canonical form")
        board = _flat(emitter, value)
        if [*size, *strides] != [1, 1, 1, 1]:
            sides = [count_windows(board.shape[at], size[at], strides[at], 1, padding) for at in (0, 1)]
            details: dict[str, Any] = {"size": tuple(size), "strides": tuple(strides), "padding": padding}
            board = emitter.op(Pool, [board], (*sides, board.shape[2]), function=function, **details)
        before, _ = _margins(depth, window, stride, 1, padding)
        parts = []
        for out in range(count_windows(depth, window, stride, 1, padding)):
            places = range(max(out * stride - before, 0), min(out * stride - before + window, depth))
            channels = board.shape[2] // depth
            taken = [emit_part(emitter, board, 2, at * channels, channels) for at in places]
            parts.append(reduce(lambda x, y: emit_combination(emitter, [x, y], _JOIN[function]), taken))
        whole = parts[0]
        if len(parts) > 1:
            whole = emitter.op(Concat, parts, (*board.shape[:2], board.shape[2] // depth * len(parts)), axis=2)
        if function == "average":
            whole = emitter.affine(whole, 1 / window, None)
        return _named(layer, _deep(emitter, whole, len(parts)))

    return rule


_JOIN: Mapping[str, str] = {"max": "maximum", "average": "add"}


def global_pooling_in_depth(function: Reduction) -> Rule:
    """The rule of GlobalMaxPooling3D or GlobalAveragePooling3D."""

    def rule(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
        first = call.layer.config.get("data_format") == "channels_first"
        axes = [1, 2, 3] if first else [0, 1, 2]
        return emit_reduction(emitter, inputs[0], function, axes, keep=bool(call.layer.config.get("keepdims")))

    return rule


_LINES: Sequence[str] = (
    *("Conv1D", "Conv1DTranspose", "DepthwiseConv1D", "SeparableConv1D", "MaxPooling1D", "AveragePooling1D"),
    *("GlobalMaxPooling1D", "GlobalAveragePooling1D", "ZeroPadding1D", "Cropping1D", "UpSampling1D"),
)
_wide: Callable[[str], str] = lambda kind: kind.replace("1D", "2D")  # noqa: E731
RULES: dict[str, Rule] = {
    **{kind: along_a_line(_wide(kind)) for kind in _LINES},
    "Conv3D": convolution_in_depth,
    "MaxPooling3D": pooling_in_depth("max"),
    "AveragePooling3D": pooling_in_depth("average"),
    "GlobalMaxPooling3D": global_pooling_in_depth("max"),
    "GlobalAveragePooling3D": global_pooling_in_depth("mean"),
}
