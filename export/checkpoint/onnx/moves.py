"""ONNX' operations that reduce, reshape, cut and join tensors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from .operation import Operation
from .positions import find_apart, reshaped
from .values import BATCH, NoForm, Tensor, Value, axes_of, slices_of


def reduction(kind: str, *, everywhere: bool = False) -> Callable[[Operation], Tensor]:
    """The rule of a mean, sum, maximum or minimum over axes; `everywhere` reduces all axes except the first two."""

    def run(op: Operation) -> Tensor:
        if isinstance(op.values[0], Tensor) and op.values[0].is_apart and not everywhere:
            return _reduced_apart(op, op.values[0], run)
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
        sizes = [1 if at + 1 in axes else size for at, size in enumerate(x.shape) if keep or at + 1 not in axes]
        return op.make(f"ops.{kind}", sizes, arguments={"args": [{"tensor": 0}], "axis": axes, "keepdims": keep})

    return run


def _reduced_apart(op: Operation, given: Tensor, run: Callable[[Operation], Tensor]) -> Tensor:
    """A reduction of a tensor whose positions are not first: they are moved to the front, and back afterwards."""
    groups = given.groups
    axes = [axis % len(groups) for axis in axes_of(op.node, [given, *map(op.known, range(1, len(op.values)))]) or []]
    if not axes or any(-1 in groups[axis] for axis in axes) or given.before or given.after:
        raise NoForm("it reduces over the positions")
    own = [groups[axis][0] for axis in axes]
    node = replace(op.node, attributes={**op.node.attributes, "axes": [axis + 1 for axis in own]})
    made = run(replace(op, node=node, values=[replace(given, batch=0)]))
    gone = 0 if op.get("keepdims", 1) else sum(axis < given.batch for axis in own)
    return replace(made, batch=given.batch - gone)


def length(op: Operation) -> Tensor:
    """ReduceL2 and ReduceSumSquare: sums of squares over axes, or their roots."""
    both: list[Any] = [{"tensor": 0}, {"tensor": 1}]
    squares = op.make("ops.Multiply", inputs=[op.x, op.x], arguments={"args": both})
    total = reduction("Sum")(replace(op, values=[squares, *op.values[1:]]))
    if op.node.kind == "ReduceSumSquare":
        return total
    return op.make("ops.Sqrt", inputs=[total], arguments={"args": [{"tensor": 0}]})


def reshape(op: Operation) -> Tensor:
    """The numbers of each position in another shape."""
    given = op.operand
    wanted = [int(size) for size in (op.needed(1) if op.calls.opset >= 5 else op.get("shape", []))]
    return reshaped(op, given, wanted)


def flatten(op: Operation) -> Tensor:
    """All numbers of a position as one row."""
    if int(op.get("axis", 1)) % (len(op.x.shape) + 1) != 1:
        raise NoForm("it mixes positions")
    return op.make("Flatten", (prod(op.x.shape),), data_format="channels_last") if len(op.x.shape) != 1 else op.x


def transpose(op: Operation) -> Tensor:
    """The tensor with its axes in another order.

    The positions may move if a cut along the first axis follows, as for q, k and v.
    """
    given = op.operand
    groups = given.groups
    order = [int(axis) for axis in op.get("perm", range(len(groups) - 1, -1, -1))]
    moved = [each for axis in order for each in groups[axis]]
    dims = [each + 1 for each in moved if each >= 0]
    x = op.positions_first(given)
    made = op.make("Permute", [x.shape[axis - 1] for axis in dims], [x], dims=dims)
    return replace(made, batch=moved.index(-1), before=given.before, after=given.after)


def squeeze(op: Operation) -> Tensor:
    """The tensor without its axes of size 1; the axis of positions stays."""
    given = op.operand
    groups, axes = given.groups, axes_of(op.node, [given, op.known(1)])
    ones = [at for at, group in enumerate(groups) if len(group) == 1 and group[0] >= 0 and given.shape[group[0]] == 1]
    gone = ones if axes is None else [axis % len(groups) for axis in axes]
    if any(at not in ones for at in gone):
        raise NoForm("it takes the positions' axis away")
    flat = [each for at, group in enumerate(groups) if at not in gone for each in group]
    x = op.positions_first(given)
    made = op.reshape(x, [given.shape[each] for each in flat if each >= 0])
    return replace(made, batch=flat.index(-1), before=given.before, after=given.after)


def unsqueeze(op: Operation) -> Tensor:
    """The tensor with further axes of size 1, which may come before the positions."""
    given = op.operand
    axes = axes_of(op.node, [given, op.known(1)]) or []
    rank = len(given.groups) + len(axes)
    places, groups = {axis % rank for axis in axes}, iter(given.groups)
    # None is a new axis, -1 the axis of positions.
    flat = [each for at in range(rank) for each in ([None] if at in places else next(groups))]
    shape = [1 if each is None else given.shape[each] for each in flat if each != -1]
    x = op.positions_first(given)
    return replace(op.reshape(x, shape), batch=flat.index(-1), before=given.before, after=given.after)


def concat(op: Operation) -> Tensor:
    """Tensors joined along an axis."""
    layout = find_apart(op.values)
    if layout is not None:
        return _joined_apart(op, layout)
    tensors = [op.as_tensor(at) for at in range(len(op.values))]
    axis = op.axis("axis", 1, len(tensors[0].shape))
    shape = list(tensors[0].shape)
    shape[axis - 1] = sum(each.shape[axis - 1] for each in tensors)
    return op.make("Concatenate", shape, tensors, axis=axis) if len(tensors) > 1 else tensors[0]


def _joined_apart(op: Operation, layout: Tensor) -> Tensor:
    """Tensors whose positions are not first, joined along another axis; for example a stack of several."""
    tensors = [value for value in op.values if isinstance(value, Tensor)]
    places = {(each.batch, each.before, each.after, len(each.shape)) for each in tensors}
    group = layout.groups[int(op.get("axis", 1)) % len(layout.groups)]
    if len(tensors) < len(op.values) or len(places) > 1 or -1 in group:
        raise NoForm("it joins positions, or tensors whose positions lie on different axes")
    first = [op.positions_first(each) for each in tensors]
    axis, shape = group[0], list(first[0].shape)
    shape[axis] = sum(each.shape[axis] for each in first)
    made = op.make("Concatenate", shape, first, axis=axis + 1) if len(first) > 1 else first[0]
    return _as_it_lay(made, layout)


def slice_of(op: Operation) -> Tensor:
    """A part of a tensor, between given begins and ends."""
    given = op.operand
    groups = given.groups
    parts = slices_of(op.node, [given, *map(op.known, range(1, len(op.values)))], len(groups))
    if not given.is_apart:
        return _cut(op, op.x, parts)
    if any(-1 in groups[axis] for axis in parts):
        raise NoForm("it works along the positions")
    x = op.positions_first(given)
    return _as_it_lay(_cut(op, x, {groups[axis][0] + 1: part for axis, part in parts.items()}), given)


def split(op: Operation) -> list[Value]:
    """A tensor cut into several along an axis."""
    x, axis, lying = _moved(op, int(op.get("axis", 0)))
    size, count = x.shape[axis - 1], len(op.node.outputs)
    given = op.known(1) if op.calls.opset >= 13 and len(op.values) > 1 else op.get("split")
    step = -(-size // count)
    sizes = [int(each) for each in given] if given is not None else [min(step, size - at * step) for at in range(count)]
    ends = [(int(end) - own, int(end)) for own, end in zip(sizes, np.cumsum(sizes), strict=True)]
    return [_as_it_lay(_cut(op, x, {axis: slice(*each)}), lying) for each in ends]


def gather(op: Operation) -> Tensor:
    """Values at fixed places along an axis; or rows of a table in the file, at places that the board gives."""
    if isinstance(op.values[1], Tensor) and not isinstance(op.values[0], Tensor):
        return _looked_up(op)
    index = op.needed(1)
    x, axis, lying = _moved(op, int(op.get("axis", 0)))
    size = x.shape[axis - 1]
    listed = [int(at) % size for at in index.reshape(-1)]
    if not listed:
        raise NoForm("it gathers none of the values")
    if listed == list(range(listed[0], listed[0] + len(listed))):
        made = _cut(op, x, {axis: slice(listed[0], listed[-1] + 1)})
    else:
        shape = (*x.shape[: axis - 1], len(listed), *x.shape[axis:])
        given: dict[str, Any] = {"args": [{"tensor": 0}, listed], "axis": axis}
        made = op.make("ops.Take", shape, [x], arguments=given)
    made = op.reshape(made, (*made.shape[: axis - 1], *index.shape, *made.shape[axis:]))
    return _as_it_lay(made, lying, lying.batch + (index.ndim - 1 if axis <= lying.batch else 0))


def _looked_up(op: Operation) -> Tensor:
    """An Embedding: for each whole number of the board, its row of a table."""
    table, index = op.needed(0), op.tensor(1)
    if table.ndim != 2 or int(op.get("axis", 0)) % 2:
        raise NoForm("its table is not a matrix of rows")
    config = {"input_dim": table.shape[0], "output_dim": table.shape[1], "mask_zero": False}
    return op.make("Embedding", (*index.shape, table.shape[1]), [index], weights={"0": table}, **config)


def _cut(op: Operation, x: Tensor, parts: dict[int, slice]) -> Tensor:
    """A part of the tensor; `parts` maps axes, counted with the batch, to slices."""
    where: list[dict[str, Any]] = [{"start": None, "stop": None, "step": None}]
    shape = []
    for at, size in enumerate(x.shape, start=1):
        first, last, step = parts.get(at, slice(None)).indices(size)
        count = len(range(first, last, step))
        if not count:
            raise NoForm("it takes none of the values")
        # A backward cut to the first value ends before index 0, at a place without a number.
        where.append({"start": first, "stop": last if last >= 0 else None, "step": None if step == 1 else step})
        shape.append(count)
    if 0 in parts and parts[0] != slice(0, None, 1):
        raise NoForm("it takes some of the positions")
    if tuple(shape) == x.shape and all(part["step"] is None for part in where):
        return x
    return op.make("ops.GetItem", shape, [x], arguments={"args": [{"tensor": 0}, where]})


def _moved(op: Operation, axis: int) -> tuple[Tensor, int, Tensor]:
    """The operand with its positions moved first, the place of the file's `axis` in it, and the operand unchanged.

    The operations that cut along an axis accept a tensor whose positions lie elsewhere; NoForm for the axis of
    positions.
    """
    given = op.operand
    group = given.groups[axis % len(given.groups)]
    if -1 in group:
        raise NoForm("it works along the positions")
    return op.positions_first(given), group[0] + 1, given


def _as_it_lay(made: Tensor, given: Tensor, batch: int | None = None) -> Tensor:
    """A tensor with its positions on the axis of `given`, or on `batch`."""
    return replace(made, batch=given.batch if batch is None else batch, before=given.before, after=given.after)


def depth_to_space(op: Operation) -> Tensor:
    """Planes turned into cells of a board whose sides are `blocksize` times as long; `mode` gives the planes' order."""
    x, side = op.x, int(op.get("blocksize", 1))
    if len(x.shape) != 3 or x.shape[0] % side**2:
        raise NoForm(f"its input is of shape {x.shape}, not planes of a board")
    planes, rows, columns = x.shape[0] // side**2, *x.shape[1:]
    first = op.get("mode", "DCR") == "DCR"
    shape = (side, side, planes, rows, columns) if first else (planes, side, side, rows, columns)
    # (planes, rows, side, columns, side)
    dims = (3, 4, 1, 5, 2) if first else (1, 4, 2, 5, 3)
    apart = op.reshape(x, shape)
    moved = op.make("Permute", [shape[axis - 1] for axis in dims], [apart], dims=list(dims))
    return op.reshape(moved, (planes, rows * side, columns * side))


