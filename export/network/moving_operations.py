"""The canonical form of operations that move, cut, join, repeat and multiply tensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from .einsum import emit_einsum
from .emitter import Emitter, Value
from .layers import emit_concatenation, emit_dense, emit_part, emit_repeated, emit_reshape, one_axis, relabel
from .line_layers import emit_padding
from .network import Concat, Gather, Product
from .norm_layers import several_axes
from .operation import Operation

# The most parts that a tensor is put together from; each part is an operation.
_PARTS = 64


def reshape(operation: Operation) -> Value:
    """The numbers of each position in another shape."""
    shape = operation.given["shape"]
    if not isinstance(shape, (list, tuple)) or not shape or not all(isinstance(size, int) for size in shape):
        raise operation.refusal("it reshapes to a computed shape")
    return emit_reshape(operation.emitter, operation.x, [int(size) for size in shape[1:]])


def transpose(operation: Operation) -> Value:
    """The tensor with its axes in another order; the axis of positions stays first."""
    order, x = operation.given.get("axes"), operation.x
    if not isinstance(order, (list, tuple)) or not order or order[0] != 0:
        raise operation.refusal("it moves the batch axis")
    return relabel(operation.emitter.unfolded(x), [int(axis) - 1 for axis in order[1:]])


def expand_dims(operation: Operation) -> Value:
    """The tensor with one more axis, of size 1."""
    shape = list(operation.x.shape)
    at = one_axis(operation.call.layer, operation.given["axis"], len(shape) + 1)
    return emit_reshape(operation.emitter, operation.x, [*shape[:at], 1, *shape[at:]])


def squeeze(operation: Operation) -> Value:
    """The tensor without its axes of size 1."""
    shape, axis = operation.x.shape, operation.given.get("axis")
    ones = [at for at, size in enumerate(shape) if size == 1]
    gone = ones if axis in (None, []) else several_axes(operation.call.layer, axis, len(shape))
    return emit_reshape(operation.emitter, operation.x, [size for at, size in enumerate(shape) if at not in gone])


def concatenate(operation: Operation) -> Value:
    """Tensors joined along an axis."""
    axis = operation.given.get("axis")
    return emit_concatenation(operation.emitter, operation.call.layer, operation.inputs, -1 if axis is None else axis)


def matmul(operation: Operation) -> Value:
    """The product of two tensors of a position, as in attention, or of a tensor and a matrix in the file."""
    emitter, x, y = operation.emitter, operation.given["x"], operation.given["y"]
    if operation.given.get("transpose_a") and isinstance(x, Value):
        x = _swapped(emitter, x)
    if operation.given.get("transpose_b"):
        y = _swapped(emitter, y) if isinstance(y, Value) else np.asarray(y).swapaxes(-1, -2)
    if isinstance(x, Value) and not isinstance(y, Value) and np.ndim(y) == 2:
        return emit_dense(emitter, operation.call.layer, x, np.asarray(y), None)
    if not isinstance(x, Value) or not isinstance(y, Value):
        raise operation.refusal("a product with numbers of the file has no canonical form")
    if len(x.shape) < 2 or x.shape[:-2] != y.shape[:-2] or x.shape[-1] != y.shape[-2]:
        raise operation.refusal(f"the product of {x.shape} and {y.shape} has no canonical form")
    return emitter.op(Product, [emitter.plain(x), emitter.plain(y)], (*x.shape[:-1], y.shape[-1]))


def _swapped(emitter: Emitter, value: Value) -> Value:
    """The tensor with the names of its last two axes exchanged."""
    rank = len(value.shape)
    return relabel(emitter.unfolded(value), (*range(rank - 2), rank - 1, rank - 2))


def einsum(operation: Operation) -> Value:
    """An Einstein sum of two tensors, or of a tensor and numbers in the file."""
    x, y = operation.x, operation.given.get("y")
    if y is None:
        raise operation.refusal("of other operands than two it has no canonical form")
    kernel = y if isinstance(y, Value) else np.asarray(y)
    return emit_einsum(operation.emitter, operation.call.layer, str(operation.given["subscripts"]), x, kernel)


def split(operation: Operation) -> list[Value]:
    """Parts along an axis.

    TensorFlow gives their sizes, Keras 3 the places of the cuts; either may give their number.
    """
    x, parts = operation.x, operation.given["parts"]
    x = operation.emitter.unfolded(x)
    axis = one_axis(operation.call.layer, operation.given.get("axis", 0), len(x.shape))
    size = x.shape[axis]
    if isinstance(parts, (list, tuple)):
        cuts = [int(part) for part in parts]
        if not operation.call.layer.kind.startswith("ops."):
            cuts = [int(cut) for cut in np.cumsum(cuts)[:-1]]
    elif size % int(parts):
        raise operation.refusal(f"{size} in {parts} parts")
    else:
        cuts = list(range(size // int(parts), size, size // int(parts)))
    bounds = [0, *cuts, size]
    return [emit_part(operation.emitter, x, axis, first, end - first) for first, end in pairwise(bounds)]


def unstack(operation: Operation) -> list[Value]:
    """Each place of an axis as a tensor without that axis."""
    x = operation.emitter.unfolded(operation.x)
    axis = one_axis(operation.call.layer, operation.given.get("axis") or 0, len(x.shape))
    shape = [*x.shape[:axis], *x.shape[axis + 1 :]]
    parts = [emit_part(operation.emitter, x, axis, at, 1) for at in range(x.shape[axis])]
    return [emit_reshape(operation.emitter, part, shape) for part in parts]


def stack(operation: Operation) -> Value:
    """Tensors joined along a new axis."""
    emitter, layer = operation.emitter, operation.call.layer
    shape = operation.inputs[0].shape
    axis = one_axis(layer, operation.given.get("axis") or 0, len(shape) + 1)
    rows = [emit_reshape(emitter, each, (*shape[:axis], 1, *shape[axis:])) for each in operation.inputs]
    return emit_concatenation(emitter, layer, rows, axis + 1)


def flip(operation: Operation) -> Value:
    """The tensor with the order of the values reversed along some axes."""
    x, axis = operation.x, operation.given.get("axis")
    for along in several_axes(operation.call.layer, axis, len(x.shape)):
        x = emit_taken(operation.emitter, x, along, range(x.shape[along])[::-1])
    return x


def roll(operation: Operation) -> Value:
    """The tensor with the values shifted along some axes; the last ones come to the front."""
    x, shift, axis = operation.x, operation.given["shift"], operation.given.get("axis")
    for along, by in zip(*(item if isinstance(item, (list, tuple)) else [item] for item in (axis, shift)), strict=True):
        at = one_axis(operation.call.layer, along, len(x.shape))
        size = x.shape[at]
        x = emit_taken(operation.emitter, x, at, [(place - int(by)) % size for place in range(size)])
    return x


def take(operation: Operation) -> Value:
    """The values at fixed places along an axis; the file holds the places."""
    x, places = operation.x, operation.given["places"]
    if isinstance(places, Value) or operation.given.get("axis") is None:
        raise operation.refusal("places that are computed have no canonical form")
    axis, array = one_axis(operation.call.layer, operation.given["axis"], len(x.shape)), np.asarray(places)
    listed = [int(place) for place in array.ravel()]
    if any(not -x.shape[axis] <= place < x.shape[axis] for place in listed):
        raise operation.refusal(f"it takes places outside {x.shape[axis]}")
    made = emit_taken(operation.emitter, x, axis, [place % x.shape[axis] for place in listed])
    return emit_reshape(operation.emitter, made, (*x.shape[:axis], *array.shape, *x.shape[axis + 1 :]))


def pad(operation: Operation) -> Value:
    """The tensor with zeros around it; the axis of positions gets no zeros."""
    pairs, x = [[int(side) for side in pair] for pair in operation.given["pad_width"]], operation.x
    constant = operation.given.get("constant_values")
    if str(operation.given.get("mode", "constant")).lower() != "constant" or (constant not in (None, 0, 0.0)):
        raise operation.refusal("with other numbers than zeros it has no canonical form")
    if len(pairs) != len(x.shape) + 1 or any(pairs[0]):
        raise operation.refusal("it pads the positions")
    for axis, (before, after) in enumerate(pairs[1:]):
        x = emit_padding(operation.emitter, x, axis, (before, after))
    return x


def tile(operation: Operation) -> Value:
    """The whole tensor repeated along some axes."""
    times, x = [int(count) for count in np.atleast_1d(operation.given["repeats"])], operation.x
    times = [1] * (len(x.shape) + 1 - len(times)) + times
    if len(times) != len(x.shape) + 1 or times[0] != 1:
        raise operation.refusal("it repeats the positions")
    for axis, count in enumerate(times[1:]):
        x = emit_repeated(operation.emitter, x, axis, count)
    return x


def repeat(operation: Operation) -> Value:
    """The tensor with each value repeated along an axis."""
    x, times = operation.x, int(operation.given["repeats"])
    axis = one_axis(operation.call.layer, operation.given.get("axis"), len(x.shape))
    shape = x.shape
    apart = emit_reshape(operation.emitter, x, (*shape[: axis + 1], 1, *shape[axis + 1 :]))
    made = emit_repeated(operation.emitter, apart, axis + 1, times)
    return emit_reshape(operation.emitter, made, (*shape[:axis], shape[axis] * times, *shape[axis + 1 :]))


def swap_axes(operation: Operation) -> Value:
    """The tensor with the names of two axes exchanged."""
    x = operation.emitter.unfolded(operation.x)
    one, other = (one_axis(operation.call.layer, operation.given[name], len(x.shape)) for name in ("axis", "axis2"))
    order = list(range(len(x.shape)))
    order[one], order[other] = other, one
    return relabel(x, order)


def move_axis(operation: Operation) -> Value:
    """The tensor with one axis in another place."""
    x = operation.emitter.unfolded(operation.x)
    rank = len(x.shape)
    source, target = (one_axis(operation.call.layer, operation.given[name], rank) for name in ("source", "destination"))
    order = [axis for axis in range(rank) if axis != source]
    order.insert(target, source)
    return relabel(x, order)


def get_item(operation: Operation) -> Value:
    """x[:, 2:4]: some of the values along axes, except the axis of positions.

    A number removes its axis, None adds one.
    """
    x, where = operation.emitter.unfolded(operation.x), operation.given["where"]
    items = _without_ellipsis(list(where) if isinstance(where, (list, tuple)) else [where], len(x.shape) + 1)
    if (
        not items
        or items[0] is None
        or _slice(items[0]) != slice(None)
        or len(items) - items.count(None) > len(x.shape) + 1
    ):
        raise operation.refusal("it takes some of the positions")
    sizes: list[int] = []
    axis = 0
    for item in items[1:]:
        if item is None:
            sizes.append(1)
            continue
        part = slice(item, item + 1 or None) if type(item) is int else _slice(item)
        places = range(x.shape[axis])[part]
        if not places:
            raise operation.refusal("it takes none of the values")
        x = emit_taken(operation.emitter, x, axis, places)
        sizes += [] if type(item) is int else [len(places)]
        axis += 1
    return emit_reshape(operation.emitter, x, [*sizes, *x.shape[axis:]])


def _without_ellipsis(items: list[Any], rank: int) -> list[Any]:
    """The items with a whole slice in place of each axis that an ellipsis covers."""
    dots = [
        at for at, item in enumerate(items) if isinstance(item, Mapping) and "ellipsis" in str(item.get("class_name"))
    ]
    if not dots:
        return items
    count = rank - (len(items) - items.count(None) - 1)
    whole: dict[str, Any] = {"start": None, "stop": None, "step": None}
    return [*items[: dots[0]], *[whole] * count, *items[dots[0] + 1 :]]


def emit_taken(emitter: Emitter, value: Value, axis: int, places: Sequence[int]) -> Value:
    """The values at `places` along a logical axis, in that order.

    The result is joined from runs of neighbouring places, or from single places.
    """
    if list(places) == list(range(value.shape[axis])):
        return value
    value = emitter.unfolded(value)
    starts = [at for at, place in enumerate(places) if at == 0 or place != places[at - 1] + 1]
    if len(starts) > _PARTS:
        along = {"axis": value.axes.index(axis), "places": tuple(map(int, places))}
        return emitter.op(
            Gather, [value], [*value.shape[:axis], len(places), *value.shape[axis + 1 :]], value.axes, **along
        )
    ends = [*starts[1:], len(places)]
    parts = [
        emit_part(emitter, value, axis, places[first], end - first) for first, end in zip(starts, ends, strict=True)
    ]
    if len(parts) == 1:
        return parts[0]
    shape = tuple(len(places) if at == axis else size for at, size in enumerate(value.shape))
    return emitter.op(Concat, parts, shape, value.axes, axis=value.axes.index(axis))


def _slice(item: Any) -> slice:
    """A slice from Keras' form of it, which may be an object; TypeError for anything else."""
    ends = item.get("config", item) if isinstance(item, Mapping) else None
    if not isinstance(ends, Mapping) or set(ends) != {"start", "stop", "step"}:
        raise TypeError("an index that is not a slice")
    return slice(ends["start"], ends["stop"], ends["step"])
