"""ONNX' operations as layers of Keras 3, one by one: what the rest of azx reads, computes twice and exports.

A convolution of ONNX has its planes first and any zeros around the board; a dense layer is Gemm, or MatMul with numbers
of the file. (https://onnx.ai/onnx/operators.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import isclose, prod
from typing import Any

import numpy as np

from .door.limits import LAYERS
from .layer_graph import Array, Call, Layer
from .onnx_model import Node
from .onnx_values import BATCH, NoForm, Tensor, Value, axes_of, fold, slices_of

_FIRST = "channels_first"
_WINDOW = 2  # axes of a board that a window slides over


@dataclass(eq=False)
class Calls:
    """The layers so far, and what each name of the graph stands for."""

    opset: int
    batch: int | None = None
    values: dict[str, Value] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    _names: set[str] = field(default_factory=set)

    def read(self, node: Node) -> None:
        """Add the layers of one operation; NoForm, which says why, if it has none."""
        values = [self.values[name] if name else None for name in node.inputs]
        folded = fold(node, values, self.opset)
        if folded is None:
            rule = _RULES.get(node.kind)
            if rule is None:
                raise NoForm("it is none that azx knows")
            made = rule(_Operation(self, node, values))
            answers: Sequence[Value] = made if isinstance(made, list) else [made]
        else:
            answers = folded
        self.values.update(zip(node.outputs, answers, strict=False))

    def add(
        self,
        name: str,
        kind: str,
        inputs: Sequence[Tensor],
        shape: Sequence[int],
        *,
        weights: Any = None,
        arguments: Any = None,
        **config: Any,
    ) -> Tensor:
        """Append a layer that is called once, and return what it makes, of `shape` without the batch."""
        if len(self.calls) >= LAYERS:
            raise NoForm(f"it is one of over {LAYERS:,} layers")
        name = self.unique(name)
        layer = Layer(name, kind, {"name": name, **config}, weights or {})
        self.calls.append(Call(layer, tuple(each.name for each in inputs), name, arguments or {}))
        return Tensor(name, tuple(int(size) for size in shape))

    def unique(self, name: str) -> str:
        """The name itself, or with a number behind it if it is taken."""
        found = next(
            each
            for each in (name, *(f"{name}_{at}" for at in range(1, len(self._names) + 2)))
            if each not in self._names
        )
        self._names.add(found)
        return found


@dataclass(frozen=True, eq=False)
class _Operation:
    """A node with what its inputs stand for."""

    calls: Calls
    node: Node
    values: Sequence[Value | None]

    @property
    def x(self) -> Tensor:
        return self.tensor(0)

    @property
    def name(self) -> str:
        """A short name for its layers: the node's own without slashes, /conv1/Conv as conv1."""
        parts = [part for part in self.node.name.split("/") if part]
        if (len(parts) > 1 and parts[-1].rpartition("_")[0] in (self.node.kind, "")) or parts[-1:] == [self.node.kind]:
            parts = parts[:-1] or parts
        return "_".join(parts)[:200] or self.node.kind.lower()

    def tensor(self, at: int) -> Tensor:
        value = self.values[at] if at < len(self.values) else None
        if not isinstance(value, Tensor):
            raise NoForm("it takes numbers of the file in a tensor's place")
        if value.batch:
            raise NoForm("it reads a tensor whose positions lie on another axis than the first")
        return self.repeat(value)

    def repeat(self, x: Tensor) -> Tensor:
        """A tensor with its values as often as Expand asked for: of planes of one cell alone."""
        if x.spread is None:
            return x
        if len(x.shape) != 3 or x.shape[1:] != (1, 1) or x.spread[0] != x.shape[0]:
            raise NoForm(f"{x.shape} repeated as {x.spread} has no canonical form")
        return self.calls.add(
            f"{self.name}_repeated", "UpSampling2D", [x], x.spread, size=list(x.spread[1:]), data_format=_FIRST
        )

    def known(self, at: int) -> Array | None:
        """Numbers of the file as an input; None if it is left out."""
        value = self.values[at] if at < len(self.values) else None
        if isinstance(value, Tensor):
            raise NoForm(f"its {at + 1}. input is computed from the position")
        return value

    def needed(self, at: int) -> Array:
        value = self.known(at)
        if value is None:
            raise NoForm(f"its {at + 1}. input is missing")
        return value

    def get(self, name: str, default: Any = None) -> Any:
        return self.node.attributes.get(name, default)

    def make(
        self, kind: str, shape: Sequence[int] | None = None, inputs: Sequence[Tensor] | None = None, **rest: Any
    ) -> Tensor:
        inputs = [self.x] if inputs is None else inputs
        return self.calls.add(self.name, kind, inputs, inputs[0].shape if shape is None else shape, **rest)

    def axis(self, name: str, default: int, rank: int) -> int:
        """An axis counted with the batch; NoForm for the batch itself."""
        axis = int(self.get(name, default)) % (rank + 1)
        if axis == 0:
            raise NoForm("it works along the positions")
        return axis

    def reshape(self, x: Tensor, shape: Sequence[int]) -> Tensor:
        if tuple(shape) == x.shape:
            return x
        return self.make("Reshape", shape, [x], target_shape=list(shape))


