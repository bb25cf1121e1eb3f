"""ONNX' elementwise functions: activations, sums, products and limits, of tensors and numbers in the file."""

from __future__ import annotations

from collections.abc import Callable
from math import isclose, prod
from typing import Any

import numpy as np

from .model import Node
from .operation import Operation, as_keras_numbers
from .values import NoForm, Tensor

_MERGES = {"Add": "Add", "Sub": "Subtract", "Mul": "Multiply", "Max": "Maximum", "Min": "Minimum", "Sum": "Add"}
_OPS = {"Add": "Add", "Sub": "Subtract", "Mul": "Multiply", "Div": "Divide", "Max": "Maximum", "Min": "Minimum"} | {
    "Sum": "Add",
    "Pow": "Power",
}


def celu(op: Operation) -> Tensor:
    """CELU; if its slope is not 1, it becomes alpha ELU(x / alpha)."""
    alpha = float(op.get("alpha", 1.0))
    if alpha == 1.0:
        return op.make("Activation", activation="celu")
    if alpha <= 0:
        raise NoForm("its slope is not above 0")
    made = op.make("ELU", inputs=[_with_number(op, op.x, "Multiply", 1 / alpha)], alpha=1.0)
    return _with_number(op, made, "Multiply", alpha)


def activation(name: str) -> Callable[[Operation], Tensor]:
    """The rule of a Keras activation."""
    return lambda op: op.make("Activation", activation=name)


def plain(kind: str) -> Callable[[Operation], Tensor]:
    """The rule of a Keras 3 operation that has only its operand."""
    return lambda op: op.make(f"ops.{kind}", arguments={"args": [{"tensor": 0}]})


def _with_number(op: Operation, x: Tensor, kind: str, constant: Any, *, first: bool = False) -> Tensor:
    """An operation on a tensor and numbers in the file, whose shape may be larger where the tensor has size 1."""
    array = np.asarray(constant)
    if array.ndim == len(x.shape) + 1 and array.shape[0] == 1:
        array = array[0]
    if array.ndim > len(x.shape):
        raise NoForm("it combines positions with numbers of the file")
    shape = np.broadcast_shapes(x.shape, array.shape)
    if shape != x.shape:
        raise NoForm(f"it spreads {x.shape} over numbers of shape {array.shape}")
    both = [{"tensor": 0}, as_keras_numbers(array)]
    return op.make(f"ops.{kind}", shape, [x], arguments={"args": both[::-1] if first else both})


def combine(op: Operation) -> Tensor:
    """An operation on two or more operands, in pairs from the left."""
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


def _merge(op: Operation, one: Tensor, other: Tensor) -> Tensor:
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


def mean(op: Operation) -> Tensor:
    """The mean of several tensors."""
    total = combine(Operation(op.calls, Node(op.node.name, "Sum", (), (), {}), op.values))
    return _with_number(op, total, "Multiply", 1 / len(op.values))


def clip(op: Operation) -> Tensor:
    """Numbers cut to a range, either end of which may be missing."""
    low, high = (op.known(at) if op.calls.opset >= 11 else op.get(("min", "max")[at - 1]) for at in (1, 2))
    made = op.x
    for kind, bound in (("Maximum", low), ("Minimum", high)):
        if bound is not None:
            made = _with_number(op, made, kind, float(np.asarray(bound).reshape(())))
    return made


def hard_sigmoid(op: Operation) -> Tensor:
    """Keras' own activation if slope and offset are a sixth and a half, else single steps."""
    alpha, beta = op.get("alpha", 0.2), op.get("beta", 0.5)
    if isclose(alpha, 1 / 6, rel_tol=1e-5) and beta == 0.5:
        return op.make("Activation", activation="hard_sigmoid")
    made = _with_number(op, _with_number(op, op.x, "Multiply", alpha), "Add", beta)
    return _with_number(op, _with_number(op, made, "Maximum", 0.0), "Minimum", 1.0)


def prelu(op: Operation) -> Tensor:
    """A slope below zero for each number or plane."""
    slope, x = op.needed(1), op.x
    slope = slope[0] if slope.ndim == len(x.shape) + 1 else slope
    alpha = slope.reshape((1,) * (len(x.shape) - slope.ndim) + slope.shape)
    return op.make("PReLU", weights={"alpha": np.asarray(alpha)})


def softmax(name: str) -> Callable[[Operation], Tensor]:
    """The rule of a softmax over one axis; before operator set 13, over all axes from that one on."""

    def run(op: Operation) -> Tensor:
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
