"""ONNX' convolutions and pools: planes come first, and zeros may lie anywhere around the board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..layer_graph import Array
from .operation import FIRST, Operation, as_keras_numbers
from .values import NoForm, Tensor

_WINDOW = 2  # axes of a board that a window slides over


def convolution(op: Operation) -> Tensor:
    """A convolution over a board or along a line, with groups, or with a set of filters per plane."""
    kernel, bias, x = op.needed(1), op.known(2), op.x
    if len(x.shape) == _WINDOW and kernel.ndim == 3:
        return _line(op)
    if len(x.shape) == 4 and kernel.ndim == 5:
        return _deep(op)
    if len(x.shape) != 3 or kernel.ndim != 4:
        raise NoForm(f"its input is of shape {x.shape}, not planes of a board")
    channels, groups = x.shape[0], int(op.get("group", 1))
    strides, holes = list(op.get("strides", [1, 1])), list(op.get("dilations", [1, 1]))
    size = list(kernel.shape[2:])
    if kernel.shape[1] * groups != channels:
        raise NoForm(f"its kernel takes {kernel.shape[1] * groups} planes and its input has {channels}")
    padded, padding = _padded(op, x, size, strides, holes)
    sides = _windows(padded, size, strides, holes, padding)
    common = {
        "strides": strides,
        "padding": padding,
        "data_format": FIRST,
        "dilation_rate": holes,
        "use_bias": bias is not None,
    }
    biased = {} if bias is None else {"bias": bias}
    if groups > 1 and groups == channels:
        # Filter c * multiplier + m of ONNX is filter m of channel c.
        deep = kernel.reshape(channels, -1, *size).transpose(2, 3, 0, 1)
        weights = {"depthwise_kernel": deep, **biased}
        return op.make(
            "DepthwiseConv2D",
            (kernel.shape[0], *sides),
            [padded],
            weights=weights,
            kernel_size=size,
            depth_multiplier=deep.shape[3],
            activation="linear",
            **common,
        )
    weights = {"kernel": kernel.transpose(2, 3, 1, 0), **biased}
    return op.make(
        "Conv2D",
        (kernel.shape[0], *sides),
        [padded],
        weights=weights,
        filters=kernel.shape[0],
        kernel_size=size,
        groups=groups,
        activation="linear",
        **common,
    )


def _line(op: Operation) -> Tensor:
    """A convolution along one axis: over a board with one column."""
    x, kernel = op.x, op.needed(1)
    pads = [int(each) for each in op.get("pads", [0, 0])]
    more = {"strides": [*op.get("strides", [1]), 1], "dilations": [*op.get("dilations", [1]), 1]}
    attributes = {**op.node.attributes, **more, "pads": [pads[0], 0, pads[1], 0]}
    values = [op.reshape(x, (*x.shape, 1)), kernel[..., None], *op.values[2:]]
    made = convolution(Operation(op.calls, replace(op.node, attributes=attributes), values))
    return op.reshape(made, made.shape[:2])


def _deep(op: Operation) -> Tensor:
    """A convolution over depth, rows and columns, with the padding 'same' or none."""
    x, kernel, bias = op.x, op.needed(1), op.known(2)
    size, strides, holes = list(kernel.shape[2:]), list(op.get("strides", [1] * 3)), list(op.get("dilations", [1] * 3))
    pads = [int(each) for each in op.get("pads", [0] * 6)]
    margins = _margins_of_same(x.shape[1:], size, strides, holes)
    same = [*(before for before, _ in margins), *(after for _, after in margins)]
    if kernel.shape[1] != x.shape[0] or (any(pads) and pads != same) or op.get("auto_pad", "NOTSET") != "NOTSET":
        raise NoForm("it has groups, or margins other than those of 'same'")
    padding = "same" if any(pads) else "valid"
    sides = _windows(x, size, strides, holes, padding)
    weights = {"kernel": kernel.transpose(2, 3, 4, 1, 0), **({} if bias is None else {"bias": bias})}
    config = {"filters": kernel.shape[0], "kernel_size": size, "strides": strides, "dilation_rate": holes}
    config |= {"padding": padding, "data_format": FIRST, "use_bias": bias is not None, "activation": "linear"}
    return op.make("Conv3D", (kernel.shape[0], *sides), weights=weights, **config)


def resize(op: Operation) -> Tensor:
    """Each cell repeated a whole number of times, as nearest neighbours on a larger board; or places between cells."""
    x, scales, sizes = op.x, op.known(2) if op.calls.opset > 10 else op.known(1), op.known(3)
    if op.get("mode", "nearest") == "linear" and len(x.shape) == 3:
        return _between_cells(op, x, scales, sizes)
    way = (op.get("coordinate_transformation_mode", "half_pixel"), op.get("nearest_mode", "round_prefer_floor"))
    is_repeated = way == ("asymmetric", "floor") or (way[0].endswith("half_pixel") and way[1].startswith("round"))
    if op.get("mode", "nearest") != "nearest" or len(x.shape) != 3 or not (is_repeated or op.calls.opset < 11):
        raise NoForm("it is smooth, or of no board")
    wanted = [int(size) for size in sizes[2:]] if sizes is not None and sizes.size else None
    if wanted is None and scales is not None and scales.size == 4:
        wanted = [round(float(scale) * side) for scale, side in zip(scales[2:], x.shape[1:], strict=True)]
    if wanted is None or any(new % side for new, side in zip(wanted, x.shape[1:], strict=True)):
        raise NoForm("its sizes are no multiples of the board's")
    times = [new // side for new, side in zip(wanted, x.shape[1:], strict=True)]
    return op.make("UpSampling2D", (x.shape[0], *wanted), size=times, data_format=FIRST, interpolation="nearest")


def _between_cells(op: Operation, x: Tensor, scales: Array | None, sizes: Array | None) -> Tensor:
    """A board with other sides; each cell is interpolated from the nearest two along rows and along columns."""
    whole = sizes is not None and sizes.size
    given = sizes if whole else scales
    if given is None or given.size != 4 or op.get("antialias", 0) or op.get("axes") is not None:
        raise NoForm("it has no sizes of its own, or is smoothed")
    shape = [*x.shape]
    for axis, letters in ((1, "abyw,hy->abhw"), (2, "abhx,wx->abhw")):
        side = x.shape[axis]
        scale = None if whole else float(given[axis + 1])
        new = int(given[axis + 1]) if scale is None else int(np.floor(side * scale))
        if new == side:
            continue
        shape[axis] = new
        numbers = as_keras_numbers(_interpolation(op, side, new, scale or new / side))
        arguments = {"args": [{"tensor": 0}, numbers]}
        x = op.make("ops.Einsum", shape, [x], arguments=arguments, subscripts=letters)
    return x


def _interpolation(op: Operation, side: int, new: int, scale: float) -> Array:
    """The share (new, side) of each old place of an axis in each new one."""
    way, at = op.get("coordinate_transformation_mode", "half_pixel"), np.arange(new, dtype=np.float64)
    places = {
        "half_pixel": (at + 0.5) / scale - 0.5,
        "pytorch_half_pixel": (at + 0.5) / scale - 0.5 if new > 1 else np.zeros(1),
        "align_corners": at * (side - 1) / max(new - 1, 1),
        "asymmetric": at / scale,
    }
    if way not in places:
        raise NoForm(f"its places are those of '{way}'")
    place = np.clip(places[way], 0, side - 1)
    below = np.minimum(np.floor(place).astype(int), side - 1)
    above, share = np.minimum(below + 1, side - 1), place - below
    made = np.zeros((new, side))
    np.add.at(made, (np.arange(new), below), 1 - share)
    np.add.at(made, (np.arange(new), above), share)
    return made


def transposed_convolution(op: Operation) -> Tensor:
    """A transposed convolution: each cell adds its kernel, and the margins are cut off."""
    x, kernel, bias = op.x, op.needed(1), op.known(2)
    size, strides = list(kernel.shape[2:]), list(op.get("strides", [1, 1]))
    pads, plain = list(op.get("pads", [0] * 4)), op.get("auto_pad", "NOTSET") in ("NOTSET", "VALID")
    extra = [*op.get("output_padding", []), *(each - 1 for each in op.get("dilations", []))]
    if len(x.shape) != 3 or len(size) != _WINDOW or any(extra) or op.get("group", 1) != 1 or not plain:
        raise NoForm("it has groups, holes or margins of its own")
    if op.get("output_shape") is not None or any(window < stride for window, stride in zip(size, strides, strict=True)):
        raise NoForm("its size is given, or its steps are wider than its kernel")
    sides = [(side - 1) * stride + window for side, stride, window in zip(x.shape[1:], strides, size, strict=True)]
    weights = {"kernel": kernel.transpose(2, 3, 1, 0), **({} if bias is None else {"bias": bias})}
    config = {"filters": kernel.shape[1], "kernel_size": size, "strides": strides, "padding": "valid"}
    config |= {"data_format": FIRST, "use_bias": bias is not None, "activation": "linear"}
    made = op.make("Conv2DTranspose", (kernel.shape[1], *sides), weights=weights, **config)
    if not any(pads):
        return made
    margins = [[pads[0], pads[2]], [pads[1], pads[3]]]
    left = [side - sum(pair) for side, pair in zip(sides, margins, strict=True)]
    return op.make("Cropping2D", (made.shape[0], *left), [made], cropping=margins, data_format=FIRST)


def pool(op: Operation) -> Tensor:
    """The largest number, or the mean, of each window."""
    x, size = op.x, list(op.get("kernel_shape", []))
    if len(size) == len(x.shape) - 1 and len(size) in (1, 3):
        return _pool_of_line(op) if len(size) == 1 else _pool_of_cube(op)
    if len(x.shape) != 3 or len(size) != _WINDOW:
        raise NoForm(f"its input is of shape {x.shape}, not planes of a board")
    strides, ones = list(op.get("strides", [1, 1])), [1, 1]
    margins, is_same = _margins(op, x.shape[1:], size, strides, ones)
    average = op.node.kind == "AveragePool"
    if list(op.get("dilations", ones)) != ones or len(op.node.outputs) > 1:
        raise NoForm("its windows have holes, or are numbered")
    if op.get("ceil_mode", 0):
        wider = [_over_the_edge(*each) for each in zip(x.shape[1:], margins, size, strides, strict=True)]
        if average and op.get("count_include_pad", 0) and wider != margins:
            raise NoForm("its means count places over the edge")
        is_same, margins = is_same and wider == margins, wider
    counts, none = None, not any(map(sum, margins))
    if average and not none and (op.get("count_include_pad", 0) or not is_same):
        if not op.get("count_include_pad", 0):
            counts = _shares(x.shape[1:], margins, size, strides)
        x, margins, none = _zeros_around(op, x, margins), [(0, 0), (0, 0)], True
    elif not none and not is_same:
        x, none = _edges_around(op, x, margins, size), True
    padding = "valid" if none else "same"
    sides = _windows(x, size, strides, ones, padding)
    kind, shape = "AveragePooling2D" if average else "MaxPooling2D", (x.shape[0], *sides)
    config = {"pool_size": size, "strides": strides, "padding": padding, "data_format": FIRST}
    made = op.make(kind, shape, [x], **config)
    if counts is None:
        return made
    return op.make("ops.Multiply", shape, [made], arguments={"args": [{"tensor": 0}, as_keras_numbers(counts)]})


def _pool_of_line(op: Operation) -> Tensor:
    """A pool along one axis: over a board with one column."""
    pads, given = [int(each) for each in op.get("pads", [0, 0])], op.node.attributes
    more = {"kernel_shape": [*op.get("kernel_shape"), 1], "strides": [*op.get("strides", [1]), 1]}
    node = replace(op.node, attributes={**given, **more, "pads": [pads[0], 0, pads[1], 0]})
    made = pool(Operation(op.calls, node, [op.reshape(op.x, (*op.x.shape, 1))]))
    return op.reshape(made, made.shape[:2])


def _pool_of_cube(op: Operation) -> Tensor:
    """A pool over depth, rows and columns, without margins."""
    x, size = op.x, list(op.get("kernel_shape"))
    strides, odd = list(op.get("strides", [1] * 3)), [*op.get("pads", []), op.get("ceil_mode", 0)]
    if any(odd) or op.get("auto_pad", "NOTSET") not in ("NOTSET", "VALID") or set(op.get("dilations", [1])) != {1}:
        raise NoForm("it has margins or holes")
    sides = _windows(x, size, strides, [1] * 3, "valid")
    kind = "AveragePooling3D" if op.node.kind == "AveragePool" else "MaxPooling3D"
    config = {"pool_size": size, "strides": strides, "padding": "valid", "data_format": FIRST}
    return op.make(kind, (x.shape[0], *sides), **config)


def _over_the_edge(side: int, margin: tuple[int, int], window: int, stride: int) -> tuple[int, int]:
    """The margins, extended at the end for `ceil_mode`: a last window begins on the board."""
    before, after = margin
    count = -(-(side + before + after - window) // stride) + 1
    if (count - 1) * stride >= side + before:
        count -= 1
    return before, max(after, (count - 1) * stride + window - side - before)


def _shares(
    sides: Sequence[int], margins: Sequence[tuple[int, int]], size: Sequence[int], strides: Sequence[int]
) -> Array:
    """The factor for each window's mean over zeros, (rows, columns), if only places on the board count."""
    parts = []
    for side, (before, after), window, stride in zip(sides, margins, size, strides, strict=True):
        starts = np.arange(0, side + before + after - window + 1, stride) - before
        inside = np.minimum(starts + window, side) - np.maximum(starts, 0)
        parts.append(window / inside)
    return np.outer(*parts)


