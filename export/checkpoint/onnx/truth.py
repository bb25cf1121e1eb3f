"""ONNX' comparisons and conditions: true is one, false is zero."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .operation import Operation, as_keras_numbers
from .values import NoForm, Tensor

COMPARISONS = {
    "Equal": "Equal",
    "Greater": "Greater",
    "Less": "Less",
    "GreaterOrEqual": "GreaterEqual",
    "LessOrEqual": "LessEqual",
}
# Replaces minus infinity; softmax makes both of them zero.
_LEAST = -1e9


def comparison(kind: str) -> Callable[[Operation], Tensor]:
    """The rule of a comparison of two tensors, or of a tensor and numbers in the file."""
    return lambda op: replace(_of_two(op, kind), is_truth=True)


def _of_two(op: Operation, kind: str) -> Tensor:
    return _of_tensors_and_numbers(op, f"ops.{kind}", (0, 1), _number)


def _of_tensors_and_numbers(op: Operation, kind: str, places: Sequence[int], number: Callable[[Any], float]) -> Tensor:
    """An operation on the values at these places, each a tensor, or numbers of the file as one `number`."""
    written: list[Any] = []
    tensors: list[Tensor] = []
    for at in places:
        if isinstance(op.values[at], Tensor):
            tensors.append(op.tensor(at))
            written.append({"tensor": len(tensors) - 1})
        else:
            written.append(number(op.needed(at)))
    shape = np.broadcast_shapes(*(each.shape for each in tensors))
    return op.make(kind, shape, tensors, arguments={"args": written})


def _number(array: Any) -> float:
    """One number, if all numbers of the array are equal; else NoForm."""
    flat = np.asarray(array).reshape(-1)
    if (flat != flat[0]).any():
        raise NoForm("it compares, or chooses, an array of the file")
    return float(flat[0])


def joined(op: Operation) -> Tensor:
    """The logical operations And and Or."""
    one, other = op.tensor(0), op.tensor(1)
    both: list[Any] = [{"tensor": 0}, {"tensor": 1}]
    shape = np.broadcast_shapes(one.shape, other.shape)
    return replace(op.make(f"ops.Logical{op.node.kind}", shape, [one, other], arguments={"args": both}), is_truth=True)


def negated(op: Operation) -> Tensor:
    """The logical operation Not."""
    return replace(op.make("ops.LogicalNot", arguments={"args": [{"tensor": 0}]}), is_truth=True)


def where(op: Operation) -> Tensor:
    """Number by number, one of two operands; a tensor or numbers in the file choose."""
    if not isinstance(op.values[0], Tensor):
        return _by_the_file(op)
    return _of_tensors_and_numbers(op, "ops.Where", (0, 1, 2), lambda array: max(_number(array), _LEAST))


def _by_the_file(op: Operation) -> Tensor:
    """A tensor times ones and zeros from the file, plus the file's numbers at the other places."""
    condition = op.needed(0).astype(bool)
    places = [at for at in (1, 2) if isinstance(op.values[at], Tensor)]
    if len(places) != 1:
        raise NoForm("it chooses between two tensors by numbers of the file")
    x, other = op.tensor(places[0]), np.maximum(np.asarray(op.needed(3 - places[0]), np.float64), _LEAST)
    allowed = condition if places[0] == 1 else ~condition
    if allowed.ndim == len(x.shape) + 1 and allowed.shape[0] == 1:
        allowed = allowed[0]
    if allowed.ndim > len(x.shape) or np.broadcast_shapes(allowed.shape, x.shape) != x.shape:
        raise NoForm(f"it spreads {x.shape} over numbers of shape {allowed.shape}")
    allowed = allowed.reshape((1,) * (len(x.shape) - allowed.ndim) + allowed.shape)
    added = np.where(allowed, 0.0, other.reshape(other.shape[-len(x.shape) :]))
    made = op.make("ops.Multiply", x.shape, [x], arguments={"args": [{"tensor": 0}, as_keras_numbers(allowed)]})
    return op.make("ops.Add", x.shape, [made], arguments={"args": [{"tensor": 0}, as_keras_numbers(added)]})


def one_hot(op: Operation) -> Tensor:
    """Whole numbers from 0 to the depth minus one as a one among zeros, along a new axis."""
    x, depth, values = op.tensor(0), op.needed(1), op.needed(2).reshape(-1)
    rank = len(x.shape) + 2
    axis, count = int(op.get("axis", -1)) % rank, int(depth.reshape(-1)[0])
    if axis == 0 or count < 1 or list(values) != [0, 1]:
        raise NoForm("it works along the positions, or writes other numbers than 0 and 1")
    made = op.make("ops.OneHot", (*x.shape, count), [x], arguments={"args": [{"tensor": 0}, count]})
    if axis == rank - 1:
        return made
    last = rank - 1
    dims = [*range(1, axis), last, *range(axis, last)]
    return op.make("Permute", [made.shape[each - 1] for each in dims], [made], dims=dims)
