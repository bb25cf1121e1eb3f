"""Whether a TF.js graph that takes one position answers each row alone, if it is given several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .tfjs_files import Json, ModelFiles

Constants = Sequence[NDArray[Any] | None]

# Operations on numbers alone: each number of the answer is of one of the input's, or of one of each input's.
_OF_NUMBERS = (
    "Abs Add AddV2 Ceil Elu Erf Exp Expm1 Floor Identity LeakyRelu Log Log1p Maximum Minimum Mul Neg Pow RealDiv "
    "Reciprocal Relu Relu6 Rsqrt Selu Sigmoid Sign Softplus Sqrt Square SquaredDifference Sub Tanh"
)
# Products and windows, whose other inputs are weights.
_WITH_WEIGHTS = "BiasAdd Conv2D DepthwiseConv2dNative FusedDepthwiseConv2dNative MatMul Prelu _FusedConv2D _FusedMatMul"
# What looks along other axes than the first: a softmax is along the last.
_WITHIN_A_ROW = "AvgPool LogSoftmax MaxPool Softmax"
_SUMS = "Max Mean Min Prod Sum"


def shapes_of_the_batch(files: ModelFiles) -> list[str] | None:
    """The constants that give a Reshape 1 as the size of the batch; None if the batch cannot be made free.

    It can if every operation that a position reaches is known to answer each row alone.
    """
    if any(port.shape[:1] != (1,) for port in files.signature.inputs):
        return None
    listed: set[str] = set()
    has_rows: set[str] = set()
    shapes: dict[str, None] = {}
    for node in files.document["modelTopology"]["node"]:
        inputs = [name.split(":")[0].lstrip("^") for name in node.get("input", ())]
        rows = [name in has_rows for name in inputs]
        if not listed.issuperset(inputs):
            return None  # a graph that is not in the order of its operations is none of azx's
        listed.add(node["name"])
        if node["op"] == "Placeholder":
            if not _begins_with_one(node):
                return None
        elif not any(rows):
            continue
        elif not _keeps_rows(node, rows, [files.weights.get(name) for name in inputs]):
            return None
        if node["op"] == "Reshape":
            shapes[inputs[1]] = None
        has_rows.add(node["name"])
    return list(shapes)


def _begins_with_one(placeholder: Json) -> bool:
    sizes = placeholder.get("attr", {}).get("shape", {}).get("shape", {}).get("dim", ())
    return bool(sizes) and str(sizes[0].get("size")) == "1"


def _keeps_rows(node: Json, rows: Sequence[bool], constants: Constants) -> bool:
    """Whether an operation, whose inputs have a row for each position as `rows` says, answers each row alone."""
    kind = node["op"]
    if kind in _OF_NUMBERS.split():
        return True
    alone = rows[0] and not any(rows[1:])
    if kind in _WITH_WEIGHTS.split():
        return alone and not _flag(node, "transpose_a")
    if kind in _WITHIN_A_ROW.split():
        return True
    rule = _RULES.get(kind) or (_keeps_axes if kind in _SUMS.split() else None)
    return rule is not None and rule(node, rows, constants)


def _flag(node: Json, name: str) -> bool:
    return bool(node.get("attr", {}).get(name, {}).get("b"))


def _reshapes(node: Json, rows: Sequence[bool], constants: Constants) -> bool:
    """A row stays a row if 1 becomes -1, of which there may be one alone."""
    shape = constants[1]
    return shape is not None and not rows[1] and shape.size > 1 and shape[0] == 1 and -1 not in shape


def _transposes(node: Json, rows: Sequence[bool], constants: Constants) -> bool:
    order = constants[1]
    return order is not None and order.size > 1 and order[0] == 0


def _keeps_axes(node: Json, rows: Sequence[bool], constants: Constants) -> bool:
    """A sum along some axes: counted from the front, and the first is none of them."""
    axes = constants[1]
    return axes is not None and axes.size > 0 and bool((np.ravel(axes) > 0).all())


def _joins(node: Json, rows: Sequence[bool], constants: Constants) -> bool:
    """What is joined has a row for each position: a constant has one, whatever the batch."""
    axis = constants[-1]
    return all(rows[:-1]) and axis is not None and int(np.ravel(axis)[0]) > 0


def _pads(node: Json, rows: Sequence[bool], constants: Constants) -> bool:
    margins = constants[1]
    return margins is not None and not np.any(margins[0])


_Rule = Callable[[Json, Sequence[bool], Constants], bool]
_RULES: dict[str, _Rule] = {
    "ConcatV2": _joins,
    "Pad": _pads,
    "PadV2": _pads,
    "Reshape": _reshapes,
    "Transpose": _transposes,
}
