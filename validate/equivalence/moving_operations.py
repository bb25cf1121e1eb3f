"""Rules of operations that Keras writes as layers and that cut, join, order or multiply tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..witness.operations import index_of
from . import moves, pointwise, reductions
from .attention_layers import einsum
from .layered import AppliedLayer
from .normal import View
from .products import matrix_product
from .weights import Weights, stored

Made = View | list[View]


def _cut(layer: AppliedLayer, x: View, where: Any) -> View:
    """x[...]: numbers, slices, new axes and one ellipsis, but no cut of the boards' axis."""
    index = index_of(where)
    made = x.index[index]
    if not made.size or made.ndim < 2 or made.shape[0] != 1 or index[0] not in (slice(None), Ellipsis):
        raise layer.refusal("it cuts boards, or leaves nothing")
    return View(x.node, made)


def _taken(layer: AppliedLayer, x: View, places: Any, axis: Any) -> View:
    listed = np.asarray(places)
    if isinstance(places, View) or axis is None or listed.ndim > 1:
        raise layer.refusal("its places have no rule")
    made = moves.take(x, [int(place) for place in listed.reshape(-1)], int(axis) % len(x.shape), layer.name)
    return made if listed.ndim else View(made.node, made.index.squeeze(int(axis) % len(x.shape)))


def _split(layer: AppliedLayer, x: View, parts: Any, axis: Any = 0) -> Made:
    """Parts by places of the cuts or by a number of parts, as in Keras 3; TensorFlow's own layers give sizes."""
    axis, size = int(axis) % len(x.shape), x.shape[int(axis)]
    if axis == 0:
        raise layer.refusal("it cuts boards")
    if isinstance(parts, (list, tuple)):
        cuts = [int(part) for part in parts]
        cuts = cuts if layer.call.layer.kind.startswith("ops.") else np.cumsum(cuts)[:-1].tolist()
    elif size % int(parts):
        raise layer.refusal(f"{size} in {parts} parts")
    else:
        cuts = list(range(size // int(parts), size, size // int(parts)))
    return [View(x.node, part) for part in np.split(x.index, cuts, axis=axis)]


def _unstack(layer: AppliedLayer, x: View, axis: Any = 0) -> Made:
    if int(axis) % len(x.shape) == 0:
        raise layer.refusal("it cuts boards")
    return [View(x.node, part) for part in np.moveaxis(x.index, int(axis), 0)]


def _stack(layer: AppliedLayer, tensors: Sequence[View], axis: Any = 0) -> View:
    rank = len(tensors[0].shape) + 1
    apart = [View(view.node, np.expand_dims(view.index, int(axis) % rank)) for view in tensors]
    return moves.join(apart, int(axis) % rank, layer.name)


def _swapped(layer: AppliedLayer, x: View, axis: Any, axis2: Any) -> View:
    if 0 in (int(axis) % len(x.shape), int(axis2) % len(x.shape)):
        raise layer.refusal("it moves boards")
    return View(x.node, np.swapaxes(x.index, int(axis), int(axis2)))


def _flipped(layer: AppliedLayer, x: View, axis: Any) -> View:
    axes = [int(each) % len(x.shape) for each in (axis if isinstance(axis, Sequence) else [axis])]
    if 0 in axes:
        raise layer.refusal("it turns boards over")
    return View(x.node, np.flip(x.index, tuple(axes)))


def _tiled(layer: AppliedLayer, x: View, repeats: Any) -> View:
    times = [int(each) for each in repeats]
    if len(times) != len(x.shape) or times[0] != 1 or np.prod(times) > _COPIES:
        raise layer.refusal("it repeats boards, or too often")
    return View(x.node, np.tile(x.index, times))


def _matmul(layer: AppliedLayer, x: Any, y: Any, transpose_a: Any = False, transpose_b: Any = False) -> View:
    if not isinstance(x, View) or not isinstance(y, View):
        raise layer.refusal("with numbers of the file it has no rule")
    x, y = (
        View(view.node, np.swapaxes(view.index, -1, -2)) if turn else view
        for view, turn in ((x, transpose_a), (y, transpose_b))
    )
    return matrix_product(x, y, layer.name)


def _einsum(layer: AppliedLayer, x: View, y: Any, subscripts: Any) -> View:
    return einsum(layer, str(subscripts), x, y if isinstance(y, View) else _numbers(y))


def _numbers(value: Any) -> Weights:
    return stored(np.asarray(value, np.float32))


def _squared_difference(layer: AppliedLayer, x: View, y: View) -> View:
    apart = pointwise.combine("subtract", x, y, layer.name)
    return pointwise.combine("multiply", apart, apart, layer.name)


def _variance(layer: AppliedLayer, x: View, axis: Any = None, keepdims: Any = False) -> View:
    axes = [int(each) for each in (axis if isinstance(axis, Sequence) else [axis])]
    mean = reductions.reduce(x, "mean", axes, layer.name, keep=True)
    return reductions.reduce(_squared_difference(layer, x, mean), "mean", axes, layer.name, keep=bool(keepdims))


# The most copies of a tensor.
_COPIES = 1 << 16

OPERATIONS: dict[str, tuple[tuple[str, ...], Callable[..., Made]]] = {
    "getitem": (("x", "where"), _cut),
    "take": (("x", "places", "axis"), _taken),
    "split": (("x", "parts", "axis"), _split),
    "unstack": (("x", "axis"), _unstack),
    "stack": (("tensors", "axis"), _stack),
    "swapaxes": (("x", "axis", "axis2"), _swapped),
    "flip": (("x", "axis"), _flipped),
    "tile": (("x", "repeats"), _tiled),
    "matmul": (("x", "y", "transpose_a", "transpose_b"), _matmul),
    "einsum": (("x", "y", "subscripts"), _einsum),
    "squared_difference": (("x", "y"), _squared_difference),
    "variance": (("x", "axis", "keepdims"), _variance),
}