def _edges_around(op: Operation, x: Tensor, margins: Sequence[tuple[int, int]], size: Sequence[int]) -> Tensor:
    """The input with its first and last row and column repeated; no maximum changes, since its window has them too."""
    for axis, ((before, after), window) in enumerate(zip(margins, size, strict=True), start=2):
        if max(before, after) >= window:
            raise NoForm("some of its windows lie over the edge")
        side, last = x.shape[axis - 1], x.shape[axis - 1] - 1
        parts = [*[_edge(op, x, axis, 0)] * before, x, *[_edge(op, x, axis, last)] * after]
        if len(parts) > 1:
            shape = tuple(side + before + after if at == axis - 1 else each for at, each in enumerate(x.shape))
            x = op.make("Concatenate", shape, parts, axis=axis)
    return x


def _edge(op: Operation, x: Tensor, axis: int, at: int) -> Tensor:
    """One row or column of a board."""
    every: dict[str, Any] = {"start": None, "stop": None, "step": None}
    where = [{**every, "start": at, "stop": at + 1} if each == axis else every for each in range(len(x.shape) + 1)]
    shape = tuple(1 if each == axis - 1 else size for each, size in enumerate(x.shape))
    return op.make("ops.GetItem", shape, [x], arguments={"args": [{"tensor": 0}, where]})