def _constant(array: Array) -> dict[str, Any]:
    return {"class_name": "__numpy__", "config": {"value": np.asarray(array, np.float64)}}


def _convolution(op: _Operation) -> Tensor:
    kernel, bias, x = op.needed(1), op.known(2), op.x
    if len(x.shape) == _WINDOW and kernel.ndim == 3:
        return _line(op)
    if len(x.shape) != 3 or kernel.ndim != 4:
        raise NoForm(f"its input is of shape {x.shape}, not planes of a board")
    channels, groups = x.shape[0], int(op.get("group", 1))
    strides, holes = list(op.get("strides", [1, 1])), list(op.get("dilations", [1, 1]))
    size = list(kernel.shape[2:])
    if kernel.shape[1] * groups != channels:
        raise NoForm(f"its kernel takes {kernel.shape[1] * groups} planes and its input has {channels}")
    padded, padding = _padded(op, x, size, strides, holes)
    sides = [
        _windows(side, window, stride, hole, padding)
        for side, window, stride, hole in zip(padded.shape[1:], size, strides, holes, strict=True)
    ]
    common = {
        "strides": strides,
        "padding": padding,
        "data_format": _FIRST,
        "dilation_rate": holes,
        "use_bias": bias is not None,
    }
    biased = {} if bias is None else {"bias": bias}
    if groups > 1 and groups == channels:
        # Filter c * multiplier + m of ONNX is the m-th one of channel c.
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


def _line(op: _Operation) -> Tensor:
    """A convolution along one axis: over a board of one column."""
    x, kernel = op.x, op.needed(1)
    pads = [int(each) for each in op.get("pads", [0, 0])]
    more = {"strides": [*op.get("strides", [1]), 1], "dilations": [*op.get("dilations", [1]), 1]}
    attributes = {**op.node.attributes, **more, "pads": [pads[0], 0, pads[1], 0]}
    values = [op.reshape(x, (*x.shape, 1)), kernel[..., None], *op.values[2:]]
    made = _convolution(_Operation(op.calls, replace(op.node, attributes=attributes), values))
    return op.reshape(made, made.shape[:2])


def _transposed(op: _Operation) -> Tensor:
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
    config |= {"data_format": _FIRST, "use_bias": bias is not None, "activation": "linear"}
    made = op.make("Conv2DTranspose", (kernel.shape[1], *sides), weights=weights, **config)
    if not any(pads):
        return made
    margins = [[pads[0], pads[2]], [pads[1], pads[3]]]
    left = [side - sum(pair) for side, pair in zip(sides, margins, strict=True)]
    return op.make("Cropping2D", (made.shape[0], *left), [made], cropping=margins, data_format=_FIRST)


