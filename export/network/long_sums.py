"""Sums of many numbers, in two steps of few.

Float32 loses about half a unit in the last place of the sum so far with each number that is added. A runtime that adds
601 numbers one behind another, as TF.js does, is off by 1e-4 where they nearly cancel: the mean of a value's
distribution over -300 to 300. A sum of 25 sums of 25 loses a twelfth of that, whatever the order of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt, prod

from .emitter import Emitter, Value
from .network import Activation, Pad, Reduce, Reshape

# More numbers than this are added in two steps. The largest board of 11 x 11 stays one sum.
LONG = 128


def is_long(value: Value, axes: Sequence[int]) -> bool:
    """Whether a sum over these logical axes adds more than LONG numbers."""
    return prod(value.shape[axis] for axis in axes) > LONG


def emit_long_sum(emitter: Emitter, value: Value, axes: Sequence[int]) -> Value:
    """The sum over logical axes, which stay with size 1: axis by axis, a long one in two steps."""
    for axis in axes:
        value = _in_two_steps(emitter, value, axis) if is_long(value, [axis]) else _sum(emitter, value, axis)
    return value


def is_distribution(emitter: Emitter, value: Value) -> bool:
    """Whether the tensor is what a softmax makes."""
    made = next((op for op in reversed(emitter.ops) if op.output == value.name), None)
    return isinstance(made, Activation) and made.function == "softmax"


def _sum(emitter: Emitter, value: Value, axis: int) -> Value:
    place = value.axes.index(axis)
    return emitter.op(Reduce, [value], _without(value, axis), value.axes, function="sum", over=(place,), keep=True)


def _in_two_steps(emitter: Emitter, value: Value, axis: int) -> Value:
    """Groups of about the root of their number: a multiple of it, with zeros behind the last."""
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