def pad(op: Operation) -> Tensor:
    """Zeros around a board's rows and columns."""
    x, rank = op.x, len(op.x.shape) + 1
    pads = [int(each) for each in (op.needed(1) if op.calls.opset >= 11 else op.get("pads", []))]
    value = op.known(2) if op.calls.opset >= 11 else op.get("value", 0.0)
    if op.get("mode", "constant") != "constant" or (value is not None and np.any(value)) or len(op.values) > 3:
        raise NoForm("it fills with other numbers than zeros")
    pairs = list(zip(pads[:rank], pads[rank:], strict=True))
    if rank != 4 or any(pairs[0]) or any(pairs[1]) or min(pads) < 0:
        raise NoForm("it fills along another axis than a board's rows and columns")
    return _zeros_around(op, x, pairs[2:])


def _windows(x: Tensor, size: Sequence[int], strides: Sequence[int], holes: Sequence[int], padding: str) -> list[int]:
    """The number of windows along each axis of the board."""
    counts = [
        -(-side // stride) if padding == "same" else (side - (window - 1) * hole - 1) // stride + 1
        for side, window, stride, hole in zip(x.shape[1:], size, strides, holes, strict=True)
    ]
    if min(counts) < 1:
        raise NoForm("its window is larger than the board")
    return counts


def _margins_of_same(
    sides: Sequence[int], size: Sequence[int], strides: Sequence[int], holes: Sequence[int]
) -> list[tuple[int, int]]:
    """(before, after) of each axis, as TensorFlow's 'same' puts zeros there."""
    spans = [(window - 1) * hole + 1 for window, hole in zip(size, holes, strict=True)]
    totals = [
        max((-(-side // stride) - 1) * stride + span - side, 0)
        for side, stride, span in zip(sides, strides, spans, strict=True)
    ]
    return [(total // 2, total - total // 2) for total in totals]


def _margins(
    op: Operation, sides: Sequence[int], size: Sequence[int], strides: Sequence[int], holes: Sequence[int]
) -> tuple[list[tuple[int, int]], bool]:
    """(before, after) of rows and columns, and whether these equal the margins of TensorFlow's 'same'."""
    same = _margins_of_same(sides, size, strides, holes)
    auto, pads = op.get("auto_pad", "NOTSET"), op.get("pads", [0] * 4)
    if auto == "SAME_UPPER":
        return same, True
    if auto == "SAME_LOWER":
        lower = [(after, before) for before, after in same]
        return lower, lower == same
    if auto == "VALID":
        pads = [0] * 4
    given = [(int(pads[0]), int(pads[2])), (int(pads[1]), int(pads[3]))]
    if min(min(pair) for pair in given) < 0:
        raise NoForm("its margins are negative")
    return given, given == same


def _padded(
    op: Operation, x: Tensor, size: Sequence[int], strides: Sequence[int], holes: Sequence[int]
) -> tuple[Tensor, str]:
    """The input with zeros around the board where 'same' would not put them, and the remaining padding."""
    margins, is_same = _margins(op, x.shape[1:], size, strides, holes)
    if not any(map(sum, margins)):
        return x, "valid"
    if is_same:
        return x, "same"
    return _zeros_around(op, x, margins), "valid"


def _zeros_around(op: Operation, x: Tensor, margins: Sequence[tuple[int, int]]) -> Tensor:
    sides = [side + sum(pair) for side, pair in zip(x.shape[1:], margins, strict=True)]
    return op.make(
        "ZeroPadding2D", (x.shape[0], *sides), [x], padding=[list(pair) for pair in margins], data_format=FIRST
    )
