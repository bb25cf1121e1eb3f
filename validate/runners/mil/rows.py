"""Decides whether a MIL program with a batch of one answers each row separately if it gets several."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

# Each number of the result depends on one number of the first input, or on one number of each input.
_OF_NUMBERS = (
    "abs add cast ceil clip elu erf exp floor gelu identity inverse leaky_relu log maximum minimum mul pow real_div "
    "relu relu6 rsqrt sigmoid sign silu softplus softsign sqrt square sub tanh"
)
# Products and windows whose other inputs are constants. They mix all channels and cells of one position.
_OF_A_POSITION = "avg_pool batch_norm conv linear max_pool prelu upsample_nearest_neighbor"
_SUMS = "layer_norm reduce_l2_norm reduce_log_sum_exp reduce_max reduce_mean reduce_min reduce_prod reduce_sum"


def keeps_rows(function: Any) -> bool:
    """Whether every operation of a coremltools `Function` is known to answer each row of its batch separately."""
    return all(_begins_with_one(var) for var in function.inputs.values()) and all(
        operation.op_type == "const" or operation.op_type.startswith("constexpr_") or _keeps_rows(operation)
        for operation in function.operations
    )


def _keeps_rows(operation: Any) -> bool:
    kind = operation.op_type
    if not all(_begins_with_one(var) for var in operation.outputs):
        return False
    if kind in _OF_NUMBERS.split():
        return all(_is_spread(var, operation.outputs[0]) for var in _tensors(operation))
    first, *others = _tensors(operation)
    if not _is_at_work(first) or any(map(_is_at_work, others)):
        return kind == "concat" and _joins(operation)
    rule = _RULES.get(kind) or (_sums_cells if kind in _SUMS.split() else None)
    return kind in _OF_A_POSITION.split() or (rule is not None and rule(operation))


def _tensors(operation: Any) -> list[Any]:
    """An operation's inputs, with lists flattened; the first one is its operand."""
    read: list[Any] = []
    for value in operation.inputs.values():
        read += value if isinstance(value, (list, tuple)) else [value]
    return [var for var in read if var is not None]


def _is_at_work(var: Any) -> bool:
    """Whether a value depends on the position; constants do not."""
    return var.val is None and not (var.op and var.op.op_type.startswith("const"))


def _begins_with_one(var: Any) -> bool:
    """Whether it is a tensor whose first axis is a batch of one."""
    shape: Any = var.shape or ()
    return len(shape) > 1 and shape[0] == 1


def _is_spread(var: Any, over: Any) -> bool:
    """Whether a tensor has one row per position, or is a constant for all of them."""
    if _is_at_work(var):
        return _begins_with_one(var) and len(var.shape) == len(over.shape)
    shape: Any = var.shape or ()
    return len(shape) < len(over.shape) or (len(shape) == len(over.shape) and shape[0] == 1)


def _axes(operation: Any, name: str) -> list[int] | None:
    """The axes that an input gives, counted from the front; None if it gives none."""
    given = operation.inputs.get(name)
    if given is None or given.val is None:
        return None
    return [int(axis) % len(operation.inputs["x"].shape) for axis in np.ravel(given.val)]


def _sums_cells(operation: Any) -> bool:
    axes = _axes(operation, "axes")
    return bool(axes) and 0 not in (axes or ())


def _softmax(operation: Any) -> bool:
    return _axes(operation, "axis") not in (None, [0])


def _matmul(operation: Any) -> bool:
    """Whether the second factor is a constant with at most as many axes: with more, the batch would not stay first."""
    x, y = (operation.inputs[name].shape for name in ("x", "y"))
    if len(y) > len(x) or (len(y) == len(x) > 2 and y[0] != 1):
        return False
    return len(x) > 2 or not bool(operation.inputs["transpose_x"].val)


def _transpose(operation: Any) -> bool:
    return int(operation.inputs["perm"].val[0]) == 0


def _reshape(operation: Any) -> bool:
    shape = operation.inputs["shape"].val
    return shape is not None and len(shape) > 1 and shape[0] == 1


def _squeeze(operation: Any) -> bool:
    axes = _axes(operation, "axes")
    return axes is not None and 0 not in axes


def _expand_dims(operation: Any) -> bool:
    """Whether each new axis comes after the first."""
    return all(int(axis) > 0 for axis in np.ravel(operation.inputs["axes"].val))


def _pad(operation: Any) -> bool:
    return len(operation.inputs["pad"].val) < 2 * len(operation.inputs["x"].shape)


def _joins(operation: Any) -> bool:
    values, axis = operation.inputs["values"], int(operation.inputs["axis"].val)
    return all(map(_is_at_work, values)) and axis % len(values[0].shape) > 0


_RULES: dict[str, Callable[[Any], bool]] = {
    "expand_dims": _expand_dims,
    "matmul": _matmul,
    "pad": _pad,
    "reshape": _reshape,
    "softmax": _softmax,
    "squeeze": _squeeze,
    "transpose": _transpose,
}
