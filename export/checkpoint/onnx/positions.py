"""ONNX operations on tensors whose positions are not first, or are joined with another axis.

Exporters of PyTorch's attention write them: (cells, positions, features), or (positions x heads, cells, features).
Operations on each row, or on each matrix, treat each position separately in any case.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import prod

from .operation import Operation
from .values import BATCH, NoForm, Tensor, Value

# Operations on each number, each row or each matrix of rows.
_BY_ROW = (
    *("MatMul", "Gemm", "Add", "Sub", "Mul", "Div", "Softmax", "LayerNormalization", "RMSNormalization", "Cast"),
    *("Relu", "Tanh", "Sigmoid", "Erf", "Gelu", "Sqrt", "Identity", "Neg", "Exp", "HardSwish", "Mish", "Elu"),
)
BY_ROW = frozenset(_BY_ROW)
_AXES = frozenset({"Softmax", "LayerNormalization", "RMSNormalization"})


def find_apart(values: Sequence[Value | None]) -> Tensor | None:
    """The first tensor whose positions are not its first axis, or not an axis by themselves; None if there is none."""
    return next((value for value in values if isinstance(value, Tensor) and value.is_apart), None)


def by_row(op: Operation, layout: Tensor) -> Operation:
    """The operation on the same tensors with the positions first; NoForm if it would mix positions."""
    rows = layout.groups
    place = next(at for at, group in enumerate(rows) if -1 in group)
    behind = len(rows) - 1 - place
    tensors = [value for value in op.values if isinstance(value, Tensor)]
    products = op.node.kind == "MatMul" and len(tensors) > 1
    others = [value for value in op.values if value is not None and not isinstance(value, Tensor)]
    alike = all(
        (each.batch, each.before, each.after) == (layout.batch, layout.before, layout.after) for each in tensors
    )
    if not alike or len({len(each.shape) for each in tensors}) > 1 or behind < (2 if products else 1):
        raise NoForm("it takes positions together, which lie on another axis than the first")
    if any(each.ndim > behind and each.size > 1 for each in others) and op.node.kind not in ("MatMul", "Gemm"):
        raise NoForm("it combines positions, which lie on another axis than the first, with numbers of the file")
    node = op.node
    if node.kind in _AXES:
        # An older softmax runs over its own axis and all later ones; for the last axis both are the same.
        usual = 1 if node.kind == "Softmax" and op.calls.opset < 13 else -1
        if int(node.attributes.get("axis", usual)) % len(rows) != len(rows) - 1:
            raise NoForm("it works along another axis than the last, and positions are not first")
        node = replace(node, attributes={**node.attributes, "axis": -1})
    return replace(op, node=node, values=[_first(value) if isinstance(value, Tensor) else value for value in op.values])


def _first(value: Tensor) -> Tensor:
    return replace(value, batch=0, before=False, after=False)


def back(made: Value, layout: Tensor) -> Value:
    """The result of an operation, with the positions where its operand has them."""
    if not isinstance(made, Tensor) or len(made.shape) != len(layout.shape):
        raise NoForm("it makes a tensor of other axes, and positions are not first")
    return replace(made, batch=layout.batch, before=layout.before, after=layout.after)


def reshaped(op: Operation, x: Tensor, wanted: Sequence[int]) -> Tensor:
    """The same numbers in other axes, with the new place of the positions; NoForm if they have no place.

    Numbers keep their order. So the same number of a position's values comes before the positions, and they lie on the
    axis that reaches there. That axis may hold other values of a position before and after them. If the file is for one
    position, several axes are possible: an axis of their own comes first, then an axis shared with what follows.
    """
    held = [prod(BATCH if axis < 0 else x.shape[axis] for axis in group) for group in x.groups]
    sizes = [held[at] if size == 0 and not op.get("allowzero", 0) else size for at, size in enumerate(wanted)]
    places = sorted(_places(op, x, sizes), key=lambda place: place[:2])
    if not places:
        raise NoForm(f"it gives {x.shape} the shape {tuple(wanted)}, which mixes positions")
    _, at, before, after, rest = places[0]
    shape = (*sizes[:at], *([before] if before > 1 else []), *([after] if after > 1 else []), *rest)
    made = op.reshape(op.repeat(_first(x)), shape)
    return replace(made, batch=at + (before > 1), before=before > 1, after=after > 1)


def _places(op: Operation, x: Tensor, sizes: Sequence[int]) -> Iterator[tuple[int, int, int, int, list[int]]]:
    """For each candidate: a rank, its axis, the numbers before and after the positions on it, the sizes of later axes.

    The lowest rank is the most likely one.
    """
    ahead, total = prod(x.shape[: x.batch]), prod(x.shape)
    for at, size in enumerate(sizes):
        passed = prod(sizes[:at])
        if passed < 1 or ahead % passed or any(other >= BATCH or other == -1 for other in sizes[:at]):
            return
        before, rest = ahead // passed, list(sizes[at + 1 :])
        after = _behind(op, size, before, rest, total // ahead)
        if after is None:
            continue
        known = prod(other for other in rest if other != -1) * after
        rest = [total // ahead // known if other == -1 and known else other for other in rest]
        if any(other >= BATCH for other in rest) or before * passed * after * prod(rest) != total:
            continue
        alone, last = before == after == 1, at == len(sizes) - 1
        yield 0 if alone else 1 if before == 1 and not last else 2 if after == 1 else 3, at, before, after, rest


def _behind(op: Operation, size: int, before: int, rest: Sequence[int], left: int) -> int | None:
    """The number of a position's values that an axis of `size` has after the positions; None if it cannot be theirs."""
    if size == -1:
        known = prod(rest)
        return left // known if known and left % known == 0 and known < BATCH else None
    for count in (BATCH, op.calls.batch):
        if count and size % (count * before) == 0:
            return size // (count * before)
    return None
