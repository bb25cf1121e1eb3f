"""The canonical form of comparisons, conditions and lookups: true is one and false is zero.

Comparisons are made in float32, as in every runtime; networks use them for boards and masks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .activations import number
from .emitter import Value
from .layers import emit_combination, emit_reshape, one_axis
from .lookup_layers import emit_one_hot
from .operation import Handler, Operation

# Whether the operands change places, and whether the answer is negated: x < y is y > x; x >= y is not y > x.
COMPARISONS = {
    "greater": (False, False),
    "less": (True, False),
    "greater_equal": (True, True),
    "less_equal": (False, True),
}
COMPARISONS |= {"equal": (False, False), "not_equal": (False, True)}
JOINED = {"logical_and": "multiply", "logical_or": "maximum"}


def comparison(name: str) -> Handler:
    """The rule of a comparison: ones where it holds, zeros elsewhere."""
    swapped, negated = COMPARISONS[name]

    def run(operation: Operation) -> Value:
        x, y = operation.given["x"], operation.given["y"]
        if name in ("equal", "not_equal"):
            apart = operation.emitter.activation(_difference(operation, x, y), ("abs", ()))
            made = operation.emitter.activation(apart, ("above", (0.0,)))
            return _other(operation, made) if name == "equal" else made
        difference = _difference(operation, *((y, x) if swapped else (x, y)))
        made = operation.emitter.activation(difference, ("above", (0.0,)))
        return _other(operation, made) if negated else made

    return run


def _difference(operation: Operation, x: Any, y: Any) -> Value:
    """X - y; one of the two may be a number in the file."""
    emitter = operation.emitter
    if isinstance(x, Value) and isinstance(y, Value):
        return emit_combination(emitter, [x, y], "subtract")
    if isinstance(x, Value):
        return emitter.affine(x, None, -operation.broadcast(y, x))
    if not isinstance(y, Value):
        raise operation.refusal("it compares numbers of the file")
    constant = operation.broadcast(x, y)
    return emitter.affine(y, -np.ones_like(constant), constant)


def _other(operation: Operation, value: Value) -> Value:
    return operation.emitter.affine(value, -1.0, 1.0)


def joined(function: str) -> Handler:
    """The rule of "and" or "or" of two truth values."""

    def run(operation: Operation) -> Value:
        x, y = operation.given["x"], operation.given["y"]
        if not isinstance(x, Value) or not isinstance(y, Value):
            raise operation.refusal("with numbers of the file it has no canonical form")
        return emit_combination(operation.emitter, [x, y], function)

    return run


def negated(operation: Operation) -> Value:
    """One where the operand is false, zero where it is true."""
    return _other(operation, operation.x)


def where(operation: Operation) -> Value:
    """X where the condition holds, y elsewhere: c x + (1 - c) y, exact for finite numbers."""
    emitter, condition = operation.emitter, operation.given.get("condition")
    x, y = operation.given.get("x"), operation.given.get("y")
    if not isinstance(condition, Value):
        raise operation.refusal("a condition of the file has no canonical form")
    return emit_combination(
        emitter, [_chosen(operation, condition, x), _chosen(operation, _other(operation, condition), y)], "add"
    )


def _chosen(operation: Operation, condition: Value, value: Any) -> Value:
    if isinstance(value, Value):
        return emit_combination(operation.emitter, [condition, value], "multiply")
    if np.size(value) != 1 or not np.isfinite(number(value)):
        raise operation.refusal("a choice of infinity, or of an array, has no canonical form")
    return operation.emitter.affine(condition, number(value), None)


def one_hot(operation: Operation) -> Value:
    """For each whole number, a row of zeros with a single one."""
    if operation.given.get("axis", -1) not in (-1, len(operation.x.shape) + 1):
        along = one_axis(operation.call.layer, operation.given["axis"], len(operation.x.shape) + 1)
        raise operation.refusal(f"along axis {along + 1} it has no canonical form")
    value = operation.emitter.unfolded(operation.x)
    made = emit_one_hot(operation.emitter, operation.call.layer, value, int(operation.given["count"]))
    return emit_reshape(operation.emitter, made, made.shape)
