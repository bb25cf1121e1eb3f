"""TensorFlow's operations in Core AI, one rule for each operation that a frozen graph may have.

Each rule follows TensorFlow's documentation. Core AI has no slope, no softplus and no padding in convolutions and
pools, and its reductions drop their axes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....errors import ConversionError
from ...graph.build import LOWEST
from ...network.emitter import identity
from .tensors import CHANNELS_FIRST, Emitter, Tensor, numbers

Node = Any  # tensorflow.NodeDef
Rule = Callable[[Emitter, Node, list[Tensor]], Tensor]


def of_constants(node: Node, tensor: Tensor) -> Any:
    """The value of an operand that must be constant in Core AI: axes, sizes, kernels."""
    if tensor.constant is None:
        raise ConversionError(
            f"Core AI: {node.op} '{node.name}' takes what the network computes where only constants can be written."
        )
    return tensor.constant


def _conv(emitter: Emitter, node: Node, inputs: list[Tensor]) -> Tensor:
    x, kernel = inputs[0], of_constants(node, inputs[1])
    depthwise = node.op == "DepthwiseConv2dNative"
    groups = kernel.shape[2] if depthwise else int(x.shape[3] or 1) // kernel.shape[2]
    strides, dilations = (list(node.attr[key].list.i)[1:3] for key in ("strides", "dilations"))
    before = _around(node, x, kernel.shape[:2], strides, dilations or [1, 1])
    padded = _pad_board(emitter, x, before, 0.0)
    # (kh, kw, in, out) -> (out, in, kh, kw); in a depthwise one each channel is a group with its multiples.
    weights = kernel.transpose(3, 2, 0, 1)
    if depthwise:
        weights = kernel.transpose(2, 3, 0, 1).reshape(-1, 1, *kernel.shape[:2])
    made = emitter.ops.conv2d(
        padded, emitter.const(weights), numbers(strides), numbers(dilations or [1, 1]), np.uint32(groups)
    )
    rows, columns = _window_counts(x, before, kernel.shape[:2], strides, dilations or [1, 1])
    return Tensor((x.shape[0], rows, columns, len(weights)), made, CHANNELS_FIRST)


def _pool(emitter: Emitter, node: Node, inputs: list[Tensor]) -> Tensor:
    (x,), (size, strides) = inputs, (list(node.attr[key].list.i)[1:3] for key in ("ksize", "strides"))
    before = _around(node, x, size, strides, [1, 1])
    rows, columns = _window_counts(x, before, size, strides, [1, 1])
    shape = (x.shape[0], rows, columns, x.shape[3])
    window = (numbers(size), numbers(strides), numbers([1, 1]))  # the last one is the distance between its points
    if node.op == "MaxPool":
        kind = emitter.ops.TensorType([_dim(shape[axis]) for axis in CHANNELS_FIRST], np.float32)
        made = emitter.ops.maxpool2d(kind, _pad_board(emitter, x, before, LOWEST), *window, np.bool_(False))
        return Tensor(shape, made, CHANNELS_FIRST)
    made = emitter.ops.sumpool2d(_pad_board(emitter, x, before, 0.0), *map(emitter.whole, window))
    summed = Tensor(shape, made, CHANNELS_FIRST)
    return emitter.elementwise(emitter.ops.broadcasting_mul, summed, Tensor.of(_shares(x, before, size, strides)))


def _shares(x: Tensor, around: Sequence[Sequence[int]], size: Sequence[int], strides: Sequence[int]) -> Any:
    """One divided by the number of board points in each window, (1, rows, columns, 1)."""
    counts = []
    for axis in (0, 1):
        on_board = np.pad(np.ones(int(x.shape[axis + 1] or 1)), around[axis])
        windows = np.lib.stride_tricks.sliding_window_view(on_board, size[axis])[:: strides[axis]]
        counts.append(windows.sum(axis=1))
    return (1 / np.outer(*counts)).astype(np.float32)[None, :, :, None]


def _around(
    node: Node, x: Tensor, size: Sequence[int], strides: Sequence[int], dilations: Sequence[int]
) -> list[tuple[int, int]]:
    """The padding (before, after) of rows and columns; with TensorFlow's SAME an odd one comes after."""
    padding = node.attr["padding"].s
    if padding == b"VALID":
        return [(0, 0), (0, 0)]
    if padding != b"SAME":
        raise ConversionError(f"Core AI: {node.op} '{node.name}' has a padding of its own: pad with a layer.")
    around = []
    for axis in (0, 1):
        board, window = int(x.shape[axis + 1] or 1), (size[axis] - 1) * dilations[axis] + 1
        total = max((-(-board // strides[axis]) - 1) * strides[axis] + window - board, 0)
        around.append((total // 2, total - total // 2))
    return around


def _pad_board(emitter: Emitter, x: Tensor, around: Sequence[tuple[int, int]], value: float) -> Any:
    """The board, channels first, with a margin of one value around it."""
    board = emitter.value_of(x, CHANNELS_FIRST)
    if not any(map(any, around)):
        return board
    return emitter.ops.pad(board, numbers([0, 0, 0, 0, *around[0], *around[1]]), np.float32(value))


def _window_counts(
    x: Tensor,
    around: Sequence[tuple[int, int]],
    size: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
) -> list[int]:
    """The number of places, (rows, columns), of a window over the padded board."""
    boards = [int(x.shape[axis + 1] or 1) + sum(around[axis]) for axis in (0, 1)]
    return [(board - (size[axis] - 1) * dilations[axis] - 1) // strides[axis] + 1 for axis, board in enumerate(boards)]


def _dim(size: int | None) -> int:
    return -1 if size is None else size


def _matmul(emitter: Emitter, node: Node, inputs: list[Tensor]) -> Tensor:
    x, y = inputs
    if node.attr["transpose_a"].b or node.attr["adj_x"].b:
        x = _swap_last_axes(x)
    if node.attr["transpose_b"].b or node.attr["adj_y"].b:
        y = _swap_last_axes(y)
    made = emitter.ops.broadcasting_batch_matmul(emitter.value_of(x), emitter.value_of(y))
    leading = x.shape[:-2] if x.rank >= y.rank else y.shape[:-2]
    shape = (*leading, x.shape[-2], y.shape[-1])
    return Tensor(shape, made, identity(len(shape)))


def _swap_last_axes(tensor: Tensor) -> Tensor:
    """The tensor with its last two axes exchanged; only their names change."""
    axes = (*range(tensor.rank - 2), tensor.rank - 1, tensor.rank - 2)
    return transpose(tensor, axes)


def transpose(tensor: Tensor, axes: Sequence[int]) -> Tensor:
    """Axis i of the result is axis `axes[i]` of the tensor; nothing moves, only the axes' numbers change."""
    shape = tuple(tensor.shape[axis] for axis in axes)
    if tensor.constant is not None:
        return Tensor(shape, constant=tensor.constant.transpose(axes))
    return Tensor(shape, tensor.value, tuple(list(axes).index(axis) for axis in tensor.order))


def _transpose(emitter: Emitter, node: Node, inputs: list[Tensor]) -> Tensor:
    return transpose(inputs[0], [int(axis) for axis in of_constants(node, inputs[1])])


def _reshape(emitter: Emitter, node: Node, inputs: list[Tensor]) -> Tensor:
    x, wanted = inputs[0], [int(size) for size in of_constants(node, inputs[1])]
    known = int(np.prod([size for size in x.shape if size is not None]))
    rest = int(np.prod([size for size in wanted if size != -1]))
    # -1 is the free batch, or the remaining size if the batch is fixed.
    free = None if None in x.shape else known // max(rest, 1)
    return emitter.reshape(x, [free if size == -1 else size for size in wanted])


def _squeeze(emitter: Emitter, node: Node, inputs: list[Tensor]) -> Tensor:
    x = inputs[0]
    given = [axis % x.rank for axis in node.attr["squeeze_dims"].list.i]
    gone = given or [axis for axis, size in enumerate(x.shape) if size == 1]
    return emitter.reshape(x, [size for axis, size in enumerate(x.shape) if axis not in gone])


def _expand(emitter: Emitter, node: Node, inputs: list[Tensor]) -> Tensor:
    x, axis = inputs[0], int(of_constants(node, inputs[1]))
    shape = list(x.shape)
    shape.insert(axis % (x.rank + 1), 1)
    return emitter.reshape(x, shape)


def _concat(emitter: Emitter, node: Node, inputs: list[Tensor]) -> Tensor:
    *parts, axis_of = inputs
    rank = parts[0].rank
    axis = int(of_constants(node, axis_of)) % rank
    order = next((part.order for part in parts if part.constant is None), identity(rank))
    made = emitter.ops.concat(np.int32(order.index(axis)), [emitter.value_of(part, order) for part in parts])
    shape = list(parts[0].shape)
    sizes = [part.shape[axis] for part in parts]
    shape[axis] = None if None in sizes else sum(size for size in sizes if size is not None)
    return Tensor(tuple(shape), made, order)


def _pad(emitter: Emitter, node: Node, inputs: list[Tensor]) -> Tensor:
    x, around = inputs[0], of_constants(node, inputs[1])
    value = float(of_constants(node, inputs[2])) if len(inputs) > 2 else 0.0
    flat = [int(size) for axis in x.order for size in around[axis]]
    shape = tuple(None if size is None else size + int(sum(by)) for size, by in zip(x.shape, around, strict=True))
    return Tensor(shape, emitter.ops.pad(x.value, numbers(flat), np.float32(value)), x.order)


def _slice(emitter: Emitter, node: Node, inputs: list[Tensor]) -> Tensor:
    x, begin, size = inputs[0], of_constants(node, inputs[1]), of_constants(node, inputs[2])
    shape: list[int | None] = []
    starts, ends = [], []
    for axis, whole in enumerate(x.shape):
        start, count = int(begin[axis]), int(size[axis])
        shape.append(count if count != -1 else None if whole is None else whole - start)
        starts.append(start)
        ends.append(np.iinfo(np.int32).max if shape[axis] is None else start + (shape[axis] or 0))
    placed = [np.array([values[axis] for axis in x.order], np.int32) for values in (starts, ends, [1] * x.rank)]
    return Tensor(tuple(shape), emitter.ops.slice_(x.value, *placed), x.order)


_REDUCE = {"Mean": "reduce_mean", "Sum": "reduce_sum", "Max": "reduce_max", "Min": "reduce_min"}


def _reduce(emitter: Emitter, node: Node, inputs: list[Tensor]) -> Tensor:
    x, given = inputs[0], np.atleast_1d(of_constants(node, inputs[1]))
    over = [int(axis) % x.rank for axis in given]
    reduce = getattr(emitter.ops, _REDUCE[node.op])
    # Its axes may be negative, unlike those of a transpose, and keep size 1.
    made = reduce(x.value, np.array([x.order.index(axis) for axis in over], np.int32))
    reduced = Tensor(tuple(1 if axis in over else size for axis, size in enumerate(x.shape)), made, x.order)
    if node.attr["keep_dims"].b:
        return reduced
    return emitter.reshape(reduced, [size for axis, size in enumerate(x.shape) if axis not in over])


def _softmax(emitter: Emitter, node: Node, inputs: list[Tensor]) -> Tensor:
    """Softmax over the last axis; its logarithm is x - m - log(sum(e^(x - m))), which does not overflow."""
    x, ops = inputs[0], emitter.ops
    axis = x.order.index(x.rank - 1)
    if node.op == "Softmax":
        return Tensor(x.shape, ops.softmax(x.value, np.int32(axis)), x.order)
    along = np.array([axis], np.int32)
    less = ops.broadcasting_sub(x.value, ops.reduce_max(x.value, along))
    return Tensor(x.shape, ops.broadcasting_sub(less, ops.log(ops.reduce_sum(ops.exp(less), along))), x.order)


def _bias(emitter: Emitter, node: Node, inputs: list[Tensor]) -> Tensor:
    if node.attr["data_format"].s == b"NCHW":
        raise ConversionError(f"Core AI: BiasAdd '{node.name}' is channels first.")
    return emitter.elementwise(emitter.ops.broadcasting_add, *inputs)


def _norm(emitter: Emitter, node: Node, inputs: list[Tensor]) -> Tensor:
    """Batch norm at inference, as one scale and one shift."""
    if node.attr["is_training"].b or node.attr["data_format"].s == b"NCHW":
        raise ConversionError(f"Core AI: {node.op} '{node.name}' is not one of inference, channels last.")
    gamma, beta, mean, variance = (of_constants(node, tensor).astype(np.float64) for tensor in inputs[1:5])
    scale = gamma / np.sqrt(variance + node.attr["epsilon"].f)
    scaled = emitter.elementwise(emitter.ops.broadcasting_mul, inputs[0], Tensor.of(scale))
    return emitter.elementwise(emitter.ops.broadcasting_add, scaled, Tensor.of(beta - mean * scale))


SHAPED: dict[str, Rule] = {
    **dict.fromkeys(("Conv2D", "DepthwiseConv2dNative"), _conv),
    **dict.fromkeys(("MaxPool", "AvgPool"), _pool),
    **dict.fromkeys(("MatMul", "BatchMatMul", "BatchMatMulV2"), _matmul),
    "Transpose": _transpose,
    "Reshape": _reshape,
    "Squeeze": _squeeze,
    "ExpandDims": _expand,
    "ConcatV2": _concat,
    **dict.fromkeys(("Pad", "PadV2"), _pad),
    "Slice": _slice,
    **dict.fromkeys(_REDUCE, _reduce),
    **dict.fromkeys(("Softmax", "LogSoftmax"), _softmax),
    "BiasAdd": _bias,
    **dict.fromkeys(("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"), _norm),
    **dict.fromkeys(("Identity", "IdentityN", "StopGradient", "Snapshot"), lambda emitter, node, inputs: inputs[0]),
}
