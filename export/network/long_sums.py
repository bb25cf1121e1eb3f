"""Adds many numbers in two steps, so that each sum has few.

In float32, each added number costs about half a unit in the last place of the sum so far. TF.js adds 601 numbers one
after another: the mean of a value's distribution over -300 to 300. Where they nearly cancel, it is off by 1e-4. A sum
of 25 sums of 25 numbers loses a twelfth of that, in any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt, prod

from .emitter import Emitter, Value
from .network import Activation, Pad, Reduce, Reshape

# Sums of more numbers than this take two steps. A sum over the largest board, 11 x 11, stays one.
LONG = 128


def is_long(value: Value, axes: Sequence[int]) -> bool:
    """Whether a sum over these logical axes adds more than LONG numbers."""
    return prod(value.shape[axis] for axis in axes) > LONG


def emit_long_sum(emitter: Emitter, value: Value, axes: Sequence[int]) -> Value:
    """The sum over logical axes, which stay with size 1. It goes axis by axis; a long axis takes two steps."""
    for axis in axes:
        value = _in_two_steps(emitter, value, axis) if is_long(value, [axis]) else _sum(emitter, value, axis)
    return value


def is_distribution(emitter: Emitter, value: Value) -> bool:
    """Whether the tensor is the result of a softmax."""
    made = next((op for op in reversed(emitter.ops) if op.output == value.name), None)
    return isinstance(made, Activation) and made.function == "softmax"


def _sum(emitter: Emitter, value: Value, axis: int) -> Value:
    place = value.axes.index(axis)
    return emitter.op(Reduce, [value], _without(value, axis), value.axes, function="sum", over=(place,), keep=True)


def _in_two_steps(emitter: Emitter, value: Value, axis: int) -> Value:
    """A sum in groups; a group has about the square root of the count, and zeros fill the last one."""
    place, shape = value.axes.index(axis), value.physical_shape
    before, many, behind = prod(shape[:place]), shape[place], prod(shape[place + 1 :])
    each = isqrt(many - 1) + 1
    groups = -(-many // each)
    flat = emitter.op(Reshape, [value], (before, many, behind))
    if rest := groups * each - many:
        flat = emitter.op(Pad, [flat], (before, groups * each, behind), rows=(0, 0), columns=(0, rest))
    for count, size in ((before * groups, each), (before, groups)):
        apart = emitter.op(Reshape, [flat], (count, size, behind))
        flat = emitter.op(Reduce, [apart], (count, behind), function="sum", over=(1,), keep=False)
    return emitter.op(Reshape, [flat], _without(value, axis), value.axes)


def _without(value: Value, axis: int) -> list[int]:
    return [1 if at == axis else size for at, size in enumerate(value.shape)]
