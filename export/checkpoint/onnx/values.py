"""The value of a name in an ONNX graph while it is read: a tensor per position, or numbers known in advance.

An exporter calculates sizes beside the network (Shape, Gather, Concat before a Reshape). They are calculated here, with
`BATCH` in place of the number of positions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from ..door.limits import TENSOR_VALUES
from ..layer_graph import Array
from .model import DTYPES, Node

# Replaces the number of positions among sizes; no size in a board network is equal to it.
BATCH = 715_827_883


class NoForm(ValueError):  # noqa: N818 - why an operation has no canonical form, as a clause
    """An operation for which azx has no form; the message is a clause with the reason."""


@dataclass(frozen=True)
class Tensor:
    """A tensor of each position: its name, and its shape without the batch, which is the first axis.

    `spread` is the shape that Expand gave it: the tensor itself is smaller, which most readers accept too. If
    `is_truth`, it holds ones and zeros for true and false. `batch` is the axis of `shape` before which the positions
    lie in the file. It differs from 0 only between a transposition and the cut, or the next transposition, that moves
    them back. `before` and `after` are true if the file joins the positions with the axis before or after them;
    attention heads are often joined so.
    """

    name: str
    shape: tuple[int, ...]
    spread: tuple[int, ...] | None = None
    batch: int = 0
    is_truth: bool = False
    before: bool = False
    after: bool = False

    @property
    def is_apart(self) -> bool:
        """Whether the positions are not first, or not an axis by themselves."""
        return bool(self.batch or self.before or self.after)

    @property
    def groups(self) -> list[list[int]]:
        """For each axis in the file, the axes of `shape` that it holds; -1 means the positions."""
        listed = [[axis] for axis in range(len(self.shape))]
        first, last = self.batch - self.before, self.batch + self.after
        own = [*range(first, self.batch), -1, *range(self.batch, last)]
        return [*listed[:first], own, *listed[last:]]


Value = Tensor | Array


def fold(node: Node, values: Sequence[Value | None], opset: int) -> list[Array] | None:
    """The results of an operation on known numbers; None if it must be calculated for each position.

    NoForm if the results would be too large, which is checked before they are made, or if the operation is not used on
    sizes.
    """
    if node.kind == "Constant":
        return [_constant(node)]
    if node.kind == "Shape" and isinstance(values[0], Tensor):
        sizes = values[0].spread or values[0].shape
        held = [prod(BATCH if axis < 0 else sizes[axis] for axis in group) for group in values[0].groups]
        whole = np.array(held, np.int64)
        return [whole[node.attributes.get("start", 0) : node.attributes.get("end", len(whole))]]
    if node.kind == "Size" or not values or any(isinstance(value, Tensor) for value in values):
        return None
    known = [value for value in values if not isinstance(value, Tensor)]
    if node.kind not in _FOLDED:
        raise NoForm("it works only on numbers of the file")
    made = _FOLDED[node.kind](node, known)
    answers = made if isinstance(made, list) else [np.asarray(made)]
    if sum(answer.size for answer in answers) > TENSOR_VALUES:
        raise NoForm(f"it makes over {TENSOR_VALUES:,} numbers")
    return answers


def _constant(node: Node) -> Array:
    for name, dtype in (("value", None), ("value_float", np.float32), ("value_int", np.int64)):
        if name in node.attributes:
            return np.asarray(node.attributes[name], dtype)
    for name, dtype in (("value_floats", np.float32), ("value_ints", np.int64)):
        if name in node.attributes:
            return np.array(node.attributes[name], dtype)
    raise NoForm("its value is not an array of numbers")


def axes_of(node: Node, values: Sequence[Any]) -> list[int] | None:
    """The axes of Squeeze, Unsqueeze and the reductions: an input since operator set 13 or 18, an attribute before."""
    if len(values) > 1 and values[1] is not None:
        return [int(axis) for axis in np.atleast_1d(values[1])]
    given = node.attributes.get("axes")
    return None if given is None else [int(axis) for axis in given]


def slices_of(node: Node, values: Sequence[Any], rank: int) -> dict[int, slice]:
    """For each axis, the part that Slice takes: from inputs since operator set 10, from attributes before."""
    if len(values) > 2:
        starts, ends, axes, steps = ([*map(_listed, values[1:5]), None, None])[:4]
    else:
        starts, ends, axes, steps = (node.attributes.get(name) for name in ("starts", "ends", "axes", "steps"))
    if starts is None or ends is None:
        raise NoForm("where it begins is computed")
    axes = list(range(len(starts))) if axes is None else axes
    steps = [1] * len(starts) if steps is None else steps
    return {
        int(axis) % rank: slice(int(first), None if abs(int(last)) > 1 << 30 else int(last), int(step))
        for axis, first, last, step in zip(axes, starts, ends, steps, strict=True)
    }


def _listed(value: Any) -> list[int] | None:
    return None if value is None else [int(each) for each in np.atleast_1d(value)]


def _slice(node: Node, known: Sequence[Any]) -> Array:
    index: list[slice] = [slice(None)] * known[0].ndim
    for axis, part in slices_of(node, known, known[0].ndim).items():
        index[axis] = part
    return np.asarray(known[0][tuple(index)])


def _split(node: Node, known: Sequence[Any]) -> list[Array]:
    axis, count = int(node.attributes.get("axis", 0)), len(node.outputs)
    sizes = known[1] if len(known) > 1 else node.attributes.get("split")
    if sizes is None:
        step = -(-known[0].shape[axis] // count)
        sizes = [step] * (count - 1)
    return [
        np.asarray(part) for part in np.split(known[0], np.cumsum([int(size) for size in sizes])[: count - 1], axis)
    ]


def _gemm(node: Node, known: Sequence[Any]) -> Array:
    x, y = (
        part.T if node.attributes.get(name, 0) else part
        for part, name in zip(known, ("transA", "transB"), strict=False)
    )
    made = (x @ y) * np.float32(node.attributes.get("alpha", 1.0))
    return np.asarray(made + known[2] * np.float32(node.attributes.get("beta", 1.0)) if len(known) > 2 else made)


def _roomy(count: int) -> None:
    if count > TENSOR_VALUES:
        raise NoForm(f"it makes over {TENSOR_VALUES:,} numbers")


def _filled(node: Node, known: Sequence[Any]) -> Array:
    # One number for all positions, since broadcasting joins numbers in the file with tensors.
    shape = [1 if int(size) == BATCH else int(size) for size in known[0]]
    _roomy(prod(shape))
    value = node.attributes.get("value")
    return np.full(shape, np.float32(0) if value is None else value.reshape(-1)[0])


def _range(node: Node, known: Sequence[Any]) -> Array:
    start, limit, delta = (float(each.item()) for each in known)
    _roomy(int((limit - start) / delta) if delta else TENSOR_VALUES + 1)
    return np.asarray(np.arange(start, limit, delta)).astype(known[0].dtype)


def _expand(node: Node, known: Sequence[Any]) -> Array:
    shape = np.broadcast_shapes(
        known[0].shape, tuple(1 if int(size) in (BATCH, -1) else int(size) for size in known[1])
    )
    _roomy(prod(shape))
    return np.asarray(np.broadcast_to(known[0], shape))


def _unsqueeze(node: Node, known: Sequence[Any]) -> Array:
    return np.expand_dims(known[0], tuple(axes_of(node, known) or ()))


def _squeeze(node: Node, known: Sequence[Any]) -> Array:
    axes = axes_of(node, known)
    return np.asarray(np.squeeze(known[0], None if axes is None else tuple(axes)))


def _reshape(node: Node, known: Sequence[Any]) -> Array:
    sizes = [known[0].shape[at] if size == 0 else int(size) for at, size in enumerate(known[1])]
    return np.asarray(known[0].reshape(sizes))


def _divide(x: Array, y: Array) -> Array:
    """The quotient; for whole numbers it is cut towards zero, as in C."""
    return np.asarray(np.trunc(x / y).astype(x.dtype) if x.dtype.kind in "iu" else x / y)


def _cast(node: Node, known: Sequence[Any]) -> Array:
    return np.asarray(known[0].astype(DTYPES[node.attributes["to"]]))


def _reduction(function: Callable[..., Any]) -> Callable[[Node, Sequence[Any]], Array]:
    def run(node: Node, known: Sequence[Any]) -> Array:
        axes, keep = axes_of(node, known), bool(node.attributes.get("keepdims", 1))
        return np.asarray(function(known[0], axis=None if axes is None else tuple(axes), keepdims=keep))

    return run


def _elementwise(function: Callable[..., Any]) -> Callable[[Node, Sequence[Any]], Array]:
    def run(_: Node, known: Sequence[Any]) -> Array:
        _roomy(prod(np.broadcast_shapes(*(each.shape for each in known))))
        return np.asarray(function(*known))

    return run


def _gather(node: Node, known: Sequence[Any]) -> Array:
    axis = node.attributes.get("axis", 0)
    _roomy(known[1].size * (known[0].size // max(1, known[0].shape[axis])))
    return np.asarray(np.take(known[0], known[1].astype(np.int64), axis=axis))


def _concat(node: Node, known: Sequence[Any]) -> Array:
    _roomy(sum(each.size for each in known))
    return np.concatenate([np.atleast_1d(each) for each in known], node.attributes["axis"])


def _tile(_: Node, known: Sequence[Any]) -> Array:
    counts = [int(count) for count in known[1]]
    _roomy(known[0].size * prod(counts))
    return np.tile(known[0], counts)


_ELEMENTWISE: Mapping[str, Callable[..., Any]] = {
    **{"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": _divide, "Pow": np.power, "Mod": np.mod},
    **{"Equal": np.equal, "Less": np.less, "Greater": np.greater, "And": np.logical_and, "Or": np.logical_or},
    **{"Min": np.minimum, "Max": np.maximum},
    **{"Neg": np.negative, "Sqrt": np.sqrt, "Exp": np.exp, "Log": np.log, "Abs": np.abs, "Not": np.logical_not},
    **{"GreaterOrEqual": np.greater_equal, "LessOrEqual": np.less_equal, "Sign": np.sign, "Sin": np.sin, "Cos": np.cos},
    **{
        "MatMul": np.matmul,
        "Tanh": np.tanh,
        "Relu": lambda x: np.maximum(x, 0),
        "Sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    },
    **{"Reciprocal": np.reciprocal, "Floor": np.floor, "Ceil": np.ceil, "Identity": np.asarray},
}
_FOLDED: Mapping[str, Callable[[Node, Sequence[Any]], Any]] = {
    **{name: _elementwise(function) for name, function in _ELEMENTWISE.items()},
    "Gather": _gather,
    "Concat": _concat,
    "Shape": lambda _, known: np.array(known[0].shape, np.int64),
    "Where": _elementwise(np.where),
    "Transpose": lambda node, known: known[0].transpose(node.attributes.get("perm")),
    "Slice": _slice,
    "Split": _split,
    "Gemm": _gemm,
    "Identity": lambda _, known: known[0],
    "ConstantOfShape": _filled,
    "Range": _range,
    "Expand": _expand,
    "Unsqueeze": _unsqueeze,
    "Squeeze": _squeeze,
    "Reshape": _reshape,
    "Flatten": lambda node, known: known[0].reshape(prod(known[0].shape[: node.attributes.get("axis", 1)]), -1),
    "Cast": _cast,
    "Trilu": lambda node, known: (np.triu if node.attributes.get("upper", 1) else np.tril)(
        known[0], 0 if len(known) < 2 else int(known[1])
    ),
    "Tile": _tile,
    "ReduceProd": _reduction(np.prod),
    "ReduceSum": _reduction(np.sum),
    "ReduceMax": _reduction(np.max),
    "ReduceMin": _reduction(np.min),
    "ReduceMean": _reduction(np.mean),
}
