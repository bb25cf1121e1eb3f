"""Decides whether a TF.js graph with a batch of one answers each row separately if it gets several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .tfjs_files import Json, ModelFiles

# Elementwise operations: each number of the result depends on one number of the input, or on one of each input.
_OF_NUMBERS = (
    "Abs Add AddV2 BiasAdd Ceil Elu Erf Exp Expm1 Floor Identity LeakyRelu Log Log1p Maximum Minimum Mul Neg Pow Prelu "
    "RealDiv Reciprocal Relu Relu6 Rsqrt Selu Sigmoid Sign Softplus Sqrt Square SquaredDifference Sub Tanh"
)
# Products and windows, with the number of axes of their operand. TF.js accepts a tensor with one axis less too, whose
# first axis is then not the batch. Their second input holds weights; the others are added or multiplied number by
# number.
_PRODUCTS = {
    "Conv2D": 4,
    "DepthwiseConv2dNative": 4,
    "FusedDepthwiseConv2dNative": 4,
    "_FusedConv2D": 4,
    "MatMul": 2,
    "_FusedMatMul": 2,
}
_POOLS = "AvgPool MaxPool"
# Operations along other axes than the first: a softmax runs along the last.
_SHARES = "LogSoftmax Softmax"
_SUMS = "Max Mean Min Prod Sum"


def shapes_of_the_batch(files: ModelFiles) -> list[str] | None:
    """The constants that give a Reshape 1 as the size of the batch; None if the batch cannot be made free.

    It can if every operation that depends on the position is known to answer each row separately, for any number of
    rows.
    """
    if any(port.shape[:1] != (1,) for port in files.signature.inputs):
        return None
    listed: set[str] = set()
    ranks: dict[str, int] = {}  # the number of axes of each tensor with a row per position
    shapes: dict[str, None] = {}
    for node in files.document["modelTopology"]["node"]:
        inputs = [name.split(":")[0].lstrip("^") for name in node.get("input", ())]
        if not listed.issuperset(inputs):
            return None  # azx's graphs are in the order of their operations
        listed.add(node["name"])
        read = [_Input(ranks.get(name), files.weights.get(name)) for name in inputs]
        if node["op"] != "Placeholder" and not any(each.has_rows for each in read):
            continue
        rank = _rank_of_input(node) if node["op"] == "Placeholder" else _rank(node, read)
        if rank is None:
            return None
        if node["op"] == "Reshape":
            shapes[inputs[1]] = None
        ranks[node["name"]] = rank
    return list(shapes)


@dataclass(frozen=True)
class _Input:
    """An input of an operation: `rank` if it has a row per position, `constant` if it is a weight."""

    rank: int | None
    constant: NDArray[Any] | None

    @property
    def has_rows(self) -> bool:
        """Whether its first axis is the batch."""
        return self.rank is not None

    def goes_with(self, rank: int) -> bool:
        """Whether it combines with a tensor of this rank row by row: with one row per position, or one for all."""
        if self.rank is not None:
            return self.rank == rank
        # A constant with more axes would move the batch from the front; one with several rows would differ by row.
        shape = None if self.constant is None else self.constant.shape
        return shape is not None and (len(shape) < rank or (len(shape) == rank and shape[0] == 1))


def _rank_of_input(placeholder: Json) -> int | None:
    sizes = placeholder.get("attr", {}).get("shape", {}).get("shape", {}).get("dim", ())
    return len(sizes) if sizes and str(sizes[0].get("size")) == "1" else None


def _rank(node: Json, read: Sequence[_Input]) -> int | None:
    """The number of axes of an operation's result, if it answers each row separately; None if it may mix positions.

    At least one of its inputs has a row per position.
    """
    kind, first = node["op"], read[0]
    if kind in _OF_NUMBERS.split():
        rank = max(each.rank or 0 for each in read)
        return rank if all(each.goes_with(rank) for each in read) else None
    if kind == "ConcatV2":
        return _joined(read)
    if first.rank is None or any(each.has_rows for each in read[1:]):
        return None
    if kind in _PRODUCTS:
        fits = first.rank == _PRODUCTS[kind] and not _flag(node, "transpose_a")
        return first.rank if fits and all(each.goes_with(first.rank) for each in read[2:]) else None
    if kind in _POOLS.split():
        return first.rank if first.rank == 4 else None
    if kind in _SHARES.split():
        return first.rank if first.rank > 1 else None
    rule = _RULES.get(kind) or (_sums if kind in _SUMS.split() else None)
    constant = read[1].constant if len(read) > 1 else None
    return None if rule is None or constant is None else rule(node, first.rank, constant)


def _flag(node: Json, name: str) -> bool:
    return bool(node.get("attr", {}).get(name, {}).get("b"))


def _joined(read: Sequence[_Input]) -> int | None:
    """The rank of a concatenation, if each part has a row per position; a constant has one row, whatever the batch."""
    *parts, axis = read
    ranks = {each.rank for each in parts}
    rank = ranks.pop() if len(ranks) == 1 else None
    if rank is None or axis.constant is None:
        return None
    return rank if 0 < int(np.ravel(axis.constant)[0]) < rank else None


def _reshaped(node: Json, rank: int, shape: NDArray[Any]) -> int | None:
    """The rank after a reshape: rows stay rows if 1 becomes -1, which may occur only once."""
    return int(shape.size) if shape.size > 1 and shape[0] == 1 and -1 not in shape else None


def _transposed(node: Json, rank: int, order: NDArray[Any]) -> int | None:
    return rank if order.size == rank > 1 and order[0] == 0 else None


def _sums(node: Json, rank: int, axes: NDArray[Any]) -> int | None:
    """The rank after a sum along some axes, counted from the front, except the first."""
    summed = {int(axis) for axis in np.ravel(axes)}
    if not summed or not all(0 < axis < rank for axis in summed):
        return None
    return rank if _flag(node, "keep_dims") else rank - len(summed)


def _padded(node: Json, rank: int, margins: NDArray[Any]) -> int | None:
    return rank if len(margins) == rank and not np.any(margins[0]) else None


_Rule = Callable[[Json, int, NDArray[Any]], int | None]
_RULES: dict[str, _Rule] = {"Pad": _padded, "PadV2": _padded, "Reshape": _reshaped, "Transpose": _transposed}