def _windows(side: int, window: int, stride: int, hole: int, padding: str) -> int:
    count = -(-side // stride) if padding == "same" else (side - (window - 1) * hole - 1) // stride + 1
    if count < 1:
        raise NoForm("its window is larger than the board")
    return count


def _margins(
    op: _Operation, sides: Sequence[int], size: Sequence[int], strides: Sequence[int], holes: Sequence[int]
) -> tuple[list[tuple[int, int]], bool]:
    """(before, after) of rows and columns, and whether those are what 'same' of TensorFlow adds."""
    spans = [(window - 1) * hole + 1 for window, hole in zip(size, holes, strict=True)]
    totals = [
        max((-(-side // stride) - 1) * stride + span - side, 0)
        for side, stride, span in zip(sides, strides, spans, strict=True)
    ]
    same = [(total // 2, total - total // 2) for total in totals]
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
    op: _Operation, x: Tensor, size: Sequence[int], strides: Sequence[int], holes: Sequence[int]
) -> tuple[Tensor, str]:
    """The input with zeros around the board where 'same' would not put them, and the padding that is left."""
    margins, is_same = _margins(op, x.shape[1:], size, strides, holes)
    if not any(map(sum, margins)):
        return x, "valid"
    if is_same:
        return x, "same"
    return _zeros_around(op, x, margins), "valid"


def _zeros_around(op: _Operation, x: Tensor, margins: Sequence[tuple[int, int]]) -> Tensor:
    sides = [side + sum(pair) for side, pair in zip(x.shape[1:], margins, strict=True)]
    return op.make(
        "ZeroPadding2D", (x.shape[0], *sides), [x], padding=[list(pair) for pair in margins], data_format=_FIRST
    )


def _pool(op: _Operation) -> Tensor:
    x, size = op.x, list(op.get("kernel_shape", []))
    if len(x.shape) != 3 or len(size) != _WINDOW:
        raise NoForm(f"its input is of shape {x.shape}, not planes of a board")
    strides, ones = list(op.get("strides", [1, 1])), [1, 1]
    margins, is_same = _margins(op, x.shape[1:], size, strides, ones)
    average, none = op.node.kind == "AveragePool", not any(map(sum, margins))
    if op.get("ceil_mode", 0) or list(op.get("dilations", ones)) != ones or len(op.node.outputs) > 1:
        raise NoForm("its windows go over the edge, have holes, or are numbered")
    if average and not none and op.get("count_include_pad", 0):
        x, margins, none = _zeros_around(op, x, margins), [(0, 0), (0, 0)], True
    if not none and not is_same:
        raise NoForm("its margins are other than those of 'same'")
    padding = "valid" if none else "same"
    sides = [
        _windows(side, window, stride, 1, padding)
        for side, window, stride in zip(x.shape[1:], size, strides, strict=True)
    ]
    kind = "AveragePooling2D" if average else "MaxPooling2D"
    return op.make(
        kind, (x.shape[0], *sides), [x], pool_size=size, strides=strides, padding=padding, data_format=_FIRST
    )


def _gemm(op: _Operation) -> Tensor:
    matrix, bias, x = op.needed(1), op.known(2), op.x
    if op.get("transA", 0) or len(x.shape) != 1:
        raise NoForm(f"its input is of shape {x.shape}, not a vector of each position")
    kernel = (matrix.T if op.get("transB", 0) else matrix) * np.float32(op.get("alpha", 1.0))
    weights = {"kernel": kernel}
    if bias is not None:
        bias = np.broadcast_to(bias.reshape(-1) if bias.size == kernel.shape[1] else bias, (kernel.shape[1],))
        weights["bias"] = np.asarray(bias * np.float32(op.get("beta", 1.0)))
    return _dense(op, weights)


def _matmul(op: _Operation) -> Tensor:
    if isinstance(op.values[0], Tensor) and isinstance(op.values[1], Tensor):
        x, y = op.tensor(0), op.tensor(1)
        if len(x.shape) < 2 or x.shape[:-2] != y.shape[:-2] or x.shape[-1] != y.shape[-2]:
            raise NoForm(f"it multiplies {x.shape} by {y.shape}")
        both = [{"tensor": 0}, {"tensor": 1}]
        return op.make("ops.Matmul", (*x.shape[:-1], y.shape[-1]), [x, y], arguments={"args": both})
    return _dense(op, {"kernel": op.needed(1)})


def _dense(op: _Operation, weights: dict[str, Array]) -> Tensor:
    kernel, x = weights["kernel"], op.x
    if kernel.ndim != 2 or not x.shape or kernel.shape[0] != x.shape[-1]:
        raise NoForm(f"a matrix of shape {kernel.shape} does not fit an input of {x.shape}")
    config = {"units": kernel.shape[1], "use_bias": "bias" in weights, "activation": "linear"}
    return op.make("Dense", (*x.shape[:-1], kernel.shape[1]), weights=weights, **config)


def _batch_norm(op: _Operation) -> Tensor:
    if op.get("training_mode", 0) or not op.x.shape:
        raise NoForm("it is in training")
    names = ("gamma", "beta", "moving_mean", "moving_variance")
    weights = {name: op.needed(at) for at, name in enumerate(names, start=1)}
    return op.make(
        "BatchNormalization", weights=weights, axis=1, epsilon=op.get("epsilon", 1e-5), scale=True, center=True
    )


def _layer_norm(op: _Operation) -> Tensor:
    x = op.x
    first = op.axis("axis", -1, len(x.shape))
    axes, shape = list(range(first, len(x.shape) + 1)), x.shape[first - 1 :]
    scale, shift = op.needed(1), op.known(2)
    weights = {"0": np.broadcast_to(scale, shape)}
    weights |= {} if shift is None else {"1": np.broadcast_to(shift, shape)}
    return op.make(
        "LayerNormalization",
        weights=weights,
        axis=axes,
        epsilon=op.get("epsilon", 1e-5),
        scale=True,
        center=shift is not None,
    )


def _instance_norm(op: _Operation) -> Tensor:
    """Each plane by itself: a group normalization with a group a plane."""
    weights = {"0": op.needed(1), "1": op.needed(2)}
    return op.make("GroupNormalization", weights=weights, axis=1, groups=-1, epsilon=op.get("epsilon", 1e-5))


def _celu(op: _Operation) -> Tensor:
    if op.get("alpha", 1.0) != 1.0:
        raise NoForm("it has another slope than 1")
    return op.make("Activation", activation="celu")


def _activation(name: str) -> Callable[[_Operation], Tensor]:
    return lambda op: op.make("Activation", activation=name)


def _plain(kind: str) -> Callable[[_Operation], Tensor]:
    """An operation of Keras 3 with nothing but its operand."""
    return lambda op: op.make(f"ops.{kind}", arguments={"args": [{"tensor": 0}]})


def _with_number(op: _Operation, x: Tensor, kind: str, constant: Any, *, first: bool = False) -> Tensor:
    """An operation of a tensor and numbers of the file, whose shape may be the larger one along axes of size 1."""
    array = np.asarray(constant)
    if array.ndim == len(x.shape) + 1 and array.shape[0] == 1:
        array = array[0]
    if array.ndim > len(x.shape):
        raise NoForm("it combines positions with numbers of the file")
    shape = np.broadcast_shapes(x.shape, array.shape)
    if shape != x.shape:
        raise NoForm(f"it spreads {x.shape} over numbers of shape {array.shape}")
    both = [{"tensor": 0}, _constant(array)]
    return op.make(f"ops.{kind}", shape, [x], arguments={"args": both[::-1] if first else both})


_MERGES = {"Add": "Add", "Sub": "Subtract", "Mul": "Multiply", "Max": "Maximum", "Min": "Minimum", "Sum": "Add"}
_OPS = {"Add": "Add", "Sub": "Subtract", "Mul": "Multiply", "Div": "Divide", "Max": "Maximum", "Min": "Minimum"} | {
    "Sum": "Add",
    "Pow": "Power",
}


def _combine(op: _Operation) -> Tensor:
    """Two or more operands, one by one."""
    made, *others = op.values
    for other in others:
        if isinstance(made, Tensor) and isinstance(other, Tensor):
            made = _merge(op, made, other)
        elif isinstance(made, Tensor):
            made = _with_number(op, op.repeat(made), _OPS[op.node.kind], other)
        elif isinstance(other, Tensor):
            made = _with_number(op, op.repeat(other), _OPS[op.node.kind], np.asarray(made), first=True)
        else:
            raise NoForm("it combines several numbers of the file")
    if not isinstance(made, Tensor):
        raise NoForm("it has one operand, a number of the file")
    return made


def _merge(op: _Operation, one: Tensor, other: Tensor) -> Tensor:
    if len(one.shape) == len(other.shape):
        whole = np.broadcast_shapes(*(each.spread or each.shape for each in (one, other)))
        if np.broadcast_shapes(one.shape, other.shape) != whole:
            one, other = op.repeat(one), op.repeat(other)
    else:
        raise NoForm(f"it combines {one.shape} with {other.shape}, of which one would spread over the positions")
    shape = np.broadcast_shapes(one.shape, other.shape)
    if op.node.kind in _MERGES:
        return op.make(_MERGES[op.node.kind], shape, [one, other])
    if op.node.kind != "Div":
        raise NoForm("a power of two tensors has no canonical form")
    return op.make("ops.Divide", shape, [one, other], arguments={"args": [{"tensor": 0}, {"tensor": 1}]})


def _mean(op: _Operation) -> Tensor:
    total = _combine(_Operation(op.calls, Node(op.node.name, "Sum", (), (), {}), op.values))
    return _with_number(op, total, "Multiply", 1 / len(op.values))


def _clip(op: _Operation) -> Tensor:
    low, high = (op.known(at) if op.calls.opset >= 11 else op.get(("min", "max")[at - 1]) for at in (1, 2))
    made = op.x
    for kind, bound in (("Maximum", low), ("Minimum", high)):
        if bound is not None:
            made = _with_number(op, made, kind, float(np.asarray(bound).reshape(())))
    return made


def _hard_sigmoid(op: _Operation) -> Tensor:
    alpha, beta = op.get("alpha", 0.2), op.get("beta", 0.5)
    if isclose(alpha, 1 / 6, rel_tol=1e-5) and beta == 0.5:
        return op.make("Activation", activation="hard_sigmoid")
    made = _with_number(op, _with_number(op, op.x, "Multiply", alpha), "Add", beta)
    return _with_number(op, _with_number(op, made, "Maximum", 0.0), "Minimum", 1.0)


def _prelu(op: _Operation) -> Tensor:
    slope, x = op.needed(1), op.x
    slope = slope[0] if slope.ndim == len(x.shape) + 1 else slope
    alpha = slope.reshape((1,) * (len(x.shape) - slope.ndim) + slope.shape)
    return op.make("PReLU", weights={"alpha": np.asarray(alpha)})


def _softmax(name: str) -> Callable[[_Operation], Tensor]:
    """Over one axis; before operator set 13 over all axes from it on."""

    def run(op: _Operation) -> Tensor:
        rank = len(op.x.shape)
        axis = op.axis("axis", -1 if op.calls.opset >= 13 else 1, rank)
        if op.calls.opset < 13 and axis != rank:
            flat = op.reshape(op.x, (*op.x.shape[: axis - 1], prod(op.x.shape[axis - 1 :])))
            return op.reshape(op.make("Activation", inputs=[flat], activation=name), op.x.shape)
        if axis == rank:
            return op.make("Activation", activation=name)
        kind = "Softmax" if name == "softmax" else "LogSoftmax"
        return op.make(f"ops.{kind}", arguments={"args": [{"tensor": 0}], "axis": axis})

    return run


def _reduction(kind: str, *, everywhere: bool = False) -> Callable[[_Operation], Tensor]:
    def run(op: _Operation) -> Tensor:
        x, rank = op.x, len(op.x.shape)
        given = (
            list(range(2, rank + 1))
            if everywhere
            else axes_of(op.node, [op.x, op.known(1)] if len(op.values) > 1 else [op.x])
        )
        keep = everywhere or bool(op.get("keepdims", 1))
        axes = sorted({axis % (rank + 1) for axis in given or []})
        if not axes or 0 in axes:
            raise NoForm("it reduces over the positions")
        kept = [1 if at + 1 in axes else size for at, size in enumerate(x.shape) if keep or at + 1 not in axes]
        return op.make(f"ops.{kind}", kept, arguments={"args": [{"tensor": 0}], "axis": axes, "keepdims": keep})

    return run


def _reshape(op: _Operation) -> Tensor:
    x, wanted = op.x, [int(size) for size in (op.needed(1) if op.calls.opset >= 5 else op.get("shape", []))]
    sizes = [
        (BATCH, *x.shape)[at] if size == 0 and not op.get("allowzero", 0) else size for at, size in enumerate(wanted)
    ]
    first, *rest = sizes or [0]
    if BATCH in rest:
        raise NoForm("it moves the positions to another axis")
    known = prod(size for size in rest if size != -1)
    shape = [prod(x.shape) // max(known, 1) if size == -1 else size for size in rest]
    if prod(shape) != prod(x.shape) or first not in (-1, BATCH, op.calls.batch):
        raise NoForm(f"it gives {x.shape} the shape {tuple(sizes)}, which mixes positions")
    return op.reshape(x, shape)


def _flatten(op: _Operation) -> Tensor:
    if int(op.get("axis", 1)) % (len(op.x.shape) + 1) != 1:
        raise NoForm("it mixes positions")
    return op.make("Flatten", (prod(op.x.shape),), data_format="channels_last") if len(op.x.shape) != 1 else op.x


def _transpose(op: _Operation) -> Tensor:
    """Any order of the axes; one that moves the positions is for a cut along the first axis, as of q, k and v."""
    order = [int(axis) for axis in op.get("perm", range(len(op.x.shape), -1, -1))]
    dims = [axis for axis in order if axis]
    made = op.make("Permute", [op.x.shape[axis - 1] for axis in dims], dims=dims)
    return replace(made, batch=order.index(0))


def _squeeze(op: _Operation) -> Tensor:
    given = op.values[0]
    if not isinstance(given, Tensor):
        raise NoForm("it takes numbers of the file in a tensor's place")
    sizes: list[int | None] = list(given.shape)
    sizes.insert(given.batch, None)  # the positions
    axes = axes_of(op.node, [given, op.known(1)])
    gone = (
        {axis % len(sizes) for axis in axes} if axes is not None else {at for at, size in enumerate(sizes) if size == 1}
    )
    if given.batch in gone:
        raise NoForm("it takes the positions' axis away")
    left = [size for at, size in enumerate(sizes) if at not in gone and size is not None]
    return replace(
        op.reshape(op.repeat(replace(given, batch=0)), left), batch=sum(at not in gone for at in range(given.batch))
    )


def _unsqueeze(op: _Operation) -> Tensor:
    axes = axes_of(op.node, [op.x, op.known(1)]) or []
    rank = len(op.x.shape) + 1 + len(axes)
    places = {axis % rank for axis in axes}
    sizes = iter(op.x.shape)
    if 0 in places:
        raise NoForm("it puts an axis before the positions")
    return op.reshape(op.x, [1 if at in places else next(sizes) for at in range(1, rank)])


def _concat(op: _Operation) -> Tensor:
    tensors = [op.tensor(at) for at in range(len(op.values))]
    axis = op.axis("axis", 1, len(tensors[0].shape))
    shape = list(tensors[0].shape)
    shape[axis - 1] = sum(each.shape[axis - 1] for each in tensors)
    return op.make("Concatenate", shape, tensors, axis=axis) if len(tensors) > 1 else tensors[0]


def _cut(op: _Operation, x: Tensor, parts: dict[int, slice]) -> Tensor:
    """A part of the tensor; `parts` by axis, counted with the batch."""
    where: list[dict[str, Any]] = [{"start": None, "stop": None, "step": None}]
    shape = []
    for at, size in enumerate(x.shape, start=1):
        first, last, step = parts.get(at, slice(None)).indices(size)
        if step != 1 or last <= first:
            raise NoForm("it takes every second value, or none")
        where.append({"start": first, "stop": last, "step": None})
        shape.append(last - first)
    if 0 in parts and parts[0] != slice(0, None, 1):
        raise NoForm("it takes some of the positions")
    if tuple(shape) == x.shape:
        return x
    return op.make("ops.GetItem", shape, [x], arguments={"args": [{"tensor": 0}, where]})


def _slice(op: _Operation) -> Tensor:
    return _cut(op, op.x, slices_of(op.node, [op.x, *map(op.known, range(1, len(op.values)))], len(op.x.shape) + 1))


def _split(op: _Operation) -> list[Value]:
    x, axis, batch = _moved(op, int(op.get("axis", 0)))
    size, count = x.shape[axis - 1], len(op.node.outputs)
    given = op.known(1) if op.calls.opset >= 13 and len(op.values) > 1 else op.get("split")
    step = -(-size // count)
    sizes = [int(each) for each in given] if given is not None else [min(step, size - at * step) for at in range(count)]
    ends = [(int(end) - own, int(end)) for own, end in zip(sizes, np.cumsum(sizes), strict=True)]
    return [replace(_cut(op, x, {axis: slice(*each)}), batch=batch) for each in ends]


def _moved(op: _Operation, axis: int) -> tuple[Tensor, int, int]:
    """The operand as if its positions came first, where `axis` of the file is then, and where the positions are.

    The operations that cut along an axis read a tensor whose positions a transposition moved; NoForm for their axis.
    """
    given = op.values[0]
    if not isinstance(given, Tensor):
        raise NoForm("it takes numbers of the file in a tensor's place")
    axis %= len(given.shape) + 1
    if axis == given.batch:
        raise NoForm("it works along the positions")
    return op.repeat(replace(given, batch=0)), axis + (axis < given.batch), given.batch


def _gather(op: _Operation) -> Tensor:
    index = op.needed(1)
    x, axis, batch = _moved(op, int(op.get("axis", 0)))
    size = x.shape[axis - 1]
    listed = [int(at) % size for at in index.reshape(-1)]
    if not listed or listed != list(range(listed[0], listed[0] + len(listed))):
        raise NoForm("it gathers values that do not lie beside each other")
    made = _cut(op, x, {axis: slice(listed[0], listed[-1] + 1)})
    made = op.reshape(made, (*made.shape[: axis - 1], *index.shape, *made.shape[axis:]))
    return replace(made, batch=batch + (index.ndim - 1 if axis <= batch else 0))


def _pad(op: _Operation) -> Tensor:
    x, rank = op.x, len(op.x.shape) + 1
    pads = [int(each) for each in (op.needed(1) if op.calls.opset >= 11 else op.get("pads", []))]
    value = op.known(2) if op.calls.opset >= 11 else op.get("value", 0.0)
    if op.get("mode", "constant") != "constant" or (value is not None and np.any(value)) or len(op.values) > 3:
        raise NoForm("it fills with other numbers than zeros")
    pairs = list(zip(pads[:rank], pads[rank:], strict=True))
    if rank != 4 or any(pairs[0]) or any(pairs[1]) or min(pads) < 0:
        raise NoForm("it fills along another axis than a board's rows and columns")
    return _zeros_around(op, x, pairs[2:])


def _expand(op: _Operation) -> Tensor:
    """Repeated along axes of size 1, which an elementwise operation does by itself: so that is left to the reader."""
    x, sizes = op.x, [int(size) for size in op.needed(1)]
    if len(sizes) != len(x.shape) + 1:
        raise NoForm("it adds axes")
    shape = np.broadcast_shapes(x.shape, tuple(1 if size in (BATCH, -1) else size for size in sizes[1:]))
    return x if shape == x.shape else Tensor(x.name, x.shape, shape)


def _cast(op: _Operation) -> Tensor:
    if int(op.get("to", 1)) not in (1, 10, 11):
        raise NoForm("it makes whole numbers")
    return op.x


def _dropout(op: _Operation) -> Tensor:
    raise NoForm("it draws lots in training: export the model after model.eval()")


def _erf(op: _Operation) -> Tensor:
    raise NoForm("erf stands outside the pattern of a GELU")


_RULES: dict[str, Callable[[_Operation], Value | list[Value]]] = {
    "Conv": _convolution,
    "ConvTranspose": _transposed,
    "MaxPool": _pool,
    "AveragePool": _pool,
    "GlobalAveragePool": _reduction("Mean", everywhere=True),
    "GlobalMaxPool": _reduction("Max", everywhere=True),
    "Gemm": _gemm,
    "MatMul": _matmul,
    "BatchNormalization": _batch_norm,
    "LayerNormalization": _layer_norm,
    **{name: _activation(name.lower()) for name in ("Relu", "Tanh", "Sigmoid", "Softplus", "Softsign", "Mish")},
    "Exp": _activation("exponential"),
    "HardSwish": _activation("hard_swish"),
    "HardSigmoid": _hard_sigmoid,
    "Selu": _activation("selu"),
    "Gelu": lambda op: op.make(
        "ops.Gelu", arguments={"args": [{"tensor": 0}], "approximate": op.get("approximate") == "tanh"}
    ),
    "Elu": lambda op: op.make("ELU", alpha=op.get("alpha", 1.0)),
    "LeakyRelu": lambda op: op.make("LeakyReLU", negative_slope=op.get("alpha", 0.01)),
    "Celu": _celu,
    "InstanceNormalization": _instance_norm,
    "ThresholdedRelu": lambda op: op.make("ThresholdedReLU", theta=op.get("alpha", 1.0)),
    "PRelu": _prelu,
    "Softmax": _softmax("softmax"),
    "LogSoftmax": _softmax("log_softmax"),
    "Clip": _clip,
    **dict.fromkeys(("Add", "Sub", "Mul", "Div", "Max", "Min", "Sum", "Pow"), _combine),
    "Mean": _mean,
    "Neg": _plain("Negative"),
    "Abs": _plain("Absolute"),
    "Sqrt": _plain("Sqrt"),
    "Log": _plain("Log"),
    "Reciprocal": _plain("Reciprocal"),
    "ReduceMean": _reduction("Mean"),
    "ReduceSum": _reduction("Sum"),
    "ReduceMax": _reduction("Max"),
    "ReduceMin": _reduction("Min"),
    "Reshape": _reshape,
    "Flatten": _flatten,
    "Transpose": _transpose,
    "Squeeze": _squeeze,
    "Unsqueeze": _unsqueeze,
    "Concat": _concat,
    "Slice": _slice,
    "Split": _split,
    "Gather": _gather,
    "Pad": _pad,
    "Expand": _expand,
    "Cast": _cast,
    "Erf": _erf,
    "Identity": lambda op: op.x,
    "Dropout": _dropout,
}
