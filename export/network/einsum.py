"""The canonical form of Einstein sums: transposes, and one product of two tensors or of a tensor and a kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from string import ascii_lowercase, ascii_uppercase

from ..checkpoint.layer_graph import Array, Layer
from .emitter import Emitter, Value, refuse
from .layers import emit_dense, emit_reshape, relabel
from .network import Product
from .norm_layers import emit_reduction


def emit_einsum(emitter: Emitter, layer: Layer, subscripts: str, x: Value, y: Value | Array) -> Value:
    """The sum that `subscripts` describes, of a tensor and a second tensor or kernel.

    The first letter of each tensor is the axis of positions. Raises UnsupportedLayer if the sum moves or joins that
    axis, repeats a letter, or needs a different kernel at some places.
    """
    ranks = [len(x.shape) + 1, len(y.shape) + 1 if isinstance(y, Value) else y.ndim]
    left, right, made = _letters(layer, subscripts, ranks)
    batch = left[0]
    if made[:1] != batch or batch in left[1:] + made[1:] or (right[:1] != batch) == isinstance(y, Value):
        raise refuse(layer, f"'{subscripts}' does not keep the positions first")
    left, made = left[1:], made[1:]
    if not isinstance(y, Value):
        return _with_kernel(emitter, layer, subscripts, (left, right, made), x, y)
    right = right[1:]
    x, left = _without_alone(emitter, x, left, right + made)
    y, right = _without_alone(emitter, y, right, left + made)
    shared = [letter for letter in left if letter in right and letter in made]
    summed = [letter for letter in left if letter in right and letter not in made]
    rows, columns = ([each for each in side if each not in shared + summed] for side in (left, right))
    sizes = dict(zip(left, x.shape, strict=True)) | dict(zip(right, y.shape, strict=True))
    first = _grouped(emitter, x, left, (shared, rows, summed))
    second = _grouped(emitter, y, right, (shared, summed, columns))
    if not shared:
        first, second = (emit_reshape(emitter, each, each.shape[1:]) for each in (first, second))
    whole = emitter.op(Product, [first, second], (*first.shape[:-1], second.shape[-1]))
    return _arranged(emitter, whole, shared + rows + columns, made, sizes)


def _with_kernel(
    emitter: Emitter, layer: Layer, subscripts: str, letters: tuple[str, str, str], x: Value, kernel: Array
) -> Value:
    left, right, made = letters
    summed = [letter for letter in left if letter in right]
    columns = [letter for letter in right if letter not in summed]
    rows = [letter for letter in left if letter not in summed]
    if any(letter in made for letter in summed) or sorted(made) != sorted(rows + columns):
        raise refuse(layer, f"'{subscripts}' has another kernel for each place along an axis")
    sizes = dict(zip(left, x.shape, strict=True)) | dict(zip(right, kernel.shape, strict=True))
    moved = emitter.plain(relabel(emitter.unfolded(x), [left.index(letter) for letter in rows + summed]))
    moved = emit_reshape(emitter, moved, (*(sizes[letter] for letter in rows), _size(summed, sizes)))
    matrix = kernel.transpose([right.index(letter) for letter in summed + columns]).reshape(_size(summed, sizes), -1)
    return _arranged(emitter, emit_dense(emitter, layer, moved, matrix, None), rows + columns, made, sizes)


def _letters(layer: Layer, subscripts: str, ranks: Sequence[int]) -> tuple[str, str, str]:
    """The letters of both operands and of the result, with letters in place of an ellipsis."""
    ends, arrow, made = subscripts.replace(" ", "").partition("->")
    operands = ends.split(",")
    if not arrow or len(operands) != len(ranks):
        raise refuse(layer, f"'{subscripts}' has no canonical form")
    free = [each for each in ascii_uppercase + ascii_lowercase if each not in subscripts]
    hidden = [rank - len(each.replace("...", "")) for each, rank in zip(operands, ranks, strict=True)]
    most = max([count for each, count in zip(operands, hidden, strict=True) if "..." in each], default=0)
    dots = "".join(free[:most])
    written = [each.replace("...", dots[most - count :]) for each, count in zip(operands, hidden, strict=True)]
    made = made.replace("...", dots)
    if [len(each) for each in written] != list(ranks) or any(len(set(each)) != len(each) for each in (*written, made)):
        raise refuse(layer, f"'{subscripts}' does not fit its operands, or has a letter twice")
    return written[0], written[1], made


def _without_alone(emitter: Emitter, value: Value, own: str, elsewhere: str) -> tuple[Value, str]:
    """The tensor summed over the axes that only it has."""
    alone = [at for at, letter in enumerate(own) if letter not in elsewhere]
    if not alone:
        return emitter.unfolded(value), own
    left = "".join(letter for letter in own if letter in elsewhere)
    return emit_reduction(emitter, emitter.unfolded(value), "sum", alone, keep=False), left


def _grouped(emitter: Emitter, value: Value, own: str, groups: Sequence[Sequence[str]]) -> Value:
    """The tensor with one axis for each group of letters."""
    order = [own.index(letter) for group in groups for letter in group]
    moved = emitter.plain(relabel(value, order))
    sizes = dict(zip(own, value.shape, strict=True))
    return emit_reshape(emitter, moved, [_size(group, sizes) for group in groups])


def _arranged(emitter: Emitter, value: Value, own: Sequence[str], wanted: str, sizes: Mapping[str, int]) -> Value:
    """The tensor with its joined axes split into one axis per letter, in the order `wanted`."""
    apart = emit_reshape(emitter, value, [sizes[letter] for letter in own])
    return relabel(apart, [list(own).index(letter) for letter in wanted])


def _size(letters: Sequence[str], sizes: Mapping[str, int]) -> int:
    return prod(sizes[letter] for letter in letters)