def space_to_depth(op: Operation) -> Tensor:
    """The inverse of `depth_to_space`: squares of `blocksize` cells turned into planes."""
    x, side = op.x, int(op.get("blocksize", 1))
    if len(x.shape) != 3 or x.shape[1] % side or x.shape[2] % side:
        raise NoForm(f"its input is of shape {x.shape}, not planes of a board")
    shape = (x.shape[0], x.shape[1] // side, side, x.shape[2] // side, side)
    dims = (3, 5, 1, 2, 4)
    moved = op.make("Permute", [shape[axis - 1] for axis in dims], [op.reshape(x, shape)], dims=list(dims))
    return op.reshape(moved, (x.shape[0] * side**2, shape[1], shape[3]))


def expand(op: Operation) -> Tensor:
    """A tensor whose axes of size 1 are to be repeated: elementwise operations broadcast it, others call `repeat`."""
    x, sizes = op.x, [int(size) for size in op.needed(1)]
    if len(sizes) != len(x.shape) + 1:
        raise NoForm("it adds axes")
    shape = np.broadcast_shapes(x.shape, tuple(1 if size in (BATCH, -1) else size for size in sizes[1:]))
    return x if shape == x.shape else Tensor(x.name, x.shape, shape)


def cast(op: Operation) -> Tensor:
    """The same numbers: a board's are whole already, and a truth value is one or zero."""
    kind = int(op.get("to", 1))
    if kind == _BOOL and not op.x.is_truth:
        made = op.make("ops.NotEqual", arguments={"args": [{"tensor": 0}, 0.0]})
        return replace(made, is_truth=True)
    if kind in (6, 7) and not (op.x.is_truth or op.x.name in op.calls.inputs):
        raise NoForm("it makes whole numbers of others than those of a board")
    if kind not in (1, 6, 7, _BOOL, 10, 11):
        raise NoForm("it makes numbers of another type")
    return op.x


_BOOL = 9
